package results

import (
	"fmt"
	"math"
	"strings"

	"foretoken/stat"
)

// Verdict says in words what a run found, for whoever reads a single line of it: which arm is
// faster, or why none is and what would have to be cheaper. It is "" of a run without drafts.
func (s Summary) Verdict() string {
	var arms []ArmSummary
	for _, a := range s.Arms {
		if !a.Arm.Control() && !math.IsNaN(a.Speedup.Value) {
			arms = append(arms, a)
		}
	}
	if len(arms) == 0 {
		return ""
	}
	best, sure := arms[0], []ArmSummary(nil)
	for _, a := range arms {
		if a.Speedup.Value > best.Speedup.Value {
			best = a
		}
		if a.Speedup.Low > 1 {
			sure = append(sure, a)
		}
	}
	switch {
	case len(sure) > 0:
		return s.faster(sure)
	case !best.Speedup.Bounded():
		return fmt.Sprintf("No verdict: %s measures %s of %s; an interval wants at least %d.", best.Label, stat.Times.Value(best.Speedup.Value), prompted(best.Prompts), stat.Fewest)
	case best.Speedup.High > 1:
		return fmt.Sprintf("No arm is shown to be faster than plain decoding: the best, %s, measures %s, whose interval holds 1. %s", best.Label, stat.Times.Interval(best.Speedup), best.price())
	}
	return fmt.Sprintf("No arm is faster than plain decoding here: the best, %s, measures %s. %s", best.Label, stat.Times.Interval(best.Speedup), best.price())
}

// faster names the arm of the largest speed-up among those that are resolved.
func (s Summary) faster(sure []ArmSummary) string {
	best := sure[0]
	for _, a := range sure {
		if a.Speedup.Value > best.Speedup.Value {
			best = a
		}
	}
	out := fmt.Sprintf("%s is faster than plain decoding: %s over %s.", best.Label, stat.Speedup.Interval(best.Speedup), prompted(best.Prompts))
	if n := len(sure); n > 1 {
		out = fmt.Sprintf("%d arms are faster than plain decoding, the most %s: %s over %s.", n, best.Label, stat.Speedup.Interval(best.Speedup), prompted(best.Prompts))
	}
	p := CountParity(best.Parity, "")
	switch {
	case p.Differs > 0:
		out += fmt.Sprintf(" Its text is NOT plain decoding's in %d of %d requests.", p.Differs, p.Paired())
	case p.LawOnly == 0 && p.Paired() > 0:
		out += fmt.Sprintf(" Every token is plain decoding's in %d of %d requests.", p.Equal, p.Paired())
	}
	return out
}

// price says what a round costs beside what it gives, and which draft would pay.
func (s ArmSummary) price() string {
	k := float64(s.Arm.K)
	verify, draft, tokens := s.Costs.At(s.Arm.K+1), s.Costs.Draft, s.PerRound.Value
	if math.IsNaN(verify) || math.IsNaN(draft) || math.IsNaN(tokens) {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Its round gives %.2f tokens; a verify of %d rows costs %.2f steps, and a drafted token %.2f of one. ", tokens, s.Arm.K+1, verify, draft)
	if most := (tokens - verify) / k; most > 0 {
		fmt.Fprintf(&b, "At this acceptance a draft would pay below %.2f of a step per token.", most)
	} else {
		fmt.Fprintf(&b, "At this acceptance no draft pays, however cheap: the verify alone costs more than the tokens save.")
	}
	return b.String()
}

func prompted(n int) string {
	if n == 1 {
		return "1 prompt"
	}
	return fmt.Sprintf("%d prompts", n)
}
