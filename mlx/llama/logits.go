package llama

import (
	"fmt"
	"math"

	"foretoken/mlx"
	"foretoken/model"
)

// logits are the rows of a session's last Forward. They are computed once, together
// with the best id of each, when the first of them is asked for.
type logits struct {
	s      *session
	rows   int
	scores mlx.Array // [rows, Vocab], in the model's type
	arg    mlx.Array // [rows]: the best id of each, whatever the row
	best   mlx.Array // [rows]: arg, or badRow
	there  bool
	ids    []model.Token // nil until they are read
}

// set takes the rows, in parts that are kept, and makes them one array. Where that
// fails there are no rows.
func (l *logits) set(g *mlx.Graph, parts []mlx.Array, rows int) {
	scores := parts[0]
	if len(parts) > 1 {
		scores = g.Keep(g.Concatenate(0, parts...))
		g.Free(parts...)
	}
	arg := g.Keep(g.Argmax(scores))
	*l = logits{s: l.s, rows: rows, scores: scores, arg: arg, best: g.Keep(g.Contiguous(best(g, scores, arg)))}
	if g.Err() != nil {
		l.free(g)
	}
}

func (l *logits) free(g *mlx.Graph) {
	g.Free(l.scores, l.arg, l.best)
	*l = logits{s: l.s}
}

// run calls f with the rows computed.
func (l *logits) run(f func(g *mlx.Graph)) error {
	switch {
	case l.s.closed:
		return errClosed
	case l.s.broken != nil:
		return l.s.broken
	}
	err := l.s.m.engine.Run(func(g *mlx.Graph) {
		if !l.there && l.rows > 0 {
			l.s.lookAhead(g)
			l.s.eval(g, l.scores, l.best)
			l.there = g.Err() == nil
		}
		if g.Err() == nil {
			before := l.s.m.engine.BytesRead() // no other graph runs meanwhile
			f(g)
			l.s.read += l.s.m.engine.BytesRead() - before
		}
	})
	if err != nil {
		return fmt.Errorf("mlx: %s: %w", l.s.m.config.Name, err)
	}
	return nil
}

// Wait implements model.Logits.
func (l *logits) Wait() error {
	if l.there {
		return nil
	}
	return l.run(func(*mlx.Graph) {})
}

// Argmaxes implements model.Logits: four bytes a row leave the device.
func (l *logits) Argmaxes() ([]model.Token, error) {
	if l.ids != nil || l.rows == 0 {
		return l.ids, nil
	}
	err := l.run(func(g *mlx.Graph) {
		for row, id := range g.Computed(l.rows, l.best) {
			if id == badRow {
				g.Fail(blame(g, l.real(g, row, l.s.m.config.Vocab), row, l.s.m.config.Vocab))
			}
			l.ids = append(l.ids, model.Token(id))
		}
	})
	if err != nil {
		l.ids = nil
	}
	return l.ids, err
}

// What stands in place of an id, for no more than four bytes a row to be read.
const (
	badRow = math.MaxUint32     // it has NaN or +Inf
	noBest = math.MaxUint32 - 1 // none is above -Inf
)

// best is arg, the best id of each row of scores, where the row is sound.
func best(g *mlx.Graph, scores, arg mlx.Array) mlx.Array {
	return g.Where(sound(g, scores), arg, g.Index(badRow))
}

// sound is whether rows have no NaN or +Inf, [rows].
func sound(g *mlx.Graph, scores mlx.Array) mlx.Array {
	return g.Greater(g.Number(float32(math.Inf(1))), g.Flat(g.Max(scores)))
}

// Read implements model.Logits.
func (l *logits) Read(row int, dst []float32) error {
	if err := l.check(row); err != nil {
		return err
	}
	if vocab := l.s.m.config.Vocab; len(dst) != vocab {
		return fmt.Errorf("mlx: %d floats for a row of the logits: want %d", len(dst), vocab)
	}
	return l.run(func(g *mlx.Graph) { g.ReadFloats(dst, g.AsType(l.row(g, row), mlx.Float32)) })
}

func (l *logits) check(row int) error {
	if row < 0 || row >= l.rows {
		return fmt.Errorf("mlx: row %d of the logits: want 0 to %d", row, l.rows-1)
	}
	return nil
}

func (l *logits) row(g *mlx.Graph, row int) mlx.Array {
	return g.Slice(l.scores, []int{row, 0}, []int{row + 1, l.s.m.config.Vocab})
}

// MaskedArgmax implements model.MaskedArgmax: four bytes leave the device.
func (l *logits) MaskedArgmax(row int, mask model.Mask) (model.Token, error) {
	if err := l.check(row); err != nil {
		return 0, err
	}
	allowed := make([]bool, l.s.m.config.Vocab)
	mask.Bools(allowed)
	best := model.Token(-1)
	err := l.run(func(g *mlx.Graph) {
		raw, never := l.row(g, row), g.Number(float32(math.Inf(-1)))
		scores := g.Where(g.FromBools(allowed, 1, len(allowed)), g.AsType(raw, mlx.Float32), never)
		id := g.Where(g.Greater(g.Flat(g.Max(scores)), never), g.Argmax(scores), g.Index(noBest))
		got := g.ReadIndices(1, g.Where(sound(g, raw), id, g.Index(badRow)))
		switch {
		case g.Err() != nil || got[0] == noBest:
		case got[0] == badRow:
			g.Fail(blame(g, l.real(g, row, len(allowed)), row, len(allowed)))
		default:
			best = model.Token(got[0])
		}
	})
	return best, err
}
