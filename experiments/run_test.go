package experiments

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"foretoken/results"
)

func (c *counting) Row(results.Row) {
	if c.rows++; c.rows == c.after {
		c.do()
	}
}

const toyConfig = `target: toy
drafters:
  - {name: ngram, max_n: 2}
  - {name: model, model: cousin, label: cousin}
  - {name: model, model: toy, label: self}
k: [1, 3]
verifiers: [leviathan, match]
stochastic: true
temperatures: [0, 0.8]
seeds: [1, 2]
prompts: [{file: p.jsonl, limit: 3}]
max_tokens: 12
`

const toyPrompts = `{"id": "a1", "domain": "a", "prompt": "one one one"}
{"id": "a2", "domain": "a", "prompt": "two", "raw": true}
{"id": "b1", "domain": "b", "messages": [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]}
{"id": "a3", "domain": "a", "prompt": "three"}
{"id": "a4", "domain": "a", "prompt": "beyond the limit"}
`

// toyRun lays a config and its prompts in a folder.
func toyRun(t *testing.T, config string) (Config, Options) {
	t.Helper()
	dir := t.TempDir()
	o := Options{Open: toys, ConfigFile: filepath.Join(dir, "toy.yaml"), Dir: filepath.Join(dir, "run")}
	put(t, filepath.Join(dir, "p.jsonl"), toyPrompts)
	c, err := Parse(o.ConfigFile, []byte(config))
	if err != nil {
		t.Fatal(err)
	}
	return c, o
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// A whole run on toy models: every row is there, tokens are the control's where
// they have to be, and the target as its own draft has everything accepted.
func TestRun(t *testing.T) {
	c, o := toyRun(t, toyConfig)
	if err := Run(t.Context(), c, o); err != nil {
		t.Fatal(err)
	}
	run, err := results.Read(o.Dir)
	if err != nil {
		t.Fatal(err)
	}
	const arms = 1 + 3*2*2
	if want := 4*arms + 4*arms*2; len(run.Rows) != want || run.Header.Rows != want || len(run.Header.Arms) != 2*arms {
		t.Fatalf("%d rows of %d, %d arms, want %d and %d", len(run.Rows), run.Header.Rows, len(run.Header.Arms), want, 2*arms)
	}
	s := results.Summarise(run)
	differ := 0
	for _, a := range s.Arms {
		p := results.CountParity(a.Parity, "")
		if a.Arm.Exact() && p.Equal != a.Requests {
			t.Errorf("%s: parity %v, want all of %d", a.Arm.ID, p, a.Requests)
		}
		differ += p.LawOnly
		if a.Arm.Drafter == "self" && a.Arm.Verifier == "leviathan" && a.Judged != a.Accepted {
			t.Errorf("%s: accepted %d of %d", a.Arm.ID, a.Accepted, a.Judged)
		}
		if a.Arm.Control() != (a.Drafted == 0) {
			t.Errorf("%s: drafted %d", a.Arm.ID, a.Drafted)
		}
	}
	texts := texts(t, o.Dir)
	for k, text := range texts {
		other := k
		if other.Seed = 2; k.Seed == 1 && strings.HasPrefix(k.Arm, "plain/t=0.8") && texts[other] == text {
			t.Errorf("%s has the same text with seed 2", k)
		}
	}
	if differ == 0 {
		t.Error("no sampled arm under leviathan differs from its control: seeds or arms are mixed up")
	}
	if got := run.Header.Prompts[0].Domains; !reflect.DeepEqual(got, map[string]int{"a": 3, "b": 1}) {
		t.Errorf("domains %v", got)
	}
	if len(run.Header.Models) != 3 || run.Header.Models[0].Info.Name != "hash" || run.Header.Versions["go"] == "" || run.Header.Host.Cores < 1 {
		t.Errorf("header %+v", run.Header)
	}
}

// Arms are interleaved: within a prompt every arm comes once, and they take turns
// at being first.
func TestOrder(t *testing.T) {
	c, _ := toyRun(t, toyConfig)
	arms := c.arms()
	first := map[int]int{}
	for _, b := range c.blocks(arms, 40) {
		first[b.arms[0]]++
		seen := map[int]bool{}
		for _, i := range b.arms {
			seen[i] = true
		}
		if len(seen) != len(b.arms) {
			t.Fatalf("block %+v runs an arm twice", b)
		}
	}
	if len(first) != len(arms) {
		t.Errorf("%d of %d arms are ever first", len(first), len(arms))
	}
}

// An interrupted run is readable, and taken up it ends as one that was never
// interrupted, also where its last row was cut.
func TestResume(t *testing.T) {
	c, o := toyRun(t, toyConfig)
	whole := o
	whole.Dir += "-whole"
	if err := Run(t.Context(), c, whole); err != nil {
		t.Fatal(err)
	}
	want := texts(t, whole.Dir)

	ctx, cancel := context.WithCancel(t.Context())
	stop := &counting{after: 17, do: cancel}
	o.Progress = stop
	if err := Run(ctx, c, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("interrupted: %v", err)
	}
	if got := texts(t, o.Dir); len(got) != 17 {
		t.Fatalf("%d rows after the interruption, want 17", len(got))
	}
	rows := filepath.Join(o.Dir, "rows.jsonl")
	data, err := os.ReadFile(rows)
	if err != nil {
		t.Fatal(err)
	}
	put(t, rows, string(data[:len(data)-30]))

	again := &counting{}
	o.Resume, o.Progress = true, again
	if err := Run(t.Context(), c, o); err != nil {
		t.Fatal(err)
	}
	if got := texts(t, o.Dir); !reflect.DeepEqual(got, want) {
		t.Errorf("the resumed run has %d rows, the whole one %d, or texts differ", len(got), len(want))
	}
	if again.rows != len(want)-16 || !again.noted("warming up") {
		t.Errorf("%d rows came after resuming, want %d", again.rows, len(want)-16)
	}
	whole.Resume = true
	if err := Run(t.Context(), c, whole); err != nil {
		t.Errorf("taking up a whole run: %v", err)
	}
}

func texts(t *testing.T, dir string) map[results.Key]string {
	t.Helper()
	run, err := results.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[results.Key]string{}
	for _, r := range run.Rows {
		out[r.Key()] = r.Text
	}
	return out
}

// A run is taken up only with its own config, prompts and models, and is never
// begun over another.
func TestResumeRefuses(t *testing.T) {
	const small = "target: toy\nprompts: [{file: p.jsonl, limit: 1}]\nmax_tokens: 3\n"
	c, o := toyRun(t, small)
	if err := Run(t.Context(), c, o); err != nil {
		t.Fatal(err)
	}
	if err := Run(t.Context(), c, o); !errors.Is(err, results.ErrExists) {
		t.Errorf("over a run: %v", err)
	}
	o.Resume = true
	other := c
	other.MaxTokens = 4
	refused(t, Run(t.Context(), other, o), "its config has another max_tokens")
	prompts := filepath.Join(filepath.Dir(o.ConfigFile), "p.jsonl")
	put(t, prompts, strings.Replace(toyPrompts, "one one", "eins", 1))
	refused(t, Run(t.Context(), c, o), "the prompts in p.jsonl have changed")
	put(t, prompts, toyPrompts)
	o.Open = func(string) (*Opened, error) { return toys("cousin") }
	refused(t, Run(t.Context(), c, o), "the model toy is another")
}

// Whatever a model is made of may not change between the halves of a run, and the message
// names it.
func TestResumeNamesTheFile(t *testing.T) {
	c, o := toyRun(t, "target: toy\nk: [2]\ndrafters: [{name: model, model: cousin}, {name: eagle, head: crown}]\nprompts: [{file: p.jsonl, limit: 1}]\nmax_tokens: 3\n")
	files := map[string]map[string]string{
		"toy":    {"model.safetensors": "1", "tokenizer.json": "2", "chat_template.jinja": "3"},
		"cousin": {"model.gguf": "4"}, "crown": {"config.json": "5"},
	}
	o.Hashes = func(ref string) (map[string]string, error) { return maps.Clone(files[ref]), nil }
	if err := Run(t.Context(), c, o); err != nil {
		t.Fatal(err)
	}
	o.Resume = true
	if err := Run(t.Context(), c, o); err != nil {
		t.Errorf("nothing has changed: %v", err)
	}
	for ref := range files {
		for name, sum := range files[ref] {
			files[ref][name] = "changed"
			refused(t, Run(t.Context(), c, o), "the model "+ref+": "+name+" has changed since the run began")
			delete(files[ref], name)
			refused(t, Run(t.Context(), c, o), "the model "+ref+": "+name+" is gone since the run began")
			files[ref][name] = sum
		}
		files[ref]["added.json"] = "6"
		refused(t, Run(t.Context(), c, o), "the model "+ref+": added.json is new since the run began")
		delete(files[ref], "added.json")
	}
	own, file, err := ConfigOf(o.Dir)
	if err != nil || file != o.ConfigFile || !reflect.DeepEqual(own, c) {
		t.Errorf("the run's own config is %+v of %s, want %+v (%v)", own, file, c, err)
	}
}

func refused(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %q", err, want)
	}
}

