package experiments

import (
	"bytes"
	"slices"

	"foretoken/model"
)

// tags open and close a model's thinking block.
type tags struct {
	start, end []model.Token
	words      Tokenizer
}

// What models call the tags, by family; the first is the most common.
var startTags, endTags = []string{"<think>", "[THINK]", "<|START_THINKING|>"}, []string{"</think>", "[/THINK]", "<|END_THINKING|>"}

// tagsOf finds the pair that the vocabulary has as tokens; else the most common one
// as it is spelled.
func tagsOf(t Tokenizer) tags {
	for i := range startTags {
		if pair := (tags{t.Encode(startTags[i], true), t.Encode(endTags[i], true), t}); pair.single() {
			return pair
		}
	}
	return tags{t.Encode(startTags[0], true), t.Encode(endTags[0], true), t}
}

func (t tags) single() bool { return len(t.start) == 1 && len(t.end) == 1 }

// are reports whether x is a tag.
func (t tags) are(x model.Token) bool { return t.single() && (x == t.start[0] || x == t.end[0]) }

// Where a prompt leaves a model's thinking block.
const (
	blockAhead  = iota // not opened
	blockOpened        // the prompt ends in the opening tag
	blockClosed        // and in the closing one
)

// state looks at what a prompt ends in, white space left out: a tag further up is
// of another turn, or quoted. A tag that is spelled is looked for in the text, as its
// last piece may be one token with the line's end.
func (t tags) state(prompt []model.Token) int {
	if !t.single() {
		return t.spelled(prompt)
	}
	n := len(prompt)
	for n > 0 && t.white(prompt[n-1]) {
		n--
	}
	switch {
	case endsIn(prompt[:n], t.start):
		return blockOpened
	case endsIn(prompt[:n], t.end):
		return blockClosed
	}
	return blockAhead
}

// spelled is state for tags that are no tokens.
func (t tags) spelled(prompt []model.Token) int {
	var text []byte
	for i := len(prompt); i > 0 && len(bytes.TrimSpace(text)) < len(endTags[0]); i-- {
		text = slices.Concat(t.words.Bytes(prompt[i-1]), text)
	}
	switch text = bytes.TrimSpace(text); {
	case bytes.HasSuffix(text, []byte(startTags[0])):
		return blockOpened
	case bytes.HasSuffix(text, []byte(endTags[0])):
		return blockClosed
	}
	return blockAhead
}

func (t tags) white(x model.Token) bool {
	text := t.words.Bytes(x)
	return len(text) > 0 && len(bytes.TrimSpace(text)) == 0
}

func endsIn(all, tag []model.Token) bool {
	return len(tag) > 0 && len(all) >= len(tag) && slices.Equal(all[len(all)-len(tag):], tag)
}
