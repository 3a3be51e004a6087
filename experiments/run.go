package experiments

import (
	"context"
	"errors"
	"path/filepath"

	"foretoken/results"
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
	constraints, sums, err := c.readConstraints(filepath.Dir(o.ConfigFile), o.Models)
	if err != nil {
		return nil, h, err
	}
	arms, infos, err := c.setups(m, constraints)
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
