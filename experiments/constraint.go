package experiments

import (
	"fmt"

	"foretoken/model"
	"foretoken/sampler"
	"foretoken/sampler/jsonmask"
)

// The longest run of white space in constrained JSON: as a constraint may allow at most,
// and where nobody says otherwise.
const (
	MaxBlanks     = jsonmask.MaxBlanks
	DefaultBlanks = jsonmask.DefaultBlanks
)

// Bounds limit what a schema leaves unbounded: see jsonmask.Bounds.
type Bounds = jsonmask.Bounds

// A Constraint is what texts are held to.
type Constraint struct {
	JSON   bool   // any JSON object
	Schema []byte // or what a JSON schema allows; nil is none
	Strict bool   // of the schema, declared members only
	Blanks int    // longest run of white space in JSON, 0 to MaxBlanks
	Bounds Bounds // of JSON, where the schema gives none
	Name   string // of the constraint in errors; "" describes it
	// Thinking is how many tokens of reasoning a thinking block may have before it
	// is closed by force; below 0 there is no limit.
	Thinking int
}

// free reports whether c holds a text to nothing.
func (c Constraint) free() bool { return !c.JSON && c.Schema == nil && c.Thinking < 0 }

// Check refuses a schema that is none, or that has what engines cannot hold a text
// to, without a model.
func (c Constraint) Check() error {
	switch {
	case c.JSON && c.Schema != nil:
		return fmt.Errorf("any JSON object, and what a schema allows: want one of the two")
	case c.Strict && c.Schema == nil:
		return fmt.Errorf("strict without a JSON schema, want a schema, whose declared members are meant")
	case c.Schema != nil:
		return jsonmask.Check(c.Schema, c.options())
	}
	return c.options().Check()
}

func (c Constraint) options() jsonmask.Options {
	return jsonmask.Options{Strict: c.Strict, Blanks: c.Blanks, Bounds: c.Bounds, Name: c.Name}
}

// A Constrainer begins the engines of one Constraint on one model. It is safe for concurrent
// use.
type Constrainer struct {
	constraint Constraint
	model      string
	tags       tags
	inner      sampler.ConstraintEngine // nil: thinking alone
}

// Constrainer prepares c for a model, whose vocabulary is read once.
func (o *Opened) Constrainer(c Constraint) (*Constrainer, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	out := &Constrainer{constraint: c, model: o.Name, tags: tagsOf(o.Tokenizer)}
	if !c.JSON && c.Schema == nil {
		return out, nil
	}
	if len(o.Ends) == 0 {
		return nil, fmt.Errorf("%s has no end of sequence, with which a JSON text would end", o.Name)
	}
	o.once.Do(func() { o.vocabulary = vocabularyOf(o, out.tags) })
	var err error
	if c.JSON {
		out.inner, err = jsonmask.Object(o.vocabulary, c.options())
	} else {
		out.inner, err = jsonmask.Schema(o.vocabulary, c.Schema, c.options())
	}
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
func (c *Constrainer) Engine(prompt []model.Token) (sampler.ConstraintEngine, error) {
	budget := c.constraint.Thinking
	if budget < 0 {
		budget = sampler.Unlimited
	}
	state := c.tags.state(prompt)
	switch {
	case c.constraint.free() || state == blockClosed:
		return c.inner, nil
	case state == blockOpened:
		return sampler.ThinkUntil(budget, c.tags.end, c.inner), nil
	case c.tags.single():
		return sampler.MayThink(budget, c.tags.start[0], c.tags.end[0], c.inner), nil
	case c.constraint.Thinking >= 0:
		return nil, fmt.Errorf("a thinking budget of %d: %s has no token for %s, and the prompt does not end in an open one", budget, c.model, startTags[0])
	}
	return c.inner, nil
}

// Reasoning counts the tokens that a text has inside its thinking block, and reports
// whether it ended there.
func (c *Constrainer) Reasoning(prompt, text []model.Token) (n int, open bool) {
	state := c.tags.state(prompt)
	if c.constraint.free() || state == blockClosed || state == blockAhead && !c.tags.single() {
		return 0, false
	}
	s := sampler.NewThinkSplitter(c.tags.start, c.tags.end, state == blockOpened)
	for _, t := range text {
		s.Push(t)
	}
	s.Flush()
	return s.Reasoning(), s.Inside()
}

// ReadSchema returns the JSON schema in a file, with the files of its folder that it refers
// to among its definitions.
func ReadSchema(path string) ([]byte, error) { return jsonmask.ReadFile(path) }

// SchemaLimits says which keywords of a schema allow fewer texts than the standard.
const SchemaLimits = jsonmask.Limits
