package experiments

import (
	"fmt"

	"foretoken/model"
)

// A Vocabulary is the words of a model.
type Vocabulary interface {
	Vocab() int               // ids are [0, Vocab)
	Piece(model.Token) string // as the vocabulary writes it, "" for an id without a token
}

// A PairError says where two vocabularies part.
type PairError struct {
	ID            model.Token // the first that differs
	Target, Draft string      // its pieces
	Differ        int         // ids below both sizes that differ
	Common        int         // ids below both sizes
}

// Error implements error.
func (e *PairError) Error() string {
	return fmt.Sprintf("the vocabularies differ: token %d is %q in the target and %q in the draft (%d of %d ids differ)",
		e.ID, e.Target, e.Draft, e.Differ, e.Common)
}

// ComparePair compares piece by piece, because sizes say nothing: two of one size
// may have thousands of different ids. A tail that only one has, and in which it
// has no token, is padding and allowed; so is a draft that lacks the target's last
// words, as it never proposes them. A difference is a *PairError.
func ComparePair(target, draft Vocabulary) error {
	common := min(target.Vocab(), draft.Vocab())
	e := &PairError{ID: -1, Common: common}
	for id := range model.Token(common) {
		a, b := target.Piece(id), draft.Piece(id)
		if a == b {
			continue
		}
		if e.Differ++; e.ID < 0 {
			e.ID, e.Target, e.Draft = id, a, b
		}
	}
	for id := model.Token(common); id < model.Token(draft.Vocab()) && e.ID < 0; id++ {
		if b := draft.Piece(id); b != "" {
			e.ID, e.Draft, e.Differ = id, b, 1
		}
	}
	if e.ID < 0 {
		return nil
	}
	return e
}
