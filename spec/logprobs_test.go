package spec_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"foretoken/model"
	"foretoken/sampler"
	"foretoken/sampler/samplertest"
	"foretoken/spec"
)

// Log-probabilities are those of the model's own logits at each token, whatever
// was drafted, and without a draft the very same numbers; a forced token has none.
func TestLogprobs(t *testing.T) {
	top := 3
	for _, temperature := range []float32{0, 1} {
		plain := map[string][]*sampler.Logprobs{}
		eachDrafter(t, func(t *testing.T, s spec.Setup, k int) {
			r := request(k, 24)
			r.Sampler, r.TopLogprobs = config(temperature, true), &top
			r.Engine = sampler.Think(4, 3, samplertest.NoRepeat{Last: 3})
			var streamed []*sampler.Logprobs
			r.Emit = func(c spec.Emission) error { streamed = append(streamed, c.Logprobs...); return nil }
			got, err := spec.Generate(t.Context(), s, r)
			check(t, err)
			if len(got.Logprobs) != len(got.Tokens) || !reflect.DeepEqual(streamed, got.Logprobs) {
				t.Fatalf("%d of %d tokens, %d streamed", len(got.Logprobs), len(got.Tokens), len(streamed))
			}
			closes := slices.Index(got.Tokens, 3)
			for i, lp := range got.Logprobs {
				if lp == nil {
					if i != closes || i != 4 {
						t.Errorf("token %d of %v has none", i, got.Tokens)
					}
					continue
				}
				if i == 4 && closes == 4 {
					t.Errorf("the forced token has %+v", lp)
				}
				if lp.Token != got.Tokens[i] || len(lp.Top) != top {
					t.Errorf("token %d of %v has %+v", i, got.Tokens, lp)
				}
				if want := logSoftmax(t, s.Target, slices.Concat(r.Prompt, got.Tokens[:i]), lp.Token); math.Abs(lp.Logprob-want) > 1e-6 {
					t.Errorf("token %d has %v, want %v", i, lp.Logprob, want)
				}
			}
			if temperature == 0 {
				if want, ok := plain[""]; ok && !reflect.DeepEqual(got.Logprobs, want) {
					t.Error("differ from those of another drafter")
				}
				plain[""] = got.Logprobs
			}
		})
	}
}

func logSoftmax(t *testing.T, m model.Model, history []model.Token, x model.Token) float64 {
	s, err := m.NewSession()
	check(t, err)
	l, err := s.Forward(history, 1)
	check(t, err)
	row := make([]float32, m.Info().Vocab)
	check(t, l.Read(0, row))
	sum := 0.0
	for _, z := range row[:m.Info().Real] {
		sum += math.Exp(float64(z))
	}
	return float64(row[x]) - math.Log(sum)
}

// They are cut with the text.
func TestLogprobsAreCut(t *testing.T) {
	top := 0
	r := request(4, 40)
	r.Text, r.TopLogprobs = &letters{}, &top
	all, err := spec.Generate(t.Context(), setup("ngram"), r)
	check(t, err)
	r.Text, r.Stop = &letters{}, []string{all.Text[10:12]}
	got, err := spec.Generate(t.Context(), setup("ngram"), r)
	check(t, err)
	if got.Finish != spec.FinishStop || len(got.Logprobs) != len(got.Tokens) || !reflect.DeepEqual(got.Logprobs, all.Logprobs[:len(got.Tokens)]) {
		t.Errorf("%s: %d tokens, %d log-probabilities", got.Finish, len(got.Tokens), len(got.Logprobs))
	}
}

// Who does not ask pays nothing: greedy decoding reads no row at all.
func TestNoLogprobsNoReads(t *testing.T) {
	top := 0
	for _, asked := range []*int{nil, &top} {
		reads := 0
		s, r := setup("ngram"), request(4, 24)
		s.Target, r.TopLogprobs = reading{cousin, &reads}, asked // cousin has no padding, whose argmax sends a row to the host
		got, err := spec.Generate(t.Context(), s, r)
		check(t, err)
		if asked == nil && (reads != 0 || got.Logprobs != nil) || asked != nil && reads != 24 {
			t.Errorf("asked %v: %d rows read, %d log-probabilities", asked != nil, reads, len(got.Logprobs))
		}
	}
}

// reading counts the rows that are read.
type reading struct {
	model.Model
	reads *int
}

type readingSession struct {
	model.Session
	reads *int
}

type readingLogits struct {
	model.Logits
	reads *int
}

func (m reading) NewSession() (model.Session, error) {
	s, err := m.Model.NewSession()
	return readingSession{s, m.reads}, err
}

func (s readingSession) Forward(tokens []model.Token, rows int) (model.Logits, error) {
	l, err := s.Session.Forward(tokens, rows)
	return readingLogits{l, s.reads}, err
}

func (l readingLogits) Read(row int, dst []float32) error {
	*l.reads++
	return l.Logits.Read(row, dst)
}
