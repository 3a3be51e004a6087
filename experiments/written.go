package experiments

import (
	"bytes"
	"encoding/json"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// YAML writes c with every key, as it will run. Parse reads it back as c.
func (c Config) YAML() string {
	var b strings.Builder
	writeGroup(&b, treeOf(reflect.ValueOf(c)).(group), "")
	return b.String()
}

// Changed is YAML without the keys that have their defaults.
func (c Config) Changed() string {
	plain := defaults()
	plain.Temperatures = []float64{0}
	var b strings.Builder
	writeGroup(&b, changed(treeOf(reflect.ValueOf(c)).(group), treeOf(reflect.ValueOf(plain)).(group)), "")
	return b.String()
}

// changed is what of a differs from b, which has the same keys.
func changed(a, b group) group {
	var out group
	for i, e := range a {
		inner, ok := e.value.(group)
		if other, both := b[i].value.(group); ok && both && len(inner) == len(other) && len(inner) > 0 {
			e.value = changed(inner, other)
			if len(e.value.(group)) == 0 {
				continue
			}
		} else if reflect.DeepEqual(e.value, b[i].value) {
			continue
		}
		out = append(out, e)
	}
	return out
}

// JSON is the same for a header. An infinity, which JSON lacks, is a string.
func (c Config) JSON() json.RawMessage {
	var b bytes.Buffer
	writeJSON(&b, treeOf(reflect.ValueOf(c)))
	return b.Bytes()
}

func writeJSON(b *bytes.Buffer, x any) {
	switch x := x.(type) {
	case group:
		b.WriteByte('{')
		for i, e := range x {
			separate(b, i)
			b.WriteString(quote(e.key) + ":")
			writeJSON(b, e.value)
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, y := range x {
			separate(b, i)
			writeJSON(b, y)
		}
		b.WriteByte(']')
	case bareText:
		if _, infinite := infinities[strings.ToLower(string(x))]; infinite {
			b.WriteString(quote(string(x)))
			return
		}
		b.WriteString(string(x))
	case string:
		b.WriteString(quote(x))
	}
}

func separate(b *bytes.Buffer, i int) {
	if i > 0 {
		b.WriteByte(',')
	}
}

// quote writes text as a JSON string, which YAML reads too.
func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic("experiments: a string has no JSON: " + err.Error())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func writeGroup(b *strings.Builder, g group, indent string) {
	for i, e := range g {
		if i > 0 || indent == "" {
			b.WriteString(indent)
		}
		b.WriteString(e.key + ":") // a field's name, or an id
		writeValue(b, e.value, indent)
	}
}

// writeValue ends its line.
func writeValue(b *strings.Builder, x any, indent string) {
	switch x := x.(type) {
	case group:
		if len(x) == 0 {
			b.WriteString(" {}\n")
			return
		}
		b.WriteString("\n" + indent + "  ")
		writeGroup(b, x, indent+"  ")
	case []any:
		writeList(b, x, indent)
	default:
		b.WriteString(" " + scalarText(x) + "\n")
	}
}

// writeList puts scalars on the key's line, and groups on lines of their own.
func writeList(b *strings.Builder, list []any, indent string) {
	if _, groups := slices.Concat(list, []any{""})[0].(group); !groups {
		var words []string
		for _, x := range list {
			words = append(words, scalarText(x))
		}
		b.WriteString(" [" + strings.Join(words, ", ") + "]\n")
		return
	}
	b.WriteByte('\n')
	for _, x := range list {
		b.WriteString(indent + "  - ")
		writeGroup(b, x.(group), indent+"    ")
	}
}

func scalarText(x any) string {
	if text, ok := x.(bareText); ok {
		switch v, _ := strconv.ParseFloat(string(text), 64); {
		case math.IsInf(v, 1):
			return ".inf"
		case math.IsInf(v, -1):
			return "-.inf"
		}
		return string(text)
	}
	return word(x.(string))
}

// plainWord is text that YAML reads as itself.
var plainWord = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_./-]*$|^[A-Za-z_][A-Za-z0-9_./-]*:[A-Za-z0-9_./-]+$`)

// word writes text without quotes where nothing can be mistaken.
func word(s string) string {
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return quote(s)
	}
	if plainWord.MatchString(s) {
		return s
	}
	return quote(s)
}
