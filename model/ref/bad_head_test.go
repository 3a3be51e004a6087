package ref

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/modeltest"
)

// What does not fit is refused, and the message says what was wanted.
func TestBadHeads(t *testing.T) {
	c := targets["llama"]
	target := func(with func(*checkpoint.Config)) *Model {
		of := c
		with(&of)
		m, err := build(random(of, 3), how{k: fastest(), pool: cores()})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	m := target(func(*checkpoint.Config) {})
	first, _ := m.FirstLayers(2)
	small := tiny(func(*checkpoint.Config) {})
	other, _ := build(random(small, 3), how{k: fastest(), pool: cores()})
	h, err := NewHead(headFile(t, c, []int{1, 3}), m)
	if err != nil {
		t.Fatal(err)
	}
	open := func(m model.Model) error { _, err := NewHead(headFile(t, c, []int{1, 3}), m); return err }
	on := func(m model.Model) error { _, err := h.NewTarget(m); return err }
	for want, err := range map[string]error{
		"hidden size 64: want 32, that of tiny":                            open(target(func(c *checkpoint.Config) { c.Hidden = 32 })),
		"for a vocabulary of 90: want 91, that of tiny":                    open(target(func(c *checkpoint.Config) { c.Vocab = 91 })),
		"states after [1 3] layers: want at most 2, the layers of tiny":    open(target(func(c *checkpoint.Config) { c.Layers = 2 })),
		"its target is a modeltest.Hash: want a model of this backend":     open(modeltest.Hash{Vocab: 90}),
		"hidden size 48: want a multiple of 32":                            func() error { _, err := NewHead(headFile(t, small, []int{1}), other); return err }(),
		"target is a modeltest.Markov: want a model of this backend":       on(modeltest.Markov{}),
		"was opened for tiny: want no other target, and this is tiny":      on(target(func(*checkpoint.Config) {})),
		"tiny[:2]: taps after [1 3] layers: want ascending counts, 0 to 2": on(first),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q", err, want)
		}
	}
	if err := on(m.WithReal(80)); err != nil {
		t.Errorf("the same weights are refused: %v", err)
	}
}

// A call that fails says what was wrong and changes nothing.
func TestBadHeadCalls(t *testing.T) {
	p := newPair(t, targets["llama"], shipped())
	tokens := ids(rand.New(rand.NewPCG(3, 3)), 12, 90)
	want := p.seek(t, tokens, 0, 12)
	if err := p.head.Trim(6); err != nil {
		t.Fatal(err)
	}
	states, _ := p.target.(model.HiddenTap).Hidden(6, 9)
	narrow, _ := p.m.NewTappedSession([]int{1, 2})
	rows(t, narrow.(tapped).session, tokens[:3], 1)
	two, _ := narrow.(model.HiddenTap).Hidden(0, 3)
	l, _ := p.head.ForwardStates(states, tokens[7:10], 1)
	if err := p.head.Trim(6); err != nil {
		t.Fatal(err)
	}
	forward := func(s model.States, tokens []model.Token, rows int) error {
		_, err := p.head.ForwardStates(s, tokens, rows)
		return err
	}
	for want, err := range map[string]error{
		"3 states for 2 tokens: want one each":       forward(states, tokens[:2], 1),
		"states are ref.alien: want those of this":   forward(alien{}, tokens[:2], 1),
		"states of 2 layers, 64 floats each: want 3": forward(two, tokens[:3], 1),
		"4 rows of 3 tokens":                         forward(states, tokens[:3], 4),
		"token 1 of 3 is id 90: want 0 to 89":        forward(states, []model.Token{1, 90, 1}, 1),
		"trim to 7: want 0 to 6":                     p.head.Trim(7),
		"states [3, 7): want positions 0 to 6":       func() error { _, err := p.head.Hidden(3, 7); return err }(),
		"row 1 of the logits: want 0 to 0":           l.Read(1, make([]float32, 90)),
		"30 floats for a row of the logits: want 90": l.Read(0, make([]float32, 30)),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q", err, want)
		}
	}
	if got := p.seek(t, tokens, 6, 3); p.head.Len() != 11 || !slices.EqualFunc(got, want[6:], slices.Equal[[]float32]) {
		t.Error("a failed call changed the cache")
	}
	if err := errors.Join(p.head.Close(), p.head.Close()); err != nil {
		t.Error(err)
	}
	if err := forward(states, tokens[:3], 1); err == nil {
		t.Error("a closed session went forward")
	}
}

type alien struct{}

func (alien) Len() int { return 2 }
