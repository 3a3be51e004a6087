//go:build models

package ref

import (
	"fmt"
	"testing"

	"foretoken/model/checkpoint"
	"foretoken/model/modeltest"
)

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
	interleave(b, arms)
	for i, p := range paths() {
		a := arms[4*i : 4*i+4]
		for _, x := range a {
			x.print()
		}
		ratio(b, a[0], a[1], p.name+"-read/1row")
		ratio(b, a[2], a[1], p.name+"-5rows/1row")
		ratio(b, a[3], a[1], p.name+"-9rows/1row")
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

// BenchmarkPackedSmolLM2 is BenchmarkPackedForward of the real weights.
func BenchmarkPackedSmolLM2(b *testing.B) {
	benchForwards(b, func(k *kernels) *Model {
		m, _ := smolLM2(b, how{k: k, pool: cores()})
		return m
	})
}
