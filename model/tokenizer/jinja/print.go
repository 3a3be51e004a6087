package jinja

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

func runes(s string) int { return utf8.RuneCountInString(s) }

// str is Python's str of a value, which is also how a template writes it.
func (r *run) str(v Value) string {
	switch v := v.(type) {
	case string:
		return v
	case markup:
		return string(v)
	case *undefined:
		return ""
	}
	return r.repr(v)
}

// repr is Python's repr. An object whose repr would be its address is refused.
func (r *run) repr(v Value) string {
	var b strings.Builder
	r.write(&b, v, 0)
	return r.text(b.String())
}

func (r *run) write(b *strings.Builder, v Value, depth int) {
	r.step(1)
	if depth > mostNesting {
		fail("more than %d values within each other", mostNesting)
	}
	switch v := v.(type) {
	case nil:
		b.WriteString("None")
	case bool:
		b.WriteString(map[bool]string{true: "True", false: "False"}[v])
	case int:
		b.WriteString(strconv.Itoa(v))
	case float64:
		b.WriteString(reprFloat(v))
	case string:
		b.WriteString(quote(v))
	case markup:
		b.WriteString("Markup(" + quote(string(v)) + ")")
	case *undefined:
		b.WriteString("Undefined")
	case *List:
		r.writeItems(b, "[", "]", v.Items, depth)
	case *grouped:
		r.write(b, v.tuple(), depth)
	case Tuple:
		if len(v) == 1 {
			r.writeItems(b, "(", ",)", v, depth)
		} else {
			r.writeItems(b, "(", ")", v, depth)
		}
	case *Dict:
		r.writeDict(b, v, depth)
	case *namespace:
		b.WriteString("<Namespace ")
		r.write(b, v.attrs, depth+1)
		b.WriteString(">")
	case numbers:
		b.WriteString(v.String())
	case view:
		b.WriteString("dict_" + v.kind + "(")
		r.write(b, r.list(v), depth+1)
		b.WriteString(")")
	case *macro:
		b.WriteString(v.String())
	case *loop:
		b.WriteString(v.String())
	default:
		fail("a %s has no text that is the same each time", typeName(v))
	}
}

func (n numbers) String() string {
	s := "range(" + strconv.Itoa(n.start) + ", " + strconv.Itoa(n.stop)
	if n.step != 1 {
		s += ", " + strconv.Itoa(n.step)
	}
	return s + ")"
}

func (r *run) writeItems(b *strings.Builder, open, end string, items []Value, depth int) {
	b.WriteString(open)
	for i, item := range items {
		if i > 0 {
			b.WriteString(", ")
		}
		r.write(b, item, depth+1)
	}
	b.WriteString(end)
}

func (r *run) writeDict(b *strings.Builder, d *Dict, depth int) {
	b.WriteByte('{')
	for i, k := range d.keys {
		if i > 0 {
			b.WriteString(", ")
		}
		r.write(b, k, depth+1)
		b.WriteString(": ")
		r.write(b, d.values[i], depth+1)
	}
	b.WriteByte('}')
}
