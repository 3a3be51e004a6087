package jsonmask

// content is a byte between code points.
func (t *text) content(s textState, b byte) (textState, bool) {
	if b == '"' {
		s.phase = closed
		return s, t.mayClose(s)
	}
	if b < ' ' || t.high >= 0 && s.n == t.high {
		return s, false
	}
	switch {
	case b == '\\':
		s.phase = escape
		return s, t.escapes(s)
	case b < 0x80:
		return t.char(s, rune(b))
	case b >= 0xc2 && b <= 0xdf:
		s.part, s.more = rune(b&0x1f), 1
	case b >= 0xe0 && b <= 0xef:
		s.part, s.more = rune(b&0x0f), 2
	case b >= 0xf0 && b <= 0xf4:
		s.part, s.more = rune(b&0x07), 3
	default:
		return s, false
	}
	s.phase = utf8Rest
	return s, t.mayBe(s, max(s.part<<(6*s.more), shortest[s.more]), (s.part+1)<<(6*s.more)-1)
}

// shortest is the first code point that takes so many bytes more.
var shortest = [4]rune{1: 0x80, 2: 0x800, 3: 0x10000}

// continuation is a byte within a code point of several.
func (t *text) continuation(s textState, b byte) (textState, bool) {
	if b&0xc0 != 0x80 {
		return s, false
	}
	first := s.part
	s.part, s.more = s.part<<6|rune(b&0x3f), s.more-1
	switch { // overlong forms, surrogates, what lies past the last code point
	case s.more == 1 && first < 0x10 && (s.part < 0x20 || s.part >= 0x360 && s.part < 0x380):
		return s, false
	case s.more == 2 && (s.part < 0x10 || s.part > 0x10f):
		return s, false
	case s.more == 0:
		return t.char(s, s.part)
	}
	return s, t.mayBe(s, s.part<<(6*s.more), (s.part+1)<<(6*s.more)-1)
}

// digit is one of four hexadecimal digits.
func (t *text) digit(s textState, b byte) (textState, bool) {
	d, ok := hexValue(b)
	if !ok {
		return s, false
	}
	s.part, s.more = s.part<<4|d, s.more-1
	if s.phase == hex {
		switch {
		case s.more == 2 && s.part >= 0xdc && s.part <= 0xdf: // a low surrogate alone
			return s, false
		case s.more == 0 && s.part >= 0xd800 && s.part < 0xdc00:
			s.phase = pairSlash
			return s, true
		case s.more == 0:
			return t.char(s, s.part)
		}
		return s, true
	}
	low := s.part & (1<<(4*(4-s.more)) - 1)
	switch {
	case s.more == 3 && low != 0xd || s.more == 2 && low < 0xdc:
		return s, false
	case s.more == 0:
		return t.char(s, 0x10000+(s.part>>16&0x3ff)<<10+low&0x3ff)
	}
	return s, true
}

func unescape(b byte) (rune, bool) {
	switch b {
	case '"', '\\', '/':
		return rune(b), true
	case 'b':
		return '\b', true
	case 'f':
		return '\f', true
	case 'n':
		return '\n', true
	case 'r':
		return '\r', true
	case 't':
		return '\t', true
	}
	return 0, false
}

func hexValue(b byte) (rune, bool) {
	switch {
	case b >= '0' && b <= '9':
		return rune(b - '0'), true
	case b|' ' >= 'a' && b|' ' <= 'f':
		return rune(b|' '-'a') + 10, true
	}
	return 0, false
}
