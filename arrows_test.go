// Package foretoken has no code of its own: this test holds the arrows between
// the rooms.
package foretoken

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// arrows lists what each package may import of ours, its tests left out. A
// package that is not listed, and an arrow that is not, is a failure.
var arrows = map[string]string{
	"":                                "",
	"strict":                          "",
	"stat":                            "",
	"model":                           "",
	"model/modeltest":                 "model",
	"model/checkpoint":                "model strict",
	"model/checkpoint/checkpointtest": "model model/checkpoint",
	"model/tokenizer":                 "model model/checkpoint model/tokenizer/jinja strict",
	"model/tokenizer/jinja":           "",
	"model/embedded":                  "",
	"model/ref":                       "model model/checkpoint",
	"model/load":                      "model model/checkpoint model/embedded model/tokenizer model/ref mlx mlx/llama",
	"mlx":                             "mlx/internal/capi",
	"mlx/internal/capi":               "",
	"mlx/mlxtest":                     "mlx",
	"mlx/llama":                       "mlx model model/checkpoint",
	"sampler":                         "model",
	"sampler/samplertest":             "model sampler",
	"sampler/jsonmask":                "model sampler strict",
	"draft":                           "model sampler",
	"verify":                          "model sampler draft",
	"spec":                            "model sampler draft verify stat",
	"results/jsonl":                   "",
	"results":                         "model sampler draft verify spec stat strict results/jsonl",
	"results/plot":                    "results stat",
	"experiments":                     "model sampler sampler/jsonmask draft verify spec results strict",
	"experiments/dialog":              "",
	"experiments/bench":               "model sampler sampler/jsonmask results experiments/dialog stat",
	"experiments/bench/decode":        "model sampler draft verify spec results results/jsonl stat strict experiments/dialog",
	"experiments/cost":                "model results stat",
	"experiments/parity":              "model sampler draft spec results experiments experiments/dialog stat",
	"experiments/prompts":             "",
	"open":                            "experiments model model/load model/tokenizer results spec",
	"cmd/foretoken":                   "open model model/load model/tokenizer sampler draft verify spec results results/jsonl results/plot experiments experiments/bench experiments/bench/decode experiments/cost experiments/parity stat strict",
}

const module = "foretoken"

func TestArrows(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		allowed, ok := arrows[strings.TrimPrefix(strings.TrimPrefix(words[0], module), "/")]
		if !ok {
			t.Errorf("%s is not in the table of arrows", words[0])
		}
		for _, path := range words[1:] {
			if dep, ours := strings.CutPrefix(path, module+"/"); ours && !slices.Contains(strings.Fields(allowed), dep) {
				t.Errorf("%s imports %s", words[0], dep)
			}
		}
	}
}
