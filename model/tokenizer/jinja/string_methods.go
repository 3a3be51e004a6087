package jinja

import (
	"strings"
)

// A textMethod is a method of str: s is the string. What it returns as a string is
// markup where s is.
func textMethod(params string, fn func(r *run, s string, a args) Value) *builtin {
	return def(params, func(r *run, self Value, a args) Value {
		s, _ := asText(self)
		if _, ok := self.(markup); ok {
			return fail("methods of text that is marked safe are not supported")
		}
		r.step(1 + len(s)/16)
		v := fn(r, s, a)
		if made, ok := v.(string); ok {
			r.make(len(made))
		}
		return v
	})
}

var stringMethods map[string]*builtin

func init() {
	stringMethods = map[string]*builtin{
		"capitalize": textMethod("", func(r *run, s string, a args) Value { return capitalize(s) }),
		"casefold":   textMethod("", func(r *run, s string, a args) Value { return casefold(s) }),
		"lower":      textMethod("", func(r *run, s string, a args) Value { return lower(s) }),
		"upper":      textMethod("", func(r *run, s string, a args) Value { return upper(s) }),
		"title":      textMethod("", func(r *run, s string, a args) Value { return title(s) }),
		"swapcase":   textMethod("", func(r *run, s string, a args) Value { return swapcase(s) }),
		"strip":      textMethod("-chars?", stripBy(strings.TrimFunc)),
		"lstrip":     textMethod("-chars?", stripBy(strings.TrimLeftFunc)),
		"rstrip":     textMethod("-chars?", stripBy(strings.TrimRightFunc)),
		"split":      textMethod("sep? maxsplit?", func(r *run, s string, a args) Value { return split(r, s, a, false) }),
		"rsplit":     textMethod("sep? maxsplit?", func(r *run, s string, a args) Value { return split(r, s, a, true) }),
		"splitlines": textMethod("keepends?", func(r *run, s string, a args) Value { return r.strings(splitLines(s, a.truth(0, false))) }),
		"partition":  textMethod("-sep", func(r *run, s string, a args) Value { return partition(s, a.text(0), false) }),
		"rpartition": textMethod("-sep", func(r *run, s string, a args) Value { return partition(s, a.text(0), true) }),
		"join":       textMethod("-items", func(r *run, s string, a args) Value { return joinStrings(r, s, a.bound[0]) }),
		"replace": textMethod("-old -new -count?", func(r *run, s string, a args) Value {
			return r.replace(s, a.text(0), a.text(1), a.int(2, -1))
		}),
		"startswith": textMethod("-prefix -start? -end?", affix(strings.HasPrefix)),
		"endswith":   textMethod("-suffix -start? -end?", affix(strings.HasSuffix)),
		"removeprefix": textMethod("-prefix", func(r *run, s string, a args) Value {
			return strings.TrimPrefix(s, a.text(0))
		}),
		"removesuffix": textMethod("-suffix", func(r *run, s string, a args) Value {
			return strings.TrimSuffix(s, a.text(0))
		}),
		"find":       textMethod("-sub -start? -end?", finder(strings.Index, false)),
		"rfind":      textMethod("-sub -start? -end?", finder(strings.LastIndex, false)),
		"index":      textMethod("-sub -start? -end?", finder(strings.Index, true)),
		"rindex":     textMethod("-sub -start? -end?", finder(strings.LastIndex, true)),
		"count":      textMethod("-sub -start? -end?", countIn),
		"center":     textMethod("-width -fill?", padded('^')),
		"ljust":      textMethod("-width -fill?", padded('<')),
		"rjust":      textMethod("-width -fill?", padded('>')),
		"zfill":      textMethod("-width", func(r *run, s string, a args) Value { return zfill(r, s, a.int(0, 0)) }),
		"expandtabs": textMethod("tabsize?", func(r *run, s string, a args) Value { return expandTabs(r, s, a.int(0, 8)) }),
		"format":     def("*", func(r *run, self Value, a args) Value { return r.format(self, a.pos, dictOf(a.keys)) }),
		"format_map": def("-mapping", formatMap),
	}
	for _, name := range []string{"encode", "translate", "maketrans"} {
		stringMethods[name] = def("*", func(r *run, self Value, a args) Value { return fail("%s is not supported", name) })
	}
	for name, holds := range stringChecks {
		stringMethods[name] = textMethod("", func(r *run, s string, a args) Value { return holds(s) })
	}
}

func dictOf(keys []keyed) *Dict {
	d := NewDict()
	for _, k := range keys {
		d.put(k.name, k.value)
	}
	return d
}

// strings makes a list of texts.
func (r *run) strings(list []string) *List {
	l := &List{}
	for _, s := range list {
		r.make(itemBytes + len(s))
		l.Items = append(l.Items, s)
	}
	return l
}

// find is strings.Index, with its cost counted.
func (r *run) find(s, sub string) int {
	r.step(1 + len(s)/16)
	return strings.Index(s, sub)
}

// replace is Python's: an empty old stands between all characters.
func (r *run) replace(s, old, new string, n int) string {
	most := strings.Count(s, old)
	if n >= 0 {
		most = min(most, n)
	}
	if most > 0 && len(new) > mostMade/most {
		r.make(mostMade + 1)
	}
	r.make(len(s) + most*len(new))
	return strings.Replace(s, old, new, n)
}

func stripBy(trim func(string, func(rune) bool) string) func(*run, string, args) Value {
	return func(r *run, s string, a args) Value {
		chars, ok := a.textOrNone(0)
		if !ok {
			return trim(s, isSpace)
		}
		r.step(len(chars) / 16 * min(len(s), 64))
		return trim(s, func(c rune) bool { return strings.ContainsRune(chars, c) })
	}
}

// window is s[start:end] by two arguments from i on, and where it begins; false where
// it begins behind the end.
func window(r *run, s string, a args, i int) (string, int, bool) {
	n := runes(s)
	from, to := r.limit(a.or(i, nil), 0, n, 0, n+1), r.limit(a.or(i+1, nil), n, n, 0, n)
	if from > to {
		return "", 0, false
	}
	return r.cut(s, from, to), from, true
}

func affix(has func(s, fix string) bool) func(*run, string, args) Value {
	return func(r *run, s string, a args) Value {
		in, _, ok := window(r, s, a, 1)
		fixes := asTuple(a.bound[0])
		if fixes == nil {
			fixes = Tuple{a.text(0)}
		}
		for _, f := range fixes {
			fix, isText := asText(f)
			if !isText {
				fail("want a string or a tuple of strings, not a %s", typeName(f))
			}
			if ok && has(in, fix) {
				return true
			}
		}
		return false
	}
}

func finder(find func(s, sub string) int, must bool) func(*run, string, args) Value {
	return func(r *run, s string, a args) Value {
		sub := a.text(0)
		in, from, ok := window(r, s, a, 1)
		if i := find(in, sub); ok && i >= 0 {
			return from + runes(in[:i])
		}
		if must {
			return fail("substring not found")
		}
		return -1
	}
}

func countIn(r *run, s string, a args) Value {
	sub := a.text(0)
	in, _, ok := window(r, s, a, 1)
	if !ok {
		return 0
	}
	return strings.Count(in, sub)
}
