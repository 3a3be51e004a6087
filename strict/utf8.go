package strict

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"
)

// encoded refuses bytes that are not UTF-8, of which encoding/json makes U+FFFD, and
// the mark that some editors put before it.
func encoded(data []byte) error {
	if bytes.HasPrefix(data, []byte("\ufeff")) {
		return errors.New("begins with a byte order mark, want the JSON at once")
	}
	for i := 0; i < len(data); {
		r, n := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && n == 1 {
			return fmt.Errorf("%#02x, byte %d, is no UTF-8", data[i], i)
		}
		i += n
	}
	return nil
}
