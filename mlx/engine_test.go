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

// The library is looked for where the options say and nowhere else, or where one works;
// what was looked at is said.
func TestFind(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	named := filepath.Join(dir, "mine")
	_, err := (Options{Library: named}).find()
	var e *LibraryError
	if !errors.As(err, &e) || !slices.Equal(e.Looked, []string{named}) || !strings.Contains(err.Error(), named+": 'make mlx' gets it") {
		t.Error(err)
	}
	file := library()
	for library, at := range map[string]string{named: named, "": filepath.Join(dir, ".tools", "mlx", "lib")} {
		want := filepath.Join(at, file)
		if err := errors.Join(os.MkdirAll(at, 0o755), os.WriteFile(want, nil, 0o644)); err != nil {
			t.Fatal(err)
		}
		if path, err := (Options{Library: library}).find(); err != nil || filepath.Base(path) != file || !same(t, path, want) {
			t.Errorf("library %q: %q, %v", library, path, err)
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
		if d, err := (Options{Device: name}).device(); err != nil || *d != want {
			t.Errorf("%s: %v, %v", name, d, err)
		}
	}
	if d, err := (Options{}).device(); d != nil || err != nil {
		t.Errorf("%v, %v", d, err)
	}
	if _, err := Open(Options{Device: "tpu"}); err == nil || !strings.Contains(err.Error(), `the device is "tpu": want cpu or gpu`) {
		t.Error(err)
	}
}

// The zero value is what a device is best with, and any other is said.
func TestChoices(t *testing.T) {
	for _, c := range []struct {
		o      Options
		device capi.Device
		system string
		want   choices
	}{
		{Options{}, capi.CPU, "linux", choices{}},
		{Options{}, capi.GPU, "darwin", choices{fuse: true, overlap: true}},
		{Options{}, capi.GPU, "linux", choices{fuse: true, overlap: true, unpack: true, refuse32: true, few: 3}},
		{Options{Fuse: Off, Overlap: Off, UnpackCaches: Off, RefuseQuantised32: Off, AttendFew: -1}, capi.GPU, "linux", choices{}},
		{Options{Fuse: On, Overlap: On, UnpackCaches: On, RefuseQuantised32: On, AttendFew: 5}, capi.CPU, "linux", choices{true, true, true, true, 5}},
	} {
		if got := c.o.on(c.device, c.system); got != c.want {
			t.Errorf("%+v on the %v of %s: %+v, want %+v", c.o, c.device, c.system, got, c.want)
		}
	}
}

// An OpenBLAS that is named is the only one that is tried.
func TestBLASes(t *testing.T) {
	if got := (Options{BLAS: "/opt/mine.so"}).blases(); !slices.Equal(got, []string{"/opt/mine.so"}) {
		t.Error(got)
	}
	if got := (Options{}).blases(); got[len(got)-1] != "libopenblas.so.0" {
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
