package capi

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/ebitengine/purego"
)

// ownAttention makes MLX for CUDA use its own kernels for attention, unless the
// environment says otherwise: cuDNN plans anew for every number of keys, up to a second
// each, and a verify has another number every round. Go's own environment is not C's.
func ownAttention() error {
	if runtime.GOOS != "linux" {
		return nil
	}
	setenv, err := purego.Dlsym(purego.RTLD_DEFAULT, "setenv")
	if err != nil || setenv == 0 {
		var libc uintptr
		if libc, err = purego.Dlopen("libc.so.6", purego.RTLD_NOW|purego.RTLD_GLOBAL); err == nil {
			setenv, err = purego.Dlsym(libc, "setenv")
		}
	}
	if err != nil {
		return fmt.Errorf("mlx: no setenv: %w", err)
	}
	name, value := []byte("MLX_CUDA_USE_CUDNN_SDPA\x00"), []byte("0\x00")
	const overwrite = 0
	purego.SyscallN(setenv, uintptr(unsafe.Pointer(&name[0])), uintptr(unsafe.Pointer(&value[0])), overwrite)
	runtime.KeepAlive(name)
	runtime.KeepAlive(value)
	return nil
}
