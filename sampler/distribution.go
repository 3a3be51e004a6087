package sampler

import (
	"math"
	"slices"

	"foretoken/model"
)

// PointFingerprint is what the distribution of a deterministic choice carries.
const PointFingerprint = "point"

// A Distribution is the probability of each next token: what one draw at one
// position would do. It is immutable.
type Distribution struct {
	ids         []model.Token // ascending support
	probs       []float64     // positive, of sum 1
	fingerprint string        // of the builder that made it
}

// Point returns the distribution that always yields t.
func Point(t model.Token) Distribution {
	return Distribution{ids: []model.Token{t}, probs: []float64{1}, fingerprint: PointFingerprint}
}

// Fingerprint names the rules d was built by.
func (d Distribution) Fingerprint() string { return d.fingerprint }

// IsPoint reports whether d has a single token.
func (d Distribution) IsPoint() bool { return len(d.ids) == 1 }

// Prob returns the probability of t, zero outside the support.
func (d Distribution) Prob(t model.Token) float64 {
	if i, ok := slices.BinarySearch(d.ids, t); ok {
		return d.probs[i]
	}
	return 0
}

// Draw returns the token at u in [0, 1) of the inverse CDF, in token order.
func (d Distribution) Draw(u float32) model.Token {
	total := 0.0
	for _, p := range d.probs {
		total += p
	}
	target, sum := float64(u)*total, 0.0
	for i, p := range d.probs {
		if sum += p; sum > target {
			return d.ids[i]
		}
	}
	return d.ids[len(d.ids)-1]
}

// Sample draws from a stream in sequence. A point takes no number.
func (d Distribution) Sample(r *PCG32) model.Token {
	if d.IsPoint() {
		return d.ids[0]
	}
	return d.Draw(r.Float32())
}

// Residual returns normalize(max(p-q, 0)), what a refused draft is replaced
// from. Where rounding leaves no mass it returns p. Residual(q, Point(t)) is q
// given that it is not t.
func Residual(p, q Distribution) Distribution {
	r := Distribution{fingerprint: p.fingerprint}
	for i, t := range p.ids {
		if d := p.probs[i] - q.Prob(t); d > 0 {
			r.ids = append(r.ids, t)
			r.probs = append(r.probs, d)
		}
	}
	if len(r.ids) == 0 {
		return p
	}
	return r.normalised()
}

// Overlap returns the sum of min(p, q): the exact chance that one draw from q
// survives p.
func Overlap(p, q Distribution) float64 {
	sum := 0.0
	for i, t := range p.ids {
		sum += min(p.probs[i], q.Prob(t))
	}
	return sum
}

// softmax returns the distribution of row, whose entries may be -Inf.
func softmax(row []float32, temperature float32) Distribution {
	var d Distribution
	top := slices.Max(row)
	for i, l := range row {
		if e := math.Exp(float64(l-top) / float64(temperature)); e > 0 {
			d.ids = append(d.ids, model.Token(i))
			d.probs = append(d.probs, e)
		}
	}
	return d.normalised()
}

// normalised divides the probabilities, which the caller owns, by their sum.
func (d Distribution) normalised() Distribution {
	sum := 0.0
	for _, p := range d.probs {
		sum += p
	}
	for i := range d.probs {
		d.probs[i] /= sum
	}
	return d
}
