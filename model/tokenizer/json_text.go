package tokenizer

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// normalizer makes the component of that name.
func (b *builder) normalizer(data json.RawMessage) normalizer {
	const part = "normalizer"
	name := b.kind(part, data)
	forms := map[string]norm.Form{"NFC": norm.NFC, "NFD": norm.NFD, "NFKC": norm.NFKC, "NFKD": norm.NFKD}
	if f, ok := forms[name]; ok {
		return normalizer{form(f)}
	}
	var c struct {
		Normalizers []json.RawMessage `json:"normalizers"`
		Prepend     string            `json:"prepend"`
		Pattern     pattern           `json:"pattern"`
		Content     string            `json:"content"`
		Left        bool              `json:"strip_left"`
		Right       bool              `json:"strip_right"`
	}
	if name != "" {
		b.read(part, data, &c)
	}
	switch name {
	case "":
	case "Sequence":
		var all normalizer
		for _, n := range c.Normalizers {
			all = append(all, b.normalizer(n)...)
		}
		return all
	case "Lowercase":
		return normalizer{lowercase}
	case "Prepend":
		return normalizer{prepend(c.Prepend)}
	case "Replace":
		return normalizer{b.replace(part, c.Pattern, c.Content)}
	case "Strip":
		return normalizer{strip(c.Left, c.Right)}
	case "StripAccents":
		return normalizer{stripAccents}
	case "ByteLevel":
		return normalizer{toByteLevel}
	default:
		b.unsupported(part, name)
	}
	return nil
}

// A pattern is a string or a regular expression.
type pattern struct {
	String *string
	Regex  *string
}

// spans is what the pattern finds.
func (b *builder) spans(part string, p pattern) func(string) []span {
	switch {
	case p.String != nil && *p.String != "":
		return literal(*p.String)
	case p.Regex != nil:
		re, err := compile(*p.Regex)
		if err == nil {
			return matching(re)
		}
		b.fail(part, fmt.Sprintf("a pattern, not %q", *p.Regex), err)
	default:
		b.fail(part, "a pattern: a String that is not empty, or a Regex", nil)
	}
	return func(s string) []span { return tail(nil, 0, len(s)) }
}

func (b *builder) replace(part string, p pattern, content string) func(string) string {
	if p.String != nil && *p.String != "" {
		return replaceString(*p.String, content)
	}
	spans := b.spans(part, p)
	return func(s string) string {
		var out strings.Builder
		for _, sp := range spans(s) {
			if sp.match {
				out.WriteString(content)
			} else {
				out.WriteString(s[sp.from:sp.to])
			}
		}
		return out.String()
	}
}

// preTokenizer makes the component of that name.
func (b *builder) preTokenizer(data json.RawMessage) []preTokenizer {
	const part = "pre_tokenizer"
	name := b.kind(part, data)
	c := struct {
		PreTokenizers []json.RawMessage `json:"pretokenizers"`
		PrefixSpace   *bool             `json:"add_prefix_space"`
		UseRegex      bool              `json:"use_regex"`
		Pattern       pattern           `json:"pattern"`
		Behavior      behavior          `json:"behavior"`
		Invert        bool              `json:"invert"`
		Individual    bool              `json:"individual_digits"`
		Mark          string            `json:"replacement"`
		Scheme        string            `json:"prepend_scheme"`
		Cut           bool              `json:"split"`
		Delimiter     string            `json:"delimiter"`
	}{UseRegex: true, Behavior: isolated, Mark: "▁", Cut: true}
	if name != "" {
		b.read(part, data, &c)
	}
	if !c.Behavior.known() {
		b.unsupported(part+" behavior", string(c.Behavior))
	}
	one := func(p preTokenizer) []preTokenizer { return []preTokenizer{p} }
	switch name {
	case "":
	case "Sequence":
		var all []preTokenizer
		for _, p := range c.PreTokenizers {
			all = append(all, b.preTokenizer(p)...)
		}
		return all
	case "ByteLevel":
		p := byteLevel{prefixSpace: c.PrefixSpace == nil || *c.PrefixSpace}
		if c.UseRegex {
			p.cut = mustSplit(cutGPT2)
		}
		return one(p)
	case "Split":
		return one(&splitter{spans: b.spans(part, c.Pattern), behavior: c.Behavior, invert: c.Invert})
	case "Digits":
		if c.Behavior = contiguous; c.Individual {
			c.Behavior = isolated
		}
		return one(&splitter{spans: inClass(isNumeric), behavior: c.Behavior})
	case "Punctuation":
		return one(&splitter{spans: inClass(isPunctuation), behavior: c.Behavior})
	case "WhitespaceSplit":
		return one(&splitter{spans: inClass(unicode.IsSpace), behavior: removed})
	case "Whitespace":
		return []preTokenizer{
			&splitter{spans: inClass(unicode.IsSpace), behavior: removed},
			&splitter{spans: inClass(isWord), behavior: contiguous},
		}
	case "CharDelimiterSplit":
		return one(&splitter{spans: b.spans(part, pattern{String: &c.Delimiter}), behavior: removed})
	case "Metaspace":
		return one(b.metaspace(part, c.Mark, c.Scheme, c.PrefixSpace, c.Cut))
	default:
		b.unsupported(part, name)
	}
	return nil
}

// metaspace reads how a text begins: by scheme, or by the flag that was before it.
func (b *builder) metaspace(part, mark, scheme string, prefixSpace *bool, cut bool) metaspace {
	if scheme == "" {
		if scheme = "always"; prefixSpace != nil && !*prefixSpace {
			scheme = "never"
		}
	}
	if mark == "" {
		b.fail(part, "a replacement that is not empty", nil)
	}
	if scheme != "always" && scheme != "first" && scheme != "never" {
		b.unsupported(part+" prepend_scheme", scheme)
	}
	return metaspace{mark: mark, always: scheme == "always", first: scheme == "first", cut: cut}
}
