//go:build goexperiment.simd && amd64

package ref

//go:generate go run attention_gen.go

import (
	"math"
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

// inverseRoot stands apart: no vector is in use there.
//
//go:noinline
func inverseRoot(total float32, n int, eps float32) float32 {
	return 1 / float32(math.Sqrt(float64(total/float32(n)+eps)))
}

func vecNorm(dst, x, w []float32, n int, eps float32) {
	xp, dp, wp, width := data(x), data(dst), data(w), 4*len(x)
	_, _ = dst[len(x)-1], w[len(x)-1]
	var a, b vec
	o := 0
	for ; o+64 <= width; o += 64 {
		u, v := load(xp, o), load(xp, o+32)
		a, b = a.Add(u.Mul(u)), b.Add(v.Mul(v))
	}
	for ; o < width; o += 32 {
		u := load(xp, o)
		a = a.Add(u.Mul(u))
	}
	total := sum(a.Add(b))
	archsimd.ClearAVXUpperBits()
	s := archsimd.BroadcastFloat32x8(inverseRoot(total, n, eps))
	for o := 0; o < width; o += 32 {
		store(dp, o, load(xp, o).Mul(s).Mul(load(wp, o)))
	}
	archsimd.ClearAVXUpperBits()
}

func vecSoftmax(s []float32) float32 {
	n := len(s)
	s = s[:(n+lanes-1)/lanes*lanes]
	for i := n; i < len(s); i++ {
		s[i] = -math.MaxFloat32
	}
	sp := data(s)
	top := topLane(lanesMax(s)).Broadcast1To8().AsFloat32x8()
	var total vec
	o := 0
	for ; o+128 <= 4*len(s); o += 128 {
		a, b, c, d := vecExp4(load(sp, o).Sub(top), load(sp, o+32).Sub(top), load(sp, o+64).Sub(top), load(sp, o+96).Sub(top))
		store(sp, o, a)
		store(sp, o+32, b)
		store(sp, o+64, c)
		store(sp, o+96, d)
		total = total.Add(a).Add(b).Add(c).Add(d)
	}
	for ; o < 4*len(s); o += 32 {
		e := vecExp(load(sp, o).Sub(top))
		store(sp, o, e)
		total = total.Add(e)
	}
	all := sum(total)
	archsimd.ClearAVXUpperBits()
	return all
}

// vecMax is the largest of x, whose length is a multiple of lanes; NaN where a lane
// ends with one.
func vecMax(x []float32) float32 {
	m := lanesMax(x)
	top := math.Float32frombits(uint32(topLane(m).GetElem(0)))
	if m.IsNaN().ToBits() != 0 {
		top = nan
	}
	archsimd.ClearAVXUpperBits()
	return top
}

var nan = float32(math.NaN())

// lanesMax is the largest of each lane of x.
func lanesMax(x []float32) vec {
	xp := data(x)
	m := load(xp, 0)
	for o := 32; o < 4*len(x); o += 32 {
		m = m.Max(load(xp, o))
	}
	return m
}

// topLane is the largest lane of m, in all lanes.
func topLane(m vec) archsimd.Int32x4 {
	h := m.GetLo().Max(m.GetHi())
	h = h.Max(h.AsInt32x4().PermuteScalars(2, 3, 0, 1).AsFloat32x4())
	return h.Max(h.AsInt32x4().PermuteScalars(1, 0, 3, 2).AsFloat32x4()).AsInt32x4()
}

// vecExp is plainExp. Of NaN and a bound the processor keeps the second, so x stands
// there.
func vecExp(x vec) vec {
	c := archsimd.BroadcastFloat32x8
	x = c(expMost).Min(c(expLeast).Max(x))
	n := x.Mul(c(math.Log2E)).RoundToEven()
	r := n.Mul(c(-ln2High)).Add(x)
	r = n.Mul(c(-ln2Low)).Add(r)
	e := r.Mul(c(1.0 / 5040)).Add(c(1.0 / 720))
	e = e.Mul(r).Add(c(1.0 / 120))
	e = e.Mul(r).Add(c(1.0 / 24))
	e = e.Mul(r).Add(c(1.0 / 6))
	e = e.Mul(r).Add(c(0.5))
	e = e.Mul(r).Add(c(1))
	e = e.Mul(r).Add(c(1))
	bits := n.ConvertToInt32().Add(archsimd.BroadcastInt32x8(127)).ShiftAllLeft(23)
	return e.Mul(bits.AsFloat32x8())
}

func vecGate(g, u []float32) {
	gp, up, zero, one := data(g), data(u), archsimd.BroadcastFloat32x8(0), archsimd.BroadcastFloat32x8(1)
	_ = u[len(g)-1]
	n := len(g) / lanes * lanes
	o := 0
	for ; o+128 <= 4*n; o += 128 {
		a, b, c, d := vecExp4(zero.Sub(load(gp, o)), zero.Sub(load(gp, o+32)), zero.Sub(load(gp, o+64)), zero.Sub(load(gp, o+96)))
		one := archsimd.BroadcastFloat32x8(1) // a call keeps no register
		store(gp, o, load(gp, o).Div(a.Add(one)).Mul(load(up, o)))
		store(gp, o+32, load(gp, o+32).Div(b.Add(one)).Mul(load(up, o+32)))
		store(gp, o+64, load(gp, o+64).Div(c.Add(one)).Mul(load(up, o+64)))
		store(gp, o+96, load(gp, o+96).Div(d.Add(one)).Mul(load(up, o+96)))
	}
	for ; o < 4*n; o += 32 {
		v := load(gp, o)
		store(gp, o, v.Div(vecExp(zero.Sub(v)).Add(one)).Mul(load(up, o)))
	}
	archsimd.ClearAVXUpperBits()
	if n == len(g) {
		return
	}
	var a, b [lanes]float32
	copy(a[:], g[n:])
	copy(b[:], u[n:])
	vecGate(a[:], b[:])
	copy(g[n:], a[:])
}

func vecAdd(x, y []float32) {
	xp, yp, n := data(x), data(y), len(x)/lanes*lanes
	_ = y[len(x)-1]
	for o := 0; o < 4*n; o += 32 {
		store(xp, o, load(xp, o).Add(load(yp, o)))
	}
	archsimd.ClearAVXUpperBits()
	plainAdd(x[n:], y[n:])
}

// vecBest finds the block with the largest value first, the lowest on a tie.
func vecBest(x []float32) int {
	const block = 512
	at := len(x) / block * block
	best := plainBest(x[at:]) // the rest, which loses a tie
	if at == len(x) {
		best = -1
	} else if best < 0 {
		return -1
	}
	top, from := float32(math.Inf(-1)), -1
	for i := 0; i < at; i += block {
		if m := vecMax(x[i : i+block]); m > top || from < 0 {
			top, from = m, i
		} else if m != m {
			return -1
		}
	}
	if best >= 0 {
		best += at
	}
	if from >= 0 && (best < 0 || x[best] <= top) {
		best = from + plainBest(x[from:from+block])
	}
	return best
}

func vecRead(x []float32) float32 {
	var a, b, c, d vec
	for xp, o := data(x), 0; o < 4*len(x); o += 128 {
		a, b = a.Add(load(xp, o)), b.Add(load(xp, o+32))
		c, d = c.Add(load(xp, o+64)), d.Add(load(xp, o+96))
	}
	return sum(a.Add(b).Add(c.Add(d)))
}
