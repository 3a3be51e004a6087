package jsonmask

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"foretoken/model"
	"foretoken/sampler"
)

const eos = 0

// toyVocabulary is every byte, and what tokenizers merge.
func toyVocabulary() *Vocabulary {
	tokens := [][]byte{nil, nil} // end of sequence, another special
	for b := range 256 {
		tokens = append(tokens, []byte{byte(b)})
	}
	for _, text := range []string{`{"`, `":`, `": "`, `",`, `", "`, `"}`, `"]`, `}}`, `]}`, `[]`, `{}`, `[{`, "\n", "\n  ", "  ", ` "`,
		"true", "false", "null", " true", "12", "00", "-1", ".5", "e1", "1.", `a"`, `ab`, "abc", "name", `"name"`, `name":`, "hello world",
		"é", "日本", "\xe6\x97", "\xa5x", "😀", `\n`, `\"`, `\u00`, `\ud83d`, "\x00a", `"a":1`, `,"b":`, "2024", "-01-", `age":"x`, `age":1`, `a":"`, `me":["`, `xyz",`, `q"`, "T10:", "x\"}", "a,b"} {
		tokens = append(tokens, []byte(text))
	}
	tokens = append(tokens, []byte("abc")) // twice
	return NewVocabulary(tokens, []model.Token{eos})
}

func mustSchema(t testing.TB, v *Vocabulary, schema string) state {
	t.Helper()
	e, err := Schema(v, []byte(schema), Options{Blanks: MaxBlanks})
	if err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	return e.(state)
}

// accepts reports whether text, byte by byte, is complete under a schema, and
// that each byte was in the mask.
func accepts(t testing.TB, e state, text string) bool {
	t.Helper()
	var at sampler.ConstraintEngine = e
	allowed := model.NewMask(400)
	for i := range len(text) {
		token := model.Token(text[i]) + 2
		if err := at.Mask(allowed); err != nil {
			t.Fatal(err)
		}
		next, err := at.Next(token)
		if (err == nil) != allowed.Has(token) {
			t.Fatalf("%q after %q: mask says %v, Next says %v", text[i], text[:i], allowed.Has(token), err)
		}
		if err != nil {
			return false
		}
		at = next
	}
	at.Mask(allowed)
	return allowed.Has(eos)
}

func TestEngineRefusesTokens(t *testing.T) {
	v := toyVocabulary()
	e, _ := Object(v, Options{Blanks: MaxBlanks})
	for x, want := range map[model.Token]string{eos: "end of sequence", 1: "token 1", 9999: "token 9999", -1: "token -1", 'x' + 2: `"x"`} {
		if _, err := e.Next(x); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("token %d: %v, want an error with %s", x, err, want)
		}
	}
}

// The memory of a grammar is bounded, and forgetting changes nothing.
func TestForgetting(t *testing.T) {
	v := toyVocabulary()
	a, b := mustSchema(t, v, `{"type":"object"}`), mustSchema(t, v, `{"type":"object"}`)
	x, y := model.NewMask(len(v.tokens)), model.NewMask(len(v.tokens))
	text := `{"a":[1,{"b":[2,"` + "xyz" + `"]},true],"c":null}`
	for i := range len(text) {
		a.g.m.reset()
		a.at.forget()
		a.Mask(x)
		b.Mask(y)
		if fmt.Sprint(x) != fmt.Sprint(y) {
			t.Fatalf("after %q the masks differ", text[:i])
		}
		p, err := a.Next(model.Token(text[i]) + 2)
		if err != nil {
			t.Fatal(err)
		}
		q, _ := b.Next(model.Token(text[i]) + 2)
		a, b = p.(state), q.(state)
	}
}

func FuzzSchema(f *testing.F) {
	for _, s := range randomSchemas {
		f.Add([]byte(s), []byte(`{"name":"x"}`))
	}
	f.Add([]byte(`{"allOf":[{"$ref":"#/x"}],"x":{"pattern":"a{2}"}}`), []byte(`"aa"`))
	v := toyVocabulary()
	f.Fuzz(func(t *testing.T, schema, text []byte) {
		e, err := Schema(v, schema, Options{Blanks: MaxBlanks})
		if err != nil {
			var refused *UnsupportedError
			var bad *SchemaError
			if !errors.As(err, &refused) && !errors.As(err, &bad) {
				t.Fatalf("untyped error %v", err)
			}
			return
		}
		if s := e.(state); len(text) < 200 {
			if end := s.g.m.run(s.g.m.start, text); end != nil && end.done && !json.Valid(text) {
				t.Fatalf("%s accepts %q", schema, text)
			}
		}
	})
}
