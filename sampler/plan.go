package sampler

import "foretoken/model"

// newPlan is the part of a plan that every position shares.
func newPlan(c Config, real int) model.Plan {
	p := model.Plan{Real: real, Bias: c.biases(real), Repetition: c.Penalties.Repetition,
		Presence: c.Penalties.Presence, Frequency: c.Penalties.Frequency, FilterTemperature: 1}
	if c.Greedy() {
		return p
	}
	p.Temperature = c.Temperature
	if c.TopP < 1 {
		p.TopP = c.TopP
	}
	if c.TopK < real {
		p.TopK = c.TopK
	}
	p.MinP = c.MinP
	p.TopKFirst = c.Order.topKFirst() && p.TopK > 0
	p.KeepTies = c.Order == MLXLM || c.Order == Transformers && p.TopKFirst
	if !c.Order.temperatureLast() {
		p.FilterTemperature = c.Temperature
	}
	return p
}

// planAt completes b's plan for a position. It is valid until the next call.
func (b *Builder) planAt(at Position) (*model.Plan, error) {
	p := &b.plan
	p.Mask, p.Seen = nil, p.Seen[:0]
	if at.masked() {
		var err error
		if p.Mask, err = b.maskAt(at); err != nil {
			return nil, err
		}
	}
	if b.cfg.Penalties.Active() {
		n := b.cfg.Order.window(at, b.cfg.Penalties.Window)
		p.Seen = count(p.Seen, at.History[len(at.History)-n:], b.marks)
	}
	return p, nil
}

// maskAt asks the engine, and takes out what is no real id.
func (b *Builder) maskAt(at Position) (model.Mask, error) {
	if err := at.Engine.Mask(b.mask); err != nil {
		return nil, err
	}
	if tail := b.real % 64; tail != 0 {
		b.mask[len(b.mask)-1] &= 1<<tail - 1
	}
	return b.mask, nil
}
