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
	Others int         `json:"others,omitempty"` // of sampled text: draws after it that differ too, near-ties all
	Cyclic float64     `json:"cyclic"`           // share of the engine's text
}

// judge compares tokens with the reference's. diffs are the rows' largest differences of a
// logit, margins the reference's top-two margins, want and got the tokens.
func judge(want, got []model.Token, diffs, margins []float64) Outcome {
	o := Outcome{First: -1}
	for _, d := range diffs {
		o.Worst = max(o.Worst, d) // which keeps a NaN
	}
	o.Worst = finite(o.Worst)
	switch i := model.Common(want, got); {
	case i < len(want) && i < len(got):
		o.First, o.Want, o.Got, o.Margin, o.Diff, o.Rank = i, want[i], got[i], finite(margins[i]), finite(diffs[i]), 1
		for _, m := range margins {
			if m < o.Margin {
				o.Rank++
			}
		}
	case i < len(want) || i < len(got):
		o.First, o.Diff = i, -1 // no rounding ends a text
	}
	return o
}

// judgeEach is judge where each token of got was chosen after want's own: the first
// divergence that rounding does not explain, else the first.
func judgeEach(want, got []model.Token, diffs, margins []float64) Outcome {
	o := judge(want, got, diffs, margins)
	for i := o.First + 1; o.First >= 0 && o.near() && i < len(got); i++ {
		if got[i] == want[i] {
			continue
		}
		if next := judge(want[i:i+1], got[i:i+1], diffs[i:i+1], margins[i:i+1]); !next.near() {
			next.First, next.Worst = i, o.Worst
			return next
		}
		o.Others++
	}
	return o
}

// near is whether rounding explains the divergence: the margin is at most twice its row's
// difference, for each of two logits may be off by that much.
func (o Outcome) near() bool { return o.Margin <= 2*o.Diff }

// verdict takes the largest difference that two correct engines' logits have.
func (o Outcome) verdict(tolerance float64) Verdict {
	switch {
	case !(o.Worst <= tolerance):
		return Defect
	case o.First < 0:
		return Equal
	case o.near():
		return NearTie
	}
	return Defect
}

// finite stands in for what is no number, or beyond all.
func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return math.MaxFloat64
	}
	return x
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
