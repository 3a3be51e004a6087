package sampler

import "foretoken/model"

// A ConstraintEngine is a grammar state. It is a value in spirit: Next leaves
// the receiver alone, so undoing a rejected draft is keeping the old one. A nil
// engine constrains nothing.
type ConstraintEngine interface {
	// WantsMask reports whether this position is restricted at all.
	WantsMask() bool
	// Mask makes allowed the ids that may follow, all its words: what it held
	// before is of no meaning. Bits past the real ids are ignored.
	Mask(allowed model.Mask) error
	// Next returns the state after t. It accepts every token the mask allows,
	// the end of sequence too.
	Next(t model.Token) (ConstraintEngine, error)
}

// A Forcer is an engine that may leave no choice. What it forces is a point,
// before bias and penalties.
type Forcer interface{ Forced() (model.Token, bool) }

// A Position is the context of one distribution. All of it is an argument, so
// nothing here needs rolling back.
type Position struct {
	// History is lent for the call, prompt first. The array past its end is
	// scratch of that call: Next writes there.
	History   []model.Token
	Generated int // the last tokens of History that are not prompt
	Engine    ConstraintEngine
}

// Next returns the position after t. Like append it may share the array of at:
// of two successors of one position only the later is valid.
func (at Position) Next(t model.Token) (Position, error) {
	at.History, at.Generated = append(at.History, t), at.Generated+1
	var err error
	at.Engine, err = After(at.Engine, t)
	return at, err
}

// After is e.Next for an engine that may be nil.
func After(e ConstraintEngine, t model.Token) (ConstraintEngine, error) {
	if e == nil {
		return nil, nil
	}
	return e.Next(t)
}

// StepMask is e's mask as a vocabulary-wide allow list: true may be sampled.
func StepMask(e ConstraintEngine, vocabulary int) ([]bool, error) {
	m, allowed := model.NewMask(vocabulary), make([]bool, vocabulary)
	m.Fill(vocabulary)
	if e != nil && e.WantsMask() {
		if err := e.Mask(m); err != nil {
			return nil, err
		}
	}
	m.Bools(allowed)
	return allowed, nil
}

// Forced returns the token at this position when there is no choice.
func (at Position) Forced() (model.Token, bool) {
	if f, ok := at.Engine.(Forcer); ok {
		return f.Forced()
	}
	return 0, false
}

// masked reports whether the grammar restricts this position.
func (at Position) masked() bool { return at.Engine != nil && at.Engine.WantsMask() }
