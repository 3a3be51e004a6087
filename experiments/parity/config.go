// Package parity holds engines against mlx-lm, token by token and logit by logit:
// each divergence is a near-tie or a defect.
package parity

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"foretoken/experiments"
	"foretoken/sampler"
)

// A Config says what is compared with what. Every engine is run at every prefill
// split, plain and with every drafter at each of its K.
type Config struct {
	Name      string                     `yaml:"name" json:"name"`
	Reference Reference                  `yaml:"reference" json:"reference"`
	Engines   []string                   `yaml:"engines" json:"engines"`   // models, as foretoken run names them
	Drafters  []experiments.Drafter      `yaml:"drafters" json:"drafters"` // with k each; none: plain decoding alone
	Splits    []int                      `yaml:"splits" json:"splits"`     // tokens of a prompt computed at a time; 0 is all
	Prompts   []experiments.PromptSource `yaml:"prompts" json:"prompts"`
	Sampled   []Sampling                 `yaml:"sampled" json:"sampled,omitempty"`
	MaxTokens int                        `yaml:"max_tokens" json:"max_tokens"`
	// Tolerance is the largest difference of a logit between two correct engines;
	// 0 takes the reference's own spread over ways of computing the same rows.
	Tolerance float64 `yaml:"tolerance" json:"tolerance"`
}

// A Sampling is a way of sampling in mlx-lm's order, with the numbers of MLX's key:
// mlx-lm's own draw, token by token. Engines are run at it plain, at the first split.
type Sampling struct {
	Temperature float32 `yaml:"temperature" json:"temperature"`
	TopP        float32 `yaml:"top_p" json:"top_p"` // 0 is none
	MinP        float32 `yaml:"min_p" json:"min_p"`
	TopK        int     `yaml:"top_k" json:"top_k"`
	Seed        uint64  `yaml:"seed" json:"seed"`
}

// Config is s as the sampler has it.
func (s Sampling) Config() sampler.Config {
	c := sampler.NewConfig(s.Temperature)
	c.Order, c.TopP, c.MinP, c.TopK = sampler.MLXLM, s.TopP, s.MinP, s.TopK
	return c
}

// String implements fmt.Stringer.
func (s Sampling) String() string {
	t := fmt.Sprintf("temperature %v", s.Temperature)
	for _, f := range []struct {
		name  string
		value float32
	}{{"top_p", s.TopP}, {"min_p", s.MinP}, {"top_k", float32(s.TopK)}} {
		if f.value != 0 {
			t += fmt.Sprintf(", %s %v", f.name, f.value)
		}
	}
	return t
}

// A Reference is a model that mlx-lm runs.
type Reference struct {
	Model string `yaml:"model" json:"model"` // a folder of mlx-lm's, or a GGUF file or its folder
	DType string `yaml:"dtype" json:"dtype"` // float32, float16 or bfloat16; "" is the checkpoint's
	// Bits, 4 or 8, quantises its matrices in groups of 64, as mlx_lm.convert -q does; 0
	// leaves them as they are stored.
	Bits int `yaml:"bits" json:"bits,omitempty"`
	// Draft is a model that mlx-lm's own speculation drafts with: drafts of a second
	// model are then held against it, and not against plain decoding. "" is none.
	Draft  string `yaml:"draft" json:"draft,omitempty"`
	Python string `yaml:"python" json:"python"` // that has mlx-lm
	Bridge string `yaml:"bridge" json:"bridge"` // the program it runs
}

// Load reads a config. Unknown keys, and a second document, are errors.
func Load(file string) (Config, error) {
	data, err := experiments.ReadConfig(file)
	if err != nil {
		return Config{}, err
	}
	c := Config{Name: strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)), Splits: []int{0}, MaxTokens: 128, Tolerance: 2e-3,
		Reference: Reference{Python: filepath.Join(".venv", "bin", "python"), Bridge: filepath.Join("scripts", "mlx_bridge.py")}}
	d, err := experiments.Decode(file, data, &c)
	if err != nil {
		return Config{}, err
	}
	return c, c.check(d)
}

// dtypes are mlx-lm's names of what a model computes in.
var dtypes = []string{"", "float32", "float16", "bfloat16"}

func (c Config) check(d *experiments.Decoded) error {
	switch {
	case c.Reference.Model == "":
		return d.Fail("reference.model", "is missing, want a model of mlx-lm's or a GGUF file")
	case c.Reference.Bits != 0 && c.Reference.Bits != 4 && c.Reference.Bits != 8:
		return d.Fail("reference.bits", fmt.Sprintf("%d, want 4 or 8", c.Reference.Bits))
	case !slices.Contains(dtypes, c.Reference.DType):
		return d.Fail("reference.dtype", fmt.Sprintf("%q, want one of %s", c.Reference.DType, strings.Join(dtypes[1:], ", ")))
	case len(c.Engines) == 0:
		return d.Fail("engines", "want at least one, as mlx:SmolLM2-135M-Instruct")
	case len(c.Prompts) == 0:
		return d.Fail("prompts", "want at least one set")
	case c.MaxTokens < 1:
		return d.Fail("max_tokens", fmt.Sprintf("%d, want at least 1", c.MaxTokens))
	case len(c.Splits) == 0:
		return d.Fail("splits", "want at least one; 0 computes a prompt in one piece")
	case !(c.Tolerance >= 0 && c.Tolerance < math.Inf(1)):
		return d.Fail("tolerance", fmt.Sprintf("%v, want 0 or more", c.Tolerance))
	}
	for i, s := range c.Splits {
		if s < 0 {
			return d.Fail(fmt.Sprintf("splits[%d]", i), fmt.Sprintf("%d, want 0 or more tokens", s))
		}
	}
	for i, s := range c.Sampled {
		if err := s.Config().Validate(); err != nil {
			return d.Fail(fmt.Sprintf("sampled[%d]", i), err.Error())
		}
		if s.Temperature <= 0 {
			return d.Fail(fmt.Sprintf("sampled[%d].temperature", i), fmt.Sprintf("%v, want above 0", s.Temperature))
		}
	}
	return d.CheckDrafters(c.Drafters)
}
