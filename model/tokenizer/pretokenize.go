package tokenizer

import (
	"strings"
)

// A piece is a part of the text within which merges happen.
type piece struct {
	text  string
	first bool // it begins the text
}

// A preTokenizer cuts or rewrites pieces. It gives no empty ones.
type preTokenizer interface {
	split([]piece) []piece
}

// each applies f to every piece; f calls emit with what the piece becomes.
func each(in []piece, f func(p piece, emit func(string))) []piece {
	out := make([]piece, 0, len(in))
	for _, p := range in {
		first := p.first
		f(p, func(s string) {
			if s != "" {
				out = append(out, piece{s, first})
				first = false
			}
		})
	}
	return out
}

// byteLevel writes bytes as characters, after GPT-2's cut if there is one.
type byteLevel struct {
	prefixSpace bool
	cut         *splitter
}

func (b byteLevel) split(in []piece) []piece {
	if b.prefixSpace {
		in = spaced{}.split(in)
	}
	if b.cut != nil {
		in = b.cut.split(in)
	}
	for i := range in {
		in[i].text = toByteLevel(in[i].text)
	}
	return in
}

// metaspace is SentencePiece's: a space is a visible character that begins a word.
type metaspace struct {
	mark   string // for a space, "▁"
	always bool   // every piece begins with one
	first  bool   // the text does, also where a normaliser took its first character
	cut    bool
}

func (m metaspace) split(in []piece) []piece {
	return each(in, func(p piece, emit func(string)) {
		s := strings.ReplaceAll(p.text, " ", m.mark)
		if (m.always || m.first && p.first) && !strings.HasPrefix(s, m.mark) {
			s = m.mark + s
		}
		for m.cut && s != "" {
			next := strings.Index(s[1:], m.mark) // a mark at 0 begins this word
			if next < 0 {
				break
			}
			emit(s[:next+1])
			s = s[next+1:]
		}
		emit(s)
	})
}

// prefixed puts a mark before every piece of a text, as llama.cpp does for
// SentencePiece: also after a control token.
type prefixed string

func (m prefixed) split(in []piece) []piece {
	return each(in, func(p piece, emit func(string)) { emit(string(m) + p.text) })
}

// spaced puts a space before a piece that has none (llama.cpp, add_space_prefix).
type spaced struct{}

func (spaced) split(in []piece) []piece {
	return each(in, func(p piece, emit func(string)) {
		if !strings.HasPrefix(p.text, " ") {
			p.text = " " + p.text
		}
		emit(p.text)
	})
}

// isNumeric is the general category N.
func isNumeric(r rune) bool { return numberClass.has(r) }

func isPunctuation(r rune) bool {
	return r < 0x80 && strings.ContainsRune("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", r) || punctuationClass.has(r)
}
