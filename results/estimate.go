package results

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"
)

// Bounds of the three ways to an interval, in clusters.
const (
	minIntervalN  = 5  // below: none
	minBootstrapN = 20 // from here: cluster bootstrap; below: t on n-1
	resamples     = 4000
)

// A Cluster is one prompt's share of a ratio.
type Cluster struct{ Y, X float64 }

// An Estimate is a ratio sum(Y)/sum(X) with a 95 % interval whose units are the
// clusters, because what happens within a prompt is not independent.
type Estimate struct {
	Value     float64 `json:"value"` // NaN where nothing was measured
	Low, High float64 // NaN where N is below 5
	N         int     // clusters with X > 0
}

// Resolved reports whether the interval lies on one side of x.
func (e Estimate) Resolved(x float64) bool { return e.Low > x || e.High < x }

// Interval reports whether there is one.
func (e Estimate) Interval() bool { return !math.IsNaN(e.Low) && !math.IsNaN(e.High) }

// Ratio estimates sum(Y)/sum(X). From 5 to 19 clusters the interval is the
// ratio estimator's with t on n-1 degrees (Cochran 1977, eq. 6.13, without the
// finite-population term); from 20 it is the percentile interval of a cluster
// bootstrap of fixed seed (Efron and Tibshirani 1993, section 13.3).
func Ratio(clusters []Cluster) Estimate {
	clusters = slices.DeleteFunc(slices.Clone(clusters), func(c Cluster) bool { return !(c.X > 0) })
	e := Estimate{Value: math.NaN(), Low: math.NaN(), High: math.NaN(), N: len(clusters)}
	if e.N == 0 {
		return e
	}
	y, x := sums(clusters)
	e.Value = y / x
	switch {
	case e.N < minIntervalN:
	case e.N < minBootstrapN:
		half := linearHalf(clusters, e.Value, x)
		e.Low, e.High = e.Value-half, e.Value+half
	default:
		e.Low, e.High = bootstrap(clusters)
	}
	return e
}

// Positive is Ratio of what is above 0, such as a ratio of times. From 5 to 19 clusters its
// interval is symmetric on the log (the delta method), so that it never reaches 0.
func Positive(clusters []Cluster) Estimate {
	e := Ratio(clusters)
	if e.N >= minIntervalN && e.N < minBootstrapN && e.Value > 0 {
		half := (e.High - e.Value) / e.Value
		e.Low, e.High = e.Value*math.Exp(-half), e.Value*math.Exp(half)
	}
	return e
}

// Proportion is Ratio of counts with Y <= X: its interval stays in [0, 1].
func Proportion(clusters []Cluster) Estimate {
	e := Ratio(clusters)
	e.Low, e.High = math.Max(e.Low, 0), math.Min(e.High, 1) // NaN stays
	return e
}

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

func bootstrap(clusters []Cluster) (low, high float64) {
	rng := rand.New(rand.NewPCG(0xf07e, uint64(len(clusters))))
	ratios := make([]float64, resamples)
	for i := range ratios {
		var y, x float64
		for range clusters {
			c := clusters[rng.IntN(len(clusters))]
			y, x = y+c.Y, x+c.X
		}
		ratios[i] = y / x
	}
	slices.Sort(ratios)
	return ratios[resamples*25/1000], ratios[resamples*975/1000-1]
}

func sums(clusters []Cluster) (y, x float64) {
	for _, c := range clusters {
		y, x = y+c.Y, x+c.X
	}
	return y, x
}

// median is the middle value, NaN of nothing.
func median(values []float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	s := slices.Sorted(slices.Values(values))
	return (s[(len(s)-1)/2] + s[len(s)/2]) / 2
}
