package parity

import (
	"context"
	"fmt"
	"slices"
	"time"

	"foretoken/model"
	"foretoken/sampler"
	"foretoken/spec"
)

// A Timer is a peer whose decoding is timed.
type Timer interface {
	// Time decodes n tokens greedily, k draft tokens a round of its own speculation
	// or 0, and times what follows the first.
	Time(prompt []model.Token, n, step, k int) (Timing, error)
}

// A Timing is what followed the first tokens to arrive.
type Timing struct {
	Text    []model.Token // all of it
	Tokens  int           // that followed
	Seconds float64
}

// A Race is engines against mlx-lm for speed, greedily, every prompt by every arm in
// turn, so that what the machine does meanwhile meets all of them.
type Race struct {
	Config   Config // of which the sampled and the splits are not looked at
	Made     Made
	Peer     Timer
	Cells    []Cell
	Requests []Request
	Repeats  int
	Say      func(string)
}

// An Arm is one way of decoding, with what each request took.
type Arm struct {
	Label string `json:"label"`
	K     int    `json:"k"`
	Peer  bool   `json:"peer"` // mlx-lm
	Runs  []Run  `json:"runs"`

	time func(ctx context.Context, q Request) (Timing, error)
}

// A Run is one request on one arm.
type Run struct {
	Prompt  string  `json:"prompt"`
	Repeat  int     `json:"repeat"`
	Tokens  int     `json:"tokens"`
	Seconds float64 `json:"seconds"`
	Same    bool    `json:"same"` // as mlx-lm's plain text
}

// Times are what a race found.
type Times struct {
	Config  Config `json:"config"`
	Made    Made   `json:"made,omitzero"`
	Repeats int    `json:"repeats"`
	Load    string `json:"load"` // of the machine, before and after; "" where it does not say
	Arms    []Arm  `json:"arms"` // mlx-lm's plain decoding first
}

// arms are mlx-lm, plain and at each K of the two-model drafters, and the cells.
func (r Race) arms() []Arm {
	peer := func(k int) func(context.Context, Request) (Timing, error) {
		return func(_ context.Context, q Request) (Timing, error) {
			return r.Peer.Time(q.Prompt, r.Config.MaxTokens, step, k)
		}
	}
	arms := []Arm{{Label: "mlx-lm", Peer: true, time: peer(0)}}
	for _, d := range r.Config.Drafters {
		for _, k := range d.K {
			if d.Name == "model" && r.Config.Reference.Draft != "" {
				arms = append(arms, Arm{Label: fmt.Sprintf("mlx-lm speculation K=%d", k), K: k, Peer: true, time: peer(k)})
			}
		}
	}
	for _, c := range r.Cells {
		label := Cell{Engine: c.Engine, Drafter: c.Drafter, K: c.K}.label()
		if c.Against.sampled() || slices.ContainsFunc(arms, func(a Arm) bool { return a.Label == label }) {
			continue
		}
		arms = append(arms, Arm{Label: label, K: c.K, time: func(ctx context.Context, q Request) (Timing, error) {
			return c.time(ctx, q, r.Config.MaxTokens)
		}})
	}
	return arms
}

// time decodes, and times what follows the first chunk.
func (c Cell) time(ctx context.Context, q Request, n int) (t Timing, err error) {
	var first, last time.Time
	emit := func(chunk spec.Emission) error {
		last = time.Now()
		if first.IsZero() {
			first = last
		} else {
			t.Tokens += len(chunk.Tokens)
		}
		return nil
	}
	r, err := spec.Generate(ctx, c.setup, spec.Request{Prompt: q.Prompt, K: c.K, MaxTokens: n, Sampler: sampler.NewConfig(0), Seed: 1, Emit: emit})
	if err != nil {
		return t, err
	}
	t.Text, t.Seconds = r.Tokens, last.Sub(first).Seconds()
	return t, nil
}

// Run warms every arm on the first request, and races them. Where it fails, what it found
// is of the requests that all arms came to the end of.
func (r Race) Run(ctx context.Context) (Times, error) {
	t := Times{Config: r.Config, Made: r.Made, Repeats: r.Repeats, Load: load(), Arms: r.arms()}
	for _, a := range t.Arms {
		if _, err := a.time(ctx, r.Requests[0]); err != nil {
			return t, fmt.Errorf("speed: %s: %s: %w", a.Label, r.Requests[0].ID, err)
		}
	}
	for repeat := range r.Repeats {
		for i, q := range r.Requests {
			if err := r.request(ctx, &t, q, repeat, i+repeat); err != nil {
				for j := range t.Arms {
					t.Arms[j].Runs = t.Arms[j].Runs[:repeat*len(r.Requests)+i]
				}
				return t, err
			}
		}
	}
	if after := load(); after != "" {
		t.Load += " to " + after
	}
	return t, nil
}

// request runs one request through every arm, beginning with another each time.
func (r Race) request(ctx context.Context, t *Times, q Request, repeat, turn int) error {
	texts := make([][]model.Token, len(t.Arms))
	for i := range t.Arms {
		a := &t.Arms[(i+turn)%len(t.Arms)]
		got, err := a.time(ctx, q)
		if err != nil {
			return fmt.Errorf("speed: %s: %s: %w", a.Label, q.ID, err)
		}
		texts[(i+turn)%len(t.Arms)] = got.Text
		a.Runs = append(a.Runs, Run{Prompt: q.ID, Repeat: repeat, Tokens: got.Tokens, Seconds: got.Seconds})
		r.Say(fmt.Sprintf("%s: %s: %.1f tokens/s", q.ID, a.Label, float64(got.Tokens)/got.Seconds))
	}
	for i := range t.Arms {
		runs := t.Arms[i].Runs
		runs[len(runs)-1].Same = slices.Equal(texts[i], texts[0])
	}
	return nil
}
