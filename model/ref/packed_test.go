package ref

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

// packable are the types that pack, with the format each has alone.
var packable = []checkpoint.DType{checkpoint.Q4_0, checkpoint.Q4_1, checkpoint.Q5_0, checkpoint.Q5_1, checkpoint.Q8_0, checkpoint.Q4_K, checkpoint.Q5_K,
	checkpoint.IQ4_NL, checkpoint.IQ4_XS, checkpoint.MXFP4}

func encoded(r *rand.Rand, d checkpoint.DType, rows, cols int) checkpoint.Tensor {
	return checkpoint.Tensor{Name: d.String(), Type: d, Shape: []int{rows, cols}, Data: checkpointtest.Encode(d, gauss(r, rows*cols))}
}

func packAll(t testing.TB, k *kernels, tensors ...checkpoint.Tensor) *packed {
	t.Helper()
	rows := 0
	for _, x := range tensors {
		rows += x.Shape[0]
	}
	l := &loader{how: how{k: k, pool: cores()}}
	p := l.packed(rows, tensors[0].Shape[1], tensors)
	if p == nil {
		t.Fatalf("%v does not pack", tensors[0].Type)
	}
	return p
}

// affine makes a matrix in MLX's groups.
func affine(r *rand.Rand, d checkpoint.DType, bits, size, rows, cols int) checkpoint.Tensor {
	t := checkpoint.Tensor{Name: "affine", Type: checkpoint.Affine, Shape: []int{rows, cols}, Data: make([]byte, rows*cols*bits/8)}
	for i := range t.Data {
		t.Data[i] = byte(r.Uint32())
	}
	n := cols / size
	of := func() checkpoint.Tensor {
		return checkpoint.Tensor{Type: d, Shape: []int{rows, n}, Data: checkpointtest.Encode(d, gauss(r, rows*n))}
	}
	t.Groups = &checkpoint.Groups{Bits: bits, Size: size, Scales: of(), Biases: of()}
	return t
}

// stacks are tensors of one type, and of several that need a wider format.
func stacks(r *rand.Rand, cols int) map[string][]checkpoint.Tensor {
	s := map[string][]checkpoint.Tensor{}
	for _, d := range packable {
		s[d.String()] = []checkpoint.Tensor{encoded(r, d, 133, cols)}
	}
	for _, bits := range []int{2, 3, 4, 5, 6, 8} {
		for _, d := range []checkpoint.DType{checkpoint.F32, checkpoint.F16, checkpoint.BF16} {
			for _, size := range []int{32, 64, 128} {
				s[fmt.Sprint(bits, " bits of ", size, " as ", d)] = []checkpoint.Tensor{affine(r, d, bits, size, 9, cols)}
			}
		}
	}
	pair := func(a, b checkpoint.DType) {
		s[fmt.Sprint(a, " over ", b)] = []checkpoint.Tensor{encoded(r, a, 5, cols), encoded(r, b, 30, cols)}
	}
	pair(checkpoint.Q4_1, checkpoint.Q4_K)
	pair(checkpoint.Q4_0, checkpoint.Q8_0)
	pair(checkpoint.Q8_0, checkpoint.Q5_K)
	pair(checkpoint.IQ4_NL, checkpoint.Q4_0)
	pair(checkpoint.MXFP4, checkpoint.Q4_K)
	return s
}

// A packed row is the checkpoint's, to the bit.
func TestPackedRows(t *testing.T) {
	for name, tensors := range stacks(rand.New(rand.NewPCG(1, 2)), 256) {
		p, at := packAll(t, plain, tensors...), 0
		for _, x := range tensors {
			rows, cols := x.Size()
			want, got := make([]float32, rows*cols), make([]float32, cols)
			if err := x.Float32(want); err != nil {
				t.Fatal(err)
			}
			for i := range rows {
				p.row(at+i, got)
				if !slices.Equal(got, want[i*cols:][:cols]) {
					t.Fatalf("%s: row %d is not the checkpoint's", name, i)
				}
			}
			at += rows
		}
	}
}

// sets are paths, and those with any other kernels of blocks that this processor runs.
func sets() []*kernels {
	all := paths()
	for i, b := range vecBlocks() {
		if simd != nil && i > 0 {
			k := *simd
			k.blocks = b
			all = append(all, &k)
		}
	}
	return all
}

// emulated is the set of AVX-512 on vectors of plain Go, where TestEmulated has it.
var emulated []*kernels

