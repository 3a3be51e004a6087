package tokenizer

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func render(t *testing.T, template string, opts ChatOptions, messages ...Message) (string, error) {
	t.Helper()
	tok := openSmall(t, "bytelevel")
	tok.Template = template
	return tok.Chat(messages, opts)
}

func TestTemplates(t *testing.T) {
	hi := Message{Role: "user", Content: "Hi"}
	yes := true
	tool := json.RawMessage(`{"zeta": 1, "alpha": [1.0, 2.50, 1e-7, 1e16, -3], "mid": {"é": null, "b": "\u0001\"\\<'&\n"}}`)
	for _, c := range []struct {
		template string
		opts     ChatOptions
		want     string
	}{
		{"{% for m in messages %}\n  {{ m.role }}:{{ m['content'] }}\n{% endfor %}\nend", ChatOptions{}, "  user:Hi\nend"},
		{"  {% if true %}\n a {% if true %} b{{ 1 }} {% endif %}\n\t{# c #}\n  {{ '{% x' }} {%+ if true %}y{% endif %}\n  {% endif %}", ChatOptions{}, " a  b1   {% x y"},
		{"{% if add_generation_prompt %}go{% endif %}{% if tools is none %} no tools{% endif %}", ChatOptions{AddGenerationPrompt: true}, "go no tools"},
		{"{% if enable_thinking is defined %}told {{ enable_thinking }}{% else %}not told{% endif %}", ChatOptions{}, "not told"},
		{"{% if enable_thinking is defined %}told {{ enable_thinking }}{% else %}not told{% endif %}", ChatOptions{EnableThinking: &yes}, "told True"},
		{"{{ bos_token }}|{{ eos_token }}|{{ extra }}", ChatOptions{Extra: map[string]any{"extra": "x"}}, "<s>||x"},
		{"{{ extra }}", ChatOptions{Extra: map[string]any{"extra": json.RawMessage(`{"b": [1, null]}`)}}, "{'b': [1, None]}"},
		{"{% for t in tools %}{{ t | tojson }}{% endfor %}", ChatOptions{Tools: []json.RawMessage{tool}},
			`{"zeta": 1, "alpha": [1.0, 2.5, 1e-07, 1e+16, -3], "mid": {"é": null, "b": "\u0001\"\\<'&\n"}}`},
		{"{{ tools[0].mid | tojson(indent=2) }}", ChatOptions{Tools: []json.RawMessage{tool}}, "{\n  \"é\": null,\n  \"b\": \"\\u0001\\\"\\\\<'&\\n\"\n}"},
		{"{% for k, v in tools[0].items() %}{{ k }} {% endfor %}{{ tools[0].get('zeta') }}{{ tools[0].keys() | list | length }}", ChatOptions{Tools: []json.RawMessage{tool}}, "zeta alpha mid 13"},
		{"{% macro f(n) %}{{ n }}{% if n > 0 %},{{ f(n - 1) }}{% endif %}{% endmacro %}{{ f(50)[:8] }} {{ f(3) }}", ChatOptions{}, "50,49,48 3,2,1,0"},
		{"{% for i in range(3) %}{{ i }}{{ loop.last }}{% endfor %}{% for i in range(5, 1, -2) %} {{ i }}{% endfor %}{{ range(2, 2) | list | length }}", ChatOptions{}, "0False1False2True 5 30"},
	} {
		got, err := render(t, c.template, c.opts, hi)
		if err != nil || got != c.want {
			t.Errorf("%s:\n got %q, %v\nwant %q", c.template, got, err, c.want)
		}
	}
}

