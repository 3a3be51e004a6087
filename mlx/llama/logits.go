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
	best   mlx.Array // [rows]
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
	*l = logits{s: l.s, rows: rows, scores: scores, best: g.Keep(g.Argmax(scores))}
	if g.Err() != nil {
		l.free(g)
	}
}

func (l *logits) free(g *mlx.Graph) {
	g.Free(l.scores, l.best)
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
			l.s.eval(g, l.scores, l.best)
			l.there = g.Err() == nil
		}
		if g.Err() == nil {
			f(g)
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
		for _, id := range g.ReadIndices(l.rows, l.best) {
			l.ids = append(l.ids, model.Token(id))
		}
	})
	return l.ids, err
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

// MaskedArgmax implements model.MaskedArgmax: eight bytes leave the device.
func (l *logits) MaskedArgmax(row int, mask model.Mask) (model.Token, error) {
	if err := l.check(row); err != nil {
		return 0, err
	}
	allowed := make([]bool, l.s.m.config.Vocab)
	mask.Bools(allowed)
	best := model.Token(-1)
	err := l.run(func(g *mlx.Graph) {
		never := g.FromFloats([]float32{float32(math.Inf(-1))}, 1)
		scores := g.Where(g.FromBools(allowed, 1, len(allowed)), g.AsType(l.row(g, row), mlx.Float32), never)
		at := g.Argmax(scores)
		value := []float32{0}
		g.ReadFloats(value, g.Rows(g.Reshape(scores, len(allowed)), at))
		if id := g.ReadIndices(1, at); g.Err() == nil && !math.IsInf(float64(value[0]), -1) {
			best = model.Token(id[0])
		}
	})
	return best, err
}
