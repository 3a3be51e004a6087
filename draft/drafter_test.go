package draft

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"foretoken/model"
	"foretoken/model/modeltest"
	"foretoken/sampler"
)

var target = modeltest.Hash{Vocab: 16, Real: 16, Layers: 3}

func env(temperature float32, rng *sampler.PCG32) Env {
	cfg := sampler.NewConfig(temperature)
	cfg.Penalties.Repetition = 1.5
	return Env{Target: target, Sampler: cfg, RNG: rng}
}

// made is the named drafter with what it needs.
func made(name string, e Env) (Drafter, error) {
	f, err := ByName(name)
	if err != nil {
		return nil, err
	}
	for _, o := range Options(f) {
		v := o.Value(f)
		switch v.Interface().(type) {
		case ModelRef:
			v.Set(reflect.ValueOf(ModelRef{Model: modeltest.Hash{Vocab: 16, Real: 16, Salt: 3}}))
		case HeadRef:
			v.Set(reflect.ValueOf(HeadRef{Head: modeltest.Head{Of: target, Noise: .5}}))
		case int:
			v.SetInt(2)
		}
	}
	if err := Check(f); err != nil {
		return nil, err
	}
	return f.New(e)
}

// What the tags of options say is held: what is required, and the least value.
func TestCheck(t *testing.T) {
	for want, f := range map[string]Factory{
		"model is missing, want a folder": &Model{}, "head is missing": &Eagle{}, "layers is missing": &LayerSkip{},
		"layers is -1, want at least 1": &LayerSkip{Layers: -1}, "min_n is -2": &Ngram{MinN: -2}, "max_n is 1 and min_n 3": &Ngram{MinN: 3, MaxN: 1},
	} {
		var wrong *OptionError
		if err := Check(f); !errors.As(err, &wrong) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	for _, f := range []Factory{&Ngram{}, &Ngram{MinN: 5}, None{}, &Model{Draft: ModelRef{Name: "x"}}, &LayerSkip{Layers: 1}} {
		if err := Check(f); err != nil {
			t.Errorf("%T: %v", f, err)
		}
	}
}

// The longest match wins, then the latest; the continuation goes on past
// the end by repeating itself.
func TestNgram(t *testing.T) {
	for _, c := range []struct {
		history  []model.Token
		min, max int
		limit    int
		want     []model.Token
	}{
		{[]model.Token{1, 2, 3, 9, 2, 3, 8, 1, 2, 3}, 1, 3, 2, []model.Token{9, 2}},
		{[]model.Token{1, 2, 3, 9, 2, 3, 8, 1, 2, 3}, 1, 2, 2, []model.Token{8, 1}},
		{[]model.Token{5, 5, 5}, 1, 2, 4, []model.Token{5, 5, 5, 5}},
		{[]model.Token{1, 2, 1, 2, 1, 2}, 1, 2, 4, []model.Token{1, 2, 1, 2}},
		{[]model.Token{4, 1, 7, 1}, 2, 3, 4, nil},
		{[]model.Token{4}, 1, 3, 4, nil},
		{[]model.Token{4, 4}, 1, 3, 0, nil},
	} {
		d, err := (&Ngram{MinN: c.min, MaxN: c.max}).New(Env{})
		check(t, err)
		p, err := d.Propose(t.Context(), sampler.Position{History: c.history}, c.limit)
		check(t, err)
		check(t, p.Check(d.Law(), c.limit))
		if !slices.Equal(p.Tokens, c.want) {
			t.Errorf("%v, %d to %d: %v, want %v", c.history, c.min, c.max, p.Tokens, c.want)
		}
	}
}

// Past its context a draft model proposes nothing, and does not fail.
func TestFullContextProposesNothing(t *testing.T) {
	e := env(0, nil)
	d, err := (&Model{Draft: ModelRef{Model: modeltest.Hash{Vocab: 16, Real: 16, Context: 6}}}).New(e)
	check(t, err)
	for n, want := range map[int]int{1: 4, 4: 3, 6: 1, 7: 0, 20: 0} {
		at := sampler.Position{History: make([]model.Token, n)}
		check(t, d.(Warmer).Warm(t.Context(), at))
		p, err := d.Propose(t.Context(), at, 4)
		check(t, err)
		if len(p.Tokens) != want {
			t.Errorf("%d drafted after %d tokens, want %d", len(p.Tokens), n, want)
		}
	}
}

// A drafter whose tokens are its model's best ids says how many steps it will ask for;
// one that samples does not.
func TestSteps(t *testing.T) {
	for temperature, want := range map[float32][]int{0: {4, 2}, 1: nil} {
		for _, name := range []string{"model", "eagle"} {
			var steps []int
			e := env(temperature, sampler.NewStream(1, sampler.DraftStream))
			s, err := target.NewSession()
			check(t, err)
			history := []model.Token{1, 2, 3}
			_, err = s.Forward(history, 0)
			check(t, err)
			e.Session = s
			d, err := made(name, e)
			check(t, err)
			switch d := d.(type) {
			case *second:
				d.cursor.Session = pipedSession{d.cursor.Session, &steps}
			case *eagle:
				d.session = pipedHead{d.session, &steps}
			}
			for _, limit := range []int{4, 2} {
				_, err = d.Propose(t.Context(), sampler.Position{History: history}, limit)
				check(t, err)
			}
			if !slices.Equal(steps, want) {
				t.Errorf("%s at temperature %v: %v steps to come, want %v", name, temperature, steps, want)
			}
		}
	}
}

type pipedSession struct {
	model.Session
	steps *[]int
}

func (p pipedSession) Pipeline(n int) { *p.steps = append(*p.steps, n) }

type pipedHead struct {
	model.HeadSession
	steps *[]int
}

func (p pipedHead) Pipeline(n int) { *p.steps = append(*p.steps, n) }

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