// The tests of packed rows run all sets of kernels that this processor has, and say so.
func TestPackedSets(t *testing.T) {
	var names []string
	for _, k := range append(sets(), emulated...) {
		names = append(names, k.blocks.name)
	}
	t.Logf("kernels of packed rows compared here: %s", strings.Join(names, ", "))
	if !slices.Contains(names, "avx512") {
		t.Log("AVX-512 is absent: its kernels are compiled, and run on vectors of plain Go alone")
	}
}

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

// A packed product is the same to the bit on every set of kernels, and for a vector
// alone and among others; and it is that of the blocks in float64, nearly.
func TestPackedProduct(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const most = 17
	for _, cols := range []int{256, 768} {
		x := harsh(r, most, cols)
		for name, tensors := range stacks(r, cols) {
			var want vectors
			for _, k := range append(sets(), emulated...) {
				p := packAll(t, k, tensors...)
				if want.data == nil {
					want = newVectors(most, p.rows)
					for v := range most {
						one := x.from(v)
						one.n = 1
						y := want.from(v)
						y.n = 1
						p.product(y, input{one, quantisedBy(k, one, cols)}, 0, p.rows)
					}
					nearFloat64(t, name, p, want, quantisedBy(plain, x, cols))
				}
				for n := 1; n <= most; n++ {
					some, y := x, newVectors(n, p.rows)
					some.n = n
					in := input{some, quantisedBy(k, some, cols)}
					for from := 0; from < p.rows; from += p.turns {
						p.product(y, in, from, min(from+p.turns, p.rows))
					}
					if !slices.Equal(y.data, want.data[:n*want.stride]) {
						t.Fatalf("%s, %s: %d vectors are not what one is on the plain path", name, k.blocks.name, n)
					}
				}
			}
		}
	}
}

func nearFloat64(t *testing.T, name string, p *packed, got vectors, x *quantised) {
	t.Helper()
	row := make([]float32, p.cols)
	for i := range p.rows {
		p.row(i, row)
		for v := range got.n {
			var want, size float64
			for c, w := range row {
				at := c/blockCols*x.n + v
				term := float64(w) * float64(x.q[at*blockCols+c%blockCols]) * float64(x.scales[at].d)
				want, size = want+term, size+math.Abs(term)
			}
			if d := math.Abs(float64(got.at(v)[i]) - want); d > 3e-6*size {
				t.Fatalf("%s: row %d of vector %d is %v, want %v", name, i, v, got.at(v)[i], want)
			}
		}
	}
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

// weight is u of a column.
func (f format) weight(w []byte, lane, c int) byte {
	if f.words() == 8 {
		return w[c/4*wordRow+4*lane+c%4]
	}
	return w[c/8*wordRow+4*lane+c%4] >> (c % 8 / 4 * 4) & 15
}

// Any bytes of a type that packs come back as the checkpoint reads them; what cannot
// be packed has a scale that is no finite number, or one that float16 lacks.
func FuzzPack(f *testing.F) {
	r := rand.New(rand.NewPCG(6, 6))
	for i, d := range packable {
		f.Add(i, checkpointtest.Encode(d, gauss(r, 512)))
		f.Add(i, bytes.Repeat([]byte{0xff}, 3*d.BlockBytes())) // NaN
		f.Add(i, bytes.Repeat([]byte{0x00, 0x7c}, 2*d.BlockBytes()))
		f.Add(i, bytes.Repeat([]byte{0xff, 0x7b}, 2*d.BlockBytes())) // the largest
		f.Add(i, bytes.Repeat([]byte{0x01, 0x80}, 2*d.BlockBytes())) // below 0, subnormal
	}
	f.Fuzz(func(t *testing.T, i int, data []byte) {
		d := packable[uint(i)%uint(len(packable))]
		rows := min(len(data)/d.BlockBytes(), 40)
		if rows == 0 {
			return
		}
		x := checkpoint.Tensor{Name: "fuzz", Type: d, Shape: []int{rows, d.Block()}, Data: data[:rows*d.BlockBytes()]}
		want, got := make([]float32, rows*d.Block()), make([]float32, d.Block())
		if err := x.Float32(want); err != nil {
			t.Fatal(err)
		}
		l := &loader{how: how{k: plain, pool: cores()}}
		p := l.packed(rows, d.Block(), []checkpoint.Tensor{x})
		if p == nil {
			sound := !slices.ContainsFunc(want, func(v float32) bool { return !finite(v) || v > 8000 || v < -8000 })
			if sound {
				t.Fatalf("%v does not pack, and all its values are small", d)
			}
			return
		}
		for i := range rows {
			p.row(i, got)
			for c, v := range got {
				if w := want[i*d.Block()+c]; v != w && !(v != v && w != w) {
					t.Fatalf("%v: row %d, column %d is %v, want %v", d, i, c, v, w)
				}
			}
		}
	})
}
