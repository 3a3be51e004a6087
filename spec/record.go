package spec

import (
	"math"
	"time"

	"foretoken/model"
	"foretoken/verify"
)

// A Round is what one round did. It holds only facts; rates are computed by
// whoever prints them.
type Round struct {
	Drafted  int // nodes proposed
	Judged   int // nodes the rule decided on: accepted and refused
	Accepted int // drafted tokens emitted
	Killed   int // of those refused, what the constraint forbade whatever the model thought
	Next     int // 1 if the target's own token was emitted, 0 if the end came first
	Kind     verify.NextKind
	Read     int64 // bytes of rows and ids that left the target's device; 0 where there is none

	Draft, Verify, Accept, Rest time.Duration // disjoint; together the round
}

// Emitted is the number of tokens a round added.
func (r Round) Emitted() int { return r.Accepted + r.Next }

// Time is the whole round's.
func (r Round) Time() time.Duration { return r.Draft + r.Verify + r.Accept + r.Rest }

// count fills in what became of a proposal. Rules judge siblings in order, so
// those before a kept one were refused, and those after it never judged.
func (r *Round) count(post *posterior, v verify.Verdict, e emitted) error {
	r.Accepted, r.Judged, r.Kind = len(e.path), len(e.path), v.Kind
	node := -1
	for i := 0; i <= len(e.path) && i < len(e.tokens); i++ {
		kept := math.MaxInt // after the path no sibling was
		if i < len(e.path) {
			kept = e.path[i]
		}
		var refused []model.Token
		for _, c := range post.proposal.Children(node) {
			if c < kept {
				refused = append(refused, post.proposal.Tokens[c])
			}
		}
		killed, err := post.forbids(node, refused)
		if err != nil {
			return err
		}
		r.Judged, r.Killed, node = r.Judged+len(refused), r.Killed+killed, kept
	}
	if e.hasNext() {
		r.Next = 1
	}
	return nil
}

// uncount takes back the last n tokens emitted, which a stop string cut off.
// What was cut is as if it had not been judged.
func uncount(rounds []Round, n int) {
	for i := len(rounds) - 1; i >= 0 && n > 0; i-- {
		r := &rounds[i]
		if r.Next == 1 {
			r.Next, r.Judged, r.Killed, n = 0, r.Accepted, 0, n-1
		}
		back := min(n, r.Accepted)
		r.Accepted, r.Judged, n = r.Accepted-back, r.Judged-back, n-back
	}
}

// bytesRead is what left a session's device so far.
func bytesRead(s model.Session) int64 {
	if m, ok := s.(model.ReadMeter); ok {
		return m.BytesRead()
	}
	return 0
}

type clock struct{ last time.Time }

func startClock() *clock { return &clock{time.Now()} }

func (c *clock) lap() time.Duration {
	now := time.Now()
	d := now.Sub(c.last)
	c.last = now
	return d
}
