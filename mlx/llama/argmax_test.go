//go:build mlx

package llama_test

import (
	"errors"
	"testing"

	"foretoken/model"
	"foretoken/model/checkpoint"
)

// 10,000 rounds of drafts and rollbacks leave handles and memory as they were, and
// closing leaves none.
func TestFlat(t *testing.T) {
	e := engine(t)
	before := e.Handles()
	m := loaded(t, write(t, families["llama"], checkpoint.F32))
	s := session(t, m)
	var handles, memory int64
	for round := range 10000 {
		if s.Len()+5 > 128 {
			if err := s.Trim(0); err != nil {
				t.Fatal(err)
			}
		}
		l, err := s.Forward([]model.Token{1, 2, 3, 4, 5}, 5)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Argmaxes(); err != nil {
			t.Fatal(err)
		}
		if err := s.Trim(s.Len() - round%5); err != nil {
			t.Fatal(err)
		}
		if round%1000 != 999 {
			continue
		}
		h := e.Handles()
		b, err := e.Memory()
		if err != nil {
			t.Fatal(err)
		}
		if round > 1000 && (h != handles || b > memory+1<<16) {
			t.Errorf("after %d rounds %d handles and %d bytes, %d and %d a thousand before", round+1, h, b, handles, memory)
		}
		handles, memory = h, b
	}
	if err := errors.Join(s.Close(), m.Close()); err != nil {
		t.Fatal(err)
	}
	if e.Handles() != before {
		t.Errorf("%d handles are left, want %d", e.Handles(), before)
	}
}

// The best id of a set, and what there is to say where there is none.
func TestMaskedArgmax(t *testing.T) {
	m := loaded(t, write(t, families["llama tied"], checkpoint.BF16)) // whose rows have ties
	s := session(t, m)
	for seed := range uint64(20) {
		l, err := s.Forward(ids(seed, 3, 64), 3)
		if err != nil {
			t.Fatal(err)
		}
		row := make([]float32, 64)
		if err := l.Read(1, row); err != nil {
			t.Fatal(err)
		}
		mask := model.NewMask(64)
		want := model.Token(-1)
		for _, id := range ids(seed+100, int(seed), 64) {
			mask.Add(id)
		}
		for id := range model.Token(64) {
			if mask.Has(id) && (want < 0 || row[id] > row[want]) {
				want = id
			}
		}
		if got, err := l.(model.MaskedArgmax).MaskedArgmax(1, mask); got != want || err != nil {
			t.Errorf("%d ids: %d, %v, want %d", mask.Len(), got, err, want)
		}
		if err := s.Trim(0); err != nil {
			t.Fatal(err)
		}
	}
}
