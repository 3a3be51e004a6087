package llama

import (
	"math"

	"foretoken/mlx"
	"foretoken/model"
)

// faintest is the exponent of a weight below which the sampler's host drops it.
const faintest = -125 * math.Ln2

// survivors are what filters leave of a row, on the device.
type survivors struct {
	top    mlx.Array // float32 [1]: the best logit
	n      mlx.Array // int32 [1]
	ids    mlx.Array // uint32 [Real+1]: n ids, ascending; what follows means nothing
	logits mlx.Array // [Real]: that all ids have
}

// survive ranks z, float32 [Real], and keeps a prefix of the ranking: equals rank by
// id, the lowest first. It sorts values and not ids, and finds the ids of the prefix by
// its last value, so that no order among equals is asked of the sort.
func survive(g *mlx.Graph, z mlx.Array, p *model.Plan) survivors {
	top := g.Max(z)
	var n mlx.Array
	if p.Temperature == 0 {
		n = g.AsType(g.Equal(top, top), mlx.Int32) // one
		return compact(g, z, top, n, top, p.Real)
	}
	ranked := g.Descending(z)
	n = prefix(g, ranked, top, p)
	return compact(g, z, top, n, g.Rows(ranked, g.Subtract(n, g.Integer(1))), p.Real)
}

// prefix is how many of a ranking p's filters keep, int32 [1].
func prefix(g *mlx.Graph, ranked, top mlx.Array, p *model.Plan) mlx.Array {
	w := relative(g, ranked, top, p.FilterTemperature)
	n := g.Count(g.Greater(w, g.Number(0)))
	if p.TopP > 0 {
		before, total := massBefore(g, w, p.Real)
		kept := g.Count(g.Greater(g.Multiply(total, g.Number(p.TopP)), before))
		if p.KeepTies {
			last := g.Rows(ranked, g.Subtract(kept, g.Integer(1)))
			kept = g.Count(g.AtLeast(ranked, last))
		}
		n = g.Minimum(n, kept)
	}
	if p.MinP > 0 {
		n = g.Minimum(n, g.Count(g.AtLeast(w, g.Number(p.MinP))))
	}
	if p.TopK > 0 {
		n = g.Minimum(n, g.Integer(p.TopK))
	}
	return n
}

// relative is the weights e^((z - top) / temperature), at most 1.
func relative(g *mlx.Graph, z, top mlx.Array, temperature float32) mlx.Array {
	x := g.Divide(g.Subtract(z, top), g.Number(temperature))
	return g.Where(g.AtLeast(x, g.Number(faintest)), g.Exp(x), g.Number(0))
}

// massBefore is the weight ranked before each of n, and all of it. float32 sums of a
// whole vocabulary would be off by more than the least that matters, so they go by
// parts.
func massBefore(g *mlx.Graph, w mlx.Array, n int) (before, total mlx.Array) {
	const part = 256
	parts := (n + part - 1) / part
	if pad := parts*part - n; pad > 0 {
		w = g.Concatenate(0, w, g.Zeros(mlx.Float32, pad))
	}
	w = g.Reshape(w, parts, part)
	within := g.CumSum(w)
	sums := g.Reshape(g.Slice(within, []int{0, part - 1}, []int{parts, part}), parts)
	upTo := g.CumSum(sums)
	total = g.Slice(upTo, []int{parts - 1}, []int{parts})
	before = g.Add(g.Reshape(g.Subtract(upTo, sums), parts, 1), g.Subtract(within, w))
	return g.Slice(g.Reshape(before, parts*part), []int{0}, []int{n}), total
}

// compact gathers the ids of the n best, of which last is the worst.
func compact(g *mlx.Graph, z, top, n, last mlx.Array, real int) survivors {
	above, ties := g.Greater(z, last), g.Equal(z, last)
	rank := g.CumSum(g.AsType(ties, mlx.Int32)) // among the ties
	keep := g.Or(above, g.And(ties, g.AtLeast(g.Subtract(n, g.Count(above)), rank)))
	place := g.Subtract(g.CumSum(g.AsType(keep, mlx.Int32)), g.Integer(1))
	place = g.Where(keep, place, g.Integer(real))
	ids := g.Put(g.Zeros(mlx.Uint32, real+1), place, g.Indices(real))
	return survivors{top: top, n: n, ids: ids, logits: z}
}

// read is the first n survivors, with their logits.
func (s survivors) read(g *mlx.Graph, n int) (ids []model.Token, logits []float32) {
	if n < 1 {
		return nil, nil
	}
	some := g.Slice(s.ids, []int{0}, []int{n})
	logits = make([]float32, n)
	g.ReadFloats(logits, g.Rows(s.logits, some))
	for _, id := range g.ReadIndices(n, some) {
		ids = append(ids, model.Token(id))
	}
	if g.Err() != nil {
		return nil, nil
	}
	return ids, logits
}
