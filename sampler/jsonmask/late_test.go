package jsonmask

import (
	"fmt"
	"strings"
	"testing"
)

// Names past those that a place has bits for are held at most once and where they must be
// too.
func TestManyNames(t *testing.T) {
	var members []string
	for i := range 600 {
		members = append(members, fmt.Sprintf(`"n%d":{"type":"null"}`, i))
	}
	e := mustSchema(t, toyVocabulary(), `{"type":"object","properties":{`+strings.Join(members, ",")+`},"required":["n599"],"additionalProperties":false}`)
	for text, want := range map[string]bool{`{"n599":null}`: true, `{"n1":null,"n599":null,"n300":null}`: true, `{"n300":null}`: false,
		`{"n599":null,"n599":null}`: false, `{"n300":null,"n599":null,"n300":null}`: false, `{"n599":null,"n600":null}`: false, `{"n599":1}`: false} {
		if got := accepts(t, e, text); got != want {
			t.Errorf("%s is accepted: %v, want %v", text, got, want)
		}
	}
}
