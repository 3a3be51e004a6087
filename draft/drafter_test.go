package draft

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"foretoken/model"
	"foretoken/model/modeltest"
	"foretoken/sampler"
	"foretoken/sampler/samplertest"
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

// A warm drafter proposes what a fresh one does, given the same state of its
// stream. Every registered drafter must pass, so registering one tests it.
func TestWarmIsFresh(t *testing.T) {
	for _, name := range Names() {
		for _, temperature := range []float32{0, 1} {
			t.Run(fmt.Sprintf("%s/t=%v", name, temperature), func(t *testing.T) {
				if err := warmIsFresh(t, name, temperature, made); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// The test above can fail: a drafter that never trims is caught.
func TestStaleCacheIsSeen(t *testing.T) {
	stale := func(name string, e Env) (Drafter, error) {
		d, err := made(name, e)
		c := d.(*second)
		c.cursor.Session = &untrimmed{c.cursor.Session}
		return d, err
	}
	if err := warmIsFresh(t, "model", 0, stale); err == nil {
		t.Error("a draft cache that is never trimmed is not seen")
	}
}

// A head that keeps the states it fed back is caught too.
func TestStaleStatesAreSeen(t *testing.T) {
	stale := func(name string, e Env) (Drafter, error) {
		d, err := made(name, e)
		d.(*eagle).session = &fedBack{d.(*eagle).session}
		return d, err
	}
	if err := warmIsFresh(t, "eagle", 0, stale); err == nil {
		t.Error("states that a head fed back and kept are not seen")
	}
}

// fedBack trims nothing.
type fedBack struct{ model.HeadSession }

func (*fedBack) Trim(int) error { return nil }

// untrimmed overwrites nothing: it says it trimmed.
type untrimmed struct{ model.Session }

func (u *untrimmed) Trim(int) error { return nil }

func warmIsFresh(t *testing.T, name string, temperature float32, make func(string, Env) (Drafter, error)) error {
	stream := sampler.NewStream(1, sampler.DraftStream)
	var tap moving
	e := env(temperature, stream)
	e.Session = &tap
	warm, err := make(name, e)
	check(t, err)
	r := rand.New(rand.NewPCG(1, 2))
	history := []model.Token{1, 2, 3, 1, 2}
	for step := range 150 {
		s, err := target.NewSession()
		check(t, err)
		_, err = s.Forward(history[:len(history)-1], 0)
		check(t, err)
		tap.Session = s
		copied := *stream
		e := env(temperature, &copied)
		e.Session = s
		fresh, err := made(name, e)
		check(t, err)
		limit := r.IntN(5)
		last := history[len(history)-1]
		at := sampler.Position{History: history, Generated: min(step, len(history)), Engine: samplertest.NoRepeat{Last: last}}
		want, err := fresh.Propose(t.Context(), at, limit)
		check(t, err)
		got, err := warm.Propose(t.Context(), at, limit)
		check(t, err)
		if !reflect.DeepEqual(got, want) || copied != *stream {
			return fmt.Errorf("step %d: warm drafter proposes %v, fresh one %v", step, got.Tokens, want.Tokens)
		}
		check(t, got.Check(warm.Law(), limit))
		// As a verifier would: keep a path, then add one; now and then begin anew.
		if n := len(got.Tokens); n > 0 {
			for _, node := range got.Path(r.IntN(n+1) - 1) {
				history = append(history, got.Tokens[node])
			}
		}
		history = append(history, model.Token(r.IntN(4)))
		if r.IntN(10) == 0 {
			history = slices.Clone(history[:5+r.IntN(len(history)-5)])
		}
	}
	return warm.Close()
}

// moving is the target's session as it goes from request to request.
type moving struct{ model.Session }

func (m *moving) Hidden(from, to int) (model.States, error) {
	return m.Session.(model.HiddenTap).Hidden(from, to)
}

// Bad options are refused, and the message says what was wanted.
func TestOptionsAreChecked(t *testing.T) {
	for want, f := range map[string]Factory{
		"needs a draft model":                         &Model{},
		"eagle needs a head":                          &Eagle{},
		"0 layers of 3":                               &LayerSkip{},
		"3 layers of 3":                               &LayerSkip{Layers: 3},
		"max_n is 2 and min_n 4":                      &Ngram{MinN: 4, MaxN: 2},
		"keeps hidden states, struct { model.Session": &Eagle{Head: HeadRef{Head: modeltest.Head{Of: target}}},
	} {
		e := env(1, nil)
		e.Session = struct{ model.Session }{}
		if _, err := f.New(e); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	e := env(1, nil)
	e.Target = struct{ model.Model }{target}
	if _, err := (&LayerSkip{Layers: 1}).New(e); err == nil || !strings.Contains(err.Error(), "cannot stop after") {
		t.Errorf("%v", err)
	}
	e = env(1, nil)
	e.Sampler.Penalties.Repetition = 0
	if _, err := made("model", e); err == nil || !strings.Contains(err.Error(), "repetition penalty 0") {
		t.Errorf("%v", err)
	}
	if _, err := ByName("oracle"); err == nil || !strings.Contains(err.Error(), "want one of eagle, layerskip") {
		t.Errorf("%v", err)
	}
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

// Every option of a registered drafter says what it is for, and is of a type that configs
// and flags can set.
func TestOptionsAreExplained(t *testing.T) {
	for _, name := range Names() {
		f, err := ByName(name)
		check(t, err)
		for _, o := range Options(f) {
			switch o.Value(f).Interface().(type) {
			case int, bool, ModelRef, HeadRef:
			default:
				t.Errorf("%s: option %s is of type %v", name, o.Name, o.Type)
			}
			if o.Help == "" || strings.ToLower(o.Name) != o.Name {
				t.Errorf("%s: option %+v", name, o)
			}
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
