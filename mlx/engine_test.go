package mlx

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foretoken/mlx/internal/capi"
)

// The library is looked for where the environment says and nowhere else, or where one works;
// what was looked at is said.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	named := filepath.Join(dir, "mine")
	t.Setenv("FORETOKEN_MLX", named)
	_, err := find()
	var e *LibraryError
	if !errors.As(err, &e) || !slices.Equal(e.Looked, []string{named}) || !strings.Contains(err.Error(), named+": 'make mlx' gets it") {
		t.Error(err)
	}
	for env, at := range map[string]string{named: named, "": filepath.Join(dir, ".tools", "mlx", "lib")} {
		t.Setenv("FORETOKEN_MLX", env)
		want := filepath.Join(at, library())
		if err := errors.Join(os.MkdirAll(at, 0o755), os.WriteFile(want, nil, 0o644)); err != nil {
			t.Fatal(err)
		}
		if path, err := find(); err != nil || filepath.Base(path) != library() || !same(t, path, want) {
			t.Errorf("FORETOKEN_MLX %q: %q, %v", env, path, err)
		}
	}
}

// same is whether two paths are of one file: a folder for tests may be reached by links.
func same(t *testing.T, a, b string) bool {
	t.Helper()
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	return os.SameFile(x, y)
}

func TestDevice(t *testing.T) {
	for name, want := range map[string]capi.Device{"cpu": capi.CPU, "gpu": capi.GPU} {
		t.Setenv("FORETOKEN_MLX_DEVICE", name)
		if d, err := device(); err != nil || *d != want {
			t.Errorf("%s: %v, %v", name, d, err)
		}
	}
	t.Setenv("FORETOKEN_MLX_DEVICE", "")
	if d, err := device(); d != nil || err != nil {
		t.Errorf("%v, %v", d, err)
	}
	t.Setenv("FORETOKEN_MLX_DEVICE", "tpu")
	if _, err := Open(); err == nil || !strings.Contains(err.Error(), `FORETOKEN_MLX_DEVICE is "tpu": want cpu or gpu`) {
		t.Error(err)
	}
}

// An OpenBLAS that is named is the only one that is tried.
func TestBLASes(t *testing.T) {
	t.Setenv("FORETOKEN_BLAS", "/opt/mine.so")
	if got := blases(); !slices.Equal(got, []string{"/opt/mine.so"}) {
		t.Error(got)
	}
	t.Setenv("FORETOKEN_BLAS", "")
	if got := blases(); got[len(got)-1] != "libopenblas.so.0" {
		t.Error(got)
	}
}

// What multiplies is said, and a warning says what the slow one costs, on the CPU alone.
func TestAbout(t *testing.T) {
	for _, c := range []struct {
		device capi.Device
		blas   capi.BLAS
		about  string
		warns  bool
	}{
		{capi.CPU, capi.BLAS{Name: "OpenBLAS 1"}, "MLX " + capi.Version + " on the cpu, with OpenBLAS 1", false},
		{capi.CPU, capi.BLAS{Slow: true}, "MLX " + capi.Version + " on the cpu, with the reference BLAS of its wheel", true},
		{capi.GPU, capi.BLAS{Slow: true}, "MLX " + capi.Version + " on the gpu", false},
	} {
		e := &Engine{lib: &capi.Lib{Device: c.device}, blas: c.blas}
		w := e.Warnings()
		if e.About() != c.about || (len(w) > 0) != c.warns || c.warns && !strings.Contains(w[0].Error(), "as long as one") {
			t.Errorf("%q, %v", e.About(), w)
		}
	}
}
