package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"foretoken/experiments"
	"foretoken/experiments/bench/decode"
	"foretoken/model/load"
	"foretoken/results"
	"foretoken/results/plot"
)

func benchDecodeCommand(a app) *cobra.Command {
	var b decodeBench
	c := &cobra.Command{
		Use:   "decode MODEL",
		Short: "Time decoding, verifying and prefill beside llama.cpp, mlx-lm and transformers, on the same weights",
		Long: `Time greedy decoding of texts of every domain, plainly and with each drafter, and of
the model on its own a token, a forward of 5 and of 9 rows, prefill and a process's
start; beside them peers on the same GGUF file, in interleaved rounds of one run.

--llama names the folder of llama-bench, llama-lookup and llama-speculative-simple. In
short runs before the others the threads are found at which it decodes fastest, and the
draft length of its lookup and of its own speculation with --draft-model.
--python names a Python that has mlx-lm, transformers with torch, or both; 'make peers'
makes one. They decode plainly, from the same weights dequantised.
A peer that is not there is named under the table.

Every text of this program's arms is held to its own plain decoding, token by token. A
peer's is held to it letter by letter: its rounding is another, and where it departs it
goes on with a text of its own, of as many tokens; times are a token's.

With --out samples are written as they come: Ctrl-C leaves a run that --resume takes up.`,
		Example: `  foretoken bench decode SmolLM2-135M-Instruct --texts 1 --tokens 16 --rounds 1 --text-rounds 1      a quick look
  foretoken bench decode SmolLM2-135M-Instruct --draft-model model/drafters/smollm2-two-model/model.gguf \
    --head model/drafters/smollm2-eagle --llama ~/llama.cpp/build/bin --python .venv/bin/python --out results/decode`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			b.name = args[0]
			return b.run(c, a)
		},
	}
	f := c.Flags()
	f.StringArrayVar(&b.prompts, "prompts", []string{"prompts/humaneval.jsonl", "embedded:chat.jsonl", "embedded:story.jsonl", "embedded:summarise.jsonl", "embedded:json.jsonl"},
		"prompt set: a file, also one among the models, or embedded:NAME (repeatable)")
	f.IntVar(&b.texts, "texts", 3, "texts of each domain")
	f.IntVar(&b.tokens, "tokens", 48, "tokens of a text at most")
	f.IntVar(&b.textRounds, "text-rounds", 2, "interleaved rounds of the texts")
	f.IntSliceVar(&b.ngramK, "ngram-k", []int{2}, "draft lengths of the n-gram lookup")
	f.StringVar(&b.draft, "draft-model", "", "second model, ours and llama.cpp's")
	f.IntSliceVar(&b.draftK, "draft-k", []int{2}, "draft lengths of the second model")
	f.StringVar(&b.head, "head", "", "EAGLE head: its folder or a name")
	f.IntSliceVar(&b.headK, "head-k", []int{2, 3}, "draft lengths of the head")
	f.StringVar(&b.llama, "llama", "", "folder of llama.cpp's programs")
	f.IntSliceVar(&b.llamaThreads, "llama-threads", decode.Threads(), "threads to try for llama.cpp")
	f.IntSliceVar(&b.llamaK, "llama-k", []int{2, 4, 8}, "draft lengths to try for llama.cpp")
	f.StringVar(&b.python, "python", "", "a Python with mlx-lm or transformers")
	f.StringVar(&b.script, "peers", "scripts/decode_peers.py", "what --python runs")
	f.IntVar(&b.rounds, "rounds", 3, "interleaved rounds of the model on its own")
	f.IntVar(&b.context, "context", 200, "tokens before what is timed of the model on its own")
	f.IntVar(&b.prefill, "prefill", 256, "tokens of the prompt that prefill is timed on")
	f.StringVar(&b.out, "out", "", "also write samples, tables and pictures into this folder, over those that are there")
	f.BoolVar(&b.resume, "resume", false, "take up the run in --out that was broken off")
	return c
}

// decodeBench is what the flags say.
type decodeBench struct {
	name, draft, head, llama, python, script, out       string
	prompts                                             []string
	texts, tokens, textRounds, rounds, context, prefill int
	ngramK, draftK, headK, llamaThreads, llamaK         []int
	resume                                              bool
}

