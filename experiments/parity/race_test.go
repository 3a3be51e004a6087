package parity_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"foretoken/draft"
	"foretoken/experiments"
	"foretoken/experiments/parity"
	"foretoken/model"
	"foretoken/model/checkpoint"
)

// stopwatch is a peer that takes a second a token, and half of one where it drafts.
type stopwatch struct {
	peer
	asked []string
}

func (p *stopwatch) Time(prompt []model.Token, n, step, k int) (parity.Timing, error) {
	p.asked = append(p.asked, fmt.Sprint(prompt[0], " K", k))
	text, err := p.Greedy(prompt, n, step)
	seconds := float64(n - 1)
	if k > 0 {
		seconds /= 2
	}
	return parity.Timing{Text: text, Tokens: n - 1, Seconds: seconds}, err
}

// Every arm runs every prompt as often as it is told to, after one that does not count;
// mlx-lm's best is its fastest, and texts are compared.
func TestRace(t *testing.T) {
	m := build(t, func(*checkpoint.Checkpoint) {})
	faulty := build(t, func(c *checkpoint.Checkpoint) { c.Config.RopeTheta *= 2 })
	config := parity.Config{Engines: []string{"it", "faulty"}, MaxTokens: 40, Splits: []int{0, 3},
		Drafters: []experiments.Drafter{{Name: "model", K: []int{2}, Options: &draft.Model{Draft: draft.ModelRef{Name: "it"}}}}, Reference: parity.Reference{Draft: "it"}}
	cells, _, err := config.Cells(experiments.NewModels(func(ref string) (*experiments.Opened, error) {
		if ref == "faulty" {
			return &experiments.Opened{Model: faulty, Tokenizer: noWords{}}, nil
		}
		return &experiments.Opened{Model: m, Tokenizer: noWords{}}, nil
	}))
	if err != nil {
		t.Fatal(err)
	}
	var requests []parity.Request
	for i := range 6 {
		requests = append(requests, parity.Request{ID: fmt.Sprint(i), Prompt: []model.Token{model.Token(i), 9, 8}})
	}
	p := &stopwatch{peer: peer{m}}
	times, err := parity.Race{Config: config, Peer: p, Cells: cells, Requests: requests, Repeats: 2, Say: func(string) {}}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(times.Arms) != 6 || len(p.asked) != 2*(1+2*6) || times.Best().Label != "mlx-lm speculation K=2" {
		t.Errorf("%d arms, asked for %v, best %s", len(times.Arms), p.asked, times.Best().Label)
	}
	if e := times.Arms[1].Over(times.Arms[0]); math.Abs(e.Value-2) > 1e-9 || !e.Bounded() {
		t.Errorf("twice as fast is %+v", e)
	}
	for _, a := range times.Arms {
		same, tokens := 0, 0
		for _, r := range a.Runs {
			if r.Same {
				same++
			}
			tokens += r.Tokens
		}
		if len(a.Runs) != 12 || (same == 12) != !strings.HasPrefix(a.Label, "faulty") {
			t.Errorf("%s: %d of %d texts are the same", a.Label, same, len(a.Runs))
		}
		if plain := a.K == 0; plain && tokens != 12*39 || !plain && (tokens > 12*39 || tokens < 12*37) {
			t.Errorf("%s: %d tokens were timed", a.Label, tokens)
		}
	}
	var text bytes.Buffer
	if err := times.Table().Markdown(&text); err != nil || !strings.Contains(text.String(), "mlx-lm speculation K=2") || !strings.Contains(text.String(), "2.00 [2.00, 2.00]") {
		t.Errorf("%v\n%s", err, text.String())
	}
}

// gone is a peer that ends after some requests.
type gone struct {
	stopwatch
	left int
}

func (p *gone) Time(prompt []model.Token, n, step, k int) (parity.Timing, error) {
	if p.left--; p.left < 0 {
		return parity.Timing{}, errors.New("gone")
	}
	return p.stopwatch.Time(prompt, n, step, k)
}

// A race that ends early keeps the requests that every arm came to the end of.
func TestRaceCutShort(t *testing.T) {
	m := build(t, func(*checkpoint.Checkpoint) {})
	config := parity.Config{Engines: []string{"it"}, MaxTokens: 5, Splits: []int{0}}
	cells, _, err := config.Cells(experiments.NewModels(func(string) (*experiments.Opened, error) { return &experiments.Opened{Model: m}, nil }))
	if err != nil {
		t.Fatal(err)
	}
	requests := []parity.Request{{ID: "a", Prompt: []model.Token{1, 2}}, {ID: "b", Prompt: []model.Token{2, 3}}, {ID: "c", Prompt: []model.Token{3, 4}}}
	p := &gone{stopwatch{peer: peer{m}}, 1 + 5}
	times, err := parity.Race{Config: config, Peer: p, Cells: cells, Requests: requests, Repeats: 2, Say: func(string) {}}.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "c: gone") {
		t.Errorf("%v", err)
	}
	for _, a := range times.Arms {
		if len(a.Runs) != 5 || a.Runs[4].Prompt != "b" {
			t.Errorf("%s kept %v, want 5 requests", a.Label, a.Runs)
		}
	}
}
