// Package capi is MLX's C interface, mlx-c 0.7.0, called without cgo. It is the
// only importer of purego.
//
// The handles of mlx-c are structs of one pointer, which the calling conventions
// of amd64 and arm64 pass as that pointer; its optionals are a value of four bytes
// and a flag, which they pass as one word.
package capi

// Version is the MLX that the table of functions was read from. Others differ in
// arguments, so another is refused.
const Version = "0.32.2"

// An Array is a handle of an mlx_array; 0 is none. Whoever has it frees it.
type Array uintptr

// A DType is an mlx_dtype.
type DType int32

// The types of elements that are used here, by mlx-c's numbers.
const (
	Bool     DType = 0
	Uint32   DType = 3
	Int32    DType = 7
	Float16  DType = 9
	Float32  DType = 10
	BFloat16 DType = 12
)

// String implements fmt.Stringer.
func (d DType) String() string {
	names := map[DType]string{Bool: "bool", Uint32: "uint32", Int32: "int32", Float16: "float16", Float32: "float32", BFloat16: "bfloat16"}
	return names[d]
}

// optional is an mlx_optional_int or _dtype that has a value.
func optional(v int32) uintptr { return uintptr(uint32(v)) | 1<<32 }

// A Device is where MLX computes, by mlx-c's numbers.
type Device int32

// The devices.
const (
	CPU Device = 0
	GPU Device = 1 // Metal on macOS, CUDA on Linux
)

// String implements fmt.Stringer.
func (d Device) String() string {
	if d == GPU {
		return "gpu"
	}
	return "cpu"
}
