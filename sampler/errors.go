package sampler

import (
	"errors"
	"fmt"

	"foretoken/model"
)

// ErrNoToken is returned where nothing is left to draw: a constraint or the
// biases forbid every token, or the whole row is -Inf.
var ErrNoToken = errors.New("sampler: no token is allowed")

// A LogitError is a row that holds what is no logit, here or on a device.
type LogitError = model.LogitError

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
