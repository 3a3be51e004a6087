package strict_test

import (
	"encoding/json"
	"strings"
	"testing"

	"foretoken/strict"
)

type inner struct {
	N  int       `json:"n"`
	Fs []float32 `json:"fs"`
	U  uint64
}

type outer struct {
	A    string            `json:"a"`
	In   []inner           `json:"in"`
	Map  map[string]int    `json:"map"`
	Raw  json.RawMessage   `json:"raw"`
	Any  any               `json:"any"`
	Ptr  *inner            `json:"ptr"`
	Text map[string]string `json:"text"`
	B    bool              `json:"b"`
	Out  string            `json:"-"`
}

// What is read is read whole.
func TestJSON(t *testing.T) {
	var o outer
	text := `{"a": "x", "in": [{"n": 1, "fs": [1, 2.5], "U": 3}, {}], "map": {"k": 1, "K": 2}, "raw": {"n": [1]}, "any": {"z": 1}, "ptr": {"n": 2}, "b": true}`
	if err := strict.JSON([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	if o.A != "x" || len(o.In) != 2 || o.In[0].Fs[1] != 2.5 || o.In[0].U != 3 || o.Map["K"] != 2 || string(o.Raw) != `{"n": [1]}` || o.Ptr.N != 2 || !o.B {
		t.Errorf("read %+v", o)
	}
	if err := strict.JSON([]byte(`{"a": "\ud83d\ude00 \\ud83d \u00e9\ufffd"}`), &o); err != nil || o.A != "😀 \\ud83d é\ufffd" {
		t.Errorf("read %q, %v", o.A, err)
	}
	if err := strict.Known([]byte(`{"a": "x", "later": {"n": 1}}`), &o); err != nil {
		t.Errorf("a later version's key: %v", err)
	}
}

// What is refused is told in the tool's words: nothing of Go's is in it.
func TestRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`{"a": 5}`:                              "a: a number, want text",
		`{"a": [1]}`:                            "a: a list, want text",
		`{"b": "yes"}`:                          "b: text, want true or false",
		`{"in": [{"n": "1"}]}`:                  "in.n: text, want a whole number",
		`{"in": [{"n": 1.5}]}`:                  "in.n: 1.5, want a whole number",
		`{"in": [{"U": -1}]}`:                   "in.U: -1, want a whole number of at least 0",
		`{"in": {"n": 1}}`:                      "in: a group of keys, want a list, each a group of keys",
		`{"in": [{"fs": [1e99]}]}`:              "in.fs: 1e99, want a number",
		`{"any": 1e999}`:                        "1e999, want a number",
		`{"map": {"k": true}}`:                  "true or false, want a whole number",
		`{"ptr": "x"}`:                          "ptr: text, want a group of keys",
		`[]`:                                    "a list, want a group of keys",
		`{"a": "x", "a": "y"}`:                  "a: is there already, want each key once",
		`{"any": [{"k": 1, "k": 2}]}`:           "any[0].k: is there already",
		`{"raw": {"k": 1, "k": 2}}`:             "raw.k: is there already",
		`{"in": [{}, {"n": 1, "n": 2}]}`:        "in[1].n: is there already",
		`{"map": {"k": 1, "k": 2}}`:             "map.k: is there already",
		`{"aa": 1}`:                             "aa: unknown key, want some of a, in, map",
		`{"A": "x"}`:                            `A: unknown key, did you mean "a"?`,
		`{"Out": "x"}`:                          "Out: unknown key",
		`{"ptr": {"m": 1}}`:                     "ptr.m: unknown key, want some of n, fs, U",
		`{"a": "x"} {}`:                         "more than one value, from byte 12 on, want one",
		`{"a": "x"} x`:                          "more than one value, from byte 12 on, want one",
		``:                                      "ends before the JSON does",
		` `:                                     "ends before the JSON does",
		`{"a": `:                                "ends before the JSON does",
		`{"a": "x"`:                             "ends before the JSON does",
		`{a: 1}`:                                "is no JSON: invalid character 'a'",
		`{"a": "\ud83d"}`:                       `\ud83d, byte 7, is half of a surrogate pair, want both`,
		`{"a": "\ud83dx"}`:                      "half of a surrogate pair",
		`{"a": "\ud83d\ud83d\ude00"}`:           "byte 7, is half",
		`{"a": "\ude00\ud83d"}`:                 "byte 7, is half",
		`{"a": "\\\ud83d"}`:                     "byte 9, is half",
		`{"\uD83D": 1}`:                         "half of a surrogate pair",
		"{\"a\": \"\xff\"}":                     "0xff, byte 7, is no UTF-8",
		"{\"a\xe9\": 1}":                        "0xe9, byte 3, is no UTF-8",
		"{\"a\": \"\xed\xa0\x80\"}":             "byte 7, is no UTF-8", // half of a pair, spelled out
		"\ufeff{}":                              "begins with a byte order mark",
		`{1: 1}`:                                "is no JSON: invalid character '1'",
		strings.Repeat("[", 1<<20):              "exceeded max depth, byte 100",
		`{"any": ` + strings.Repeat("[", 1<<20): "exceeded max depth, byte 100",
	} {
		var o outer
		err := strict.JSON([]byte(text), &o)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60s: %v, want %q", text, err, want)
			continue
		}
		for _, leak := range []string{"Go ", "unmarshal", "struct", "json:", "strict_test"} {
			if strings.Contains(err.Error(), leak) {
				t.Errorf("%.60s: %q is told in Go's words", text, err)
			}
		}
	}
}

// Whatever the bytes, there is a value or an error, and what strict reads the
// standard library reads.
func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"a": "x", "in": [{"n": 1}], "map": {"k": 1}, "raw": [], "ptr": null}`))
	f.Add([]byte(`{"a": "x", "a": 1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var o, again outer
		if strict.JSON(data, &o) == nil {
			if err := json.Unmarshal(data, &again); err != nil {
				t.Fatalf("%q is read, and is no JSON: %v", data, err)
			}
		}
	})
}
