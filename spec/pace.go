package spec

import (
	"time"

	"foretoken/stat"
)

// pace is when emissions came.
type pace struct {
	start time.Time
	last  time.Time
	first time.Duration // from start to the first emission
	gaps  []time.Duration
}

func (p *pace) tick() {
	now := time.Now()
	if p.last.IsZero() {
		p.first = now.Sub(p.start)
	} else {
		p.gaps = append(p.gaps, now.Sub(p.last))
	}
	p.last = now
}

// gap is a quantile of the gaps; 0 without gaps.
func (p *pace) gap(q float64) time.Duration { return stat.Quantile(q, p.gaps) }
