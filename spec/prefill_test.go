package spec_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/model/modeltest"
	"foretoken/spec"
)

// Requests that take a prefill in turn say what they say alone, whoever had it
// before; each counts what computing the prompt took.
func TestPrefill(t *testing.T) {
	slow := slowly{Model: hash, forwards: new(int)}
	s := setup("none")
	s.Target = slow
	prefill, err := s.Prefill(t.Context(), repeats)
	check(t, err)
	defer func() { check(t, prefill.Close()) }()
	for _, name := range draft.Names() {
		for _, k := range []int{0, 3} {
			alone, err := spec.Generate(t.Context(), setup(name), request(k, 20))
			check(t, err)
			s := setup(name)
			_, own := s.Drafter.(draft.TargetOpener)
			if !own {
				s.Target = slow
			}
			r := request(k, 20)
			r.Prefill = prefill
			*slow.forwards = 0
			got, err := spec.Generate(t.Context(), s, r)
			check(t, err)
			if !slices.Equal(got.Tokens, alone.Tokens) || len(got.Rounds) != len(alone.Rounds) {
				t.Errorf("%s K=%d: %v on a prefill, %v alone", name, k, got.Tokens, alone.Tokens)
			}
			if own {
				continue
			}
			if name != "layerskip" && *slow.forwards != len(got.Rounds) {
				t.Errorf("%s K=%d: %d forwards in %d rounds: the prompt is computed anew", name, k, *slow.forwards, len(got.Rounds))
			}
			f := got.Facts
			if f.PrefillTarget < delay || f.FirstToken < f.PrefillTarget || f.Wall < f.Setup+f.PrefillTarget+f.PrefillDraft || f.Setup < 0 || f.Setup > f.Wall-f.PrefillTarget {
				t.Errorf("%s K=%d: %+v, want the prefill's %v in each", name, k, f, delay)
			}
		}
	}
}

// slowly takes a while over more rows than a round has, and counts forwards.
type slowly struct {
	model.Model
	forwards *int
}

const delay = 20 * time.Millisecond

func (m slowly) NewSession() (model.Session, error) {
	s, err := m.Model.NewSession()
	return slowlySession{s, m}, err
}

func (m slowly) FirstLayers(n int) (model.Model, error) { return hash.FirstLayers(n) }

type slowlySession struct {
	model.Session
	m slowly
}

func (s slowlySession) Forward(tokens []model.Token, rows int) (model.Logits, error) {
	if rows == 0 {
		time.Sleep(delay)
	}
	*s.m.forwards++
	return s.Session.Forward(tokens, rows)
}

// Where a session cannot go back to the prompt, the prompt is computed anew.
func TestPrefillThatCannotGoBack(t *testing.T) {
	alone, err := spec.Generate(t.Context(), setup("none"), request(0, 8))
	check(t, err)
	s := setup("none")
	s.Target = stuck{hash}
	prefill, err := s.Prefill(t.Context(), repeats)
	check(t, err)
	for range 2 {
		r := request(0, 8)
		r.Prefill = prefill
		got, err := spec.Generate(t.Context(), s, r)
		check(t, err)
		if !slices.Equal(got.Tokens, alone.Tokens) {
			t.Errorf("%v, want %v", got.Tokens, alone.Tokens)
		}
	}
	check(t, prefill.Close())
}

// stuck never goes back further than a token.
type stuck struct{ modeltest.Hash }

func (m stuck) NewSession() (model.Session, error) {
	s, err := m.Hash.NewSession()
	return stuckSession{s}, err
}

type stuckSession struct{ model.Session }

func (s stuckSession) Trim(n int) error {
	if n < s.Len()-1 {
		return errors.New("stuck")
	}
	return s.Session.Trim(n)
}

func TestPrefillRefuses(t *testing.T) {
	s := setup("none")
	if _, err := s.Prefill(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "empty prompt") {
		t.Errorf("no prompt: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Prefill(ctx, repeats); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	prefill, err := s.Prefill(t.Context(), repeats[:4])
	check(t, err)
	defer prefill.Close()
	r := request(0, 4)
	r.Prefill = prefill
	if _, err := spec.Generate(t.Context(), s, r); err == nil || !strings.Contains(err.Error(), "prefill of another prompt") {
		t.Errorf("another prompt: %v", err)
	}
}
