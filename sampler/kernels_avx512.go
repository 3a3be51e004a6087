//go:build goexperiment.simd && amd64

package sampler

import (
	"math/bits"
	"simd/archsimd"
)

type f16 = archsimd.Float32x16

func load16(x []float32, i int) f16 { return archsimd.LoadFloat32x16Slice(x[i : i+16]) }

// max16 is maxPlain for at least 64 elements.
func max16(x []float32) (float32, bool) {
	a, b, c, d := load16(x, 0), load16(x, 16), load16(x, 32), load16(x, 48)
	bad := a.Add(b).IsNaN().Or(c.Add(d).IsNaN())
	i := 64
	for ; i+64 <= len(x); i += 64 {
		p, q, r, s := load16(x, i), load16(x, i+16), load16(x, i+32), load16(x, i+48)
		a, b, c, d = a.Max(p), b.Max(q), c.Max(r), d.Max(s)
		bad = bad.Or(p.Add(q).IsNaN()).Or(r.Add(s).IsNaN()) // as in max8
	}
	var lanes [16]float32
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

// exp16 is expIntoPlain, or where dst is nil, and then with the sum of each flush in
// float32, expSumPlain.
func exp16(dst, x []float32, top, scale float32) float64 {
	best, factor, low := archsimd.BroadcastFloat32x16(top), archsimd.BroadcastFloat32x16(scale), archsimd.BroadcastFloat32x16(floor)
	k1, k2, k3 := archsimd.BroadcastFloat32x16(c1), archsimd.BroadcastFloat32x16(c2), archsimd.BroadcastFloat32x16(c3)
	k4, k5, k6 := archsimd.BroadcastFloat32x16(c4), archsimd.BroadcastFloat32x16(c5), archsimd.BroadcastFloat32x16(c6)
	one := archsimd.BroadcastFloat32x16(1)
	sum := 0.0
	i := 0
	for i+32 <= len(x) {
		from := i
		s, t := archsimd.BroadcastFloat32x16(0), archsimd.BroadcastFloat32x16(0)
		for end := min(len(x), i+flush); i+32 <= end; i += 32 {
			a, b := load16(x, i).Sub(best).Mul(factor), load16(x, i+16).Sub(best).Mul(factor)
			liveA, liveB := a.GreaterEqual(low), b.GreaterEqual(low)
			a, b = a.Max(low), b.Max(low)
			na, nb := a.RoundToEvenScaled(0), b.RoundToEvenScaled(0)
			a, b = a.Sub(na), b.Sub(nb)
			ya, yb := k6.MulAdd(a, k5), k6.MulAdd(b, k5)
			ya, yb = ya.MulAdd(a, k4), yb.MulAdd(b, k4)
			ya, yb = ya.MulAdd(a, k3), yb.MulAdd(b, k3)
			ya, yb = ya.MulAdd(a, k2), yb.MulAdd(b, k2)
			ya, yb = ya.MulAdd(a, k1), yb.MulAdd(b, k1)
			ya, yb = ya.MulAdd(a, one), yb.MulAdd(b, one)
			ya, yb = ya.Scale(na).Masked(liveA), yb.Scale(nb).Masked(liveB)
			s, t = s.Add(ya), t.Add(yb)
			if dst != nil {
				ya.StoreSlice(dst[i : i+16])
				yb.StoreSlice(dst[i+16 : i+32])
			}
		}
		if dst != nil {
			sum += sum16(dst[from:i])
			continue
		}
		var lanes [8]float64
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

// sum16 adds in float64; the length of x is a multiple of 32.
func sum16(x []float32) float64 {
	var lanes [8]float64
	a, b := archsimd.BroadcastFloat64x8(0), archsimd.BroadcastFloat64x8(0)
	for i := 0; i+32 <= len(x); i += 32 {
		a = a.Add(archsimd.LoadFloat32x8Slice(x[i : i+8]).ConvertToFloat64())
		b = b.Add(archsimd.LoadFloat32x8Slice(x[i+8 : i+16]).ConvertToFloat64())
		a = a.Add(archsimd.LoadFloat32x8Slice(x[i+16 : i+24]).ConvertToFloat64())
		b = b.Add(archsimd.LoadFloat32x8Slice(x[i+24 : i+32]).ConvertToFloat64())
	}
	a.Add(b).Store(&lanes)
	sum := 0.0
	for _, v := range lanes {
		sum += v
	}
	return sum
}

// above16 is abovePlain over whole groups of 64, while dst has room for one more.
func above16(dst []int32, x []float32, from int, least float32) (n, next int) {
	t := archsimd.BroadcastFloat32x16(least)
	i := from
	for ; i+64 <= len(x) && n+64 <= len(dst); i += 64 {
		a, b := load16(x, i).LessEqual(t), load16(x, i+16).LessEqual(t)
		c, d := load16(x, i+32).LessEqual(t), load16(x, i+48).LessEqual(t)
		set := uint64(a.ToBits()) | uint64(b.ToBits())<<16 | uint64(c.ToBits())<<32 | uint64(d.ToBits())<<48
		switch set {
		case ^uint64(0):
		case 0:
			run(dst[n:n+64], i)
			n += 64
		default:
			n = hits(dst, n, i, ^set)
		}
	}
	archsimd.ClearAVXUpperBits()
	return n, i
}

// split16 is splitPlain over whole groups of 16, of which it returns the end.
func split16(dst []int32, z, w []float32, first, last float32) (s split, next int) {
	f, l := archsimd.BroadcastFloat32x16(first), archsimd.BroadcastFloat32x16(last)
	a, b := archsimd.BroadcastFloat64x8(0), archsimd.BroadcastFloat64x8(0)
	i := 0
	for ; i+16 <= len(z); i += 16 {
		v, x := load16(z, i), load16(w, i)
		less, upTo := v.Greater(f), v.GreaterEqual(l)
		lessBits, upToBits := less.ToBits(), upTo.ToBits()
		y := x.Masked(less)
		a = a.Add(y.GetLo().ConvertToFloat64()).Add(y.GetHi().ConvertToFloat64())
		s.above += bits.OnesCount16(lessBits)
		if in := upToBits &^ lessBits; in != 0 {
			y = x.Masked(upTo).Sub(y)
			b = b.Add(y.GetLo().ConvertToFloat64()).Add(y.GetHi().ConvertToFloat64())
			s.inside = hits(dst, s.inside, i, uint64(in))
		}
	}
	s.aboveWeight, s.insideWeight = lanes16(a), lanes16(b)
	archsimd.ClearAVXUpperBits()
	return s, i
}

// keep16 is keepPlain over whole groups of 16, of which it returns the end.
func keep16(dst, w, z []float32, least float32) (sum float64, next int) {
	t := archsimd.BroadcastFloat32x16(least)
	a, b := archsimd.BroadcastFloat64x8(0), archsimd.BroadcastFloat64x8(0)
	i := 0
	for ; i+16 <= len(z); i += 16 {
		y := load16(w, i).Masked(load16(z, i).Greater(t))
		y.StoreSlice(dst[i : i+16])
		a, b = a.Add(y.GetLo().ConvertToFloat64()), b.Add(y.GetHi().ConvertToFloat64())
	}
	sum = lanes16(a.Add(b))
	archsimd.ClearAVXUpperBits()
	return sum, i
}

func lanes16(x archsimd.Float64x8) (sum float64) {
	var lanes [8]float64
	x.Store(&lanes)
	for _, v := range lanes {
		sum += v
	}
	return sum
}
