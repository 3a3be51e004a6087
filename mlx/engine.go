// Package mlx computes with MLX: arrays and the operations that our models are
// made of. The same code runs on the CPU, through Metal and through CUDA.
//
// Nothing is computed before it is asked for: an operation adds to a graph, and
// Eval runs it.
package mlx

import (
	"fmt"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"foretoken/mlx/internal/capi"
)

// An Engine is MLX on one device. All of it runs on one OS thread, so that its
// callers wait for each other.
type Engine struct {
	lib  *capi.Lib
	blas capi.BLAS
	read atomic.Int64
	// fused says that compiled operations stand for chains of them: on a GPU, where
	// each begins a kernel.
	fused    bool
	swiglu   *Function
	overlaps atomic.Bool  // see Overlaps
	few      atomic.Int64 // see AttendFew
	unpacks  atomic.Bool  // see UnpackCaches
	wrong32  atomic.Bool  // see RefuseQuantised32
}

var opened struct {
	sync.Mutex
	engine *Engine
}

// Open loads MLX, once a process. It computes on the GPU where there is one;
// $FORETOKEN_MLX_DEVICE, cpu or gpu, says otherwise.
func Open() (*Engine, error) {
	opened.Lock()
	defer opened.Unlock()
	if opened.engine != nil {
		return opened.engine, nil
	}
	device, err := device()
	if err != nil {
		return nil, err
	}
	path, err := find()
	if err != nil {
		return nil, err
	}
	e := &Engine{blas: capi.LoadBLAS(blases())}
	if e.lib, err = capi.Open(path, device); err != nil {
		return nil, err
	}
	e.swiglu = newSwiGLU()
	e.overlaps.Store(e.lib.Device == capi.GPU)
	if e.lib.Device == capi.GPU && runtime.GOOS == "linux" {
		e.AttendFew(3)
		e.UnpackCaches(true)
		e.RefuseQuantised32(true)
	}
	if err := e.Fuse(e.lib.Device == capi.GPU); err != nil {
		return nil, err
	}
	opened.engine = e
	return e, nil
}

func device() (*capi.Device, error) {
	cpu, gpu := capi.CPU, capi.GPU
	switch name := os.Getenv("FORETOKEN_MLX_DEVICE"); name {
	case "":
		return nil, nil
	case "cpu":
		return &cpu, nil
	case "gpu":
		return &gpu, nil
	default:
		return nil, fmt.Errorf("mlx: FORETOKEN_MLX_DEVICE is %q: want cpu or gpu", name)
	}
}

// About says what computes: the version, the device, and on the CPU the BLAS.
func (e *Engine) About() string {
	s := fmt.Sprintf("MLX %s on the %v", capi.Version, e.lib.Device)
	switch {
	case e.lib.Device == capi.GPU:
		return s
	case e.blas.Slow:
		return s + ", with the reference BLAS of its wheel"
	}
	return s + ", with " + e.blas.Name
}

// Warnings are doubts about how fast this engine is.
func (e *Engine) Warnings() []error {
	if e.lib.Device == capi.CPU && e.blas.Slow {
		return []error{fmt.Errorf("mlx: no OpenBLAS was found, so MLX multiplies with the reference BLAS of its wheel: " +
			"a token takes about 1.7 times as long, and K+1 rows take K+1 times as long as one, so that no draft can pay; 'make mlx' gets OpenBLAS")}
	}
	return nil
}

// Handles is the number of arrays that are held: of weights, caches and logits. It
// does not grow with the number of steps.
func (e *Engine) Handles() int64 { return e.lib.Live() }

// BytesRead is how many bytes were read back from the device so far.
func (e *Engine) BytesRead() int64 { return e.read.Load() }

// Overlaps reports whether what is begun is computed while its caller goes on: on a
// GPU. On the CPU, MLX keeps the caller until few operations are left, so that a step
// begun early only delays what came before it.
func (e *Engine) Overlaps() bool { return e.overlaps.Load() }

// Overlap says so, whatever the device.
func (e *Engine) Overlap(on bool) { e.overlaps.Store(on) }

// Memory is the bytes that arrays take.
func (e *Engine) Memory() (n int64, err error) {
	e.lib.Do(func() { n, err = e.lib.ActiveMemory() })
	return n, err
}

// Free gives arrays back.
func (e *Engine) Free(arrays ...Array) {
	e.lib.Do(func() {
		for _, a := range arrays {
			e.lib.Free(a.h)
		}
	})
}
