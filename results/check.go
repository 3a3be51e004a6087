package results

import (
	"fmt"
	"math"
	"slices"
	"time"

	"foretoken/spec"
)

// slack is how far the parts of a request may exceed its wall time: they are laps
// of one clock, so only rounding.
const slack = time.Millisecond

// check reports what no run has.
func (h Header) check() error {
	if h.Rows < 0 {
		return fmt.Errorf("rows: %d, want at least 0", h.Rows)
	}
	seen := map[string]bool{}
	for _, a := range h.Arms {
		if seen[a.ID] {
			return fmt.Errorf("arm %q is there twice", a.ID)
		}
		if a.K < 0 || a.K > MaxK {
			return fmt.Errorf("arm %q: k %d, want 0 to %d", a.ID, a.K, MaxK)
		}
		if !(a.Temperature >= 0) {
			return fmt.Errorf("arm %q: temperature %v, want at least 0", a.ID, a.Temperature)
		}
		seen[a.ID] = true
	}
	return nil
}

// vocab is the number of ids of the target, or none is too large where it is not
// said.
func (h Header) vocab() int {
	if len(h.Models) > 0 && h.Models[0].Info.Vocab > 0 {
		return h.Models[0].Info.Vocab
	}
	return math.MaxInt32
}

// check reports how the facts of a row contradict each other, or what cannot be.
func (r Row) check(a Arm, vocab int) error {
	if err := r.possible(vocab); err != nil {
		return err
	}
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

var finishes = []spec.Finish{spec.FinishEOS, spec.FinishStop, spec.FinishLength, spec.FinishContext, spec.FinishCancelled}

// possible reports a value that is out of its range, whatever the others are.
func (r Row) possible(vocab int) error {
	f := r.Facts
	for _, x := range []struct {
		what  string
		value int64
	}{
		{"repeat", int64(r.Repeat)}, {"prompt_tokens", int64(r.PromptTokens)},
		{"setup_ns", int64(f.Setup)}, {"prefill_target_ns", int64(f.PrefillTarget)}, {"prefill_draft_ns", int64(f.PrefillDraft)},
		{"first_token_ns", int64(f.FirstToken)}, {"gap_p50_ns", int64(f.GapP50)}, {"gap_p95_ns", int64(f.GapP95)},
		{"wall_ns", int64(f.Wall)}, {"peak_memory_bytes", f.PeakMemory},
	} {
		if x.value < 0 {
			return fmt.Errorf("%s: %d, want at least 0", x.what, x.value)
		}
	}
	for i, t := range r.Tokens {
		if t < 0 || int(t) >= vocab {
			return fmt.Errorf("tokens[%d]: %d, want an id from 0 to %d", i, t, vocab-1)
		}
	}
	switch {
	case r.Prompt == "":
		return fmt.Errorf("prompt: is missing, want the id of one")
	case !slices.Contains(finishes, r.Finish):
		return fmt.Errorf("finish: %q, want one of %q", r.Finish, finishes)
	case f.GapP50 > f.GapP95:
		return fmt.Errorf("gap_p50_ns: %d, want at most gap_p95_ns, %d", f.GapP50, f.GapP95)
	case f.FirstToken > f.Wall+slack:
		return fmt.Errorf("first_token_ns: %d, want at most wall_ns, %d", f.FirstToken, f.Wall)
	}
	return nil
}
