package experiments

import (
	"runtime"
	"runtime/debug"
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
	if revision == "" { // built without one: the folder that it runs in may be of any revision
		return "", versions
	}
	return mark(revision, modified), versions
}

func mark(revision string, modified bool) string {
	if modified {
		return revision + " (modified)"
	}
	return revision
}
