package draft

import (
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
	return Env{Options: Options{Model: modeltest.Hash{Vocab: 16, Real: 16, Salt: 3}, Head: modeltest.Head{Of: target, Noise: .5}, Layers: 2},
		Target: target, Sampler: cfg, RNG: rng}
}

// A warm drafter proposes what a fresh one does, given the same state of its
// stream. Every registered drafter must pass, so registering one tests it.
func TestWarmIsFresh(t *testing.T) {
	for _, name := range Names() {
		for _, temperature := range []float32{0, 1} {
			t.Run(fmt.Sprintf("%s/t=%v", name, temperature), func(t *testing.T) {
				if err := warmIsFresh(t, name, temperature, New); err != nil {
					t.Fatal(err)
				}
			})
		}
	}
}

// The test above can fail: a drafter that never trims is caught.
func TestStaleCacheIsSeen(t *testing.T) {
	stale := func(name string, e Env) (Drafter, error) {
		d, err := New(name, e)
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
		d, err := New(name, e)
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
	var tap movingTap
	e := env(temperature, stream)
	e.Tap = &tap
	warm, err := make(name, e)
	check(t, err)
	r := rand.New(rand.NewPCG(1, 2))
	history := []model.Token{1, 2, 3, 1, 2}
	for step := range 150 {
		s, err := target.NewSession()
		check(t, err)
		_, err = s.Forward(history[:len(history)-1], 0)
		check(t, err)
		tap.HiddenTap = s.(model.HiddenTap)
		copied := *stream
		e := env(temperature, &copied)
		e.Tap = tap.HiddenTap
		fresh, err := New(name, e)
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

// movingTap is the target's session as it goes from request to request.
type movingTap struct{ model.HiddenTap }

// Bad options are refused, and the message says what was wanted.
func TestOptionsAreChecked(t *testing.T) {
	for want, c := range map[string]struct {
		name string
		edit func(*Env)
	}{
		"no drafter":           {"oracle", func(*Env) {}},
		"needs a draft model":  {"model", func(e *Env) { e.Model = nil }},
		"eagle needs a head":   {"eagle", func(e *Env) { e.Head = nil }},
		"0 layers of 3":        {"layerskip", func(e *Env) { e.Layers = 0 }},
		"3 layers of 3":        {"layerskip", func(e *Env) { e.Layers = 3 }},
		"cannot stop after":    {"layerskip", func(e *Env) { e.Target = struct{ model.Model }{target} }},
		"matches of 4 to 2":    {"ngram", func(e *Env) { e.MinN, e.MaxN = 4, 2 }},
		"matches of -1 to 3":   {"ngram", func(e *Env) { e.MinN = -1 }},
		"repetition penalty 0": {"model", func(e *Env) { e.Sampler.Penalties.Repetition = 0 }},
	} {
		e := env(1, nil)
		c.edit(&e)
		if _, err := New(c.name, e); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", c.name, err, want)
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
		d, err := New("ngram", Env{Options: Options{MinN: c.min, MaxN: c.max}})
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
	e.Model = modeltest.Hash{Vocab: 16, Real: 16, Context: 6}
	d, err := New("model", e)
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
			e.Tap = s.(model.HiddenTap)
			d, err := New(name, e)
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
