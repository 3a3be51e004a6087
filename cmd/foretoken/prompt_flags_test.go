package main

import (
	"path/filepath"
	"strings"
	"testing"

	"foretoken/open"
)

// TestShowPrompt: the prompt and its ids are said as the model sees them, with what the
// flags give to the template.
func TestShowPrompt(t *testing.T) {
	code, _, err := call(t, "", "generate", "-m", "toy", "-n", "1", "--show-prompt", "ab")
	if code != exitOK || !strings.Contains(err, "# prompt:\nab\n# its 2 ids: 97 98\n") {
		t.Errorf("exit %d, %s", code, err)
	}
	for _, c := range []struct{ arg, want string }{
		{"a=1", "<a>1"}, {"a=false", "<a>false"}, {"a=False", "<a>false"}, {"a=None", "<a>null"}, {"a=x=y", `<a>"x=y"`},
		{`a="1"`, `<a>"1"`}, {`a={"b": [1]}`, `<a>{"b": [1]}`}, {"a=", `<a>""`},
	} {
		code, _, err := call(t, "", "generate", "-m", "toy", "-n", "1", "--chat", "--show-prompt", "--template-arg", c.arg, "x")
		if code != exitOK || !strings.Contains(err, c.want+"<user>x\n") {
			t.Errorf("%s: exit %d, %s", c.arg, code, err)
		}
	}
}

func TestTools(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tools.json")
	put(t, file, `[{"b": 1, "a": 2}]`)
	code, _, err := call(t, "", "generate", "-m", "toy", "-n", "1", "--chat", "--show-prompt", "--tools", file, "x")
	if code != exitOK || !strings.Contains(err, `<tool>{"b": 1, "a": 2}<user>x`) {
		t.Errorf("exit %d, %s", code, err)
	}
	for _, bad := range []string{"", "{}", "[]", "[1]", "[null]", "[{}] 1"} {
		put(t, file, bad)
		if code, _, err := call(t, "", "generate", "-m", "toy", "--chat", "--tools", file, "x"); code != exitBadInput || !strings.Contains(err, "--tools "+file) {
			t.Errorf("%q: exit %d, %s", bad, code, err)
		}
	}
}

// TestEmbeddedTemplate: what the flags give reaches the template of a real tokenizer.
func TestEmbeddedTemplate(t *testing.T) {
	nowhere(t)
	code, _, err := callUntil(t.Context(), open.Model, "", "generate", "-n", "1", "--chat", "--system", "Be brief.", "--show-prompt",
		"--template-arg", "add_generation_prompt=false", "Hi")
	if code != exitOK || !strings.Contains(err, "Be brief.") || strings.Contains(err, "assistant\n# its") {
		t.Errorf("exit %d, %s", code, err)
	}
}
