package experiments

import (
	"bytes"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
)

// Build is the git revision this program was built from, "" where unknown, and
// the versions of Go and of the modules in it.
func Build() (revision string, versions map[string]string) {
	versions = map[string]string{"go": runtime.Version()}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "", versions
	}
	modified := false
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			revision = s.Value
		case "vcs.modified":
			modified = s.Value == "true"
		case "GOEXPERIMENT":
			versions["GOEXPERIMENT"] = s.Value
		}
	}
	for _, m := range info.Deps {
		versions[m.Path] = m.Version
	}
	if revision == "" {
		return checkout(info.Main.Path), versions
	}
	return mark(revision, modified), versions
}

// checkout is the revision of the git checkout of this module that we run in, for
// programs built without one (go run, -buildvcs=false).
func checkout(module string) string {
	line, err := exec.Command("go", "list", "-m").Output()
	if err != nil || module == "" || strings.TrimSpace(string(line)) != module {
		return ""
	}
	head, err := exec.Command("git", "rev-parse", "HEAD").Output()
	if err != nil {
		return ""
	}
	status, err := exec.Command("git", "status", "--porcelain").Output()
	return mark(string(bytes.TrimSpace(head)), err != nil || len(status) > 0)
}

func mark(revision string, modified bool) string {
	if modified {
		return revision + " (modified)"
	}
	return revision
}
