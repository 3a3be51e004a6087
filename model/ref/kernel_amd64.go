//go:build goexperiment.simd && amd64

package ref

//go:generate go run attention_gen.go

import (
	"simd/archsimd"
	"unsafe"
)

const withVectors = true

// simd is the set for AVX2 with fused multiply-add, nil on a processor without.
var simd = func() *kernels {
	if !archsimd.X86.AVX2() || !archsimd.X86.FMA() {
		return nil
	}
	return &kernels{
		name: "avx2", panel: 12, product: vecProduct, scores: vecScores, softmax: vecSoftmax, mix: vecMix, scores2: vecScores2, mix2: vecMix2, divide: vecDivide, rotate: vecRotate,
		norm: vecNorm, gate: vecGate, add: vecAdd, best: vecBest, read: vecRead,
		blocks: vecBlocks()[0],
	}
}()

type vec = archsimd.Float32x8

func load(p unsafe.Pointer, bytes int) vec {
	return archsimd.LoadFloat32x8((*[lanes]float32)(unsafe.Add(p, bytes)))
}

func store(p unsafe.Pointer, bytes int, v vec) {
	v.Store((*[lanes]float32)(unsafe.Add(p, bytes)))
}

// spread loads one float into every lane. The load is of a vector: the compiler
// hoists scalar loads, and spills them. It reads three floats more.
func spread(p unsafe.Pointer, bytes int) vec {
	return archsimd.LoadFloat32x4((*[4]float32)(unsafe.Add(p, bytes))).Broadcast1To8()
}

// fold sums the lanes of four vectors: ((0+1)+(2+3)) + ((4+5)+(6+7)).
func fold(a, b, c, d vec) archsimd.Float32x4 {
	h := a.AddPairsGrouped(b).AddPairsGrouped(c.AddPairsGrouped(d))
	return h.GetLo().Add(h.GetHi())
}

func sum(a vec) float32 { return fold(a, a, a, a).GetElem(0) }

func data(x []float32) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(x)) }

func vecScores(dst, q, k []float32, stride, n int, scale float32) {
	_, _ = dst[n-1], k[(n-1)*stride+len(q)-1]
	qp, kp, s := data(q), data(k), archsimd.BroadcastFloat32x4(scale)
	row, width := 4*stride, 4*len(q)
	i := 0
	if len(q) == 64 && stride == 64 {
		scores64(data(dst), qp, kp, n/4, s)
		i = n / 4 * 4
	}
	for ; i+4 <= n; i += 4 {
		var a, b, c, d vec
		k0 := unsafe.Add(kp, i*row)
		k1, k2, k3 := unsafe.Add(k0, row), unsafe.Add(k0, 2*row), unsafe.Add(k0, 3*row)
		for o := 0; o < width; o += 4 * lanes {
			x := load(qp, o)
			a, b = load(k0, o).Mul(x).Add(a), load(k1, o).Mul(x).Add(b)
			c, d = load(k2, o).Mul(x).Add(c), load(k3, o).Mul(x).Add(d)
		}
		fold(a, b, c, d).Mul(s).Store((*[4]float32)(dst[i:]))
	}
	for ; i < n; i++ {
		var a vec
		for o := 0; o < width; o += 4 * lanes {
			a = load(qp, o).Mul(load(kp, i*row+o)).Add(a)
		}
		*(*int32)(unsafe.Pointer(&dst[i])) = fold(a, a, a, a).Mul(s).AsInt32x4().GetElem(0)
	}
	archsimd.ClearAVXUpperBits()
}

func vecScores2(dst0, dst1, q0, q1, k []float32, stride, n int, scale float32) {
	done := 0
	if len(q0) == 64 && stride == 64 {
		done = n / 4 * 4
		_, _, _, _ = dst0[n-1], dst1[n-1], q1[63], k[64*n-1]
		scores64x2(data(dst0), data(dst1), data(q0), data(q1), data(k), n/4, archsimd.BroadcastFloat32x4(scale))
		archsimd.ClearAVXUpperBits()
	}
	if done < n {
		vecScores(dst0[done:], q0, k[done*stride:], stride, n-done, scale)
		vecScores(dst1[done:], q1, k[done*stride:], stride, n-done, scale)
	}
}

