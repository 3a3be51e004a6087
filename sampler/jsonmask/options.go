package jsonmask

import "fmt"

// The longest run of white space that a text may have: as Options allow at most, and
// where nobody says otherwise. Models that like blanks fill a budget with longer ones.
const (
	MaxBlanks     = 24
	DefaultBlanks = 2
)

// Options say which of a schema's texts are allowed. The zero value is compact text.
type Options struct {
	// Strict allows declared members only: an object has the members that its schema
	// names, or has a pattern for, and no others unless the schema says so itself with
	// additionalProperties or unevaluatedProperties. One that names none is {}.
	Strict bool
	// Blanks is how many white-space characters may stand in a row around
	// punctuation and before the value, 0 to MaxBlanks.
	Blanks int
	Bounds Bounds
	// Name is what errors call the constraint; "" describes it.
	Name string
}

// Check reports an option out of its range.
func (o Options) Check() error {
	if o.Blanks < 0 || o.Blanks > MaxBlanks {
		return fmt.Errorf("jsonmask: %d blanks in a row, want 0 to %d", o.Blanks, MaxBlanks)
	}
	if err := o.Bounds.Check(); err != nil {
		return fmt.Errorf("jsonmask: bounds: %w", err)
	}
	return nil
}
