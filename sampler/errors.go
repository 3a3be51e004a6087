package sampler

import (
	"errors"

	"foretoken/model"
)

// A LogitError is a row that holds what is no logit, here or on a device.
type LogitError = model.LogitError

// inRow says which row and position err is about.
func (b *Builder) inRow(err error, row int, at Position) error {
	if err == nil {
		return nil
	}
	var bad *LogitError
	switch {
	case errors.As(err, &bad):
		bad.Row = row
	case errors.Is(err, ErrNoToken):
		return b.none(row, at)
	}
	return err
}

// rawError is inRow for a row that nothing was added to.
func (b *Builder) rawError(err error, row int) error {
	if errors.Is(err, ErrNoToken) {
		return &NoTokenError{Row: row, Real: b.real, Allowed: b.real}
	}
	return b.inRow(err, row, Position{})
}
