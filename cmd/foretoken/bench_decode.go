package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"foretoken/draft"
	"foretoken/experiments"
	"foretoken/experiments/bench/decode"
	"foretoken/model"
	"foretoken/model/load"
	"foretoken/results"
	"foretoken/results/plot"
	"foretoken/spec"
)

func benchDecodeCommand(a app) *cobra.Command {
	var b decodeBench
	c := &cobra.Command{
		Use:   "decode MODEL",
		Short: "Time decoding, verifying and prefill beside llama.cpp, on the same weights",
		Long: `Time a token, a forward of 5 and of 9 rows, prefill, and speculative decoding of a
few texts, and beside them llama.cpp's on the same GGUF file, in interleaved rounds of
one run. --llama names the folder of llama-bench, llama-lookup and
llama-speculative-simple; without it this program is timed alone.`,
		Example: `  foretoken bench decode SmolLM2-135M-Instruct
  foretoken bench decode SmolLM2-135M-Instruct --draft-model my-draft.gguf --llama ~/llama.cpp/build/bin --out results/reference-decode`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return b.run(c, a, args[0]) },
	}
	f := c.Flags()
	f.StringVar(&b.draft, "draft-model", "", "second model, for speculation")
	f.IntVarP(&b.k, "k", "k", 2, "draft length of the second model, and of llama.cpp's")
	f.StringVar(&b.llama, "llama", "", "folder of llama.cpp's programs")
	f.IntVar(&b.threads, "threads", runtime.GOMAXPROCS(0), "threads of llama.cpp")
	f.IntVar(&b.rounds, "rounds", 7, "interleaved rounds")
	f.IntVar(&b.context, "context", 200, "tokens of text before what is timed")
	f.IntVar(&b.prefill, "prefill", 256, "tokens of the prompt that prefill is timed on")
	f.IntVar(&b.tokens, "tokens", 64, "tokens of each text at most")
	f.StringArrayVar(&b.texts, "text", texts, "beginning of a text for speculation (repeatable)")
	f.StringVar(&b.out, "out", "", "also write samples, table and picture into this folder")
	return c
}

type decodeBench struct {
	draft, llama, out                            string
	k, threads, rounds, context, prefill, tokens int
	texts                                        []string
}

func (b decodeBench) run(c *cobra.Command, a app, name string) (err error) {
	if min(b.k, b.threads, b.rounds, b.context, b.prefill, b.tokens) < 1 {
		return wrong("bench: -k, --threads, --rounds, --context, --prefill and --tokens: want at least 1 each")
	}
	target, err := a.open(name)
	if err != nil {
		return err
	}
	defer closeModel(target, &err)
	if most := target.Model.Info().Context; most > 0 && max(b.prefill, b.context)+decode.Decode+9 > most {
		return wrong("bench: --context %d and --prefill %d, want both below the context of %s, %d", b.context, b.prefill, name, most)
	}
	ours, closed, err := decode.Ours("foretoken", target.Model, b.context, b.prefill)
	if err != nil {
		return err
	}
	defer closed()
	arms := []decode.Arm{ours}
	var notes []string
	if b.llama != "" {
		arms, notes, err = b.peers(name, arms)
		if err != nil {
			return err
		}
	}
	if arms, err = b.speculation(a, target, arms); err != nil {
		return err
	}
	if b.out != "" { // before the work, not after it
		if err := os.MkdirAll(b.out, 0o755); err != nil {
			return err
		}
	}
	fmt.Fprintln(a.err, flagLine(c))
	samples, err := decode.Run(c.Context(), arms, b.rounds, 1)
	if err != nil {
		return err
	}
	path, _ := load.Reference()
	notes = append(notes, path, fmt.Sprintf("%d rounds; %d tokens before what is timed; texts of up to %d tokens, drafts of %d", b.rounds, b.context, b.tokens, b.k))
	cs := decode.Compare(arms, samples)
	return b.write(a, decode.Table(name, arms, cs, append(notes, experiments.HostLine())...), samples, decodePicture(name, cs))
}

