package modeltest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"foretoken/model"
)

// Conform runs the conformance kit on m: what the contract of model promises,
// bit for bit, on random token sequences. It returns every promise that m broke.
// Optional capabilities are judged where sessions have them.
//
// m needs a context of at least 64 tokens.
func Conform(m model.Model, seed uint64) error { return ConformWithin(m, seed, 0) }

// ConformWithin is Conform for a backend that is not split-invariant: a row may
// differ from what it is one token at a time, by at most tolerance in any logit.
// What is promised of one and the same computation stays bit for bit.
func ConformWithin(m model.Model, seed uint64, tolerance float64) error {
	k := &kit{m, rand.New(rand.NewPCG(seed, 1)), tolerance}
	var errs []error
	for _, c := range promises {
		if err := c.check(k); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", c.name, err))
		}
	}
	return errors.Join(errs...)
}

// kit makes sessions and tokens for the checks.
type kit struct {
	m         model.Model
	rng       *rand.Rand
	tolerance float64 // of a logit
}

var promises = []struct {
	name  string
	check func(*kit) error
}{
	{"a row does not depend on how its tokens were divided over calls", splits},
	{"a trimmed cache is as if the tokens had never been", trims},
	{"a failed call changes nothing", failures},
	{"logits outlive Trim", outlives},
	{"argmaxes are those of the rows, the lowest id on a tie", argmaxes},
	{"a lent row is the row", lends},
	{"sessions do not touch each other", apart},
	{"first layers are a model", firstLayers},
	{"Keep is as if the path alone had been forwarded", keeps},
}

func (k *kit) session(prefix []model.Token) (model.Session, error) {
	s, err := k.m.NewSession()
	if err == nil && len(prefix) > 0 {
		_, err = s.Forward(prefix, 0)
	}
	return s, err
}

// tokens returns n random real ids.
func (k *kit) tokens(n int) []model.Token {
	ids := make([]model.Token, n)
	for i := range ids {
		ids[i] = model.Token(k.rng.IntN(k.m.Info().Real))
	}
	return ids
}

// plain returns the rows of ids forwarded one at a time.
func (k *kit) plain(ids []model.Token) ([][]float32, error) {
	s, err := k.session(nil)
	if err != nil {
		return nil, err
	}
	var rows [][]float32
	for _, t := range ids {
		got, err := k.forward(s, []model.Token{t}, 1)
		if err != nil {
			return nil, err
		}
		rows = append(rows, got...)
	}
	return rows, s.Close()
}

// forward returns the rows that a call gives.
func (k *kit) forward(s model.Session, ids []model.Token, rows int) ([][]float32, error) {
	before := s.Len()
	l, err := s.Forward(ids, rows)
	if err != nil {
		return nil, err
	}
	if s.Len() != before+len(ids) {
		return nil, fmt.Errorf("%d cached after %d and %d more", s.Len(), before, len(ids))
	}
	return k.read(l, rows)
}

func (k *kit) read(l model.Logits, rows int) ([][]float32, error) {
	if err := l.Wait(); err != nil {
		return nil, err
	}
	out := make([][]float32, rows)
	for i := range out {
		out[i] = make([]float32, k.m.Info().Vocab)
		if err := l.Read(i, out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (k *kit) same(what string, got, want [][]float32) error {
	return same(what, got, want, k.tolerance)
}

// same reports the first difference of two sets of rows above a tolerance.
func same(what string, got, want [][]float32, tolerance float64) error {
	if len(got) != len(want) {
		return fmt.Errorf("%s: %d rows, want %d", what, len(got), len(want))
	}
	for r := range want {
		if i := slices.IndexFunc(indices(want[r]), func(i int) bool { return differ(got[r][i], want[r][i], tolerance) }); i >= 0 {
			return fmt.Errorf("%s: logit %d of row %d is %v, want %v", what, i, r, got[r][i], want[r][i])
		}
	}
	return nil
}

func differ(a, b float32, tolerance float64) bool {
	return a != b && !(math.Abs(float64(a)-float64(b)) <= tolerance)
}

func indices(row []float32) []int {
	out := make([]int, len(row))
	for i := range out {
		out[i] = i
	}
	return out
}
