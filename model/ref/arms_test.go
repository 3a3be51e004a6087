package ref

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

var benchRounds = flag.Int("rounds", 30, "rounds of the benchmark, each of all arms, turns times, in a random order")

// turns is how often a round runs an arm. The least time counts: what else runs on
// the machine adds to a time, and takes nothing off.
const turns = 3

// An arm is something timed in every round.
type arm struct {
	name  string
	run   func()
	times []float64 // milliseconds, of each round
}

// round adds a time to every arm.
func round(arms []*arm) {
	least := make([]float64, len(arms))
	for _, at := range rand.Perm(turns * len(arms)) {
		at %= len(arms)
		start := time.Now()
		arms[at].run()
		if t := time.Since(start).Seconds() * 1e3; least[at] == 0 || t < least[at] {
			least[at] = t
		}
	}
	for i, a := range arms {
		a.times = append(a.times, least[i])
	}
}

// interleave times arms in rounds, after a run of each that does not count.
func interleave(b *testing.B, arms []*arm) {
	for _, a := range arms {
		a.run()
	}
	for b.Loop() {
		for range *benchRounds {
			round(arms)
		}
	}
	fmt.Println()
}

// forward returns a Forward of n tokens after 200, rolled back.
func forward(b *testing.B, m *Model, n int) func() {
	r := rand.New(rand.NewPCG(1, 1))
	s, tokens := m.session(), ids(r, n, m.config.Vocab)
	s.cache.reserve(200)
	s.n = 200 // keys and values of zeros: they cost what others do
	return func() {
		l, err := s.Forward(tokens, n)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := l.Argmaxes(); err != nil {
			b.Fatal(err)
		}
		if err := s.Trim(200); err != nil {
			b.Fatal(err)
		}
	}
}

// ratio prints and reports x/y.
func ratio(b *testing.B, x, y *arm, name string) {
	n := len(x.times)
	r := make([]float64, n)
	for i := range r {
		r[i] = x.times[i] / y.times[i]
	}
	slices.Sort(r)
	lo, hi := medianInterval(n)
	fmt.Printf("%-22s %.3f [%.3f, %.3f], n %d; of the least times %.3f\n", name, r[n/2], r[lo], r[hi], n, slices.Min(x.times)/slices.Min(y.times))
	b.ReportMetric(r[n/2], name)
}

// medianInterval gives the ranks that hold the median with a chance of 95 % at
// least, by the binomial law; all of them below six.
func medianInterval(n int) (lo, hi int) {
	below, term := 0.0, 1.0
	for range n {
		term /= 2
	}
	for k := 0; k < n; k++ {
		if below += term; below > .025 {
			return max(k-1, 0), min(n-k, n-1)
		}
		term *= float64(n-k) / float64(k+1)
	}
	return 0, n - 1
}

// print says what an arm's rounds took.
func (a *arm) print() {
	fmt.Printf("%-16s median %7.2f ms, least %7.2f\n", a.name, slices.Sorted(slices.Values(a.times))[len(a.times)/2], slices.Min(a.times))
}
