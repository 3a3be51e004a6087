// Package mlx computes with MLX: arrays and the operations that our models are
// made of. The same code runs on the CPU, through Metal and through CUDA.
//
// Nothing is computed before it is asked for: an operation adds to a graph, and
// Eval runs it.
package mlx

import (
	"fmt"
	"sync"
	"sync/atomic"

	"foretoken/mlx/internal/capi"
)

// An Engine is MLX on one device. All of it runs on one OS thread, so that its
// callers wait for each other.
type Engine struct {
	lib    *capi.Lib
	blas   capi.BLAS
	read   atomic.Int64
	is     choices
	swiglu *Function
}

var opened struct {
	sync.Mutex
	engines map[Options]*Engine
}

// Open loads MLX, and makes an engine once a process for the same options. Engines of
// different ones share the process's MLX: they do not compute at the same time.
func Open(o Options) (*Engine, error) {
	opened.Lock()
	defer opened.Unlock()
	if e := opened.engines[o]; e != nil {
		return e, nil
	}
	e, err := o.open()
	if err != nil {
		return nil, err
	}
	if opened.engines == nil {
		opened.engines = map[Options]*Engine{}
	}
	opened.engines[o] = e
	return e, nil
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

// Overlaps reports whether what is begun is computed while its caller goes on: see Options.
func (e *Engine) Overlaps() bool { return e.is.overlap }

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
