package stat

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Bounds of the ways to an interval, in units.
const (
	Fewest    = 5  // below: there is none
	bootstrap = 20 // from here: cluster bootstrap; below: t on n-1
)

// Ratio estimates sum(Y)/sum(X). From 5 to 19 clusters the interval is the
// ratio estimator's with t on n-1 degrees (Cochran 1977, eq. 6.13, without the
// finite-population term); from 20 it is the percentile interval of a cluster
// bootstrap. Clusters without X do not count.
func Ratio(clusters []Cluster) Interval {
	clusters = slices.DeleteFunc(slices.Clone(clusters), func(c Cluster) bool { return !(c.X > 0) })
	y, x := sums(clusters)
	i := Alone(y/x, len(clusters))
	switch {
	case i.N < Fewest:
		return i
	case i.N < bootstrap:
		half := linearHalf(clusters, i.Value, x)
		i.Low, i.High, i.Method = i.Value-half, i.Value+half, Linear
		return i
	}
	var ratios []float64
	Resample(4000, []int{i.N}, func(drawn [][]int) {
		var y, x float64
		for _, k := range drawn[0] {
			y, x = y+clusters[k].Y, x+clusters[k].X
		}
		ratios = append(ratios, y/x)
	})
	return Percentiles(i.Value, ratios, i.N)
}

// Positive is Ratio of what is above 0, such as a ratio of times. From 5 to 19 clusters its
// interval is symmetric on the log (the delta method), so that it never reaches 0.
func Positive(clusters []Cluster) Interval {
	i := Ratio(clusters)
	if i.Method == Linear && i.Value > 0 {
		half := (i.High - i.Value) / i.Value
		i.Low, i.High, i.Method = i.Value*math.Exp(-half), i.Value*math.Exp(half), Log
	}
	return i
}

// Proportion is Ratio of counts with Y <= X: its interval stays in [0, 1].
func Proportion(clusters []Cluster) Interval { return Ratio(clusters).Within(0, 1) }

// linearHalf is t(n-1) * sqrt(s2/n) / mean(X), s2 the variance of Y - R*X.
func linearHalf(clusters []Cluster, ratio, sumX float64) float64 {
	n := float64(len(clusters))
	var ss float64
	for _, c := range clusters {
		d := c.Y - ratio*c.X
		ss += d * d
	}
	t := distuv.StudentsT{Sigma: 1, Nu: n - 1}.Quantile(.975)
	return t * math.Sqrt(ss/(n-1)/n) / (sumX / n)
}
