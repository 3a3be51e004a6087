package model

// A RowView is Logits whose rows lie in this process's memory.
type RowView interface {
	// View lends a row, Vocab wide, until the session's next Forward. During a
	// call the borrower may write to it, and puts back what stood there before it
	// returns.
	View(row int) ([]float32, error)
}
