package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"foretoken/experiments"
	"foretoken/experiments/parity"
	"foretoken/model/load"
)

func parityCommand(a app) *cobra.Command {
	var p parityFlags
	c := &cobra.Command{
		Use:   "parity CONFIG",
		Short: "Compare engines with mlx-lm, token by token and logit by logit",
		Long: `Run the same prompts through mlx-lm and through each engine, drafter, draft length
and prefill split of a config, and print a matrix: equal, near-tie or defect. Greedy
text is held against mlx-lm's, drafts of a second model against its own speculation,
and sampled text against its sampler's, drawn with the numbers of MLX's key. The exit
status is 1 where there is a defect.

The file of --out is written after each prompt, and --resume goes on from it.

'make mlx' makes the Python that mlx-lm runs in.`,
		Example: `  foretoken parity experiments/parity/smollm2.yaml
  foretoken parity experiments/parity/smollm2.yaml --limit 1 --max-tokens 16
  foretoken parity experiments/parity/smollm2.yaml --out parity.json --resume`,
		RunE: func(c *cobra.Command, args []string) error { return p.run(c, a, args[0]) },
	}
	f := c.Flags()
	f.StringVarP(&p.out, "out", "o", "", "file for the facts, as JSON; the matrix is drawn beside it, and the tables written")
	f.BoolVar(&p.resume, "resume", false, "go on from the file of --out, if it is there")
	p.change.add(f)
	return c
}

type parityFlags struct {
	change parityChange
	out    string
	resume bool
}

// A parityChange is what flags change of a config.
type parityChange struct {
	limit, maxTokens int
	python           string
}

func (p *parityChange) add(f *pflag.FlagSet) {
	f.StringVar(&p.python, "python", "", "Python that has mlx-lm (default the config's)")
	f.IntVar(&p.limit, "limit", 0, "prompts of each domain of each set (default the config's)")
	f.IntVar(&p.maxTokens, "max-tokens", 0, "tokens per prompt (default the config's)")
}

// load reads a config and changes it.
func (p *parityChange) load(command, file string) (parity.Config, error) {
	config, err := parity.Load(file)
	switch {
	case err != nil:
		return config, badInput{err}
	case p.limit < 0:
		return config, wrong("%s: --limit %d, want at least 1", command, p.limit)
	case p.maxTokens < 0:
		return config, wrong("%s: --max-tokens %d, want at least 1", command, p.maxTokens)
	}
	for i := range config.Prompts {
		if p.limit > 0 {
			config.Prompts[i].Limit = p.limit
		}
	}
	if p.maxTokens > 0 {
		config.MaxTokens = p.maxTokens
	}
	if p.python != "" {
		config.Reference.Python = p.python
	}
	return config, nil
}

func (p *parityFlags) run(c *cobra.Command, a app, file string) error {
	config, err := p.change.load("parity", file)
	if err != nil {
		return err
	}
	if p.resume && p.out == "" {
		return wrong("parity: --resume, want --out, the file to go on from")
	}
	var found parity.Report
	if p.out != "" { // before the work, not after it
		if err := canWrite(p.out, file); err != nil {
			return err
		}
	}
	if p.resume {
		if found, err = readParity(p.out); err != nil {
			return err
		}
	}
	report, err := runParity(c, a, config, file, found, p.out)
	if err != nil {
		return err
	}
	for _, t := range report.Tables() {
		if err := t.Text(a.out); err != nil {
			return err
		}
	}
	if p.out != "" {
		paths, err := writeParity(p.out, report)
		if err != nil {
			return err
		}
		for _, path := range paths {
			fmt.Fprintln(a.out, "wrote "+path)
		}
	}
	if n := report.Defects(); n > 0 {
		return fmt.Errorf("parity: %d defects", n)
	}
	return nil
}

// A meeting is mlx-lm and engines, opened to be compared on prompts.
type meeting struct {
	bridge   *parity.Bridge
	made     parity.Made
	cells    []parity.Cell
	requests []parity.Request
	close    func() error
}

// meet opens what a config names. file is where it stands.
func meet(c *cobra.Command, a app, config parity.Config, file string) (m meeting, err error) {
	path, err := load.Find(config.Reference.Model)
	if err != nil {
		return m, err
	}
	draft := ""
	if config.Reference.Draft != "" {
		if draft, err = load.Find(config.Reference.Draft); err != nil {
			return m, err
		}
	}
	prompts, _, err := experiments.LoadPrompts(config.Prompts, filepath.Dir(file), load.Folder())
	if err != nil {
		return m, err
	}
	var first *experiments.Opened
	models := experiments.NewModels(a.open)
	m.close = models.Close
	m.cells, first, err = config.Cells(models)
	if err == nil {
		m.requests, err = parity.Encode(prompts, first.Tokenizer)
	}
	if err == nil {
		err = parity.CheckRoom(m.cells, m.requests, config.MaxTokens)
	}
	if err != nil {
		return m, errors.Join(badInput{err}, m.close())
	}
	if m.bridge, err = parity.Start(c.Context(), config.Reference, path, draft, a.err); err != nil {
		return m, errors.Join(err, m.close())
	}
	m.close = func() error { return errors.Join(m.bridge.Close(), models.Close()) }
	fmt.Fprintln(a.err, flagLine(c))
	m.made.Revision, _ = experiments.Build()
	m.made.Peer = fmt.Sprintf("mlx-lm %s, MLX %s on %s, BLAS %s", m.bridge.About.MLXLM, m.bridge.About.MLX, m.bridge.About.Device, m.bridge.About.BLAS)
	fmt.Fprintln(a.err, "# "+m.made.Peer)
	if slices.ContainsFunc(config.Engines, func(ref string) bool { return strings.HasPrefix(ref, "mlx") }) {
		about, _ := a.engines.About()
		m.made.MLX = "here " + about
		fmt.Fprintln(a.err, "# "+m.made.MLX)
	}
	return m, nil
}

// runParity writes what it found to out, where that is a file, after each prompt.
func runParity(c *cobra.Command, a app, config parity.Config, file string, found parity.Report, out string) (report parity.Report, err error) {
	m, err := meet(c, a, config, file)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, m.close()) }()
	run := parity.Comparison{Config: config, Made: m.made, Peer: m.bridge, Cells: m.cells, Requests: m.requests, Noise: a.noise,
		Say: func(s string) { fmt.Fprintln(a.err, s) }, Found: found}
	if out != "" {
		run.Save = func(r parity.Report) error { return saveParity(out, r) }
	}
	return run.Run(c.Context())
}

// noise is MLX's, whatever the engine that draws with it.
func (a app) noise(seed uint64) (parity.Noise, error) {
	n, err := a.engines.Noise(seed)
	if err != nil {
		return nil, err
	}
	return n, nil
}

// beside are the endings of what is written beside the facts.
var beside = []string{".md", ".svg", ".png"}
