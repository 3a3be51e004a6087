//go:build goexperiment.simd && amd64

package sampler

//go:generate go run kernels_gen.go

import (
	"math/bits"
	"simd/archsimd"
)

// 2^f for |f| <= 1/2 is 1 + f*(c1 + f*(c2 + ...)): a fit of least greatest
// relative error, 2e-9 in real numbers and 1e-7 in float32.
const (
	c1 = 0.6931471824645996
	c2 = 0.24022647738456726
	c3 = 0.055503323674201965
	c4 = 0.00961843691766262
	c5 = 0.0013398873852565885
	c6 = 0.00015353361959569156
)

// wide is the vector width in float32 that the loops of this machine use; 0 is
// the plain ones.
var wide = func() int {
	switch {
	case archsimd.X86.AVX512():
		return 16
	case archsimd.X86.AVX2() && archsimd.X86.FMA():
		return 8
	}
	return 0
}()

func maxOf(x []float32) (float32, bool) {
	if wide == 0 || len(x) < 4*wide {
		return maxPlain(x)
	}
	var lanes [16]float32
	var next int
	var bad bool
	if wide == 16 {
		next, bad = max16(&lanes, x)
	} else {
		next, bad = max8(&lanes, x)
	}
	if bad {
		return maxPlain(x)
	}
	top, ok := maxPlain(lanes[:wide])
	if next < len(x) && ok {
		var rest float32
		rest, ok = maxPlain(x[next:])
		top = max(top, rest)
	}
	return top, ok
}

func expSum(x []float32, top, scale float32) float64 {
	var lanes [8]float64
	next := 0
	switch wide {
	case 16:
		next = expSum16(&lanes, x, top, scale)
	case 8:
		next = expSum8(&lanes, x, top, scale)
	}
	return added(lanes[:]) + expSumPlain(x[next:], top, scale)
}

// expSumBounds returns bounds of expSum, which is cheap here.
func expSumBounds(x []float32, top, scale float32) (low, high float64) {
	if wide == 0 {
		return expSumBoundsPlain(x, top, scale)
	}
	sum := expSum(x, top, scale)
	return sum, sum
}

func expInto(dst, x []float32, top, scale float32) float64 {
	var lanes [8]float64
	next := 0
	switch wide {
	case 16:
		next = expInto16(&lanes, dst[:len(x)], x, top, scale)
	case 8:
		next = expInto8(&lanes, dst[:len(x)], x, top, scale)
	}
	return added(lanes[:]) + expIntoPlain(dst[next:], x[next:], top, scale)
}

func added(lanes []float64) (sum float64) {
	for _, v := range lanes {
		sum += v
	}
	return sum
}

func above(dst []int32, x []float32, from int, least float32) (n, next int) {
	switch wide {
	case 16:
		n, next = above16(dst, x, from, least)
	case 8:
		n, next = above8(dst, x, from, least)
	default:
		return abovePlain(dst, x, from, least)
	}
	if len(x)-next < 64 { // the tail; otherwise dst is all but full
		var m int
		m, next = abovePlain(dst[n:], x, next, least)
		n += m
	}
	return n, next
}

// splitAt is splitPlain over all of z.
func splitAt(dst []int32, z, w []float32, first, last float32) (s split) {
	var lanes [16]float64
	next := 0
	switch wide {
	case 16:
		s.above, s.inside, next = split16(&lanes, dst, z, w, first, last)
	case 8:
		s.above, s.inside, next = split8(&lanes, dst, z, w, first, last)
	}
	s.aboveWeight, s.insideWeight = added(lanes[:8]), added(lanes[8:])
	s.add(splitPlain(dst[s.inside:], z, w, next, first, last))
	return s
}

func (s *split) add(t split) {
	s.above, s.inside = s.above+t.above, s.inside+t.inside
	s.aboveWeight, s.insideWeight = s.aboveWeight+t.aboveWeight, s.insideWeight+t.insideWeight
}

func keep(dst, w, z []float32, least float32) float64 {
	var lanes [8]float64
	next := 0
	switch wide {
	case 16:
		next = keep16(&lanes, dst, w, z, least)
	case 8:
		next = keep8(&lanes, dst, w, z, least)
	}
	return added(lanes[:]) + keepPlain(dst[next:], w[next:], z[next:], least)
}

// run writes base, base+1 and on to the width of dst.
func run(dst []int32, base int) {
	for i := range dst {
		dst[i] = int32(base + i)
	}
}

// hits writes base plus the index of every bit of set to dst, which has room.
func hits(dst []int32, n, base int, set uint64) int {
	for ; set != 0; set &= set - 1 {
		dst[n] = int32(base + bits.TrailingZeros64(set))
		n++
	}
	return n
}

// flush is how many elements expSum8 and expSum16 add in float32 before they go on in
// float64: 16 a lane at most, an error of 1e-6 where all of them round alike.
const flush = 256

// Kernels names the loops that rows go through on this machine.
func Kernels() string { return map[int]string{0: "plain", 8: "AVX2", 16: "AVX-512"}[wide] }
