//go:build models

package jsonmask

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"
)

// Patterns of the suite are found in its strings where it says so, however a string is
// spelled.
func TestPatternSuite(t *testing.T) {
	groups, tried := suite(t, "draft2020-12"), 0
	for _, name := range slices.Sorted(maps.Keys(patternFiles)) {
		for _, g := range groups[name] {
			var schema struct{ Pattern *string }
			if json.Unmarshal(g.Schema, &schema) != nil || schema.Pattern == nil {
				continue
			}
			p, err := newPattern(*schema.Pattern)
			if err != nil {
				t.Errorf("%s, %s: %v", name, g.Description, err)
				continue
			}
			for _, c := range g.Tests {
				var text string
				if json.Unmarshal(c.Data, &text) != nil {
					continue
				}
				if tried++; p.finds(text) != c.Valid {
					t.Errorf("%s, %s, %s: %v, want %v", name, g.Description, c.Description, p.finds(text), c.Valid)
				}
			}
		}
	}
	if t.Logf("%d strings", tried); tried < 60 {
		t.Error("too few to tell")
	}
}

// patternFiles are the suite's files about patterns.
var patternFiles = map[string]bool{"pattern.json": true, "patternProperties.json": true, "optional/ecmascript-regex.json": true, "optional/non-bmp-regex.json": true}
