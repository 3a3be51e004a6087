package jsonmask

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// patternVerdicts are what scripts/golden_patterns.mjs writes.
type patternVerdicts struct {
	Strings []string
	Cases   [][2]string
}

func goldenPatterns(t testing.TB) (v patternVerdicts) {
	data, err := os.ReadFile("testdata/patterns.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

// unbuilt are the refusals of patterns that a JavaScript engine reads.
var unbuilt = []string{"back reference", "within one of what came before", "no such property is known here", "script extensions", "too many states", "which the flag u has not, beside", "more than 65536 states", "more than 16 assertions"}

// Patterns are what a JavaScript engine takes for patterns, and are found where it
// finds them. What it reads without the flag u alone is refused, but for escapes of
// punctuation; it reads characters beyond the first plane as two then, which is not held
// against either.
func TestPatternsAgainstJavaScript(t *testing.T) {
	v := goldenPatterns(t)
	read, found, tried, bad, lenient := 0, 0, 0, 0, 0
	refused := map[string]int{}
	for _, c := range v.Cases {
		expr, want := c[0], c[1]
		legacy, isLegacy := strings.CutPrefix(want, "!?")
		p, err := newPattern(expr)
		switch {
		case err != nil && want[0] == '!':
			bad++
			continue
		case err != nil:
			why := ""
			for _, known := range unbuilt {
				if strings.Contains(err.Error(), known) {
					why = known
				}
			}
			if refused[why]++; why == "" {
				t.Errorf("%v, want it read", err)
			}
			continue
		case isLegacy && strings.Contains(expr, `\`):
			lenient++
			want = legacy
		case want[0] == '!':
			t.Errorf("pattern %q is read, want a refusal", expr)
			continue
		}
		read++
		for i, text := range v.Strings[:4*len(want)] {
			tried++
			is := p.finds(text)
			digit, _ := hexValue(want[i/4])
			if should := digit>>(3-i%4)&1 == 1; is != should && !(isLegacy && strings.ContainsAny(expr+text, "😀\U0010ffff\U0002fa1d𝒜")) {
				t.Errorf("pattern %q on %q: %v, want %v", expr, text, is, should)
				break
			}
			if is {
				found++
			}
		}
	}
	t.Logf("%d patterns read, %d of them by escapes of punctuation; %d are none; refused: %v; %d of %d strings found", read, lenient, bad, refused, found, tried)
	if read < 2000 || bad < 500 || found < 50000 {
		t.Error("too few to tell")
	}
}
