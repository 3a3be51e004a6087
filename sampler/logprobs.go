package sampler

import (
	"fmt"
	"math"

	"foretoken/model"
)

// MaxLogprobs is how many alternatives a token may be reported with.
const MaxLogprobs = 20

// Logprobs is what the model itself thought of a token: natural logarithms of
// the softmax of its raw logits over the real ids, before mask, bias, penalties,
// temperature and filters.
type Logprobs struct {
	Token   model.Token
	Logprob float64        // of Token; -Inf where the model has no such word
	Top     []TokenLogprob // the best ids, best first; Token may be among them or not
}

// A TokenLogprob is one alternative.
type TokenLogprob struct {
	Token   model.Token
	Logprob float64
}

// Logprobs returns those of chosen and of the k best ids of a row, k in [0,
// MaxLogprobs]. It reads the row of the round that is being settled: whoever was
// not asked for log-probabilities does not call it, and a forced token has none.
func (b *Builder) Logprobs(l model.Logits, row int, chosen model.Token, k int) (Logprobs, error) {
	if k < 0 || k > MaxLogprobs {
		return Logprobs{}, fmt.Errorf("sampler: %d log-probabilities, want 0 to %d", k, MaxLogprobs)
	}
	if chosen < 0 || int(chosen) >= b.real {
		return Logprobs{}, fmt.Errorf("sampler: log-probability of token %d, want an id below %d", chosen, b.real)
	}
	if device, ok := model.As[model.Ranker](l); ok && b.width >= b.real {
		r, err := device.Rank(row, b.real, k, chosen)
		if err != nil {
			return Logprobs{}, err
		}
		return b.logprobsOf(r, row, chosen, k)
	}
	z, err := b.raw(l, row)
	if err != nil {
		return Logprobs{}, err
	}
	ranked, err := b.host.best(z, max(k, 1))
	if err != nil {
		return Logprobs{}, b.rawError(err, row)
	}
	top := ranked[0].logit()
	lse := float64(top) + math.Log(expSum(z, top, scale(1)))
	out := Logprobs{Token: chosen, Logprob: float64(z[chosen]) - lse}
	if k > 0 {
		out.Top = make([]TokenLogprob, 0, len(ranked))
	}
	for _, r := range ranked[:min(k, len(ranked))] {
		out.Top = append(out.Top, TokenLogprob{r.token(), float64(r.logit()) - lse})
	}
	return out, nil
}

// logprobsOf is what a device's ranking of a row comes to.
func (b *Builder) logprobsOf(r model.Ranking, row int, chosen model.Token, k int) (Logprobs, error) {
	if math.IsInf(r.LogSumExp, -1) {
		return Logprobs{}, b.rawError(ErrNoToken, row)
	}
	out := Logprobs{Token: chosen, Logprob: float64(r.Chosen) - r.LogSumExp}
	if k > 0 {
		out.Top = make([]TokenLogprob, 0, len(r.Tokens))
	}
	for i, t := range r.Tokens {
		out.Top = append(out.Top, TokenLogprob{t, float64(r.Logits[i]) - r.LogSumExp})
	}
	return out, nil
}

// raw is a row over the real ids, in place where it may be looked at there.
func (b *Builder) raw(l model.Logits, row int) ([]float32, error) {
	if v, ok := model.As[model.RowView](l); ok && b.width >= b.real {
		z, err := v.View(row)
		if err != nil {
			return nil, err
		}
		return z[:b.real], nil
	}
	err := l.Read(row, b.row[:b.width])
	return b.row[:b.real], err
}
