package stat

// A Cluster is one unit's share of a ratio, as one prompt's: what happens within it is not
// independent.
type Cluster struct{ Y, X float64 }

// Clusters sums shares by their unit, in the order in which units come.
func Clusters[T any](items []T, share func(T) (unit string, c Cluster)) []Cluster {
	at := map[string]int{}
	var out []Cluster
	for _, item := range items {
		unit, c := share(item)
		i, ok := at[unit]
		if !ok {
			i = len(out)
			at[unit] = i
			out = append(out, Cluster{})
		}
		out[i].Y, out[i].X = out[i].Y+c.Y, out[i].X+c.X
	}
	return out
}

func sums(clusters []Cluster) (y, x float64) {
	for _, c := range clusters {
		y, x = y+c.Y, x+c.X
	}
	return y, x
}
