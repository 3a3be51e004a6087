package tokenizer

import (
	"strings"
	"testing"
	"unicode/utf8"

	"foretoken/model"
)

// checkStream holds a stream of ids against the whole decoded at once, and what
// Bytes says of every token against both.
func checkStream(t *testing.T, tok *Tokenizer, ids []model.Token) {
	t.Helper()
	s := tok.NewStream()
	for range 2 { // Flush makes it new
		var b strings.Builder
		for _, id := range ids {
			part := s.Push(id)
			if !utf8.ValidString(part) {
				t.Fatalf("%v: pushing %d gives %q", ids, id, part)
			}
			b.WriteString(part)
		}
		b.WriteString(s.Flush())
		if want := tok.Decode(ids, true); b.String() != want {
			t.Fatalf("%v: streamed %q, decoded %q", ids, b.String(), want)
		}
	}
	if tok.dec.runs || tok.dec.begin != nil || tok.dec.strip > 0 {
		return
	}
	var bytes []byte
	for _, id := range ids {
		if !tok.Special(id) {
			bytes = append(bytes, tok.Bytes(id)...)
		}
	}
	if got, want := tok.Decode(ids, true), strings.Join(strings.Split(lossy(string(bytes)), ""), ""); got != want {
		t.Fatalf("%v: decoded %q, its bytes are %q", ids, got, want)
	}
}

func TestStream(t *testing.T) {
	for _, name := range small {
		tok := openSmall(t, name)
		for i := range 500 {
			checkStream(t, tok, sequence(i, tok.Vocab()+3)) // some are no tokens
		}
	}
}

// TestStreamHolds: a code point split over tokens leaves with its last byte, and
// bytes that make none leave as soon as that is certain.
func TestStreamHolds(t *testing.T) {
	tok := openSmall(t, "bytelevel")
	id := func(b byte) model.Token {
		id, ok := tok.ID(toByteLevel(string([]byte{b})))
		if !ok {
			t.Fatalf("no token for byte %#x", b)
		}
		return id
	}
	for _, c := range []struct {
		bytes string
		want  []string // of every push, then of Flush
	}{
		{"\xf0\x9f\x98\x80", []string{"", "", "", "😀", ""}},
		{"\xf0\x9fa", []string{"", "", "\ufffda", ""}},
		{"\xe2\x82", []string{"", "", "\ufffd"}},
		{"\xff", []string{"\ufffd", ""}},
		{"\xed\xa0\x80", []string{"", "\ufffd\ufffd", "\ufffd", ""}}, // a surrogate
		{"\xc3\xc3\xa9", []string{"", "\ufffd", "é", ""}},
	} {
		s := tok.NewStream()
		var got []string
		for i := range len(c.bytes) {
			got = append(got, s.Push(id(c.bytes[i])))
		}
		got = append(got, s.Flush())
		if strings.Join(got, "|") != strings.Join(c.want, "|") {
			t.Errorf("%q streams as %q, want %q", c.bytes, got, c.want)
		}
	}
}

// TestByteRuns: in a SentencePiece vocabulary a run of bytes is text as a whole or
// not at all, so it leaves when it ends.
func TestByteRuns(t *testing.T) {
	tok := openSmall(t, "spm")
	var ids []model.Token
	for _, s := range []string{"<0xC3>", "<0xA9>", "a", "<0xC3>", "<0xA9>", "<0xC3>", "a"} {
		id, ok := tok.ID(s)
		if !ok {
			t.Fatalf("no token %s", s)
		}
		ids = append(ids, id)
	}
	s := tok.NewStream()
	want := []string{"", "", "éa", "", "", "", "\ufffd\ufffd\ufffda"}
	for i, id := range ids {
		if got := s.Push(id); got != want[i] {
			t.Errorf("push %d gives %q, want %q", i, got, want[i])
		}
	}
}
