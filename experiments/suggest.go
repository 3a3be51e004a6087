package experiments

import (
	"fmt"
	"reflect"
	"strings"
)

// suggest names the key that was likely meant: the nearest one here, or one of
// that very name elsewhere in a config. Otherwise it lists what there is.
func suggest(key string, here, root reflect.Type) string {
	if best, ok := nearest(key, keysOf(here)); ok {
		return fmt.Sprintf(", did you mean %q?", best)
	}
	for _, elsewhere := range allPaths("", root) {
		parts := strings.Split(elsewhere, ".")
		if _, ok := nearest(key, parts[len(parts)-1:]); ok {
			return fmt.Sprintf(", did you mean %q?", elsewhere)
		}
	}
	return "; there are " + strings.Join(keysOf(here), ", ")
}

// allPaths are the keys of a type and of what it holds.
func allPaths(prefix string, t reflect.Type) []string {
	var out []string
	for _, key := range keysOf(t) {
		out = append(out, join(prefix, key))
	}
	for i := range t.NumField() {
		inner := t.Field(i).Type
		if inner.Kind() == reflect.Slice {
			inner = inner.Elem()
		}
		if key, _ := keyOf(t.Field(i)); key != "-" && inner.Kind() == reflect.Struct {
			out = append(out, allPaths(join(prefix, key), inner)...)
		}
	}
	return out
}

// nearest returns the name closest to word, if a third of its letters or fewer
// are wrong.
func nearest(word string, names []string) (string, bool) {
	best, least := "", 1+max(1, len(word)/3)
	for _, name := range names {
		if d := edits(strings.ToLower(word), name); d < least {
			best, least = name, d
		}
	}
	return best, best != ""
}

// edits is the Levenshtein distance, in bytes.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
