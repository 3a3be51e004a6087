//go:build mlx

package llama_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"foretoken/mlx"
	"foretoken/mlx/llama"
	"foretoken/model/checkpoint"
)

// A call of MLX that fails, whichever, comes back as an error; the session can be
// closed, and leaves no handle; if nothing was computed, it can go on. The library
// that fails has to be the first that is loaded, so this runs in its own process.
func TestEveryFailureSurfaces(t *testing.T) {
	if armed := os.Getenv("FAILING_ARMED"); armed != "" {
		failEach(t, armed)
		return
	}
	if runtime.GOOS != "linux" {
		t.Skip("the library that fails is made for Linux's loader")
	}
	dir := t.TempDir()
	armed := filepath.Join(dir, "armed")
	real, err := filepath.Abs(filepath.Join(os.Getenv("FORETOKEN_MLX"), "libmlxc.so"))
	if err != nil {
		t.Fatal(err)
	}
	cc := exec.Command("cc", "-shared", "-fPIC", "-DARMED="+fmt.Sprintf("%q", armed), "-o", filepath.Join(dir, "libmlxc.so"),
		filepath.Join("testdata", "failing.c"), real, "-Wl,-rpath,"+filepath.Dir(real), "-Wl,--no-as-needed", "-ldl")
	if out, err := cc.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	again := exec.Command(os.Args[0], "-test.run=^TestEveryFailureSurfaces$", "-test.v")
	again.Env = append(os.Environ(), "FAILING_ARMED="+armed, "FORETOKEN_MLX="+dir)
	out, err := again.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "calls were failed") {
		t.Fatalf("%v: %s", err, out)
	}
	t.Log(string(out))
}

func failEach(t *testing.T, armed string) {
	f := &failing{t: t, e: overlapping(t), armed: armed}
	kept, lost := f.openings(), 0
	for name, open := range attempts(t, f.e) {
		k, l := f.attempts(name, open)
		t.Logf("%s: after %d calls that failed nothing was changed, after %d the session was lost", name, k, l)
		kept, lost = kept+k, lost+l
	}
	kept += f.draws()
	if kept < 500 || lost < 8 {
		t.Errorf("after %d calls that failed it could go on, after %d it said that it could not", kept, lost)
	}
	t.Logf("%d calls were failed: after %d nothing was changed, %d could only be closed", f.n, kept, lost)
}

// failing fails one call of MLX after another.
type failing struct {
	t     *testing.T
	e     *mlx.Engine
	armed string
	n     int // calls that were failed
}

// fail makes a call from now on fail, counted from 1; 0 is none.
func (f *failing) fail(call int) {
	f.t.Helper()
	if err := os.WriteFile(f.armed, fmt.Append(nil, call), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

// each runs what a call fails in, for every call that there is, and counts them.
func (f *failing) each(what string, run func() error) (n int) {
	f.t.Helper()
	for call := 1; ; call++ {
		handles := f.e.Handles()
		f.fail(call)
		err := run()
		if h := f.e.Handles(); h != handles {
			f.t.Fatalf("%s, call %d: %d handles are left, want %d (%v)", what, call, h, handles, err)
		}
		if err == nil { // fewer calls than that
			f.fail(0)
			f.n += call - 1
			return call - 1
		}
		if !strings.Contains(err.Error(), "planted failure") {
			f.t.Errorf("%s, call %d: %v", what, call, err)
		}
	}
}

// openings fails what makes models and heads of them, and the steps that are built and kept
// when they are first used.
func (f *failing) openings() (n int) {
	c := wide("llama")
	ck, file := write(f.t, c, checkpoint.BF16), headFile(f.t, c, []int{0, 2})
	for _, o := range []llama.Options{{}, {Bits: 4, DType: mlx.Float32}} {
		n += f.each("opening", func() error {
			m, err := llama.New(f.e, ck, o)
			if err != nil {
				return err
			}
			defer m.Close()
			h, err := llama.NewHead(file, m)
			if err != nil {
				return err
			}
			p, err := newPair(h, m)
			if err != nil {
				return err
			}
			defer p.close()
			return p.turn()
		})
	}
	return n
}

// draws fails the numbers of MLX's key.
func (f *failing) draws() int {
	return f.each("draws", func() error {
		n, err := f.e.Noise(7)
		if err != nil {
			return err
		}
		defer n.Close()
		_, err = n.Next()
		return err
	})
}
