package experiments

import (
	"os"
	"path/filepath"
	"strings"
)

// beside returns a way to say what a config calls a model: a relative path that is there
// beside the config is that file, whatever folder the program runs in. An engine and a
// colon may stand before it.
func beside(configFile string) func(ref string) string {
	dir := filepath.Dir(configFile)
	return func(ref string) string {
		engine, name := "", ref
		if before, after, ok := strings.Cut(ref, ":"); ok && !strings.ContainsAny(before, `/\.`) {
			engine, name = before+":", after
		}
		if configFile == "" || name == "" || filepath.IsAbs(name) {
			return ref
		}
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); err != nil {
			return ref
		}
		return engine + path
	}
}
