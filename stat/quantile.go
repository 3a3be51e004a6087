package stat

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// A Number is what has quantiles: figures and durations.
type Number interface{ ~int64 | ~float64 }

// Quantile is the least value that a share p of all does not exceed: the inverse of the
// empirical distribution, by nearest rank. It is one of the values, in any order given; of
// none it is NaN, and 0 for whole numbers.
func Quantile[T Number](p float64, values []T) T {
	if len(values) == 0 {
		return nothing[T]()
	}
	sorted := make([]float64, len(values))
	for i, v := range values {
		sorted[i] = float64(v)
	}
	slices.Sort(sorted)
	return T(stat.Quantile(p, stat.Empirical, sorted, nil))
}

// Median is Quantile of a half: of an even number of values the lower middle.
func Median[T Number](values []T) T { return Quantile(.5, values) }

// Mean is NaN of nothing.
func Mean(values []float64) float64 { return stat.Mean(values, nil) }

func nothing[T Number]() T {
	if half := T(1) / 2; half == 0 {
		return 0
	}
	return T(math.NaN())
}

// Rounds is the median of figures of which each is of a round, with the least and the
// greatest.
func Rounds(each []float64) Interval {
	i := Alone(Median(each), len(each))
	if len(each) > 0 {
		i.Low, i.High, i.Method = slices.Min(each), slices.Max(each), Span
	}
	return i
}
