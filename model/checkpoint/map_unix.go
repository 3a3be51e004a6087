//go:build unix && !solaris && !aix

package checkpoint

import (
	"os"
	"syscall"
)

func mapped(f *os.File, n int) ([]byte, func() error, error) {
	data, err := syscall.Mmap(int(f.Fd()), 0, n, syscall.PROT_READ, syscall.MAP_SHARED)
	if err != nil {
		return nil, nil, &os.PathError{Op: "mmap", Path: f.Name(), Err: err}
	}
	return data, func() error { return syscall.Munmap(data) }, nil
}
