package tokenizer

import (
	"strings"

	"foretoken/model"
)

// A decoder says how pieces become text. What a token adds is in Tokenizer.text;
// the rest is here.
type decoder struct {
	// runs: tokens of the kind fallback decode as a run between other tokens: as
	// text if the whole run is UTF-8, else every byte as U+FFFD. Otherwise all bytes
	// are put together and then read as UTF-8.
	runs bool
	// begin is what the token that begins a text adds; nil: the same as elsewhere.
	begin func(id model.Token) string
	// strip is how many of stripped are cut off the front of the text.
	strip    int
	stripped rune
}

// hexByte reads "<0xNN>", the spelling of a byte's token.
func hexByte(s string) (byte, bool) {
	if len(s) != 6 || !strings.HasPrefix(s, "<0x") || s[5] != '>' {
		return 0, false
	}
	hi, lo := nibble(s[3]), nibble(s[4])
	return byte(hi<<4 | lo), hi >= 0 && lo >= 0
}

func nibble(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
