package ref

import (
	"errors"
	"slices"
	"testing"
	"testing/fstest"

	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

// targets are sizes that a head can have: rows of whole lines, and its heads any.
var targets = map[string]checkpoint.Config{
	"llama":      tiny(func(c *checkpoint.Config) { c.Hidden, c.Vocab = 64, 90 }),
	"tied":       tiny(func(c *checkpoint.Config) { c.Hidden, c.Vocab, c.TiedHead = 32, 90, true }),
	"odd heads":  tiny(func(c *checkpoint.Config) { c.Hidden, c.Vocab, c.HeadDim, c.KVHeads = 96, 90, 6, 3 }),
	"wide heads": tiny(func(c *checkpoint.Config) { c.Hidden, c.Vocab, c.HeadDim, c.Heads = 64, 91, 72, 2 }),
}

// headFile is a random head for a target of a config, as read from its files.
func headFile(t *testing.T, c checkpoint.Config, taps []int) *checkpoint.Head {
	t.Helper()
	files := fstest.MapFS{}
	for name, b := range checkpointtest.NewHead(c, taps, 7).Files(checkpoint.Q8_0) {
		files[name] = &fstest.MapFile{Data: b}
	}
	h, err := checkpoint.OpenHeadFS(files, "random-head")
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// A pair is a head and its target, a session of each, and what they were made of.
type pair struct {
	ck     *checkpoint.Checkpoint
	file   *checkpoint.Head
	m      *Model
	h      *Head
	target model.Session
	head   model.HeadSession
}

func newPair(t *testing.T, c checkpoint.Config, how how) pair {
	t.Helper()
	p := pair{ck: random(c, 11), file: headFile(t, c, []int{0, 1, 3})}
	var err, err2, err3 error
	p.m, err = build(p.ck, how)
	if err != nil {
		t.Fatal(err)
	}
	p.h, err = NewHead(p.file, p.m)
	if err != nil {
		t.Fatal(err)
	}
	p.target, err2 = p.h.NewTarget(p.m)
	p.head, err3 = p.h.NewSession()
	if err := errors.Join(err2, err3); err != nil {
		t.Fatal(err)
	}
	return p
}

// eachPair runs f on heads that are kept as they are, in int8, and in float32.
func eachPair(t *testing.T, f func(t *testing.T, p pair)) {
	for name, c := range targets {
		for _, k := range paths() {
			t.Run(name+"/"+k.name, func(t *testing.T) { f(t, newPair(t, c, how{k: k, pool: cores()})) })
			t.Run(name+"/"+k.name+"/float32", func(t *testing.T) { f(t, newPair(t, c, how{floats: true, k: k, pool: cores()})) })
		}
	}
}

// rounding is how far a pair's logits may be from those of float64: in blocks of
// int8, as far as their vectors are rounded.
func (p pair) rounding() float64 {
	if p.m.how.floats {
		return tolerance
	}
	return .05
}

// seek forwards tokens through the target, and pairs [from, len(tokens)-1) of
// them through the head, some at a time.
func (p pair) seek(t *testing.T, tokens []model.Token, from, some int) (out [][]float32) {
	t.Helper()
	if n := p.target.Len(); n < len(tokens)-1 {
		if _, err := p.target.Forward(tokens[n:len(tokens)-1], 0); err != nil {
			t.Fatal(err)
		}
	}
	for ; from < len(tokens)-1; from += some {
		to := min(from+some, len(tokens)-1)
		states, err := p.target.(model.HiddenTap).Hidden(from, to)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, p.forward(t, states, tokens[from+1:to+1], to-from)...)
	}
	return out
}

// feed gives the head its own last state.
func (p pair) feed(t *testing.T, token model.Token) []float32 {
	t.Helper()
	states, err := p.head.Hidden(p.head.Len()-1, p.head.Len())
	if err != nil {
		t.Fatal(err)
	}
	return p.forward(t, states, []model.Token{token}, 1)[0]
}

func (p pair) forward(t *testing.T, states model.States, tokens []model.Token, rows int) [][]float32 {
	t.Helper()
	l, err := p.head.ForwardStates(states, tokens, rows)
	if err != nil {
		t.Fatal(err)
	}
	out := make([][]float32, rows)
	best, err := l.Argmaxes()
	if err != nil {
		t.Fatal(err)
	}
	for i := range out {
		out[i] = make([]float32, p.m.config.Vocab)
		if err := l.Read(i, out[i]); err != nil {
			t.Fatal(err)
		}
		if want := model.Token(slices.Index(out[i], slices.Max(out[i]))); best[i] != want {
			t.Fatalf("row %d: best id %d, want %d", i, best[i], want)
		}
	}
	return out
}
