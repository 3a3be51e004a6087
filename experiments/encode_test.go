package experiments

import (
	"strings"
	"testing"

	"foretoken/model"
	"foretoken/model/modeltest"
)

// neverRead fails a test whose prompt is encoded.
type neverRead struct {
	letters
	t *testing.T
}

func (n neverRead) Prompt(string) []model.Token {
	n.t.Fatal("the prompt was encoded")
	return nil
}

// A prompt that no context can hold is refused by its bytes, unread; one that is near
// is refused by its tokens.
func TestLongPrompts(t *testing.T) {
	for _, c := range []struct {
		bytes int
		want  string
	}{
		{15, ""},
		{16, "16 tokens, want fewer than the context of short, 16"},
		{64, "64 tokens, want fewer than the context of short, 16"},
		{65, "65 bytes, want at most 64, more than short can hold in its context of 16 tokens"},
	} {
		o := &Opened{Model: modeltest.Hash{Vocab: 128, Real: 128, Context: 16}, Tokenizer: letters{size: 128}}
		if c.bytes > 64 {
			o.Tokenizer = neverRead{letters{size: 128}, t}
		}
		r := &runner{target: o, prompts: []Prompt{{ID: "p", Prompt: strings.Repeat("x", c.bytes), Raw: true}}}
		r.config.Target = "short"
		err := r.encode()
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%d bytes: %v", c.bytes, err)
		case c.want != "" && (err == nil || err.Error() != "prompt p: "+c.want):
			t.Errorf("%d bytes: %v, want %q", c.bytes, err, c.want)
		}
	}
}