// A head drafts, and its facts are in the header.
func TestRunWithHead(t *testing.T) {
	c, o := toyRun(t, "target: toy\nk: [1, 3]\ndrafters: [{name: eagle, head: crown}]\nprompts: [{file: p.jsonl}]\n")
	if err := Run(t.Context(), c, o); err != nil {
		t.Fatal(err)
	}
	run, err := results.Read(o.Dir)
	if err != nil {
		t.Fatal(err)
	}
	accepted := 0
	for _, row := range run.Rows {
		for _, r := range row.Rounds {
			accepted += r.Accepted
		}
	}
	if m := run.Header.Models; len(m) != 2 || m[1].Ref != "crown" || m[1].Role != "eagle:crown" || accepted == 0 {
		t.Errorf("models %+v, %d accepted", m, accepted)
	}
}

// What cannot run is refused before a folder is made.
func TestRunRefuses(t *testing.T) {
	for config, want := range map[string]string{
		"target: nobody\nprompts: [{file: p.jsonl}]\n":                                                "no toy nobody",
		"target: toy\nprompts: [{file: q.jsonl}]\n":                                                   "q.jsonl: is in none of",
		"target: toy\nprompts: [{file: p.jsonl, domains: [c]}]\n":                                     `has no prompt of domain "c", has ["a" "b"]`,
		"target: toy\nk: 1\ndrafters: [{name: layerskip, layers: 99}]\nprompts: [{file: p.jsonl}]\n":  "drafter layerskip-99 for toy: draft: layerskip: 99 layers of 1",
		"target: toy\nthinking_budget: 3\nprompts: [{file: p.jsonl}]\n":                               "a thinking budget of 3: toy has no token for <think>",
		"target: toy\nk: 1\ndrafters: [{name: eagle, head: hat}]\nprompts: [{file: p.jsonl}]\n":       "drafter eagle:hat for toy: hat: no such head",
		"target: cousin\nk: 1\ndrafters: [{name: eagle, head: crown}]\nprompts: [{file: p.jsonl}]\n":  "drafter eagle:crown for cousin: crown: the backend of cousin cannot load draft heads",
		"target: toy\nk: 1\ndrafters: [{name: model, model: stranger}]\nprompts: [{file: p.jsonl}]\n": `token 65 is "A" in the target and "odd" in the draft (1 of 128 ids differ)`,
	} {
		c, o := toyRun(t, config)
		refused(t, Run(t.Context(), c, o), want)
		if _, err := os.Stat(o.Dir); err == nil {
			t.Errorf("%q left a folder", config)
		}
	}
}

