package jinja

import "strings"

// filters are Jinja2's, but for random, which gives another text each time, and for
// pprint, striptags, urlize and wordwrap.
var filters map[string]*builtin

func init() {
	filters = map[string]*builtin{}
	for _, set := range []map[string]*builtin{textFilters, numberFilters, listFilters, choiceFilters, orderFilters, shapeFilters} {
		for name, b := range set {
			filters[name] = b
		}
	}
	for alias, of := range map[string]string{"d": "default", "count": "length", "e": "escape"} {
		filters[alias] = filters[of]
	}
}

// A textFilter takes the str of what it is given.
func textFilter(params string, fn func(r *run, s string, a args) Value) *builtin {
	return def(params, func(r *run, self Value, a args) Value {
		if _, ok := self.(markup); ok {
			return fail("this filter on text that is marked safe is not supported")
		}
		s := r.str(self)
		r.step(1 + len(s)/16)
		v := fn(r, s, a)
		if made, ok := v.(string); ok {
			r.make(len(made))
		}
		return v
	})
}

var textFilters = map[string]*builtin{
	"capitalize": textFilter("", func(r *run, s string, a args) Value { return capitalize(s) }),
	"lower":      textFilter("", func(r *run, s string, a args) Value { return lower(s) }),
	"upper":      textFilter("", func(r *run, s string, a args) Value { return upper(s) }),
	"title":      textFilter("", func(r *run, s string, a args) Value { return titleWords(s) }),
	"trim":       textFilter("chars?", stripBy(strings.TrimFunc)),
	"center":     textFilter("width?", func(r *run, s string, a args) Value { return pad(r, s, a.int(0, 80), " ", '^') }),
	"wordcount":  textFilter("", func(r *run, s string, a args) Value { return wordCount(s) }),
	"replace": def("old new count?", func(r *run, self Value, a args) Value {
		n := -1
		if a.or(2, nil) != nil {
			n = a.int(2, -1)
		}
		return r.replace(r.str(self), r.str(a.bound[0]), r.str(a.bound[1]), n)
	}),
	"string": def("", func(r *run, self Value, a args) Value {
		if m, ok := self.(markup); ok {
			return m
		}
		return r.str(self)
	}),
	"safe":        def("", func(r *run, self Value, a args) Value { return markup(r.str(self)) }),
	"escape":      def("", func(r *run, self Value, a args) Value { return markup(escaped(self, r.str(self))) }),
	"forceescape": def("", func(r *run, self Value, a args) Value { return markup(escaper.Replace(r.str(self))) }),
	"format":      def("*", formatFilter),
	"indent":      def("width? first? blank?", indent),
	"truncate":    def("length? killwords? end? leeway?", truncate),
	"urlencode":   def("", urlEncode),
	"xmlattr":     def("autospace?", xmlAttr),
	"tojson":      def("ensure_ascii? indent? separators? sort_keys?", toJSON),
}

var escaper = strings.NewReplacer("&", "&amp;", ">", "&gt;", "<", "&lt;", "'", "&#39;", `"`, "&#34;")

// escaped is the text of v for HTML; what is marked safe stays as it is.
func escaped(v Value, text string) string {
	if _, ok := v.(markup); ok {
		return text
	}
	return escaper.Replace(text)
}

// titleWords is the filter title, which begins words after blanks, hyphens and opening
// brackets.
func titleWords(s string) string {
	var b strings.Builder
	first := true
	for s != "" {
		n := strings.IndexFunc(s, func(c rune) bool { return wordBreak(c) == first })
		if n < 0 {
			n = len(s)
		}
		if part := s[:n]; part != "" {
			c := []rune(part)[:1]
			b.WriteString(upper(string(c)) + lowerAfter(part, len(string(c))))
		}
		s, first = s[n:], !first
	}
	return b.String()
}

func wordBreak(c rune) bool { return isSpace(c) || strings.ContainsRune("-({[<", c) }

// wordCount counts runs of letters, numbers and underlines.
func wordCount(s string) int {
	n, in := 0, false
	for _, c := range s {
		is := c == '_' || stringChecks["isalnum"](string(c))
		if is && !in {
			n++
		}
		in = is
	}
	return n
}

func formatFilter(r *run, self Value, a args) Value {
	s := r.str(self)
	switch {
	case len(a.pos) > 0 && len(a.keys) > 0:
		return fail("format takes arguments either by position or by name")
	case len(a.keys) > 0:
		return r.percent(s, dictOf(a.keys), false)
	}
	return r.percent(s, Tuple(a.pos), false)
}

// indent puts blanks, or a text, before all lines but the first and empty ones.
func indent(r *run, self Value, a args) Value {
	s, ok := self.(string)
	if !ok {
		return fail("indent wants a string, not a %s", typeName(self))
	}
	width, ok := asText(a.or(0, nil))
	if !ok {
		width = repeat(r, " ", a.int(0, 4))
	}
	lines := splitLines(s+"\n", false)
	r.make(len(s) + len(width)*len(lines))
	for i, line := range lines {
		if i > 0 && (line != "" || a.truth(2, false)) {
			lines[i] = width + line
		}
	}
	text := strings.Join(lines, "\n")
	if a.truth(1, false) {
		text = width + text
	}
	return text
}

// truncate cuts what is longer than length and leeway together.
func truncate(r *run, self Value, a args) Value {
	most, isNumber := asFloat(a.or(0, 255))
	leeway, isLeeway := 5.0, true
	if by := a.or(3, nil); by != nil {
		leeway, isLeeway = asFloat(by)
	}
	end := a.or(2, "...")
	n, ok := r.size(self)
	tailLength, ok2 := length(end)
	if !ok || !ok2 || !isNumber || !isLeeway || most < float64(tailLength) || leeway < 0 {
		return fail("truncate wants a text, a length not under that of its end, and a leeway not under 0")
	}
	if float64(n) <= most+leeway {
		return self
	}
	keep := a.int(0, 255) - tailLength
	s, ok := self.(string)
	tail, ok2 := end.(string)
	if !ok || !ok2 {
		return fail("truncate wants a text, not a %s", typeName(self))
	}
	s = r.cut(s, 0, keep)
	if i := strings.LastIndexByte(s, ' '); i >= 0 && !a.truth(1, false) {
		s = s[:i]
	}
	return r.text(s + tail)
}
