package spec

import (
	"time"

	"foretoken/draft"
	"foretoken/verify"
)

// A Round is what one round did. It holds only facts; rates are computed by
// whoever prints them.
type Round struct {
	Drafted  int // nodes proposed
	Judged   int // nodes the rule decided on: accepted and refused
	Accepted int // drafted tokens emitted
	Next     int // 1 if the target's own token was emitted, 0 if the end came first
	Kind     verify.NextKind

	Draft, Verify, Accept, Rest time.Duration // disjoint; together the round
}

// Emitted is the number of tokens a round added.
func (r Round) Emitted() int { return r.Accepted + r.Next }

// Time is the whole round's.
func (r Round) Time() time.Duration { return r.Draft + r.Verify + r.Accept + r.Rest }

// count fills in what became of a proposal. Rules judge siblings in order, so
// those before a kept one were refused, and those after it never judged.
func (r *Round) count(p draft.Proposal, v verify.Verdict, e emitted) {
	r.Accepted, r.Kind = len(e.path), v.Kind
	node := -1
	for _, kept := range e.path {
		for _, c := range p.Children(node) {
			if c <= kept {
				r.Judged++
			}
		}
		node = kept
	}
	if e.hasNext() {
		r.Next = 1
		r.Judged += len(p.Children(node))
	}
}

// uncount takes back the last n tokens emitted, which a stop string cut off.
// What was cut is as if it had not been judged.
func uncount(rounds []Round, n int) {
	for i := len(rounds) - 1; i >= 0 && n > 0; i-- {
		r := &rounds[i]
		if r.Next == 1 {
			r.Next, r.Judged, n = 0, r.Accepted, n-1
		}
		back := min(n, r.Accepted)
		r.Accepted, r.Judged, n = r.Accepted-back, r.Judged-back, n-back
	}
}

type clock struct{ last time.Time }

func startClock() *clock { return &clock{time.Now()} }

func (c *clock) lap() time.Duration {
	now := time.Now()
	d := now.Sub(c.last)
	c.last = now
	return d
}
