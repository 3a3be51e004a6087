//go:build goexperiment.simd && amd64

package ref

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// Vectors of 512 bits in plain Go, by the names that simd/archsimd has for them: what
// packed_gen.go writes for AVX-512 is run with them where no processor has it.
type (
	Int32x4    [4]int32
	Float32x4  [4]float32
	Int16x16   [16]int16
	Int32x16   [16]int32
	Float32x16 [16]float32
	Int16x32   [32]int16
	Int8x64    [64]int8
	Uint8x64   [64]uint8
)

func LoadInt32x4(p *[4]int32) Int32x4          { return *p }
func LoadFloat32x4(p *[4]float32) Float32x4    { return *p }
func LoadInt16x16(p *[16]int16) Int16x16       { return *p }
func LoadInt32x16(p *[16]int32) Int32x16       { return *p }
func LoadFloat32x16(p *[16]float32) Float32x16 { return *p }
func (x Float32x16) Store(p *[16]float32)      { *p = x }

func BroadcastInt16x32(v int16) Int16x32       { return Int16x32(slices.Repeat([]int16{v}, 32)) }
func BroadcastInt32x16(v int32) Int32x16       { return Int32x16(slices.Repeat([]int32{v}, 16)) }
func BroadcastFloat32x16(v float32) Float32x16 { return Float32x16(slices.Repeat([]float32{v}, 16)) }
func (x Int32x4) Broadcast1To16() Int32x16     { return BroadcastInt32x16(x[0]) }
func (x Float32x4) Broadcast1To16() Float32x16 { return BroadcastFloat32x16(x[0]) }

func (x Int32x16) AsInt8x64() Int8x64       { return *(*Int8x64)(unsafe.Pointer(&x)) }
func (x Int32x16) AsUint8x64() Uint8x64     { return *(*Uint8x64)(unsafe.Pointer(&x)) }
func (x Int32x16) AsFloat32x16() Float32x16 { return *(*Float32x16)(unsafe.Pointer(&x)) }

func (x Int32x16) each(f func(i int) int32) Int32x16 {
	for i := range x {
		x[i] = f(i)
	}
	return x
}

func (x Int32x16) And(y Int32x16) Int32x16 { return x.each(func(i int) int32 { return x[i] & y[i] }) }
func (x Int32x16) Add(y Int32x16) Int32x16 { return x.each(func(i int) int32 { return x[i] + y[i] }) }
func (x Int32x16) Sub(y Int32x16) Int32x16 { return x.each(func(i int) int32 { return x[i] - y[i] }) }
func (x Int32x16) ShiftAllLeft(n uint64) Int32x16 {
	return x.each(func(i int) int32 { return x[i] << n })
}
func (x Int32x16) ShiftAllRight(n uint64) Int32x16 {
	return x.each(func(i int) int32 { return x[i] >> n })
}
func (x Int16x16) ExtendToInt32() (r Int32x16) {
	return r.each(func(i int) int32 { return int32(x[i]) })
}

func (x Int16x32) Add(y Int16x32) Int16x32 {
	for i := range x {
		x[i] += y[i]
	}
	return x
}

func (x Int16x32) DotProductPairs(y Int16x32) (r Int32x16) {
	return r.each(func(i int) int32 { return int32(x[2*i])*int32(y[2*i]) + int32(x[2*i+1])*int32(y[2*i+1]) })
}

func (x Uint8x64) DotProductPairsSaturated(y Int8x64) (r Int16x32) {
	for i := range r {
		s := int32(x[2*i])*int32(y[2*i]) + int32(x[2*i+1])*int32(y[2*i+1])
		r[i] = int16(min(max(s, math.MinInt16), math.MaxInt16))
	}
	return r
}

func (x Int32x16) ConvertToFloat32() (r Float32x16) {
	for i := range r {
		r[i] = float32(x[i])
	}
	return r
}

func (x Float32x16) Mul(y Float32x16) Float32x16 {
	for i := range x {
		x[i] *= y[i]
	}
	return x
}

func (x Float32x16) Add(y Float32x16) Float32x16 {
	for i := range x {
		x[i] += y[i]
	}
	return x
}

// What packed_gen.go writes for AVX-512 gives the bits of every other set on vectors of
// plain Go. It is as long as what it tests, so it is written here and laid over the package.
func TestEmulated(t *testing.T) {
	if len(emulated) > 0 || simd == nil {
		return
	}
	generator, err := filepath.Abs("packed_gen.go")
	if _, missing := os.Stat(generator); errors.Join(err, missing) != nil {
		t.Skip("no packed_gen.go: the sources are elsewhere")
	}
	const file = "blocks_emulated_amd64_test.go"
	dir := t.TempDir()
	write := exec.Command("go", "run", generator, strings.TrimSuffix(generator, ".go")+"_steps.go", "-emulated")
	write.Dir = dir
	if out, err := write.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(filepath.Dir(generator), file): filepath.Join(dir, file)}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "test", "-v", "-overlay", filepath.Join(dir, "overlay.json"), "-run", "^(TestPackedSets|TestPackedProduct)$", ".").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "emulated") {
		t.Fatalf("%v\n%s", err, out)
	}
}
