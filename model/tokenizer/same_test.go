package tokenizer

import (
	"fmt"

	"foretoken/model"
)

// A DifferentError says where two vocabularies part.
type DifferentError struct {
	ID   model.Token // the first id that differs
	A, B string      // its pieces, "" for none
}

// Error implements error.
func (e *DifferentError) Error() string {
	return fmt.Sprintf("tokenizer: the vocabularies differ: id %d is %s in the first and %s in the second", e.ID, named(e.A), named(e.B))
}

func named(piece string) string {
	if piece == "" {
		return "no token"
	}
	return fmt.Sprintf("%q", piece)
}

// Same is nil if a and b have the same token at every id, else a *DifferentError.
// Size alone says nothing. Ids that are no tokens, like a padded tail, agree with
// ids that are not there.
func Same(a, b *Tokenizer) error {
	for id := range model.Token(max(a.Vocab(), b.Vocab())) {
		if a.has(id) != b.has(id) || a.Piece(id) != b.Piece(id) {
			return &DifferentError{ID: id, A: a.Piece(id), B: b.Piece(id)}
		}
	}
	return nil
}
