package mlx

// manyQueries is from where on queries are a prompt's, for which one call is better.
const manyQueries = 32

// attendByFew is Attention of n queries in parts: each sees the keys up to its last
// query's.
func (g *Graph) attendByFew(q, k, v Array, scale float32, n, few int) Array {
	keys := int(g.e.lib.Shape(k.h)[2])
	var parts []Array
	for at := 0; at < n; at += few {
		some := min(few, n-at)
		seen := keys - n + at + some
		parts = append(parts, g.Attention(g.Part(q, 2, at, at+some), g.Part(k, 2, 0, seen), g.Part(v, 2, 0, seen), scale, some, Array{}))
	}
	return g.Concatenate(2, parts...)
}
