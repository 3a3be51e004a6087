package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"foretoken/draft"
	"foretoken/experiments"
	"foretoken/model"
	"foretoken/results"
	"foretoken/sampler"
	"foretoken/spec"
	"foretoken/verify"
)

func generateCommand(a app) *cobra.Command {
	var g generation
	c := &cobra.Command{
		Use:   "generate [PROMPT]",
		Short: "Generate text as it comes, with speculation on request",
		Long: `Generate text from a prompt, which is the argument or standard input. Text goes to
standard output as it is decided; with a drafter it is the same text, in larger
pieces.`,
		Example: `  foretoken generate -m SmolLM2-135M-Instruct --chat "Name three rivers."
  foretoken generate -m SmolLM2-135M-Instruct --drafter ngram -k 4 --rounds < story.txt
  foretoken generate -m big.gguf --drafter model --draft-model small.gguf "def fib(n):"`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			prompt, err := promptOf(args, a.in)
			if err != nil {
				return err
			}
			fmt.Fprintln(a.err, flagLine(c))
			return g.run(c, a, prompt)
		},
	}
	f := c.Flags()
	f.StringVarP(&g.model, "model", "m", "embedded", "target: a folder, a GGUF file, or a name; embedded is within the program")
	f.StringVar(&g.drafter, "drafter", "none", "what guesses ahead: "+drafterNames())
	f.StringVar(&g.draftModel, "draft-model", "", "second model of the drafter model")
	f.StringVar(&g.head, "head", "", "head of the drafter eagle: its folder or a name")
	f.IntVar(&g.options.Layers, "layers", 0, "layers of the drafter layerskip")
	f.IntVar(&g.options.MinN, "min-n", 0, "shortest match of the drafter ngram (default its own)")
	f.IntVar(&g.options.MaxN, "max-n", 0, "longest match of the drafter ngram (default its own)")
	f.IntVarP(&g.k, "k", "k", 4, "draft length, with a drafter")
	f.StringVar(&g.verifier, "verifier", "leviathan", "acceptance rule: "+strings.Join(verify.Names(), ", "))
	f.BoolVar(&g.stochastic, "stochastic", false, "allow a drafter at a temperature above 0")
	g.sampler.add(f)
	f.Uint64Var(&g.seed, "seed", sampler.DefaultSeed, "seed of every draw")
	f.IntVarP(&g.maxTokens, "max-tokens", "n", 128, "tokens at most; -1: as the context holds")
	f.StringArrayVar(&g.stop, "stop", nil, "text that ends the generation (repeatable)")
	f.BoolVar(&g.ignoreEOS, "ignore-eos", false, "go on to --max-tokens")
	f.BoolVar(&g.chat, "chat", false, "send the prompt as a user's turn through the chat template")
	f.StringVar(&g.system, "system", "", "system text, with --chat")
	f.BoolVar(&g.rounds, "rounds", false, "print every round to standard error")
	return c
}

// A generation is what the flags ask for.
type generation struct {
	model, drafter, draftModel, head, verifier string
	options                                    draft.Options
	k, maxTokens                               int
	stochastic, ignoreEOS, chat, rounds        bool
	sampler                                    samplerFlags
	seed                                       uint64
	stop                                       []string
	system                                     string
}

func (g *generation) run(c *cobra.Command, a app, prompt string) (err error) {
	request, setup, err := g.plan(c)
	if err != nil {
		return err
	}
	target, err := a.open(g.model)
	if err != nil {
		return fmt.Errorf("%s: %w", g.model, err)
	}
	defer closeModel(target, &err)
	if g.draftModel != "" {
		drafter, err := a.open(g.draftModel)
		if err != nil {
			return fmt.Errorf("%s: %w", g.draftModel, err)
		}
		defer closeModel(drafter, &err)
		if err := experiments.ComparePair(target.Tokenizer, drafter.Tokenizer); err != nil {
			return badInput{err}
		}
		setup.Draft.Model = drafter.Model
	}
	if g.head != "" {
		if setup.Draft.Head, err = target.OpenHead(g.head); err != nil {
			return badInput{err}
		}
	}
	setup.Target = target.Model
	if request.Prompt, err = g.encode(target.Tokenizer, prompt); err != nil {
		return badInput{err}
	}
	if most := target.Model.Info().Context; most > 0 && len(request.Prompt) >= most {
		return wrong("generate: prompt of %d tokens, want fewer than the context of %s, %d", len(request.Prompt), g.model, most)
	}
	if err := experiments.Probe(setup, request.Sampler); err != nil {
		return badInput{err}
	}
	if !g.ignoreEOS {
		request.EOS = target.EOS
	}
	request.Text = target.Tokenizer.NewStream()
	request.Emit = func(chunk spec.Chunk) error {
		_, err := io.WriteString(a.out, chunk.Text)
		return err
	}
	result, err := spec.Generate(c.Context(), setup, request)
	if len(result.Tokens) > 0 {
		fmt.Fprintln(a.out)
		if g.rounds {
			err = errors.Join(err, results.RoundTable(result.Rounds).Text(a.err))
		}
		fmt.Fprintln(a.err, results.Describe(result))
	}
	return err
}

