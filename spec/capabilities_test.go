package spec_test

import (
	"slices"
	"strings"
	"testing"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/spec"
)

// A capability below a wrapper is found: a drafter that reads hidden states works through
// one that lets them through, and is refused by name through one that hides them.
func TestWrappersLetCapabilitiesThrough(t *testing.T) {
	want, err := spec.Generate(t.Context(), setup("eagle"), request(3, 20))
	check(t, err)
	s := setup("eagle")
	s.Target = through{hash}
	s.Drafter = &draft.Eagle{Head: draft.HeadRef{Head: plainTarget{s.Drafter.(*draft.Eagle).Head.Head}}}
	got, err := spec.Generate(t.Context(), s, request(3, 20))
	check(t, err)
	if !slices.Equal(got.Tokens, want.Tokens) || len(got.Rounds) != len(want.Rounds) {
		t.Errorf("%v in %d rounds, want %v in %d", got.Tokens, len(got.Rounds), want.Tokens, len(want.Rounds))
	}
	s.Target = stuck{hash}
	if _, err := spec.Generate(t.Context(), s, request(3, 20)); err == nil || !strings.Contains(err.Error(), "keeps hidden states") {
		t.Errorf("%v, want a refusal", err)
	}
}

// plainTarget opens the target's own sessions.
type plainTarget struct{ model.Head }

func (plainTarget) NewTarget(m model.Model) (model.Session, error) { return m.NewSession() }

type through struct{ model.Model }

func (m through) NewSession() (model.Session, error) {
	s, err := m.Model.NewSession()
	return throughSession{s}, err
}

type throughSession struct{ model.Session }

func (s throughSession) Unwrap() any { return s.Session }
