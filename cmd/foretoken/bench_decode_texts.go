package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"foretoken/experiments"
	"foretoken/experiments/bench/decode"
	"foretoken/experiments/parity"
	"foretoken/model"
	"foretoken/model/load"
)

// textsOf reads the prompt sets as the target is asked.
func (b decodeBench) textsOf(target *experiments.Opened) (texts []decode.Text, err error) {
	var sources []experiments.PromptSource
	for _, file := range b.prompts {
		sources = append(sources, experiments.PromptSource{File: file, Limit: b.texts})
	}
	prompts, _, err := experiments.LoadPrompts(sources, ".", load.Folder())
	if err != nil {
		return nil, badInput{err}
	}
	requests, err := parity.Encode(prompts, target.Tokenizer)
	if err != nil {
		return nil, badInput{err}
	}
	most := target.Model.Info().Context
	for _, r := range requests {
		if n := len(r.Prompt) + b.tokens; most > 0 && n >= most {
			return nil, wrong("bench: %s is of %d tokens and --tokens %d, want fewer than the context of %s, %d", r.ID, len(r.Prompt), b.tokens, b.name, most)
		}
		t := decode.Text{ID: r.ID, Domain: r.Domain, Prompt: r.Prompt, Said: writtenBy(target.Tokenizer, r.Prompt)}
		if b.llama != "" && !slices.Equal(target.Tokenizer.Encode(t.Said, true), t.Prompt) {
			return nil, wrong("bench: %s is not read from its own text, which llama.cpp is given: want another prompt", r.ID)
		}
		texts = append(texts, t)
	}
	return texts, nil
}

// writtenBy is tokens as a text that they are read from, control tokens by their names.
func writtenBy(t experiments.Tokenizer, tokens []model.Token) string {
	var b bytes.Buffer
	for _, x := range tokens {
		if t.Special(x) {
			b.WriteString(t.Piece(x))
		} else {
			b.Write(t.Bytes(x))
		}
	}
	return b.String()
}

func firstOfDomains(texts []decode.Text) (first []decode.Text) {
	for _, t := range texts {
		if !slices.ContainsFunc(first, func(f decode.Text) bool { return f.Domain == t.Domain }) {
			first = append(first, t)
		}
	}
	return first
}

// gguf is the one file that a model's name stands for, whatever the engine.
func gguf(name string) (string, error) {
	if engine, rest, ok := strings.Cut(name, ":"); ok && slices.Contains(load.Engines(), engine) {
		name = rest
	}
	path, err := load.Find(name)
	if err != nil {
		return "", badInput{fmt.Errorf("bench: no file that peers could read: %w", err)}
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		files, _ := filepath.Glob(filepath.Join(path, "*.gguf"))
		if len(files) != 1 {
			return "", wrong("bench: %s has %d GGUF files, want the one that peers shall read", path, len(files))
		}
		return files[0], nil
	}
	return path, nil
}
