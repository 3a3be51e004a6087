package modeltest

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"foretoken/model"
)

// After Keep a session is what it would be had the path alone been forwarded:
// the next rows, the hidden states and the length say so.
func TestKeepIsForward(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	m := Hash{Vocab: 8, Real: 8}
	for range 300 {
		s, _ := m.NewSession()
		plain, _ := m.NewSession()
		prefix := random(r, 1+r.IntN(5))
		s.Forward(prefix, 0)
		plain.Forward(prefix, 0)
		tokens, parents := random(r, 1+r.IntN(9)), []int{}
		for i := range tokens {
			parents = append(parents, r.IntN(i+1)-1)
		}
		rows, err := s.(model.TreeForwarder).ForwardTree(tokens, parents)
		if err != nil {
			t.Fatal(err)
		}
		var path []int
		for i := r.IntN(len(tokens)+1) - 1; i >= 0; i = parents[i] {
			path = append(path, i)
		}
		slices.Reverse(path)
		var kept []model.Token
		for _, i := range path {
			kept = append(kept, tokens[i])
		}
		want, _ := plain.Forward(kept, len(kept))
		for i, node := range path {
			if !reflect.DeepEqual(rows.(logits)[node], want.(logits)[i]) {
				t.Fatalf("row of node %d differs from the plain one", node)
			}
		}
		if err := s.(model.TreeForwarder).Keep(path); err != nil {
			t.Fatal(err)
		}
		if s.Len() != plain.Len() {
			t.Fatalf("%d cached, want %d", s.Len(), plain.Len())
		}
		a, _ := s.(model.HiddenTap).Hidden(0, s.Len())
		b, _ := plain.(model.HiddenTap).Hidden(0, s.Len())
		x, _ := s.Forward(prefix, 1)
		y, _ := plain.Forward(prefix, 1)
		if !reflect.DeepEqual(a, b) || !reflect.DeepEqual(x, y) {
			t.Fatal("cache after Keep differs from the plain one")
		}
	}
}

func random(r *rand.Rand, n int) []model.Token {
	out := make([]model.Token, n)
	for i := range out {
		out[i] = model.Token(r.IntN(8))
	}
	return out
}
