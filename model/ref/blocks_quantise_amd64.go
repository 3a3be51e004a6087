//go:build goexperiment.simd && amd64

package ref

import (
	"math"
	"simd/archsimd"
	"unsafe"
)

// blockForms are all that there are, the best first.
var blockForms = []blockForm{blocksAVX512, blocksAVX2}

// vecBlocks are those that this processor runs.
func vecBlocks() (sets []blockKernels) {
	for _, f := range blockForms {
		if f.lanes == lanes || archsimd.X86.AVX512() {
			sets = append(sets, f.set())
		}
	}
	return sets
}

func (f *blockForm) set() blockKernels {
	return blockKernels{name: f.name, panel: f.panel, quantise: vecQuantise, product: f.product}
}

// product: all the rows meet some of the vectors before the next, so a chunk of rows
// stays in the second-level cache.
func (f *blockForm) product(y vectors, p *packed, from, to int, x *quantised) {
	blocks, n := p.cols/blockCols, x.n
	_, _ = x.q[n*blocks*blockCols+15], x.scales[n*blocks]
	_ = y.data[(n-1)*y.stride+to-1]
	q, s, yp := unsafe.Pointer(unsafe.SliceData(x.q)), unsafe.Pointer(unsafe.SliceData(x.scales)), data(y.data)
	for v := 0; v < n; {
		left := (n - v + f.most - 1) / f.most
		m := (n - v + left - 1) / left
		kernel := f.kernels[p.f][m]
		for i := from; i < to; i += p.turns {
			groups := min(p.turns, to-i) / packRows
			for b := 0; b < blocks; b += p.panel {
				kernel(unsafe.Add(yp, 4*(v*y.stride+i)), 4*y.stride, unsafe.Pointer(unsafe.SliceData(p.at(i, b))), groups, min(p.panel, blocks-b),
					unsafe.Add(q, blockCols*(b*n+v)), blockCols*n, unsafe.Add(s, 16*(b*n+v)), 16*n)
			}
		}
		v += m
	}
	archsimd.ClearAVXUpperBits()
}

// vecQuantise is plainQuantise but for the words, which no vector product reads.
func vecQuantise(b *quantised, v int, x []float32) {
	xp, first, last := data(x), archsimd.LoadInt8x32(&firstBytes), archsimd.LoadInt8x32(&lastBytes)
	abs, top := archsimd.BroadcastInt32x8(1<<31-1), archsimd.BroadcastFloat32x4(127)
	order := archsimd.LoadUint32x8(&[8]uint32{0, 4, 1, 5, 2, 6, 3, 7})
	for i := 0; i < len(x)/blockCols; i++ {
		at := i*b.n + v
		x0, x1, x2, x3 := load(xp, 128*i), load(xp, 128*i+32), load(xp, 128*i+64), load(xp, 128*i+96)
		m := x0.AsInt32x8().And(abs).Max(x1.AsInt32x8().And(abs)).Max(x2.AsInt32x8().And(abs).Max(x3.AsInt32x8().And(abs)))
		h := m.GetLo().Max(m.GetHi())
		h = h.Max(h.PermuteScalars(2, 3, 0, 1))
		h = h.Max(h.PermuteScalars(1, 0, 3, 2))
		q, scale := (*[blockCols]int8)(b.q[at*blockCols:]), &b.scales[at]
		if bits := uint32(h.GetElem(0)); bits < negligibleBits || bits > mostBits {
			*q = [blockCols]int8{}
			scale.empty(bits)
			continue
		}
		largest := h.AsFloat32x4()
		inverse := top.Div(largest).Broadcast1To8()
		q0, q1, q2, q3 := nearest(x0, inverse), nearest(x1, inverse), nearest(x2, inverse), nearest(x3, inverse)
		t := q0.Add(q1).Add(q2.Add(q3))
		u := t.GetLo().Add(t.GetHi())
		u = u.Add(u.PermuteScalars(2, 3, 0, 1))
		u = u.Add(u.PermuteScalars(1, 0, 3, 2))
		d := largest.Div(top)
		of := d.Mul(u.ConvertToFloat32())
		low2, high2 := d.AsInt32x4().InterleaveLo(of.AsInt32x4()), u.ShiftAllLeft(7).InterleaveLo(archsimd.Int32x4{})
		low2.AsInt64x2().InterleaveLo(high2.AsInt64x2()).Store((*[2]int64)(unsafe.Pointer(scale)))
		// 16 bits each, low halves of the lanes before high ones, then their low bytes.
		low := q0.SaturateToInt16ConcatGrouped(q1).AsInt8x32().PermuteOrZeroGrouped(first)
		high := q2.SaturateToInt16ConcatGrouped(q3).AsInt8x32().PermuteOrZeroGrouped(last)
		low.Or(high).AsInt32x8().Permute(order).AsInt8x32().Store((*[32]int8)(unsafe.Pointer(q)))
	}
	archsimd.ClearAVXUpperBits()
}

// The bits of the least and the largest float that a block's largest may be.
const (
	negligibleBits = (127 - 100) << 23
	mostBits       = 0xff<<23 - 1
)

// empty is emptyScale, apart from where vectors are in use.
//
//go:noinline
func (s *blockScale) empty(bits uint32) { *s = emptyScale(math.Float32frombits(bits)) }

// firstBytes brings the low bytes of eight 16-bit numbers to the first half of 128
// bits, lastBytes to the last.
var firstBytes, lastBytes = func() (a, b [32]int8) {
	for i := range a {
		a[i], b[i] = -1, -1
		if i%16 < 8 {
			a[i] = int8(2 * (i % 16))
		} else {
			b[i] = int8(2 * (i%16 - 8))
		}
	}
	return a, b
}()

func nearest(x, inverse vec) archsimd.Int32x8 { return x.Mul(inverse).RoundToEven().ConvertToInt32() }
