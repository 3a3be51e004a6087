package results

import (
	"fmt"
	"time"
)

// slack is how far the parts of a request may exceed its wall time: they are laps
// of one clock, so only rounding.
const slack = time.Millisecond

// check reports an arm that no run has.
func (h Header) check() error {
	seen := map[string]bool{}
	for _, a := range h.Arms {
		if seen[a.ID] {
			return fmt.Errorf("arm %q is there twice", a.ID)
		}
		if a.K < 0 || a.K > MaxK {
			return fmt.Errorf("arm %q: k %d, want 0 to %d", a.ID, a.K, MaxK)
		}
		seen[a.ID] = true
	}
	return nil
}

// check reports how the facts of a row contradict each other.
func (r Row) check(a Arm) error {
	for i, x := range r.Rounds {
		switch {
		case x.Accepted < 0 || x.Judged < x.Accepted || x.Drafted < x.Judged:
			return fmt.Errorf("round %d: drafted %d, judged %d, accepted %d, want each at least the next", i, x.Drafted, x.Judged, x.Accepted)
		case x.Killed < 0 || x.Killed > x.Judged-x.Accepted:
			return fmt.Errorf("round %d: the constraint forbade %d, want at most the %d refused", i, x.Killed, x.Judged-x.Accepted)
		case x.Next < 0 || x.Next > 1:
			return fmt.Errorf("round %d: next %d, want 0 or 1", i, x.Next)
		case a.Control() && x.Drafted != 0:
			return fmt.Errorf("round %d: %d drafted by the control", i, x.Drafted)
		case x.Draft < 0 || x.Verify < 0 || x.Accept < 0 || x.Rest < 0:
			return fmt.Errorf("round %d: a time is below 0", i)
		}
	}
	t := r.Rounds.totals()
	for _, c := range []struct {
		what      string
		got, want int
	}{
		{"drafted", t.Drafted, r.Drafted},
		{"judged", t.Judged, r.Judged},
		{"accepted", t.Accepted, r.Accepted},
		{"next", t.Next, r.Next},
		{"killed", t.Killed, r.Killed},
		{"emitted", t.Emitted(), len(r.Tokens)},
	} {
		if c.got != c.want {
			return fmt.Errorf("%s: the rounds sum to %d, the row says %d", c.what, c.got, c.want)
		}
	}
	if r.Logprobs != nil && len(r.Logprobs) != len(r.Tokens) {
		return fmt.Errorf("log-probabilities of %d tokens, want %d", len(r.Logprobs), len(r.Tokens))
	}
	if r.Reasoning < 0 || r.Reasoning > len(r.Tokens) {
		return fmt.Errorf("%d tokens of reasoning, want at most the %d there are", r.Reasoning, len(r.Tokens))
	}
	parts := r.Facts.Setup + r.Facts.PrefillTarget + r.Facts.PrefillDraft + r.Decode()
	if parts > r.Facts.Wall+slack {
		return fmt.Errorf("times: the parts sum to %v, the wall time is %v", parts, r.Facts.Wall)
	}
	return nil
}
