package mlx

import (
	"fmt"
	"runtime"

	"foretoken/mlx/internal/capi"
)

// Options are choices of an engine's opening, and stay as they are while it lives. The
// zero value finds MLX where 'make mlx' puts it, and is fastest on the device that there is.
type Options struct {
	// Library is the folder of libmlxc, and the only one that is looked at; "" is
	// .tools/mlx/lib, of the working folder or of the one that the program's bin stands
	// in, or Homebrew's.
	Library string
	// BLAS is the path of an OpenBLAS, the only one that is tried; "" is the system's.
	// For Linux's CPU.
	BLAS string
	// Device, cpu or gpu, is where MLX computes; "" is the GPU where there is one.
	Device string
	// Fuse lets compiled operations stand for chains of them. By itself on a GPU, where
	// each begins a kernel.
	Fuse Switch
	// Overlap lets a step be begun while its caller goes on. By itself on a GPU: on the
	// CPU, MLX keeps the caller until few operations are left, so that a step begun early
	// only delays what came before it.
	Overlap Switch
	// UnpackCaches multiplies with the values of a quantised cache. By itself on CUDA,
	// which has no products of several queries with packed keys in most shapes.
	UnpackCaches Switch
	// RefuseQuantised32 refuses weights in groups of 64 or more with float32. By itself
	// on CUDA: on an H200 what MLX 0.32.2 makes of weights in groups of 64 and several rows
	// of float32 is off by as much as it is large, at both sizes that were tried, in Python
	// too; groups of 32 are right.
	RefuseQuantised32 Switch
	// AttendFew takes so many queries at a time in attention; 0 is 3 on CUDA and all
	// elsewhere, negative is all. MLX for CUDA has a kernel for up to three. More it gives
	// to a library that plans anew for every number of keys, which a verify never sees again.
	AttendFew int
}

// A Switch is on, off, or what is best on the device.
type Switch int8

// The zero value leaves it to the device.
const (
	ByDevice Switch = iota
	On
	Off
)

// or is whether s is on, where the device's own is own.
func (s Switch) or(own bool) bool { return s == On || s == ByDevice && own }

// choices are options whose device is known.
type choices struct {
	fuse, overlap, unpack, refuse32 bool
	few                             int // 0 is all
}

func (o Options) on(device capi.Device, system string) choices {
	gpu := device == capi.GPU
	cuda := gpu && system == "linux"
	c := choices{fuse: o.Fuse.or(gpu), overlap: o.Overlap.or(gpu), unpack: o.UnpackCaches.or(cuda), refuse32: o.RefuseQuantised32.or(cuda), few: max(0, o.AttendFew)}
	if cuda && o.AttendFew == 0 {
		c.few = 3
	}
	return c
}

func (o Options) device() (*capi.Device, error) {
	cpu, gpu := capi.CPU, capi.GPU
	switch o.Device {
	case "":
		return nil, nil
	case "cpu":
		return &cpu, nil
	case "gpu":
		return &gpu, nil
	default:
		return nil, fmt.Errorf("mlx: the device is %q: want cpu or gpu", o.Device)
	}
}

// open makes an engine.
func (o Options) open() (*Engine, error) {
	device, err := o.device()
	if err != nil {
		return nil, err
	}
	path, err := o.find()
	if err != nil {
		return nil, err
	}
	e := &Engine{blas: capi.LoadBLAS(o.blases())}
	if e.lib, err = capi.Open(path, device); err != nil {
		return nil, err
	}
	e.swiglu, e.is = newSwiGLU(), o.on(e.lib.Device, runtime.GOOS)
	return e, nil
}
