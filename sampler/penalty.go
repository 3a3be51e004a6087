package sampler

import (
	"maps"
	"slices"

	"foretoken/model"
)

// penalise applies what a plan adds to logits, to row: biases, then repetition,
// presence and frequency of the ids seen.
func penalise(row []float32, p *model.Plan) {
	for _, b := range p.Bias {
		row[b.Token] += b.Value
	}
	for _, s := range p.Seen {
		l := row[s.Token]
		if l < 0 {
			l *= p.Repetition
		} else {
			l /= p.Repetition
		}
		l -= p.Presence
		row[s.Token] = l - p.Frequency*float32(s.N)
	}
}

// count appends to seen every id in [0, len(at)) of window with how often it
// stands there, in order of appearance. at is scratch, all zeros, and is so again
// afterwards.
func count(seen []model.Count, window []model.Token, at []int32) []model.Count {
	base := len(seen)
	for _, t := range window {
		switch {
		case t < 0 || int(t) >= len(at):
			continue
		case at[t] == 0:
			seen = append(seen, model.Count{Token: t})
			at[t] = int32(len(seen))
		}
		seen[at[t]-1].N++
	}
	for _, s := range seen[base:] {
		at[s.Token] = 0
	}
	return seen
}

// biases lists what c adds to ids [0, real).
func (c Config) biases(real int) []model.Bias {
	var out []model.Bias
	for _, t := range slices.Sorted(maps.Keys(c.LogitBias)) {
		if t >= 0 && int(t) < real {
			out = append(out, model.Bias{Token: t, Value: c.LogitBias[t]})
		}
	}
	return out
}
