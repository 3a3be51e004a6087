package checkpoint_test

import (
	"encoding/binary"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

// TestBadSafetensors is wrong in one place at a time.
func TestBadSafetensors(t *testing.T) {
	type F = *checkpointtest.Safetensors
	for name, test := range map[string]struct {
		wrong func(f F)
		kind  error
		names []string
	}{
		"beyond the file":   {func(f F) { f.Header[2].Offsets[1] = 1 << 40 }, checkpoint.ErrMalformed, []string{"c", "data_offsets"}},
		"negative":          {func(f F) { f.Header[0].Offsets[0] = -4 }, checkpoint.ErrMalformed, []string{"a"}},
		"backwards":         {func(f F) { f.Header[1].Offsets = [2]int{32, 16} }, checkpoint.ErrMalformed, []string{"b"}},
		"shape":             {func(f F) { f.Header[1].Shape = []int{3, 2} }, checkpoint.ErrMalformed, []string{"b", "16 bytes", "24"}},
		"shape overflow":    {func(f F) { f.Header[1].Shape = []int{1 << 40, 1 << 40} }, checkpoint.ErrMalformed, []string{"b"}},
		"shape 0, overflow": {func(f F) { f.Header[1].Shape = []int{0, math.MaxInt} }, checkpoint.ErrMalformed, []string{"b"}},
		"shape negative":    {func(f F) { f.Header[1].Shape = []int{-2, -2} }, checkpoint.ErrMalformed, []string{"b"}},
		"no shape":          {func(f F) { f.Header[1].Shape = nil }, checkpoint.ErrMissing, []string{"b"}},
		"dtype":             {func(f F) { f.Header[1].DType = "F12" }, checkpoint.ErrUnsupported, []string{"b", "F12"}},
		"overlap":           {func(f F) { f.Header[1].Offsets = [2]int{8, 24} }, checkpoint.ErrMalformed, []string{"b", "overlap with a"}},
		"hole":              {func(f F) { f.Header[2].Offsets = [2]int{36, 52}; f.Data = append(f.Data, 0, 0, 0, 0) }, checkpoint.ErrMalformed, []string{"c", "hole"}},
		"longer":            {func(f F) { f.Data = append(f.Data, 0) }, checkpoint.ErrMalformed, []string{"49 bytes"}},
		"cut short":         {func(f F) { f.Data = f.Data[:47] }, checkpoint.ErrMalformed, []string{"c"}},
		"duplicate":         {func(f F) { f.Header[2].Name = "a" }, checkpoint.ErrMalformed, []string{"a", "second"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := &checkpointtest.Safetensors{}
			for _, n := range []string{"a", "b", "c"} {
				f.Add(n, "F32", []int{2, 2}, make([]byte, 16))
			}
			if _, err := checkpoint.ReadSafetensors(f.Bytes()); err != nil {
				t.Fatal(err)
			}
			test.wrong(f)
			_, err := checkpoint.ReadSafetensors(f.Bytes())
			refused(t, err, test.kind, append(test.names, "fuzz.safetensors")...)
		})
	}
	for _, header := range []string{"", "[]", "{", `{"a":1}`, `{"a":{}}`, "{} {}", `{"a":{"dtype":"F32","shape":[],"data_offsets":[0]}}`, `null`, "{\x00}"} {
		b := append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...)
		if _, err := checkpoint.ReadSafetensors(b); err == nil {
			t.Errorf("header %q is read", header)
		}
	}
	for _, length := range []uint64{9, 1 << 62, math.MaxUint64} {
		_, err := checkpoint.ReadSafetensors(append(binary.LittleEndian.AppendUint64(nil, length), "{}"...))
		refused(t, err, checkpoint.ErrMalformed, "header length")
	}
}

