package spec_test

import (
	"math"
	"slices"

	"foretoken/model"
	"foretoken/sampler"
)

// An oracle knows the law without a builder: it is the formula written twice.
type oracle struct {
	rig
	name string
}

func (o oracle) enumerate(done []model.Token, p float64, out map[[lawLength]model.Token]float64) {
	if len(done) == lawLength {
		out[[lawLength]model.Token(done)] += p
		return
	}
	for x, px := range o.next(done) {
		if px > 0 {
			o.enumerate(append(slices.Clone(done), model.Token(x)), p*px, out)
		}
	}
}

// next returns the law of the token after the prompt and done.
func (o oracle) next(done []model.Token) []float64 {
	probs := make([]float64, o.target.Info().Real)
	allowed, forced := o.allowed(done)
	if forced >= 0 {
		probs[forced] = 1
		return probs
	}
	s, _ := o.target.NewSession()
	logits, _ := s.Forward(slices.Concat(o.prompt, done), 1)
	row := make([]float32, o.target.Info().Vocab)
	_ = logits.Read(0, row)
	pen := o.cfg.Penalties
	window, temperature, later := done, float64(o.cfg.Temperature), 1.0
	if o.cfg.Order == sampler.MLXLM { // the prompt counts, and temperature comes last
		window, temperature, later = slices.Concat(o.prompt, done), 1, temperature
	}
	window = window[max(0, len(window)-pen.Window):]
	for x := range probs {
		l, c := float64(row[x]), 0.0
		for _, t := range window {
			if int(t) == x {
				c++
			}
		}
		if c > 0 && l < 0 {
			l *= float64(pen.Repetition)
		} else if c > 0 {
			l /= float64(pen.Repetition)
		}
		if c > 0 {
			l -= float64(pen.Presence) + float64(pen.Frequency)*c
		}
		if allowed(model.Token(x)) {
			probs[x] = math.Exp(l / temperature)
		}
	}
	if o.cfg.TopK > 0 {
		o.filter(normalise(probs))
	}
	for x := range probs {
		probs[x] = math.Pow(probs[x], 1/later)
	}
	return normalise(probs)
}

// filter zeroes what the filters drop, by sorting everything.
func (o oracle) filter(probs []float64) {
	ids := make([]int, len(probs))
	for i := range ids {
		ids[i] = i
	}
	slices.SortStableFunc(ids, func(a, b int) int {
		switch {
		case probs[a] > probs[b]:
			return -1
		case probs[a] < probs[b]:
			return 1
		}
		return 0
	})
	above, top := 0.0, probs[ids[0]]
	for rank, i := range ids {
		p := probs[i]
		if above >= float64(o.cfg.TopP) || p < float64(o.cfg.MinP)*top || rank >= o.cfg.TopK && o.cfg.TopK > 0 {
			probs[i] = 0
		}
		above += p
	}
}

func normalise(probs []float64) []float64 {
	sum := 0.0
	for _, p := range probs {
		sum += p
	}
	for x := range probs {
		probs[x] /= sum
	}
	return probs
}

// allowed says the constraint's rule in the plainest way.
func (o oracle) allowed(done []model.Token) (func(model.Token) bool, int) {
	last := slices.Concat(o.prompt, done)[len(o.prompt)+len(done)-1]
	free := func(model.Token) bool { return true }
	grammar := func(x model.Token) bool { return x != last }
	switch {
	case o.name == "free":
		return free, -1
	case o.name == "grammar" || slices.Contains(done, 3):
		return grammar, -1
	case len(done) == 2:
		return free, 3
	}
	return free, -1
}
