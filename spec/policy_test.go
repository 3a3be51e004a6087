package spec_test

import (
	"testing"

	"foretoken/spec"
)

// A policy is asked before every round, hears the rounds so far, and cannot draft more than
// the request's K or less than nothing.
func TestLengthPolicy(t *testing.T) {
	r := selfDraft()
	r.cfg = config(0, false)
	asked := 0
	r.lengths = lengthFunc(func(k int, past []spec.Round) int {
		if k != 4 || len(past) != asked {
			t.Errorf("asked with K = %d after %d rounds, want 4 after %d", k, len(past), asked)
		}
		asked++
		return []int{9, -3, 2, 0, 4}[len(past)%5]
	})
	_, rounds := r.run(t, 4, 40)
	for i, round := range rounds[:len(rounds)-1] {
		if want := []int{4, 0, 2, 0, 4}[i%5]; round.Drafted != want {
			t.Errorf("round %d drafted %d, want %d", i, round.Drafted, want)
		}
	}
	if asked != len(rounds) {
		t.Errorf("asked %d times in %d rounds", asked, len(rounds))
	}
}