// TestBadFolder is wrong in one place at a time, in any of the files.
func TestBadFolder(t *testing.T) {
	const index, second = "model.safetensors.index.json", "model-00002-of-00003.safetensors"
	edit := func(dir, file, from, to string) {
		b, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		s := strings.ReplaceAll(string(b), from, to)
		if s == string(b) {
			t.Fatalf("%s has no %q", file, from)
		}
		if err := os.WriteFile(filepath.Join(dir, file), []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	replace := func(file, from, to string) func(string) { return func(dir string) { edit(dir, file, from, to) } }
	config := func(from, to string) func(string) { return replace("config.json", from, to) }
	for name, test := range map[string]struct {
		wrong func(dir string)
		kind  error
		names []string
	}{
		"no config":          {func(d string) { os.Remove(filepath.Join(d, "config.json")) }, checkpoint.ErrMissing, []string{"config.json"}},
		"no weights":         {func(d string) { os.Remove(filepath.Join(d, index)) }, checkpoint.ErrMissing, []string{"model.safetensors"}},
		"no shard":           {func(d string) { os.Remove(filepath.Join(d, second)) }, checkpoint.ErrMissing, []string{second, index}},
		"empty shard":        {func(d string) { os.Truncate(filepath.Join(d, second), 0) }, checkpoint.ErrMalformed, []string{second}},
		"cut shard":          {func(d string) { os.Truncate(filepath.Join(d, second), 3000) }, checkpoint.ErrMalformed, []string{second}},
		"index names more":   {replace(index, `"weight_map": {`, `"weight_map": {"more": "`+second+`",`), checkpoint.ErrMissing, []string{second, "more"}},
		"index of elsewhere": {replace(index, second, "../"+second), checkpoint.ErrMalformed, []string{"../" + second}},
		"index of nothing":   {replace(index, "weight_map", "weights"), checkpoint.ErrMissing, []string{"weight_map"}},
		"index no JSON":      {replace(index, "{", "["), checkpoint.ErrMalformed, []string{index}},
		"stray weights": {func(d string) {
			b, _ := os.ReadFile(filepath.Join(d, second))
			os.WriteFile(filepath.Join(d, "model.safetensors"), b, 0o644)
		}, checkpoint.ErrUnsupported, []string{index, "model.safetensors"}},
		"key twice":       {config(`"hidden_size": 32`, `"hidden_size": 32, "hidden_size": 64`), checkpoint.ErrMalformed, []string{"config.json: malformed: hidden_size: is there already, want each key once"}},
		"config too long": {func(d string) { os.Truncate(filepath.Join(d, "config.json"), 1<<36) }, checkpoint.ErrMalformed, []string{"config.json: malformed: 68719476736 bytes, want at most 67108864 bytes of JSON"}},
		"config no JSON":  {config("{", "["), checkpoint.ErrMalformed, []string{"config.json", "is no JSON"}},
		"config a list":   {func(d string) { os.WriteFile(filepath.Join(d, "config.json"), []byte("[]"), 0o644) }, checkpoint.ErrMalformed, []string{"config.json: malformed: a list, want a JSON object"}},
		"architecture":    {config(`"llama"`, `"gpt2"`), checkpoint.ErrUnsupported, []string{`architecture "gpt2" is not supported`, "have llama"}},
		"no architecture": {config("model_type", "kind"), checkpoint.ErrMissing, []string{"model_type"}},
		"no width":        {config(`"hidden_size": 32,`, ""), checkpoint.ErrMissing, []string{"hidden_size"}},
		"width below 0": {func(d string) {
			edit(d, "config.json", `"head_dim": 8`, `"head_dim": null`)
			edit(d, "config.json", `"hidden_size": 32`, `"hidden_size": -1`)
		}, checkpoint.ErrMalformed, []string{"hidden_size: malformed: -1, want at least 1"}},
		"no layers":    {config(`"num_hidden_layers": 2`, `"num_hidden_layers": 0`), checkpoint.ErrMalformed, []string{"num_hidden_layers: malformed: 0, want at least 1"}},
		"field's type": {config(`"hidden_size": 32`, `"hidden_size": "32"`), checkpoint.ErrMalformed, []string{`hidden_size: malformed: "32", want a whole number`}},
		"heads":        {config(`"num_key_value_heads": 2`, `"num_key_value_heads": 3`), checkpoint.ErrMalformed, []string{"key/value head count"}},
		"no head dimension": {func(d string) {
			edit(d, "config.json", `"head_dim": 8`, `"head_dim": null`)
			edit(d, "config.json", `"num_attention_heads": 4`, `"num_attention_heads": 5`)
		}, checkpoint.ErrMalformed, []string{"num_attention_heads"}},
		"shape":           {config(`"vocab_size": 64`, `"vocab_size": 65`), checkpoint.ErrMismatch, []string{"model.embed_tokens.weight", "[64 32]", "[65 32]"}},
		"missing tensor":  {config(`"num_hidden_layers": 2`, `"num_hidden_layers": 3`), checkpoint.ErrMissing, []string{"model.layers.2.input_layernorm.weight"}},
		"tensor too many": {config(`"num_hidden_layers": 2`, `"num_hidden_layers": 1`), checkpoint.ErrUnsupported, []string{"model.layers.1."}},
		"activation":      {config(`"silu"`, `"gelu"`), checkpoint.ErrUnsupported, []string{"hidden_act", "gelu"}},
		"quantisation":    {config(`"hidden_act"`, `"quantization_config": {}, "hidden_act"`), checkpoint.ErrUnsupported, []string{"quantised"}},
		"rope scaling":    {config(`"hidden_act"`, `"rope_scaling": {"type": "su", "factor": 4}, "hidden_act"`), checkpoint.ErrUnsupported, []string{"rope_scaling.rope_type", "su"}},
		"rope factor":     {config(`"hidden_act"`, `"rope_scaling": {"type": "linear"}, "hidden_act"`), checkpoint.ErrMalformed, []string{"factor"}},
		"eos":             {replace("generation_config.json", "2", "64"), checkpoint.ErrMalformed, []string{"64"}},
		"eos type":        {replace("generation_config.json", "[\n    2\n  ]", `"x"`), checkpoint.ErrMalformed, []string{"generation_config.json", "eos_token_id"}},
		"dtype":           {replace(second, `"F32"`, `"I32"`), checkpoint.ErrUnsupported, []string{second, "I32"}},
		"twice in shards": {replace(second, "model.layers.1.self_attn.q_proj.weight", "model.layers.0.self_attn.q_proj.weight"), checkpoint.ErrMalformed, []string{second, "model.layers.0.self_attn.q_proj.weight"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := checkpointtest.New(checkpointtest.Small("llama"), 1).WriteFolder(dir, checkpoint.F32, 3); err != nil {
				t.Fatal(err)
			}
			test.wrong(dir)
			_, err := checkpoint.Open(dir)
			refused(t, err, test.kind, append(test.names, dir)...)
		})
	}
}

// TestNoFile has the file system's own errors.
func TestNoFile(t *testing.T) {
	if _, err := checkpoint.Open(filepath.Join(t.TempDir(), "none.gguf")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v, want that there is no such file", err)
	}
	path := filepath.Join(t.TempDir(), "weights.bin")
	if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := checkpoint.Open(path)
	refused(t, err, checkpoint.ErrUnsupported, "weights.bin", ".gguf")
}

// TestRows refuses rows that are not there and a destination of another length.
func TestRows(t *testing.T) {
	tensor := checkpoint.Tensor{Name: "w", Type: checkpoint.F32, Shape: []int{2, 3}, Data: make([]byte, 24)}
	for _, bad := range [][3]int{{-1, 1, 6}, {0, 3, 9}, {1, 0, 0}, {0, 2, 5}} {
		if err := tensor.Rows(bad[0], bad[1], make([]float32, bad[2])); err == nil || !strings.Contains(err.Error(), "w: rows") {
			t.Errorf("rows %v: error %v", bad, err)
		}
	}
}
