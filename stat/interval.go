// Package stat is the one place for statistics: quantiles, ratios of clusters, intervals,
// and how they are written. It imports nothing of ours.
package stat

import "math"

// A Method is how the ends of an interval were found.
type Method string

// The methods; "" is none, as too little was measured.
const (
	Linear    Method = "t"         // a ratio estimator's, t on n-1 degrees
	Log       Method = "t, log"    // the same, symmetric on the log
	Bootstrap Method = "bootstrap" // the percentiles 2.5 and 97.5 of resamples
	Span      Method = "span"      // not of 95 %: the least and the greatest
)

// An Interval is a value with what it may as well be: at 95 % unless its method says
// otherwise.
type Interval struct {
	Value     float64 // NaN where nothing was measured
	Low, High float64 // NaN where there is no interval
	N         int     // of the units that were drawn or counted
	Method    Method
}

// Alone is a value without an interval, of n units.
func Alone(value float64, n int) Interval {
	return Interval{Value: value, Low: math.NaN(), High: math.NaN(), N: n}
}

// Bounded reports whether there is an interval.
func (i Interval) Bounded() bool { return !math.IsNaN(i.Low) && !math.IsNaN(i.High) }

// Resolved reports whether the interval lies on one side of x.
func (i Interval) Resolved(x float64) bool { return i.Low > x || i.High < x }

// Within cuts the ends to [low, high].
func (i Interval) Within(low, high float64) Interval {
	i.Low, i.High = math.Max(i.Low, low), math.Min(i.High, high) // NaN stays
	return i
}
