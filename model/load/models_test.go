//go:build models

package load_test

import (
	"slices"
	"testing"

	"foretoken/model"
	"foretoken/model/load"
	"foretoken/model/modeltest"
)

// TestSmolLM2 finds the real model by name and completes a sentence with it.
func TestSmolLM2(t *testing.T) {
	t.Setenv("FORETOKEN_MODELS", modeltest.Real(t))
	l, err := load.Open(modeltest.SmolLM2Name)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	info := l.Model.Info()
	if l.Name != modeltest.SmolLM2Name || info.Real != 49152 || info.Vocab != 49152 || !slices.ContainsFunc(l.Ends, func(e load.End) bool { return e.Token == 2 }) {
		t.Errorf("name %q, end-of-sequence ids %v, %+v", l.Name, l.Ends, info)
	}
	s, err := l.Model.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	next := l.Tokenizer.Prompt("The capital of France is")
	var text []model.Token
	for range 2 {
		logits, err := s.Forward(next, 1)
		if err != nil {
			t.Fatal(err)
		}
		best, err := logits.Argmaxes()
		if err != nil {
			t.Fatal(err)
		}
		next = []model.Token{best[0]}
		text = append(text, best[0])
	}
	if got, want := l.Tokenizer.Decode(text, true), " Paris."; got != want {
		t.Errorf("the model says %q, want %q", got, want)
	}
}
