package ref

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func quantisedBy(k *kernels, x vectors, cols int) *quantised {
	q := new(quantised)
	q.reserve(x.n, cols)
	for v := range x.n {
		k.blocks.quantise(q, v, x.at(v)[:cols])
	}
	return q
}

// harsh are vectors whose blocks differ in size by far, with zeros, the limits of
// int8, halves between two and one that is nothing but noise.
func harsh(r *rand.Rand, n, cols int) vectors {
	x := newVectors(n, cols)
	for v := range n {
		for b := 0; b < cols; b += blockCols {
			size := float32(math.Exp2(float64(r.IntN(60) - 30)))
			for i := b; i < b+blockCols; i++ {
				switch r.IntN(4) {
				case 0:
					x.at(v)[i] = size * float32(r.NormFloat64())
				case 1:
					x.at(v)[i] = size * float32(r.IntN(255)-127) / 2
				case 2:
					x.at(v)[i] = size * 64
				}
			}
		}
	}
	clear(x.at(0)[:blockCols])
	return x
}

// Blocks are the same on every path; a value that is not finite stays to be seen.
func TestQuantise(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	x := harsh(r, 9, 640)
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	x.at(3)[70], x.at(4)[100], x.at(5)[5], x.at(6)[9] = nan, inf, 0x1p-140, math.MaxFloat32
	want := quantisedBy(plain, x, 640)
	for _, k := range sets() {
		got := quantisedBy(k, x, 640)
		if !slices.Equal(got.q, want.q) {
			t.Fatalf("%s: not the same integers", k.blocks.name)
		}
		for i, s := range got.scales {
			w := want.scales[i]
			if s != w && !(s.d != s.d && w.d != w.d) {
				t.Fatalf("%s: block %d has scales %v, want %v", k.blocks.name, i, s, w)
			}
		}
		for v, b := range map[int]int{3: 2, 4: 3} {
			if s := got.scales[b*9+v]; s.d == s.d || s.sum == s.sum {
				t.Errorf("%s: a block with NaN or an infinity has the scale %v", k.blocks.name, s)
			}
		}
	}
}

// What the plain product is made of is the same on every processor.
func TestPlainBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, f := range []format{nibbles, wideNibbles, signedBytes, wideBytes} {
		for range 3000 {
			w := make([]byte, f.bytes())
			for i := range w {
				w[i] = byte(r.Uint32())
			}
			var q [blockCols]int8
			for i := range q {
				q[i] = int8(r.IntN(255) - 127)
			}
			if r.IntN(10) == 0 { // the limits of all sums
				for i := range w {
					w[i] = 255
				}
				for i := range q {
					q[i] = 127 - int8(r.IntN(2))*127*2
				}
			}
			ours, other := make([]uint64, blockWords), make([]uint64, goBlockWords)
			plainWords(ours, &q)
			goWords(other, &q)
			var got, want, exact [packRows]int32
			plainSums(&got, f, w, ours)
			goSums(&want, f, w, other)
			for lane := range exact {
				for c, x := range q {
					exact[lane] += int32(f.weight(w, lane, c)) * int32(x)
				}
			}
			if got != exact || want != exact {
				t.Fatalf("%v: sums are %v and %v, want %v", f, got, want, exact)
			}
			var d, m, y [packRows]float32
			for i := range d {
				d[i], m[i], y[i] = float32(r.NormFloat64()), float32(r.NormFloat64()), float32(r.NormFloat64())*float32(math.Exp2(float64(r.IntN(40)-20)))
			}
			if f == signedBytes {
				m = [packRows]float32{}
			}
			of := quantiseBlock(&q, (*[blockCols]float32)(gauss(r, blockCols)))
			z := y
			plainFinish(&y, &got, f, &d, &m, of)
			goFinish(&z, &want, f, &d, &m, of)
			if y != z {
				t.Fatalf("%v: %v, want %v", f, y, z)
			}
		}
	}
}
