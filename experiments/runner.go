package experiments

import (
	"context"
	"errors"
	"fmt"

	"foretoken/model"
	"foretoken/results"
	"foretoken/spec"
)

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
		row.Reasoning, row.Unanswered = r.arms[arms[n]].constrainer.Reasoning(r.ids[b.prompt], res.Tokens)
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
