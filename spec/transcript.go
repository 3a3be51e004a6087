package spec

import (
	"bytes"
	"slices"
	"strings"

	"foretoken/model"
)

// A transcript is the text of the tokens emitted: it finds the end, holds back what may
// yet be cut, and says the rest.
type transcript struct {
	eos  []model.Token
	stop []string
	ids  []model.Token // stop tokens
	text TextStream

	starts []int  // length of said before each token
	said   []byte // decoded so far
	sent   int    // tokens released
	told   int    // bytes released
	finish Finish
}

// add takes the next token and reports whether it is the last.
func (o *transcript) add(t model.Token) bool {
	o.starts = append(o.starts, len(o.said))
	if slices.Contains(o.ids, t) {
		o.end(FinishStop)
	} else if slices.Contains(o.eos, t) {
		o.end(FinishEOS)
	} else if o.text != nil {
		o.say(o.text.Push(t))
	}
	return o.finish != ""
}

// end finishes for a reason, unless the last of the text holds a stop string.
func (o *transcript) end(why Finish) {
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
func (o *transcript) say(s string) {
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

// cut forgets the tokens whose text begins at or after a stop string, and returns how many
// are left.
func (o *transcript) cut() int {
	n := len(o.starts)
	if o.finish == FinishStop {
		for n > 0 && o.starts[n-1] >= len(o.said) {
			n--
		}
		o.starts = o.starts[:n]
	}
	return n
}

// release returns the text that can no longer be cut, and counts its tokens in sent.
func (o *transcript) release() string {
	safe, n := len(o.said), len(o.starts)
	if o.finish == "" && len(o.stop) > 0 {
		safe -= o.held()
		for n > o.sent && o.starts[n-1] >= safe { // half a code point has its text to come
			n--
		}
	}
	text := string(o.said[o.told:safe])
	o.sent, o.told = n, safe
	return text
}

// held is how much of the end of the text may be the beginning of a stop string.
func (o *transcript) held() int {
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