func TestTemplateErrors(t *testing.T) {
	hi := Message{Role: "user", Content: "Hi"}
	for _, c := range []struct{ template, want string }{
		{"{% for m in %}", ""},
		{"{{ raise_exception('roles must alternate') }}", "roles must alternate"},
		{"{% include '/etc/hostname' %}", ""},
		{"{{ messages | nofilter }}", "nofilter"},
		{"{% macro a() %}{{ a() }}{% endmacro %}{{ a() }}", "more than 100 calls"},
		{"{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ b() }}", "more than 100 calls"},
		{"{% for m in messages recursive %}{{ loop(messages) }}{% endfor %}", "more than 100 calls"},
		{"{% block a %}{{ self.a() }}{% endblock %}", "block"},
		{"{% include '/chat_template' %}", "include"},
		{"{% import '/chat_template' as x %}", "import"},
		{"{% for i in range(1000000000) %}x{% endfor %}", "more than"},
		{"{% for i in range(9999) %}{% for j in range(9999) %}x{% endfor %}{% endfor %}", "more than"},
		{"{{ " + strings.Repeat("(", 1<<16) + "1", "brackets"},
		{strings.Repeat("x", 1<<21), "bytes, want at most"},
	} {
		text, err := render(t, c.template, ChatOptions{}, hi)
		var e *TemplateError
		if !errors.As(err, &e) || text != "" || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %q, %v; want a TemplateError with %q", c.template, text, err, c.want)
		}
	}
	if _, err := render(t, "", ChatOptions{}, hi); !errors.Is(err, ErrNoTemplate) {
		t.Errorf("without a template: %v", err)
	}
	if _, err := render(t, "x", ChatOptions{Tools: []json.RawMessage{json.RawMessage(`{"a":1} 2`)}}, hi); err == nil {
		t.Error("a tool of two JSON values is taken")
	}
	if _, err := render(t, "x", ChatOptions{Extra: map[string]any{"extra": json.RawMessage("{")}}, hi); err == nil {
		t.Error("a variable that is no JSON is taken")
	}
	if _, err := render(t, "x", ChatOptions{}, Message{Role: "assistant", ToolCalls: []ToolCall{{Name: "f", Arguments: json.RawMessage(`{`)}}}); err == nil {
		t.Error("arguments that are no JSON are taken")
	}
}

// TestToolTemplate: where the files have a template for tools, it counts where there are
// tools, wherever the two were found.
func TestToolTemplate(t *testing.T) {
	named := map[string]string{"tokenizer.json": doc("", ""), "tokenizer_config.json": `{"chat_template":[{"name":"tool_use","template":"tools {{ tools[0].a }}"},{"name":"default","template":"plain"}]}`}
	listed, err := Open(folder(t, named))
	if err != nil {
		t.Fatal(err)
	}
	gguf, err := FromGGUF(map[string]any{
		"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "smollm", "tokenizer.ggml.tokens": []string{"a", "b", "ab"}, "tokenizer.ggml.merges": []string{"a b"},
		"tokenizer.chat_template": "plain", "tokenizer.chat_template.tool_use": "tools {{ tools[0].a }}",
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, tok := range []*Tokenizer{listed, gguf} {
		for want, tools := range map[string][]json.RawMessage{"plain": nil, "tools 5": {json.RawMessage(`{"a":5}`)}} {
			if got, err := tok.Chat(nil, ChatOptions{Tools: tools}); err != nil || got != want {
				t.Errorf("got %q, %v; want %q", got, err, want)
			}
		}
	}
}

// FuzzTemplate: any template is an error or text, never a panic.
func FuzzTemplate(f *testing.F) {
	for _, s := range []string{"{{ messages[0].content }}", "{% for m in messages %}{{ m.role }}{% endfor %}", "{% set x = namespace(a=1) %}{{ x.a }}", "{{ tools | tojson }}", "{% if a %}"} {
		f.Add(s)
	}
	tok := openSmall(f, "bytelevel")
	f.Fuzz(func(t *testing.T, template string) {
		own := &Tokenizer{raw: tok.raw, kind: tok.kind, Template: template, BOS: 0, EOS: 1, PAD: None}
		if text, err := own.Chat([]Message{{Role: "user", Content: "Hi"}}, ChatOptions{}); err != nil && text != "" {
			t.Fatalf("%q with %v", text, err)
		}
	})
}
