//go:build models

package jinja

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"foretoken/model/modeltest"
)

// TestPublished compares the templates of 148 published models with Jinja2, by the sums
// of the texts; null is a refusal.
func TestPublished(t *testing.T) {
	var want map[string][]*string
	readJSON(t, &want, "testdata", "published.json")
	if len(want) != 148 {
		t.Fatalf("sums of %d templates, want 148", len(want))
	}
	folder, all := filepath.Join(modeltest.Real(t), "templates"), conversations(t)
	wrong, texts := 0, 0
	for name, sums := range want {
		source, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if len(sums) != len(all) {
			t.Fatalf("%s: %d sums for %d conversations", name, len(sums), len(all))
		}
		for i, sum := range sums {
			texts++
			got, err := render(string(source), all[i])
			if (err == nil) != (sum != nil) || sum != nil && short(got) != *sum {
				wrong++
				t.Errorf("%s, conversation %d: sum %s, error %v; want %v", name, i, short(got), err, deref(sum))
			}
		}
	}
	t.Logf("%d of %d texts and refusals equal", texts-wrong, texts)
}

func short(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:16]
}

func deref(s *string) string {
	if s == nil {
		return "a refusal"
	}
	return *s
}