func (b decodeBench) check() error {
	for _, n := range []struct {
		flag   string
		values []int
	}{{"texts", []int{b.texts}}, {"tokens", []int{b.tokens}}, {"text-rounds", []int{b.textRounds}}, {"rounds", []int{b.rounds}}, {"context", []int{b.context}}, {"prefill", []int{b.prefill}},
		{"ngram-k", b.ngramK}, {"draft-k", b.draftK}, {"head-k", b.headK}, {"llama-threads", b.llamaThreads}, {"llama-k", b.llamaK}} {
		if len(n.values) == 0 {
			return wrong("bench: --%s is empty, want numbers of at least 1", n.flag)
		}
		for i, v := range n.values {
			if v < 1 {
				return wrong("bench: --%s %d, want at least 1", n.flag, v)
			}
			if slices.Contains(n.values[:i], v) {
				return wrong("bench: --%s has %d twice, want each once", n.flag, v)
			}
		}
	}
	if b.resume && b.out == "" {
		return wrong("bench: --resume without --out, want the folder of the run")
	}
	return programs(map[string]string{"python": b.python})
}

func (b decodeBench) run(c *cobra.Command, a app) (err error) {
	if err := b.check(); err != nil {
		return err
	}
	target, err := a.open(b.name)
	if err != nil {
		return err
	}
	defer closeModel(target, &err)
	if most := target.Model.Info().Context; most > 0 && max(b.prefill, b.context)+decode.Decode+9 > most {
		return wrong("bench: --context %d and --prefill %d, want both below the context of %s, %d", b.context, b.prefill, b.name, most)
	}
	texts, err := b.textsOf(target)
	if err != nil {
		return err
	}
	s := decodeSetup{decodeBench: b, app: a, target: target, texts: texts}
	defer func() { err = errors.Join(err, s.close()) }()
	if err := s.own(); err != nil {
		return err
	}
	if err := s.find(); err != nil {
		return err
	}
	store, closed, err := s.store(c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closed()) }()
	fmt.Fprintln(a.err, flagLine(c))
	plan := decode.Plan{Rounds: b.rounds, TextRounds: b.textRounds, Seed: 1, Store: store, Progress: experiments.NewProgress(a.err, isTerminal(a.err))}
	samples, err := s.time(c.Context(), plan)
	if err != nil {
		if b.out != "" && errors.Is(err, context.Canceled) {
			fmt.Fprintln(a.err, "take it up again: the same command with --resume")
		}
		return err
	}
	return s.write(samples)
}

// store keeps samples in --out, or nowhere.
func (s *decodeSetup) store(c *cobra.Command) (decode.Store, func() error, error) {
	if s.out == "" {
		return decode.Memory{}, func() error { return nil }, nil
	}
	revision, _ := experiments.Build()
	h := decode.Header{Bench: "decode", Settings: map[string]string{"model": s.name}, Host: experiments.HostLine(), Revision: revision}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		switch f.Name {
		case "out", "resume", "help", "llama", "python", "peers": // where things are on a machine is not what they are
		default:
			h.Settings["--"+f.Name] = f.Value.String()
		}
	})
	open := decode.Create
	if s.resume {
		open = decode.Resume
	}
	d, err := open(s.out, h)
	if err != nil {
		return nil, nil, badInput{err}
	}
	if d.Begun.Revision != revision {
		s.notes = append(s.notes, fmt.Sprintf("begun at revision %q and taken up at %q", d.Begun.Revision, revision))
	}
	return d, d.Close, nil
}

// write prints the tables, and keeps them with their pictures in --out.
func (s *decodeSetup) write(samples []decode.Sample) error {
	path, _ := load.Reference()
	about := append(s.notes, path, experiments.HostLine())
	onTexts := decode.CompareTexts(s.arms, s.texts, samples)
	alone := decode.Compare(s.arms, samples)
	tables := []results.Table{
		onTexts.Table(s.name, append([]string{fmt.Sprintf("%d rounds; up to %d tokens of each of %d texts, up to %d a domain", s.textRounds, s.tokens, len(s.texts), s.decodeBench.texts)}, about...)...),
		decode.Table(s.name, s.arms, alone, append([]string{fmt.Sprintf("%d rounds; %d tokens before what is timed", s.rounds, s.context)}, about...)...),
	}
	for i, t := range tables {
		if i > 0 {
			fmt.Fprintln(s.app.out)
		}
		if err := t.Text(s.app.out); err != nil {
			return err
		}
		if s.out == "" {
			continue
		}
		if err := writeTable(s.app, t, s.out, t.Name); err != nil {
			return err
		}
	}
	if s.out == "" {
		return nil
	}
	fmt.Fprintln(s.app.err, "wrote "+filepath.Join(s.out, decode.File))
	for _, m := range []plot.Matrix{textPicture(s.name, onTexts), decodePicture(s.name, alone)} {
		paths, err := plot.WriteMatrix(s.out, m)
		if err != nil {
			return err
		}
		for _, path := range paths {
			fmt.Fprintln(s.app.err, "wrote "+path)
		}
	}
	return nil
}
