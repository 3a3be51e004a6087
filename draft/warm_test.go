package draft

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"foretoken/model"
	"foretoken/sampler"
	"foretoken/sampler/samplertest"
)

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
