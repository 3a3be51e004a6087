package load_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foretoken/model/checkpoint"
	"foretoken/model/load"
)

// A model whose rope changes with the length of a text says what that costs.
func TestChangingRopeIsSaid(t *testing.T) {
	world(t)
	for scaling, want := range map[string]string{
		"":        "",
		"dynamic": "every token past 128",
		"yarn":    "",
	} {
		m, dir := small(300), t.TempDir()
		config := m.ConfigJSON()
		if scaling != "" {
			config["rope_scaling"] = map[string]any{"type": scaling, "factor": 2}
		}
		if err := m.WriteFolder(dir, checkpoint.F32, 1); err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(config)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "config.json"), b, 0o644); err != nil {
			t.Fatal(err)
		}
		l, err := load.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		said := slices.ContainsFunc(l.Warnings, func(w error) bool { return strings.Contains(w.Error(), "rope of type") })
		right := slices.ContainsFunc(l.Warnings, func(w error) bool { return strings.Contains(w.Error(), want) })
		if said != (want != "") || said && !right {
			t.Errorf("%q: warnings %v, want %q", scaling, l.Warnings, want)
		}
		l.Close()
	}
}
