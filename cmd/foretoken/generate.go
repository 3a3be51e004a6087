package main

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"foretoken/experiments"
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
pieces. What a --schema asks for and text cannot be held to is refused by name. It may
refer to the files in its folder. Some keywords allow fewer texts than the standard:
` + experiments.SchemaLimits + ".",
		Example: `  foretoken generate -m SmolLM2-135M-Instruct --chat "Name three rivers."
  foretoken generate -m SmolLM2-135M-Instruct --drafter ngram -k 4 --rounds < story.txt
  foretoken generate -m big.gguf --drafter model --draft-model small.gguf "def fib(n):"
  foretoken generate -m SmolLM2-135M-Instruct --chat --schema person.json "A person as JSON."
  foretoken generate -m qwen3 --chat --tools tools.json --template-arg enable_thinking=false --show-prompt "Is it raining?"`,
		RunE: func(c *cobra.Command, args []string) error {
			prompt, err := promptOf(args, a.in)
			if err != nil {
				return err
			}
			return g.run(c, a, prompt)
		},
	}
	f := c.Flags()
	f.StringVarP(&g.model, "model", "m", "embedded", "target: a folder, a GGUF file, or a name; embedded is within the program")
	g.drafter.add(f)
	f.IntVarP(&g.k, "k", "k", 4, "draft length, with a drafter")
	f.StringVar(&g.verifier, "verifier", "leviathan", "acceptance rule: "+strings.Join(verify.Names(), ", "))
	f.BoolVar(&g.stochastic, "stochastic", false, "allow a drafter at a temperature above 0")
	g.sampler.add(f)
	f.Uint64Var(&g.seed, "seed", sampler.DefaultSeed, "seed of every draw")
	f.IntVarP(&g.maxTokens, "max-tokens", "n", 128, "tokens at most; -1: as the context holds")
	f.StringArrayVar(&g.stop, "stop", nil, "text that ends the generation (repeatable)")
	f.StringArrayVar(&g.eos, "eos", nil, "control token that ends the text, by its text or id, instead of the model's own (repeatable)")
	f.BoolVar(&g.ignoreEOS, "ignore-eos", false, "go on to --max-tokens")
	g.prompt.add(f)
	g.output.add(f)
	f.BoolVar(&g.rounds, "rounds", false, "print every round to standard error")
	return c
}

// A generation is what the flags ask for.
type generation struct {
	model, verifier               string
	drafter                       drafterFlags
	k, maxTokens                  int
	stochastic, ignoreEOS, rounds bool
	prompt                        promptFlags
	sampler                       samplerFlags
	output                        outputFlags
	constraint                    experiments.Constraint
	seed                          uint64
	stop, eos                     []string
}

func (g *generation) run(c *cobra.Command, a app, prompt string) (err error) {
	request, setup, err := g.plan(c)
	if err != nil {
		return err
	}
	models := experiments.NewModels(a.open)
	defer func() { err = errors.Join(err, models.Close()) }()
	target, err := models.Get(g.model)
	if err != nil {
		return err
	}
	if err := request.Sampler.Within(target.Model.Info().Real); err != nil {
		return wrong("%s: %w", g.model, err)
	}
	if _, err := models.Attach(setup.Drafter, target); err != nil {
		return badInput{err}
	}
	setup.Target = target.Model
	if request.Prompt, err = g.prompt.encode(target.Tokenizer, prompt, a.err); err != nil {
		return badInput{err}
	}
	if most := target.Model.Info().Context; most > 0 && len(request.Prompt) >= most {
		return wrong("generate: prompt of %d tokens, want fewer than the context of %s, %d", len(request.Prompt), g.model, most)
	}
	constrainer, err := target.Constrainer(g.constraint)
	if err == nil {
		request.Engine, err = constrainer.Engine(request.Prompt)
	}
	if err == nil {
		err = experiments.Probe(setup, request.Sampler)
	}
	if err != nil {
		return badInput{err}
	}
	ends, err := g.ending(target, &request)
	if err != nil {
		return err
	}
	request.Text = target.Tokenizer.NewStream()
	request.Emit = func(chunk spec.Emission) error {
		_, err := io.WriteString(a.out, chunk.Text)
		return err
	}
	fmt.Fprint(a.err, flagLine(c)+"\n"+ends)
	result, err := spec.Generate(c.Context(), setup, request)
	if result.Finish == "" && len(result.Tokens) == 0 { // nothing came of it
		return err
	}
	return errors.Join(err, g.report(a, target, constrainer, request, result))
}

// report says on standard error what came of a request, and ends the text's line.
func (g *generation) report(a app, target *experiments.Opened, constrainer *experiments.Constrainer, request spec.Request, result spec.Result) (err error) {
	if len(result.Tokens) > 0 {
		fmt.Fprintln(a.out)
	}
	if g.rounds {
		err = results.RoundTable(result.Rounds).Text(a.err)
	}
	if request.TopLogprobs != nil {
		err = errors.Join(err, results.LogprobTable(result, target.Tokenizer.Piece).Text(a.err))
	}
	line := results.Describe(result)
	if len(result.Tokens) == 0 && result.Finish == spec.FinishStop {
		line += "; the text is empty: it began with a stop string"
	}
	n, open := constrainer.Reasoning(request.Prompt, result.Tokens)
	if n > 0 {
		line += fmt.Sprintf("; %d of the tokens are reasoning", n)
	}
	if open {
		line += "; it ended inside its thinking block"
	}
	_, e := fmt.Fprintln(a.err, line)
	return errors.Join(err, e)
}

// ending sets the tokens that end the text, and says them in a line.
func (g *generation) ending(target *experiments.Opened, request *spec.Request) (string, error) {
	request.StopTokens = target.StopTokens(g.stop)
	if g.ignoreEOS {
		return "", nil
	}
	ends, err := target.EndsOf(g.eos)
	if err != nil {
		return "", badInput{err}
	}
	request.EOS = experiments.EndTokens(ends)
	var said []string
	for _, e := range ends {
		said = append(said, fmt.Sprintf("%q (%d, of %s)", e.Text, e.ID, strings.Join(e.From, ", ")))
	}
	if len(said) == 0 {
		return "", nil
	}
	return "# ends at " + strings.Join(said, ", ") + "\n", nil
}

func promptOf(args []string, in io.Reader) (string, error) {
	if len(args) == 1 && args[0] != "-" {
		in = strings.NewReader(args[0])
	}
	data, err := io.ReadAll(in)
	switch {
	case err != nil:
	case len(data) == 0:
		err = wrong("generate: no prompt, neither an argument nor on standard input")
	case !utf8.Valid(data):
		err = wrong("generate: the prompt is not UTF-8 text")
	}
	return string(data), err
}

func closeModel(o *experiments.Opened, err *error) {
	if o.Close != nil {
		*err = errors.Join(*err, o.Close())
	}
}
