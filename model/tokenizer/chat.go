package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"foretoken/model"
	"foretoken/model/tokenizer/jinja"
)

// A Message is one turn of a conversation.
type Message struct {
	Role             string // "system", "user", "assistant" or "tool"
	Content          string
	ReasoningContent string     // an assistant's thinking, where it is apart from the content
	ToolCalls        []ToolCall // an assistant's
	ToolCallID       string     // of the call that a "tool" message answers
	Name             string     // of the tool, or of who speaks
}

// A ToolCall is a call that an assistant asked for.
type ToolCall struct {
	ID        string
	Name      string
	Arguments json.RawMessage // an object, or a string that holds one
}

// ChatOptions are the variables of a template.
type ChatOptions struct {
	Tools               []json.RawMessage // JSON objects; the order of their keys is kept
	EnableThinking      *bool             // nil: the template is not told
	AddGenerationPrompt bool              // end with what opens the assistant's turn
	Extra               map[string]any    // further variables, by name: json.RawMessage, or what jinja.Template.Render takes
	Now                 time.Time         // what strftime_now tells; zero: the present
}

// ErrNoTemplate is returned by Chat for a tokenizer without a chat template.
var ErrNoTemplate = errors.New("tokenizer: no chat template")

// A TemplateError is a chat template that does not parse or gives no text for these
// messages; a template says so itself when roles do not alternate, for example.
type TemplateError struct{ Err error }

// Error implements error.
func (e *TemplateError) Error() string { return "tokenizer: chat template: " + e.Err.Error() }

// Unwrap returns the cause.
func (e *TemplateError) Unwrap() error { return e.Err }

// Chat renders messages by the template, as Python's transformers does (package jinja
// says where it refuses more than that). Where tools are given, a template for them
// counts before the general one. The text is for Prompt: its control tokens are to be
// parsed, and it may begin with BOS.
func (t *Tokenizer) Chat(messages []Message, opts ChatOptions) (string, error) {
	source := t.Template
	if len(opts.Tools) > 0 && t.ToolTemplate != "" {
		source = t.ToolTemplate
	}
	if source == "" {
		return "", ErrNoTemplate
	}
	vars, err := t.variables(messages, opts)
	if err != nil {
		return "", &TemplateError{err}
	}
	template, err := jinja.Parse(source)
	if err != nil {
		return "", &TemplateError{err}
	}
	now := opts.Now
	if now.IsZero() {
		now = time.Now()
	}
	text, err := template.Render(vars, now)
	if err != nil {
		return "", &TemplateError{err}
	}
	return text, nil
}

func (t *Tokenizer) variables(messages []Message, opts ChatOptions) (map[string]jinja.Value, error) {
	var err error
	vars := map[string]jinja.Value{"add_generation_prompt": opts.AddGenerationPrompt, "documents": nil, "tools": nil}
	for name, id := range map[string]model.Token{"bos_token": t.BOS, "eos_token": t.EOS, "pad_token": t.PAD} {
		if id != None {
			vars[name] = t.Piece(id)
		}
	}
	turns := &jinja.List{}
	for i, m := range messages {
		turn, err := m.dict()
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
		turns.Items = append(turns.Items, turn)
	}
	vars["messages"] = turns
	tools := &jinja.List{}
	for i, raw := range opts.Tools {
		tool, err := jinja.FromJSON(raw)
		if err != nil {
			return nil, fmt.Errorf("tool %d: %w", i, err)
		}
		tools.Items = append(tools.Items, tool)
	}
	if len(opts.Tools) > 0 {
		vars["tools"] = tools
	}
	if opts.EnableThinking != nil {
		vars["enable_thinking"] = *opts.EnableThinking
	}
	for name, v := range opts.Extra {
		if raw, ok := v.(json.RawMessage); ok {
			if v, err = jinja.FromJSON(raw); err != nil {
				return nil, fmt.Errorf("variable %s: %w", name, err)
			}
		}
		vars[name] = v
	}
	return vars, nil
}

func (m Message) dict() (*jinja.Dict, error) {
	d := jinja.NewDict()
	d.Set("role", m.Role)
	d.Set("content", m.Content)
	for _, o := range [][2]string{{"reasoning_content", m.ReasoningContent}, {"tool_call_id", m.ToolCallID}, {"name", m.Name}} {
		if o[1] != "" {
			d.Set(o[0], o[1])
		}
	}
	calls := &jinja.List{}
	for _, c := range m.ToolCalls {
		args, err := jinja.FromJSON(c.Arguments)
		if err != nil {
			return nil, fmt.Errorf("arguments of %q: %w", c.Name, err)
		}
		function, call := jinja.NewDict(), jinja.NewDict()
		function.Set("name", c.Name)
		function.Set("arguments", args)
		if c.ID != "" {
			call.Set("id", c.ID)
		}
		call.Set("type", "function")
		call.Set("function", function)
		calls.Items = append(calls.Items, call)
	}
	if len(calls.Items) > 0 {
		d.Set("tool_calls", calls)
	}
	return d, nil
}
