package sampler

import (
	"slices"

	"foretoken/model"
)

// A Channel is where a generated token belongs.
type Channel int

const (
	Answer    Channel = iota
	Reasoning         // inside the thinking block
	Marker            // a tag of the block: in neither text
)

// A Routed is a token and where it belongs.
type Routed struct {
	Token   model.Token
	Channel Channel
}

// A ThinkSplitter tells reasoning from answer, by token id: a tag that the text
// quotes is spelled by other tokens and closes nothing. A reply has one block at
// most. A tag that is several tokens is held back until it is whole or broken.
type ThinkSplitter struct {
	start, end []model.Token
	state      int // of the block: ahead, open, closed
	seen       int // tokens of the awaited tag that stand last
	held       []model.Token
	reasoning  int
}

const (
	blockAhead = iota
	blockOpen
	blockClosed
)

// NewThinkSplitter returns the splitter of a model whose tags are start and end;
// no start means that only a prompt opens a block. opened says that the prompt
// has: templates may end in an open tag.
func NewThinkSplitter(start, end []model.Token, opened bool) *ThinkSplitter {
	s := &ThinkSplitter{start: slices.Clone(start), end: slices.Clone(end)}
	switch {
	case len(end) == 0:
		panic("sampler: a thinking block that nothing closes")
	case opened:
		s.state = blockOpen
	case len(start) == 0:
		s.state = blockClosed
	}
	return s
}

// Push takes the next token and returns what is decided by it, in order.
func (s *ThinkSplitter) Push(t model.Token) []Routed {
	if s.state == blockClosed {
		return []Routed{{t, Answer}}
	}
	tag := s.start
	if s.state == blockOpen {
		tag = s.end
	}
	s.held = append(s.held, t)
	s.seen = advance(tag, s.seen, t)
	if s.seen < len(tag) {
		return s.release(len(s.held) - s.seen)
	}
	out := s.release(len(s.held) - s.seen)
	for _, t := range s.held {
		out = append(out, Routed{t, Marker})
	}
	s.held, s.seen = s.held[:0], 0
	s.state++
	return out
}

// Flush returns what is held back when the reply ends: a tag that never became
// whole is text.
func (s *ThinkSplitter) Flush() []Routed {
	s.seen = 0
	return s.release(len(s.held))
}

// Reasoning is the number of tokens routed there.
func (s *ThinkSplitter) Reasoning() int { return s.reasoning }

// Inside reports whether the block is open.
func (s *ThinkSplitter) Inside() bool { return s.state == blockOpen }

// release routes the first n held tokens as text of the current state.
func (s *ThinkSplitter) release(n int) []Routed {
	channel := Answer
	if s.state == blockOpen {
		channel = Reasoning
		s.reasoning += n
	}
	var out []Routed
	for _, t := range s.held[:n] {
		out = append(out, Routed{t, channel})
	}
	s.held = append(s.held[:0], s.held[n:]...)
	return out
}
