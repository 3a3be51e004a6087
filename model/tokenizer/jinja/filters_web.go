package jinja

import "strings"

// urlEncode quotes a text, or a mapping as a query.
func urlEncode(r *run, self Value, a args) Value {
	if s, ok := asText(self); ok {
		return r.text(percentEncode(s, false))
	}
	if _, ok := r.iterable(self); !ok {
		return r.text(percentEncode(r.str(self), false))
	}
	if d, ok := self.(*Dict); ok {
		self = view{"items", d}
	}
	var pairs []string
	for _, item := range r.items(self) {
		pair := r.items(item)
		if len(pair) != 2 {
			return fail("urlencode wants pairs")
		}
		pairs = append(pairs, r.text(percentEncode(r.str(pair[0]), true)+"="+percentEncode(r.str(pair[1]), true)))
	}
	return strings.Join(pairs, "&")
}

func percentEncode(s string, query bool) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', strings.IndexByte("_.-~", c) >= 0, c == '/' && !query:
			b.WriteByte(c)
		case c == ' ' && query:
			b.WriteByte('+')
		default:
			b.WriteString("%" + hex[c>>4:c>>4+1] + hex[c&15:c&15+1])
		}
	}
	return b.String()
}

func xmlAttr(r *run, self Value, a args) Value {
	d, ok := self.(*Dict)
	if !ok {
		return fail("xmlattr wants a mapping, not a %s", typeName(must(self)))
	}
	var parts []string
	for i, k := range d.keys {
		if _, ok := d.values[i].(*undefined); ok || d.values[i] == nil {
			continue
		}
		key, ok := asText(k)
		if !ok || strings.ContainsAny(key, " \t\n\r\f\v/>=") {
			return fail("%s is no name of an attribute", r.describe(k))
		}
		parts = append(parts, r.text(escaped(k, key)+`="`+escaped(d.values[i], r.str(d.values[i]))+`"`))
	}
	text := strings.Join(parts, " ")
	if text != "" && a.truth(0, true) {
		text = " " + text
	}
	return text
}
