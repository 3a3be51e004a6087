package ref

import (
	"fmt"

	"foretoken/model"
)

// logits are the rows of a session's last Forward, in memory that the next one
// writes again.
type logits struct {
	s    *session
	rows vectors // [rows, Vocab]
	ids  []model.Token
	left int  // rows still to be written
	done bool // ids are of these rows
}

// reset makes room for n rows.
func (l *logits) reset(n int) {
	width := padded(l.s.m.config.Vocab)
	if cap(l.rows.data) < n*width {
		l.rows.data = make([]float32, n*width)
	}
	l.rows = vectors{l.rows.data[:n*width], width, n}
	l.left, l.done = n, false
}

// Wait implements model.Logits: the rows are there when Forward returns.
func (l *logits) Wait() error { return nil }

// Argmaxes implements model.Logits.
func (l *logits) Argmaxes() ([]model.Token, error) {
	if l.done {
		return l.ids, nil
	}
	l.ids = l.ids[:0]
	for i := range l.rows.n {
		best := l.s.m.k.best(l.rows.at(i)[:l.s.m.config.Vocab])
		if best < 0 {
			return nil, fmt.Errorf("ref: %s: row %d of the logits has NaN for its maximum", l.s.m.config.Name, i)
		}
		l.ids = append(l.ids, model.Token(best))
	}
	l.done = true
	return l.ids, nil
}

// View implements model.RowView.
func (l *logits) View(row int) ([]float32, error) {
	if row < 0 || row >= l.rows.n {
		return nil, fmt.Errorf("ref: row %d of the logits: want 0 to %d", row, l.rows.n-1)
	}
	vocab := l.s.m.config.Vocab
	return l.rows.at(row)[:vocab:vocab], nil
}

// Read implements model.Logits.
func (l *logits) Read(row int, dst []float32) error {
	from, err := l.View(row)
	if err != nil {
		return err
	}
	if len(dst) != len(from) {
		return fmt.Errorf("ref: %d floats for a row of the logits: want %d", len(dst), len(from))
	}
	copy(dst, from)
	return nil
}
