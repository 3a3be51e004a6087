package checkpoint_test

import (
	"slices"
	"testing"

	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

// TestBadGroups is wrong in one place at a time.
func TestBadGroups(t *testing.T) {
	type F = *checkpointtest.Safetensors
	for name, test := range map[string]struct {
		wrong func(f F)
		kind  error
		names []string
	}{
		"no scales":           {func(f F) { f.Header[1].Name = "b.scales" }, checkpoint.ErrMissing, []string{"a.scales", "a.weight"}},
		"scales' type":        {func(f F) { f.Header[1].DType = "I16" }, checkpoint.ErrMismatch, []string{"a.scales", "I16", "F16"}},
		"scales' shape":       {func(f F) { f.Header[1].Shape = []int{1, 4} }, checkpoint.ErrMismatch, []string{"a.scales", "[1 4]", "[2 2]"}},
		"no whole groups":     {func(f F) { f.Header[0].Shape = []int{8, 16} }, checkpoint.ErrMalformed, []string{"a.weight", "[8 16]", "32"}},
		"no matrix":           {func(f F) { f.Header[0].Shape = []int{128} }, checkpoint.ErrMalformed, []string{"a.weight", "[128]"}},
		"int8 of another use": {func(f F) { f.Header[0].Name = "a.table" }, checkpoint.ErrUnsupported, []string{"a.table", "I8"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := &checkpointtest.Safetensors{}
			f.Add("a.weight", "I8", []int{2, 64}, make([]byte, 128))
			f.Add("a.scales", "F16", []int{2, 2}, make([]byte, 8))
			if _, err := checkpoint.ReadGroups(f.Bytes()); err != nil {
				t.Fatal(err)
			}
			test.wrong(f)
			_, err := checkpoint.ReadGroups(f.Bytes())
			refused(t, err, test.kind, append(test.names, "fuzz.safetensors")...)
		})
	}
}

// TestBadFourBits is wrong in one place at a time.
func TestBadFourBits(t *testing.T) {
	type F = *checkpointtest.Safetensors
	for name, test := range map[string]struct {
		wrong func(f F)
		kind  error
		names []string
	}{
		"no mins":         {func(f F) { f.Header[2].Name = "b.mins" }, checkpoint.ErrMissing, []string{"a.mins", "a.weight"}},
		"no scales":       {func(f F) { f.Header[1].Name = "b.scales" }, checkpoint.ErrMissing, []string{"a.scales", "a.weight"}},
		"mins' type":      {func(f F) { f.Header[2].DType = "BF16" }, checkpoint.ErrMismatch, []string{"a.mins", "BF16", "F16"}},
		"mins' shape":     {func(f F) { f.Header[2].Shape = []int{4, 1} }, checkpoint.ErrMismatch, []string{"a.mins", "[4 1]", "[2 2]"}},
		"no whole groups": {func(f F) { f.Header[0].Shape = []int{8, 8} }, checkpoint.ErrMalformed, []string{"a.weight", "[8 8]", "16"}},
		"bytes":           {func(f F) { f.Header[0].Name = "a.table" }, checkpoint.ErrUnsupported, []string{"a.table", "U8"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := &checkpointtest.Safetensors{}
			f.Add("a.weight", "U8", []int{2, 32}, make([]byte, 64))
			f.Add("a.scales", "F16", []int{2, 2}, make([]byte, 8))
			f.Add("a.mins", "F16", []int{2, 2}, make([]byte, 8))
			list, err := checkpoint.ReadGroups(f.Bytes())
			if err != nil || len(list) != 1 || list[0].Type != checkpoint.Q4_1 || !slices.Equal(list[0].Shape, []int{2, 64}) {
				t.Fatal(list, err)
			}
			test.wrong(f)
			_, err = checkpoint.ReadGroups(f.Bytes())
			refused(t, err, test.kind, append(test.names, "fuzz.safetensors")...)
		})
	}
}

// TestBadHead is wrong in one place at a time.
func TestBadHead(t *testing.T) {
	type H = *checkpointtest.Head
	config := func(key string, v any) func(H) { return func(h H) { h.Config[key] = v } }
	groups := func(key string, v any) func(H) {
		return config("quantization", map[string]any{"method": "int8-groups", "bits": 8, "group_size": 32, key: v})
	}
	for name, test := range map[string]struct {
		wrong func(H)
		kind  error
		names []string
	}{
		"a model":        {config("model_type", "llama"), checkpoint.ErrUnsupported, []string{"llama", "eagle3"}},
		"no taps":        {config("taps", nil), checkpoint.ErrMissing, []string{"taps"}},
		"taps unordered": {config("taps", []int{2, 1}), checkpoint.ErrMalformed, []string{"taps", "[2 1]"}},
		"tap below 0":    {config("taps", []int{-1, 1}), checkpoint.ErrMalformed, []string{"taps"}},
		"more taps":      {config("taps", []int{0, 1, 2}), checkpoint.ErrMismatch, []string{"fc.weight", "[32 64]", "[32 96]"}},
		"more words":     {config("draft_vocab_size", 99), checkpoint.ErrMalformed, []string{"draft_vocab_size", "64"}},
		"fewer words":    {config("draft_vocab_size", 9), checkpoint.ErrMismatch, []string{"words", "[9]"}},
		"no width":       {config("hidden_size", nil), checkpoint.ErrMissing, []string{"hidden_size"}},
		"theta":          {config("rope_theta", -1), checkpoint.ErrMalformed, []string{"rope theta"}},
		"method":         {groups("method", "nf4"), checkpoint.ErrUnsupported, []string{"quantization", "nf4", "int8-groups"}},
		"group size":     {groups("group_size", 64), checkpoint.ErrUnsupported, []string{"quantization", "64"}},
		"word unordered": {func(h H) { h.Words[3] = h.Words[4] }, checkpoint.ErrMalformed, []string{"words", "ascending"}},
		"word too large": {func(h H) { h.Words[len(h.Words)-1] = 64 }, checkpoint.ErrMalformed, []string{"words", "64"}},
		"word below 0":   {func(h H) { h.Words[0] = -1 }, checkpoint.ErrMalformed, []string{"words", "-1"}},
		"no norm":        {func(h H) { h.Tensors[len(h.Tensors)-2].Name = "n" }, checkpoint.ErrMissing, []string{"norm.weight"}},
		"no lm_head":     {func(h H) { h.Tensors = h.Tensors[:len(h.Tensors)-1] }, checkpoint.ErrMissing, []string{"lm_head.weight"}},
		"tensor too many": {func(h H) {
			h.Tensors = append(h.Tensors, checkpointtest.Tensor{Name: "d2t", Shape: []int{1}, Values: []float32{0}})
		}, checkpoint.ErrUnsupported, []string{"d2t"}},
	} {
		t.Run(name, func(t *testing.T) {
			h := checkpointtest.NewHead(checkpointtest.Small("llama"), []int{1, 2}, 3)
			test.wrong(h)
			dir := t.TempDir()
			if err := h.Write(dir, checkpoint.F32); err != nil {
				t.Fatal(err)
			}
			_, err := checkpoint.OpenHead(dir)
			refused(t, err, test.kind, append(test.names, dir)...)
		})
	}
}
