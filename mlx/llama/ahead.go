package llama

import (
	"foretoken/mlx"
	"foretoken/model"
)

// An ahead is a step that was begun before it was asked for: its token is the best id
// of the row before, which never left the device. Its key and value stand after the
// session's last position, where the next Forward writes whatever comes.
type ahead struct {
	out   logits // none where no step was begun
	pos   int
	steps int  // that may still come
	miss  bool // the last step was not of the best id before it
}

// Pipeline implements model.Pipelined, where the device computes while the host does.
func (s *session) Pipeline(steps int) {
	if !s.m.engine.Overlaps() {
		steps = 0
	}
	s.ahead.steps, s.ahead.miss = steps, false
}

// lookAhead builds the step after the row that is about to be computed, and begins to
// compute both: the device has work while the host reads an id and builds again.
func (s *session) lookAhead(g *mlx.Graph) {
	a := &s.ahead
	if limit := s.m.config.Context; s.out.rows != 1 || a.out.rows != 0 || a.miss || a.steps < 1 || limit > 0 && s.n+1 > limit {
		return
	}
	if s.begin(g, s.out.scores, s.out.best); g.Err() != nil { // so that they wait for no more than themselves
		return
	}
	scores := s.next(g, s.n, s.out.arg)
	if g.Err() != nil {
		return
	}
	a.pos, a.out.s = s.n, s
	if a.out.set(g, []mlx.Array{g.Keep(scores)}, 1); g.Err() == nil {
		s.begin(g, a.out.scores, a.out.best)
	}
}

// adopt makes the step that was begun the session's last, if it is the one asked for.
func (s *session) adopt(tokens []model.Token, rows int) bool {
	a := &s.ahead
	best := s.out.rows == 1 && len(s.out.ids) == 1 && rows == 1 && len(tokens) == 1 && s.word(s.out.ids[0]) == tokens[0]
	a.miss = s.out.rows > 0 && !best
	if !best || a.out.rows == 0 || a.pos != s.n {
		return false
	}
	s.m.engine.Run(func(g *mlx.Graph) { s.out.free(g) })
	s.out, a.out = a.out, logits{}
	return true
}

// word is the token of an id of the logits.
func (s *session) word(id model.Token) model.Token {
	if s.words == nil {
		return id
	}
	return s.words[id]
}
