package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"foretoken/experiments"
)

func checkPairCommand(a app) *cobra.Command {
	return &cobra.Command{
		Use:   "check-pair TARGET DRAFT",
		Short: "Say whether two models can draft for each other",
		Long: `Compare the vocabularies of two models piece by piece and name the first token that
differs. Sizes say nothing: two of one size may differ in thousands of ids. Padding
at the end is allowed. The exit status is 1 where they differ.`,
		Example: `  foretoken check-pair SmolLM2-135M-Instruct my-draft.gguf`,
		RunE: func(c *cobra.Command, args []string) (err error) {
			var pair [2]*experiments.Opened
			for i, ref := range args {
				if pair[i], err = a.open(ref); err != nil {
					return err
				}
				defer closeModel(pair[i], &err)
			}
			fmt.Fprintln(a.err, flagLine(c))
			for i, ref := range args {
				info := pair[i].Model.Info()
				fmt.Fprintf(a.out, "%-6s %s: %d words, %d logits, %d layers, context %d, %.1f M parameters\n",
					[]string{"target", "draft"}[i], ref, pair[i].Tokenizer.Vocab(), info.Vocab, info.Layers, info.Context, float64(info.Parameters)/1e6)
			}
			if err := experiments.ComparePair(pair[0].Tokenizer, pair[1].Tokenizer); err != nil {
				return err
			}
			if t, d := pair[0].Model.Info().Context, pair[1].Model.Info().Context; d > 0 && (t == 0 || d < t) {
				fmt.Fprintf(a.out, "note: the draft holds %d positions, the target more: it drafts no further than that\n", d)
			}
			if sizes := pair[0].Tokenizer.Vocab() - pair[1].Tokenizer.Vocab(); sizes != 0 {
				fmt.Fprintf(a.out, "note: the draft lacks the target's last %d words, and never proposes them\n", sizes)
			}
			_, err = fmt.Fprintln(a.out, "the vocabularies agree: the draft can draft for the target")
			return err
		},
	}
}
