//go:build models

package spec_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/modeltest"
	"foretoken/model/ref"
	"foretoken/sampler"
	"foretoken/spec"
	"foretoken/verify"
)

var perDomain = flag.Int("each", 0, "compare all arms on this many prompts of each domain, at most 4, and write results/kept/identity")

// A prompt of the golden file of model/ref, which has four of each domain.
type smolPrompt struct {
	ID, Domain string
	Prompt     []model.Token
}

// An arm is a way to decode that must not change the text.
type arm struct {
	name string // for people
	rule string
	cfg  sampler.Config
}

// id is for test names.
func (a arm) id() string { return strings.NewReplacer(", ", "-", "temperature ", "").Replace(a.name) }

func arms() (out []arm) {
	penalties := sampler.Penalties{Repetition: 1.2, Presence: .3, Frequency: .2, Window: sampler.DefaultWindow}
	for _, rule := range []string{"leviathan", "match"} {
		for _, name := range []string{"", ", penalties"} {
			a := arm{rule: rule, cfg: sampler.NewConfig(0)}
			if rule == "match" {
				a.cfg.Temperature, a.cfg.TopP = .8, .95
			}
			if name != "" {
				a.cfg.Penalties = penalties
			}
			a.name = fmt.Sprintf("%s, temperature %g%s", rule, a.cfg.Temperature, name)
			out = append(out, a)
		}
	}
	return out
}

// A tally is of one arm, drafter and K.
type tally struct {
	requests, same, tokens   int
	rounds, judged, accepted int
}

func (y *tally) add(got spec.Result, same bool) {
	y.requests++
	y.tokens += len(got.Tokens)
	y.rounds += len(got.Rounds)
	if same {
		y.same++
	}
	for _, r := range got.Rounds {
		y.judged += r.Judged
		y.accepted += r.Accepted
	}
}

func (y tally) row(a arm, drafter string, k int) string {
	return fmt.Sprintf("| %s | %s | %d | %d/%d | %d | %d/%d | %.2f |", a.name, drafter, k,
		y.same, y.requests, y.tokens, y.accepted, y.judged, float64(y.tokens)/float64(y.rounds))
}

// Speculation emits the very tokens of plain decoding, whatever drafts, at any K.
func TestIdentity(t *testing.T) {
	target, eos := openSmol(t)
	l := line{target: target, eos: eos, tokens: 48, prompts: shortForm(smolPrompts(t)), ks: []int{1, 2, 5, 8}}
	arms := arms()
	if *perDomain > 0 {
		l.prompts = ofEachDomain(smolPrompts(t), *perDomain)
	} else {
		arms = slices.Delete(arms, 2, 3) // match is compared under penalties alone
	}
	for _, a := range arms {
		t.Run(a.id(), func(t *testing.T) { l.compare(t, a) })
	}
	if *perDomain > 0 && !t.Failed() {
		l.write(t)
	}
}

// A line is what every arm is compared on.
type line struct {
	target  model.Model
	eos     []model.Token
	prompts []smolPrompt
	ks      []int
	tokens  int
	table   strings.Builder
}

// smolDrafters are compared; layerskip drafts with four fifths of the layers, so
// that it is often right and often wrong.
var smolDrafters = []string{"ngram", "layerskip", "model"}

const smolSkip = 24

func (l *line) generate(t *testing.T, a arm, p smolPrompt, drafter string, k int) spec.Result {
	t.Helper()
	factories := map[string]draft.Factory{"ngram": &draft.Ngram{}, "layerskip": &draft.LayerSkip{Layers: smolSkip}, "model": drafts(l.target)}
	rule, err := verify.ByName(a.rule)
	check(t, err)
	s := spec.Setup{Target: l.target, Drafter: factories[drafter], Rule: rule, Policy: verify.Stochastic}
	got, err := spec.Generate(t.Context(), s, spec.Request{Prompt: p.Prompt, K: k, MaxTokens: l.tokens,
		Sampler: a.cfg, Seed: sampler.DefaultSeed, EOS: l.eos})
	check(t, err)
	return got
}

func (l *line) compare(t *testing.T, a arm) {
	plain := map[string][]model.Token{}
	for _, p := range l.prompts {
		plain[p.ID] = l.generate(t, a, p, "none", 0).Tokens
	}
	for _, drafter := range smolDrafters {
		t.Run(drafter, func(t *testing.T) {
			for _, k := range l.ks {
				row := l.tally(t, a, drafter, k, plain).row(a, drafter, k)
				t.Log(row)
				l.table.WriteString(row + "\n")
			}
		})
	}
}

