// Package experiments runs what a config asks for and writes it as a run of
// package results. It knows no backend: models arrive through an Opener.
package experiments

import (
	_ "embed"

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
	EOS          []string       `yaml:"eos"`        // control tokens, by text or id, that end a text; none: the model's own
	IgnoreEOS    bool           `yaml:"ignore_eos"` // go on to max_tokens
	WarmUp       int            `yaml:"warm_up"`    // requests an arm that no figure holds

	Constraints    []string `yaml:"constraints"`     // what texts are held to, an arm each: none, json, or a schema's file
	Strict         bool     `yaml:"strict"`          // a schema's texts have declared members only
	Blanks         int      `yaml:"blanks"`          // longest run of white space in constrained JSON
	Bounds         Bounds   `yaml:"bounds"`          // of constrained JSON, where a schema gives none
	ThinkingBudget int      `yaml:"thinking_budget"` // tokens of reasoning at most; -1: no limit
	Logprobs       int      `yaml:"logprobs"`        // best ids to report at each token, with its own; -1: none
}

// A PromptSource is a JSONL file of prompts and what to take from it.
type PromptSource struct {
	File    string   `yaml:"file"`              // absolute, or looked for beside the config, then among the models; embedded:NAME is the program's own
	Domains []string `yaml:"domains,omitempty"` // none: all
	Limit   int      `yaml:"limit,omitempty"`   // of each domain the first, this many; 0 is all
}

// defaults are what a config need not say.
func defaults() Config {
	return Config{Verifiers: []string{"leviathan"}, Sampler: sampler.NewConfig(0), Seeds: []uint64{1},
		Repeats: 1, MaxTokens: 64, WarmUp: 1, Constraints: []string{noConstraint}, Blanks: DefaultBlanks, ThinkingBudget: -1, Logprobs: -1}
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
