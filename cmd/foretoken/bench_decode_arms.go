package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"foretoken/draft"
	"foretoken/experiments"
	"foretoken/experiments/bench/decode"
	"foretoken/model"
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

func (s *decodeSetup) close() (err error) {
	for _, c := range slices.Backward(s.closes) {
		err = errors.Join(err, c())
	}
	return err
}
