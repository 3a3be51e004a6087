package stat

import (
	"math"
	"testing"
	"time"
)

// A quantile is one of the values, by nearest rank: of an even number the median is the lower
// middle, for figures and for times.
func TestQuantile(t *testing.T) {
	for _, c := range []struct {
		p      float64
		values []float64
		want   float64
	}{{.5, []float64{3, 1, 2}, 2}, {.5, []float64{4, 1, 3, 2}, 2}, {.95, []float64{5, 4, 3, 2, 1}, 5}, {.6, []float64{5, 4, 3, 2, 1}, 3}, {1, []float64{7}, 7}} {
		if got := Quantile(c.p, c.values); got != c.want {
			t.Errorf("quantile %v of %v is %v, want %v", c.p, c.values, got, c.want)
		}
		var times []time.Duration
		for _, v := range c.values {
			times = append(times, time.Duration(v))
		}
		if got := Quantile(c.p, times); got != time.Duration(c.want) {
			t.Errorf("quantile %v of the times %v is %v, want %v", c.p, times, got, c.want)
		}
	}
	if values := []float64{3, 1, 2}; Median(values) != 2 || values[0] != 3 {
		t.Errorf("%v was sorted by its median", values)
	}
	if !math.IsNaN(Median([]float64{})) || Median([]time.Duration{}) != 0 || !math.IsNaN(Mean(nil)) {
		t.Error("nothing has a median or a mean")
	}
	if i := Rounds([]float64{2, 9, 4, 3}); i.Value != 3 || i.Low != 2 || i.High != 9 || i.N != 4 || i.Method != Span {
		t.Errorf("%+v", i)
	}
	if i := Rounds(nil); i.Bounded() || !math.IsNaN(i.Value) {
		t.Errorf("%+v of no rounds", i)
	}
}

// Resamples are the same every time, of every group as many units as it has, and the
// interval cuts off as many below as above.
func TestResample(t *testing.T) {
	var sums [2][]float64
	for k := range sums {
		Resample(400, []int{6, 2}, func(drawn [][]int) {
			if len(drawn[0]) != 6 || len(drawn[1]) != 2 {
				t.Fatal(drawn)
			}
			sum := 0.
			for _, i := range drawn[0] {
				sum += float64(i) / 6
			}
			sums[k] = append(sums[k], sum)
		})
	}
	a, b := Percentiles(2.5, sums[0], 6), Percentiles(2.5, sums[1], 6)
	if a != b || a.Method != Bootstrap || a.N != 6 || !(a.Low < 2.5 && a.High > 2.5) {
		t.Errorf("%+v and %+v", a, b)
	}
	var all []float64
	for i := range 80 {
		all = append(all, float64(79-i))
	}
	if i := Percentiles(40, all, 5); i.Low != 2 || i.High != 77 {
		t.Errorf("%+v, want two of eighty cut off on each side", i)
	}
	if i := Percentiles(40, all, 4); i.Bounded() || i.Method != "" {
		t.Errorf("%+v of 4 units", i)
	}
}

// Shares are summed by unit, in the order in which units come.
func TestClusters(t *testing.T) {
	got := Clusters([]string{"b", "a", "b"}, func(s string) (string, Cluster) { return s, Cluster{1, 2} })
	if len(got) != 2 || got[0] != (Cluster{2, 4}) || got[1] != (Cluster{1, 2}) {
		t.Error(got)
	}
}
