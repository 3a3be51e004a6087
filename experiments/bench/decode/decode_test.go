package decode

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foretoken/draft"
	"foretoken/model"
	"foretoken/model/modeltest"
	"foretoken/results"
	"foretoken/results/jsonl"
	"foretoken/spec"
	"foretoken/stat"
)

// constant is an arm that takes the same time always.
func constant(name string, ms float64, tasks ...Task) Arm {
	return Arm{Name: name, Tasks: tasks, Time: func(_ context.Context, t Task) (Measure, error) {
		return Measure{MS: ms * float64(1+t.Rows), Tokens: 3, Same: true}, nil
	}}
}

// counter is a progress that counts.
type counter struct{ total, done, rows, stops int }

func (c *counter) Start(total, done int) { c.total, c.done = total, done }
func (c *counter) Row(results.Row)       { c.rows++ }
func (c *counter) Stop()                 { c.stops++ }

// span is n rounds of one figure.
func span(x float64, n int) stat.Interval { return stat.Rounds(slices.Repeat([]float64{x}, n)) }

// Rounds hold every arm's every task once, and a task's arms are back to back; ratios are
// within a round.
func TestRun(t *testing.T) {
	texts := []Text{{ID: "x", Domain: "d"}}
	tasks := append(Tasks(8)[:2], Start)
	arms := []Arm{constant("a", 2, append(tasks, TextTasks(texts)...)...), constant("b", 6, tasks...)}
	var c counter
	samples, err := Run(t.Context(), arms, Plan{Rounds: 3, TextRounds: 2, Seed: 1, Store: Memory{}, Progress: &c})
	if want := 3*2*(2+Starts) + 2; err != nil || len(samples) != want || c != (counter{total: want, rows: want, stops: 1}) {
		t.Fatal(len(samples), c, err)
	}
	seen := map[Key]bool{}
	for i, s := range samples {
		if seen[s.Key] {
			t.Errorf("%+v twice", s.Key)
		}
		seen[s.Key] = true
		if i > 0 && s.Arm != samples[i-1].Arm && s.Task != samples[i-1].Task && s.Task == "token" {
			if i+1 < len(samples) && samples[i+1].Task != "token" {
				t.Errorf("%+v is alone", s.Key)
			}
		}
	}
	cs := Compare(arms, samples)
	if len(cs) != 6 || cs[1].Arm != "b" || cs[1].First != span(3, 3) || cs[3].Token != span(6, 3) || cs[3].MS != 36 {
		t.Errorf("%+v", cs)
	}
	if start := cs[5]; start.Task != Start.Name || start.First != span(3, 3*Starts) || !math.IsNaN(start.Token.Value) {
		t.Errorf("%+v", start)
	}
	slow := []Sample{{Key{Arm: "a", Task: "x"}, Measure{MS: 1}}, {Key{Arm: "a", Task: "x", N: 1}, Measure{MS: 10}}, {Key{Arm: "b", Task: "x"}, Measure{MS: 2}}, {Key{Arm: "b", Task: "x", N: 1}, Measure{MS: 20}}}
	if r := ratio(slow, "b", "x", "a", "x"); r != span(2, 2) {
		t.Errorf("%v: samples of a round are not paired", r)
	}
	if text := Table("m", arms, cs).Rows; len(text) != 6 || text[1][3] != "3.00 [3.00, 3.00]" {
		t.Error(text)
	}
	if r := ratio(samples, "a", "token", "a", "nothing"); !math.IsNaN(r.Value) || r.Bounded() {
		t.Error(r)
	}
}

// A run that was broken off goes on where it was, and gives what a whole one gives.
func TestResume(t *testing.T) {
	dir, texts := t.TempDir(), []Text{{ID: "x", Domain: "d"}, {ID: "y", Domain: "d"}}
	h := Header{Bench: "decode", Settings: map[string]string{"--k": "2"}}
	calls := 0
	stop := errors.New("stop")
	arm := Arm{Name: "a", Tasks: TextTasks(texts), Time: func(context.Context, Task) (Measure, error) {
		if calls++; calls == 4 {
			return Measure{}, stop
		}
		return Measure{MS: float64(calls), Tokens: 2, Same: calls%2 == 0}, nil
	}}
	plan := Plan{TextRounds: 3, Seed: 1}
	d, err := Create(dir, h)
	if err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func(string, Header) (*Disk, error){"begun": Create, "taken up": Resume} {
		if _, err := open(dir, h); !errors.Is(err, jsonl.ErrBusy) {
			t.Errorf("a run that is written is %s: %v", name, err)
		}
	}
	plan.Store = d
	if _, err := Run(t.Context(), []Arm{arm}, plan); !errors.Is(err, stop) {
		t.Fatal(err)
	}
	d.Close()
	path := filepath.Join(dir, File)
	whole, _ := os.ReadFile(path)
	if err := os.WriteFile(path, append(whole, `{"sample":{"arm"`...), 0o644); err != nil {
		t.Fatal(err)
	}
	h.Revision = "the next"
	if d, err = Resume(dir, h); err != nil || d.Begun.Revision != "" {
		t.Fatal(d, err)
	}
	var c counter
	plan.Store, plan.Progress = d, &c
	samples, err := Run(t.Context(), []Arm{arm}, plan)
	d.Close()
	if err != nil || len(samples) != 6 || calls != 7 || c.total != 6 || c.done != 3 || c.rows != 3 {
		t.Fatal(len(samples), calls, c, err)
	}
	if d, err = Resume(dir, h); err != nil || len(d.Memory) != 6 {
		t.Fatal(err)
	}
	for _, s := range samples {
		if kept, ok := d.Has(s.Key); !ok || kept != s {
			t.Errorf("%+v was kept as %+v", s, kept)
		}
	}
	d.Close()
}

