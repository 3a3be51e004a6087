//go:build models

package ref

import (
	"bufio"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/modeltest"
	"foretoken/model/tokenizer"
)

// smolLM2 loads SmolLM2-135M-Instruct, and its tokenizer.
func smolLM2(t testing.TB, how how) (*Model, *tokenizer.Tokenizer) {
	t.Helper()
	ck, err := checkpoint.Open(modeltest.SmolLM2(t))
	if err != nil {
		t.Fatal(err)
	}
	defer ck.Close()
	m, err := build(ck, how)
	if err != nil {
		t.Fatal(err)
	}
	tok, err := tokenizer.FromGGUF(ck.GGUF)
	if err != nil {
		t.Fatal(err)
	}
	return m, tok
}

// texts are 80 that nothing here was fitted to: passages to summarise, and functions to
// complete.
func texts(t testing.TB) (all []string) {
	t.Helper()
	for file, n := range map[string]int{filepath.Join("..", "..", "experiments", "prompts", "summarise.jsonl"): 26, filepath.Join(modeltest.Real(t), "prompts", "humaneval.jsonl"): 54} {
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		s := bufio.NewScanner(f)
		s.Buffer(nil, 1<<20)
		for ; n > 0 && s.Scan(); n-- {
			var p struct {
				Prompt   string
				Messages []struct{ Content string }
			}
			if err := json.Unmarshal(s.Bytes(), &p); err != nil {
				t.Fatal(err)
			}
			for _, m := range p.Messages {
				p.Prompt += m.Content
			}
			all = append(all, p.Prompt)
		}
	}
	if len(all) != 80 {
		t.Fatalf("%d texts, want 80", len(all))
	}
	return all
}

// logSum is the logarithm of the sum of a row's exponentials.
func logSum(row []float32) float64 {
	top, sum := slices.Max(row), 0.0
	for _, x := range row {
		sum += math.Exp(float64(x - top))
	}
	return math.Log(sum) + float64(top)
}

// Vectors rounded to int8 choose as the oracle does wherever that is not a matter of
// the rounding. On these texts they cost .41 % of perplexity.
func TestPackedIsNearOracle(t *testing.T) {
	oracle, tok := smolLM2(t, how{floats: true, k: fastest(), pool: cores()})
	packed, _ := smolLM2(t, shipped())
	var n, same, clear, wrong int
	var ours, exact, worst, divergence float64
	for _, text := range texts(t) {
		tokens := tok.Prompt(text)
		want, got := rows(t, oracle.session(), tokens, len(tokens)), rows(t, packed.session(), tokens, len(tokens))
		for i, next := range tokens[1:] {
			p, q := logSum(want[i]), logSum(got[i])
			exact, ours = exact+p-float64(want[i][next]), ours+q-float64(got[i][next])
			differs := 0.0
			for j, x := range want[i] {
				d := float64(x) - float64(got[i][j])
				differs = max(differs, math.Abs(d))
				divergence += math.Exp(float64(x)-p) * (d - p + q)
			}
			worst = max(worst, differs)
			best, margin := topTwo(want[i])
			if best == fastest().best(got[i]) {
				same++
			} else if margin > differs {
				wrong++
			}
			if margin > differs {
				clear++
			}
			n++
		}
	}
	ratio := math.Exp((ours - exact) / float64(n))
	t.Logf("%d rows: %d the same choice, %d with a margin above the row's largest difference, of them %d another choice; largest difference %.2g; perplexity %.4f, %.5f times the oracle's; divergence from it %.5f a token",
		n, same, clear, wrong, worst, math.Exp(ours/float64(n)), ratio, divergence/float64(n))
	if wrong > 0 || clear < n/2 {
		t.Errorf("%d of %d clear rows choose another token, want none of at least %d", wrong, clear, n/2)
	}
	if !(ratio < 1.005 && ratio > .995) {
		t.Errorf("perplexity is %.5f times the oracle's, want within .005 of 1", ratio)
	}
	if !(divergence < .005*float64(n)) {
		t.Errorf("Kullback-Leibler divergence from the oracle is %.5f a token, want below .005", divergence/float64(n))
	}
}

func topTwo(row []float32) (best int, margin float64) {
	best = fastest().best(row)
	second := math.Inf(-1)
	for i, x := range row {
		if i != best {
			second = max(second, float64(x))
		}
	}
	return best, float64(row[best]) - second
}

// On real weights too, every path gives the same bits.
func TestPackedPathsOnSmolLM2(t *testing.T) {
	tokens := ids(rand.New(rand.NewPCG(8, 8)), 60, 49152)
	var want [][]float32
	for _, k := range sets() {
		m, _ := smolLM2(t, how{k: k, pool: cores()})
		got := rows(t, m.session(), tokens, len(tokens))
		if want == nil {
			want = got
		}
		if !slices.EqualFunc(got, want, slices.Equal[[]float32]) {
			t.Errorf("%s with blocks on %s: not the logits of %s", k.name, k.blocks.name, plain.name)
		}
	}
}

// Every path goes on with texts by the same tokens: what the fastest decodes one by one,
// the others read at once, and have the same bits at every row.
func TestPackedPathsOnTexts(t *testing.T) {
	const every, more = 16, 24 // of 80 texts; tokens decoded
	fast, tok := smolLM2(t, shipped())
	others := map[string]*Model{}
	for _, k := range sets() {
		if k != fastest() {
			others[k.blocks.name], _ = smolLM2(t, how{k: k, pool: cores()})
		}
	}
	all := texts(t)
	slices.Sort(all)
	for i := 0; i < len(all); i += every {
		tokens, s := tok.Prompt(all[i]), fast.session()
		want := rows(t, s, tokens, len(tokens))
		for range more {
			next := model.Token(fastest().best(want[len(want)-1]))
			tokens = append(tokens, next)
			want = append(want, rows(t, s, []model.Token{next}, 1)...)
		}
		for name, m := range others {
			if !slices.EqualFunc(rows(t, m.session(), tokens, len(tokens)), want, slices.Equal[[]float32]) {
				t.Errorf("blocks on %s: not the logits of %s, on %q", name, fastest().blocks.name, all[i])
			}
		}
	}
}
