//go:build models

package spec_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/modeltest"
	"foretoken/model/ref"
	"foretoken/sampler"
	"foretoken/spec"
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
