package ref

import (
	"errors"
	"fmt"
	"iter"

	"foretoken/model"
)

// block is how many tokens go through the layers together: enough that reading the
// weights is nothing beside the arithmetic.
const block = 64

var errClosed = errors.New("ref: session is closed")

// session is one sequence. Its buffers grow and stay, so that a decoding step
// allocates nothing.
type session struct {
	m      *Model
	n      int // tokens cached
	cache  cache
	work   work
	out    logits
	taps   *taps // nil when no one asked
	turns  turning
	tokens []model.Token // cached, where rope may ask for them again
	closed bool
}

// NewSession implements model.Model.
func (m *Model) NewSession() (model.Session, error) { return m.session(), nil }

func (m *Model) session() *session {
	s := &session{m: m, cache: newCache(m), turns: m.turns}
	s.work.init(s)
	s.out.s = s
	return s
}

func (s *session) Len() int { return s.n }

func (s *session) Close() error {
	*s = session{m: s.m, closed: true}
	s.out.s = s
	return nil
}

func (s *session) Trim(n int) error {
	switch {
	case s.closed:
		return errClosed
	case n < 0 || n > s.n:
		return fmt.Errorf("ref: trim to %d: want 0 to %d: %w", n, s.n, model.ErrTrim)
	}
	s.n = n
	return nil
}

func (s *session) Forward(tokens []model.Token, rows int) (model.Logits, error) {
	if err := s.check(tokens, rows); err != nil {
		return nil, err
	}
	s.reserve(len(tokens), rows)
	s.remember(tokens)
	start := s.n
	for from, to := range s.spans(len(tokens)) {
		s.turned(start + from + 1)
		for a, b := range blocks(to - from) {
			s.block(tokens[from+a:from+b], rowsOf(rows, len(tokens), from+a, from+b))
		}
	}
	return &s.out, nil
}

// reserve makes room for n tokens more and the logits of some of them.
func (s *session) reserve(n, rows int) {
	s.cache.reserve(s.n + n)
	s.taps.reserve(s.n + n)
	most := n
	if s.m.config.RopeChanges() {
		most = s.n + n // all may be forwarded again
	}
	s.work.reserve(min(most, block), s.n+n)
	s.out.reset(rows)
}

// blocks yields the bounds of the blocks that n tokens go through the layers in.
func blocks(n int) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for from := 0; from < n && yield(from, min(from+block, n)); from += block {
		}
	}
}

// rowsOf is how many of the last rows of n tokens are those of the block [from, to):
// what is left of them once the later tokens have theirs.
func rowsOf(rows, n, from, to int) int { return min(max(rows-(n-to), 0), to-from) }

// check is done before anything is written.
func (s *session) check(tokens []model.Token, rows int) error {
	if s.closed {
		return errClosed
	}
	vocab, _ := s.m.embed.size()
	if err := model.CheckForward(tokens, rows, s.n, s.m.config.Context, vocab); err != nil {
		return fmt.Errorf("ref: %w", err)
	}
	return nil
}
