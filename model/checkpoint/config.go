package checkpoint

import (
	"fmt"
	"slices"
	"strings"

	"foretoken/model"
)

// A Config says what model the tensors are of.
type Config struct {
	Name          string // of the model, for people
	Architecture  string // one of Architectures
	Hidden        int    // width of the residual stream
	Layers        int
	Heads         int // query heads, a multiple of KVHeads
	KVHeads       int
	HeadDim       int // even
	Intermediate  int // width of the gated MLP
	Vocab         int // rows of the embedding
	Context       int // positions trained for; 0 is not said
	NormEps       float32
	RopeTheta     float64
	RopeScaling   *RopeScaling // nil is none
	TiedHead      bool         // the head is the embedding
	SlidingWindow int          // positions a token sees, itself included (Mistral 7B v0.1); 0 is all
	QKVBias       bool         // q, k and v have biases: Qwen2, Llama's attention_bias
	OutputBias    bool         // so has o: Llama's attention_bias
	QKNorm        bool         // Qwen3: RMS norm over each head of q and k
	EOS           []model.Token
	BOS           model.Token // -1 is none
}

// Architectures are the values of Config.Architecture.
var Architectures = []string{"llama", "mistral", "qwen2", "qwen3"}

func checkArchitecture(file, item, name string) error {
	if slices.Contains(Architectures, name) {
		return nil
	}
	return unsupported(file, item, fmt.Sprintf("architecture %q", name), "one that is read (have "+strings.Join(Architectures, ", ")+")")
}

// Limits on what a file may claim: far above any model, and small enough that no
// product of two of them overflows.
const (
	maxWidth  = 1 << 24
	maxHeads  = 1 << 14
	maxLayers = 1 << 16
)

// Where a file has the fields of a Config: their keys in config.json, and in a GGUF below
// its architecture.
var (
	jsonKeys = map[string]string{
		"hidden size": "hidden_size", "layer count": "num_hidden_layers", "head count": "num_attention_heads",
		"key/value head count": "num_key_value_heads", "head dimension": "head_dim", "intermediate size": "intermediate_size",
		"vocabulary size": "vocab_size", "context length": "max_position_embeddings", "sliding window": "sliding_window",
		"norm epsilon": "rms_norm_eps", "rope theta": "rope_theta",
	}
	ggufKeys = map[string]string{
		"hidden size": "embedding_length", "layer count": "block_count", "head count": "attention.head_count",
		"key/value head count": "attention.head_count_kv", "head dimension": "attention.key_length",
		"intermediate size": "feed_forward_length", "context length": "context_length", "sliding window": "attention.sliding_window",
		"norm epsilon": "attention.layer_norm_rms_epsilon", "rope theta": "rope.freq_base",
	}
)

// check holds c against what a model of its family can be. file and keys are for the
// message.
func (c Config) check(file string, keys map[string]string) error {
	named := func(field string) string {
		if key, ok := keys[field]; ok {
			return field + " (" + key + ")"
		}
		return field
	}
	for _, f := range []struct {
		name   string
		v, max int
	}{
		{"hidden size", c.Hidden, maxWidth}, {"layer count", c.Layers, maxLayers}, {"head count", c.Heads, maxHeads},
		{"key/value head count", c.KVHeads, maxHeads}, {"head dimension", c.HeadDim, maxHeads},
		{"intermediate size", c.Intermediate, maxWidth}, {"vocabulary size", c.Vocab, maxWidth},
	} {
		if f.v < 1 || f.v > f.max {
			return malformed(file, named(f.name), fmt.Sprintf("1 to %d", f.max), "%d", f.v)
		}
	}
	switch {
	case c.Heads%c.KVHeads != 0:
		return malformed(file, named("key/value head count"), fmt.Sprintf("a divisor of %d, the head count", c.Heads), "%d", c.KVHeads)
	case c.HeadDim%2 != 0:
		return malformed(file, named("head dimension"), "an even number, for rope", "%d", c.HeadDim)
	case c.Context < 0:
		return malformed(file, named("context length"), "0 or more", "%d", c.Context)
	case c.SlidingWindow < 0:
		return malformed(file, named("sliding window"), "0 or more", "%d", c.SlidingWindow)
	case !(c.NormEps > 0 && c.NormEps < 1):
		return malformed(file, named("norm epsilon"), "within (0, 1)", "%g", c.NormEps)
	case !(c.RopeTheta > 0 && c.RopeTheta < 1e30):
		return malformed(file, named("rope theta"), "above 0", "%g", c.RopeTheta)
	}
	for _, t := range c.EOS {
		if t < 0 || int(t) >= c.Vocab {
			return malformed(file, "end-of-sequence id", fmt.Sprintf("within [0, %d)", c.Vocab), "%d", t)
		}
	}
	if c.BOS < -1 || int(c.BOS) >= c.Vocab {
		return malformed(file, "beginning-of-sequence id", fmt.Sprintf("within [0, %d)", c.Vocab), "%d", c.BOS)
	}
	return c.RopeScaling.check(file, c)
}
