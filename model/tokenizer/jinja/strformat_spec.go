package jinja

import (
	"regexp"
	"strconv"
	"strings"
)

var specText = regexp.MustCompile(`^(?s)(?:(.)?([<>=^]))?([-+ ])?(z)?(#)?(0)?(\d+)?([,_])?(?:\.(\d+))?([bcdeEfFgGnosxX%])?$`)

// formatted is Python's format(v, text).
func (r *run) formatted(v Value, text string) string {
	if text == "" {
		return r.str(v)
	}
	s := readSpec(text)
	switch v := v.(type) {
	case string:
		if s.kind != 0 && s.kind != 's' || s.sign != '-' || s.alternate || s.align == '=' || s.group != "" || s.explicitSign {
			fail("the format %q of a string", text)
		}
		if s.zero && s.align == 0 {
			s.fill = "0"
		}
		return s.text(r, v)
	case int, bool:
		i, _ := asInt(v)
		return r.formatInt(s, i, text)
	case float64:
		if s.kind != 0 && strings.IndexByte("eEfFgGn%", s.kind) < 0 || s.kind == 'n' && s.group != "" {
			fail("the format %q of a float", text)
		}
		if s.kind == 'n' {
			s.kind = 'g'
		}
		return s.float(r, v)
	}
	fail("the format %q of a %s", text, typeName(must(v)))
	return ""
}

func (r *run) formatInt(s spec, i int, text string) string {
	switch {
	case s.kind != 0 && strings.IndexByte("eEfFgG%", s.kind) >= 0:
		return s.float(r, float64(i))
	case s.precision >= 0 || s.kind == 's' || s.group == "," && s.kind != 0 && s.kind != 'd' || s.group != "" && (s.kind == 'n' || s.kind == 'c'):
		fail("the format %q of an integer", text)
	case s.kind == 'c':
		if s.explicitSign || s.alternate {
			fail("the format %q of a character", text)
		}
		if s.zero {
			s.fill, s.zero = "0", false
		}
		return s.padded(r, "", character(i), '<')
	}
	return s.integer(r, i)
}

func readSpec(text string) spec {
	m := specText.FindStringSubmatch(text)
	if m == nil || m[4] != "" {
		fail("the format %q", text)
	}
	s := spec{fill: " ", precision: -1, sign: '-', alternate: m[5] != "", group: m[8], explicitSign: m[3] != ""}
	if m[2] != "" {
		s.align = m[2][0]
	}
	if m[1] != "" {
		s.fill = m[1]
	}
	if m[3] != "" {
		s.sign = m[3][0]
	}
	if m[6] != "" {
		if s.align == 0 {
			s.zero = true
		} else if m[1] == "" {
			s.fill = "0"
		}
	}
	s.width, s.precision = specNumber(m[7], 0), specNumber(m[9], -1)
	if m[10] != "" {
		s.kind = m[10][0]
	}
	return s
}

func specNumber(digits string, otherwise int) int {
	if digits == "" {
		return otherwise
	}
	n, err := strconv.Atoi(digits)
	if err != nil {
		fail("%s in a format", digits)
	}
	return n
}
