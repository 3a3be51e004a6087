package experiments

import (
	"path/filepath"

	"foretoken/results"
)

// ConfigOf returns the config that a run was begun with, limits and all, and the file that
// it was read from, beside which prompts and schemas are looked for; "" is the program's
// own. What is wrong is a *Refusal.
func ConfigOf(dir string) (c Config, file string, err error) {
	run, err := results.Read(dir)
	if err != nil {
		return c, "", refuse(err)
	}
	c, err = Parse(filepath.Join(dir, "header.json"), run.Header.Config)
	return c, run.Header.ConfigFile, err
}
