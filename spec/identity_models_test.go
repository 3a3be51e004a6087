//go:build models

package spec_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/sampler"
	"foretoken/spec"
	"foretoken/verify"
)

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
