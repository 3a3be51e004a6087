package ref

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

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
