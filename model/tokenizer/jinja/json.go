package jinja

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
)

// A jsonWriter writes as Python's json.dumps.
type jsonWriter struct {
	strings.Builder
	r           *run
	ascii, sort bool
	indent      string
	lines       bool // an indent is given
	item, key   string
}

// toJSON is the filter as transformers has it: json.dumps with these options, and
// without escapes for HTML.
func toJSON(r *run, self Value, a args) Value {
	w := jsonWriter{r: r, ascii: a.truth(0, false), sort: a.truth(3, false), item: ", ", key: ": "}
	_, plain := asText(self)
	if by := a.or(1, nil); by != nil && !plain {
		text, ok := asText(by)
		if !ok {
			text = repeat(r, " ", a.int(1, 0))
		}
		w.indent, w.lines, w.item = text, true, ","
	}
	if seps := a.or(2, nil); seps != nil {
		both := r.items(seps)
		if len(both) != 2 {
			return fail("tojson: separators want two texts")
		}
		item, ok := asText(both[0])
		key, ok2 := asText(both[1])
		if !ok || !ok2 {
			return fail("tojson: separators want two texts")
		}
		w.item, w.key = item, key
	}
	w.value(self, 0)
	return w.String()
}

func (w *jsonWriter) put(s string) {
	w.r.make(len(s))
	w.WriteString(s)
}

func (w *jsonWriter) value(v Value, depth int) {
	if depth > mostNesting {
		fail("tojson: more than %d values within each other", mostNesting)
	}
	if s, ok := w.scalar(v); ok {
		w.put(s)
		return
	}
	switch v := v.(type) {
	case *List:
		w.group("[", "]", len(v.Items), depth, func(i int) { w.value(v.Items[i], depth+1) })
	case Tuple, *grouped:
		t := asTuple(v)
		w.group("[", "]", len(t), depth, func(i int) { w.value(t[i], depth+1) })
	case *Dict:
		w.dict(v, depth)
	default:
		fail("tojson: a value of type %s has no JSON", typeName(v))
	}
}

func (w *jsonWriter) scalar(v Value) (string, bool) {
	switch v := v.(type) {
	case nil:
		return "null", true
	case bool:
		return strconv.FormatBool(v), true
	case int:
		return strconv.Itoa(v), true
	case float64:
		return jsonFloat(v), true
	case string:
		return w.text(v), true
	case markup:
		return w.text(string(v)), true
	}
	return "", false
}

func jsonFloat(f float64) string {
	switch {
	case f != f:
		return "NaN"
	case math.IsInf(f, 0):
		return map[bool]string{true: "Infinity", false: "-Infinity"}[f > 0]
	}
	return reprFloat(f)
}

func (w *jsonWriter) dict(d *Dict, depth int) {
	items := w.r.items(view{"items", d})
	if w.sort {
		items = w.r.sorted(items, func(v Value) Value { return v.(Tuple)[0] }, false)
	}
	w.group("{", "}", len(items), depth, func(i int) {
		pair := items[i].(Tuple)
		key, ok := asText(pair[0])
		if !ok {
			if key, ok = w.scalar(pair[0]); !ok {
				fail("tojson: a key of type %s", typeName(pair[0]))
			}
		}
		w.put(w.text(key) + w.key)
		w.value(pair[1], depth+1)
	})
}

func (w *jsonWriter) group(open, end string, n, depth int, item func(int)) {
	w.r.step(1)
	w.put(open)
	for i := range n {
		if i > 0 {
			w.put(w.item)
		}
		w.line(depth + 1)
		item(i)
	}
	if n > 0 {
		w.line(depth)
	}
	w.put(end)
}

func (w *jsonWriter) line(depth int) {
	if w.lines {
		w.put("\n")
		w.WriteString(repeat(w.r, w.indent, depth))
	}
}

var jsonEscapes = map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\b': `\b`, '\f': `\f`}

func (w *jsonWriter) text(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range s {
		e, short := jsonEscapes[c]
		switch {
		case short:
			b.WriteString(e)
		case c < ' ', w.ascii && c > 126 && c < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, c)
		case w.ascii && c > 126:
			high, low := utf16.EncodeRune(c)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
