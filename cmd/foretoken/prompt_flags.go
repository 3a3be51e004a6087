package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"foretoken/experiments"
	"foretoken/model"
)

// promptFlags say how a prompt becomes tokens.
type promptFlags struct {
	chat, show bool
	system     string
	tools      string
	args       []string
	flags      *pflag.FlagSet
	with       experiments.TemplateVariables // what resolve has read
}

func (p *promptFlags) add(f *pflag.FlagSet) {
	p.flags = f
	f.BoolVar(&p.chat, "chat", false, "send the prompt as a user's turn through the chat template")
	f.StringVar(&p.system, "system", "", "system text, with --chat")
	f.StringVar(&p.tools, "tools", "", "JSON list of the tools that the chat template is to offer, in this file, with --chat")
	f.StringArrayVar(&p.args, "template-arg", nil, "variable of the chat template, as name=value, with --chat; the value is JSON, or else a string (repeatable)")
	f.BoolVar(&p.show, "show-prompt", false, "print the prompt as the model sees it, and its ids, to standard error")
}

// resolve reads what the flags give to the chat template, or says what is wrong with
// them.
func (p *promptFlags) resolve() (err error) {
	for _, f := range []string{"system", "tools", "template-arg"} {
		if p.flags.Changed(f) && !p.chat {
			return wrong("generate: --%s needs --chat", f)
		}
	}
	if p.flags.Changed("tools") {
		if p.with.Tools, err = readTools(p.tools); err != nil {
			return err
		}
	}
	p.with.Named = map[string]json.RawMessage{}
	for _, arg := range p.args {
		name, value, ok := strings.Cut(arg, "=")
		_, twice := p.with.Named[name]
		switch {
		case !ok || name == "":
			return wrong("generate: --template-arg %q, want name=value", arg)
		case name == "messages" || name == "tools":
			return wrong("generate: --template-arg %s: it comes from the prompt and --tools", name)
		case twice:
			return wrong("generate: --template-arg %s is given twice", name)
		}
		p.with.Named[name] = jsonOrText(value)
	}
	return nil
}

// jsonOrText reads a value: JSON, or Python's words for what JSON has, or a string.
func jsonOrText(value string) json.RawMessage {
	switch value {
	case "True", "False":
		return json.RawMessage(strings.ToLower(value))
	case "None":
		return json.RawMessage("null")
	}
	if json.Valid([]byte(value)) {
		return json.RawMessage(value)
	}
	text, _ := json.Marshal(value)
	return text
}

func readTools(file string) ([]json.RawMessage, error) {
	if file == "" {
		return nil, wrong("generate: --tools is empty, want a file")
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, badInput{err}
	}
	var tools []json.RawMessage
	if err := json.Unmarshal(data, &tools); err != nil || len(tools) == 0 {
		return nil, wrong("generate: --tools %s: want a JSON list of tools (%v)", file, err)
	}
	for i, t := range tools {
		var object map[string]json.RawMessage
		if json.Unmarshal(t, &object) != nil || object == nil {
			return nil, wrong("generate: --tools %s: tool %d is no JSON object", file, i)
		}
	}
	return tools, nil
}

// encode makes the prompt's tokens, and says them on request.
func (p *promptFlags) encode(t experiments.Tokenizer, prompt string, to io.Writer) (ids []model.Token, err error) {
	text := prompt
	if p.chat {
		var turns []experiments.Message
		if p.system != "" {
			turns = append(turns, experiments.Message{Role: "system", Content: p.system})
		}
		if text, err = t.Render(append(turns, experiments.Message{Role: "user", Content: prompt}), p.with); err != nil {
			return nil, err
		}
	}
	ids = t.Prompt(text)
	if p.show {
		_, err = fmt.Fprintf(to, "# prompt:\n%s\n# its %d ids: %s\n", text, len(ids), strings.Join(decimals(ids), " "))
	}
	return ids, err
}

func decimals(ids []model.Token) []string {
	var all []string
	for _, id := range ids {
		all = append(all, fmt.Sprint(id))
	}
	return all
}
