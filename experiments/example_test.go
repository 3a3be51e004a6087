package experiments_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"foretoken/experiments"
	"foretoken/open"
	"foretoken/results"
)

// An experiment is run from code as `foretoken run` runs it, here on the pair of models that
// the program carries.
func ExampleRun() {
	dir, err := os.MkdirTemp("", "run")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	config, err := experiments.Parse("try.yaml", []byte(`
target: embedded
drafters:
  - {name: ngram, max_n: 2}
k: [2]
prompts:
  - {file: "embedded:json.jsonl", limit: 2}
max_tokens: 12
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	out := filepath.Join(dir, "run")
	if err := experiments.Run(context.Background(), config, experiments.Options{Open: open.Model, Dir: out}); err != nil {
		fmt.Println(err)
		return
	}
	run, err := results.Read(out)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range results.Summarise(run).Arms {
		fmt.Println(a.Label+":", a.Requests, "requests,", a.Tokens, "tokens, parity", results.CountParity(a.Parity, ""))
	}
	// Output:
	// plain: 2 requests, 24 tokens, parity 2/2
	// ngram-max_n=2 K=2: 2 requests, 24 tokens, parity 2/2
}