// peers adds llama.cpp on the file that the model's name stands for.
func (b decodeBench) peers(name string, arms []decode.Arm) ([]decode.Arm, []string, error) {
	file, err := gguf(name)
	if err != nil {
		return nil, nil, err
	}
	l := decode.Llama{Folder: b.llama, Threads: b.threads}
	if missing := l.Missing("llama-bench"); missing != nil {
		return nil, nil, wrong("bench: --llama %s: no llama-bench there", b.llama)
	}
	arms = append(arms, l.Arm(file, b.context, b.prefill))
	missing := l.Missing("llama-lookup", "llama-speculative-simple")
	if !slices.Contains(missing, "llama-lookup") {
		arms = append(arms, l.Texts("llama.cpp, lookup", "llama-lookup", file, b.texts, b.tokens, "--spec-draft-n-max", strconv.Itoa(b.k)))
	}
	if b.draft != "" && !slices.Contains(missing, "llama-speculative-simple") {
		draft, err := gguf(b.draft)
		if err != nil {
			return nil, nil, err
		}
		arms = append(arms, l.Texts("llama.cpp, draft model", "llama-speculative-simple", file, b.texts, b.tokens, "-md", draft, "-td", strconv.Itoa(b.threads),
			"--spec-type", "draft-simple", "--spec-draft-n-max", strconv.Itoa(b.k)))
	}
	var notes []string
	if missing != nil {
		notes = append(notes, "not here: "+strings.Join(missing, ", "))
	}
	return arms, notes, nil
}

// gguf is the one file that a model's name stands for.
func gguf(name string) (string, error) {
	path, err := load.Find(name)
	if err != nil {
		return "", badInput{err}
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		files, _ := filepath.Glob(filepath.Join(path, "*.gguf"))
		if len(files) != 1 {
			return "", wrong("bench: %s has %d GGUF files, want the one that llama.cpp shall read", path, len(files))
		}
		return files[0], nil
	}
	return path, nil
}

// speculation puts this program's arms on texts before those of others.
func (b decodeBench) speculation(a app, target *experiments.Opened, arms []decode.Arm) ([]decode.Arm, error) {
	var prompts [][]model.Token
	for _, text := range b.texts {
		prompts = append(prompts, target.Tokenizer.Prompt(text))
	}
	setup := spec.Setup{Target: target.Model, Drafter: "none", Verifier: "leviathan"}
	own := []decode.Arm{decode.OnTexts("foretoken, plain", setup, prompts, target.EOS, 0, b.tokens)}
	setup.Drafter = "ngram"
	own = append(own, decode.OnTexts("foretoken, ngram", setup, prompts, target.EOS, b.k, b.tokens))
	if b.draft != "" {
		drafter, err := a.open(b.draft)
		if err != nil {
			return nil, err
		}
		if err := experiments.ComparePair(target.Tokenizer, drafter.Tokenizer); err != nil {
			return nil, badInput{err}
		}
		setup.Drafter, setup.Draft = "model", draft.Options{Model: drafter.Model}
		own = append(own, decode.OnTexts("foretoken, draft model", setup, prompts, target.EOS, b.k, b.tokens))
	}
	return append(own, arms...), nil
}

func (b decodeBench) write(a app, t results.Table, samples []decode.Sample, picture plot.Matrix) error {
	if err := t.Text(a.out); err != nil || b.out == "" {
		return err
	}
	text, err := json.MarshalIndent(samples, "", " ")
	if err == nil {
		err = results.WriteFile(filepath.Join(b.out, "samples.json"), append(text, '\n'))
	}
	if err == nil {
		err = writeTable(a, t, b.out, "decode")
	}
	if err == nil {
		_, err = plot.WriteMatrix(b.out, picture)
	}
	return err
}

// decodePicture has an arm a row and a task a column: blue is slower than the first
// arm of the task in every round, vermilion faster.
func decodePicture(name string, cs []decode.Comparison) plot.Matrix {
	m := plot.Matrix{Name: "decode", Title: "Decoding with " + name, Note: "milliseconds, and times the first arm of the column; blue: slower than it in every round, vermilion: faster in every round"}
	for _, c := range cs {
		if !slices.Contains(m.Rows, c.Arm) {
			m.Rows = append(m.Rows, c.Arm)
		}
		if !slices.Contains(m.Columns, c.Task) {
			m.Columns = append(m.Columns, c.Task)
		}
	}
	for range m.Rows {
		m.Cells = append(m.Cells, make([]plot.Cell, len(m.Columns)))
	}
	for _, c := range cs {
		cell := plot.Cell{Text: fmt.Sprintf("%.2f (%.2fx)", c.MS, c.First.Value)}
		switch {
		case c.First.Low > 1:
			cell.Tone = plot.Good
		case c.First.High < 1:
			cell.Tone = plot.Bad
		}
		m.Cells[slices.Index(m.Rows, c.Arm)][slices.Index(m.Columns, c.Task)] = cell
	}
	return m
}
