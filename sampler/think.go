package sampler

import "foretoken/model"

// Think returns the constraint of a reasoning block that is open: no mask, at
// most budget tokens of reasoning, then end is forced unless it came by itself,
// then inner. inner may be nil.
func Think(budget int, end model.Token, inner ConstraintEngine) ConstraintEngine {
	return think{budget, end, inner}
}

type think struct {
	left  int
	end   model.Token
	inner ConstraintEngine
}

func (think) WantsMask() bool               { return false }
func (think) Mask(model.Mask) error         { return nil }
func (t think) Forced() (model.Token, bool) { return t.end, t.left == 0 }

func (t think) Next(x model.Token) (ConstraintEngine, error) {
	if x == t.end {
		return t.inner, nil
	}
	t.left--
	return t, nil
}
