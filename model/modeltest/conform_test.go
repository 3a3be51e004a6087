package modeltest

import (
	"strings"
	"testing"

	"foretoken/model"
)

func TestToyModelsConform(t *testing.T) {
	for seed := range uint64(5) {
		for _, m := range []model.Model{
			Hash{Vocab: 18, Real: 16, Layers: 3, Context: 64},
			Hash{Vocab: 16, Real: 16, Salt: 9},
			Markov{Rows: rows, Early: early},
		} {
			if err := Conform(m, seed); err != nil {
				t.Errorf("%s: %v", m.Info().Name, err)
			}
		}
	}
}

var (
	rows  = [][]float32{{0, 1, 2, .5}, {2, 0, 1, 0}, {1, 1.5, 0, .2}, {0, 0, .3, 2}}
	early = [][]float32{{.5, 1, 1, 0}, {1, .5, 1, 1}, {1, 0, 0, 2}, {.1, 2, 0, 0}}
)

// Each planted fault breaks the promise it should.
func TestFaultsAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		fault   func(*faulty)
		promise string
	}{
		"control":                    {func(*faulty) {}, ""},
		"one row, another product":   {func(f *faulty) { f.bend = true }, "divided over calls"},
		"trim leaves one entry":      {func(f *faulty) { f.keepOne = true }, "never been"},
		"trim to too many is taken":  {func(f *faulty) { f.lax = true }, "failed call"},
		"argmax takes the last":      {func(f *faulty) { f.last = true }, "argmaxes"},
		"logits die with their rows": {func(f *faulty) { f.dies = true }, "outlive"},
	} {
		f := faulty{Hash: Hash{Vocab: 16, Real: 16}}
		c.fault(&f)
		err := Conform(f, 1)
		if c.promise == "" && err != nil || c.promise != "" && (err == nil || !strings.Contains(err.Error(), c.promise)) {
			t.Errorf("%s: %v, want a word of %q", name, err, c.promise)
		}
	}
}

// A tolerance forgives rounding and no other fault.
func TestTolerance(t *testing.T) {
	bent := faulty{Hash: Hash{Vocab: 16, Real: 16}, bend: true}
	if err := ConformWithin(bent, 1, 1e-5); err != nil {
		t.Error(err)
	}
	if err := ConformWithin(bent, 1, 1e-7); err == nil {
		t.Error("a difference above the tolerance is forgiven")
	}
	for _, fault := range []func(*faulty){
		func(f *faulty) { f.keepOne = true }, func(f *faulty) { f.lax = true }, func(f *faulty) { f.last = true }, func(f *faulty) { f.dies = true },
	} {
		f := faulty{Hash: Hash{Vocab: 16, Real: 16}}
		fault(&f)
		if ConformWithin(f, 1, 1e-5) == nil {
			t.Errorf("%+v conforms", f)
		}
	}
}

// faulty is a model with one thing wrong.
type faulty struct {
	Hash
	bend, keepOne, lax, last, dies bool
}

func (f faulty) NewSession() (model.Session, error) {
	s, err := f.Hash.NewSession()
	return &faultySession{s, s.(*session), f, nil}, err
}

type faultySession struct {
	model.Session // which forwards no trees
	toy           *session
	faulty
	given logits
}

func (s *faultySession) Forward(tokens []model.Token, rows int) (model.Logits, error) {
	l, err := s.Session.Forward(tokens, rows)
	if err != nil {
		return nil, err
	}
	s.given = l.(logits)
	for _, row := range s.given {
		if s.bend && len(tokens) > 1 {
			row[0] += 1e-6
		}
		row[3], row[7] = 99, 99 // a tie at the top
	}
	return faultyLogits{s.given, s.last}, nil
}

func (s *faultySession) Trim(n int) error {
	if s.dies {
		for _, row := range s.given {
			row[1] = 0
		}
	}
	if s.lax && n > s.Len() {
		return nil
	}
	if s.keepOne && n > 1 && n < s.Len() {
		s.toy.slots[n-1].token = s.toy.slots[n].token
	}
	return s.Session.Trim(n)
}

type faultyLogits struct {
	logits
	last bool
}

func (l faultyLogits) Argmaxes() ([]model.Token, error) {
	ids, err := l.logits.Argmaxes()
	if l.last {
		for i := range ids {
			ids[i] = 7
		}
	}
	return ids, err
}
