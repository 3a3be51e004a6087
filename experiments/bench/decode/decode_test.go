package decode

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foretoken/model"
	"foretoken/model/modeltest"
	"foretoken/spec"
)

// fake stands for llama.cpp: programs that print what it prints.
func fake(t *testing.T, programs map[string]string) Llama {
	t.Helper()
	dir := t.TempDir()
	for name, prints := range programs {
		script := "#!/bin/sh\necho \"$@\" >> " + filepath.Join(dir, "calls") + "\ncat <<'END'\n" + prints + "\nEND\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return Llama{Folder: dir, Threads: 2}
}

const bench = `warming up
[{"n_prompt": 0, "samples_ns": [ 64000000, 96000000, 320000000 ]}]`

// Times are those of the programs, a token's where a task is of tokens, and they were
// asked for what the task says.
func TestLlama(t *testing.T) {
	l := fake(t, map[string]string{"llama-bench": bench, "llama-lookup": "n_draft = 2\ndecoded   50 tokens in    0.250 seconds, speed: 200 t/s"})
	a := l.Arm("m.gguf", 200, 64)
	for i, want := range []float64{3, 96, 96, 1.5} {
		if got, err := a.Time(t.Context(), a.Tasks[i]); got != want || err != nil {
			t.Errorf("%s: %v ms (%v), want %v", a.Tasks[i].Name, got, err, want)
		}
	}
	calls, err := os.ReadFile(filepath.Join(l.Folder, "calls"))
	if err != nil || !strings.Contains(string(calls), "-p 5 -n 0 -d 200") || !strings.Contains(string(calls), "-p 64 -n 0 -d 0") || !strings.Contains(string(calls), "-p 0 -n 32 -d 200") {
		t.Errorf("%v: %s", err, calls)
	}
	texts := l.Texts("lookup", "llama-lookup", "m.gguf", []string{"a", "b"}, 50)
	if got, err := texts.Time(t.Context(), Speculation); got != 5 || err != nil {
		t.Errorf("%v ms (%v), want 5", got, err)
	}
	if m := l.Missing("llama-bench", "llama-nothing"); len(m) != 1 || m[0] != "llama-nothing" {
		t.Error(m)
	}
}

// What the programs print and is not understood is shown.
func TestLlamaIsStrange(t *testing.T) {
	l := fake(t, map[string]string{"llama-bench": "error: no such file", "llama-lookup": "decoded   0 tokens in 0.1 seconds"})
	if _, err := l.Arm("m", 1, 1).Time(t.Context(), Tasks(1)[0]); err == nil || !strings.Contains(err.Error(), "error: no such file") {
		t.Error(err)
	}
	if _, err := l.Texts("x", "llama-lookup", "m", []string{"a"}, 1).Time(t.Context(), Speculation); err == nil || !strings.Contains(err.Error(), "0 tokens") {
		t.Error(err)
	}
	if _, err := l.Texts("x", "llama-nothing", "m", []string{"a"}, 1).Time(t.Context(), Speculation); err == nil {
		t.Error("a program that is not there has a time")
	}
}

// Rounds hold every arm's every task once; ratios are within a round.
func TestRun(t *testing.T) {
	n := 0.0
	arm := func(name string, times float64) Arm {
		return Arm{Name: name, Tasks: Tasks(8)[:2], Time: func(_ context.Context, task Task) (float64, error) {
			n++
			return times * float64(1+task.Rows), nil
		}}
	}
	arms := []Arm{arm("a", 2), arm("b", 6)}
	samples, err := Run(t.Context(), arms, 3, 1)
	if err != nil || len(samples) != 12 || n != 12 {
		t.Fatal(len(samples), n, err)
	}
	cs := Compare(arms, samples)
	if len(cs) != 4 || cs[1].Arm != "b" || cs[1].First != (Range{3, 3, 3}) || cs[3].Token != (Range{6, 6, 6}) || cs[3].MS != 36 {
		t.Errorf("%+v", cs)
	}
	if text := Table("m", arms, cs).Rows; len(text) != 4 || text[1][3] != "3.00 [3.00, 3.00]" {
		t.Error(text)
	}
	if r := ratio(samples, "a", "token", "a", "nothing"); !math.IsNaN(r.Value) || r.String() != "-" {
		t.Error(r)
	}
}

// This program's arms leave the cache as they found it, and decode what they say.
func TestOurs(t *testing.T) {
	m := modeltest.Hash{Vocab: 40, Real: 40, Layers: 2}
	a, closed, err := Ours("ours", m, 20, 16)
	if err != nil {
		t.Fatal(err)
	}
	defer closed()
	for range 2 {
		for _, task := range a.Tasks {
			if ms, err := a.Time(t.Context(), task); !(ms > 0) || err != nil {
				t.Errorf("%s: %v ms, %v", task.Name, ms, err)
			}
		}
	}
	texts := OnTexts("plain", spec.Setup{Target: m, Drafter: "none", Verifier: "leviathan"}, [][]model.Token{{1, 2}, {3}}, nil, 0, 9)
	if ms, err := texts.Time(t.Context(), Speculation); !(ms > 0) || err != nil {
		t.Error(ms, err)
	}
}
