package jinja

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A percentReader formats as Python's % does.
type percentReader struct {
	r      *run
	text   string // what is left of the format
	values Tuple
	single bool // the value is no tuple
	taken  int
	dict   *Dict // for %(name)s
	html   bool
	out    strings.Builder
}

// percent is Python's text % v.
func (r *run) percent(text string, v Value, html bool) string {
	p := percentReader{r: r, text: text, values: asTuple(v), html: html}
	if p.values == nil {
		p.values, p.single = Tuple{v}, true
	}
	p.dict, _ = v.(*Dict)
	for {
		i := strings.IndexByte(p.text, '%')
		if i < 0 {
			break
		}
		p.out.WriteString(p.text[:i])
		p.text = p.text[i+1:]
		p.directive()
	}
	p.out.WriteString(p.text)
	_, isText := asText(v)
	if _, sized := length(v); p.taken < len(p.values) && !(p.single && sized && !isText) {
		fail("not all arguments of %% are used")
	}
	return r.text(p.out.String())
}

func (p *percentReader) next() Value {
	if p.taken == len(p.values) {
		fail("not enough arguments for %%")
	}
	p.taken++
	return p.values[p.taken-1]
}

// number reads a width or a precision, which * takes from the arguments.
func (p *percentReader) number() int {
	if rest, ok := strings.CutPrefix(p.text, "*"); ok {
		p.text = rest
		n, ok := p.next().(int)
		if !ok {
			fail("* wants an integer")
		}
		return n
	}
	i := 0
	for i < len(p.text) && p.text[i] >= '0' && p.text[i] <= '9' {
		i++
	}
	n, err := strconv.Atoi(p.text[:i])
	if err != nil && i > 0 {
		fail("a width of %s", p.text[:i])
	}
	p.text = p.text[i:]
	return n
}

func (p *percentReader) key() (Value, bool) {
	if !strings.HasPrefix(p.text, "(") {
		return nil, false
	}
	depth := 0
	for i, c := range p.text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth > 0 {
			continue
		}
		if p.dict == nil {
			fail("%%(name) wants a mapping")
		}
		v, ok := p.dict.get(p.text[1:i])
		if !ok {
			fail("no key %q", p.text[1:i])
		}
		p.text, p.taken = p.text[i+1:], len(p.values)
		return v, true
	}
	fail("an incomplete key after %%")
	return nil, false
}

func (p *percentReader) directive() {
	v, keyed := p.key()
	s := spec{align: '>', fill: " ", precision: -1, sign: '-', old: true}
	left := false
	for p.text != "" && strings.IndexByte("-+ #0", p.text[0]) >= 0 {
		switch c := p.text[0]; c {
		case '-':
			left = true
		case '+':
			s.sign = c
		case ' ':
			if s.sign == '-' {
				s.sign = c
			}
		case '#':
			s.alternate = true
		case '0':
			s.zero = true
		}
		p.text = p.text[1:]
	}
	if s.width = p.number(); s.width < 0 {
		left, s.width = true, -s.width
	}
	if rest, ok := strings.CutPrefix(p.text, "."); ok {
		p.text = rest
		s.precision = max(p.number(), 0)
	}
	if p.text = strings.TrimLeft(p.text, "hlL"); p.text == "" {
		fail("an incomplete format")
	}
	if left {
		s.align, s.zero = '<', false
	}
	c, n := utf8.DecodeRuneInString(p.text)
	p.text = p.text[n:]
	if c == '%' {
		p.out.WriteByte('%')
		return
	}
	if !strings.ContainsRune("sradiufFeEgGxXoc", c) {
		fail("no format %%%c", c)
	}
	if !keyed {
		v = p.next()
	}
	p.out.WriteString(p.r.percentValue(s, byte(c), v, p.html))
}
