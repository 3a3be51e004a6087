// Package modeltest holds models small enough to check by hand, and the
// conformance kit that every backend must pass.
package modeltest

import (
	"errors"
	"fmt"
	"slices"

	"foretoken/model"
)

// A slot is one cache entry, as attention sees it: a token at a position.
type slot struct {
	token  model.Token
	pos    int
	parent int    // slot it follows, -1 at the start
	hidden uint64 // the state after it
}

// session runs any toy model. What a model sees is the cache, not the history:
// a stale, missing or misplaced entry shows in the next row.
type session struct {
	info  model.Info
	row   func(last model.Token, state uint64) []float32
	slots []slot
	base  int // slots[base:] is a tree that awaits Keep; -1 when there is none
}

func newSession(info model.Info, row func(model.Token, uint64) []float32) *session {
	return &session{info: info, row: row, base: -1}
}

func (s *session) Len() int     { return len(s.slots) }
func (s *session) Close() error { return nil }

func (s *session) Forward(tokens []model.Token, rows int) (model.Logits, error) {
	if rows < 0 || rows > len(tokens) {
		return nil, fmt.Errorf("modeltest: %d rows of %d tokens", rows, len(tokens))
	}
	if err := s.check(tokens); err != nil {
		return nil, err
	}
	var out logits
	for i, t := range tokens {
		s.push(t, len(s.slots)-1)
		if i >= len(tokens)-rows {
			out = append(out, s.top())
		}
	}
	return out, nil
}

func (s *session) ForwardTree(tokens []model.Token, parents []int) (model.Logits, error) {
	if err := s.check(tokens); err != nil {
		return nil, err
	}
	for i := range tokens {
		if parents[i] < -1 || parents[i] >= i {
			return nil, fmt.Errorf("modeltest: node %d has parent %d", i, parents[i])
		}
	}
	base := len(s.slots)
	var out logits
	for i, t := range tokens {
		s.push(t, base+parents[i])
		out = append(out, s.top())
	}
	s.base = base
	return out, nil
}

// check refuses tokens before anything is cached.
func (s *session) check(tokens []model.Token) error {
	if s.base >= 0 {
		return errors.New("modeltest: forward before Keep")
	}
	if n := s.info.Context; n > 0 && len(s.slots)+len(tokens) > n {
		return fmt.Errorf("modeltest: %d tokens after %d, context %d", len(tokens), len(s.slots), n)
	}
	for _, t := range tokens {
		if t < 0 || int(t) >= s.info.Vocab {
			return fmt.Errorf("modeltest: token %d, want below %d", t, s.info.Vocab)
		}
	}
	return nil
}

func (s *session) Keep(path []int) error {
	if s.base < 0 {
		return errors.New("modeltest: Keep without ForwardTree")
	}
	kept := slices.Clone(s.slots[:s.base])
	for _, i := range path {
		x := s.slots[s.base+i]
		x.parent = len(kept) - 1
		kept = append(kept, x)
	}
	s.slots, s.base = kept, -1
	return nil
}

func (s *session) Trim(n int) error {
	if n < 0 || n > len(s.slots) || s.base >= 0 {
		return fmt.Errorf("modeltest: trim to %d of %d: %w", n, len(s.slots), model.ErrTrim)
	}
	s.slots = s.slots[:n]
	return nil
}

func (s *session) Hidden(from, to int) (model.States, error) {
	if from < 0 || from > to || to > len(s.slots) {
		return nil, fmt.Errorf("modeltest: states [%d, %d) of %d", from, to, len(s.slots))
	}
	var out states
	for _, x := range s.slots[from:to] {
		out = append(out, x.hidden)
	}
	return out, nil
}

// push caches t after slot parent. Its state folds every entry it can see.
func (s *session) push(t model.Token, parent int) {
	pos := 0
	if parent >= 0 {
		pos = s.slots[parent].pos + 1
	}
	s.slots = append(s.slots, slot{token: t, pos: pos, parent: parent})
	s.slots[len(s.slots)-1].hidden = s.fold(len(s.slots) - 1)
}

func (s *session) fold(i int) uint64 {
	x := s.slots[i]
	if x.parent < 0 {
		return step(seed, x.token, x.pos)
	}
	return step(s.fold(x.parent), x.token, x.pos)
}

func (s *session) top() []float32 {
	x := s.slots[len(s.slots)-1]
	return s.row(x.token, x.hidden)
}

// states are the folds at some positions.
type states []uint64

func (s states) Len() int { return len(s) }

type logits [][]float32

func (l logits) Wait() error                       { return nil }
func (l logits) Read(row int, dst []float32) error { copy(dst, l[row]); return nil }
func (l logits) Argmaxes() ([]model.Token, error) {
	var ids []model.Token
	for _, row := range l {
		ids = append(ids, model.Token(slices.Index(row, slices.Max(row))))
	}
	return ids, nil
}
