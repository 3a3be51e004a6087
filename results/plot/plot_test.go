package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"foretoken/model"
	"foretoken/results"
	"foretoken/spec"
	"foretoken/verify"
)

// sample is a run of three drafters, three K and four domains, whose draft tokens
// are kept by a coin. Some arms are spoilt to show what lack of parity looks like.
func sample(prompts int, temperatures ...float64) *results.Run {
	rng := rand.New(rand.NewPCG(1, 2))
	run := &results.Run{Header: results.Header{Name: "sample"}}
	chances := map[string]float64{"ngram": .35, "layerskip-10": .5, "self-draft": 1}
	costs := map[string]time.Duration{"ngram": 2e3, "layerskip-10": 4e6, "self-draft": 1e7}
	for _, temperature := range temperatures {
		control := results.Arm{ID: fmt.Sprintf("none/t=%v", temperature), Drafter: "none", Verifier: "leviathan", Temperature: temperature}
		run.Header.Arms = append(run.Header.Arms, control)
		for _, d := range []string{"ngram", "layerskip-10", "self-draft"} {
			for _, k := range []int{1, 2, 4, 8} {
				run.Header.Arms = append(run.Header.Arms, results.Arm{ID: fmt.Sprintf("%s/k=%d/leviathan/t=%v", d, k, temperature), Drafter: d, K: k, Verifier: "leviathan", Temperature: temperature})
			}
		}
	}
	for i, domain := range []string{"chat", "code", "json", "summarise"} {
		for p := range prompts {
			for _, a := range run.Header.Arms {
				r := results.Row{Arm: a.ID, Domain: domain, Prompt: fmt.Sprint(domain, p)}
				chance := min(1, chances[a.Drafter]*(.8+.15*float64(i)+.1*rng.Float64()))
				res := generate(rng, a.K, chance, costs[a.Drafter], 64)
				if a.Temperature > 0 && a.K > 0 || a.Drafter == "ngram" && a.K == 8 && p == 0 && i == 1 {
					res.Tokens[7] = 9999
				}
				r.Fill(res)
				run.Rows = append(run.Rows, r)
			}
		}
	}
	run.Header.Rows = len(run.Rows)
	return run
}

func generate(rng *rand.Rand, k int, chance float64, cost time.Duration, tokens int) spec.Result {
	var res spec.Result
	for left := tokens; left > 0; {
		x := spec.Round{Drafted: min(k, left-1), Next: 1, Draft: time.Duration(min(k, left-1)) * cost}
		for x.Accepted < x.Drafted && rng.Float64() < chance {
			x.Accepted++
		}
		x.Judged = x.Accepted
		if x.Accepted < x.Drafted {
			x.Judged, x.Kind = x.Accepted+1, verify.Correction
		}
		x.Verify = time.Duration(1e7 + 1.5e6*float64(x.Drafted) + 1e6*rng.Float64())
		res.Rounds, left = append(res.Rounds, x), left-x.Emitted()
	}
	for i := range tokens {
		res.Tokens = append(res.Tokens, model.Token(i))
	}
	return res
}

// Four pictures, each a whole SVG that says what it shows, and a PNG that is not
// blank.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	if keep := os.Getenv("FORETOKEN_PLOTS"); keep != "" { // to look at them
		dir = keep
	}
	paths, err := Write(dir, results.Summarise(sample(6, 0)))
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]string{"acceptance": "draft position", "tokens-per-round": "draft length K", "speedup": "Leviathan", "parity": "5 / 6"}
	for name, want := range words {
		svg, err := os.ReadFile(filepath.Join(dir, name+".svg"))
		if err != nil {
			t.Fatal(err)
		}
		if err := wellFormed(svg); err != nil || !strings.Contains(string(svg), want) {
			t.Errorf("%s.svg: %v, want well formed with %q", name, err, want)
		}
		data, err := os.ReadFile(filepath.Join(dir, name+".png"))
		if err != nil {
			t.Fatal(err)
		}
		if n := colourCount(t, data); n < 20 {
			t.Errorf("%s.png has %d colours", name, n)
		}
	}
	if len(paths) != 2*len(words)+1 { // and their points
		t.Errorf("wrote %v", paths)
	}
}

// Pictures can be drawn of next to nothing: one prompt, the control alone, no
// rows.
func TestWriteLittle(t *testing.T) {
	whole := sample(1, 0, .8)
	for name, keep := range map[string]int{"one prompt": len(whole.Rows), "control": 1, "nothing": 0} {
		run := *whole
		run.Rows = whole.Rows[:keep]
		paths, err := Write(t.TempDir(), results.Summarise(&run))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if keep <= 1 && len(paths) != 0 {
			t.Errorf("%s: wrote %v, want nothing without a drafter", name, paths)
		}
	}
}

func wellFormed(data []byte) error {
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func colourCount(t *testing.T, data []byte) int {
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[any]bool{}
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y += 2 {
		for x := b.Min.X; x < b.Max.X; x += 2 {
			seen[img.At(x, y)] = true
		}
	}
	return len(seen)
}

// In the narrowest picture each formula has a line.
func TestFormulasAreWhole(t *testing.T) {
	if got := wrap(formulas, 2*panelWidth); len(got) != 3 {
		t.Errorf("%q, want 3 lines", got)
	}
}

func TestSteps(t *testing.T) {
	for _, c := range []struct{ low, high float64 }{{1, 5.3}, {.2, 1.7}, {1, 1.2}, {0, 1}} {
		at := steps(c.low, c.high)
		if len(at) < 4 || len(at) > 9 || at[0] > c.low || at[len(at)-1] < c.high {
			t.Errorf("steps(%v, %v) = %v", c.low, c.high, at)
		}
	}
}
