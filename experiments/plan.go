package experiments

import (
	"errors"
	"fmt"
	"strconv"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/results"
	"foretoken/sampler"
	"foretoken/spec"
	"foretoken/verify"
)

// An arm is a way of decoding, ready to run.
type arm struct {
	results.Arm
	setup  spec.Setup
	holder *Holder
}

// arms lists the arms of a config: at each temperature and under each constraint
// the control, then every drafter at every K under every verifier.
func (c Config) arms() []results.Arm {
	var out []results.Arm
	for _, t := range c.Temperatures {
		for _, held := range c.Constraints {
			ending := "/t=" + strconv.FormatFloat(t, 'g', -1, 64)
			if held == noConstraint {
				held = ""
			} else {
				ending += "/" + held
			}
			out = append(out, results.Arm{ID: "plain" + ending, Drafter: "none", Verifier: c.Verifiers[0], Temperature: t, Constraint: held})
			for _, d := range c.Drafters {
				for _, k := range d.lengths(c) {
					for _, v := range c.Verifiers {
						id := fmt.Sprintf("%s/k=%d/%s", d.label(), k, v) + ending
						out = append(out, results.Arm{ID: id, Drafter: d.label(), K: k, Verifier: v, Temperature: t, Constraint: held})
					}
				}
			}
		}
	}
	return out
}

// setups opens what the arms need and refuses pairs that do not fit.
func (c Config) setups(m *models, held map[string]Hold) ([]arm, []results.ModelInfo, error) {
	target, err := m.get(c.Target)
	if err != nil {
		return nil, nil, err
	}
	if err := c.Sampler.Within(target.Model.Info().Real); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", c.Target, err)
	}
	holders := map[string]*Holder{}
	for name, h := range held {
		if holders[name], err = target.Holder(h); err != nil {
			return nil, nil, fmt.Errorf("constraint %s: %w", name, err)
		}
	}
	infos := []results.ModelInfo{{Ref: c.Target, Role: "target", Info: target.Model.Info()}}
	base := spec.Setup{Target: target.Model, Drafter: "none"}
	if c.Stochastic {
		base.Policy = verify.Stochastic
	}
	drafters := map[string]spec.Setup{"none": base}
	for _, d := range c.Drafters {
		s := base
		s.Drafter = d.Name
		s.Draft = draft.Options{Layers: d.Layers, MinN: d.MinN, MaxN: d.MaxN, Blind: d.Blind}
		if d.Model != "" {
			o, err := m.get(d.Model)
			if err != nil {
				return nil, nil, err
			}
			if err := ComparePair(target.Tokenizer, o.Tokenizer); err != nil {
				return nil, nil, fmt.Errorf("drafter %s for %s: %w", d.label(), c.Target, err)
			}
			s.Draft.Model = o.Model
			infos = append(infos, results.ModelInfo{Ref: d.Model, Role: d.label(), Info: o.Model.Info()})
		}
		if d.Head != "" {
			if s.Draft.Head, err = target.OpenHead(d.Head); err != nil {
				return nil, nil, fmt.Errorf("drafter %s: %w", d.label(), err)
			}
			infos = append(infos, results.ModelInfo{Ref: d.Head, Role: d.label(), Info: s.Draft.Head.Info()})
		}
		if err := Probe(s, c.Sampler); err != nil {
			return nil, nil, fmt.Errorf("drafter %s: %w", d.label(), err)
		}
		drafters[d.label()] = s
	}
	var out []arm
	for _, a := range c.arms() {
		s := drafters[a.Drafter]
		s.Verifier = a.Verifier
		out = append(out, arm{a, s, holders[a.Constraint]})
	}
	return out, infos, nil
}

// Probe builds the drafter of a set-up once, so that one that cannot be is refused
// before anything begins.
func Probe(s spec.Setup, c sampler.Config) error {
	session, err := draft.OpenTarget(s.Drafter, s.Draft, s.Target)
	if err != nil {
		return err
	}
	tap, _ := session.(model.HiddenTap)
	d, err := draft.New(s.Drafter, draft.Env{Options: s.Draft, Target: s.Target, Tap: tap, Sampler: c,
		RNG: sampler.NewPCG32(0, sampler.DraftStream)})
	if err == nil {
		err = d.Close()
	}
	return errors.Join(err, session.Close())
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
