package checkpoint_test

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"testing"
	"testing/fstest"

	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

// readable reads every tensor, and fails where an accepted file has one that its
// shape does not describe.
func readable(t *testing.T, tensors []checkpoint.Tensor) {
	for _, tensor := range tensors {
		rows, cols := tensor.Size()
		if rows*tensor.RowBytes() != len(tensor.Data) {
			t.Fatalf("%s: %d bytes for shape %v of %v", tensor.Name, len(tensor.Data), tensor.Shape, tensor.Type)
		}
		if err := tensor.Float32(make([]float32, rows*cols)); err != nil {
			t.Fatal(err)
		}
	}
}

func typed(t *testing.T, err error) {
	var e *checkpoint.Error
	if !errors.As(err, &e) {
		t.Fatalf("error %v of type %T, want an *Error", err, err)
	}
}

func FuzzGGUF(f *testing.F) {
	for i, arch := range checkpoint.Architectures {
		c := checkpointtest.Small(arch)
		c.Hidden, c.Heads, c.KVHeads, c.HeadDim, c.Intermediate, c.Vocab, c.Layers = 4, 2, 1, 2, 4, 4, 1
		m := checkpointtest.New(c, 1)
		m.Meta = []checkpointtest.KV{{Key: "tokenizer.ggml.tokens", Value: []string{"a", "b"}}, {Key: "tokenizer.ggml.scores", Value: []float32{1, 2}}}
		f.Add(m.GGUF([]checkpoint.DType{checkpoint.F32, checkpoint.F16, checkpoint.BF16, checkpoint.F32}[i]).Bytes())
	}
	f.Add(checkpointtest.New(checkpointtest.Small("llama"), 1).GGUF(checkpoint.Q4_1).Bytes()[:3000])
	f.Fuzz(func(t *testing.T, b []byte) {
		ck, err := checkpoint.ReadGGUF(b)
		if err != nil {
			typed(t, err)
			return
		}
		var list []checkpoint.Tensor
		for name, shape := range ck.Config.Shapes() {
			tensor, err := ck.Tensor(name)
			if err != nil || len(tensor.Shape) != len(shape) {
				t.Fatalf("%s: %v, %v", name, tensor.Shape, err)
			}
			list = append(list, tensor)
		}
		readable(t, list)
		ck.Config.RopeFrequencies(1)
	})
}

func FuzzSafetensors(f *testing.F) {
	s := &checkpointtest.Safetensors{}
	s.Add("a", "F32", []int{2, 3}, make([]byte, 24))
	s.Add("b", "BF16", []int{}, make([]byte, 2))
	s.Add("c", "I64", []int{0, 3}, nil)
	f.Add(s.Bytes())
	f.Add([]byte("\x10\x00\x00\x00\x00\x00\x00\x00{\"__metadata__\":{}"))
	f.Fuzz(func(t *testing.T, b []byte) {
		tensors, err := checkpoint.ReadSafetensors(b)
		if err != nil {
			typed(t, err)
			return
		}
		readable(t, tensors)
	})
}

func FuzzGroups(f *testing.F) {
	s := &checkpointtest.Safetensors{}
	s.Add("a.weight", "I8", []int{2, 64}, make([]byte, 128))
	s.Add("a.scales", "F16", []int{2, 2}, make([]byte, 8))
	s.Add("b.scales", "F16", []int{1}, make([]byte, 2))
	f.Add(s.Bytes())
	s.Add("c.weight", "I8", []int{0, 32}, nil)
	s.Add("c.scales", "F16", []int{0, 1}, nil)
	f.Add(s.Bytes())
	s.Add("d.weight", "U8", []int{2, 32}, make([]byte, 64))
	s.Add("d.scales", "F16", []int{2, 2}, make([]byte, 8))
	s.Add("d.mins", "F16", []int{2, 2}, make([]byte, 8))
	f.Add(s.Bytes())
	f.Fuzz(func(t *testing.T, b []byte) {
		tensors, err := checkpoint.ReadGroups(b)
		if err != nil {
			typed(t, err)
			return
		}
		readable(t, tensors)
	})
}

func FuzzHead(f *testing.F) {
	for _, d := range []checkpoint.DType{checkpoint.F32, checkpoint.Q8_0, checkpoint.Q4_1} {
		c := checkpointtest.Small("llama")
		c.Hidden, c.Heads, c.KVHeads, c.HeadDim, c.Intermediate, c.Vocab = 32, 2, 1, 2, 4, 4
		files := checkpointtest.NewHead(c, []int{0, 2}, 1).Files(d)
		f.Add(files["config.json"], files["model.safetensors"])
	}
	f.Fuzz(func(t *testing.T, config, weights []byte) {
		h, err := checkpoint.OpenHeadFS(fstest.MapFS{"config.json": {Data: config}, "model.safetensors": {Data: weights}}, "fuzz")
		if err != nil {
			typed(t, err)
			return
		}
		readable(t, slices.Collect(maps.Values(h.Tensors)))
		h.Config.RopeFrequencies(1)
	})
}

func FuzzConfig(f *testing.F) {
	for _, arch := range checkpoint.Architectures {
		c := checkpointtest.Small(arch)
		c.RopeScaling = &checkpoint.RopeScaling{Type: "llama3", Factor: 8, LowFreqFactor: 1, HighFreqFactor: 4, OriginalContext: 64}
		b, err := json.Marshal(checkpointtest.New(c, 1).ConfigJSON())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, []byte(`{"eos_token_id": [1, 2], "bos_token_id": 1}`))
	}
	f.Add([]byte(`{"weight_map": {"a": "model-1.safetensors"}}`), []byte(`{}`))
	for _, scaling := range []string{
		`{"type": "dynamic", "factor": 2}`, `{"type": "yarn", "factor": 4, "original_max_position_embeddings": 8, "mscale": 1, "mscale_all_dim": 2}`,
		`{"type": "longrope", "short_factor": [1, 2], "long_factor": [3, 4], "original_max_position_embeddings": 8}`,
	} {
		f.Add([]byte(`{"model_type": "llama", "hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8,
			"vocab_size": 8, "max_position_embeddings": 32, "rope_scaling": `+scaling+`}`), []byte(`{}`))
	}
	f.Fuzz(func(t *testing.T, config, generation []byte) {
		if err := checkpoint.ReadIndex(config); err != nil {
			typed(t, err)
		}
		c, err := checkpoint.ReadConfig(config, generation)
		if err != nil {
			typed(t, err)
			return
		}
		for _, n := range []int{1, 40, 1 << 20} {
			c.RopeFrequencies(c.RopeLength(n))
		}
		n := 0
		for range c.Shapes() {
			if n++; n > 100 {
				break
			}
		}
	})
}
