package llama

import (
	"foretoken/mlx"
)

// A stack is matrices of one input: one above the other, and then one product, where they
// are alike, as all but those quantised to different bits are.
type stack struct {
	one   mlx.Linear   // none where they are apart
	parts []mlx.Linear // where they are
	rows  []int        // of each
}

func (s *stack) apart() bool { return s.parts != nil }

// each is every matrix's product with x [1, n, in].
func (s *stack) each(g *mlx.Graph, x mlx.Array) (products []mlx.Array) {
	if s.apart() {
		for _, m := range s.parts {
			products = append(products, g.Apply(m, x))
		}
		return products
	}
	y, at := g.Apply(s.one, x), 0
	for _, n := range s.rows {
		products = append(products, g.Part(y, 2, at, at+n))
		at += n
	}
	return products
}

// stack is matrices [rows, in] by their names, one above the other where they are alike.
func (l *loader) stack(names []string, rows []int, in int, bias bool) stack {
	s := stack{rows: rows}
	parts := make([]mlx.Linear, len(names))
	for i, name := range names {
		if parts[i] = l.matrix(name+".weight", rows[i], in); bias {
			parts[i].Bias = l.tensor(name+".bias", rows[i])
		}
	}
	for _, p := range parts[1:] {
		if p.Bits != parts[0].Bits || p.Group != parts[0].Group {
			for _, p := range parts {
				s.parts = append(s.parts, l.product(p, rows[len(s.parts)]*in))
			}
			return s
		}
	}
	total := 0
	for _, n := range rows {
		total += n
	}
	s.one = l.product(mlx.Linear{Group: parts[0].Group, Bits: parts[0].Bits,
		W:      l.above(parts, func(p mlx.Linear) mlx.Array { return p.W }),
		Scales: l.above(parts, func(p mlx.Linear) mlx.Array { return p.Scales }),
		Biases: l.above(parts, func(p mlx.Linear) mlx.Array { return p.Biases }),
		Bias:   l.above(parts, func(p mlx.Linear) mlx.Array { return p.Bias })}, total*in)
	return s
}

// above is an array of each part one above the other, in their place; none where they have
// none.
func (l *loader) above(parts []mlx.Linear, of func(mlx.Linear) mlx.Array) mlx.Array {
	var arrays []mlx.Array
	for _, p := range parts {
		arrays = append(arrays, of(p))
	}
	if arrays[0].None() {
		return mlx.Array{}
	}
	all := l.g.Concatenate(0, arrays...)
	l.drop(arrays)
	return l.keep(all)
}
