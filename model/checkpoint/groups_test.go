package checkpoint_test

import (
	"bytes"
	"os"
	"slices"
	"testing"
	"testing/fstest"

	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

// TestGroups reads every architecture in groups of int8, over one file and more:
// the matrices are Q8_0, to the bit.
func TestGroups(t *testing.T) {
	for i, arch := range checkpoint.Architectures {
		for _, shards := range []int{1, 3} {
			m := checkpointtest.New(checkpointtest.Small(arch), uint64(i))
			dir := t.TempDir()
			if err := m.WriteFolder(dir, checkpoint.Q8_0, shards); err != nil {
				t.Fatal(err)
			}
			ck := open(t, dir)
			same(t, ck, m, checkpoint.Q8_0, checkpoint.F16)
			sameConfig(t, ck.Config, m.Config)
		}
	}
}

// TestOpenFS reads a folder that is on no disk.
func TestOpenFS(t *testing.T) {
	m := checkpointtest.New(checkpointtest.Small("llama"), 1)
	dir := t.TempDir()
	if err := m.WriteFolder(dir, checkpoint.Q8_0, 3); err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{}
	if err := addFiles(files, dir); err != nil {
		t.Fatal(err)
	}
	ck, err := checkpoint.OpenFS(files, "carried")
	if err != nil {
		t.Fatal(err)
	}
	same(t, ck, m, checkpoint.Q8_0, checkpoint.F16)
	if err := ck.Close(); err != nil {
		t.Error(err)
	}
	delete(files, "model-00002-of-00003.safetensors")
	_, err = checkpoint.OpenFS(files, "carried")
	refused(t, err, checkpoint.ErrMissing, "carried/model-00002-of-00003.safetensors")
}

func addFiles(to fstest.MapFS, dir string) error {
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		var b []byte
		if b, err = os.ReadFile(dir + "/" + e.Name()); err != nil {
			return err
		}
		to[e.Name()] = &fstest.MapFile{Data: b}
	}
	return err
}

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

// TestHeadFolder writes a head and reads it again.
func TestHeadFolder(t *testing.T) {
	for _, d := range []checkpoint.DType{checkpoint.F32, checkpoint.Q8_0, checkpoint.Q4_1} {
		want := checkpointtest.NewHead(checkpointtest.Small("llama"), []int{1, 2}, 3)
		dir := t.TempDir()
		if err := want.Write(dir, d); err != nil {
			t.Fatal(err)
		}
		h, err := checkpoint.OpenHead(dir)
		if err != nil {
			t.Fatal(err)
		}
		if h.Target != "small-llama" || !slices.Equal(h.Taps, []int{1, 2}) || !slices.Equal(h.Words, want.Words) || h.Config.Vocab != 64 {
			t.Errorf("target %q, taps %v, words %v, config %+v", h.Target, h.Taps, h.Words, h.Config)
		}
		if len(h.Tensors) != len(want.Tensors) {
			t.Errorf("%d tensors, want %d", len(h.Tensors), len(want.Tensors))
		}
		for _, x := range want.Tensors {
			stored := d
			if d != checkpoint.F32 && len(x.Shape) == 1 {
				stored = checkpoint.F16
			}
			if got := h.Tensors[x.Name]; !slices.Equal(got.Shape, x.Shape) || got.Type != stored || !bytes.Equal(got.Data, checkpointtest.Encode(stored, x.Values)) {
				t.Errorf("%s: %v %v differs from what was written", x.Name, got.Type, got.Shape)
			}
		}
		if err := h.Close(); err != nil {
			t.Error(err)
		}
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
