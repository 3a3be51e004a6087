package foretoken

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The worked example of CONTRIBUTING.md compiles, registers and passes the
// drafters' tests as it stands there.
func TestAddADrafterInOneFile(t *testing.T) {
	doc, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(doc), "## Add a drafter in one file")
	file, rest := codeBlock(t, section)
	line, _ := codeBlock(t, rest)
	registry, err := os.ReadFile("draft/registry.go")
	if err != nil {
		t.Fatal(err)
	}
	head := "var registry = map[string]func() Factory{\n"
	if strings.Count(string(registry), head) != 1 {
		t.Fatalf("draft/registry.go has no line %q", head)
	}
	overlay := overlayOf(t, map[string]string{
		"draft/repeat.go":   file,
		"draft/registry.go": strings.Replace(string(registry), head, head+line, 1),
	})
	out, err := exec.Command("go", "test", "-overlay", overlay, "-run", "TestWarmIsFresh/repeat", "-v", "./draft").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestWarmIsFresh/repeat/t=0") {
		t.Errorf("%v\n%s", err, out)
	}
}

// Every module that the code imports is listed with its reason, and no other.
func TestDependenciesAreExplained(t *testing.T) {
	doc, err := os.ReadFile("CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(doc), "## Dependencies, and why each")
	listed := map[string]bool{}
	for line := range strings.Lines(section) {
		if cells := strings.Split(line, "|"); len(cells) > 3 {
			for i, name := range strings.Split(cells[1], "`") {
				if i%2 == 1 {
					listed[name] = true
				}
			}
		}
	}
	out, err := exec.Command("go", "list", "-m", "-f", "{{if not (or .Indirect .Main)}}{{.Path}}{{end}}", "all").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(string(out)) {
		if !listed[path] {
			t.Errorf("CONTRIBUTING.md does not say why %s is used", path)
		}
		delete(listed, path)
	}
	for path := range listed {
		t.Errorf("CONTRIBUTING.md explains %s, which is not used", path)
	}
}

// codeBlock returns the first Go block of a text, and what follows it.
func codeBlock(t *testing.T, text string) (code, rest string) {
	t.Helper()
	_, after, ok := strings.Cut(text, "```go\n")
	code, rest, closed := strings.Cut(after, "```")
	if !ok || !closed {
		t.Fatal("CONTRIBUTING.md: a Go block is missing")
	}
	return code, rest
}

// overlayOf writes files beside the tree and returns go's description of them.
func overlayOf(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, replace := t.TempDir(), map[string]string{}
	for name, text := range files {
		path := filepath.Join(dir, filepath.Base(name))
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		abs, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		replace[abs] = path
	}
	data, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
