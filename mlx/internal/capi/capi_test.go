package capi

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/ebitengine/purego"
)

// build compiles the fixture, with definitions of its own.
func build(t *testing.T, flags ...string) string {
	t.Helper()
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler, which makes the library that these tests call")
	}
	lib := filepath.Join(t.TempDir(), "fixture.so")
	args := append([]string{"-shared", "-fPIC", "-Wall", "-Werror", "-o", lib}, flags...)
	if out, err := exec.Command(cc, append(args, filepath.Join("testdata", "fixture.c"))...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return lib
}

func open(t *testing.T) *Lib {
	t.Helper()
	l, err := Open(build(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

// fixture calls one of its own functions.
func (l *Lib) fixture(name string, args ...uintptr) uintptr {
	lib, err := purego.Dlopen(l.Path, purego.RTLD_NOW)
	if err != nil {
		panic(err)
	}
	f, err := purego.Dlsym(lib, name)
	if err != nil {
		panic(err)
	}
	r, _, _ := purego.SyscallN(f, args...)
	return r
}

func (l *Lib) said() string { return text((*byte)(pointer(l.fixture("fixture_said")))) }

// A library that lacks a function, whichever, is refused with both their names.
func TestMissingSymbol(t *testing.T) {
	for _, name := range []string{"mlx_slice_update", "mlx_fast_rope_dynamic", "mlx_set_error_handler"} {
		path := build(t, "-D"+name+"=gone")
		_, err := Open(path, nil)
		var e *SymbolError
		if !errors.As(err, &e) || e.Symbol != name || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), path) {
			t.Errorf("without %s: %v", name, err)
		}
	}
}

func TestOtherVersion(t *testing.T) {
	_, err := Open(build(t, `-DVERSION="0.32.4"`), nil)
	var e *VersionError
	if !errors.As(err, &e) || e.Version != "0.32.4" || !strings.Contains(err.Error(), "want 0.32.2") {
		t.Error(err)
	}
}

func TestDevices(t *testing.T) {
	gpu, cpu := GPU, CPU
	for _, c := range []struct {
		flag string
		want *Device
		got  Device
		err  string
	}{
		{"-DGPUS=1", nil, GPU, ""}, {"-DGPUS=1", &cpu, CPU, ""}, {"-DGPUS=0", nil, CPU, ""}, {"-DGPUS=0", &gpu, 0, "no device gpu"},
	} {
		l, err := Open(build(t, c.flag), c.want)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v", c.flag, err)
			}
			continue
		}
		if err != nil || l.Device != c.got {
			t.Fatalf("%s: %v, %v", c.flag, l, err)
		}
		l.Close()
	}
}

// What is no library, and one that lacks another, are refused with what gets them.
func TestNoLibrary(t *testing.T) {
	dir := t.TempDir()
	empty, junk := filepath.Join(dir, "empty.so"), filepath.Join(dir, "junk.so")
	if err := errors.Join(os.WriteFile(empty, nil, 0o755), os.WriteFile(junk, []byte(strings.Repeat("no library ", 99)), 0o755)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{filepath.Join(dir, "none.so"), dir, empty, junk, orphan(t)} {
		_, err := Open(path, nil)
		var e *LoadError
		if !errors.As(err, &e) || e.Library != path || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "make mlx") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// orphan is a library that was built against another, which is gone.
func orphan(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	other, lib := filepath.Join(dir, "libother.so"), filepath.Join(dir, "orphan.so")
	if err := os.Rename(build(t), other); err != nil {
		t.Fatal(err)
	}
	args := []string{"-shared", "-fPIC", "-o", lib, filepath.Join("testdata", "fixture.c"), other}
	if runtime.GOOS == "linux" { // whose linker leaves out what nothing is taken of
		args = append([]string{"-Wl,--no-as-needed"}, args...)
	}
	if out, err := exec.Command("cc", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if err := os.Remove(other); err != nil {
		t.Fatal(err)
	}
	return lib
}

// All that Do runs is on one OS thread.
func TestThread(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("it asks for the thread's number, as Linux has it")
	}
	libc, err := purego.Dlopen("libc.so.6", purego.RTLD_NOW)
	if err != nil {
		t.Fatal(err)
	}
	gettid, err := purego.Dlsym(libc, "gettid")
	if err != nil {
		t.Fatal(err)
	}
	th := newThread()
	defer th.close()
	seen := map[uintptr]bool{}
	for range 100 {
		done := make(chan struct{})
		go func() {
			defer close(done)
			th.do(func() {
				id, _, _ := purego.SyscallN(gettid)
				seen[id] = true
			})
		}()
		<-done
	}
	if len(seen) != 1 {
		t.Errorf("%d threads: want one", len(seen))
	}
}

// The table has no field that bind forgot.
func TestTableIsWhole(t *testing.T) {
	l := open(t)
	v := reflect.ValueOf(l.t)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("%s is not bound", v.Type().Field(i).Name)
		}
	}
	if unsafe.Sizeof(Array(0)) != unsafe.Sizeof(uintptr(0)) {
		t.Error("a handle is no word")
	}
}
