package plot

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"

	"foretoken/results"
	"foretoken/stat"
)

// axes are runs that have more than one value of each axis of a config, and names that are
// long.
func axes() map[string]*results.Run {
	out := map[string]*results.Run{"plain": sample(6, 0), "temperatures": sample(6, 0, .8), "few prompts": sample(3, 0), "many": sample(21, 0)}
	vary := func(name string, edit func(a results.Arm) []results.Arm) {
		run := sample(6, 0)
		var arms []results.Arm
		var rows []results.Row
		for _, a := range run.Header.Arms {
			for i, b := range edit(a) {
				b.ID = b.Name()
				if slices.ContainsFunc(arms, func(x results.Arm) bool { return x.ID == b.ID }) {
					continue
				}
				arms = append(arms, b)
				for _, r := range run.Rows {
					if r.Arm != a.ID {
						continue
					}
					r.Arm = b.ID
					if i > 0 { // another arm has other figures
						r.Rounds = slices.Clone(r.Rounds)
						for j := range r.Rounds {
							r.Rounds[j].Verify *= 2
							if x := &r.Rounds[j]; x.Judged > x.Accepted {
								x.Killed = 1
							}
						}
						r.Rounds[0].Judged = r.Rounds[0].Drafted
					}
					rows = append(rows, r)
				}
			}
		}
		run.Header.Arms, run.Rows = arms, rows
		out[name] = run
	}
	vary("constraints", func(a results.Arm) []results.Arm {
		b := a
		b.Constraint = "person.schema.json"
		return []results.Arm{a, b}
	})
	vary("verifiers", func(a results.Arm) []results.Arm {
		b := a
		b.Verifier = "match"
		return []results.Arm{a, b}
	})
	vary("long names", func(a results.Arm) []results.Arm {
		if !a.Control() {
			a.Drafter = "model:SmolLM2-135M-Instruct-draft-" + a.Drafter + "-of-many-words and some more of them"
		}
		b := a
		b.Verifier, b.Temperature, b.Constraint = "match", 0, "a-schema-with-a-very-long-name-indeed.json"
		return []results.Arm{a, b}
	})
	vary("K to 16", func(a results.Arm) []results.Arm {
		var all []results.Arm
		for _, k := range []int{a.K, a.K * 2, min(a.K, 1) * 16, min(a.K, 1) * 15, min(a.K, 1) * 14} {
			a.K = k
			all = append(all, a)
		}
		return all
	})
	for _, run := range out {
		run.Header.Models = []results.ModelInfo{{Ref: "mlx:SmolLM2-135M-Instruct"}}
		run.Header.Host = results.Host{CPU: "A Processor of Some Vendor 9000 with Many Words in Its Name @ 2.40GHz", Cores: 2}
		run.Header.Config = []byte(`{"max_tokens": 64}`)
	}
	return out
}

// Every point that a picture has is its arm's figure, and every figure of every arm is a
// point of the picture that shows it: no arm is left out, and no two are joined.
func TestPicturesAreTheirData(t *testing.T) {
	for name, run := range axes() {
		t.Run(name, func(t *testing.T) {
			s := results.Summarise(run)
			var out bytes.Buffer
			if err := writeCSV(&out, []chart{acceptance(s), tokensPerRound(s), speedup(s)}); err != nil {
				t.Fatal(err)
			}
			got := map[string]string{} // picture, panel, line and x -> value, low, high
			rows, err := csv.NewReader(&out).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range rows[1:] {
				key := strings.Join(r[:4], "|")
				if other, ok := got[key]; ok {
					t.Errorf("two points stand at %s: %s and %v", key, other, r[4:7])
				}
				got[key] = strings.Join(r[4:7], "|")
			}
			for key, want := range wanted(s) {
				if got[key] != want {
					t.Errorf("%s is %q, want %q", key, got[key], want)
				}
				delete(got, key)
			}
			for key, value := range got {
				t.Errorf("%s, %s, is no arm's", key, value)
			}
		})
	}
}

