package foretoken

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Generated files are what their generators write: a kernel that is changed by hand is
// undone by the next go generate.
func TestGenerated(t *testing.T) {
	found, _ := filepath.Glob("*/*_gen.go")
	deeper, _ := filepath.Glob("*/*/*_gen.go")
	generators := append(found, deeper...)
	if len(generators) < 4 {
		t.Fatalf("generators: %v, want those of sampler and model/ref", generators)
	}
	for _, generator := range generators {
		path, err := filepath.Abs(generator)
		if err != nil {
			t.Fatal(err)
		}
		parts, _ := filepath.Glob(strings.TrimSuffix(path, ".go") + "_*.go")
		c := exec.Command("go", append([]string{"run", path}, parts...)...)
		c.Dir = t.TempDir()
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", generator, err, out)
		}
		files, err := filepath.Glob(filepath.Join(c.Dir, "*"))
		if err != nil || len(files) == 0 {
			t.Errorf("%s writes nothing: %v", generator, err)
		}
		for _, file := range files {
			written, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			kept := filepath.Join(filepath.Dir(generator), filepath.Base(file))
			if is, err := os.ReadFile(kept); err != nil || !bytes.Equal(is, written) {
				t.Errorf("%s is not what %s writes: change that and run go generate (%v)", kept, generator, err)
			}
		}
	}
}
