package stat

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

// Missing stands for what was not measured.
const Missing = "-"

// A Format is how figures of a kind are written.
type Format struct {
	Digits int     // behind the point
	Short  bool    // no digits behind the point from 10 on
	Scale  float64 // of what is written: 100 for percent; 0 is 1
	Unit   string  // behind the value
	Ratio  bool    // of two arms: an interval that does not tell it from 1, and none, is marked by ~
}

// The formats of figures.
var (
	Plain   = Format{Digits: 2}
	Short   = Format{Digits: 2, Short: true}
	Percent = Format{Digits: 1, Scale: 100, Unit: " %"}
	Times   = Format{Digits: 2, Unit: "x"}              // a ratio, bare of doubts
	Speedup = Format{Digits: 2, Unit: "x", Ratio: true} // a ratio that is held against 1
	Over    = Format{Digits: 2, Ratio: true}            // the same without its unit
)

// Number writes a value without its unit.
func (f Format) Number(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return Missing
	}
	if f.Scale != 0 {
		x *= f.Scale
	}
	if f.Short && x >= 10 {
		f.Digits = 0
	}
	return strconv.FormatFloat(x, 'f', f.Digits, 64)
}

// Value writes a value.
func (f Format) Value(x float64) string {
	if s := f.Number(x); s != Missing {
		return s + f.Unit
	}
	return Missing
}

// Interval is "1.32x [1.21, 1.44]", and the value alone where there is no interval. Of a
// ratio it is "1.07x ~ [0.98, 1.17]" where the interval holds 1, so that the data do not
// resolve it, and "1.07x ~ (n < 5)" where there is none.
func (f Format) Interval(i Interval) string {
	s := f.Value(i.Value)
	switch {
	case s == Missing:
		return s
	case !i.Bounded() && f.Ratio:
		return fmt.Sprintf("%s ~ (n < %d)", s, Fewest)
	case !i.Bounded():
		return s
	case f.Ratio && !i.Resolved(1) && i.Low < i.High: // else it is an arm against itself
		s += " ~"
	}
	return s + " [" + f.Number(i.Low) + ", " + f.Number(i.High) + "]"
}

// Duration writes a time with three digits that matter.
func Duration(d time.Duration) string {
	switch {
	case d <= 0:
		return Missing
	case d < time.Millisecond:
		return fmt.Sprintf("%.3g us", float64(d)/1e3)
	case d < time.Second:
		return fmt.Sprintf("%.3g ms", float64(d)/1e6)
	}
	return fmt.Sprintf("%.3g s", d.Seconds())
}
