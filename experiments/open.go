package experiments

import (
	"encoding/json"
	"fmt"
	"sync"

	"foretoken/model"
	"foretoken/results"
	"foretoken/sampler/jsonmask"
	"foretoken/spec"
)

// An Opener opens a model by what a config calls it. Its errors say which model, or
// which file of it.
type Opener func(ref string) (*Opened, error)

// Opened is a model with what text needs.
type Opened struct {
	Name      string // for people
	Model     model.Model
	Tokenizer Tokenizer
	Ends      []results.End // tokens that end a text
	Close     func() error

	// Head opens a head that was trained for this model; nil where it has none.
	Head func(ref string) (model.Head, error)

	once       sync.Once
	vocabulary *jsonmask.Vocabulary // for constraints, made when first asked for
}

// A Message is one turn of a conversation.
type Message struct {
	Role    string `json:"role"` // "system", "user" or "assistant"
	Content string `json:"content"`
}

// TemplateVariables are what a chat template may be told besides the messages.
type TemplateVariables struct {
	Tools []json.RawMessage          // JSON objects
	Named map[string]json.RawMessage // by name
}

// A Tokenizer is what an experiment asks of one.
type Tokenizer interface {
	Vocabulary
	Prompt(text string) []model.Token                                  // raw text, BOS in front where the model wants it
	Chat(messages []Message) ([]model.Token, error)                    // by the chat template, the assistant's turn opened
	Render(messages []Message, with TemplateVariables) (string, error) // the text that Chat makes a Prompt of
	NewStream() spec.TextStream

	Encode(text string, special bool) []model.Token // special: the names of control tokens are read as such
	Bytes(model.Token) []byte                       // what a token adds to a text; nil for no token
	Special(model.Token) bool                       // a control token, which texts do not hold
}

// OpenHead opens a head by what a config calls it.
func (o *Opened) OpenHead(ref string) (model.Head, error) {
	if o.Head == nil {
		return nil, fmt.Errorf("%s: the backend of %s cannot load draft heads", ref, o.Name)
	}
	h, err := o.Head(ref)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ref, err)
	}
	return h, nil
}
