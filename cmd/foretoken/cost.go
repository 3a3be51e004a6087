package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"foretoken/experiments"
	"foretoken/experiments/cost"
	"foretoken/model"
)

// texts are what agreement is measured along, where none is given: five and more, so that
// there is an interval.
var texts = []string{
	"def fibonacci(n):\n    \"\"\"Return the first n Fibonacci numbers as a list.\"\"\"\n",
	"Once upon a time, in a village by the sea, there lived an old clockmaker who",
	"The three largest rivers of the world are the Nile, the Amazon and the",
	"{\"name\": \"Ada\", \"age\": 36, \"languages\": [\"",
	"To bake a simple loaf of bread, first mix the flour with",
	"Dear Sir or Madam,\n\nI am writing to you because",
}

func costCommand(a app) *cobra.Command {
	var q costRequest
	c := &cobra.Command{
		Use:   "cost MODEL",
		Short: "Measure what verifying n rows costs, and whether a pair would pay",
		Long: `Measure the verify-cost curve t(1..N) of a model on its engine: what a forward of n
rows costs. With a draft, a second model or the target's own first layers, its cost
is measured too, and how often the two agree on short texts; the expected speed-up
of every draft length and a verdict follow, before anything is run. There is no
verdict where noise could turn it.`,
		Example: `  foretoken cost SmolLM2-135M-Instruct
  foretoken cost mlx:SmolLM2-135M-Instruct --draft-model mlx:my-draft.gguf
  foretoken cost SmolLM2-135M-Instruct --layers 20 --acceptance 0.8`,
		RunE: func(c *cobra.Command, args []string) error {
			return q.run(c, a, args[0])
		},
	}
	f := c.Flags()
	f.StringVar(&q.draft, "draft-model", "", "second model of a pair")
	f.IntVar(&q.layers, "layers", 0, "first layers of the model, as its draft")
	f.IntVarP(&q.rows, "rows", "n", 16, "rows at most")
	f.IntVar(&q.context, "context", 256, "tokens of text before the rows")
	f.IntVar(&q.repeats, "repeats", 15, "measurements of each n")
	f.Float64Var(&q.acceptance, "acceptance", -1, "chance that a draft token is kept, in [0, 1], instead of measuring it")
	f.IntVar(&q.tokens, "tokens", 32, "tokens of each text that agreement is measured on")
	f.StringArrayVar(&q.texts, "text", texts, "beginning of a text that agreement is measured on (repeatable)")
	return c
}

type costRequest struct {
	draft                                  string
	layers, rows, context, repeats, tokens int
	acceptance                             float64
	texts                                  []string
}

func (q costRequest) check() error {
	switch {
	case q.rows < 2 || q.rows > 256:
		return wrong("cost: --rows %d, want 2 to 256", q.rows)
	case q.repeats < 1 || q.context < 1 || q.tokens < 1:
		return wrong("cost: --repeats, --context and --tokens: want at least 1 each")
	case q.draft != "" && q.layers != 0:
		return wrong("cost: --draft-model and --layers exclude each other")
	case q.acceptance != -1 && !(q.acceptance >= 0 && q.acceptance <= 1):
		return wrong("cost: --acceptance %v, want 0 to 1", q.acceptance)
	case q.acceptance != -1 && q.draft == "" && q.layers == 0:
		return wrong("cost: --acceptance is of a pair: want --draft-model or --layers")
	}
	return nil
}

func (q costRequest) run(c *cobra.Command, a app, ref string) (err error) {
	if err := q.check(); err != nil {
		return err
	}
	target, err := a.open(ref)
	if err != nil {
		return err
	}
	defer closeModel(target, &err)
	draft, err := q.openDraft(a, target)
	if err != nil {
		return err
	}
	if most := target.Model.Info().Context; most > 0 && q.context+q.rows > most {
		return wrong("cost: --context %d and --rows %d, want at most %d in all, the context of %s", q.context, q.rows, most, ref)
	}
	prompts, err := q.prompts(target)
	if err != nil {
		return err
	}
	fmt.Fprintln(a.err, flagLine(c))
	fmt.Fprintln(a.err, "# "+experiments.HostLine())
	curve, err := cost.Measure(c.Context(), target.Model, draft, q.rows, q.context, q.repeats)
	if err != nil {
		return err
	}
	fmt.Fprintln(a.err, "# after it: "+experiments.HostLine())
	if err := curve.Table(ref).Text(a.out); err != nil || draft == nil {
		return err
	}
	agreement := cost.Agreement{Given: q.acceptance}
	if q.acceptance == -1 {
		if agreement, err = cost.Agree(c.Context(), target.Model, draft, prompts, q.tokens); err != nil {
			return err
		}
	}
	forecasts := cost.Forecasts(curve, agreement)
	if err := cost.Table(curve, agreement, forecasts).Text(a.out); err != nil {
		return err
	}
	_, err = fmt.Fprintln(a.out, cost.Verdict(curve, forecasts))
	return err
}

// prompts are the texts as ids, with room behind each.
func (q costRequest) prompts(target *experiments.Opened) (prompts [][]model.Token, err error) {
	for _, text := range q.texts {
		p := target.Tokenizer.Prompt(text)
		if len(p) == 0 {
			return nil, wrong("cost: --text %q, want some text", text)
		}
		if most := target.Model.Info().Context; most > 0 && len(p)+q.tokens > most {
			return nil, wrong("cost: --tokens %d behind a text of %d, want at most %d in all, the context of %s", q.tokens, len(p), most, target.Name)
		}
		prompts = append(prompts, p)
	}
	return prompts, nil
}

// openDraft is the draft of the pair, nil where there is none. A second model is
// closed with the target.
func (q costRequest) openDraft(a app, target *experiments.Opened) (model.Model, error) {
	switch {
	case q.layers != 0:
		skipper, ok := model.As[model.LayerSkipper](target.Model)
		if !ok {
			return nil, wrong("cost: --layers: the first layers of %s are no model", target.Name)
		}
		if most := target.Model.Info().Layers; q.layers < 0 || q.layers >= most {
			return nil, wrong("cost: --layers %d, want at least 1 and fewer than %d, the layers of %s", q.layers, most, target.Name)
		}
		m, err := skipper.FirstLayers(q.layers)
		if err != nil {
			return nil, badInput{err}
		}
		return m, nil
	case q.draft != "":
		d, err := a.open(q.draft)
		if err != nil {
			return nil, err
		}
		also := target.Close
		target.Close = func() error {
			var errs []error
			for _, f := range []func() error{d.Close, also} {
				if f != nil {
					errs = append(errs, f())
				}
			}
			return errors.Join(errs...)
		}
		if err := experiments.ComparePair(target.Tokenizer, d.Tokenizer); err != nil {
			return nil, badInput{err}
		}
		return d.Model, nil
	}
	return nil, nil
}
