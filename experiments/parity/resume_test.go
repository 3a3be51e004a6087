package parity_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"foretoken/draft"
	"foretoken/experiments"
	"foretoken/experiments/parity"
	"foretoken/model"
	"foretoken/model/checkpoint"
)

// counted counts the tokens that its sessions compute.
type counted struct {
	model.Model
	tokens *int
}

func (m counted) NewSession() (model.Session, error) {
	s, err := m.Model.NewSession()
	return countedSession{s, m.tokens}, err
}

type countedSession struct {
	model.Session
	tokens *int
}

func (s countedSession) Forward(tokens []model.Token, rows int) (model.Logits, error) {
	*s.tokens += len(tokens)
	return s.Session.Forward(tokens, rows)
}

// comparison is of a model with itself, of requests prompts, at a tolerance.
func comparison(t *testing.T, m model.Model, requests int, tolerance float64) parity.Comparison {
	t.Helper()
	config := parity.Config{Engines: []string{"it"}, Drafters: []experiments.Drafter{{Name: "ngram", K: []int{3}, Options: &draft.Ngram{}}},
		Splits: []int{0, 2}, MaxTokens: 30, Tolerance: tolerance, Sampled: []parity.Sampling{{Temperature: 1, Seed: 3}}}
	cells, _, err := config.Cells(experiments.NewModels(func(string) (*experiments.Opened, error) { return &experiments.Opened{Model: m}, nil }))
	if err != nil {
		t.Fatal(err)
	}
	c := parity.Comparison{Config: config, Peer: drawer{peer{m}, "", map[string]int{}}, Cells: cells, Noise: noises, Say: func(string) {}}
	for i := range requests {
		c.Requests = append(c.Requests, parity.Request{ID: fmt.Sprint(i), Prompt: []model.Token{model.Token(i), 9, 8, 9}})
	}
	return c
}

// What was stopped goes on from what was written, to the report that it would have come
// to, and from nothing else.
func TestResume(t *testing.T) {
	m := build(t, func(*checkpoint.Checkpoint) {})
	for _, tolerance := range []float64{1e-6, 0} {
		whole, err := comparison(t, m, 4, tolerance).Run(t.Context())
		if err != nil || whole.Defects() > 0 {
			t.Fatal(whole.Defects(), err)
		}
		var written []byte
		stop := errors.New("stop")
		c := comparison(t, m, 4, tolerance)
		c.Save = func(r parity.Report) (err error) {
			if written, err = json.Marshal(r); err == nil && len(r.Texts) == 2 {
				err = stop
			}
			return err
		}
		if _, err := c.Run(t.Context()); !errors.Is(err, stop) {
			t.Fatal(err)
		}
		c = comparison(t, m, 4, tolerance)
		if err := json.Unmarshal(written, &c.Found); err != nil {
			t.Fatal(err)
		}
		found, said := c.Found, ""
		c.Made.Revision, c.Say = "another", func(s string) { said += s }
		again, err := c.Run(t.Context())
		if !strings.Contains(said, "made by an unknown revision; this is made by another") || again.Made != c.Made {
			t.Errorf("nothing is said of who made it: %q", said)
		}
		again.Made = whole.Made
		if err != nil || !reflect.DeepEqual(texts(t, again), texts(t, whole)) {
			t.Errorf("tolerance %v: %v, %s, want %s", tolerance, err, texts(t, again), texts(t, whole))
		}
		if asked := c.Peer.(drawer).asked["sampling"]; asked != 2 {
			t.Errorf("the peer was asked for %d texts, want those of the 2 prompts that were missing", asked)
		}
		for _, other := range []parity.Comparison{comparison(t, m, 4, 1e-3), comparison(t, m, 1, tolerance)} {
			other.Found = found
			if _, err := other.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "to be gone on with") {
				t.Errorf("another comparison went on: %v", err)
			}
		}
	}
}

func texts(t *testing.T, r parity.Report) string {
	t.Helper()
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A text that comes out equal is computed once: by the rows that it was decided by.
func TestRowsOnce(t *testing.T) {
	tokens := 0
	m := build(t, func(*checkpoint.Checkpoint) {})
	c := comparison(t, counted{m, &tokens}, 1, 1e-6)
	c.Peer = drawer{peer{m}, "", map[string]int{}}
	if r, err := c.Run(t.Context()); err != nil || r.Defects() > 0 {
		t.Fatal(err)
	}
	plain := 4 + 30 - 1
	if tokens < 5*plain || tokens > 5*plain+2*30*4 {
		t.Errorf("%d tokens were computed, want %d and rejected drafts in two of five cells", tokens, 5*plain)
	}
}
