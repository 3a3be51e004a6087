package capi

import (
	"runtime"
	"unsafe"
)

// FromBytes copies data, elements of type d in row-major order, to an array.
func (l *Lib) FromBytes(data []byte, d DType, shape ...int32) (Array, error) {
	return l.fromData(uintptr(unsafe.Pointer(unsafe.SliceData(data))), d, shape, data)
}

// FromFloats copies data to an array of Float32.
func (l *Lib) FromFloats(data []float32, shape ...int32) (Array, error) {
	return l.fromData(uintptr(unsafe.Pointer(unsafe.SliceData(data))), Float32, shape, data)
}

// FromInts copies data to an array of Int32.
func (l *Lib) FromInts(data []int32, shape ...int32) (Array, error) {
	return l.fromData(uintptr(unsafe.Pointer(unsafe.SliceData(data))), Int32, shape, data)
}

// fromData is given keep, what data is the address of.
//
//go:uintptrescapes
func (l *Lib) fromData(data uintptr, d DType, shape []int32, keep any) (Array, error) {
	a := Array(l.word1(l.t.arrayNewData, data, l.list(0, shape), uintptr(len(shape)), uintptr(d)))
	runtime.KeepAlive(keep)
	if a == 0 {
		return 0, failed(1)
	}
	l.live.Add(1)
	return a, nil
}

// Free gives a handle back; 0 is none. The memory goes when no array needs it.
func (l *Lib) Free(a Array) {
	if a != 0 {
		l.word1(l.t.arrayFree, uintptr(a))
		l.live.Add(-1)
	}
}

// Shape is the length of each axis.
func (l *Lib) Shape(a Array) []int32 {
	n := l.word1(l.t.arrayNdim, uintptr(a))
	if n == 0 {
		return nil
	}
	p := pointer(l.word1(l.t.arrayShape, uintptr(a)))
	return append([]int32(nil), unsafe.Slice((*int32)(p), n)...)
}

// DType is the type of the elements.
func (l *Lib) DType(a Array) DType { return DType(l.word1(l.t.arrayDtype, uintptr(a))) }

// Floats is the memory of an evaluated array of n contiguous Float32: lent, as
// long as the handle.
func (l *Lib) Floats(a Array, n int) []float32 {
	return unsafe.Slice((*float32)(pointer(l.word1(l.t.arrayDataFloat32, uintptr(a)))), n)
}

// Uints is the memory of an evaluated array of n contiguous Uint32: lent, as long
// as the handle.
func (l *Lib) Uints(a Array, n int) []uint32 {
	return unsafe.Slice((*uint32)(pointer(l.word1(l.t.arrayDataUint32, uintptr(a)))), n)
}

// Eval computes arrays, and returns when they are there.
func (l *Lib) Eval(arrays ...Array) error { return l.each(l.t.eval, arrays) }

// AsyncEval begins to compute arrays.
func (l *Lib) AsyncEval(arrays ...Array) error { return l.each(l.t.asyncEval, arrays) }

func (l *Lib) each(f proc, arrays []Array) error {
	v, err := l.vector(arrays)
	if err != nil {
		return err
	}
	err = failed(l.word1(f, v))
	l.word1(l.t.vectorFree, v)
	return err
}

// vector is a new mlx_vector_array.
func (l *Lib) vector(arrays []Array) (uintptr, error) {
	v := l.word1(l.t.vectorNewData, uintptr(unsafe.Pointer(unsafe.SliceData(arrays))), uintptr(len(arrays)))
	runtime.KeepAlive(arrays)
	if v == 0 {
		return 0, failed(1)
	}
	return v, nil
}

// ActiveMemory is the bytes that arrays take.
func (l *Lib) ActiveMemory() (int64, error) {
	l.word = 0
	err := failed(l.word1(l.t.activeMemory, l.at(&l.word)))
	return int64(l.word), err
}

// ClearCache gives memory that MLX keeps for later back to the system.
func (l *Lib) ClearCache() error { return failed(l.word1(l.t.clearCache)) }
