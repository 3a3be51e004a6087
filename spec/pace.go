package spec

import (
	"math"
	"slices"
	"time"
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

// gap is a percentile of the gaps by nearest rank, q in (0, 1]; 0 without gaps.
func (p *pace) gap(q float64) time.Duration {
	if len(p.gaps) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(p.gaps))
	return sorted[int(math.Ceil(q*float64(len(sorted))))-1]
}
