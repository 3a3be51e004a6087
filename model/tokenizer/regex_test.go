package tokenizer

import (
	"slices"
	"testing"
)

// TestFold: as Oniguruma has it, the long s folds to s.
func TestFold(t *testing.T) {
	cut := mustSplit(cutQwen2)
	for text, want := range map[string][]string{
		"'ſo": {"'ſ", "o"}, "we'REx": {"we", "'RE", "x"}, "a'Lb": {"a", "'Lb"}, "it's 12\n\n x": {"it", "'s", " ", "1", "2", "\n\n", " x"},
	} {
		var got []string
		for _, p := range cut.split([]piece{{text: text}}) {
			got = append(got, p.text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q is cut to %q, want %q", text, got, want)
		}
	}
	for pattern, want := range map[string]string{
		"(?i:'s|'re)x": "(?:'[sſS]|'[rR][eE])x", "(?i:a.b)": "(?i:a.b)", "(?i:a": "(?i:a", "x": "x",
	} {
		if got := foldGroups(pattern); got != want {
			t.Errorf("%s becomes %s, want %s", pattern, got, want)
		}
	}
}
