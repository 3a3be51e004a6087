package load_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"foretoken/mlx"
	"foretoken/model/checkpoint"
	"foretoken/model/load"
)

// What stands before a colon names the engine, unless it is of a path.
func TestEngines(t *testing.T) {
	world(t)
	path := filepath.Join(t.TempDir(), "a:b.gguf")
	if err := small(300).WriteGGUF(path, checkpoint.F32); err != nil {
		t.Fatal(err)
	}
	for _, ref := range []string{path, "ref:" + path} {
		l, err := load.Open(ref)
		if err != nil {
			t.Fatal(err)
		}
		if l.Name != "a:b" {
			t.Errorf("%s is called %q", ref, l.Name)
		}
	}
	if _, err := load.Open("cuda:" + path); err == nil || !strings.Contains(err.Error(), `no engine "cuda", want one of ref, ref-f32, mlx`) {
		t.Error(err)
	}
	if _, err := load.Open("mlx:nothing"); !errors.Is(err, load.ErrNotFound) {
		t.Error(err)
	}
}

// Without its library an engine says how to get it.
func TestNoMLX(t *testing.T) {
	world(t)
	if err := small(300).WriteGGUF("tiny.gguf", checkpoint.F32); err != nil {
		t.Fatal(err)
	}
	_, err := load.Options{MLX: mlx.Options{Library: "nowhere"}}.Open("mlx:tiny.gguf")
	if err == nil || !strings.Contains(err.Error(), "nowhere") || !strings.Contains(err.Error(), "make mlx") {
		t.Error(err)
	}
}
