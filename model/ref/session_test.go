package ref

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"foretoken/model"
	"foretoken/model/checkpoint"
)

func small(t *testing.T, with func(*checkpoint.Config)) *Model {
	t.Helper()
	m, err := build(random(tiny(with), 3), how{k: fastest(), pool: cores()})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A call that fails says what was wrong and changes nothing.
func TestBadCalls(t *testing.T) {
	m := small(t, func(c *checkpoint.Config) { c.Context = 20 })
	s, other := m.session(), m.session()
	tokens := ids(rand.New(rand.NewPCG(3, 3)), 12, 600)
	rows(t, s, tokens[:9], 1)
	rows(t, other, tokens[:9], 1)
	for want, call := range map[string]func() error{
		"12 tokens after 9: want at most 20":    func() error { _, err := s.Forward(tokens, 1); return err },
		"id 600: want 0 to 599":                 func() error { _, err := s.Forward([]model.Token{1, 600}, 1); return err },
		"id -1":                                 func() error { _, err := s.Forward([]model.Token{-1}, 1); return err },
		"3 rows of 2 tokens":                    func() error { _, err := s.Forward(tokens[:2], 3); return err },
		"-1 rows":                               func() error { _, err := s.Forward(tokens[:2], -1); return err },
		"trim to 10: want 0 to 9":               func() error { return s.Trim(10) },
		"trim to -1":                            func() error { return s.Trim(-1) },
		"first 4 layers: want 1 to 3":           func() error { _, err := m.FirstLayers(4); return err },
		"first 0 layers":                        func() error { _, err := m.FirstLayers(0); return err },
		"taps after [2 2] layers":               func() error { _, err := m.NewTappedSession([]int{2, 2}); return err },
		"taps after [4] layers":                 func() error { _, err := m.NewTappedSession([]int{4}); return err },
		"row 1 of the logits: want 0 to 0":      func() error { return s.out.Read(1, make([]float32, 600)) },
		"599 floats for a row of the logits":    func() error { return s.out.Read(0, make([]float32, 599)) },
		"states [3, 10): want positions 0 to 9": func() error { _, err := tapped{s}.Hidden(3, 10); return err },
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q", err, want)
		}
	}
	var full *model.ContextError
	if _, err := s.Forward(tokens, 1); !errors.As(err, &full) || *full != (model.ContextError{Cached: 9, Added: 12, Context: 20}) {
		t.Errorf("%v is no ContextError", err)
	}
	if err := s.Trim(10); !errors.Is(err, model.ErrTrim) {
		t.Errorf("%v is no ErrTrim", err)
	}
	if s.Len() != 9 || !slices.EqualFunc(rows(t, s, tokens[9:], 3), rows(t, other, tokens[9:], 3), slices.Equal[[]float32]) {
		t.Error("a failed call changed the cache")
	}
}

func TestClosed(t *testing.T) {
	s := small(t, func(*checkpoint.Config) {}).session()
	rows(t, s, []model.Token{1, 2}, 1)
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := s.Forward([]model.Token{1}, 1); err == nil {
		t.Error("a closed session went forward")
	}
	if err := s.Trim(0); err == nil {
		t.Error("a closed session was trimmed")
	}
}

func TestBadTensors(t *testing.T) {
	ck := random(tiny(func(*checkpoint.Config) {}), 3)
	x := ck.Tensors["model.layers.1.mlp.up_proj.weight"]
	x.Shape = []int{48, 80}
	for want, tensor := range map[string]checkpoint.Tensor{
		"no tensor model.layers.1.mlp.up_proj.weight: want one of shape [80 48]":   {Name: "gone"},
		"tensor model.layers.1.mlp.up_proj.weight has shape [48 80]: want [80 48]": x,
	} {
		delete(ck.Tensors, x.Name)
		if tensor.Name == x.Name {
			ck.Tensors[x.Name] = tensor
		}
		if _, err := New(ck); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q", err, want)
		}
	}
}

// Sessions of one model, at once: each is as if alone.
func TestConcurrentSessions(t *testing.T) {
	m := small(t, func(*checkpoint.Config) {})
	var wg sync.WaitGroup
	for seed := range uint64(4) {
		wg.Go(func() {
			tokens := ids(rand.New(rand.NewPCG(seed, 3)), 60, 600)
			want := rows(t, m.session(), tokens, 60)
			s := m.session()
			for i, token := range tokens {
				if got := rows(t, s, []model.Token{token}, 1); !slices.Equal(got[0], want[i]) {
					t.Errorf("sequence %d, position %d: not the same logits", seed, i)
					return
				}
			}
		})
	}
	wg.Wait()
}

// Decoding, drafting and rolling back allocate nothing once the buffers are there.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	s := small(t, func(*checkpoint.Config) {}).session()
	rows(t, s, make([]model.Token, 60), 9)
	draft := make([]model.Token, 9)
	if n := testing.AllocsPerRun(20, func() {
		l, err := s.Forward(draft, 9)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Argmaxes(); err != nil {
			t.Fatal(err)
		}
		if err := s.Trim(s.Len() - 8); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations a round", n)
	}
}

func TestInfo(t *testing.T) {
	m := small(t, func(c *checkpoint.Config) {
		c.Hidden, c.Intermediate, c.HeadDim, c.Heads, c.TiedHead = 64, 96, 16, 4, true
	})
	layer, rest := 64*64*2+2*32*64+3*64*96+2*64, 600*64+64
	first, err := m.WithReal(599).FirstLayers(1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ got, want model.Info }{
		{m.Info(), model.Info{Name: "tiny", Vocab: 600, Real: 600, Layers: 3, Context: 150, Parameters: int64(3*layer + rest), WeightBytes: int64(4 * (3*(layer-128) + rest - 64))}},
		{first.Info(), model.Info{Name: "tiny[:1]", Vocab: 600, Real: 599, Layers: 1, Context: 150, Parameters: int64(layer + rest), WeightBytes: int64(4 * (layer - 128 + rest - 64))}},
	} {
		if c.got != c.want {
			t.Errorf("%+v, want %+v", c.got, c.want)
		}
	}
}
