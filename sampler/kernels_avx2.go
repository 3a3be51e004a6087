//go:build goexperiment.simd && amd64

package sampler

import (
	"math/bits"
	"simd/archsimd"
)

type f8 = archsimd.Float32x8

func load8(x []float32, i int) f8 { return archsimd.LoadFloat32x8Slice(x[i : i+8]) }

// max8 is maxPlain for at least 32 elements.
func max8(x []float32) (float32, bool) {
	a, b, c, d := load8(x, 0), load8(x, 8), load8(x, 16), load8(x, 24)
	bad := a.IsNaN().Or(b.IsNaN()).Or(c.IsNaN().Or(d.IsNaN()))
	i := 32
	for ; i+32 <= len(x); i += 32 {
		p, q, r, s := load8(x, i), load8(x, i+8), load8(x, i+16), load8(x, i+24)
		a, b, c, d = a.Max(p), b.Max(q), c.Max(r), d.Max(s)
		// A NaN in either of two makes the sum one; so may +Inf, as it should.
		bad = bad.Or(p.Add(q).IsNaN()).Or(r.Add(s).IsNaN())
	}
	var lanes [8]float32
	a.Max(b).Max(c.Max(d)).Store(&lanes)
	found := bad.ToBits() != 0
	archsimd.ClearAVXUpperBits()
	if found {
		return maxPlain(x)
	}
	top, ok := maxPlain(lanes[:])
	if i < len(x) && ok {
		var rest float32
		rest, ok = maxPlain(x[i:])
		top = max(top, rest)
	}
	return top, ok
}

// exp8 is expIntoPlain, or where dst is nil, and then with the sum of each flush in
// float32, expSumPlain.
func exp8(dst, x []float32, top, scale float32) float64 {
	best, factor, low := archsimd.BroadcastFloat32x8(top), archsimd.BroadcastFloat32x8(scale), archsimd.BroadcastFloat32x8(floor)
	k1, k2, k3 := archsimd.BroadcastFloat32x8(c1), archsimd.BroadcastFloat32x8(c2), archsimd.BroadcastFloat32x8(c3)
	k4, k5, k6 := archsimd.BroadcastFloat32x8(c4), archsimd.BroadcastFloat32x8(c5), archsimd.BroadcastFloat32x8(c6)
	one := archsimd.BroadcastFloat32x8(1)
	sum := 0.0
	i := 0
	for i+16 <= len(x) {
		from := i
		s, t := archsimd.BroadcastFloat32x8(0), archsimd.BroadcastFloat32x8(0)
		for end := min(len(x), i+flush); i+16 <= end; i += 16 {
			a, b := load8(x, i).Sub(best).Mul(factor), load8(x, i+8).Sub(best).Mul(factor)
			liveA, liveB := a.GreaterEqual(low), b.GreaterEqual(low)
			a, b = a.Max(low), b.Max(low)
			na, nb := a.RoundToEven(), b.RoundToEven()
			a, b = a.Sub(na), b.Sub(nb)
			ya, yb := k6.MulAdd(a, k5), k6.MulAdd(b, k5)
			ya, yb = ya.MulAdd(a, k4), yb.MulAdd(b, k4)
			ya, yb = ya.MulAdd(a, k3), yb.MulAdd(b, k3)
			ya, yb = ya.MulAdd(a, k2), yb.MulAdd(b, k2)
			ya, yb = ya.MulAdd(a, k1), yb.MulAdd(b, k1)
			ya, yb = ya.MulAdd(a, one), yb.MulAdd(b, one)
			ya = ya.AsInt32x8().Add(na.ConvertToInt32().ShiftAllLeft(23)).AsFloat32x8().Masked(liveA)
			yb = yb.AsInt32x8().Add(nb.ConvertToInt32().ShiftAllLeft(23)).AsFloat32x8().Masked(liveB)
			s, t = s.Add(ya), t.Add(yb)
			if dst != nil {
				ya.StoreSlice(dst[i : i+8])
				yb.StoreSlice(dst[i+8 : i+16])
			}
		}
		if dst != nil {
			sum += sum8(dst[from:i])
			continue
		}
		var lanes [4]float64
		s = s.Add(t)
		s.GetLo().ConvertToFloat64().Add(s.GetHi().ConvertToFloat64()).Store(&lanes)
		for _, v := range lanes {
			sum += v
		}
	}
	archsimd.ClearAVXUpperBits()
	if dst != nil {
		return sum + expIntoPlain(dst[i:], x[i:], top, scale)
	}
	return sum + expSumPlain(x[i:], top, scale)
}

