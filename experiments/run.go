package experiments

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"foretoken/model"
	"foretoken/results"
	"foretoken/spec"
)

// warmUpTokens is how far a warm-up request goes.
const warmUpTokens = 16

// Options are what a run needs beside its config.
type Options struct {
	Open        Opener
	ConfigFile  string // prompts are looked for beside it
	Models      string // and then here
	Dir         string // of the run
	Resume      bool   // the run in Dir, which has to be of this config
	CommandLine []string
	Progress    Progress // nil: silent
	// Hashes are the sha256 of the files of a model or a head, by name, so that a run is
	// not taken up with others; nil: they are not looked at.
	Hashes func(ref string) (map[string]string, error)
}

// Run prepares an experiment and runs it.
func Run(ctx context.Context, c Config, o Options) error {
	p, err := Prepare(c, o)
	if err != nil {
		return err
	}
	return p.Run(ctx)
}

// A Prepared experiment has been found sound, its models are open and its folder is
// there.
type Prepared struct {
	runner *runner
	models *Models
}

// Prepare does all that can be refused, and opens the folder last. What is refused
// is a *Refusal, and leaves no folder.
func Prepare(c Config, o Options) (*Prepared, error) {
	if o.Progress == nil {
		o.Progress = silent{}
	}
	m := NewModels(o.Open)
	m.path, m.sums = beside(o.ConfigFile), o.Hashes
	r, header, err := prepare(c, o, m)
	if err != nil {
		return nil, errors.Join(refuse(err), m.Close())
	}
	if err := r.begin(o, header); err != nil {
		return nil, errors.Join(err, m.Close())
	}
	return &Prepared{r, m}, nil
}

// Run runs the experiment into its folder, and closes it. Rows are written as they
// come, so where ctx ends first the rows so far can be read and taken up again; the
// error is the context's.
func (p *Prepared) Run(ctx context.Context) error {
	return errors.Join(p.runner.run(ctx), p.Close())
}

// Close ends an experiment that is not run.
func (p *Prepared) Close() error {
	return errors.Join(p.runner.writer.Close(), p.models.Close())
}

// prepare is all but the folder.
func prepare(c Config, o Options, m *Models) (r *runner, h results.Header, err error) {
	prompts, sets, err := LoadPrompts(c.Prompts, filepath.Dir(o.ConfigFile), o.Models)
	if err != nil {
		return nil, h, err
	}
	held, sums, err := c.holds(filepath.Dir(o.ConfigFile), o.Models)
	if err != nil {
		return nil, h, err
	}
	arms, infos, err := c.setups(m, held)
	if err != nil {
		return nil, h, err
	}
	target, err := m.Get(c.Target)
	if err != nil {
		return nil, h, err
	}
	r = &runner{config: c, arms: arms, prompts: prompts, target: target, progress: o.Progress}
	if !c.IgnoreEOS {
		if r.ends, err = target.EndsOf(c.EOS); err != nil {
			return nil, h, err
		}
	}
	if err := r.encode(); err != nil {
		return nil, h, err
	}
	r.blocks = c.blocks(c.arms(), len(prompts))
	h = newHeader(c, o, sets, infos, r.total())
	h.Schemas, h.Ends = sums, r.ends
	return r, h, nil
}

type runner struct {
	config   Config
	arms     []arm
	prompts  []Prompt
	ids      [][]model.Token // by prompt
	blocks   []block
	target   *Opened
	ends     []results.End
	writer   *results.Writer
	done     map[results.Key]bool
	progress Progress
}

// total is the number of rows of a whole run.
func (r *runner) total() int {
	n := 0
	for _, b := range r.blocks {
		n += len(b.arms)
	}
	return n
}

// begin opens the folder, anew or where a run left off.
func (r *runner) begin(o Options, h results.Header) (err error) {
	r.done = map[results.Key]bool{}
	if !o.Resume {
		r.writer, err = results.Create(o.Dir, h)
		return err
	}
	run, w, err := results.Resume(o.Dir)
	if err != nil {
		return refuse(err)
	}
	if err := sameRun(run.Header, h); err != nil {
		return errors.Join(refuse(fmt.Errorf("%s cannot be taken up: %w", o.Dir, err)), w.Close())
	}
	if len(run.Header.Models) > 0 && run.Header.Models[0].Files == nil && o.Hashes != nil {
		r.progress.Note("the run keeps no hashes of its models' files: whether they have changed is not known")
	}
	if run.Header.Revision != h.Revision {
		r.progress.Note(fmt.Sprintf("the run was begun at revision %q, this is %q", run.Header.Revision, h.Revision))
	}
	for _, row := range run.Rows {
		r.done[row.Key()] = true
	}
	r.writer = w
	return nil
}

