package checkpointtest

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"foretoken/model/checkpoint"
)

// ConfigJSON is config.json of m, as transformers writes it.
func (m *Model) ConfigJSON() map[string]any {
	c := m.Config
	j := map[string]any{
		"model_type": c.Architecture, "hidden_size": c.Hidden, "num_hidden_layers": c.Layers,
		"num_attention_heads": c.Heads, "num_key_value_heads": c.KVHeads, "head_dim": c.HeadDim,
		"intermediate_size": c.Intermediate, "vocab_size": c.Vocab, "max_position_embeddings": c.Context,
		"rms_norm_eps": c.NormEps, "rope_theta": c.RopeTheta, "tie_word_embeddings": c.TiedHead,
		"hidden_act": "silu", "eos_token_id": c.EOS, "attention_bias": c.OutputBias,
	}
	if c.BOS >= 0 {
		j["bos_token_id"] = c.BOS
	}
	if c.Architecture == "mistral" {
		j["sliding_window"] = nil
	}
	if c.SlidingWindow > 0 {
		j["sliding_window"] = c.SlidingWindow
		if c.Architecture != "mistral" {
			j["use_sliding_window"], j["max_window_layers"] = true, 0
		}
	}
	if s := c.RopeScaling; s != nil {
		scaling := map[string]any{"rope_type": s.Type, "factor": s.Factor}
		switch s.Type {
		case "llama3":
			scaling["low_freq_factor"], scaling["high_freq_factor"] = s.LowFreqFactor, s.HighFreqFactor
			scaling["original_max_position_embeddings"] = s.OriginalContext
		case "yarn":
			scaling["beta_fast"], scaling["beta_slow"], scaling["attention_factor"] = s.BetaFast, s.BetaSlow, s.Attention
			scaling["original_max_position_embeddings"] = s.OriginalContext
		}
		j["rope_scaling"] = scaling
	}
	return j
}

// WriteFolder writes config.json, generation_config.json and the weights as d,
// which is F32, F16, BF16, or Q8_0 for matrices in groups of int8 and vectors in
// F16, over shards files; one shard is model.safetensors.
func (m *Model) WriteFolder(dir string, d checkpoint.DType, shards int) error {
	config := m.ConfigJSON()
	if d == checkpoint.Q8_0 {
		config["quantization"] = Groups
	}
	var parts [][]stored
	for _, t := range m.Tensors {
		var f Safetensors
		f.AddValues(d, t)
		var together []stored
		for _, e := range f.Header {
			together = append(together, stored{e.Name, e.DType, e.Shape, f.Data[e.Offsets[0]:e.Offsets[1]]})
		}
		parts = append(parts, together)
	}
	return m.writeFolder(dir, config, parts, shards)
}

// A stored tensor is as a file has it.
type stored struct {
	name, dtype string
	shape       []int
	data        []byte
}

// writeFolder writes parts over shards, what is one part to one shard.
func (m *Model) writeFolder(dir string, config map[string]any, parts [][]stored, shards int) error {
	files := map[string][]byte{
		"config.json":            encode(config),
		"generation_config.json": encode(map[string]any{"eos_token_id": m.Config.EOS}),
	}
	for name, b := range m.Files {
		files[name] = b
	}
	index := map[string]string{}
	for i := range shards {
		name := "model.safetensors"
		if shards > 1 {
			name = fmt.Sprintf("model-%05d-of-%05d.safetensors", i+1, shards)
		}
		var f Safetensors
		for _, p := range slices.Concat(parts[i*len(parts)/shards : (i+1)*len(parts)/shards]...) {
			f.Add(p.name, p.dtype, p.shape, p.data)
			index[p.name] = name
		}
		files[name] = f.Bytes()
	}
	if shards > 1 {
		files["model.safetensors.index.json"] = encode(map[string]any{"metadata": map[string]any{}, "weight_map": index})
	}
	for name, b := range files {
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func encode(v any) []byte {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic("checkpointtest: " + err.Error())
	}
	return b
}

// Safetensors is a file of that format, right or wrong.
type Safetensors struct {
	Header []SafetensorsEntry
	Data   []byte
}

// A SafetensorsEntry is what the header says of a tensor.
type SafetensorsEntry struct {
	Name    string `json:"-"`
	DType   string `json:"dtype"`
	Shape   []int  `json:"shape"`
	Offsets [2]int `json:"data_offsets"`
}

// Add appends a tensor.
func (f *Safetensors) Add(name, dtype string, shape []int, data []byte) {
	begin := len(f.Data)
	f.Data = append(f.Data, data...)
	f.Header = append(f.Header, SafetensorsEntry{name, dtype, shape, [2]int{begin, len(f.Data)}})
}

// Bytes is the file.
func (f *Safetensors) Bytes() []byte {
	header := []byte{'{'}
	for i, e := range f.Header {
		if i > 0 {
			header = append(header, ',')
		}
		header = append(append(append(header, encode(e.Name)...), ':'), encode(e)...)
	}
	header = append(header, '}')
	for len(header)%8 != 0 {
		header = append(header, ' ')
	}
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(b, header...), f.Data...)
}
