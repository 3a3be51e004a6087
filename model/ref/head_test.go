package ref

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/modeltest"
)

// However pairs are divided over calls, and whatever was fed back and forgotten in
// between, logits are the same to the bit. States kept by mistake are seen.
func TestHeadSplits(t *testing.T) {
	eachPair(t, func(t *testing.T, p pair) {
		r := rand.New(rand.NewPCG(2, 2))
		tokens := ids(r, 2*block+9, p.m.config.Vocab)
		want := p.seek(t, tokens, 0, 1)
		for _, some := range []int{2, 5, block - 1, block, len(tokens)} {
			if err := p.head.Trim(0); err != nil {
				t.Fatal(err)
			}
			if got := p.seek(t, tokens, 0, some); !slices.EqualFunc(got, want, slices.Equal[[]float32]) {
				t.Fatalf("%d at a time: not the same logits", some)
			}
		}
		for _, forget := range []bool{true, false} {
			if err := p.head.Trim(0); err != nil {
				t.Fatal(err)
			}
			same := true
			for n := 2; n < len(tokens); {
				n += 1 + r.IntN(4)
				n = min(n, len(tokens))
				from := p.head.Len()
				if n-1 <= from {
					continue
				}
				for i, row := range p.seek(t, tokens[:n], from, n) {
					same = same && slices.Equal(row, want[from+i])
				}
				for range r.IntN(4) {
					p.feed(t, model.Token(r.IntN(p.m.config.Vocab)))
				}
				if forget {
					if err := p.head.Trim(n - 1); err != nil {
						t.Fatal(err)
					}
				}
			}
			if same != forget {
				t.Errorf("fed-back states forgotten %v, logits the same %v", forget, same)
			}
		}
	})
}

// A target's session that keeps states is a session like any other.
func TestHeadTargetConforms(t *testing.T) {
	p := newPair(t, targets["llama"], shipped())
	if err := modeltest.Conform(headTarget{p.m, p.h}, 3); err != nil {
		t.Error(err)
	}
}

type headTarget struct {
	*Model
	h *Head
}

func (m headTarget) NewSession() (model.Session, error) { return m.h.NewTarget(m.Model) }

// The context is the target's.
func TestHeadContext(t *testing.T) {
	p := newPair(t, tiny(func(c *checkpoint.Config) { c.Hidden, c.Vocab, c.Context = 64, 90, 10 }), shipped())
	p.seek(t, ids(rand.New(rand.NewPCG(4, 4)), 11, 90), 0, 20)
	states, _ := p.head.Hidden(9, 10)
	var full *model.ContextError
	if _, err := p.head.ForwardStates(states, []model.Token{1}, 1); !errors.As(err, &full) || *full != (model.ContextError{Cached: 10, Added: 1, Context: 10}) || p.h.Info().Context != 10 {
		t.Errorf("%v, context %d", err, p.h.Info().Context)
	}
}

// Drafting, feeding back and rolling back allocate nothing once the buffers are
// there.
func TestHeadSteadyStateAllocatesNothing(t *testing.T) {
	p := newPair(t, targets["llama"], shipped())
	tokens := ids(rand.New(rand.NewPCG(5, 5)), 20, 90)
	p.seek(t, tokens, 0, 20)
	states, _ := p.target.(model.HiddenTap).Hidden(16, 19)
	own, _ := p.head.Hidden(18, 19)
	row := make([]float32, 90)
	step := func(s model.States, tokens []model.Token) {
		l, err := p.head.ForwardStates(s, tokens, 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Argmaxes(); err != nil {
			t.Fatal(err)
		}
		if err := l.Read(0, row); err != nil {
			t.Fatal(err)
		}
	}
	if n := testing.AllocsPerRun(20, func() {
		if err := p.head.Trim(16); err != nil {
			t.Fatal(err)
		}
		step(states, tokens[17:])
		step(own, tokens[:1])
		step(own, tokens[1:2])
	}); n != 0 {
		t.Errorf("%v allocations a round", n)
	}
}

func TestHeadInfo(t *testing.T) {
	p := newPair(t, targets["llama"], how{floats: true, k: fastest(), pool: cores()})
	p.h.target = p.m.WithReal(85)
	products := 64*3*64 + (6+2*2)*8*2*64 + 64*48 + 3*64*80 + 30*64
	want := model.Info{Name: "random-head", Vocab: 90, Real: 85, Layers: 1, Context: 150, Parameters: int64(products + 4*64)}
	got := p.h.Info()
	if got.WeightBytes < int64(4*products) || got.WeightBytes > int64(5*products) {
		t.Errorf("%d bytes a step, want %d and padding", got.WeightBytes, 4*products)
	}
	if got.WeightBytes = 0; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
