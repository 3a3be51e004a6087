package decode

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"foretoken/results"
	"foretoken/results/jsonl"
)

// keptRun reads the run that is kept with the project: its arms in the order of its tables,
// and its texts, whose domains their names tell.
func keptRun(t *testing.T, dir string) (name string, arms []Arm, texts []Text, samples []Sample) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, File))
	if err != nil {
		t.Fatal(err)
	}
	d := Disk{Memory: Memory{}}
	if _, err := jsonl.Each(data, d.taking(File, Header{Bench: "decode"})); err != nil {
		t.Fatal(err)
	}
	for _, domain := range []struct{ name, text string }{{"code", "HumanEval/0 HumanEval/1 HumanEval/2"}, {"chat", "chat-01 chat-02 chat-03"}, {"story", "story-01 story-02 story-03"},
		{"summarise", "summarise-01 summarise-02 summarise-03"}, {"json", "json-01 json-02 json-03"}} {
		for _, id := range strings.Fields(domain.text) {
			texts = append(texts, Text{ID: id, Domain: domain.name})
		}
	}
	for _, arm := range []string{"foretoken, plain", "foretoken, ngram, K=2", "foretoken, draft model, K=2", "foretoken, head, K=2", "foretoken, head, K=3",
		"llama.cpp, plain", "llama.cpp, lookup, K=2", "llama.cpp, draft model, K=2"} {
		arms = append(arms, Arm{Name: arm, Own: strings.HasPrefix(arm, "foretoken"), Tasks: TextTasks(texts)})
	}
	for i, arm := range []string{"foretoken", "llama.cpp", "mlx-lm 0.32.2, float32, OpenBLAS", "transformers 5.24.0, bfloat16"} {
		tasks := Tasks(256)
		if i < 2 {
			tasks = append(tasks, Start)
		}
		arms = append(arms, Arm{Name: arm, Own: i == 0, Tasks: tasks})
	}
	for _, s := range d.Memory {
		samples = append(samples, s)
	}
	return d.Begun.Settings["model"], arms, texts, samples
}

// The tables of the run that is kept are what its samples give today.
func TestKeptRun(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "results", "kept", "decode")
	name, arms, texts, samples := keptRun(t, dir)
	for _, table := range []results.Table{CompareTexts(arms, texts, slices.Clone(samples)).Table(name), Table(name, arms, Compare(arms, samples))} {
		var now bytes.Buffer
		if err := table.Text(&now); err != nil {
			t.Fatal(err)
		}
		kept, err := os.ReadFile(filepath.Join(dir, table.Name+".txt"))
		if err != nil || !bytes.HasPrefix(kept, now.Bytes()) { // notes on the run follow
			t.Errorf("%s.txt does not begin with what its samples give (%v), which is\n%s", table.Name, err, now.String())
		}
	}
}
