package parity

import (
	"fmt"

	"foretoken/draft"
	"foretoken/experiments"
	"foretoken/sampler"
	"foretoken/spec"
)

// A Cell is one way of running an engine.
type Cell struct {
	Engine   string    `json:"engine"`
	Drafter  string    `json:"drafter"` // "none" is plain decoding
	K        int       `json:"k"`
	Split    int       `json:"split"` // tokens of a prompt at a time; 0 is all
	Against  Against   `json:"against"`
	Outcomes []Outcome `json:"outcomes"`
	Cyclic   float64   `json:"cyclic"` // share of its text that is cyclic

	setup spec.Setup
}

// Cells are the ways that c asks for, of models that m gives. first is the first engine's.
func (c Config) Cells(m *experiments.Models) (cells []Cell, first *experiments.Opened, err error) {
	for _, ref := range c.Engines {
		o, err := m.Get(ref)
		if err != nil {
			return nil, nil, err
		}
		if first == nil {
			first = o
		}
		drafters, err := c.attached(m, ref, o)
		if err != nil {
			return nil, nil, err
		}
		for i, s := range c.Splits {
			cells = append(cells, c.drafted(ref, spec.Setup{Target: splitting(o.Model, s)}, s, drafters)...)
			if i == 0 {
				cells = append(cells, c.sampled(ref, spec.Setup{Target: splitting(o.Model, s)}, s)...)
			}
		}
	}
	return cells, first, nil
}

// attached are the drafters of c for one engine, each found to be one that can be made.
func (c Config) attached(m *experiments.Models, ref string, o *experiments.Opened) ([]draft.Factory, error) {
	var out []draft.Factory
	for _, d := range c.Drafters {
		f, err := d.Clone()
		if err == nil {
			_, err = m.Attach(f, o)
		}
		if err == nil {
			err = experiments.Probe(spec.Setup{Target: o.Model, Drafter: f}, sampler.NewConfig(0))
		}
		if err != nil {
			return nil, fmt.Errorf("parity: drafter %s for %s: %w", d.Name, ref, err)
		}
		out = append(out, f)
	}
	return out, nil
}

// drafted is an engine at one split, plain and with every drafter at its draft lengths.
func (c Config) drafted(ref string, s spec.Setup, split int, drafters []draft.Factory) []Cell {
	cells := []Cell{{Engine: ref, Drafter: "none", Split: split, setup: s}}
	for i, d := range c.Drafters {
		s.Drafter = drafters[i]
		for _, k := range d.K {
			cell := Cell{Engine: ref, Drafter: d.Name, K: k, Split: split, setup: s}
			if d.Name == "model" && c.Reference.Draft != "" {
				cell.Against.Speculation = k
			}
			cells = append(cells, cell)
		}
	}
	return cells
}

// sampled is an engine at each way of sampling, plain.
func (c Config) sampled(ref string, s spec.Setup, split int) []Cell {
	var cells []Cell
	for _, sampling := range c.Sampled {
		cells = append(cells, Cell{Engine: ref, Drafter: "none", Split: split, Against: Against{Sampling: sampling}, setup: s})
	}
	return cells
}

// CheckRoom refuses requests whose prompt and n tokens behind it are more than the context
// of a cell's model.
func CheckRoom(cells []Cell, requests []Request, n int) error {
	for _, c := range cells {
		for _, q := range requests {
			if most := c.setup.Target.Info().Context; most > 0 && len(q.Prompt)+n > most {
				return fmt.Errorf("parity: %s: max_tokens %d behind a prompt of %d, want at most %d in all, the context of %s", q.ID, n, len(q.Prompt), most, c.Engine)
			}
		}
	}
	return nil
}

func (c Cell) label() string {
	s := c.Engine
	if c.K > 0 {
		s += fmt.Sprintf(" %s K=%d", c.Drafter, c.K)
	}
	if c.Split > 0 {
		s += fmt.Sprintf(" split %d", c.Split)
	}
	if c.Against != (Against{}) {
		s += " against " + c.Against.String()
	}
	return s
}
