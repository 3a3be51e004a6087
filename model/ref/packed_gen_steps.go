//go:build ignore

// What a step of a block's product is, for packed_gen.go.
package main

import (
	"fmt"
	"strings"
)

// four loads four columns of vector v into every lane, and the 12 bytes behind them with
// them: a scalar would be moved to the front.
func (g *generator) four(v, step int) {
	g.p("x%d := archsimd.LoadInt32x4((*[4]int32)(unsafe.Add(x, %d))).Broadcast1ToLANES().AsOctets()", v, 32*v+4*step)
}

// A scale of a vector's block.
const (
	unit = iota
	sum
	offset
)

// scale loads one of vector v into every lane.
func (g *generator) scale(v, which int) string {
	kind := "Float32"
	if which == offset {
		kind = "Int32"
	}
	return fmt.Sprintf("archsimd.Load%sx4((*[4]%s)(unsafe.Add(s, %d))).Broadcast1ToLANES()", kind, strings.ToLower(kind), 16*v+4*which)
}

// add adds what lanes of w and x make to a sum, which the first begins.
func (g *generator) add(first bool, sum, w string, v int) {
	if first {
		g.p("%s = %s.DotProductPairsSaturated(x%d)", sum, w, v)
	} else {
		g.p("%s = %s.Add(%s.DotProductPairsSaturated(x%d))", sum, sum, w, v)
	}
}

// nibbles: sum arv is of part r of the rows and vector v.
func (g *generator) nibbles(l layout, n, parts int) {
	for r := range parts {
		for v := range n {
			g.p("var a%d%d archsimd.Shorts", r, v)
		}
	}
	for step := range 8 {
		g.p("{")
		for r := range parts {
			shift := ""
			if step%2 == 1 {
				shift = ".ShiftAllRight(4)"
			}
			g.p("w%d := archsimd.LoadInts((*[LANES]int32)(unsafe.Add(w, %d)))%s.And(mask).AsUOctets()", r, 64*(step/2)+32*r, shift)
		}
		for v := range n {
			g.four(v, step)
			for r := range parts {
				g.add(step == 0, fmt.Sprintf("a%d%d", r, v), fmt.Sprint("w", r), v)
			}
		}
		g.p("}")
	}
	for r := range parts {
		g.scales(l, 256, r)
		for v := range n {
			g.p("i%d%d := a%d%d.DotProductPairs(archsimd.BroadcastShorts(1))", r, v, r, v)
			g.finish(l, r, v)
		}
	}
}

// octets sums the low and the high halves of bytes apart, for part r of the rows:
// two products of a byte would not fit 16 bits.
func (g *generator) octets(l layout, n, r int) {
	g.p("{")
	for v := range n {
		g.p("var a%d, b%d archsimd.Shorts", v, v)
	}
	for step := range 8 {
		g.p("{")
		g.p("t := archsimd.LoadInts((*[LANES]int32)(unsafe.Add(w, %d)))", 64*step+32*r)
		g.p("l := t.And(mask).AsUOctets()")
		g.p("h := t.ShiftAllRight(4).And(mask).AsUOctets()")
		for v := range n {
			g.four(v, step)
			g.add(step == 0, fmt.Sprint("a", v), "l", v)
			g.add(step == 0, fmt.Sprint("b", v), "h", v)
		}
		g.p("}")
	}
	g.scales(l, 512, r)
	for v := range n {
		g.p("i%d%d := a%d.DotProductPairs(archsimd.BroadcastShorts(1))", r, v, v)
		g.p("i%d%d = i%d%d.Add(b%d.DotProductPairs(archsimd.BroadcastShorts(16)))", r, v, r, v, v)
		g.finish(l, r, v)
	}
	g.p("}")
}

// scales leaves d of part r in d, and m in m where there is one. A float16 becomes a
// float32 by its bits in their places, whose exponent is then 112 too low.
func (g *generator) scales(l layout, at, r int) {
	switch {
	case l.wide:
		g.p("d%d := archsimd.LoadFloats((*[LANES]float32)(unsafe.Add(w, %d)))", r, at+32*r)
		g.p("m%d := archsimd.LoadFloats((*[LANES]float32)(unsafe.Add(w, %d)))", r, at+64+32*r)
	case l.bits == 8:
		g.p("g%d := archsimd.LoadInt16xLANES((*[LANES]int16)(unsafe.Add(w, %d))).ExtendToInt32().ShiftAllLeft(13)", r, at+16*r)
		g.p("d%d := g%d.And(archsimd.BroadcastInts(halfBits)).AsFloats().Mul(archsimd.BroadcastFloats(halfScale))", r, r)
	default:
		g.p("g%d := archsimd.LoadInts((*[LANES]int32)(unsafe.Add(w, %d)))", r, at+32*r)
		g.p("d%d := g%d.ShiftAllLeft(16).ShiftAllRight(3).And(archsimd.BroadcastInts(halfBits)).AsFloats().Mul(archsimd.BroadcastFloats(halfScale))", r, r)
		g.p("m%d := g%d.ShiftAllRight(3).And(archsimd.BroadcastInts(halfBits)).AsFloats().Mul(archsimd.BroadcastFloats(halfScale))", r, r)
	}
}

// finish adds the integer sums i, scaled, to y.
func (g *generator) finish(l layout, r, v int) {
	y := "y"
	if v > 0 {
		y = fmt.Sprint("y", v)
	}
	at := fmt.Sprintf("(*[LANES]float32)(unsafe.Add(%s, %d))", y, 32*r)
	signed := l.bits == 8 && !l.wide
	if signed {
		g.p("i%d%d = i%d%d.Sub(%s)", r, v, r, v, g.scale(v, offset))
	}
	g.p("f%d%d := i%d%d.ConvertToFloat32().Mul(%s)", r, v, r, v, g.scale(v, unit))
	if signed {
		g.p("archsimd.LoadFloats(%s).Add(f%d%d.Mul(d%d)).Store(%s)", at, r, v, r, at)
		return
	}
	g.p("o%d%d := archsimd.LoadFloats(%s).Add(m%d.Mul(%s))", r, v, at, r, g.scale(v, sum))
	g.p("o%d%d.Add(f%d%d.Mul(d%d)).Store(%s)", r, v, r, v, r, at)
}
