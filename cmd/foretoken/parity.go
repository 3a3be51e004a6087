package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"foretoken/experiments"
	"foretoken/experiments/parity"
	"foretoken/model/load"
	"foretoken/results"
	"foretoken/results/plot"
)

func parityCommand(a app) *cobra.Command {
	var out, python string
	var limit, maxTokens int
	var resume bool
	c := &cobra.Command{
		Use:   "parity CONFIG",
		Short: "Compare engines with mlx-lm, token by token and logit by logit",
		Long: `Run the same prompts through mlx-lm and through each engine, drafter, draft length
and prefill split of a config, and print a matrix: equal, near-tie or defect. Greedy
text is held against mlx-lm's, drafts of a second model against its own speculation,
and sampled text against its sampler's, drawn with the numbers of MLX's key. The exit
status is 1 where there is a defect.

What --out names is written after each prompt, and --resume goes on from it.

'make mlx' makes the Python that mlx-lm runs in.`,
		Example: `  foretoken parity experiments/parity/smollm2.yaml
  foretoken parity experiments/parity/smollm2.yaml --limit 1 --max-tokens 16
  foretoken parity experiments/parity/smollm2.yaml --out parity.json --resume`,
		RunE: func(c *cobra.Command, args []string) (err error) {
			config, err := parity.Load(args[0])
			if err != nil {
				return badInput{err}
			}
			switch {
			case limit < 0:
				return wrong("parity: --limit %d, want at least 1", limit)
			case maxTokens < 0:
				return wrong("parity: --max-tokens %d, want at least 1", maxTokens)
			case resume && out == "":
				return wrong("parity: --resume, want --out, the file to go on from")
			}
			for i := range config.Prompts {
				if limit > 0 {
					config.Prompts[i].Limit = limit
				}
			}
			if maxTokens > 0 {
				config.MaxTokens = maxTokens
			}
			if python != "" {
				config.Reference.Python = python
			}
			if out != "" { // before the work, not after it
				if err := canWrite(out, args[0]); err != nil {
					return err
				}
			}
			var found parity.Report
			if resume {
				if found, err = readParity(out); err != nil {
					return err
				}
			}
			report, err := runParity(c, a, config, args[0], found, out)
			if err != nil {
				return err
			}
			for _, t := range report.Tables() {
				if err := t.Text(a.out); err != nil {
					return err
				}
			}
			if out != "" {
				paths, err := writeParity(out, report)
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
		},
	}
	f := c.Flags()
	f.StringVarP(&out, "out", "o", "", "file for the facts, as JSON; the matrix is drawn beside it, and the tables written")
	f.BoolVar(&resume, "resume", false, "go on from what --out holds, if it is there")
	f.StringVar(&python, "python", "", "Python that has mlx-lm, instead of the config's")
	f.IntVar(&limit, "limit", 0, "prompts of each domain of each set, instead of the config's")
	f.IntVar(&maxTokens, "max-tokens", 0, "tokens a prompt, instead of the config's")
	return c
}

// readParity is what an earlier run wrote, or nothing where none did.
func readParity(path string) (r parity.Report, err error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return r, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		return r, wrong("parity: %s: %v; want what foretoken parity wrote", path, err)
	}
	return r, nil
}

// saveParity writes the facts alone.
func saveParity(path string, r parity.Report) error {
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return results.WriteFile(path, append(data, '\n'))
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
		about, _ := load.MLX()
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
	run := parity.Comparison{Config: config, Made: m.made, Peer: m.bridge, Cells: m.cells, Requests: m.requests, Noise: noise,
		Say: func(s string) { fmt.Fprintln(a.err, s) }, Found: found}
	if out != "" {
		run.Save = func(r parity.Report) error { return saveParity(out, r) }
	}
	return run.Run(c.Context())
}

// noise is MLX's, whatever the engine that draws with it.
func noise(seed uint64) (parity.Noise, error) {
	n, err := load.MLXNoise(seed)
	if err != nil {
		return nil, err
	}
	return n, nil
}

// writeParity writes the facts to path, and beside them the tables and the picture.
func writeParity(path string, r parity.Report) (paths []string, err error) {
	if err := saveParity(path, r); err != nil {
		return nil, err
	}
	var text bytes.Buffer
	for _, t := range r.Tables() {
		if err := t.Markdown(&text); err != nil {
			return nil, err
		}
	}
	stem := strings.TrimSuffix(path, filepath.Ext(path))
	if err := results.WriteFile(stem+".md", text.Bytes()); err != nil {
		return nil, err
	}
	paths = []string{path, stem + ".md"}
	pictures, err := plot.WriteMatrix(filepath.Dir(path), parityMatrix(filepath.Base(stem), r))
	return append(paths, pictures...), err
}

// parityMatrix is the picture of a report.
func parityMatrix(name string, r parity.Report) plot.Matrix {
	m := plot.Matrix{Name: name, Title: "Parity with mlx-lm", Columns: r.Domains(),
		Note: fmt.Sprintf("prompts whose %d tokens are mlx-lm's / prompts; ~: the others diverge at a near-tie; !: defects", r.Config.MaxTokens)}
	for _, c := range r.Cells {
		m.Rows = append(m.Rows, c.Label())
		var cells []plot.Cell
		for _, d := range m.Columns {
			s := c.Score(d)
			cell := plot.Cell{Text: fmt.Sprintf("%d / %d", s.Equal, s.Equal+s.NearTie+s.Defect), Tone: plot.Good}
			switch {
			case s.Defect > 0:
				cell.Text, cell.Tone = cell.Text+" !", plot.Bad
			case s.NearTie > 0:
				cell.Text += " ~"
			}
			cells = append(cells, cell)
		}
		m.Cells = append(m.Cells, cells)
	}
	return m
}

// beside are the endings of what is written beside the facts.
var beside = []string{".md", ".svg", ".png"}

// canWrite refuses a path that no file of facts can be written to, or that would be written
// over: by what stands beside it, or where it is the config.
func canWrite(path, config string) error {
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return wrong("%s is a folder, want a file", path)
	}
	if own, ownErr := os.Stat(config); err == nil && ownErr == nil && os.SameFile(info, own) {
		return wrong("%s is the config, want another file", path)
	}
	if slices.Contains(beside, filepath.Ext(path)) {
		return wrong("%s: %s is written beside the facts, want a file for JSON", path, filepath.Ext(path))
	}
	folder := filepath.Dir(path)
	if info, err := os.Stat(folder); err == nil && !info.IsDir() {
		return wrong("%s is no folder, want one for %s", folder, filepath.Base(path))
	}
	return os.MkdirAll(folder, 0o755)
}
