package jinja

import "strings"

// asText is the string that v is, if it is one.
func asText(v Value) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case markup:
		return string(v), true
	}
	return "", false
}

// asInt is the integer that v is; Python's booleans are integers.
func asInt(v Value) (int, bool) {
	switch v := v.(type) {
	case int:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// asFloat is the number that v is.
func asFloat(v Value) (float64, bool) {
	if f, ok := v.(float64); ok {
		return f, true
	}
	i, ok := asInt(v)
	return float64(i), ok
}

// must refuses to use what is undefined.
func must(v Value) Value {
	if u, ok := v.(*undefined); ok {
		fail("%s", u.why)
	}
	return v
}

func missing(why string) *undefined { return &undefined{why: why} }

func repeat(r *run, s string, n int) string {
	if n <= 0 || s == "" {
		return ""
	}
	if n > mostMade {
		n = mostMade
	}
	r.make(len(s) * n)
	return strings.Repeat(s, n)
}