// tally compares one drafter at one K.
func (l *line) tally(t *testing.T, a arm, drafter string, k int, plain map[string][]model.Token) (y tally) {
	for _, p := range l.prompts {
		got, want := l.generate(t, a, p, drafter, k), plain[p.ID]
		same := slices.Equal(got.Tokens, want)
		y.add(got, same)
		if !same {
			t.Errorf("K = %d, %s: leaves plain decoding at token %d of %d", k, p.ID, model.Common(got.Tokens, want), len(want))
		}
	}
	// The target never refuses what it would say itself.
	if drafter == "model" && a.cfg.Greedy() && y.accepted != y.judged {
		t.Errorf("K = %d: accepted %d of %d judged", k, y.accepted, y.judged)
	}
	if y.judged == 0 {
		t.Errorf("K = %d: nothing was drafted", k)
	}
	return y
}

// At a temperature the draft's distributions are the target's own when the target
// drafts: the rule of Leviathan then refuses nothing.
func TestSelfDraftIsAccepted(t *testing.T) {
	target, eos := openSmol(t)
	s := spec.Setup{Target: target, Drafter: drafts(target), Policy: verify.Stochastic}
	var y tally
	for i, p := range smolPrompts(t) {
		if i%4 > 0 {
			continue
		}
		cfg := arms()[3].cfg // every filter and penalty
		cfg.TopK, cfg.MinP = 50, .02
		got, err := spec.Generate(t.Context(), s, spec.Request{Prompt: p.Prompt, K: 5, MaxTokens: 48, Sampler: cfg, Seed: 1, EOS: eos})
		check(t, err)
		y.add(got, true)
	}
	if y.judged < 100 || y.accepted != y.judged {
		t.Errorf("accepted %d of %d judged, want all of at least 100", y.accepted, y.judged)
	}
}

func openSmol(t testing.TB) (target model.Model, eos []model.Token) {
	t.Helper()
	c := smolCheckpoint(t)
	defer c.Close()
	target, err := ref.New(c)
	check(t, err)
	return target, c.Config.EOS
}

// smolCheckpoint is what make models got, for the caller to close.
func smolCheckpoint(t testing.TB) *checkpoint.Checkpoint {
	t.Helper()
	c, err := checkpoint.Open(modeltest.SmolLM2(t))
	check(t, err)
	return c
}

func smolPrompts(t testing.TB) []smolPrompt {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "model", "ref", "testdata", "smollm2_greedy.json"))
	check(t, err)
	var golden struct{ Prompts []smolPrompt }
	check(t, json.Unmarshal(data, &golden))
	return golden.Prompts
}

// shortForm keeps 12 prompts: two of each domain, and a third of the first two.
func shortForm(all []smolPrompt) (out []smolPrompt) {
	for i, p := range all {
		if i%4 < 2 || i == 2 || i == 6 {
			out = append(out, p)
		}
	}
	return out
}

// ofEachDomain keeps n prompts of each domain.
func ofEachDomain(all []smolPrompt, n int) (out []smolPrompt) {
	have := map[string]int{}
	for _, p := range all {
		if have[p.Domain]++; have[p.Domain] <= n {
			out = append(out, p)
		}
	}
	return out
}

func (l *line) write(t *testing.T) {
	t.Helper()
	text := fmt.Sprintf(`# Token identity

Made by "make identity EACH=%d": %s, the reference backend, %d prompts of all domains, up to %d tokens each.

- Same: requests whose tokens are those of plain decoding (K = 0), of all.
- Accepted: drafted tokens emitted, of those judged. What follows a refusal never was.
- layerskip drafts with the first %d of %d layers, model with the target itself.

| decoding | drafter | K | same | tokens | accepted | tokens per round |
|---|---|---|---|---|---|---|
%s`, *perDomain, l.target.Info().Name, len(l.prompts), l.tokens, smolSkip, l.target.Info().Layers, l.table.String())
	dir := filepath.Join("..", "results", "kept", "identity")
	check(t, os.MkdirAll(dir, 0o755))
	part := filepath.Join(dir, "identity.md.part")
	check(t, os.WriteFile(part, []byte(text), 0o644))
	check(t, os.Rename(part, filepath.Join(dir, "identity.md")))
}