// What cannot be taken up is said, and left as it is.
func TestResumeRefuses(t *testing.T) {
	h := Header{Bench: "decode", Settings: map[string]string{"--k": "2"}}
	head := `{"bench":"decode","settings":{"--k":"2"},"host":"","revision":""}` + "\n"
	for text, want := range map[string]string{
		"":      "is empty",
		"{}x\n": ":1:",
		strings.Replace(head, "decode", "masks", 1): `bench "masks"`,
		strings.Replace(head, `"2"`, `"3"`, 1):      `begun with --k "3", this is "2"`,
		head + "{\"sample\":{}}\n":                  ":2: 0 ms",
		head + "{\"simple\":{}}\n":                  ":2:",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, File)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Resume(dir, h); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
		if data, _ := os.ReadFile(path); string(data) != text {
			t.Errorf("%q was touched", text)
		}
	}
	if _, err := Resume(t.TempDir(), h); err == nil || !strings.Contains(err.Error(), "broken off") {
		t.Error(err)
	}
}

// Ctrl-C is what ended a run, whatever the arm made of it.
func TestRunIsStopped(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	arm := Arm{Name: "a", Tasks: Tasks(1), Time: func(context.Context, Task) (Measure, error) {
		stop()
		return Measure{}, errors.New("killed")
	}}
	if _, err := Run(ctx, []Arm{arm}, Plan{Rounds: 1, Store: Memory{}}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// This program's arms leave the cache as they found it, decode what they say, and are
// held to plain decoding.
func TestOurs(t *testing.T) {
	m := modeltest.Hash{Vocab: 40, Real: 40, Layers: 2}
	a, closed, err := Ours("ours", m, 20, 16)
	if err != nil {
		t.Fatal(err)
	}
	defer closed()
	for range 2 {
		for _, task := range a.Tasks {
			if got, err := a.Time(t.Context(), task); !(got.MS > 0) || err != nil {
				t.Errorf("%s: %v ms, %v", task.Name, got, err)
			}
		}
	}
	texts := []Text{{ID: "a", Domain: "d", Prompt: []model.Token{1, 2}}, {ID: "b", Domain: "d", Prompt: []model.Token{3}}}
	plain := Speculator{Setup: spec.Setup{Target: m}, Tokens: 9}
	if err := plain.Want(t.Context(), texts, func(x []model.Token) string { return fmt.Sprint(len(x)) }); err != nil {
		t.Fatal(err)
	}
	ngram := plain
	ngram.Setup.Drafter, ngram.K = &draft.Ngram{}, 2
	for _, s := range []Speculator{plain, ngram} {
		arm := s.Arm("x", texts)
		for _, task := range arm.Tasks {
			if got, err := arm.Time(t.Context(), task); !(got.MS > 0) || err != nil || got.Tokens != 9 || !got.Same {
				t.Error(got, err)
			}
		}
	}
	texts[0].Want = slices.Clone(texts[0].Want)
	texts[0].Want[8]++
	if got, err := ngram.Arm("x", texts).Time(t.Context(), TextTasks(texts)[0]); err != nil || got.Same {
		t.Error("another text passes for the same", err)
	}
}

// A draft length without a drafter would be plain decoding under another name.
func TestArmPanics(t *testing.T) {
	for _, bad := range []Speculator{{K: 2}, {Setup: spec.Setup{Drafter: &draft.Ngram{}}}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%T with K=%d is taken", bad.Setup.Drafter, bad.K)
				}
			}()
			bad.Arm("x", nil)
		}()
	}
}

// A process that ends badly has no start.
func TestStarting(t *testing.T) {
	good := Starting("x", true, []string{"WORD=here"}, "/bin/sh", "-c", `test "$WORD" = here`)
	if m, err := good.Time(t.Context(), Start); err != nil || !(m.MS > 0) {
		t.Error(m, err)
	}
	if _, err := Starting("x", true, nil, "/bin/sh", "-c", "echo no; exit 3").Time(t.Context(), Start); err == nil || !strings.Contains(err.Error(), "no") {
		t.Error(err)
	}
}
