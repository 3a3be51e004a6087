package foretoken

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A drafter with an option, a rule and a length policy are added from another module, each in
// a file of under 60 lines, and work in configs and in code. testdata/elsewhere has them.
func TestElsewhere(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/elsewhere/*.go.txt")
	if err != nil || len(files) != 4 {
		t.Fatalf("%v %v", files, err)
	}
	dir := t.TempDir()
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		if n := bytes.Count(data, []byte("\n")); n >= 60 && !strings.HasSuffix(name, "_test.go") {
			t.Errorf("%s has %d lines, want under 60", name, n)
		}
		put(t, filepath.Join(dir, name), data)
	}
	module, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(module), "module foretoken\n", "module elsewhere\n", 1)
	put(t, filepath.Join(dir, "go.mod"), []byte(text+"\nrequire foretoken v0.0.0\n\nreplace foretoken => "+here+"\n"))
	put(t, filepath.Join(dir, "go.sum"), sums)
	cmd := exec.Command("go", "test", "-mod=mod", "./...")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func put(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}