// sum8 adds in float64; the length of x is a multiple of 16.
func sum8(x []float32) float64 {
	var lanes [4]float64
	zero := archsimd.BroadcastFloat64x4(0)
	a, b, c, d := zero, zero, zero, zero
	for ; len(x) >= 16; x = x[16:] {
		w := (*[16]float32)(x)
		a = a.Add(archsimd.LoadFloat32x4((*[4]float32)(w[0:])).ConvertToFloat64())
		b = b.Add(archsimd.LoadFloat32x4((*[4]float32)(w[4:])).ConvertToFloat64())
		c = c.Add(archsimd.LoadFloat32x4((*[4]float32)(w[8:])).ConvertToFloat64())
		d = d.Add(archsimd.LoadFloat32x4((*[4]float32)(w[12:])).ConvertToFloat64())
	}
	a.Add(b).Add(c.Add(d)).Store(&lanes)
	sum := 0.0
	for _, v := range lanes {
		sum += v
	}
	return sum
}

// above8 is abovePlain over whole groups of 32, while dst has room for one more.
func above8(dst []int32, x []float32, from int, least float32) (n, next int) {
	t := archsimd.BroadcastFloat32x8(least)
	i := from
	for ; i+32 <= len(x) && n+32 <= len(dst); i += 32 {
		a, b := load8(x, i).LessEqual(t), load8(x, i+8).LessEqual(t)
		c, d := load8(x, i+16).LessEqual(t), load8(x, i+24).LessEqual(t)
		if a.And(b).And(c.And(d)).ToBits() == 0xff {
			continue
		}
		set := uint32(a.ToBits()) | uint32(b.ToBits())<<8 | uint32(c.ToBits())<<16 | uint32(d.ToBits())<<24
		if set == 0 {
			run(dst[n:n+32], i)
			n += 32
			continue
		}
		n = hits(dst, n, i, uint64(^set))
	}
	archsimd.ClearAVXUpperBits()
	return n, i
}

// split8 is splitPlain over whole groups of 8, of which it returns the end.
func split8(dst []int32, z, w []float32, first, last float32) (s split, next int) {
	f, l := archsimd.BroadcastFloat32x8(first), archsimd.BroadcastFloat32x8(last)
	a, b := archsimd.BroadcastFloat64x4(0), archsimd.BroadcastFloat64x4(0)
	i := 0
	for ; i+8 <= len(z); i += 8 {
		v, x := load8(z, i), load8(w, i)
		less, upTo := v.Greater(f), v.GreaterEqual(l)
		lessBits, upToBits := less.ToBits(), upTo.ToBits()
		y := x.Masked(less)
		a = a.Add(y.GetLo().ConvertToFloat64()).Add(y.GetHi().ConvertToFloat64())
		s.above += bits.OnesCount8(lessBits)
		if in := upToBits &^ lessBits; in != 0 {
			y = x.Masked(upTo).Sub(y)
			b = b.Add(y.GetLo().ConvertToFloat64()).Add(y.GetHi().ConvertToFloat64())
			s.inside = hits(dst, s.inside, i, uint64(in))
		}
	}
	s.aboveWeight, s.insideWeight = lanes8(a), lanes8(b)
	archsimd.ClearAVXUpperBits()
	return s, i
}

// keep8 is keepPlain over whole groups of 8, of which it returns the end.
func keep8(dst, w, z []float32, least float32) (sum float64, next int) {
	t := archsimd.BroadcastFloat32x8(least)
	a, b := archsimd.BroadcastFloat64x4(0), archsimd.BroadcastFloat64x4(0)
	i := 0
	for ; i+8 <= len(z); i += 8 {
		y := load8(w, i).Masked(load8(z, i).Greater(t))
		y.StoreSlice(dst[i : i+8])
		a, b = a.Add(y.GetLo().ConvertToFloat64()), b.Add(y.GetHi().ConvertToFloat64())
	}
	sum = lanes8(a.Add(b))
	archsimd.ClearAVXUpperBits()
	return sum, i
}

func lanes8(x archsimd.Float64x4) (sum float64) {
	var lanes [4]float64
	x.Store(&lanes)
	for _, v := range lanes {
		sum += v
	}
	return sum
}