// plan refuses flags that do not go together.
func (g *generation) plan(c *cobra.Command) (spec.Request, spec.Setup, error) {
	var q spec.Request
	config, err := g.sampler.resolve()
	setup := spec.Setup{Drafter: g.drafter, Draft: g.options, Verifier: g.verifier}
	if g.stochastic {
		setup.Policy = verify.Stochastic
	}
	k := g.k
	switch {
	case err != nil:
		return q, setup, err
	case !slices.Contains(draft.Names(), g.drafter):
		return q, setup, wrong("generate: no drafter %q, want one of %s", g.drafter, drafterNames())
	case !slices.Contains(verify.Names(), g.verifier):
		return q, setup, wrong("generate: no rule %q, want one of %s", g.verifier, strings.Join(verify.Names(), ", "))
	case g.maxTokens == 0 || g.maxTokens < -1:
		return q, setup, wrong("generate: max tokens %d, want at least 1, or -1 for as many as the context holds", g.maxTokens)
	case g.model == "":
		return q, setup, wrong("generate: --model is missing: a folder, a GGUF file, or a name")
	case g.drafter == "none" && c.Flags().Changed("k") && g.k != 0:
		return q, setup, wrong("generate: -k %d is of no use without --drafter (%s)", g.k, drafterNames())
	case g.drafter == "none":
		k = 0
	case g.drafter != "none" && g.k < 1:
		return q, setup, wrong("generate: -k %d, want at least 1 with --drafter %s", g.k, g.drafter)
	}
	switch {
	case (g.drafter == "model") != (g.draftModel != ""):
		return q, setup, wrong("generate: --drafter model and --draft-model go together")
	case (g.drafter == "eagle") != (g.head != ""):
		return q, setup, wrong("generate: --drafter eagle and --head go together")
	case slices.Contains(g.stop, ""):
		return q, setup, wrong("generate: --stop is empty, want text")
	case g.system != "" && !g.chat:
		return q, setup, wrong("generate: --system needs --chat")
	case config.Temperature > 0 && g.drafter != "none" && !g.stochastic:
		return q, setup, wrong("generate: --temperature %v with a drafter needs --stochastic; greedy speculation (temperature 0) is the default", config.Temperature)
	}
	return spec.Request{K: k, MaxTokens: g.maxTokens, Sampler: config, Seed: g.seed, Stop: g.stop}, setup, nil
}

func (g *generation) encode(t experiments.Tokenizer, prompt string) ([]model.Token, error) {
	if !g.chat {
		return t.Prompt(prompt), nil
	}
	var turns []experiments.Message
	if g.system != "" {
		turns = append(turns, experiments.Message{Role: "system", Content: g.system})
	}
	return t.Chat(append(turns, experiments.Message{Role: "user", Content: prompt}))
}

func promptOf(args []string, in io.Reader) (string, error) {
	if len(args) == 1 && args[0] != "-" {
		in = strings.NewReader(args[0])
	}
	data, err := io.ReadAll(in)
	if err == nil && len(data) == 0 {
		err = wrong("generate: no prompt, neither an argument nor on standard input")
	}
	return string(data), err
}

func closeModel(o *experiments.Opened, err *error) {
	if o.Close != nil {
		*err = errors.Join(*err, o.Close())
	}
}
