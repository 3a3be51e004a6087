//go:build goexperiment.simd && amd64

package ref

import (
	"simd/archsimd"
	"unsafe"
)

// The same for sixteen rows a register. What a lane does is the same, so the sums
// are, to the bit.

func ints16(i int32) archsimd.Int32x16 { return archsimd.BroadcastInt32x16(i) }

func words16(p unsafe.Pointer, bytes int) archsimd.Int32x16 {
	return archsimd.LoadInt32x16((*[16]int32)(unsafe.Add(p, bytes)))
}

func low16(w unsafe.Pointer, bytes int, mask archsimd.Int32x16) archsimd.Uint8x64 {
	return words16(w, bytes).And(mask).AsUint8x64()
}

func high16(w unsafe.Pointer, bytes int, mask archsimd.Int32x16) archsimd.Uint8x64 {
	return words16(w, bytes).ShiftAllRight(4).And(mask).AsUint8x64()
}

func four16(q unsafe.Pointer, bytes int) archsimd.Int8x64 {
	return archsimd.LoadInt32x4((*[4]int32)(unsafe.Add(q, bytes))).Broadcast1To16().AsInt8x64()
}

func spread16(s unsafe.Pointer, bytes int) archsimd.Float32x16 {
	return archsimd.LoadFloat32x4((*[4]float32)(unsafe.Add(s, bytes))).Broadcast1To16()
}

func spreadInt16(s unsafe.Pointer, bytes int) archsimd.Int32x16 {
	return archsimd.LoadInt32x4((*[4]int32)(unsafe.Add(s, bytes))).Broadcast1To16()
}

func halves16(w unsafe.Pointer, bytes int) (d, m archsimd.Float32x16) {
	v, keep, scale := words16(w, bytes), ints16(halfBits), archsimd.BroadcastFloat32x16(halfScale)
	return v.ShiftAllLeft(16).ShiftAllRight(3).And(keep).AsFloat32x16().Mul(scale), v.ShiftAllRight(3).And(keep).AsFloat32x16().Mul(scale)
}

func half16(w unsafe.Pointer, bytes int) archsimd.Float32x16 {
	v := archsimd.LoadInt16x16((*[16]int16)(unsafe.Add(w, bytes))).ExtendToInt32()
	return v.ShiftAllLeft(13).And(ints16(halfBits)).AsFloat32x16().Mul(archsimd.BroadcastFloat32x16(halfScale))
}

func floats16(w unsafe.Pointer, bytes int) (d, m archsimd.Float32x16) {
	return load16(w, bytes), load16(w, bytes+64)
}

func load16(p unsafe.Pointer, bytes int) archsimd.Float32x16 {
	return archsimd.LoadFloat32x16((*[16]float32)(unsafe.Add(p, bytes)))
}

func store16(p unsafe.Pointer, bytes int, v archsimd.Float32x16) {
	v.Store((*[16]float32)(unsafe.Add(p, bytes)))
}

func finish16(y unsafe.Pointer, bytes int, a archsimd.Int16x32, d, m, e, f archsimd.Float32x16) {
	t := a.DotProductPairs(archsimd.BroadcastInt16x32(1)).ConvertToFloat32().Mul(e)
	store16(y, bytes, t.MulAdd(d, m.MulAdd(f, load16(y, bytes))))
}

func bytes16(a, b archsimd.Int16x32) archsimd.Int32x16 {
	return a.DotProductPairs(archsimd.BroadcastInt16x32(1)).Add(b.DotProductPairs(archsimd.BroadcastInt16x32(16)))
}

func finishBytes16(y unsafe.Pointer, bytes int, a, b archsimd.Int16x32, d, m, e, f archsimd.Float32x16) {
	t := bytes16(a, b).ConvertToFloat32().Mul(e)
	store16(y, bytes, t.MulAdd(d, m.MulAdd(f, load16(y, bytes))))
}

func finishSigned16(y unsafe.Pointer, bytes int, a, b archsimd.Int16x32, d, e archsimd.Float32x16, sum archsimd.Int32x16) {
	t := bytes16(a, b).Sub(sum).ConvertToFloat32().Mul(e)
	store16(y, bytes, t.MulAdd(d, load16(y, bytes)))
}

type short16 = archsimd.Int16x32