func (r *runner) run(ctx context.Context) error {
	if len(r.done) == r.total() {
		return nil
	}
	if err := r.warmUp(ctx); err != nil {
		return err
	}
	r.progress.Start(r.total(), len(r.done))
	defer r.progress.Stop()
	for _, b := range r.blocks {
		if err := r.block(ctx, b); err != nil {
			return err
		}
	}
	return nil
}

// block runs a prompt on every arm that has no row of it.
func (r *runner) block(ctx context.Context, b block) error {
	var rows []results.Row
	var arms []int
	for _, i := range b.arms {
		row := results.Row{Arm: r.arms[i].ID, Prompt: r.prompts[b.prompt].ID, Domain: r.prompts[b.prompt].Domain,
			Seed: b.seed, Repeat: b.repeat, PromptTokens: len(r.ids[b.prompt])}
		if !r.done[row.Key()] {
			rows, arms = append(rows, row), append(arms, i)
		}
	}
	return r.onPrompt(ctx, b.prompt, arms, b.seed, r.config.MaxTokens, func(n int, res spec.Result) error {
		row := rows[n]
		row.Fill(res)
		row.Reasoning, row.Unanswered = r.arms[arms[n]].holder.Reasoning(r.ids[b.prompt], res.Tokens)
		if err := r.writer.Append(row); err != nil {
			return err
		}
		r.progress.Row(row)
		return nil
	})
}

// warmUp runs requests whose outcome is thrown away: caches, clocks and page
// tables are cold only once.
func (r *runner) warmUp(ctx context.Context) error {
	if r.config.WarmUp > 0 {
		r.progress.Note(fmt.Sprintf("warming up: %d requests in all", r.config.WarmUp*len(r.arms)))
	}
	limit := warmUpTokens
	if most := r.config.MaxTokens; most > 0 {
		limit = min(limit, most)
	}
	var all []int
	for i := range r.arms {
		all = append(all, i)
	}
	for n := range r.config.WarmUp {
		if err := r.onPrompt(ctx, n%len(r.prompts), all, r.config.Seeds[0], limit, func(int, spec.Result) error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

// onPrompt runs a prompt, which the target computes once, on arms, and hands on the
// result of the n-th.
func (r *runner) onPrompt(ctx context.Context, prompt int, arms []int, seed uint64, maxTokens int, take func(n int, res spec.Result) error) (err error) {
	if len(arms) == 0 {
		return nil
	}
	at := results.Key{Arm: r.arms[arms[0]].ID, Prompt: r.prompts[prompt].ID, Seed: seed}
	prefill, err := r.arms[arms[0]].setup.Prefill(ctx, r.ids[prompt])
	if err != nil {
		return r.explain(ctx, at, err)
	}
	defer func() { err = errors.Join(err, prefill.Close()) }()
	for n, i := range arms {
		at.Arm = r.arms[i].ID
		res, err := r.request(ctx, prefill, i, prompt, seed, maxTokens)
		if err != nil {
			return r.explain(ctx, at, err)
		}
		if err := take(n, res); err != nil {
			return err
		}
	}
	return nil
}

func (r *runner) request(ctx context.Context, on *spec.Prefill, arm, prompt int, seed uint64, maxTokens int) (spec.Result, error) {
	a := r.arms[arm]
	engine, err := a.holder.Engine(r.ids[prompt])
	if err != nil {
		return spec.Result{}, err
	}
	q := spec.Request{Prompt: r.ids[prompt], Prefill: on, K: a.K, MaxTokens: maxTokens, Sampler: r.config.at(a.Temperature), Seed: seed,
		EOS: EndTokens(r.ends), Stop: r.config.Stop, StopTokens: r.target.StopTokens(r.config.Stop), Text: r.target.Tokenizer.NewStream(), Engine: engine}
	if r.config.Logprobs >= 0 {
		q.TopLogprobs = &r.config.Logprobs
	}
	return spec.Generate(ctx, a.setup, q)
}

// explain says which request failed, unless it was stopped.
func (r *runner) explain(ctx context.Context, k results.Key, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fmt.Errorf("%s: %w", k, err)
}
