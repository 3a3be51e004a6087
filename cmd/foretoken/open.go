package main

import (
	"fmt"
	"os"
	"sync"

	"foretoken/experiments"
	"foretoken/model"
	"foretoken/model/load"
	"foretoken/model/tokenizer"
	"foretoken/results"
	"foretoken/spec"
)

// warned has the warnings that were printed: of two models on one engine, once.
var warned sync.Map

// openModel opens a model for the harness, which knows no backend.
func openModel(ref string) (*experiments.Opened, error) {
	l, err := load.Open(ref)
	if err != nil {
		return nil, err
	}
	for _, w := range l.Warnings {
		if _, again := warned.LoadOrStore(w.Error(), true); !again {
			fmt.Fprintln(os.Stderr, "warning: "+w.Error())
		}
	}
	return &experiments.Opened{Name: l.Name, Model: l.Model, Tokenizer: words{l.Tokenizer}, Ends: ends(l.Ends), Close: l.Close, Head: l.Head}, nil
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
	turns := make([]tokenizer.Message, len(messages))
	for i, m := range messages {
		turns[i] = tokenizer.Message{Role: m.Role, Content: m.Content}
	}
	text, err := w.Tokenizer.Chat(turns, tokenizer.ChatOptions{AddGenerationPrompt: true})
	if err != nil {
		return nil, err
	}
	return w.Prompt(text), nil
}

func (w words) NewStream() spec.TextStream { return w.Tokenizer.NewStream() }
