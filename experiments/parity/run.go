package parity

import (
	"context"
	"errors"
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

// A Report is what a run found.
type Report struct {
	Config    Config  `json:"config"`
	Tolerance float64 `json:"tolerance"`
	Cyclic    float64 `json:"cyclic"` // of the reference's text
	Cells     []Cell  `json:"cells"`
}

// A Request is a prompt as ids.
type Request struct {
	ID, Domain string
	Prompt     []model.Token
}

// step is how many tokens of a prompt mlx-lm computes at a time.
const step = 2048

// Cells are the ways that c asks for, of models that open gives. The result closes
// them.
func (c Config) Cells(open experiments.Opener) (cells []Cell, first *experiments.Opened, done func() error, err error) {
	var opened []*experiments.Opened
	done = func() error {
		var errs []error
		for _, o := range opened {
			if o.Close != nil {
				errs = append(errs, o.Close())
			}
		}
		return errors.Join(errs...)
	}
	get := func(ref string) (*experiments.Opened, error) {
		o, err := open(ref)
		if err != nil {
			return nil, err
		}
		opened = append(opened, o)
		return o, nil
	}
	for _, ref := range c.Engines {
		o, err := get(ref)
		if err != nil {
			return nil, nil, done, err
		}
		if first == nil {
			first = o
		}
		for _, s := range c.Splits {
			setup := spec.Setup{Target: splitting(o.Model, s), Drafter: "none", Verifier: "leviathan"}
			cells = append(cells, Cell{Engine: ref, Drafter: "none", Split: s, setup: setup})
			for _, d := range c.Drafters {
				setup.Drafter, setup.Draft = d.Name, draft.Options{Layers: d.Layers, MinN: d.MinN, MaxN: d.MaxN}
				if d.Model != "" {
					m, err := get(d.Model)
					if err == nil {
						err = experiments.ComparePair(o.Tokenizer, m.Tokenizer)
					}
					if err != nil {
						return nil, nil, done, fmt.Errorf("parity: drafter %s for %s: %w", d.Name, ref, err)
					}
					setup.Draft.Model = m.Model
				}
				if d.Head != "" {
					if setup.Draft.Head, err = o.OpenHead(d.Head); err != nil {
						return nil, nil, done, fmt.Errorf("parity: drafter %s for %s: %w", d.Name, ref, err)
					}
				}
				if err := experiments.Probe(setup, sampler.NewConfig(0)); err != nil {
					return nil, nil, done, fmt.Errorf("parity: drafter %s for %s: %w", d.Name, ref, err)
				}
				for _, k := range d.K {
					cell := Cell{Engine: ref, Drafter: d.Name, K: k, Split: s, setup: setup}
					if d.Name == "model" && c.Reference.Draft != "" {
						cell.Against.Speculation = k
					}
					cells = append(cells, cell)
				}
			}
			for _, sampling := range c.Sampled {
				plain := spec.Setup{Target: splitting(o.Model, s)}
				cells = append(cells, Cell{Engine: ref, Drafter: "none", Split: s, Against: Against{Sampling: sampling}, setup: plain})
			}
		}
	}
	return cells, first, done, nil
}

// A Comparison is a run that is to be made.
type Comparison struct {
	Config   Config
	Peer     Peer
	Cells    []Cell
	Requests []Request
	Noise    Noises       // needed where the config has something sampled
	Say      func(string) // is told of each request of each cell
}

// Run runs every request through the peer and every cell.
func (c Comparison) Run(ctx context.Context) (Report, error) {
	r := Report{Config: c.Config, Tolerance: c.Config.Tolerance, Cells: c.Cells}
	plain := make([][]model.Token, len(c.Requests))
	for i, q := range c.Requests {
		var err error
		if plain[i], err = c.Peer.Greedy(q.Prompt, c.Config.MaxTokens, step); err != nil {
			return r, err
		}
		r.Cyclic += results.CyclicShare(plain[i]) / float64(len(c.Requests))
		if c.Config.Tolerance > 0 {
			continue
		}
		d, err := spread(c.Peer, q, plain[i])
		if err != nil {
			return r, err
		}
		r.Tolerance = max(r.Tolerance, d)
	}
	for i, q := range c.Requests {
		if err := c.request(ctx, q, plain[i], &r); err != nil {
			return r, err
		}
	}
	return r, nil
}

// request runs one request through every cell, like against like.
func (c Comparison) request(ctx context.Context, q Request, plain []model.Token, r *Report) error {
	texts, rows := map[Against][]model.Token{{}: plain}, map[Against][]float32{}
	for j := range r.Cells {
		cell := &r.Cells[j]
		to := cell.Against
		if texts[to] == nil {
			var err error
			if texts[to], err = to.text(c.Peer, q, c.Config.MaxTokens); err != nil {
				return err
			}
		}
		if rows[to] == nil {
			for other, text := range texts { // of equal texts the rows are equal
				if slices.Equal(text, texts[to]) && rows[other] != nil {
					rows[to] = rows[other]
				}
			}
		}
		if rows[to] == nil {
			var err error
			if rows[to], err = c.Peer.Rows(q.forced(texts[to]), len(texts[to]), step, len(texts[to])); err != nil {
				return err
			}
		}
		o, err := cell.run(ctx, q, texts[to], rows[to], r.Tolerance, c.Noise)
		if err != nil {
			return fmt.Errorf("parity: %s: %s: %w", cell.label(), q.ID, err)
		}
		cell.Outcomes = append(cell.Outcomes, o)
		cell.Cyclic += o.cyclic / float64(len(c.Requests))
		c.Say(fmt.Sprintf("%s: %s: %s", q.ID, cell.label(), o))
	}
	return nil
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

// run generates, and computes the rows of the reference's own text K+1 at a time.
func (c Cell) run(ctx context.Context, q Request, text []model.Token, want []float32, tolerance float64, noise Noises) (Outcome, error) {
	if c.Against.sampled() {
		return c.sample(ctx, q, text, want, tolerance, noise)
	}
	got, err := spec.Generate(ctx, c.setup, spec.Request{Prompt: q.Prompt, K: c.K, MaxTokens: len(text), Sampler: sampler.NewConfig(0), Seed: 1})
	if err != nil {
		return Outcome{}, err
	}
	diffs, margins, err := c.force(q, text, want)
	if err != nil {
		return Outcome{}, err
	}
	o := judge(text, got.Tokens, diffs, margins, tolerance)
	o.Prompt, o.Domain, o.cyclic = q.ID, q.Domain, results.CyclicShare(got.Tokens)
	return o, nil
}

func (c Cell) force(q Request, text []model.Token, want []float32) (diffs, margins []float64, err error) {
	s, err := c.setup.Target.NewSession()
	if err != nil {
		return nil, nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	info := c.setup.Target.Info()
	if len(want) != len(text)*info.Vocab {
		return nil, nil, fmt.Errorf("the reference has %d logits a row, the engine %d", len(want)/len(text), info.Vocab)
	}
	tokens := q.forced(text)
	if before := len(tokens) - len(text); before > 0 {
		if _, err := s.Forward(tokens[:before], 0); err != nil {
			return nil, nil, err
		}
		tokens = tokens[before:]
	}
	row := make([]float32, info.Vocab)
	for len(tokens) > 0 {
		n := min(c.K+1, len(tokens))
		l, err := s.Forward(tokens[:n], n)
		if err != nil {
			return nil, nil, err
		}
		for i := range n {
			if err := l.Read(i, row); err != nil {
				return nil, nil, err
			}
			theirs := want[len(diffs)*info.Vocab:][:info.Real]
			diffs, margins = append(diffs, difference(row[:info.Real], theirs)), append(margins, margin(theirs))
		}
		tokens = tokens[n:]
	}
	return diffs, margins, nil
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