func vecMix2(dst0, dst1, p0, p1, v []float32, stride, n int) {
	done := 0
	if len(dst0) == 64 && stride == 64 {
		done = n / 4 * 4
		_, _, _, _ = p0[n+2], p1[n+2], dst1[63], v[64*n-1]
		mix64x2(data(dst0), data(dst1), data(p0), data(p1), data(v), n/4)
		archsimd.ClearAVXUpperBits()
	}
	if done < n {
		vecMix(dst0, p0[done:], v[done*stride:], stride, n-done)
		vecMix(dst1, p1[done:], v[done*stride:], stride, n-done)
	}
}

// vecMix sums 64 columns at a time, then what is left by 8: a column's sum runs
// over the values in order either way.
func vecMix(dst, p, v []float32, stride, n int) {
	_, _ = p[n+2], v[(n-1)*stride+len(dst)-1]
	dp, pp, vp := data(dst), data(p), data(v)
	if len(dst) == 64 && stride == 64 {
		mix64(dp, pp, vp, n/8)
		done := n / 8 * 8
		n, pp, vp = n-done, unsafe.Add(pp, 4*done), unsafe.Add(vp, 256*done)
	}
	row, width := 4*stride, 4*len(dst)
	o := 0
	for ; o+256 <= width; o += 256 {
		y := unsafe.Add(dp, o)
		a, b, c, d := load(y, 0), load(y, 32), load(y, 64), load(y, 96)
		e, f, g, h := load(y, 128), load(y, 160), load(y, 192), load(y, 224)
		for i := range n {
			w, r := spread(pp, 4*i), unsafe.Add(vp, i*row+o)
			a, b = load(r, 0).Mul(w).Add(a), load(r, 32).Mul(w).Add(b)
			c, d = load(r, 64).Mul(w).Add(c), load(r, 96).Mul(w).Add(d)
			e, f = load(r, 128).Mul(w).Add(e), load(r, 160).Mul(w).Add(f)
			g, h = load(r, 192).Mul(w).Add(g), load(r, 224).Mul(w).Add(h)
		}
		store(y, 0, a)
		store(y, 32, b)
		store(y, 64, c)
		store(y, 96, d)
		store(y, 128, e)
		store(y, 160, f)
		store(y, 192, g)
		store(y, 224, h)
	}
	for ; o < width; o += 32 {
		a := load(dp, o)
		for i := range n {
			a = load(vp, i*row+o).Mul(spread(pp, 4*i)).Add(a)
		}
		store(dp, o, a)
	}
	archsimd.ClearAVXUpperBits()
}

func vecDivide(x []float32, by float32) {
	xp, b := data(x), archsimd.BroadcastFloat32x8(by)
	for o := 0; o < 4*len(x); o += 32 {
		store(xp, o, load(xp, o).Div(b))
	}
	archsimd.ClearAVXUpperBits()
}

// vecRotate leaves to plainRotate what is no whole vector: both round every product.
func vecRotate(head, turns []float32) {
	half := len(head) / 2
	if half%lanes != 0 {
		plainRotate(head, turns)
		return
	}
	_ = turns[2*half-1]
	hp, tp := data(head), data(turns)
	for o := 0; o < 4*half; o += 32 {
		a, b, cos, sin := load(hp, o), load(hp, o+4*half), load(tp, o), load(tp, o+4*half)
		store(hp, o, a.Mul(cos).Sub(b.Mul(sin)))
		store(hp, o+4*half, b.Mul(cos).Add(a.Mul(sin)))
	}
	archsimd.ClearAVXUpperBits()
}
