package strict

import (
	"fmt"
	"strconv"
	"unicode/utf16"
)

// paired refuses an escape that is half of a surrogate pair, in what is known to be
// JSON: no text has it, and encoding/json makes U+FFFD of it.
func paired(data []byte) error {
	for i := 0; i < len(data); i++ {
		if data[i] != '\\' {
			continue
		}
		r := escaped(data[i:])
		switch {
		case !utf16.IsSurrogate(r):
			i++ // what is escaped may be a backslash
		case utf16.DecodeRune(r, escaped(data[i+6:])) != '\uFFFD':
			i += 11
		default:
			return fmt.Errorf("%s, byte %d, is half of a surrogate pair, want both", data[i:i+6], i)
		}
	}
	return nil
}

// escaped is the code unit of the escape that data begins with, \u and four digits;
// 0 where it begins with something else.
func escaped(data []byte) rune {
	if len(data) < 6 || data[0] != '\\' || data[1] != 'u' {
		return 0
	}
	n, _ := strconv.ParseUint(string(data[2:6]), 16, 16)
	return rune(n)
}
