package mlx

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
)

// A LibraryError says where MLX was looked for, and how to get it.
type LibraryError struct{ Looked []string }

// Error implements error.
func (e *LibraryError) Error() string {
	return fmt.Sprintf("mlx: no %s in %s: 'make mlx' gets it, and Options.Library names another folder, as FORETOKEN_MLX does for the program", library(), strings.Join(e.Looked, ", "))
}

func library() string {
	if runtime.GOOS == "darwin" {
		return "libmlxc.dylib"
	}
	return "libmlxc.so"
}

// find is the path of libmlxc: see Options.Library.
func (o Options) find() (string, error) {
	var dirs []string
	if o.Library != "" {
		dirs = []string{o.Library}
	} else {
		dirs = []string{filepath.Join(".tools", "mlx", "lib")}
		if program, err := os.Executable(); err == nil {
			dirs = append(dirs, filepath.Join(filepath.Dir(program), "..", ".tools", "mlx", "lib"))
		}
		if runtime.GOOS == "darwin" {
			dirs = append(dirs, "/opt/homebrew/lib", "/usr/local/lib")
		}
	}
	for _, dir := range dirs {
		path := filepath.Join(dir, library())
		if _, err := os.Stat(path); err == nil {
			return filepath.Abs(path)
		}
	}
	return "", &LibraryError{dirs}
}

// blases are the places of OpenBLAS; those of its kind with threads of its own.
func (o Options) blases() []string {
	if o.BLAS != "" {
		return []string{o.BLAS}
	}
	paths, _ := filepath.Glob("/usr/lib/*/openblas-pthread/libopenblas.so.0")
	return append(paths, "libopenblas.so.0")
}
