package parity

import (
	"math"

	"foretoken/model"
)

// A Verdict is what a request came to.
type Verdict string

// A Defect is a divergence that rounding does not explain, or logits that are off.
const (
	Equal   Verdict = "equal"
	NearTie Verdict = "near-tie"
	Defect  Verdict = "defect"
)

// An Outcome is one request of a cell.
type Outcome struct {
	Prompt  string  `json:"prompt"`
	Domain  string  `json:"domain"`
	Verdict Verdict `json:"verdict"`
	// Worst is the largest difference of a logit over all rows, teacher-forced on
	// the reference's tokens.
	Worst float64 `json:"worst"`
	// First is the index of the first token that differs, -1 where none does. Of
	// its row: the reference's and the engine's tokens, the reference's top-two
	// margin, its rank among the request's margins from the smallest, and the
	// largest difference of a logit.
	First  int         `json:"first"`
	Want   model.Token `json:"want"`
	Got    model.Token `json:"got"`
	Margin float64     `json:"margin"`
	Rank   int         `json:"rank"`
	Diff   float64     `json:"diff"`

	cyclic float64 // of the engine's text
}

// judge compares tokens with the reference's. diffs are the rows' largest
// differences of a logit, margins the reference's top-two margins, want and got
// the tokens. A divergence is a near-tie iff every row stays within tolerance and
// the margin where it begins is at most twice that row's difference: each of two
// logits may then be off by that much.
func judge(want, got []model.Token, diffs, margins []float64, tolerance float64) Outcome {
	o := Outcome{Verdict: Equal, First: -1}
	for _, d := range diffs {
		o.Worst = max(o.Worst, d) // which keeps a NaN
	}
	if i := model.Common(want, got); i < len(want) || i < len(got) {
		o.First, o.Verdict = i, Defect
		if i < len(want) && i < len(got) {
			o.Want, o.Got, o.Margin, o.Diff, o.Rank = want[i], got[i], margins[i], diffs[i], 1
			for _, m := range margins {
				if m < o.Margin {
					o.Rank++
				}
			}
			if o.Margin <= 2*o.Diff {
				o.Verdict = NearTie
			}
		}
	}
	if !(o.Worst <= tolerance) {
		o.Verdict = Defect
	}
	return o
}

// difference is the largest of two rows, NaN where a logit of one is no number or
// an infinity of one alone.
func difference(a, b []float32) (d float64) {
	for i := range a {
		if a[i] != b[i] {
			d = max(d, math.Abs(float64(a[i])-float64(b[i])))
		}
	}
	return d
}

// margin is the distance of the two largest logits.
func margin(row []float32) float64 {
	best, next := math.Inf(-1), math.Inf(-1)
	for _, x := range row {
		switch v := float64(x); {
		case v > best:
			best, next = v, best
		case v > next:
			next = v
		}
	}
	return best - next
}
