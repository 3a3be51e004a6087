package decode

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"foretoken/model"
	"foretoken/results"
)

// A Plan is how often things are timed, and who hears of it.
type Plan struct {
	Rounds     int // of the tasks of a model on its own
	TextRounds int // of texts
	Seed       uint64
	Store      Store
	Progress   Progress // nil: silent
}

// A Store keeps samples: those of a run that was broken off are not taken again.
type Store interface {
	Has(Key) (Sample, bool)
	Add(Sample) error
}

// Progress hears how a run goes.
type Progress interface {
	Start(total, done int)
	Row(results.Row)
	Stop()
}

// A unit is a task of a round, on all arms that have it, back to back: what the machine
// does meanwhile falls on all of them.
type unit struct {
	task  Task
	round int
	arms  []Arm
}

// units lays a run out: in each round tasks in a random order, and in each task arms.
func (p Plan) units(arms []Arm) (all []unit) {
	r := rand.New(rand.NewPCG(p.Seed, 1))
	tasks := tasksOf(arms)
	for round := range max(p.Rounds, p.TextRounds) {
		for _, i := range r.Perm(len(tasks)) {
			u := unit{task: tasks[i], round: round}
			for _, a := range arms {
				if slices.Contains(a.Tasks, u.task) {
					u.arms = append(u.arms, a)
				}
			}
			r.Shuffle(len(u.arms), func(i, j int) { u.arms[i], u.arms[j] = u.arms[j], u.arms[i] })
			rounds := p.Rounds
			if u.task.Text != nil {
				rounds = p.TextRounds
			}
			if round < rounds {
				all = append(all, u)
			}
		}
	}
	return all
}

// Run times every task of every arm that the store lacks, and returns all samples of
// the plan.
func Run(ctx context.Context, arms []Arm, p Plan) (samples []Sample, err error) {
	units := p.units(arms)
	total, done := 0, 0
	for _, u := range units {
		for _, k := range u.keys() {
			total++
			if _, ok := p.Store.Has(k); ok {
				done++
			}
		}
	}
	if p.Progress != nil && done < total {
		p.Progress.Start(total, done)
		defer p.Progress.Stop()
	}
	for _, u := range units {
		if samples, err = p.take(ctx, u, samples); err != nil {
			return samples, err
		}
	}
	return samples, nil
}

func (u unit) keys() (keys []Key) {
	for n := range max(1, u.task.Each) {
		for _, a := range u.arms {
			keys = append(keys, u.task.key(a.Name, u.round, n))
		}
	}
	return keys
}

func (p Plan) take(ctx context.Context, u unit, samples []Sample) ([]Sample, error) {
	for n := range max(1, u.task.Each) {
		for _, a := range u.arms {
			k := u.task.key(a.Name, u.round, n)
			if s, ok := p.Store.Has(k); ok {
				samples = append(samples, s)
				continue
			}
			m, err := a.Time(ctx, u.task)
			if ctx.Err() != nil { // also what a peer made of it
				return samples, context.Cause(ctx)
			}
			s := Sample{k, m}
			if err == nil {
				err = p.Store.Add(s)
			}
			if err != nil {
				return samples, fmt.Errorf("bench: %s, %s: %w", a.Name, strings.TrimSpace(u.task.Name+" "+k.Text), err)
			}
			samples = append(samples, s)
			if p.Progress != nil {
				what := u.task.Name
				if k.Text != "" {
					what = k.Text
				}
				p.Progress.Row(results.Row{Arm: a.Name, Prompt: what, Tokens: make([]model.Token, m.Tokens)})
			}
		}
	}
	return samples, nil
}

func tasksOf(arms []Arm) (all []Task) {
	for _, a := range arms {
		for _, t := range a.Tasks {
			if !slices.Contains(all, t) {
				all = append(all, t)
			}
		}
	}
	return all
}
