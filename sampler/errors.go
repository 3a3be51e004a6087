package sampler

import (
	"errors"
	"fmt"

	"foretoken/model"
)

// ErrNoToken is returned where nothing is left to draw: a constraint or the
// biases forbid every token, or the whole row is -Inf.
var ErrNoToken = errors.New("sampler: no token is allowed")

// A LogitError is a row that holds what is no logit.
type LogitError struct {
	Row   int
	Token model.Token // where it stands, the first such id
	Value float32     // NaN or +Inf
}

// Error implements error.
func (e *LogitError) Error() string {
	return fmt.Sprintf("sampler: logit of token %d in row %d is %v, want finite or -Inf", e.Token, e.Row, e.Value)
}

func noToken(row int) error { return fmt.Errorf("row %d: %w", row, ErrNoToken) }

// inRow says which row err is about.
func inRow(err error, row int) error {
	if err == nil {
		return nil
	}
	var bad *LogitError
	switch {
	case errors.As(err, &bad):
		bad.Row = row
	case errors.Is(err, ErrNoToken):
		return noToken(row)
	}
	return err
}
