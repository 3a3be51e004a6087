package experiments

import (
	"fmt"

	"foretoken/model"
	"foretoken/sampler"
	"foretoken/sampler/jsonmask"
)

// A Hold is what texts are held to.
type Hold struct {
	JSON   bool   // any JSON object
	Schema []byte // or what a JSON schema allows; nil is none
	// Thinking is how many tokens of reasoning a thinking block may have before it
	// is closed by force; below 0 there is no limit.
	Thinking int
}

// free reports whether h holds a text to nothing.
func (h Hold) free() bool { return !h.JSON && h.Schema == nil && h.Thinking < 0 }

// Check refuses a schema that is none, or that has what engines cannot hold a text
// to, without a model.
func (h Hold) Check() error {
	switch {
	case h.JSON && h.Schema != nil:
		return fmt.Errorf("any JSON object, and what a schema allows: want one of the two")
	case h.Schema != nil:
		return jsonmask.Check(h.Schema)
	}
	return nil
}

// A Holder begins the engines of one Hold on one model. It is safe for concurrent
// use.
type Holder struct {
	hold  Hold
	model string
	tags  tags
	inner sampler.ConstraintEngine // nil: thinking alone
}

// Holder prepares h for a model, whose vocabulary is read once.
func (o *Opened) Holder(h Hold) (*Holder, error) {
	if err := h.Check(); err != nil {
		return nil, err
	}
	out := &Holder{hold: h, model: o.Name, tags: tagsOf(o.Tokenizer)}
	if !h.JSON && h.Schema == nil {
		return out, nil
	}
	if len(o.Ends) == 0 {
		return nil, fmt.Errorf("%s has no end of sequence, with which a JSON text would end", o.Name)
	}
	o.once.Do(func() { o.vocabulary = vocabularyOf(o, out.tags) })
	if h.JSON {
		out.inner = jsonmask.Object(o.vocabulary)
		return out, nil
	}
	var err error
	out.inner, err = jsonmask.Schema(o.vocabulary, h.Schema)
	return out, err
}

// vocabularyOf leaves out what is no text: control tokens and the tags of thinking.
func vocabularyOf(o *Opened, t tags) *jsonmask.Vocabulary {
	words := make([][]byte, min(o.Tokenizer.Vocab(), o.Model.Info().Real))
	for i := range words {
		if x := model.Token(i); !o.Tokenizer.Special(x) && !t.are(x) {
			words[i] = o.Tokenizer.Bytes(x)
		}
	}
	return jsonmask.NewVocabulary(words, EndTokens(o.Ends))
}

// Engine returns the constraint of a text that goes on from prompt. A thinking
// block comes before what the text is held to, whether the prompt has opened it or
// the model does.
func (h *Holder) Engine(prompt []model.Token) (sampler.ConstraintEngine, error) {
	budget := h.hold.Thinking
	if budget < 0 {
		budget = sampler.Unlimited
	}
	state := h.tags.state(prompt)
	switch {
	case h.hold.free() || state == blockClosed:
		return h.inner, nil
	case state == blockOpened:
		return sampler.ThinkUntil(budget, h.tags.end, h.inner), nil
	case h.tags.single():
		return sampler.MayThink(budget, h.tags.start[0], h.tags.end[0], h.inner), nil
	case h.hold.Thinking >= 0:
		return nil, fmt.Errorf("a thinking budget of %d: %s has no token for %s, and the prompt does not end in an open one", budget, h.model, startTags[0])
	}
	return h.inner, nil
}

// Reasoning counts the tokens that a text has inside its thinking block, and reports
// whether it ended there.
func (h *Holder) Reasoning(prompt, text []model.Token) (n int, open bool) {
	state := h.tags.state(prompt)
	if h.hold.free() || state == blockClosed || state == blockAhead && !h.tags.single() {
		return 0, false
	}
	s := sampler.NewThinkSplitter(h.tags.start, h.tags.end, state == blockOpened)
	for _, t := range text {
		s.Push(t)
	}
	s.Flush()
	return s.Reasoning(), s.Inside()
}
