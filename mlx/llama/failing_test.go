//go:build mlx

package llama_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"foretoken/mlx/llama"
	"foretoken/model"
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
	overlapping(t)
	e := engine(t)
	m, err := llama.New(e, write(t, families["llama"], checkpoint.F32), llama.Options{Choose: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	handles := e.Handles()
	tokens := []model.Token{1, 2, 3}
	good := session(t, m)
	want := rows(t, good, tokens, 3, 64)
	if err := good.Close(); err != nil {
		t.Fatal(err)
	}
	kept, lost := 0, 0
	for call := 1; ; call++ {
		s := session(t, m)
		if err := os.WriteFile(armed, fmt.Append(nil, call), 0o644); err != nil {
			t.Fatal(err)
		}
		err := turn(s, tokens)
		if err == nil { // fewer calls than that
			break
		}
		if !strings.Contains(err.Error(), "planted failure") {
			t.Errorf("call %d: %v", call, err)
		}
		if s.Len() == 0 {
			got := rows(t, s, tokens, 3, 64)
			if kept++; !slices.EqualFunc(got, want, slices.Equal[[]float32]) {
				t.Errorf("call %d: after its failure the session goes on with other logits", call)
			}
		} else {
			lost++
		}
		if err := s.Close(); err != nil {
			t.Errorf("call %d: %v", call, err)
		}
		if h := e.Handles(); h != handles {
			t.Fatalf("call %d: %d handles are left, want %d", call, h, handles)
		}
	}
	if kept < 20 || lost < 1 {
		t.Errorf("%d failures before anything was computed, and %d after", kept, lost)
	}
	t.Logf("%d calls were failed: after %d the session went on", kept+lost, kept)
}

// turn is a forward, the wait, the best ids, a distribution and a row,
// and steps that are begun ahead.
func turn(s model.Session, tokens []model.Token) error {
	l, err := s.Forward(tokens, 3)
	if err != nil {
		return err
	}
	if err := l.Wait(); err != nil {
		return err
	}
	if _, err := l.Argmaxes(); err != nil {
		return err
	}
	p := model.Plan{Real: 64, Repetition: 1, Temperature: 1, FilterTemperature: 1, TopP: .9, TopK: 9}
	if _, err := l.(model.PlanExecutor).Execute(1, &p); err != nil {
		return err
	}
	if err := l.Read(0, make([]float32, 64)); err != nil {
		return err
	}
	s.(model.Pipelined).Pipeline(9)
	for range 2 {
		l, err := s.Forward([]model.Token{1}, 1)
		if err != nil {
			return err
		}
		if _, err := l.Argmaxes(); err != nil {
			return err
		}
	}
	return nil
}
