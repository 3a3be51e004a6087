package tokenizer

import (
	"strings"
	"unicode/utf8"

	"foretoken/model"
)

// A Stream decodes ids one by one. What Push and Flush return, put together, is
// what Decode gives of all of them, and every part is UTF-8: half a code point is
// held back.
type Stream struct {
	t     *Tokenizer
	skip  bool
	begun bool
	held  string // bytes that a later token may complete
	strip int    // characters still to be cut off the front
}

// NewStream decodes as Decode with skipSpecial does.
func (t *Tokenizer) NewStream() *Stream { return t.stream(true) }

func (t *Tokenizer) stream(skip bool) *Stream { return &Stream{t: t, skip: skip, strip: t.dec.strip} }

// Push returns the text that id completes, which is often "".
func (s *Stream) Push(id model.Token) string {
	t := s.t
	if !t.has(id) || s.skip && t.is(id, special) {
		return ""
	}
	text := t.text[id]
	if !s.begun && t.dec.begin != nil {
		text = t.dec.begin(id)
	}
	s.begun = true
	if !t.dec.runs {
		text = s.held + text
		n := len(text) - unfinished(text)
		s.held = text[n:]
		return s.cut(lossy(text[:n]))
	}
	if t.is(id, fallback) {
		s.held += text
		return ""
	}
	return s.cut(s.run() + lossy(text))
}

// Flush returns what was held back, and makes the stream new.
func (s *Stream) Flush() string {
	text := ""
	if s.t.dec.runs {
		text = s.run()
	} else {
		text, s.held = lossy(s.held), ""
	}
	text = s.cut(text)
	s.begun, s.strip = false, s.t.dec.strip
	return text
}

// run ends a run of byte tokens.
func (s *Stream) run() string {
	run := s.held
	s.held = ""
	if utf8.ValidString(run) {
		return run
	}
	return strings.Repeat(replacement, len(run))
}

// cut strips the front of the text, of which text is the next part.
func (s *Stream) cut(text string) string {
	for s.strip > 0 && text != "" {
		r, n := utf8.DecodeRuneInString(text)
		if r != s.t.dec.stripped {
			s.strip = 0
			break
		}
		text, s.strip = text[n:], s.strip-1
	}
	return text
}
