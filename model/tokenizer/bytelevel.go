package tokenizer

import (
	"strings"
	"unicode/utf8"
)

// GPT-2's byte-level BPE writes every byte as a visible character (Radford et al.
// 2019, encoder.py): printable Latin-1 stands for itself, the other 68 bytes, in
// order, are U+0100 and up. So a space is "Ġ".
var (
	byteRune [256]rune
	runeByte [0x144]int16 // -1: stands for no byte
)

func init() {
	for i := range runeByte {
		runeByte[i] = -1
	}
	next := rune(0x100)
	for b := range 256 {
		r := rune(b)
		if b < '!' || b > '~' && b < 0xA1 || b == 0xAD {
			r, next = next, next+1
		}
		byteRune[b], runeByte[r] = r, int16(b)
	}
}

// toByteLevel writes the bytes of s as characters.
func toByteLevel(s string) string {
	b := make([]byte, 0, len(s)+len(s)/2)
	for i := range len(s) {
		b = utf8.AppendRune(b, byteRune[s[i]])
	}
	return string(b)
}

// fromByteLevel is the inverse. A string with a character that stands for no byte
// is returned as it is: an added token.
func fromByteLevel(s string) string {
	var b strings.Builder
	for _, r := range s {
		if int(r) >= len(runeByte) || runeByte[r] < 0 {
			return s
		}
		b.WriteByte(byte(runeByte[r]))
	}
	return b.String()
}
