package load_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foretoken/model/load"
)

// world is an empty folder that everything is looked for in.
func world(t *testing.T) (dir string) {
	dir = t.TempDir()
	for _, name := range []string{"HF_HUB_CACHE", "HF_HOME", "XDG_CACHE_HOME", "FORETOKEN_MODELS"} {
		t.Setenv(name, "")
	}
	t.Setenv("HOME", dir)
	t.Chdir(dir)
	return dir
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestFind has a model in each place that a name is looked for in.
func TestFind(t *testing.T) {
	const repo = "models--org--name"
	for name, test := range map[string]struct {
		files []string // with the text "rev"
		env   map[string]string
		ref   string
		want  string
	}{
		"folder":        {[]string{"some/dir/config.json"}, nil, "some/dir", "some/dir"},
		"file":          {[]string{"some/m.gguf"}, nil, "some/m.gguf", "some/m.gguf"},
		"folder first":  {[]string{"org/name/config.json", "models/org/name/config.json"}, nil, "org/name", "org/name"},
		"models":        {[]string{"models/name/config.json"}, nil, "name", "models/name"},
		"models, gguf":  {[]string{"models/name.gguf"}, nil, "name", "models/name.gguf"},
		"env":           {[]string{"there/name.gguf", "models/name.gguf"}, map[string]string{"FORETOKEN_MODELS": "there"}, "name", "there/name.gguf"},
		"home":          {[]string{".cache/huggingface/hub/" + repo + "/refs/main", ".cache/huggingface/hub/" + repo + "/snapshots/rev/config.json", ".cache/huggingface/hub/" + repo + "/snapshots/old/config.json"}, nil, "org/name", ".cache/huggingface/hub/" + repo + "/snapshots/rev"},
		"HF_HOME":       {[]string{"h/hub/" + repo + "/refs/main", "h/hub/" + repo + "/snapshots/rev/config.json"}, map[string]string{"HF_HOME": "h"}, "org/name", "h/hub/" + repo + "/snapshots/rev"},
		"HF_HUB_CACHE":  {[]string{"c/" + repo + "/refs/main", "c/" + repo + "/snapshots/rev/config.json"}, map[string]string{"HF_HUB_CACHE": "c", "HF_HOME": "h"}, "org/name", "c/" + repo + "/snapshots/rev"},
		"no refs":       {[]string{"c/" + repo + "/snapshots/x/config.json"}, map[string]string{"HF_HUB_CACHE": "c"}, "org/name", "c/" + repo + "/snapshots/x"},
		"models before": {[]string{"models/org/name/config.json", "c/" + repo + "/snapshots/x/config.json"}, map[string]string{"HF_HUB_CACHE": "c"}, "org/name", "models/org/name"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := world(t)
			for _, f := range test.files {
				put(t, f, "rev\n")
			}
			for k, v := range test.env {
				t.Setenv(k, v)
			}
			got, err := load.Find(test.ref)
			if err != nil {
				t.Fatal(err)
			}
			if rel, err := filepath.Rel(dir, got); err == nil && filepath.IsAbs(got) {
				got = rel
			}
			if got != test.want {
				t.Errorf("%s is %s, want %s", test.ref, got, test.want)
			}
		})
	}
}

// TestNotFound lists what was looked at, and never leaves the folders of models.
func TestNotFound(t *testing.T) {
	world(t)
	put(t, "secret/config.json", "")
	t.Setenv("FORETOKEN_MODELS", "there/models")
	t.Setenv("HF_HUB_CACHE", "c")
	put(t, "c/models--org--old/refs/main", "gone")
	put(t, "c/models--org--bad/refs/main", "../../../secret")
	put(t, "c/models--org--two/snapshots/a/x", "")
	put(t, "c/models--org--two/snapshots/b/x", "")
	for ref, names := range map[string][]string{
		"org/name":        {`"org/name"`, "there/models/org/name", "there/models/org/name.gguf", "c/models--org--name"},
		"org/old":         {"c/models--org--old/snapshots/gone"},
		"org/bad":         {"c/models--org--bad/refs/main", "../../../secret"},
		"org/two":         {"2 revisions"},
		"../secret/x":     {`"../secret/x"`},
		"x/../../secret":  {},
		"":                {`""`},
		"/nowhere/m.gguf": {"/nowhere/m.gguf"},
	} {
		path, err := load.Find(ref)
		if err == nil {
			t.Errorf("%q is found: %s", ref, path)
			continue
		}
		var e *load.NotFoundError
		if errors.As(err, &e) != errors.Is(err, load.ErrNotFound) {
			t.Errorf("%q: error %v is of two minds", ref, err)
		}
		for _, name := range names {
			if !strings.Contains(err.Error(), filepath.FromSlash(name)) {
				t.Errorf("%q: error %q does not name %s", ref, err, name)
			}
		}
	}
}
