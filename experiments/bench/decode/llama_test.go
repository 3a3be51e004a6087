package decode

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foretoken/model"
)

// fake stands for llama.cpp: programs that are shell scripts, whose arguments are kept.
func fake(t *testing.T, programs map[string]string) Llama {
	t.Helper()
	dir := t.TempDir()
	for name, body := range programs {
		script := "#!/bin/sh\necho \"$0 $@\" | tr '\\n' ' ' >> " + filepath.Join(dir, "calls") + "\necho >> " + filepath.Join(dir, "calls") + "\n" + body + "\n"
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return Llama{Folder: dir, Model: "m.gguf", Threads: 2}
}

func calls(t *testing.T, l Llama) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(l.Folder, "calls"))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

const bench = `echo "warming up"; echo '[{"n_prompt": 0, "samples_ns": [ 64000000, 96000000, 320000000 ]}]'`

// says writes a text as the programs do, and then what they print of it.
func says(text, decoded string) string {
	return "printf '\\n\\n" + text + "\\n\\n\\n'; echo 'I encoded    2 tokens in    0.1 seconds' >&2; echo 'I " + decoded + "' >&2"
}

// Times are those of the programs, a token's where a task is of tokens, and they were
// asked for what the task says.
func TestLlama(t *testing.T) {
	l := fake(t, map[string]string{"llama-bench": bench})
	a := l.Arm("llama.cpp", 200, 64)
	for i, want := range []float64{3, 96, 96, 1.5} {
		if got, err := a.Time(t.Context(), a.Tasks[i]); got.MS != want || err != nil {
			t.Errorf("%s: %v ms (%v), want %v", a.Tasks[i].Name, got, err, want)
		}
	}
	for _, want := range []string{"-p 5 -n 0 -d 200", "-p 64 -n 0 -d 0", "-p 0 -n 32 -d 200"} {
		if c := calls(t, l); !strings.Contains(c, want) {
			t.Errorf("no %s: %s", want, c)
		}
	}
}

// A text's time is a token's; the lookup's first token is of the prefill, and not counted.
// What departs from plain decoding is no longer the same.
func TestLlamaTexts(t *testing.T) {
	const line = "decoded   51 tokens in    0.250 seconds, speed: 200 t/s"
	l := fake(t, map[string]string{"llama-lookup": says("Say: yes and on", line), "llama-speculative-simple": says("Say: yes but", line)})
	texts := []Text{{ID: "a", Domain: "d", Prompt: make([]model.Token, 2), Said: "Say:", Wanted: " yes and"}}
	ways, missing := Ways(l.Folder, "d.gguf")
	if len(ways) != 3 || missing != nil {
		t.Fatal(ways, missing)
	}
	for i, want := range []Measure{{MS: 5, Tokens: 50, Same: true}, {MS: 5, Tokens: 50, Same: true}, {MS: 250. / 51, Tokens: 51}} {
		a := l.Texts("x", ways[i].With(2*i), texts, 50)
		if got, err := a.Time(t.Context(), a.Tasks[0]); got != want || err != nil {
			t.Errorf("%s: %+v (%v), want %+v", ways[i].Name, got, err, want)
		}
	}
	c := calls(t, l)
	for _, want := range []string{"llama-lookup -m m.gguf -t 2 ", "-n 50 -p Say: --spec-draft-n-max 0", "-n 50 -p Say: --spec-draft-n-max 2", "-n 49 -p Say: --spec-draft-n-max 4 -td 2 -md d.gguf"} {
		if !strings.Contains(c, want) {
			t.Errorf("no %q: %s", want, c)
		}
	}
	texts[0].Prompt = make([]model.Token, 3)
	if _, err := l.Texts("x", ways[0], texts, 50).Time(t.Context(), TextTasks(texts)[0]); err == nil || !strings.Contains(err.Error(), "2 tokens, want the 3") {
		t.Error(err)
	}
}

// What a folder lacks is named.
func TestWays(t *testing.T) {
	l := fake(t, map[string]string{"llama-lookup": "true"})
	if ways, missing := Ways(l.Folder, ""); len(ways) != 2 || missing != nil {
		t.Error(ways, missing)
	}
	if ways, missing := Ways(l.Folder, "d"); len(ways) != 2 || !slices.Equal(missing, []string{"llama-speculative-simple"}) {
		t.Error(ways, missing)
	}
	if ways, missing := Ways(t.TempDir(), "d"); len(ways) != 0 || len(missing) != 2 {
		t.Error(ways, missing)
	}
}

// What the programs print and is not understood is shown.
func TestLlamaIsStrange(t *testing.T) {
	l := fake(t, map[string]string{"llama-bench": "echo 'error: no such file'", "llama-lookup": says("x", "decoded   0 tokens in 0.1 seconds"), "llama-speculative-simple": "echo broken >&2; exit 1"})
	text := []Text{{ID: "a", Prompt: make([]model.Token, 2)}}
	if _, err := l.Arm("x", 1, 1).Time(t.Context(), Tasks(1)[0]); err == nil || !strings.Contains(err.Error(), "error: no such file") {
		t.Error(err)
	}
	ways, _ := Ways(l.Folder, "d")
	for i, want := range map[int]string{0: "0 tokens", 2: "broken"} {
		if _, err := l.Texts("x", ways[i], text, 1).Time(t.Context(), TextTasks(text)[0]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := l.Texts("x", Way{Program: "llama-nothing"}, text, 1).Time(t.Context(), TextTasks(text)[0]); err == nil {
		t.Error("a program that is not there has a time")
	}
}

// The peer gets the threads and the draft lengths at which it is fastest: here one
// thread, lookup of 4 and drafts of 8.
func TestSettle(t *testing.T) {
	const body = `
ms=900
case "$*" in *"-t 1 "*) ms=500;; esac
case "$*" in *"-t 1 "*"n-max $BEST"*) ms=200;; esac
printf '\n\nSay: yes\n\n'
echo 'encoded 2 tokens in 0.1 seconds' >&2
echo "decoded 11 tokens in 0.$ms seconds" >&2`
	l := fake(t, map[string]string{"llama-lookup": "BEST=4" + body, "llama-speculative-simple": "BEST=8" + body})
	ways, _ := Ways(l.Folder, "d.gguf")
	texts := []Text{{ID: "a", Domain: "d", Prompt: make([]model.Token, 2), Said: "Say:", Wanted: " yes"}}
	store := Memory{}
	tuning := Tuning{Llama: l, Texts: texts, Tokens: 10, Threads: []int{2, 1}, K: []int{2, 4, 8}}
	for range 2 { // the second time from the store
		got, best, err := tuning.Settle(t.Context(), ways, Plan{Rounds: 5, TextRounds: 5, Seed: 1, Store: store})
		if err != nil || got.Threads != 1 || len(best) != 3 || best[0].K != 0 || best[1].K != 4 || best[2].K != 8 {
			t.Fatal(got, best, err)
		}
		if n := strings.Count(calls(t, l), "\n"); n != 8 || len(store) != 8 {
			t.Errorf("%d calls, %d samples, want 8", n, len(store))
		}
	}
	tuning.Threads, tuning.K = []int{2}, []int{2}
	if got, best, err := tuning.Settle(t.Context(), ways, Plan{Store: store}); err != nil || got.Threads != 2 || best[1].K != 2 || len(store) != 8 {
		t.Error(got, best, err)
	}
}
