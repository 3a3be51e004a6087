package sampler

import (
	"math"
	"slices"

	"foretoken/model"
)

// Unlimited is the thinking budget of a request that names none.
const Unlimited = math.MaxInt

// Think returns the constraint of a reasoning block that is open: no mask, at
// most budget tokens of reasoning (0: none), then end is forced unless it came by
// itself, then inner. inner may be nil. What is forced is forced once, before
// bias and penalties.
//
// Nothing is masked while the block is open, the end of sequence neither: a model that
// emits it there has ended its text without an answer, and inner was never asked.
func Think(budget int, end model.Token, inner ConstraintEngine) ConstraintEngine {
	return ThinkUntil(budget, []model.Token{end}, inner)
}

// ThinkUntil is Think where the closing tag is more than one token of the
// vocabulary. The tag's own tokens are no reasoning; as a tag that has begun may
// still break off, they count until it is whole.
func ThinkUntil(budget int, end []model.Token, inner ConstraintEngine) ConstraintEngine {
	if len(end) == 0 {
		panic("sampler: a thinking block that nothing closes")
	}
	return think{left: budget, end: end, inner: inner}
}

// MayThink is Think where the model opens the block itself, with start, or
// answers at once.
func MayThink(budget int, start, end model.Token, inner ConstraintEngine) ConstraintEngine {
	return mayThink{start: start, open: Think(budget, end, inner), inner: inner}
}

type think struct {
	left  int           // tokens until the rest of end is forced
	end   []model.Token // lent, never written
	seen  int           // tokens of end that stand last
	inner ConstraintEngine
}

func (think) WantsMask() bool               { return false }
func (think) Mask(m model.Mask) error       { m.Fill(64 * len(m)); return nil }
func (t think) Forced() (model.Token, bool) { return t.end[t.seen], t.left <= 0 }

func (t think) Next(x model.Token) (ConstraintEngine, error) {
	if t.seen = advance(t.end, t.seen, x); t.seen == len(t.end) {
		return t.inner, nil
	}
	if t.left != Unlimited {
		t.left--
	}
	return t, nil
}

// advance returns how much of tag stands last after x, where seen of it did
// before.
func advance(tag []model.Token, seen int, x model.Token) int {
	if tag[seen] == x {
		return seen + 1
	}
	// The longest shorter beginning of tag that tag[:seen] and x end in.
	for n := seen; n > 0; n-- {
		if tag[n-1] == x && slices.Equal(tag[:n-1], tag[seen-n+1:seen]) {
			return n
		}
	}
	return 0
}

type mayThink struct {
	start       model.Token
	open, inner ConstraintEngine
}

func (m mayThink) WantsMask() bool { return m.inner != nil && m.inner.WantsMask() }

func (m mayThink) Mask(allowed model.Mask) error {
	if err := m.inner.Mask(allowed); err != nil {
		return err
	}
	if int(m.start) < 64*len(allowed) {
		allowed.Add(m.start)
	}
	return nil
}

func (m mayThink) Next(x model.Token) (ConstraintEngine, error) {
	if x == m.start {
		return m.open, nil
	}
	return After(m.inner, x)
}
