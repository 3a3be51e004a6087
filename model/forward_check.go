package model

import "fmt"

// A ContextError is a Forward beyond the positions that a model was trained for.
// Nothing was cached.
type ContextError struct{ Cached, Added, Context int }

// Error implements error.
func (e *ContextError) Error() string {
	return fmt.Sprintf("%d tokens after %d: want at most %d in all, the model's context", e.Added, e.Cached, e.Context)
}

// CheckForward says why a session of cached tokens cannot Forward these, before it
// writes anything: rows that there are not, more than context (0 is no limit), an id
// outside [0, vocab). A backend puts its name before the error.
func CheckForward(tokens []Token, rows, cached, context, vocab int) error {
	switch {
	case rows < 0 || rows > len(tokens):
		return fmt.Errorf("%d rows of %d tokens: want 0 to %d", rows, len(tokens), len(tokens))
	case context > 0 && cached+len(tokens) > context:
		return &ContextError{cached, len(tokens), context}
	}
	for i, t := range tokens {
		if t < 0 || int(t) >= vocab {
			return fmt.Errorf("token %d of %d is id %d: want 0 to %d", i, len(tokens), t, vocab-1)
		}
	}
	return nil
}
