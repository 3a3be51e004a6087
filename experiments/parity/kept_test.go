package parity_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foretoken/experiments/parity"
	"foretoken/results"
)

var update = flag.Bool("update", false, "write the kept tables anew from their facts")

// kept opens facts in results/, and holds the tables beside them to be those that they
// give today.
func kept(t *testing.T, file string, facts any, tables func() []results.Table) {
	t.Helper()
	path := filepath.Join("..", "..", "results", file)
	data, err1 := os.ReadFile(path)
	want, err2 := os.ReadFile(strings.TrimSuffix(path, ".json") + ".md")
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(facts); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	if _, err := d.Token(); err != io.EOF {
		t.Errorf("%s: more than one value", file)
	}
	var now strings.Builder
	for _, table := range tables() {
		if err := table.Markdown(&now); err != nil {
			t.Fatal(err)
		}
	}
	if *update {
		want = []byte(now.String())
		if err := os.WriteFile(strings.TrimSuffix(path, ".json")+".md", want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if now.String() != string(want) {
		t.Errorf("%s: its table is not what its facts give, which is\n%s", file, now.String())
	}
}

// The matrices that are kept have no defect, and the one on the CPU is of twenty prompts of
// 128 tokens.
func TestKeptMatrices(t *testing.T) {
	for file, prompts := range map[string]int{"kept/parity/mlx.json": 20, "kept/gpu/agree-bf16.json": 5} {
		var r parity.Report
		kept(t, file, &r, func() []results.Table { return r.Tables() })
		if len(r.Texts) != prompts || r.Config.MaxTokens != 128 || len(r.Cells) < 5 || r.Defects() > 0 {
			t.Errorf("%s: %d prompts of %d tokens in %d cells, %d defects", file, len(r.Texts), r.Config.MaxTokens, len(r.Cells), r.Defects())
		}
		for _, c := range r.Cells {
			if len(c.Outcomes) != prompts {
				t.Errorf("%s: %s has %d prompts", file, c.Label(), len(c.Outcomes))
			}
		}
	}
}

// The races that are kept ran every prompt on every arm.
func TestKeptRaces(t *testing.T) {
	for _, file := range []string{"kept/mlx-speed/speed.json", "kept/gpu/plain-bf16.json", "kept/gpu/plain-4bit.json",
		"kept/gpu/draft-bf16.json", "kept/gpu/draft-4bit.json"} {
		var r parity.Times
		kept(t, file, &r, func() []results.Table { return []results.Table{r.Table()} })
		for _, a := range r.Arms {
			if len(a.Runs) != len(r.Arms[0].Runs) || len(a.Runs) < 10 {
				t.Errorf("%s: %s ran %d times", file, a.Label, len(a.Runs))
			}
		}
	}
}
