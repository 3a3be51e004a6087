package spec_test

import (
	"os"
	"runtime/debug"
	"testing"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/model/modeltest"
	"foretoken/sampler"
	"foretoken/sampler/samplertest"
	"foretoken/spec"
	"foretoken/verify"
)

// The output laws make millions of small requests: collecting behind each takes a
// third of their time.
func TestMain(m *testing.M) {
	debug.SetGCPercent(800)
	os.Exit(m.Run())
}

// A rig is one request, said in a line.
type rig struct {
	target  model.Model
	drafts  model.Model
	head    model.Head
	drafter string
	rule    string
	blind   bool
	cfg     sampler.Config
	engine  sampler.ConstraintEngine
	prompt  []model.Token
	done    []model.Token // generated before
	stop    []model.Token
	seed    uint64
	lengths spec.LengthPolicy
	record  spec.Recorder

	fault func(rig, *spec.Setup, *spec.Request) // planted after all is said
}

// parts are the values that the names of a rig stand for.
func (r rig) parts(t testing.TB, k, n int) (spec.Setup, spec.Request) {
	rule, err := verify.ByName(r.rule)
	check(t, err)
	s := spec.Setup{Target: r.target, Drafter: r.factory(t), Rule: rule, Policy: verify.Stochastic, Lengths: r.lengths, Recorder: r.record}
	q := spec.Request{Prompt: r.prompt, Resumed: r.done, K: k, MaxTokens: n, Sampler: r.cfg, Seed: r.seed, EOS: r.stop, Engine: r.engine}
	if r.fault != nil {
		r.fault(r, &s, &q)
	}
	return s, q
}

func (r rig) factory(t testing.TB) draft.Factory {
	f, err := draft.ByName(r.drafter)
	check(t, err)
	switch f := f.(type) {
	case *draft.Model:
		f.Draft.Model, f.Blind = r.drafts, r.blind
	case *draft.LayerSkip:
		f.Layers, f.Blind = 1, r.blind
	case *draft.Eagle:
		f.Head.Head, f.Blind = r.head, r.blind
	case *draft.Ngram:
		f.MaxN = 2
	}
	return f
}

// open begins a generation of at most n tokens.
func (r rig) open(t testing.TB, k, n int) *spec.Generation {
	s, q := r.parts(t, k, n)
	g, err := spec.Open(t.Context(), s, q)
	check(t, err)
	return g
}

// step is a round on its own: without stop strings it is final at once.
func step(t testing.TB, g *spec.Generation) spec.Round {
	s, err := g.Begin(t.Context())
	check(t, err)
	l, err := s.Forward()
	check(t, err)
	e, err := s.Settle(l)
	check(t, err)
	if len(e.Rounds) != 1 || len(e.Tokens) != e.Rounds[0].Emitted() {
		t.Fatalf("%d tokens and rounds %+v come of a step", len(e.Tokens), e.Rounds)
	}
	return e.Rounds[0]
}

// run emits n tokens and holds the invariant after every round.
func (r rig) run(t testing.TB, k, n int) ([]model.Token, []spec.Round) {
	g := r.open(t, k, n)
	before := len(r.prompt) + len(r.done)
	var rounds []spec.Round
	for !g.Done() {
		s, err := g.Begin(t.Context())
		check(t, err)
		l, err := s.Forward()
		check(t, err)
		e, err := s.Settle(l)
		check(t, err)
		if cached, all := s.Session.Len(), before+len(g.Tokens()); cached != all-1 {
			t.Fatalf("cache holds %d of %d tokens", cached, all)
		}
		for _, round := range e.Rounds {
			if round.Emitted() < 1 || round.Judged > round.Drafted || round.Accepted > round.Judged {
				t.Fatalf("round %+v", round)
			}
		}
		rounds = append(rounds, e.Rounds...)
	}
	check(t, g.Close())
	return g.Tokens(), rounds
}

// lengthFunc is a length policy.
type lengthFunc func(k int, past []spec.Round) int

func (f lengthFunc) Length(k int, past []spec.Round) int { return f(k, past) }

// drafting is a factory whose drafters are wrapped.
type drafting struct {
	draft.Factory
	wrap func(draft.Drafter) draft.Drafter
}

func (f drafting) Unwrap() any { return f.Factory }

func (f drafting) New(e draft.Env) (draft.Drafter, error) {
	d, err := f.Factory.New(e)
	if err != nil {
		return nil, err
	}
	return f.wrap(d), nil
}

// wrapDrafter makes a fault of a drafter that is wrapped.
func wrapDrafter(wrap func(draft.Drafter) draft.Drafter) func(rig, *spec.Setup, *spec.Request) {
	return func(_ rig, s *spec.Setup, _ *spec.Request) { s.Drafter = drafting{s.Drafter, wrap} }
}

func wrapRule(wrap func(verify.Rule) verify.Rule) func(rig, *spec.Setup, *spec.Request) {
	return func(_ rig, s *spec.Setup, _ *spec.Request) { s.Rule = wrap(s.Rule) }
}

func check(t testing.TB, err error) {
	if err != nil {
		t.Helper()
		t.Fatal(err)
	}
}

var (
	hash   = modeltest.Hash{Vocab: 18, Real: 16, Layers: 3}
	cousin = modeltest.Hash{Vocab: 16, Real: 16, Salt: 1}
	markov = modeltest.Markov{Rows: [][]float32{{0, 1, 2, .5}, {2, 0, 1, 0}, {1, 1.5, 0, .2}, {0, 0, .3, 2}}, Early: guess.Rows}
	guess  = modeltest.Markov{Rows: [][]float32{{.5, 1, 1, 0}, {1, .5, 1, 1}, {1, 0, 0, 2}, {.1, 2, 0, 0}}}

	repeats = []model.Token{0, 1, 2, 1, 2, 1, 2, 1, 1, 2, 1}
)

// config has every penalty, and a window shorter than the text, or none.
func config(temperature float32, penalties bool) sampler.Config {
	c := sampler.NewConfig(temperature)
	if penalties {
		c.Penalties = sampler.Penalties{Repetition: 1.6, Presence: .4, Frequency: .3, Window: 3}
	}
	return c
}

// engines by name; each starts after the last token of a prompt.
var engines = map[string]sampler.ConstraintEngine{
	"free":    nil,
	"grammar": samplertest.NoRepeat{Last: 1},
	"think":   sampler.Think(2, 3, samplertest.NoRepeat{Last: 3}),
}

// drafters are all of them: registering one tests it. Markov has no hidden state
// for a head to read, so a small Hash stands in for it.
func drafters(target, drafts model.Model) map[string]rig {
	out := map[string]rig{}
	for _, name := range draft.Names() {
		r := rig{target: target, drafts: drafts, drafter: name, rule: "leviathan", prompt: repeats, seed: 1}
		if name == "eagle" {
			of, ok := target.(modeltest.Hash)
			if !ok {
				of = modeltest.Hash{Vocab: 4, Real: 4}
			}
			r.target, r.head = of, modeltest.Head{Of: of, Noise: .5}
		}
		out[name] = r
	}
	return out
}
