package parity

import (
	"errors"
	"fmt"

	"foretoken/model"
)

// rows are an engine's logits along a text of the reference's, held against the
// reference's own, each once.
type rows struct {
	forced  []model.Token // the prompt, and the text but for its last token
	first   int           // the position in forced whose row chose the text's first token
	want    []float32     // the reference's, [text, Vocab]
	vocab   int
	real    int
	diffs   []float64 // largest difference of a logit, by token of the text
	margins []float64 // the reference's top-two margin
	seen    []bool
	unseen  int
	row     []float32
}

func (c Cell) rows(q Request, text []model.Token, want []float32) (*rows, error) {
	info, n := c.setup.Target.Info(), len(text)
	if len(want) != n*info.Vocab {
		return nil, fmt.Errorf("the reference has %d logits a row, the engine %d", len(want)/n, info.Vocab)
	}
	return &rows{forced: q.forced(text), first: len(q.Prompt) - 1, want: want, vocab: info.Vocab, real: info.Real,
		diffs: make([]float64, n), margins: make([]float64, n), seen: make([]bool, n), unseen: n, row: make([]float32, info.Vocab)}, nil
}

// note holds row of l, what follows text's first i tokens, against the reference's.
func (r *rows) note(l model.Logits, row, i int) error {
	if r.seen[i] {
		return nil
	}
	if err := l.Read(row, r.row); err != nil {
		return err
	}
	theirs := r.want[i*r.vocab:][:r.real]
	r.diffs[i], r.margins[i] = difference(r.row[:r.real], theirs), margin(theirs)
	r.seen[i] = true
	r.unseen--
	return nil
}

// force computes the rows that were not seen, k+1 at a time, on the reference's tokens.
func (r *rows) force(m model.Model, k int) (err error) {
	if r.unseen == 0 {
		return nil
	}
	s, err := m.NewSession()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	at := r.first
	for r.seen[at-r.first] {
		at++
	}
	if at > 0 {
		if _, err := s.Forward(r.forced[:at], 0); err != nil {
			return err
		}
	}
	for at < len(r.forced) {
		n := min(k+1, len(r.forced)-at)
		l, err := s.Forward(r.forced[at:at+n], n)
		if err != nil {
			return err
		}
		for i := range n {
			if err := r.note(l, i, at+i-r.first); err != nil {
				return err
			}
		}
		at += n
	}
	return nil
}
