//go:build !unix || solaris || aix

package checkpoint

import (
	"io"
	"os"
)

func mapped(f *os.File, n int) ([]byte, func() error, error) {
	data := make([]byte, n)
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, nil, err
	}
	return data, func() error { return nil }, nil
}
