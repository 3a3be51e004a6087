//go:build goexperiment.simd && amd64

package ref

import (
	"simd/archsimd"
	"unsafe"
)

//go:generate go run packed_gen.go
//go:generate go run packed_asm_gen.go

// A blockKernel adds the products of groups of 16 packed rows with a few vectors to
// floats of y, ys bytes a vector. The vectors' block b is at q + b*qs, 32 bytes a
// vector, and its scales at s + b*ss, 16 bytes a vector.
type blockKernel func(y unsafe.Pointer, ys int, w unsafe.Pointer, groups, blocks int, q unsafe.Pointer, qs int, s unsafe.Pointer, ss int)

// blockVectors is how many vectors a kernel takes at most.
const blockVectors = 5

// What the kernels are made of, for eight rows a register. Each is one instruction
// or a few, and the floating ones are those of plainBlocks in the same order.

func ints8(i int32) archsimd.Int32x8 { return archsimd.BroadcastInt32x8(i) }

func words8(p unsafe.Pointer, bytes int) archsimd.Int32x8 {
	return archsimd.LoadInt32x8((*[8]int32)(unsafe.Add(p, bytes)))
}

func low8(w unsafe.Pointer, bytes int, mask archsimd.Int32x8) archsimd.Uint8x32 {
	return words8(w, bytes).And(mask).AsUint8x32()
}

func high8(w unsafe.Pointer, bytes int, mask archsimd.Int32x8) archsimd.Uint8x32 {
	return words8(w, bytes).ShiftAllRight(4).And(mask).AsUint8x32()
}

// four8 spreads four columns of a vector: see spread.
func four8(q unsafe.Pointer, bytes int) archsimd.Int8x32 {
	return archsimd.LoadInt32x4((*[4]int32)(unsafe.Add(q, bytes))).Broadcast1To8().AsInt8x32()
}

func spread8(s unsafe.Pointer, bytes int) vec { return spread(s, bytes) }

func spreadInt8(s unsafe.Pointer, bytes int) archsimd.Int32x8 {
	return archsimd.LoadInt32x4((*[4]int32)(unsafe.Add(s, bytes))).Broadcast1To8()
}

// halves reads a float16 from the low and one from the high half of each word: its
// bits in their places of a float32, whose exponent is then 112 too low.
func halves8(w unsafe.Pointer, bytes int) (d, m vec) {
	v, keep, scale := words8(w, bytes), ints8(halfBits), archsimd.BroadcastFloat32x8(halfScale)
	return v.ShiftAllLeft(16).ShiftAllRight(3).And(keep).AsFloat32x8().Mul(scale), v.ShiftAllRight(3).And(keep).AsFloat32x8().Mul(scale)
}

func half8(w unsafe.Pointer, bytes int) vec {
	v := archsimd.LoadInt16x8((*[8]int16)(unsafe.Add(w, bytes))).ExtendToInt32()
	return v.ShiftAllLeft(13).And(ints8(halfBits)).AsFloat32x8().Mul(archsimd.BroadcastFloat32x8(halfScale))
}

func floats8(w unsafe.Pointer, bytes int) (d, m vec) { return load(w, bytes), load(w, bytes+64) }

func finish8(y unsafe.Pointer, bytes int, a archsimd.Int16x16, d, m, e, f vec) {
	t := a.DotProductPairs(archsimd.BroadcastInt16x16(1)).ConvertToFloat32().Mul(e)
	store(y, bytes, t.MulAdd(d, m.MulAdd(f, load(y, bytes))))
}

func bytes8(a, b archsimd.Int16x16) archsimd.Int32x8 {
	return a.DotProductPairs(archsimd.BroadcastInt16x16(1)).Add(b.DotProductPairs(archsimd.BroadcastInt16x16(16)))
}

func finishBytes8(y unsafe.Pointer, bytes int, a, b archsimd.Int16x16, d, m, e, f vec) {
	t := bytes8(a, b).ConvertToFloat32().Mul(e)
	store(y, bytes, t.MulAdd(d, m.MulAdd(f, load(y, bytes))))
}

func finishSigned8(y unsafe.Pointer, bytes int, a, b archsimd.Int16x16, d, e vec, sum archsimd.Int32x8) {
	t := bytes8(a, b).Sub(sum).ConvertToFloat32().Mul(e)
	store(y, bytes, t.MulAdd(d, load(y, bytes)))
}

type short8 = archsimd.Int16x16
