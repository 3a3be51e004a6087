package results

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

const missing = "-"

// percent is "72 % [68, 76]", without the interval where there is none.
func percent(e Estimate) string { return estimate(e, 100, 1, " %") }

func decimals(e Estimate) string { return estimate(e, 1, 2, "") }

func percentOnly(x float64) string {
	if math.IsNaN(x) {
		return missing
	}
	return number(100*x, 1) + " %"
}

// FormatSpeedup is "1.32x [1.21, 1.44]"; "1.07x ~ [0.98, 1.17]" where the interval holds 1,
// so that the data do not resolve it; "1.07x ~ (n < 5)" where there is no interval.
func FormatSpeedup(e Estimate) string {
	switch {
	case math.IsNaN(e.Value):
		return missing
	case !e.Interval():
		return fmt.Sprintf("%s ~ (n < %d)", times(e.Value), minIntervalN)
	case !e.Resolved(1):
		return times(e.Value) + " ~ " + bracket(e, 1, 2)
	}
	return estimate(e, 1, 2, "x")
}

func estimate(e Estimate, scale float64, digits int, unit string) string {
	if math.IsNaN(e.Value) {
		return missing
	}
	s := number(scale*e.Value, digits) + unit
	if e.Interval() {
		s += " " + bracket(e, scale, digits)
	}
	return s
}

func bracket(e Estimate, scale float64, digits int) string {
	return "[" + number(scale*e.Low, digits) + ", " + number(scale*e.High, digits) + "]"
}

func number(x float64, digits int) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return missing
	}
	return strconv.FormatFloat(x, 'f', digits, 64)
}

func times(x float64) string {
	if s := number(x, 2); s != missing {
		return s + "x"
	}
	return missing
}

// span has three digits that matter.
func span(d time.Duration) string {
	switch {
	case d <= 0:
		return missing
	case d < time.Millisecond:
		return fmt.Sprintf("%.3g us", float64(d)/1e3)
	case d < time.Second:
		return fmt.Sprintf("%.3g ms", float64(d)/1e6)
	}
	return fmt.Sprintf("%.3g s", d.Seconds())
}

func bytesOf(n int64) string {
	if n <= 0 {
		return missing
	}
	return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20))
}
