//go:build mlx

package llama_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"foretoken/draft"
	"foretoken/mlx/llama"
	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/ref"
	"foretoken/sampler"
	"foretoken/spec"
)

// A head on the device gives model/ref's logits: from the target's states at any
// division into calls, from its own, and after rollbacks of both.
func TestHeadAgreesWithRef(t *testing.T) {
	for name, d := range map[string]checkpoint.DType{"llama": checkpoint.F32, "qwen3": checkpoint.F32, "mistral": checkpoint.BF16} {
		c := families[name]
		ck, file := write(t, c, d), headFile(t, c, []int{0, 1, 2})
		m := loaded(t, ck)
		oracle, err := ref.NewFloat32(ck)
		if err != nil {
			t.Fatal(err)
		}
		h, err1 := llama.NewHead(file, m)
		of, err2 := ref.NewHead(file, oracle)
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		got, want := pairOf(t, h, m), pairOf(t, of, oracle)
		tokens, other := ids(1, 40, 64), ids(2, 9, 64)
		compare := func(what string, f func(p pair) [][]float32) {
			t.Helper()
			a, b := f(got), f(want)
			if x := apart(words(a), words(b)); len(words(a)[0]) != 21 || !(x <= 2*tolerance[d]) {
				t.Errorf("%s: %s: a logit is off by %.2g of the largest", name, what, x)
			}
		}
		for _, some := range []int{1, 4, 40} {
			compare("states of the target", func(p pair) [][]float32 {
				if err := errors.Join(p.head.Trim(0), p.target.Trim(0)); err != nil {
					t.Fatal(err)
				}
				return p.seek(t, tokens, 0, some)
			})
			compare("fed back", func(p pair) (out [][]float32) {
				for _, token := range other {
					out = append(out, p.feed(t, token))
				}
				return out
			})
			compare("after a rollback", func(p pair) [][]float32 {
				if err := errors.Join(p.head.Trim(20), p.target.Trim(21)); err != nil {
					t.Fatal(err)
				}
				return p.seek(t, append(slices.Clone(tokens[:21]), other...), 20, some)
			})
		}
	}
}

// A head's drafts keep greedy text as it is, and read four bytes a row and a draft.
func TestEagleDecodes(t *testing.T) {
	c := families["llama"]
	m := loaded(t, write(t, c, checkpoint.F32))
	handles := engine(t).Handles()
	h, err := llama.NewHead(headFile(t, c, []int{0, 1, 2}), m)
	if err != nil {
		t.Fatal(err)
	}
	own := engine(t).Handles() - handles
	request := spec.Request{Prompt: ids(2, 9, 64), MaxTokens: 90, Sampler: sampler.NewConfig(0), Seed: 1}
	plain, err := spec.Generate(t.Context(), spec.Setup{Target: m}, request)
	if err != nil {
		t.Fatal(err)
	}
	request.K = 3
	got, err := spec.Generate(t.Context(), spec.Setup{Target: m, Drafter: &draft.Eagle{Head: draft.HeadRef{Head: h}}}, request)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Tokens, plain.Tokens) {
		t.Errorf("with a head %v, want %v", got.Tokens, plain.Tokens)
	}
	for i, r := range got.Rounds {
		if r.Read != int64(4*(r.Drafted+1)) {
			t.Errorf("round %d of %d drafts read %d bytes of the target", i, r.Drafted, r.Read)
		}
	}
	if n := engine(t).Handles(); n != handles+own {
		t.Errorf("%d handles are left, want %d", n, handles+own)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if n := engine(t).Handles(); n >= handles {
		t.Errorf("%d handles after the target and its head were closed, %d with the target", n, handles)
	}
}

// What does not fit is refused, and leaves no handle.
func TestHeadRefused(t *testing.T) {
	c := families["llama"]
	m, other := loaded(t, write(t, c, checkpoint.F32)), loaded(t, write(t, c, checkpoint.F32))
	handles := engine(t).Handles()
	wide, tall := c, c
	wide.Hidden, tall.Vocab = 48, 65
	for want, file := range map[string]*checkpoint.Head{
		"hidden size 48: want 32":                   headFile(t, wide, []int{0, 1, 2}),
		"for a vocabulary of 65: want 64":           headFile(t, tall, []int{0, 1, 2}),
		"states after [0 3] layers: want at most 2": headFile(t, c, []int{0, 3}),
	} {
		if _, err := llama.NewHead(file, m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q", err, want)
		}
	}
	if n := engine(t).Handles(); n != handles {
		t.Errorf("%d handles are left, want %d", n, handles)
	}
	h, err := llama.NewHead(headFile(t, c, []int{0, 2}), m)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.NewTarget(other); err == nil || !strings.Contains(err.Error(), "want no other target") {
		t.Error(err)
	}
	short, err := m.FirstLayers(1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.NewTarget(short); err == nil || !strings.Contains(err.Error(), "taps after [0 2] layers") {
		t.Error(err)
	}
	p := pairOf(t, h, m)
	p.seek(t, ids(1, 6, 64), 0, 9)
	tap := p.target.(model.HiddenTap)
	states, err := tap.Hidden(2, 5)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.target.Trim(3); err != nil {
		t.Fatal(err)
	}
	for want, call := range map[string]func() error{
		"states [2, 5) of a session of 3 positions": func() error { _, err := p.head.ForwardStates(states, ids(1, 3, 64), 1); return err },
		"3 states for 2 tokens":                     func() error { _, err := p.head.ForwardStates(states, ids(1, 2, 64), 1); return err },
		"states [0, 4): want positions 0 to 3":      func() error { _, err := tap.Hidden(0, 4); return err },
		"want those of this backend":                func() error { _, err := p.head.ForwardStates(none(1), ids(1, 1, 64), 1); return err },
		"id 64: want 0 to 63": func() error {
			s, _ := tap.Hidden(0, 1)
			_, err := p.head.ForwardStates(s, []model.Token{64}, 1)
			return err
		},
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q", err, want)
		}
	}
}

// none are states of another backend.
type none int

func (n none) Len() int { return int(n) }
