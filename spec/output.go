package spec

import (
	"bytes"
	"slices"
	"strings"

	"foretoken/model"
)

// output is what a request has emitted: it finds the end, holds back what may
// yet be cut, and says the rest.
type output struct {
	eos  []model.Token
	stop []string
	text TextStream

	tokens []model.Token
	starts []int  // length of said before each token
	said   []byte // decoded so far
	sent   int    // tokens released
	told   int    // bytes released
	finish Finish
}

// add takes the next token and reports whether it is the last.
func (o *output) add(t model.Token) bool {
	o.tokens, o.starts = append(o.tokens, t), append(o.starts, len(o.said))
	if slices.Contains(o.eos, t) {
		o.end(FinishEOS)
	} else if o.text != nil {
		o.say(o.text.Push(t))
	}
	return o.finish != ""
}

// end finishes for a reason, unless the last of the text holds a stop string.
func (o *output) end(why Finish) {
	if o.finish != "" {
		return
	}
	if o.text != nil {
		o.say(o.text.Flush())
	}
	if o.finish == "" {
		o.finish = why
	}
}

// say appends text and cuts at the first stop string that it completes.
func (o *output) say(s string) {
	from := len(o.said)
	o.said = append(o.said, s...)
	at := -1
	for _, stop := range o.stop {
		start := max(0, from-len(stop)+1)
		if i := bytes.Index(o.said[start:], []byte(stop)); i >= 0 && (at < 0 || start+i < at) {
			at = start + i
		}
	}
	if at >= 0 {
		o.said, o.finish = o.said[:at], FinishStop
	}
}

// cut drops the tokens whose text begins at or after a stop string, and returns
// how many.
func (o *output) cut() int {
	if o.finish != FinishStop {
		return 0
	}
	n := len(o.tokens)
	for n > 0 && o.starts[n-1] >= len(o.said) {
		n--
	}
	dropped := len(o.tokens) - n
	o.tokens, o.starts = o.tokens[:n], o.starts[:n]
	return dropped
}

// release returns what can no longer be cut.
func (o *output) release() Chunk {
	safe, n := len(o.said), len(o.tokens)
	if o.finish == "" && len(o.stop) > 0 {
		safe -= o.held()
		for n > o.sent && o.starts[n-1] >= safe { // half a code point has its text to come
			n--
		}
	}
	c := Chunk{Tokens: o.tokens[o.sent:n:n], Text: string(o.said[o.told:safe])}
	o.sent, o.told = n, safe
	return c
}

// held is how much of the end of the text may be the beginning of a stop string.
func (o *output) held() int {
	most := 0
	for _, stop := range o.stop {
		for n := min(len(stop)-1, len(o.said)); n > most; n-- {
			if strings.HasPrefix(stop, string(o.said[len(o.said)-n:])) {
				most = n
			}
		}
	}
	return most
}
