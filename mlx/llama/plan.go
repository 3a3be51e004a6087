package llama

import (
	"math"
	"sort"

	"foretoken/mlx"
	"foretoken/model"
)

// chooser is logits that build distributions where they lie, so that only what the
// filters leave is read back.
type chooser struct{ *logits }

// Execute implements model.PlanExecutor: twelve bytes leave the device, and eight for
// each token that is left.
func (l chooser) Execute(row int, p *model.Plan) (model.Support, error) {
	if err := l.check(row); err != nil {
		return model.Support{}, err
	}
	var out model.Support
	err := l.run(func(g *mlx.Graph) {
		raw := l.real(g, row, p.Real)
		z := edited(g, raw, p)
		s := survive(g, z, p)
		facts := make([]float32, 3)
		g.ReadFloats(facts, g.Concatenate(0, g.Max(raw), s.top, g.AsType(s.n, mlx.Float32)))
		if g.Err() != nil {
			return
		}
		if bad(facts[0]) && p.Mask != nil {
			g.Fail(blame(g, raw, row, p.Real)) // a mask would hide what is no logit
		} else if bad(facts[1]) {
			g.Fail(blame(g, z, row, p.Real))
		}
		if math.IsInf(float64(facts[1]), -1) {
			return
		}
		ids, scores := s.read(g, int(facts[2]))
		out = support(ids, scores, facts[1], p.Temperature)
	})
	return out, err
}

// real is a row's first n logits, in float32.
func (l *logits) real(g *mlx.Graph, row, n int) mlx.Array {
	return g.AsType(g.Reshape(g.Slice(l.scores, []int{row, 0}, []int{row + 1, n}), n), mlx.Float32)
}

// edited is z with p's mask, biases and penalties, in float32 as the host does them.
func edited(g *mlx.Graph, z mlx.Array, p *model.Plan) mlx.Array {
	if p.Mask != nil {
		allowed := make([]bool, p.Real)
		p.Mask.Bools(allowed)
		z = g.Where(g.FromBools(allowed, p.Real), z, g.Number(float32(math.Inf(-1))))
	}
	if n := len(p.Bias); n > 0 {
		ids, values := make([]int32, n), make([]float32, n)
		for i, b := range p.Bias {
			ids[i], values[i] = int32(b.Token), b.Value
		}
		at := g.FromInts(ids, n)
		z = g.Put(z, at, g.Add(g.Rows(z, at), g.FromFloats(values, n)))
	}
	if n := len(p.Seen); n > 0 {
		ids, often := make([]int32, n), make([]float32, n)
		for i, s := range p.Seen {
			ids[i], often[i] = int32(s.Token), p.Frequency*float32(s.N)
		}
		at := g.FromInts(ids, n)
		part, by := g.Rows(z, at), g.Number(p.Repetition)
		part = g.Where(g.Greater(g.Number(0), part), g.Multiply(part, by), g.Divide(part, by))
		part = g.Subtract(g.Subtract(part, g.Number(p.Presence)), g.FromFloats(often, n))
		z = g.Put(z, at, part)
	}
	return z
}

// bad is a row's maximum that no distribution has.
func bad(top float32) bool { return top != top || math.IsInf(float64(top), 1) }

// blame reads a row of n logits, and says which of them is none.
func blame(g *mlx.Graph, z mlx.Array, row, n int) error {
	scores := make([]float32, n)
	g.ReadFloats(scores, z)
	for i, v := range scores {
		if bad(v) {
			return &model.LogitError{Row: row, Token: model.Token(i), Value: v}
		}
	}
	return g.Err()
}

// support turns logits into probabilities, in float64 as the host does for few.
func support(ids []model.Token, scores []float32, top, temperature float32) model.Support {
	s := model.Support{Tokens: ids[:0]}
	sum := 0.0
	for i, z := range scores {
		w := 1.0
		if temperature > 0 {
			x := (float64(z) - float64(top)) / float64(temperature)
			if !(x >= faintest) {
				continue
			}
			w = math.Exp(x)
		}
		s.Tokens, s.Probs = append(s.Tokens, ids[i]), append(s.Probs, w)
		sum += w
	}
	for i := range s.Probs {
		s.Probs[i] /= sum
	}
	return s
}

// Rank implements model.Ranker: eight bytes an id leave the device, and twelve.
func (l chooser) Rank(row, real, k int, chosen model.Token) (model.Ranking, error) {
	if err := l.check(row); err != nil {
		return model.Ranking{}, err
	}
	out := model.Ranking{LogSumExp: math.Inf(-1)}
	err := l.run(func(g *mlx.Graph) {
		z := l.real(g, row, real)
		s := survive(g, z, &model.Plan{Real: real, Temperature: 1, FilterTemperature: math.MaxFloat32, TopK: max(k, 1)})
		at := g.FromInts([]int32{int32(chosen)}, 1)
		facts := make([]float32, 4)
		g.ReadFloats(facts, g.Concatenate(0, s.top, g.AsType(s.n, mlx.Float32), g.LogSumExp(z), g.Rows(z, at)))
		if g.Err() == nil && bad(facts[0]) {
			g.Fail(blame(g, z, row, real))
		}
		if g.Err() != nil || math.IsInf(float64(facts[0]), -1) {
			return
		}
		out.LogSumExp, out.Chosen = float64(facts[2]), facts[3]
		if k > 0 {
			out.Tokens, out.Logits = s.read(g, int(facts[1]))
		}
	})
	sort.Stable(bestFirst(out)) // ids ascend, and stay so among equals
	return out, err
}

// bestFirst sorts a ranking.
type bestFirst model.Ranking

func (r bestFirst) Len() int           { return len(r.Tokens) }
func (r bestFirst) Less(i, j int) bool { return r.Logits[i] > r.Logits[j] }
func (r bestFirst) Swap(i, j int) {
	r.Tokens[i], r.Tokens[j] = r.Tokens[j], r.Tokens[i]
	r.Logits[i], r.Logits[j] = r.Logits[j], r.Logits[i]
}
