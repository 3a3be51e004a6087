package verify

import (
	"math"
	"slices"
	"strings"
	"testing"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/sampler"
)

// law is the distribution of some probabilities.
func law(t *testing.T, probs ...float64) sampler.Distribution {
	t.Helper()
	row := make(model.Row, len(probs))
	for i, p := range probs {
		row[i] = float32(math.Log(p))
	}
	b, err := sampler.NewBuilder(sampler.NewConfig(1), len(row), len(row))
	if err != nil {
		t.Fatal(err)
	}
	d, err := b.SamplingDistribution(row, 0, sampler.Position{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// chain drafts tokens, each from q.
func chain(q sampler.Distribution, tokens ...model.Token) draft.Proposal {
	p := draft.Proposal{Tokens: tokens}
	for range tokens {
		p.Dists = append(p.Dists, q)
	}
	return p
}

// judged runs Leviathan with every posterior p, and says how far it was asked.
func judged(t *testing.T, p sampler.Distribution, d draft.Proposal, coin *sampler.PCG32) (Verdict, int, error) {
	t.Helper()
	asked := 0
	v, err := Leviathan{}.Verify(d, func(int) (sampler.Distribution, error) { asked++; return p, nil },
		Streams{Coin: coin, Target: func(depth int) float32 { return .5 }})
	return v, asked, err
}

// Where p(x) >= q(x), and where p(x) = 0, no coin is tossed: a nil one does.
func TestNoCoinWhereTheAnswerIsClear(t *testing.T) {
	p, q := law(t, .5, .5, 0), law(t, .2, .3, .5)
	v, _, err := judged(t, p, chain(q, 0, 1, 0), nil)
	if err != nil || len(v.Path) != 3 || v.Kind != Bonus {
		t.Errorf("p above q: %+v, %v", v, err)
	}
	v, asked, err := judged(t, p, chain(q, 0, 2, 0), nil)
	if err != nil || len(v.Path) != 1 || v.Kind != Correction || asked != 2 {
		t.Errorf("[kept, impossible, kept]: %+v, %d rows asked, %v; want 1 kept, 2 asked", v, asked, err)
	}
}

// p == q keeps everything, at probabilities half precision cannot hold too.
func TestSelfIsKept(t *testing.T) {
	p := law(t, 1-1e-9, 1e-9)
	if v, _, err := judged(t, p, chain(p, 1, 1, 0, 1), nil); err != nil || len(v.Path) != 4 {
		t.Errorf("%+v, %v", v, err)
	}
	tiny, more := law(t, 1-1e-12, 1e-12), law(t, 1-1e-6, 1e-6)
	kept := 0
	coin := sampler.NewStream(1, sampler.CoinStream)
	for range 1000 {
		v, _, err := judged(t, tiny, chain(more, 1), coin)
		if err != nil {
			t.Fatal(err)
		}
		kept += len(v.Path)
	}
	if kept > 5 { // expected .001
		t.Errorf("a token a million times too likely in the draft is kept %d times in 1000", kept)
	}
}

// A drafted token that q cannot give is an error.
func TestImpossibleDraft(t *testing.T) {
	p, q := law(t, .5, .5), law(t, 1, 0)
	if _, _, err := judged(t, p, chain(q, 1), nil); err == nil || !strings.Contains(err.Error(), "q = 0") {
		t.Errorf("%v, want an error that says q = 0", err)
	}
}

// The acceptance rates of leviathan and match are sum min(p, q) and sum p*q.
func TestAcceptanceRates(t *testing.T) {
	p, q := law(t, .5, .3, .2), law(t, .2, .2, .6)
	for name, want := range map[string]float64{"leviathan": .2 + .2 + .2, "match": .5*.2 + .3*.2 + .2*.6} {
		v, err := ByName(name)
		if err != nil {
			t.Fatal(err)
		}
		kept, n := 0, 40_000
		for seed := range uint64(n) {
			x := q.Sample(sampler.NewStream(seed, sampler.DraftStream))
			target := sampler.NewStream(seed, sampler.TargetStream)
			verdict, err := v.Verify(chain(q, x), func(int) (sampler.Distribution, error) { return p, nil },
				Streams{Coin: sampler.NewStream(seed, sampler.CoinStream), Target: target.At})
			if err != nil {
				t.Fatal(err)
			}
			kept += len(verdict.Path)
		}
		got, sd := float64(kept)/float64(n), math.Sqrt(want*(1-want)/float64(n))
		if math.Abs(got-want) > 4*sd {
			t.Errorf("%s keeps %.4f, want %.4f with deviation %.4f", name, got, want, sd)
		}
	}
}

// A verdict says which nodes were judged: under match the siblings up to the one that
// stands, or all of them where none does; under leviathan the chain up to the refusal.
func TestJudged(t *testing.T) {
	only := func(x model.Token) sampler.Distribution { return sampler.Point(x) }
	tree := draft.Proposal{Tokens: []model.Token{1, 2, 3, 4, 5}, Parent: []int{-1, -1, -1, 1, 1}}
	for range tree.Tokens {
		tree.Dists = append(tree.Dists, law(t, .2, .2, .2, .2, .1, .1))
	}
	rng := Streams{Coin: sampler.NewPCG32(1, 1), Target: func(int) float32 { return .5 }}
	for _, c := range []struct {
		rule   Rule
		d      draft.Proposal
		says   map[int]model.Token // the target's token after a node
		path   []int
		judged []int
	}{
		{Match{}, tree, map[int]model.Token{-1: 2, 1: 5, 4: 0}, []int{1, 4}, []int{0, 1, 3, 4}},
		{Match{}, tree, map[int]model.Token{-1: 2, 1: 0}, []int{1}, []int{0, 1, 3, 4}},
		{Match{}, tree, map[int]model.Token{-1: 0}, nil, []int{0, 1, 2}},
		{Leviathan{}, chain(law(t, .5, .5), 0, 1, 0), map[int]model.Token{-1: 0, 0: 0}, []int{0}, []int{0, 1}},
		{Leviathan{}, chain(law(t, .5, .5), 0, 1), map[int]model.Token{-1: 0, 0: 1, 1: 0}, []int{0, 1}, []int{0, 1}},
	} {
		v, err := c.rule.Verify(c.d, func(node int) (sampler.Distribution, error) { return only(c.says[node]), nil }, rng)
		if err != nil || !slices.Equal(v.Path, c.path) || !slices.Equal(v.Judged, c.judged) {
			t.Errorf("%T on %v: path %v, judged %v, want %v and %v (%v)", c.rule, c.says, v.Path, v.Judged, c.path, c.judged, err)
		}
	}
}
