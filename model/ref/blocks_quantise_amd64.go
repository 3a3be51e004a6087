//go:build goexperiment.simd && amd64

package ref

import (
	"math"
	"simd/archsimd"
	"unsafe"
)

// vecBlocks are those that this processor runs, the widest first.
func vecBlocks() (sets []blockKernels) {
	if archsimd.X86.AVX512() {
		sets = append(sets, blockSet("avx512", blocksAVX512, math.MaxInt))
	}
	return append(sets, blockSet("avx2", blocksAVX2, spreadFrom))
}

// blockSet makes a set of its products, which want so many vectors or more spread: one
// number for those who spread and those who read.
func blockSet(name string, kernels [formats][]blockKernel, spread int) blockKernels {
	return blockKernels{name, quantiseSpread(spread), blockProducts(kernels, spread)}
}

// blockProducts makes the product of a set of kernels. All the rows meet some of the
// vectors before the next: a chunk of rows stays in the second-level cache.
func blockProducts(kernels [formats][]blockKernel, spread int) func(y vectors, p *packed, from, to int, x *quantised) {
	return func(y vectors, p *packed, from, to int, x *quantised) {
		blocks, n := p.cols/blockCols, x.n
		_, _ = x.q[n*blocks*blockCols+15], x.scales[n*blocks]
		_ = y.data[(n-1)*y.stride+to-1]
		xp, each := unsafe.Pointer(unsafe.SliceData(x.q)), blockCols
		if n >= spread {
			_ = x.spread[n*blocks*spreadBytes-1]
			xp, each = unsafe.Pointer(unsafe.SliceData(x.spread)), spreadBytes
		}
		s, yp := unsafe.Pointer(unsafe.SliceData(x.scales)), data(y.data)
		for v := 0; v < n; {
			left := (n - v + blockVectors - 1) / blockVectors
			m := (n - v + left - 1) / left
			for i := from; i < to; i += p.turns {
				groups := min(p.turns, to-i) / packRows
				for b := 0; b < blocks; b += p.panel {
					kernels[p.f][m](unsafe.Add(yp, 4*(v*y.stride+i)), 4*y.stride, unsafe.Pointer(unsafe.SliceData(p.at(i, b))), groups, min(p.panel, blocks-b),
						unsafe.Add(xp, each*(b*n+v)), each*n, unsafe.Add(s, 16*(b*n+v)), 16*n)
				}
			}
			v += m
		}
	}
}

// vecQuantise is plainQuantise but for the words, which no vector product reads.
func vecQuantise(b *quantised, v int, x []float32) {
	xp, first, last := data(x), archsimd.LoadInt8x32(&firstBytes), archsimd.LoadInt8x32(&lastBytes)
	abs := archsimd.BroadcastInt32x8(1<<31 - 1)
	order := archsimd.LoadUint32x8(&[8]uint32{0, 4, 1, 5, 2, 6, 3, 7})
	for i := 0; i < len(x)/blockCols; i++ {
		at := i*b.n + v
		x0, x1, x2, x3 := load(xp, 128*i), load(xp, 128*i+32), load(xp, 128*i+64), load(xp, 128*i+96)
		m := x0.AsInt32x8().And(abs).Max(x1.AsInt32x8().And(abs)).Max(x2.AsInt32x8().And(abs).Max(x3.AsInt32x8().And(abs)))
		h := m.GetLo().Max(m.GetHi())
		largest := math.Float32frombits(uint32(max(h.GetElem(0), h.GetElem(1), h.GetElem(2), h.GetElem(3))))
		q := (*[blockCols]int8)(b.q[at*blockCols:])
		if !(largest >= negligible && largest <= math.MaxFloat32) {
			*q = [blockCols]int8{}
			b.scales[at] = emptyScale(largest)
			continue
		}
		inverse := archsimd.BroadcastFloat32x8(127 / largest)
		q0, q1, q2, q3 := nearest(x0, inverse), nearest(x1, inverse), nearest(x2, inverse), nearest(x3, inverse)
		t := q0.Add(q1).Add(q2.Add(q3))
		u := t.GetLo().Add(t.GetHi())
		u = u.AddPairs(u)
		sum := u.GetElem(0) + u.GetElem(1)
		d := largest / 127
		b.scales[at] = blockScale{d: d, sum: d * float32(sum), offset: 128 * sum}
		// 16 bits each, low halves of the lanes before high ones, then their low bytes.
		low := q0.SaturateToInt16ConcatGrouped(q1).AsInt8x32().PermuteOrZeroGrouped(first)
		high := q2.SaturateToInt16ConcatGrouped(q3).AsInt8x32().PermuteOrZeroGrouped(last)
		low.Or(high).AsInt32x8().Permute(order).AsInt8x32().Store((*[32]int8)(unsafe.Pointer(q)))
	}
}

// quantiseSpread is vecQuantise, with every block spread too where there are so many
// vectors or more.
func quantiseSpread(from int) func(b *quantised, v int, x []float32) {
	return func(b *quantised, v int, x []float32) {
		vecQuantise(b, v, x)
		if b.n >= from {
			spreadBlocks(b, v, len(x)/blockCols)
		}
	}
}

func spreadBlocks(b *quantised, v, blocks int) {
	for at := v; at < blocks*b.n; at += b.n {
		_, s, dst := b.q[at*blockCols+blockCols+11], &b.scales[at], unsafe.Pointer(&b.spread[at*spreadBytes])
		q := unsafe.Pointer(&b.q[at*blockCols])
		for j := range 8 {
			archsimd.LoadInt32x4((*[4]int32)(unsafe.Add(q, 4*j))).Broadcast1To8().Store((*[8]int32)(unsafe.Add(dst, 32*j)))
		}
		store(dst, 256, archsimd.BroadcastFloat32x8(s.d))
		store(dst, 288, archsimd.BroadcastFloat32x8(s.sum))
		archsimd.BroadcastInt32x8(s.offset).Store((*[8]int32)(unsafe.Add(dst, 320)))
	}
}

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
