package spec_test

import (
	"os"
	"runtime/debug"
	"slices"
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
	builder *sampler.Builder // of cfg, shared by the runs of one test; nil: each its own

	fault func(rig, *spec.Decoder) // planted after all is built
}

func (r rig) start(t testing.TB) *spec.Decoder {
	session, err := r.target.NewSession()
	check(t, err)
	info := r.target.Info()
	builder := r.builder
	if builder == nil {
		builder, err = sampler.NewBuilder(r.cfg, info.Vocab, info.Real)
		check(t, err)
	}
	rule, err := verify.New(r.rule)
	check(t, err)
	drafter, err := draft.New(r.drafter, draft.Env{
		Options: draft.Options{Model: r.drafts, Head: r.head, Layers: 1, MinN: 1, MaxN: 2, Blind: r.blind},
		Target:  r.target, Tap: session.(model.HiddenTap), Sampler: r.cfg, RNG: sampler.NewStream(r.seed, sampler.DraftStream),
	})
	check(t, err)
	d := &spec.Decoder{
		Target: session, Drafter: drafter, Verifier: rule, Builder: builder, Engine: r.engine,
		Numbers: sampler.NewStream(r.seed, sampler.TargetStream), Coin: sampler.NewStream(r.seed, sampler.CoinStream),
		Tokens: slices.Concat(r.prompt, r.done), Prompt: len(r.prompt),
		Ends: func(x model.Token) bool { return slices.Contains(r.stop, x) },
	}
	_, _, err = d.Start(t.Context(), verify.Stochastic)
	check(t, err)
	if r.fault != nil {
		r.fault(r, d)
	}
	return d
}

// run emits n tokens and holds the invariant after every round.
func (r rig) run(t testing.TB, k, n int) ([]model.Token, []spec.Round) {
	d := r.start(t)
	var rounds []spec.Round
	for end := len(d.Tokens) + n; len(d.Tokens) < end; {
		round, err := d.Round(t.Context(), k, end-len(d.Tokens))
		check(t, err)
		if d.Target.Len() != len(d.Tokens)-1 {
			t.Fatalf("cache holds %d of %d tokens", d.Target.Len(), len(d.Tokens))
		}
		if round.Emitted() < 1 || round.Judged > round.Drafted || round.Accepted > round.Judged {
			t.Fatalf("round %+v", round)
		}
		rounds = append(rounds, round)
	}
	return d.Tokens[len(r.prompt)+len(r.done):], rounds
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
