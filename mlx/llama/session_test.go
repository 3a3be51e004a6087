//go:build mlx

package llama_test

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"foretoken/mlx/llama"
	"foretoken/model"
	"foretoken/model/checkpoint"
)

func TestBadCalls(t *testing.T) {
	m := loaded(t, write(t, small("llama", func(c *checkpoint.Config) { c.Context = 20 }), checkpoint.F32))
	s, other := session(t, m), session(t, m)
	tokens := ids(3, 12, 64)
	rows(t, s, tokens[:9], 1, 64)
	rows(t, other, tokens[:9], 1, 64)
	for message, call := range map[string]func() error{
		"12 tokens after 9: want at most 20": func() error { _, err := s.Forward(tokens, 1); return err },
		"id 64: want 0 to 63":                func() error { _, err := s.Forward([]model.Token{1, 64}, 1); return err },
		"id -1":                              func() error { _, err := s.Forward([]model.Token{-1}, 1); return err },
		"3 rows of 2 tokens":                 func() error { _, err := s.Forward(tokens[:2], 3); return err },
		"-1 rows":                            func() error { _, err := s.Forward(tokens[:2], -1); return err },
		"trim to 10: want 0 to 9":            func() error { return s.Trim(10) },
		"trim to -1":                         func() error { return s.Trim(-1) },
		"first 3 layers: want 1 to 2":        func() error { _, err := m.FirstLayers(3); return err },
		"first 0 layers":                     func() error { _, err := m.FirstLayers(0); return err },
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%v: want %q", err, message)
		}
	}
	var full *model.ContextError
	if _, err := s.Forward(tokens, 1); !errors.As(err, &full) || *full != (model.ContextError{Cached: 9, Added: 12, Context: 20}) {
		t.Errorf("%v is no ContextError", err)
	}
	if err := s.Trim(10); !errors.Is(err, model.ErrTrim) {
		t.Errorf("%v is no ErrTrim", err)
	}
	want := rows(t, other, tokens[9:], 3, 64)
	l, err := s.Forward(tokens[9:], 3)
	if err != nil {
		t.Fatal(err)
	}
	row := make([]float32, 64)
	for message, call := range map[string]func() error{
		"row 3 of the logits: want 0 to 2": func() error { return l.Read(3, row) },
		"row -1":                           func() error { _, err := l.(model.MaskedArgmax).MaskedArgmax(-1, nil); return err },
		"63 floats for a row":              func() error { return l.Read(0, row[:63]) },
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%v: want %q", err, message)
		}
	}
	if err := l.Read(2, row); err != nil || !slices.Equal(row, want[2]) {
		t.Errorf("a failed call changed the logits (%v)", err)
	}
}

func TestClosed(t *testing.T) {
	s := session(t, loaded(t, write(t, small("llama", func(*checkpoint.Config) {}), checkpoint.F32)))
	l, err := s.Forward([]model.Token{1, 2}, 1)
	if err != nil {
		t.Fatal(err)
	}
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
	if err := l.Wait(); err == nil {
		t.Error("the logits of a closed session are there")
	}
}

func TestBadTensors(t *testing.T) {
	e := engine(t)
	ck := write(t, small("llama", func(*checkpoint.Config) {}), checkpoint.F32)
	handles := e.Handles()
	name := "model.layers.1.mlp.up_proj.weight"
	x := ck.Tensors[name]
	x.Shape = []int{32, 64}
	for want, there := range map[string]bool{
		"no tensor " + name + ": want one of shape [64 32]":   false,
		"tensor " + name + " has shape [32 64]: want [64 32]": true,
	} {
		if delete(ck.Tensors, name); there {
			ck.Tensors[name] = x
		}
		if _, err := llama.New(e, ck, llama.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: want %q", err, want)
		}
	}
	if e.Handles() != handles {
		t.Errorf("%d handles, %d before the models that could not be made", e.Handles(), handles)
	}
}

// Two models at once, two sessions each: all are as if alone.
func TestConcurrent(t *testing.T) {
	var wg sync.WaitGroup
	for _, name := range []string{"llama", "qwen3"} {
		m := loaded(t, write(t, families[name], checkpoint.F32))
		for seed := range uint64(2) {
			tokens := ids(seed, 40, 64)
			want := [][]float32{}
			for alone := session(t, m); len(want) < len(tokens); {
				want = append(want, rows(t, alone, tokens[len(want):][:1], 1, 64)...)
			}
			s := session(t, m)
			wg.Go(func() {
				row := make([]float32, 64)
				for i := range tokens {
					l, err := s.Forward(tokens[i:i+1], 1)
					if err == nil {
						err = l.Read(0, row)
					}
					if err != nil || !slices.Equal(row, want[i]) {
						t.Errorf("%s, sequence %d, position %d: not the same logits (%v)", name, seed, i, err)
						return
					}
				}
			})
		}
	}
	wg.Wait()
}
