package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"foretoken/experiments"
	"foretoken/experiments/bench"
	"foretoken/model"
	"foretoken/model/tokenizer"
)

// qwenVocabulary is the logits of a row of Qwen3's models, and qwenEOS what ends a text.
const (
	qwenVocabulary = 151936
	qwenEOS        = "<|im_end|>"
)

func benchMasksCommand(a app) *cobra.Command {
	var o bench.MaskOptions
	var out string
	c := &cobra.Command{
		Use:   "masks TOKENIZER",
		Short: "Time the masks of JSON schemas beside xgrammar and llguidance",
		Long: `Time the vocabulary, the engine of a schema and the mask before every token of a text,
beside xgrammar and llguidance where --python has them, case by case in turns. TOKENIZER
is the folder of Qwen3's tokenizer. The cases are BFCL's functions and documents about
them, from bfcl-eval, which --python must have.`,
		Example: `  foretoken bench masks models/tokenizers/qwen3 --python .venv/bin/python --out results/kept/masks`,
		RunE: func(c *cobra.Command, args []string) error {
			if o.Cases < 1 || o.Rounds < 1 {
				return wrong("bench: --cases %d and --rounds %d, want at least 1", o.Cases, o.Rounds)
			}
			if err := programs(map[string]string{"python": o.Python}); err != nil {
				return err
			}
			self, err := os.Executable()
			if err != nil {
				return err
			}
			o.Self = func(cases string) []string { return []string{self, "bench", "masks-worker", args[0], cases} }
			o.Tokenizer = filepath.Join(args[0], "tokenizer.json")
			if _, err := os.Stat(o.Tokenizer); err != nil {
				return err
			}
			if out != "" { // before the work, not after it
				if err := os.MkdirAll(out, 0o755); err != nil {
					return err
				}
			}
			run, err := bench.TimeMasks(c.Context(), o)
			if err != nil {
				return err
			}
			t := run.Table(experiments.HostLine())
			if err := t.Text(a.out); err != nil || out == "" {
				return err
			}
			return writeTable(a, t, out, "masks")
		},
	}
	f := c.Flags()
	f.StringVar(&o.Python, "python", "python3", "a Python with bfcl-eval and tokenizers, and xgrammar, llguidance or both")
	f.IntVar(&o.Cases, "cases", 32, "functions; documents are a fourth")
	f.IntVar(&o.Rounds, "rounds", 3, "interleaved rounds")
	f.StringVar(&out, "out", "", "also write the table into this folder, as text and Markdown")
	return c
}

// benchMasksWorkerCommand is this program as a peer of bench masks.
func benchMasksWorkerCommand(a app) *cobra.Command {
	return &cobra.Command{Use: "masks-worker TOKENIZER CASES", Hidden: true,
		RunE: func(_ *cobra.Command, args []string) error {
			t, err := tokenizer.Open(args[0])
			if err != nil {
				return err
			}
			end, ok := t.ID(qwenEOS)
			if !ok || t.Vocab() > qwenVocabulary {
				return wrong("%s: %d tokens, %s among them: %v; want Qwen3's", args[0], t.Vocab(), qwenEOS, ok)
			}
			return bench.WorkMasks(a.in, a.out, args[1], func() ([][]byte, []model.Token) {
				words := make([][]byte, qwenVocabulary)
				for i := range t.Vocab() {
					if x := model.Token(i); !t.Special(x) {
						words[i] = t.Bytes(x)
					}
				}
				return words, []model.Token{end}
			})
		}}
}
