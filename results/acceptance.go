package results

import (
	"math"

	"foretoken/stat"
)

// A Position is the acceptance of one draft position, given that all before it
// were accepted.
type Position struct {
	Index    int // from 1
	Judged   int
	Accepted int
	Estimate stat.Interval
}

// Positions returns the conditional acceptance of draft positions 1 to k of rows
// of one arm, which drafts chains. A position that was never judged has N = 0.
func Positions(rows []Row, k int) []Position {
	out := make([]Position, k)
	for i := range out {
		at := &out[i]
		at.Index = i + 1
		at.Estimate = stat.Proportion(byPrompt(rows, func(r Row) stat.Cluster {
			var c stat.Cluster
			for _, x := range r.Rounds {
				if x.Judged > i {
					c.X++
				}
				if x.Accepted > i {
					c.Y++
				}
			}
			at.Judged, at.Accepted = at.Judged+int(c.X), at.Accepted+int(c.Y)
			return c
		}))
	}
	return out
}

// Acceptance is accepted / judged.
func Acceptance(rows []Row) stat.Interval {
	return stat.Proportion(byPrompt(rows, func(r Row) stat.Cluster { return stat.Cluster{Y: float64(r.Accepted), X: float64(r.Judged)} }))
}

// AcceptanceOfDrafted is accepted / drafted, which counts as lost what was never
// judged.
func AcceptanceOfDrafted(rows []Row) stat.Interval {
	return stat.Proportion(byPrompt(rows, func(r Row) stat.Cluster { return stat.Cluster{Y: float64(r.Accepted), X: float64(r.Drafted)} }))
}

// TokensPerRound is emitted / rounds, the target's own tokens counted. A round emits
// one at least, so the interval ends there; what a stop string cuts off can bring the
// value itself below 1.
func TokensPerRound(rows []Row) stat.Interval {
	e := stat.Ratio(byPrompt(rows, func(r Row) stat.Cluster { return stat.Cluster{Y: float64(len(r.Tokens)), X: float64(len(r.Rounds))} }))
	return e.Within(math.Min(1, e.Value), math.Inf(1))
}

// byPrompt sums the share of each row into its prompt's cluster, in the order of
// the prompts.
func byPrompt(rows []Row, share func(Row) stat.Cluster) []stat.Cluster {
	return stat.Clusters(rows, func(r Row) (string, stat.Cluster) { return r.Prompt, share(r) })
}
