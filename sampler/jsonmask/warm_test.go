package jsonmask

import (
	"fmt"
	"strings"
	"testing"
)

// An engine knows what follows along its two texts, and spends no more on one schema than
// on another: a great one, or one whose strings each take the whole vocabulary.
func TestWarm(t *testing.T) {
	v := toyVocabulary()
	e := mustSchema(t, v, `{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["age"]}`)
	for _, text := range []string{``, `{"`, `{"a`, `{"age": `, `{"age": 1`, `{"age": 1}`, `{"name": "`, `{"name": "", "ag`} {
		if at := e.g.m.run(e.at, []byte(text)); at == nil || at.mask == nil {
			t.Errorf("the tokens after %q are not known", text)
		}
	}
	if at := e.g.m.run(e.at, []byte(`{"other": {"x": [`)); at.mask != nil {
		t.Error("what no text goes through is known")
	}
	var names []string
	for i := range 250 {
		names = append(names, fmt.Sprintf(`"name%d":{"type":"string","maxLength":%d}`, i, i+1))
	}
	big := mustSchema(t, v, `{"type":"object","properties":{`+strings.Join(names, ",")+`}}`)
	if n := big.g.m.count; n > 3*warmConfigs {
		t.Errorf("%d states were met, want not many more than %d", n, warmConfigs)
	}
	if big.g.walked > 2*warmNodes {
		t.Errorf("%d nodes were walked, want not many more than %d", big.g.walked, warmNodes)
	}
}
