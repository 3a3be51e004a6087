// Package experiments runs what a config asks for and writes it as a run of
// package results. It knows no backend: models arrive through an Opener.
package experiments

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math"

	"github.com/goccy/go-yaml"

	"foretoken/sampler"
)

// A Config is an experiment. Every combination of drafter, K, verifier and
// temperature is an arm, and each temperature has plain decoding as its control.
type Config struct {
	Name         string         `yaml:"name"`
	Target       string         `yaml:"target"`       // a model: folder, GGUF file, or name
	Drafters     []Drafter      `yaml:"drafters"`     // none: the control alone
	K            []int          `yaml:"k"`            // draft lengths, each at least 1; needed where a drafter has none
	Verifiers    []string       `yaml:"verifiers"`    // of verify.Names
	Stochastic   bool           `yaml:"stochastic"`   // allow drafters at temperatures above 0
	Sampler      sampler.Config `yaml:"sampler"`      // the drafter's and the target's
	Temperatures []float64      `yaml:"temperatures"` // instead of sampler.temperature, an arm each
	Prompts      []PromptSource `yaml:"prompts"`
	Seeds        []uint64       `yaml:"seeds"` // of the arms at temperatures above 0
	Repeats      int            `yaml:"repeats"`
	MaxTokens    int            `yaml:"max_tokens"` // -1: as the context allows
	Stop         []string       `yaml:"stop"`
	IgnoreEOS    bool           `yaml:"ignore_eos"` // go on to max_tokens
	WarmUp       int            `yaml:"warm_up"`    // requests an arm that no figure holds

	Constraints    []string `yaml:"constraints"`     // what texts are held to, an arm each: none, json, or a schema's file
	ThinkingBudget int      `yaml:"thinking_budget"` // tokens of reasoning at most; -1: no limit
	Logprobs       int      `yaml:"logprobs"`        // best ids to report at each token, with its own; -1: none
}

// A Drafter is one of draft.Names with its options.
type Drafter struct {
	Name   string `yaml:"name"`
	Label  string `yaml:"label"`  // in tables; "" is made of the name and its option
	Model  string `yaml:"model"`  // model: as target
	Head   string `yaml:"head"`   // eagle: the folder of a head, or its name, trained for the target
	Layers int    `yaml:"layers"` // layerskip: how many of the target's first
	MinN   int    `yaml:"min_n"`  // ngram: shortest match; 0 is the drafter's own choice
	MaxN   int    `yaml:"max_n"`  // ngram: longest match; 0 as well
	Blind  bool   `yaml:"blind"`  // model, layerskip, eagle: propose as if there were no constraint
	K      []int  `yaml:"k"`      // instead of the config's
}

// A PromptSource is a JSONL file of prompts and what to take from it.
type PromptSource struct {
	File    string   `yaml:"file"`    // absolute, or looked for beside the config, then among the models; embedded:NAME is the program's own
	Domains []string `yaml:"domains"` // none: all
	Limit   int      `yaml:"limit"`   // first so many of each domain; 0 is all
}

// defaults are what a config need not say.
func defaults() Config {
	return Config{Verifiers: []string{"leviathan"}, Sampler: sampler.NewConfig(0), Seeds: []uint64{1},
		Repeats: 1, MaxTokens: 64, WarmUp: 1, Constraints: []string{noConstraint}, ThinkingBudget: -1, Logprobs: -1}
}

// Explained is a config that says what each key is for, and is itself valid.
//
//go:embed explained.yaml
var Explained string

// Embedded is an experiment on what the program carries, the pair of models and the
// prompts.
//
//go:embed configs/embedded.yaml
var Embedded string

// YAML writes c with every key, as it will run.
func (c Config) YAML() (string, error) {
	data, err := yaml.MarshalWithOptions(c, yaml.IndentSequence(true))
	return string(data), err
}

// JSON is the same for a header. An infinity, which JSON lacks, is a string.
func (c Config) JSON() (json.RawMessage, error) {
	text, err := c.YAML()
	if err != nil {
		return nil, err
	}
	var tree any
	if err := yaml.Unmarshal([]byte(text), &tree); err != nil {
		return nil, err
	}
	return json.Marshal(finite(tree))
}

func finite(x any) any {
	switch v := x.(type) {
	case map[string]any:
		for k := range v {
			v[k] = finite(v[k])
		}
	case []any:
		for i := range v {
			v[i] = finite(v[i])
		}
	case float64:
		if math.IsInf(v, 0) {
			return fmt.Sprint(v)
		}
	}
	return x
}

// lengths are the K of d.
func (d Drafter) lengths(c Config) []int {
	if len(d.K) > 0 {
		return d.K
	}
	return c.K
}

// label names a drafter in tables.
func (d Drafter) label() string {
	switch {
	case d.Label != "":
		return d.Label
	case d.Blind:
		d.Blind = false
		return d.label() + "-blind"
	case d.Layers > 0:
		return fmt.Sprintf("%s-%d", d.Name, d.Layers)
	case d.Model != "":
		return d.Name + ":" + baseName(d.Model)
	case d.Head != "":
		return d.Name + ":" + baseName(d.Head)
	case d.MinN > 0 || d.MaxN > 0:
		return fmt.Sprintf("%s-%d-%d", d.Name, d.MinN, d.MaxN)
	}
	return d.Name
}