// wanted are the points that the pictures of a summary should have, found arm by arm.
func wanted(s results.Summary) map[string]string {
	want := map[string]string{}
	put := func(picture, panel, line string, x int, e stat.Interval) {
		if math.IsNaN(e.Value) || math.IsInf(e.Value, 0) {
			return
		}
		bare := func(v float64) string {
			if math.IsNaN(v) {
				return ""
			}
			return strconv.FormatFloat(v, 'g', -1, 64)
		}
		want[fmt.Sprintf("%s|%s|%s|%d", picture, panel, line, x)] = bare(e.Value) + "|" + bare(e.Low) + "|" + bare(e.High)
	}
	value := func(v float64) stat.Interval {
		return stat.Alone(v, 0)
	}
	for _, a := range s.Arms {
		if a.Arm.Control() {
			continue
		}
		label := s.Names.Series(a.Arm.Series())
		put("speedup", label, "measured (hollow: the interval holds 1)", a.Arm.K, a.Speedup)
		put("speedup", label, "expected, costs as measured", a.Arm.K, value(a.Expected))
		put("speedup", label, "Leviathan's, a verify costs one step", a.Arm.K, value(a.Leviathan))
		rest := a.Arm.Series()
		rest.Drafter = ""
		panel := s.Names.Series(rest)
		if panel == "" {
			panel = s.Names.Common
		}
		put("tokens-per-round", panel, a.Arm.Drafter, a.Arm.K, a.PerRound)
		longest := true
		for _, b := range s.Arms {
			longest = longest && (b.Arm.Series() != a.Arm.Series() || b.Arm.K <= a.Arm.K)
		}
		if !longest {
			continue
		}
		for _, d := range a.Domains {
			for _, p := range d.Positions {
				put("acceptance", fmt.Sprintf("%s, K = %d", label, a.Arm.K), d.Domain, p.Index, p.Estimate)
			}
		}
	}
	return want
}

// A speed-up that the interval does not tell from 1 is marked, and no other is.
func TestDoubtfulPointsAreHollow(t *testing.T) {
	s := results.Summarise(sample(6, 0))
	i := slices.IndexFunc(s.Arms, func(a results.ArmSummary) bool { return !a.Arm.Control() })
	s.Arms[i].Speedup = stat.Interval{Value: 1.07, Low: .98, High: 1.17, N: 6}
	for _, p := range speedup(s).panels {
		for _, l := range p.lines {
			for _, at := range l.points {
				if want := strings.HasPrefix(l.name, "measured") && at.e.Low <= 1 && 1 <= at.e.High; at.doubtful != want {
					t.Errorf("%s, %s at %v: doubtful %v, want %v", p.title, l.name, at.x, at.doubtful, want)
				}
			}
		}
	}
}

// box is where a text stands.
type box struct {
	text                     string
	left, bottom, right, top vg.Length
}

func (b box) meets(o box) bool {
	const slack = vg.Length(.5)
	return b.left < o.right-slack && o.left < b.right-slack && b.bottom < o.top-slack && o.bottom < b.top-slack
}

// texts are the boxes of all that a figure writes, found by recording what it draws.
func texts(t *testing.T, f figure) []box {
	t.Helper()
	var c recorder.Canvas
	if err := f.draw(draw.NewCanvas(&c, f.width, f.height)); err != nil {
		t.Fatal(err)
	}
	type frame struct {
		dx, dy vg.Length
		turned bool
	}
	at := frame{}
	var stack []frame
	var out []box
	for _, action := range c.Actions {
		switch a := action.(type) {
		case *recorder.Push:
			stack = append(stack, at)
		case *recorder.Pop:
			at, stack = stack[len(stack)-1], stack[:len(stack)-1]
		case *recorder.Translate:
			at.dx, at.dy = at.dx+a.Point.X, at.dy+a.Point.Y
		case *recorder.Rotate:
			at.turned = math.Abs(a.Angle) > 1
		case *recorder.FillString:
			if strings.TrimSpace(a.String) == "" {
				continue
			}
			face := style(1, ink).Handler.Cache().Lookup(a.Font, a.Size)
			w, e := face.Width(a.String), face.Extents()
			b := box{a.String, at.dx + a.Point.X, at.dy + a.Point.Y - e.Descent, at.dx + a.Point.X + w, at.dy + a.Point.Y + e.Ascent*.8}
			if at.turned { // by a quarter to the left: x goes up
				b.left, b.right = at.dx-a.Point.Y-e.Ascent*.8, at.dx-a.Point.Y+e.Descent
				b.bottom, b.top = at.dy+a.Point.X, at.dy+a.Point.X+w
			}
			out = append(out, b)
		}
	}
	return out
}

// No text of any picture leaves its frame or lies over another, whatever the axes of the
// config and however long the names.
func TestTextsFit(t *testing.T) {
	for name, run := range axes() {
		s := results.Summarise(run)
		figures := []figure{acceptance(s).figure(), tokensPerRound(s).figure(), speedup(s).figure()}
		if f, ok := parity(s); ok {
			figures = append(figures, f)
		}
		for _, f := range figures {
			all := texts(t, f)
			if len(all) < 8 {
				t.Errorf("%s: %s has %d texts", name, f.name, len(all))
			}
			for i, b := range all {
				if b.left < 0 || b.bottom < 0 || b.right > f.width || b.top > f.height {
					t.Errorf("%s: %s: %q leaves the frame of %.0f by %.0f: %+v", name, f.name, b.text, f.width, f.height, b)
				}
				for _, o := range all[:i] {
					if b.meets(o) {
						t.Errorf("%s: %s: %q lies over %q", name, f.name, b.text, o.text)
					}
				}
			}
		}
	}
}
