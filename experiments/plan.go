package experiments

import (
	"fmt"

	"foretoken/results"
	"foretoken/spec"
	"foretoken/verify"
)

// An arm is a way of decoding, ready to run.
type arm struct {
	results.Arm
	setup       spec.Setup
	constrainer *Constrainer
}

// arms lists the arms of a config: at each temperature and under each constraint
// the control, then every drafter at every K under every verifier.
func (c Config) arms() []results.Arm {
	var out []results.Arm
	add := func(a results.Arm) {
		a.ID = a.Name()
		out = append(out, a)
	}
	for _, t := range c.Temperatures {
		for _, name := range c.Constraints {
			if name == noConstraint {
				name = ""
			}
			add(results.Arm{Drafter: "none", Verifier: c.Verifiers[0], Temperature: t, Constraint: name})
			for _, d := range c.Drafters {
				for _, k := range d.lengths(c) {
					for _, v := range c.Verifiers {
						add(results.Arm{Drafter: d.label(), K: k, Verifier: v, Temperature: t, Constraint: name})
					}
				}
			}
		}
	}
	return out
}

// setups opens what the arms need and refuses pairs that do not fit.
func (c Config) setups(m *Models, constraints map[string]Constraint) ([]arm, []results.ModelInfo, error) {
	target, err := m.Get(c.Target)
	if err != nil {
		return nil, nil, err
	}
	if err := c.Sampler.Within(target.Model.Info().Real); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", c.Target, err)
	}
	constrainers, err := target.constrainers(constraints)
	if err != nil {
		return nil, nil, err
	}
	info, err := m.info(c.Target, target.Model.Info())
	if err != nil {
		return nil, nil, err
	}
	info.Role = "target"
	infos := []results.ModelInfo{info}
	base := spec.Setup{Target: target.Model}
	if c.Stochastic {
		base.Policy = verify.Stochastic
	}
	setups := map[string]spec.Setup{"none": base}
	for _, d := range c.Drafters {
		s := base
		var took []results.ModelInfo
		if s.Drafter, err = d.Clone(); err == nil {
			took, err = m.Attach(s.Drafter, target)
		}
		if err == nil {
			err = Probe(s, c.Sampler)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("drafter %s for %s: %w", d.label(), c.Target, err)
		}
		for _, info := range took {
			info.Role = d.label()
			infos = append(infos, info)
		}
		setups[d.label()] = s
	}
	var out []arm
	for _, a := range c.arms() {
		s := setups[a.Drafter]
		if s.Rule, err = verify.ByName(a.Verifier); err != nil {
			return nil, nil, err
		}
		out = append(out, arm{a, s, constrainers[a.Constraint]})
	}
	return out, infos, nil
}

// constrainers prepares each constraint on a model, by its name in the arms.
func (o *Opened) constrainers(constraints map[string]Constraint) (map[string]*Constrainer, error) {
	out := map[string]*Constrainer{}
	for name, h := range constraints {
		constrainer, err := o.Constrainer(h)
		if err != nil {
			return nil, fmt.Errorf("constraint %s: %w", name, err)
		}
		out[name] = constrainer
	}
	return out, nil
}

// A block is one prompt on every arm, back to back, so that what the machine does
// meanwhile falls on all of them.
type block struct {
	prompt int
	seed   uint64
	repeat int
	arms   []int // in the order to run
}

// blocks lays out the run. Each block begins with the next arm: no arm is always
// first, or always behind the same other.
func (c Config) blocks(arms []results.Arm, prompts int) []block {
	var out []block
	for repeat := range c.Repeats {
		for i, seed := range c.Seeds {
			var on []int
			for j, a := range arms {
				if a.Temperature > 0 || i == 0 { // at 0 nothing is drawn
					on = append(on, j)
				}
			}
			for p := range prompts {
				turn := len(out) % len(on)
				rotated := append(append([]int{}, on[turn:]...), on[:turn]...)
				out = append(out, block{p, seed, repeat, rotated})
			}
		}
	}
	return out
}
