package experiments

import "fmt"

// A Refusal is why a run did not begin: its fault is in what was asked for.
type Refusal struct{ Err error }

// Error implements error.
func (e *Refusal) Error() string { return e.Err.Error() }

// Unwrap returns the cause.
func (e *Refusal) Unwrap() error { return e.Err }

func refuse(err error) error { return &Refusal{err} }

// Override replaces the limit of every prompt set and the number of tokens, each
// where it is not 0.
func (c *Config) Override(limit, maxTokens int) error {
	if limit < 0 {
		return fmt.Errorf("limit %d, want at least 1", limit)
	}
	if maxTokens < -1 {
		return fmt.Errorf("max tokens %d, want at least 1, or -1 for as many as the context holds", maxTokens)
	}
	if limit > 0 {
		for i := range c.Prompts {
			c.Prompts[i].Limit = limit
		}
	}
	if maxTokens != 0 {
		c.MaxTokens = maxTokens
	}
	return nil
}