func TestComparePair(t *testing.T) {
	for _, c := range []struct {
		target, draft letters
		want          string
	}{
		{letters{size: 128}, letters{size: 128}, ""},
		{letters{size: 128}, letters{size: 100}, ""},
		{letters{size: 100}, letters{size: 128}, `token 100 is "" in the target and "d" in the draft`},
		{letters{size: 128}, letters{size: 128, odd: 70}, `token 70 is "F" in the target and "odd" in the draft (1 of 128 ids differ)`},
	} {
		err := ComparePair(c.target, c.draft)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v with %+v: %v, want %q", c.target, c.draft, err, c.want)
		}
	}
}

func TestPlainProgress(t *testing.T) {
	var out bytes.Buffer
	p := NewProgress(&out, false)
	p.Start(3, 1)
	p.Row(results.Row{Arm: "x", Prompt: "p"})
	p.Row(results.Row{Arm: "y", Prompt: "q"})
	p.Stop()
	got := out.String()
	if !strings.Contains(got, "2/3 rows") || !strings.Contains(got, "3/3 rows, 0s left (y, q: 0 tokens)\n") || strings.Contains(got, "\r") {
		t.Errorf("printed %q", got)
	}
}

// A bar ends, whether the run got to its end or not.
func TestBarEnds(t *testing.T) {
	for _, rows := range []int{1, 2} {
		var out bytes.Buffer
		p := NewProgress(&out, true)
		p.Start(2, 0)
		for range rows {
			p.Row(results.Row{Arm: "x"})
		}
		ended := make(chan bool)
		go func() { p.Stop(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			t.Fatal("the bar hangs")
		}
	}
}
