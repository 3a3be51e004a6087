// Package checkpoint reads model weights from disk: a folder with config.json and
// safetensors, or a GGUF file. Both come out as one Config and named tensors in
// one naming (Hugging Face's Llama names) and one layout (q and k rows as
// rotate-half rope wants them), so that a backend reads one kind of checkpoint.
package checkpoint

import "foretoken/model"

// A DType is how a tensor's elements are stored.
type DType int

// The element types that are read. The K-quants and the _0 and _1 types are
// GGUF's blocks.
const (
	F32 DType = iota
	F16
	BF16
	Q4_0
	Q4_1
	Q5_0
	Q5_1
	Q8_0
	Q4_K
	Q5_K
	Q6_K
)

// A Config says what model the tensors are of.
type Config struct {
	Name          string // of the model, for people
	Architecture  string // "llama", "mistral", "qwen2", "qwen3"
	Hidden        int    // width of the residual stream
	Layers        int
	Heads         int // query heads
	KVHeads       int
	HeadDim       int
	Intermediate  int // width of the gated MLP
	Vocab         int // rows of the embedding
	Context       int // positions trained for
	NormEps       float32
	RopeTheta     float64
	RopeScaling   *RopeScaling // nil is none
	TiedHead      bool         // the head is the embedding
	SlidingWindow int          // positions a token sees, itself included (Mistral 7B v0.1); 0 is all
	QKVBias       bool         // Qwen2
	QKNorm        bool         // Qwen3: RMS norm over each head of q and k
	EOS           []model.Token
	BOS           model.Token // -1 is none
}

// RopeScaling is Llama 3's frequency-dependent scaling ("llama3") or position
// interpolation ("linear").
type RopeScaling struct {
	Type            string
	Factor          float64
	LowFreqFactor   float64
	HighFreqFactor  float64
	OriginalContext int
}

// A Tensor is a named array on disk. Data is the file's own bytes, mapped or
// read; it lives as long as its Checkpoint.
type Tensor struct {
	Name  string
	Type  DType
	Shape []int // row-major, outermost first
	Data  []byte
}

// A Checkpoint is an open model.
type Checkpoint struct {
	Path    string
	Config  Config
	Tensors map[string]Tensor
	GGUF    map[string]any // a GGUF's metadata, for its tokenizer; nil for safetensors
}
