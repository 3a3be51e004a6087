package tokenizer

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nikolalohinski/gonja/v2/exec"
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
	Extra               map[string]any    // further variables, by name
}

// ErrNoTemplate is returned by Chat for a tokenizer without a chat template.
var ErrNoTemplate = errors.New("tokenizer: no chat template")

// A TemplateError is a chat template that does not parse or gives no text for these
// messages; a template says so itself when roles do not alternate, for example.
type TemplateError struct{ Err error }

func (e *TemplateError) Error() string { return "tokenizer: chat template: " + e.Err.Error() }
func (e *TemplateError) Unwrap() error { return e.Err }

// Chat renders messages by the template, as Python's Jinja2 does with trim_blocks
// and lstrip_blocks, but for what the library lacks: it refuses a condition within
// parentheses, "(a if b else c)", which Gemma's template has. The text is for Prompt: its control tokens are to be parsed,
// and it may begin with BOS.
func (t *Tokenizer) Chat(messages []Message, opts ChatOptions) (text string, err error) {
	if t.Template == "" {
		return "", ErrNoTemplate
	}
	defer func() {
		if r := recover(); r != nil { // the library panics on some templates
			text, err = "", &TemplateError{fmt.Errorf("%v", r)}
		}
	}()
	vars, err := t.variables(messages, opts)
	if err != nil {
		return "", &TemplateError{err}
	}
	var l limits
	tmpl, err := parseTemplate(t.Template, &l)
	if err != nil {
		if inner := errors.Unwrap(err); inner != nil {
			err = inner // the outer one repeats the whole template
		}
		return "", &TemplateError{err}
	}
	text, err = tmpl.ExecuteToString(exec.NewContext(vars))
	if err != nil {
		return "", &TemplateError{cmp.Or(l.err, err)}
	}
	return text, nil
}

func (t *Tokenizer) variables(messages []Message, opts ChatOptions) (map[string]any, error) {
	vars := map[string]any{
		"bos_token":             t.Piece(t.BOS),
		"eos_token":             t.Piece(t.EOS),
		"pad_token":             t.Piece(t.PAD),
		"add_generation_prompt": opts.AddGenerationPrompt,
	}
	var turns []any
	for i, m := range messages {
		turn, err := m.dict()
		if err != nil {
			return nil, fmt.Errorf("message %d: %w", i, err)
		}
		turns = append(turns, turn)
	}
	vars["messages"] = turns
	var tools []any
	for i, raw := range opts.Tools {
		tool, err := ordered(raw)
		if err != nil {
			return nil, fmt.Errorf("tool %d: %w", i, err)
		}
		tools = append(tools, tool)
	}
	if vars["tools"] = any(nil); len(tools) > 0 {
		vars["tools"] = tools
	}
	if opts.EnableThinking != nil {
		vars["enable_thinking"] = *opts.EnableThinking
	}
	for name, v := range opts.Extra {
		vars[name] = v
	}
	return vars, nil
}

func (m Message) dict() (*exec.Dict, error) {
	d := exec.NewDict()
	put(d, "role", m.Role)
	put(d, "content", m.Content)
	for _, o := range [][2]string{{"reasoning_content", m.ReasoningContent}, {"tool_call_id", m.ToolCallID}, {"name", m.Name}} {
		if o[1] != "" {
			put(d, o[0], o[1])
		}
	}
	var calls []any
	for _, c := range m.ToolCalls {
		args, err := ordered(c.Arguments)
		if err != nil {
			return nil, fmt.Errorf("arguments of %q: %w", c.Name, err)
		}
		function, call := exec.NewDict(), exec.NewDict()
		put(function, "name", c.Name)
		put(function, "arguments", args)
		if c.ID != "" {
			put(call, "id", c.ID)
		}
		put(call, "type", "function")
		put(call, "function", function)
		calls = append(calls, call)
	}
	if calls != nil {
		put(d, "tool_calls", calls)
	}
	return d, nil
}
