//go:build goexperiment.simd && amd64

package ref

import (
	"math"
	"simd/archsimd"
)

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
