package spec_test

import (
	"fmt"
	"slices"
	"testing"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/sampler"
	"foretoken/spec"
	"foretoken/verify"
)

// Trees leave greedy text, and sampled text under a rule that keeps tokens, as plain
// decoding has it, on a toy whose logits depend on every cached token and its place; the
// cache after each round is that of the text.
func TestTreesArePlain(t *testing.T) {
	branched := 0
	for _, temperature := range []float32{0, 1} {
		for name, engine := range engines {
			plain := rig{target: hash, drafter: "none", rule: "leviathan", prompt: repeats, seed: 1, cfg: config(temperature, true), engine: engine}
			want, _ := plain.run(t, 0, 60)
			for shape := range uint64(12) {
				for _, rule := range []verify.Rule{verify.Match{}, siblings{}} {
					if temperature > 0 && rule.Keeps() != verify.Tokens {
						continue
					}
					r := treeRig(hash, cousin, rule, shape)
					r.cfg, r.engine = plain.cfg, engine
					got, rounds := r.run(t, 4, 60)
					if !slices.Equal(got, want) {
						t.Fatalf("%s, %T, shape %d: %v, want %v", name, rule, shape, got, want)
					}
					for _, round := range rounds {
						if round.Judged-round.Accepted > 1 {
							branched++
						}
					}
				}
			}
		}
	}
	if branched < 50 {
		t.Errorf("%d rounds refused several siblings, want many", branched)
	}
}

// The sibling rule keeps the target's law over random trees, with and without a constraint.
func TestSiblingLaw(t *testing.T) {
	for engine := range engines {
		for _, settings := range []string{"temperature", "everything"} {
			t.Run(engine+"/"+settings, func(t *testing.T) {
				t.Parallel()
				r := treeRig(markov, guess, siblings{}, 3)
				r.engine, r.cfg = engines[engine], laws[settings]
				if p, df := lawTail(t, r, engine); p < green {
					t.Errorf("p = %.1e with %d degrees of freedom", p, df)
				}
			})
		}
	}
}

// Faults of trees are seen: rows off by one by the law, and by plain decoding; siblings
// judged by a distribution that forgets the earlier ones by the law.
func TestTreeFaultsAreSeen(t *testing.T) {
	for name, rule := range map[string]verify.Rule{"rows off by one": offByOne{siblings{}}, "forgets refused siblings": forgetful{}} {
		r := treeRig(markov, guess, rule, 3)
		r.cfg = laws["temperature"]
		if p, df := lawTail(t, r, "free"); p > red {
			t.Errorf("%s: p = %.1e with %d degrees of freedom", name, p, df)
		}
	}
	r := treeRig(hash, cousin, offByOne{verify.Match{}}, 3)
	r.cfg = config(0, false)
	plain := rig{target: hash, drafter: "none", rule: "leviathan", prompt: repeats, seed: 1, cfg: r.cfg}
	want, _ := plain.run(t, 0, 60)
	if got, _ := r.run(t, 4, 60); slices.Equal(got, want) {
		t.Error("rows off by one leave greedy text as it is")
	}
}

// forgetful judges every sibling by the whole of p.
type forgetful struct{ siblings }

func (forgetful) Verify(d draft.Proposal, post verify.Posterior, rng verify.Streams) (v verify.Verdict, err error) {
	for node := -1; ; {
		p, err := post(node)
		if err != nil {
			return v, err
		}
		kept, rest := -1, p
		for _, child := range d.Children(node) {
			x, q := d.Tokens[child], d.Dists[child]
			v.Judged = append(v.Judged, child)
			if px := p.Prob(x); px > 0 && float64(rng.Coin.Float32())*q.Prob(x) < px {
				kept = child
				break
			}
			rest = sampler.Residual(p, q)
		}
		if kept < 0 {
			v.Next = rest.Draw(rng.Target(len(v.Path)))
			return v, nil
		}
		v.Path, node = append(v.Path, kept), kept
	}
}

// A round's facts hold for trees whatever cuts the text: judged nodes are those decided on
// before the last token kept, and nothing below it counts.
func TestTreeFacts(t *testing.T) {
	for shape := range uint64(30) {
		r := treeRig(hash, cousin, siblings{}, shape)
		r.cfg = config(1, false)
		whole, _ := r.run(t, 4, 40)
		for i, eos := range whole[:12] {
			if slices.Index(whole, eos) != i {
				continue
			}
			r.stop = []model.Token{eos}
			spy := &recording{}
			r.record = spy
			got, rounds := r.run(t, 4, 40)
			if !slices.Equal(got, whole[:i+1]) {
				t.Fatalf("shape %d: %v, want %v", shape, got, whole[:i+1])
			}
			if err := spy.holds(rounds, len(got)); err != nil {
				t.Fatalf("shape %d, end at %d: %v", shape, i, err)
			}
		}
		r.stop = nil
	}
}

// recording keeps what each round decided.
type recording struct{ decisions []spec.Decision }

func (r *recording) Record(d spec.Decision) error {
	d.Verdict.Path, d.Verdict.Judged = slices.Clone(d.Verdict.Path), slices.Clone(d.Verdict.Judged)
	d.Proposal.Parent = slices.Clone(d.Proposal.Parent)
	r.decisions = append(r.decisions, d)
	return nil
}

// holds counts each round again, from its decision and the tokens of it that stand.
func (r *recording) holds(rounds []spec.Round, tokens int) error {
	if len(rounds) != len(r.decisions) {
		return fmt.Errorf("%d rounds, %d decisions", len(rounds), len(r.decisions))
	}
	for i, d := range r.decisions {
		stand := max(0, min(tokens-d.At, len(d.Verdict.Path)+1))
		judged := 0
		for _, node := range d.Verdict.Judged {
			if len(d.Proposal.Path(node)) <= stand { // those deeper are below the end
				judged++
			}
		}
		got := rounds[i]
		if want := min(stand, len(d.Verdict.Path)); got.Accepted != want || got.Judged != judged || got.Emitted() != stand {
			return fmt.Errorf("round %d: %+v, want accepted %d, judged %d, emitted %d", i, got, want, judged, stand)
		}
	}
	return nil
}
