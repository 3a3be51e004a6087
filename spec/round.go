package spec

import (
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

// bytesRead is what left a session's device so far.
func bytesRead(s model.Session) int64 {
	if m, ok := model.As[model.ReadMeter](s); ok {
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
