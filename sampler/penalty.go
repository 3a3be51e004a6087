package sampler

import "foretoken/model"

// penalise applies p to row for the window of at: repetition, then presence,
// then frequency.
func (p Penalties) penalise(row []float32, at Position) {
	if !p.Active() {
		return
	}
	n := len(at.History)
	window := at.History[n-min(at.Generated, p.Window, n):]
	count := map[model.Token]float32{}
	for _, t := range window {
		count[t]++
	}
	for t, c := range count {
		if int(t) < len(row) {
			row[t] = p.apply(row[t], c)
		}
	}
}

// apply penalises one logit that occurs c times in the window.
func (p Penalties) apply(l, c float32) float32 {
	if l < 0 {
		l *= p.Repetition
	} else {
		l /= p.Repetition
	}
	l -= p.Presence
	return l - p.Frequency*c
}
