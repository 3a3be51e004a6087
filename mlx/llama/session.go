package llama

import (
	"errors"
	"fmt"

	"foretoken/mlx"
	"foretoken/model"
)

// chunk is how many tokens of a prompt are computed at a time, so that a long one
// needs no more memory than a short one.
const chunk = 512

var errClosed = errors.New("mlx: session is closed")

// session is one sequence. A call that MLX could not build changes nothing; after
// one that it could not compute, the session can only be closed.
type session struct {
	m      *Model
	n      int // tokens cached
	cache  cache
	out    logits
	ahead  ahead
	next   func(g *mlx.Graph, pos int, best mlx.Array) mlx.Array // a step of the best id before it, one row
	words  []model.Token                                         // of the ids of the logits; nil where they are tokens
	taps   *taps                                                 // nil where no states are kept
	read   int64                                                 // bytes that left the device
	broken error
	closed bool
}

// NewSession implements model.Model.
func (m *Model) NewSession() (model.Session, error) { return m.session(), nil }

func (m *Model) session() *session {
	s := &session{m: m}
	s.out.s = s
	s.next = func(g *mlx.Graph, pos int, best mlx.Array) mlx.Array {
		return s.forward(g, pos, g.Reshape(best, 1, 1), 1, 1)
	}
	return s
}

func (s *session) Len() int { return s.n }

// BytesRead implements model.ReadMeter.
func (s *session) BytesRead() int64 { return s.read }

func (s *session) Close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	return s.m.engine.Run(func(g *mlx.Graph) {
		s.cache.free(g)
		s.out.free(g)
		s.ahead.out.free(g)
		s.cache = cache{}
	})
}

func (s *session) Trim(n int) error {
	switch {
	case s.closed:
		return errClosed
	case s.broken != nil:
		return s.broken
	case n < 0 || n > s.n:
		return fmt.Errorf("mlx: trim to %d: want 0 to %d: %w", n, s.n, model.ErrTrim)
	}
	s.n = n
	return nil
}

func (s *session) Forward(tokens []model.Token, rows int) (model.Logits, error) {
	if err := s.check(tokens, rows); err != nil {
		return nil, err
	}
	if !s.adopt(tokens, rows) {
		err := s.build(len(tokens), rows, func(g *mlx.Graph, done, n, rows int) mlx.Array {
			return s.forward(g, s.n+done, indices(g, tokens[done:done+n]), n, rows)
		})
		if err != nil {
			return nil, fmt.Errorf("mlx: %s: %w", s.m.config.Name, err)
		}
	}
	s.stepped(len(tokens))
	return s.logits(), nil
}

// stepped notes n tokens more.
func (s *session) stepped(n int) {
	s.n += n
	s.ahead.steps = max(s.ahead.steps-1, 0)
}

// A step forwards n tokens after the first done of a call, and returns the logits of
// the last rows of them.
type step func(g *mlx.Graph, done, n, rows int) mlx.Array

// build makes the graph of a call of n tokens.
func (s *session) build(n, rows int, f step) error {
	var parts []mlx.Array
	return s.m.engine.Run(func(g *mlx.Graph) {
		s.ahead.out.free(g)
		s.out.free(g)
		parts = s.blocks(g, n, rows, f)
		switch {
		case g.Err() != nil:
			g.Free(parts...)
		case rows > 0:
			s.out.set(g, parts, rows)
		}
	})
}

func (s *session) logits() model.Logits {
	if s.m.choose {
		return chooser{&s.out}
	}
	return &s.out
}

// blocks forwards n tokens, and computes all but the last block if rows are asked
// for. Logits come in parts, one a block that has any.
func (s *session) blocks(g *mlx.Graph, n, rows int, f step) (parts []mlx.Array) {
	for done := 0; done < n && g.Err() == nil; {
		some := min(chunk, n-done)
		// rows are the last of all tokens: those of this block are what is left
		// of them once the later tokens have theirs.
		own := min(max(rows-(n-done-some), 0), some)
		if part := f(g, done, some, own); own > 0 && g.Err() == nil {
			parts = append(parts, g.Keep(part))
		}
		done += some
		if done < n || rows == 0 {
			s.eval(g, append(s.cache.all(), parts...)...)
		}
	}
	return parts
}

// eval computes, and remembers that it could not.
func (s *session) eval(g *mlx.Graph, arrays ...mlx.Array) { s.compute(g, g.Eval, arrays) }

// begin begins to compute.
func (s *session) begin(g *mlx.Graph, arrays ...mlx.Array) { s.compute(g, g.Begin, arrays) }

func (s *session) compute(g *mlx.Graph, eval func(...mlx.Array), arrays []mlx.Array) {
	built := g.Err() == nil
	if eval(arrays...); built && g.Err() != nil {
		s.broken = fmt.Errorf("mlx: the session is lost, since MLX failed to compute: %w", g.Err())
	}
}

// check is done before anything is built.
func (s *session) check(tokens []model.Token, rows int) error {
	switch {
	case s.closed:
		return errClosed
	case s.broken != nil:
		return s.broken
	}
	if err := model.CheckForward(tokens, rows, s.n, s.m.config.Context, s.m.ids); err != nil {
		return fmt.Errorf("mlx: %w", err)
	}
	return nil
}
