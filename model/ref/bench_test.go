//go:build models

package ref

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"foretoken/model/checkpoint"
	"foretoken/model/modeltest"
)

var benchRounds = flag.Int("rounds", 30, "rounds of the benchmark, each of all arms, turns times, in a random order")

// turns is how often a round runs an arm. The least time counts: what else runs on
// the machine adds to a time, and takes nothing off.
const turns = 3

// open loads SmolLM2-135M-Instruct, dequantised.
func open(t testing.TB, k *kernels) *Model {
	t.Helper()
	ck, err := checkpoint.Open(modeltest.SmolLM2(t))
	if err != nil {
		t.Fatal(err)
	}
	defer ck.Close()
	m, err := build(ck, how{floats: true, k: k, pool: cores()})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// An arm is something timed in every round.
type arm struct {
	name  string
	run   func()
	times []float64 // milliseconds, of each round
}

// BenchmarkSmolLM2 prints what decoding costs beside a streaming read of the same
// weights on the same cores, and what 5 and 9 rows cost beside one, whole model, 200
// tokens cached. Arms are interleaved; a ratio is the median of the rounds' ratios,
// with the 95 % interval of a median. The first run of an arm is not timed.
func BenchmarkSmolLM2(b *testing.B) {
	var arms []*arm
	for _, k := range paths() {
		m := open(b, k)
		arms = append(arms, &arm{name: k.name + " read", run: m.readAll})
		for _, n := range []int{1, 5, 9} {
			arms = append(arms, &arm{name: fmt.Sprintf("%s %d", k.name, n), run: forward(b, m, n)})
		}
	}
	for _, a := range arms {
		a.run()
	}
	for b.Loop() {
		for range *benchRounds {
			round(arms)
		}
	}
	fmt.Println()
	for i, p := range paths() {
		a := arms[4*i : 4*i+4]
		for _, x := range a {
			fmt.Printf("%-12s median %7.2f ms, least %7.2f\n", x.name, slices.Sorted(slices.Values(x.times))[len(x.times)/2], slices.Min(x.times))
		}
		ratio(b, a[0], a[1], p.name+"-read/1row")
		ratio(b, a[2], a[1], p.name+"-5rows/1row")
		ratio(b, a[3], a[1], p.name+"-9rows/1row")
	}
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

var sink float32

// readAll reads every weight that a step reads, on all cores.
func (m *Model) readAll() {
	const some = 1 << 18 // floats
	for _, w := range append([]matrix{m.head}, m.matrices()...) {
		x := w.(*dense).w
		m.pool.run((len(x)+some-1)/some, func(worker, i int) {
			v := m.k.read(x[i*some : min((i+1)*some, len(x))])
			if worker == 0 {
				sink = v
			}
		})
	}
}

func (m *Model) matrices() (all []matrix) {
	for _, y := range m.layers {
		all = append(all, y.matrices()...)
	}
	return all
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
