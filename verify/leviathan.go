package verify

import (
	"fmt"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/sampler"
)

// Leviathan is speculative sampling of a chain (Leviathan et al. 2023, Algorithm
// 1): keep x with probability min(1, p(x)/q(x)), and replace the first one
// refused by a draw from normalize(max(p-q, 0)). On points it keeps while draft
// equals argmax.
type Leviathan struct{}

// Trees implements Rule.
func (Leviathan) Trees() bool { return false }

// Keeps implements Rule.
func (Leviathan) Keeps() Promise { return Law }

// Verify implements Rule.
func (Leviathan) Verify(d draft.Proposal, post Posterior, rng Streams) (Verdict, error) {
	var v Verdict
	for i, x := range d.Tokens {
		p, err := post(i - 1)
		if err != nil {
			return v, err
		}
		ok, err := accept(p, d.Dists[i], x, rng.Coin)
		if err != nil {
			return v, err
		}
		v.Judged = append(v.Judged, i)
		if !ok {
			v.Next, v.Kind = sampler.DrawResidual(p, d.Dists[i], rng.Target(i)), Correction
			return v, nil
		}
		v.Path = append(v.Path, i)
	}
	p, err := post(len(d.Tokens) - 1)
	if err == nil {
		v.Next = p.Draw(rng.Target(len(v.Path)))
	}
	return v, err
}

// accept tosses the coin of x only where the answer is open. It multiplies and
// never divides.
func accept(p, q sampler.Distribution, x model.Token, coin *sampler.PCG32) (bool, error) {
	px, qx := p.Prob(x), q.Prob(x)
	switch {
	case !(qx > 0) || px != px:
		return false, fmt.Errorf("verify: drafted token %d has q = %v, p = %v", x, qx, px)
	case px >= qx:
		return true, nil
	case px == 0:
		return false, nil
	}
	return float64(coin.Float32())*qx < px, nil
}
