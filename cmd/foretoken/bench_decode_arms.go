package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"foretoken/draft"
	"foretoken/experiments"
	"foretoken/experiments/bench/decode"
	"foretoken/experiments/parity"
	"foretoken/model"
	"foretoken/model/load"
	"foretoken/sampler"
	"foretoken/spec"
)

// decodeSetup is a bench that is being prepared.
type decodeSetup struct {
	decodeBench
	app    app
	target *experiments.Opened
	texts  []decode.Text
	plain  decode.Speculator
	arms   []decode.Arm
	notes  []string
	closes []func() error

	// What peers read and run.
	file, draftFile string
	ways            []decode.Way
	missing         []string // programs of llama.cpp
}

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

// own adds this program's arms on texts.
func (s *decodeSetup) own() error {
	base := spec.Setup{Target: s.target.Model}
	s.plain = decode.Speculator{Setup: base, EOS: experiments.EndTokens(s.target.Ends), Tokens: s.tokens}
	s.arms = append(s.arms, s.plain.Arm("foretoken, plain", s.texts))
	base.Drafter = &draft.Ngram{}
	if err := s.drafting("ngram", base, s.ngramK); err != nil {
		return err
	}
	if s.draft != "" {
		drafter, err := s.app.open(s.draft)
		if err != nil {
			return err
		}
		if drafter.Close != nil {
			s.closes = append(s.closes, drafter.Close)
		}
		if err := experiments.ComparePair(s.target.Tokenizer, drafter.Tokenizer); err != nil {
			return badInput{err}
		}
		base.Drafter = &draft.Model{Draft: draft.ModelRef{Name: s.draft, Model: drafter.Model}}
		if err := s.drafting("draft model", base, s.draftK); err != nil {
			return err
		}
	}
	if s.head != "" {
		head, err := s.target.OpenHead(s.head)
		if err != nil {
			return badInput{err}
		}
		base.Drafter = &draft.Eagle{Head: draft.HeadRef{Name: s.head, Head: head}}
		return s.drafting("head", base, s.headK)
	}
	return nil
}

func (s *decodeSetup) drafting(name string, setup spec.Setup, lengths []int) error {
	if err := experiments.Probe(setup, sampler.NewConfig(0)); err != nil {
		return badInput{err}
	}
	for _, k := range lengths {
		with := s.plain
		with.Setup, with.K = setup, k
		s.arms = append(s.arms, with.Arm(fmt.Sprintf("foretoken, %s, K=%d", name, k), s.texts))
	}
	return nil
}

// time decodes the texts plainly, which is what all are held to, adds the peers and
// times everything.
func (s *decodeSetup) time(ctx context.Context, plan decode.Plan) ([]decode.Sample, error) {
	err := s.plain.Want(ctx, s.texts, func(tokens []model.Token) string {
		if n := len(tokens); n > 0 && slices.Contains(s.plain.EOS, tokens[n-1]) {
			tokens = tokens[:n-1] // not every peer writes it
		}
		return writtenBy(s.target.Tokenizer, tokens)
	})
	if err != nil {
		return nil, err
	}
	alone, closed, err := decode.Ours("foretoken", s.target.Model, s.context, s.prefill)
	if err != nil {
		return nil, err
	}
	s.closes = append(s.closes, closed)
	s.arms = append(s.arms, alone)
	if s.app.self != "" {
		s.arms = append(s.arms, decode.Starting("foretoken", true, nil, s.app.self, "generate", "-m", s.name, "-n", "1", "--ignore-eos", "Once"))
	}
	peers, err := s.peers(ctx, plan)
	if err != nil {
		return nil, err
	}
	s.arms = append(s.arms, peers...)
	return decode.Run(ctx, s.arms, plan)
}

func (s *decodeSetup) peers(ctx context.Context, plan decode.Plan) (arms []decode.Arm, err error) {
	if s.llama == "" && s.python == "" {
		s.notes = append(s.notes, "no peers: --llama and --python name them")
		return nil, nil
	}
	if s.llama != "" {
		if arms, err = s.llamaArms(ctx, plan); err != nil {
			return nil, err
		}
	} else {
		s.notes = append(s.notes, "llama.cpp: not named by --llama")
	}
	for _, library := range []string{"mlx-lm", "transformers"} {
		if s.python == "" {
			s.notes = append(s.notes, library+": not installed, --python names none")
			continue
		}
		p := decode.StartPython(ctx, s.python, s.script, library, s.file, s.app.err)
		s.closes = append(s.closes, p.Close)
		if p.Absent != "" {
			s.notes = append(s.notes, library+": not installed here: "+p.Absent)
			continue
		}
		s.notes = append(s.notes, p.Name+": the GGUF's weights, dequantised; plain decoding alone")
		arms = append(arms, p.Arm(s.target.Model.Info().Real, s.context, s.prefill))
	}
	return arms, nil
}

// find looks for what peers read and run, before anything is written.
func (s *decodeSetup) find() (err error) {
	if s.llama == "" && s.python == "" {
		return nil
	}
	if s.file, err = gguf(s.name); err != nil || s.llama == "" {
		return err
	}
	if s.draft != "" {
		if s.draftFile, err = gguf(s.draft); err != nil {
			return err
		}
	}
	if s.ways, s.missing = decode.Ways(s.llama, s.draftFile); len(s.ways) == 0 {
		return wrong("bench: --llama %s: no llama-lookup there", s.llama)
	}
	return nil
}

// llamaArms has llama.cpp at its best settings.
func (s *decodeSetup) llamaArms(ctx context.Context, plan decode.Plan) (arms []decode.Arm, err error) {
	fmt.Fprintln(s.app.err, "# short runs for llama.cpp's best settings")
	t := decode.Tuning{Llama: decode.Llama{Folder: s.llama, Model: s.file}, Texts: firstOfDomains(s.texts), Tokens: min(s.tokens, 24), Threads: s.llamaThreads, K: s.llamaK}
	l, best, err := t.Settle(ctx, s.ways, plan)
	if err != nil {
		return nil, err
	}
	for _, w := range best {
		arms = append(arms, l.Texts(w.String(), w, s.texts, s.tokens))
	}
	s.notes = append(s.notes, fmt.Sprintf("llama.cpp: %d threads, of %v tried; draft lengths the best of %v, each in a short run on a text a domain", l.Threads, s.llamaThreads, s.llamaK))
	arms = append(arms, decode.Starting("llama.cpp", false, l.Env(), filepath.Join(s.llama, "llama-lookup"), "-m", s.file, "-t", strconv.Itoa(l.Threads), "-c", "2048", "--temp", "0", "-n", "1", "--spec-draft-n-max", "0", "-p", "Once"))
	if _, err := os.Stat(filepath.Join(s.llama, "llama-bench")); err == nil {
		arms = append(arms, l.Arm("llama.cpp", s.context, s.prefill))
	} else {
		s.missing = append(s.missing, "llama-bench")
	}
	if s.missing != nil {
		s.notes = append(s.notes, "llama.cpp: not here: "+strings.Join(s.missing, ", "))
	}
	return arms, nil
}

func firstOfDomains(texts []decode.Text) (first []decode.Text) {
	for _, t := range texts {
		if !slices.ContainsFunc(first, func(f decode.Text) bool { return f.Domain == t.Domain }) {
			first = append(first, t)
		}
	}
	return first
}

func (s *decodeSetup) close() (err error) {
	for _, c := range slices.Backward(s.closes) {
		err = errors.Join(err, c())
	}
	return err
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
