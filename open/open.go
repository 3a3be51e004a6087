// Package open opens models for experiments and for programs of one's own: experiments knows
// no backend, and this is where the two meet.
package open

import (
	"sync"

	"foretoken/experiments"
	"foretoken/model"
	"foretoken/model/load"
	"foretoken/model/tokenizer"
	"foretoken/results"
	"foretoken/spec"
)

// Model opens a model by what a config calls it: a folder, a GGUF file, or a name, after an
// engine and a colon if it is not ref's. See load.Open. Doubts about the engine are dropped.
func Model(ref string) (*experiments.Opened, error) { return Warning(nil)(ref) }

// Warning is Model for who wants to hear the doubts: warn is called with each, of several
// models on one engine once. nil hears nothing.
func Warning(warn func(error)) experiments.Opener { return With(load.Options{}, warn) }

// With is Warning with choices of the engines: where MLX is, its device, and more.
func With(o load.Options, warn func(error)) experiments.Opener {
	var warned sync.Map
	return func(ref string) (*experiments.Opened, error) {
		l, err := o.Open(ref)
		if err != nil {
			return nil, err
		}
		for _, w := range l.Warnings {
			if _, again := warned.LoadOrStore(w.Error(), true); !again && warn != nil {
				warn(w)
			}
		}
		return opened(l), nil
	}
}

func opened(l *load.Loaded) *experiments.Opened {
	return &experiments.Opened{Name: l.Name, Model: l.Model, Tokenizer: words{l.Tokenizer}, Ends: ends(l.Ends), Close: l.Close, Head: l.Head}
}

func ends(of []load.End) []results.End {
	var out []results.End
	for _, e := range of {
		out = append(out, results.End{ID: e.Token, Text: e.Text, From: e.From})
	}
	return out
}

// words is a tokenizer as the harness asks for it.
type words struct{ *tokenizer.Tokenizer }

// Chat renders and encodes, the assistant's turn opened.
func (w words) Chat(messages []experiments.Message) ([]model.Token, error) {
	text, err := w.Render(messages, experiments.TemplateVariables{})
	if err != nil {
		return nil, err
	}
	return w.Prompt(text), nil
}

// Render implements experiments.Tokenizer.
func (w words) Render(messages []experiments.Message, with experiments.TemplateVariables) (string, error) {
	turns := make([]tokenizer.Message, len(messages))
	for i, m := range messages {
		turns[i] = tokenizer.Message{Role: m.Role, Content: m.Content}
	}
	named := map[string]any{}
	for name, v := range with.Named {
		named[name] = v
	}
	return w.Tokenizer.Chat(turns, tokenizer.ChatOptions{AddGenerationPrompt: true, Tools: with.Tools, Extra: named})
}

// NewStream implements experiments.Tokenizer.
func (w words) NewStream() spec.TextStream { return w.Tokenizer.NewStream() }
