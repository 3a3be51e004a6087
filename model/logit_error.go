package model

import "fmt"

// A LogitError is a row that holds what is no logit.
type LogitError struct {
	Row   int
	Token Token   // where it stands, the first such id
	Value float32 // NaN or +Inf
}

// Error implements error.
func (e *LogitError) Error() string {
	return fmt.Sprintf("model: logit of token %d in row %d is %v, want finite or -Inf", e.Token, e.Row, e.Value)
}
