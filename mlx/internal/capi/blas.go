package capi

import (
	"runtime"
	"strings"

	"github.com/ebitengine/purego"
)

// BLAS says which library multiplies matrices of floats on the CPU.
type BLAS struct {
	Name string // "" where it is MLX's own
	Slow bool   // the wheel's reference BLAS
}

// LoadBLAS loads the first of the OpenBLAS libraries at paths for the whole process,
// so that MLX, loaded after it, takes its functions for those of the slow one that
// it brings. It is for Linux alone: macOS has Accelerate.
func LoadBLAS(paths []string) BLAS {
	if runtime.GOOS != "linux" {
		return BLAS{Name: "Accelerate"}
	}
	for _, path := range paths {
		lib, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_GLOBAL)
		if err != nil {
			continue
		}
		ours, err := purego.Dlsym(lib, "cblas_sgemm")
		if err != nil {
			continue
		}
		// What a library loaded from now on finds first.
		if first, err := purego.Dlsym(purego.RTLD_DEFAULT, "cblas_sgemm"); err != nil || first != ours {
			continue
		}
		name := path
		if config, err := purego.Dlsym(lib, "openblas_get_config"); err == nil {
			r, _, _ := purego.SyscallN(config)
			name = strings.TrimSpace(text((*byte)(pointer(r))))
		}
		return BLAS{Name: name}
	}
	return BLAS{Slow: true}
}
