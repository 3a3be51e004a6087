package stat

import (
	"math"
	"testing"
)

// A ratio that the data do not tell from 1 is marked, and so is one without an interval.
func TestSpeedupFormat(t *testing.T) {
	nan := math.NaN()
	for want, e := range map[string]Interval{
		"1.32x [1.21, 1.44]":   {Value: 1.32, Low: 1.21, High: 1.44, N: 9},
		"0.80x [0.70, 0.90]":   {Value: .8, Low: .7, High: .9, N: 9},
		"1.05x ~ [0.90, 1.20]": {Value: 1.05, Low: .9, High: 1.2, N: 9},
		"1.50x ~ (n < 5)":      {Value: 1.5, Low: nan, High: nan, N: 4},
		"1.00x [1.00, 1.00]":   {Value: 1, Low: 1, High: 1, N: 9}, // an arm against itself
		"-":                    {Value: nan, Low: nan, High: nan, N: 0},
	} {
		if got := Speedup.Interval(e); got != want {
			t.Errorf("%+v prints %q, want %q", e, got, want)
		}
	}
}

// Every kind of figure is written with its own digits and unit, and a missing one as a dash.
func TestFormats(t *testing.T) {
	i := Interval{Value: .7251, Low: .68, High: .761, N: 9}
	for _, c := range []struct{ got, want string }{
		{Percent.Interval(i), "72.5 % [68.0, 76.1]"}, {Plain.Interval(i), "0.73 [0.68, 0.76]"}, {Percent.Interval(Alone(.5, 3)), "50.0 %"},
		{Times.Value(1.2), "1.20x"}, {Short.Interval(Rounds([]float64{9.5, 30, 12})), "12 [9.50, 30]"}, {Plain.Value(math.Inf(1)), "-"}, {Plain.Interval(Alone(math.NaN(), 0)), "-"},
		{Duration(0), "-"}, {Duration(1500), "1.5 us"}, {Duration(2345678), "2.35 ms"}, {Duration(2e9), "2 s"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}
