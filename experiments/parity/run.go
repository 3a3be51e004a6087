package parity

import (
	"context"
	"fmt"
	"slices"

	"foretoken/draft"
	"foretoken/experiments"
	"foretoken/model"
	"foretoken/results"
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

// A Request is a prompt as ids.
type Request struct {
	ID, Domain string
	Prompt     []model.Token
}

// step is how many tokens of a prompt mlx-lm computes at a time.
const step = 2048

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

// A Comparison is a run that is to be made.
type Comparison struct {
	Config   Config
	Made     Made
	Peer     Peer
	Cells    []Cell
	Requests []Request
	Noise    Noises             // needed where the config has something sampled
	Say      func(string)       // is told of each request, cell by cell
	Found    Report             // what an earlier run of the same found: its requests are not run again
	Save     func(Report) error // is given what was found after each request; nil: nobody is
}

// Run runs every request through the peer and every cell.
func (c Comparison) Run(ctx context.Context) (Report, error) {
	r, err := c.begin()
	if err != nil {
		return r, err
	}
	for _, q := range c.Requests[len(r.Texts):] {
		if err := c.request(ctx, q, &r); err != nil {
			return r, err
		}
		if c.Save != nil {
			if err := c.Save(r); err != nil {
				return r, err
			}
		}
	}
	return r, nil
}

// request runs one request through every cell, like against like. Where it fails r stays
// as it was.
func (c Comparison) request(ctx context.Context, q Request, r *Report) error {
	plain, err := c.Peer.Greedy(q.Prompt, c.Config.MaxTokens, step)
	if err != nil {
		return err
	}
	text := Text{Prompt: q.ID, Cyclic: results.CyclicShare(plain)}
	if c.Config.Tolerance == 0 {
		if text.Spread, err = spread(c.Peer, q, plain); err != nil {
			return err
		}
	}
	p := pool{peer: c.Peer, of: q, texts: map[Against][]model.Token{{}: plain}, rows: map[Against][]float32{}}
	outcomes := make([]Outcome, len(r.Cells))
	for j, cell := range r.Cells {
		text, rows, err := p.get(cell.Against, c.Config.MaxTokens)
		if err != nil {
			return err
		}
		if outcomes[j], err = cell.run(ctx, q, text, rows, c.Noise); err != nil {
			return fmt.Errorf("parity: %s: %s: %w", cell.label(), q.ID, err)
		}
	}
	r.add(text, outcomes)
	for _, cell := range r.Cells {
		c.Say(fmt.Sprintf("%s: %s: %s", q.ID, cell.label(), cell.Outcomes[len(r.Texts)-1]))
	}
	return nil
}

// A pool is what the peer said to a request, each thing asked for once.
type pool struct {
	peer  Peer
	of    Request
	texts map[Against][]model.Token
	rows  map[Against][]float32
}

// get is the peer's text of n tokens by a, and its rows.
func (p pool) get(a Against, n int) (text []model.Token, rows []float32, err error) {
	if p.texts[a] == nil {
		if p.texts[a], err = a.text(p.peer, p.of, n); err != nil {
			return nil, nil, err
		}
	}
	text = p.texts[a]
	for other, same := range p.texts { // of equal texts the rows are equal
		if p.rows[a] == nil && slices.Equal(same, text) {
			p.rows[a] = p.rows[other]
		}
	}
	if p.rows[a] == nil {
		p.rows[a], err = p.peer.Rows(p.of.forced(text), len(text), step, len(text))
	}
	return text, p.rows[a], err
}

// forced are the tokens whose last rows are those that chose text.
func (q Request) forced(text []model.Token) []model.Token {
	return append(append([]model.Token(nil), q.Prompt...), text[:len(text)-1]...)
}

// spread is how far the peer's logits lie from its own, computed otherwise.
func spread(peer Peer, q Request, text []model.Token) (d float64, err error) {
	tokens := q.forced(text)
	all, err := peer.Rows(tokens, len(text), step, len(text))
	if err != nil {
		return 0, err
	}
	for _, block := range []int{1, 7} {
		other, err := peer.Rows(tokens, len(text), 13, block)
		if err != nil {
			return 0, err
		}
		d = max(d, difference(all, other))
	}
	return d, nil
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

// run generates, and holds the rows of the reference's own text against its rows: those
// that the engine decided by, and K+1 at a time those that it did not come to.
func (c Cell) run(ctx context.Context, q Request, text []model.Token, want []float32, noise Noises) (Outcome, error) {
	if c.Against.sampled() {
		return c.sample(ctx, q, text, want, noise)
	}
	r, err := c.rows(q, text, want)
	if err != nil {
		return Outcome{}, err
	}
	setup := c.setup
	if _, own := setup.Drafter.(draft.TargetOpener); !own { // which opens its target's sessions
		setup.Target = observing(setup.Target, r)
	}
	got, err := spec.Generate(ctx, setup, spec.Request{Prompt: q.Prompt, K: c.K, MaxTokens: len(text), Sampler: sampler.NewConfig(0), Seed: 1})
	if err == nil {
		err = r.force(c.setup.Target, c.K)
	}
	if err != nil {
		return Outcome{}, err
	}
	o := judge(text, got.Tokens, r.diffs, r.margins)
	o.Prompt, o.Domain, o.Cyclic = q.ID, q.Domain, results.CyclicShare(got.Tokens)
	return o, nil
}

// Encode makes requests of prompts.
func Encode(prompts []experiments.Prompt, tok experiments.Tokenizer) ([]Request, error) {
	var out []Request
	for _, p := range prompts {
		q := Request{ID: p.ID, Domain: p.Domain}
		turns := p.Messages
		if len(turns) == 0 {
			turns = []experiments.Message{{Role: "user", Content: p.Prompt}}
		}
		var err error
		if p.Raw {
			q.Prompt = tok.Prompt(p.Prompt)
		} else if q.Prompt, err = tok.Chat(turns); err != nil {
			return nil, fmt.Errorf("parity: %s: %w", p.ID, err)
		}
		out = append(out, q)
	}
	return out, nil
}
