package checkpoint_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"
	"testing/fstest"

	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

// TestAffineValues reads what MLX wrote, as MLX reads it, to the bit.
func TestAffineValues(t *testing.T) {
	b, err := os.ReadFile("testdata/affine.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden []struct {
		Bits, Group                    int
		Mode                           string
		Weight, Scales, Biases, Values []byte
	}
	if err := json.Unmarshal(b, &golden); err != nil {
		t.Fatal(err)
	}
	if len(golden) != 19 {
		t.Fatalf("%d golden matrices", len(golden))
	}
	for _, g := range golden {
		f := &checkpointtest.Safetensors{}
		f.Add("a.weight", "U32", []int{3, 128 * g.Bits / 32}, g.Weight)
		stated := fmt.Sprintf(`{"bits": %d, "group_size": %d}`, g.Bits, g.Group)
		if g.Mode == "mxfp4" {
			stated = `{"bits": 4, "group_size": 32, "mode": "mxfp4"}`
			f.Add("a.scales", "U8", []int{3, 4}, g.Scales)
		} else {
			f.Add("a.scales", "F32", []int{3, 128 / g.Group}, g.Scales)
			f.Add("a.biases", "F32", []int{3, 128 / g.Group}, g.Biases)
		}
		tensors, err := checkpoint.ReadAffine(stated, f.Bytes())
		if err != nil || len(tensors) != 1 {
			t.Fatal(len(tensors), err)
		}
		got, want := make([]float32, 128), make([]float32, 3*128)
		values := checkpoint.Tensor{Type: checkpoint.F32, Shape: []int{3, 128}, Data: g.Values}
		if err := values.Float32(want); err != nil {
			t.Fatal(err)
		}
		for row := range 3 {
			if err := tensors[0].Rows(row, row+1, got); err != nil || !slices.Equal(got, want[row*128:][:128]) {
				t.Errorf("%s, row %d: %v, %v\nwant %v", stated, row, got, err, want[row*128:][:128])
			}
		}
	}
}

// TestAffineFolder reads every architecture, bits and group, in one file and in
// shards that part matrices from their scales.
func TestAffineFolder(t *testing.T) {
	for i, arch := range checkpoint.Architectures {
		for _, g := range []checkpoint.Groups{{Bits: 4, Size: 32}, {Bits: 4, Size: 64}, {Bits: 8, Size: 32}, {Bits: 8, Size: 64}, {Bits: 3, Size: 64}, {Bits: 5, Size: 32}, {Bits: 6, Size: 128}} {
			for _, d := range []checkpoint.DType{checkpoint.F32, checkpoint.F16, checkpoint.BF16} {
				m := checkpointtest.New(checkpointtest.Wide(checkpointtest.Small(arch)), uint64(i))
				own := map[string]checkpoint.Groups{"model.layers.1.mlp.down_proj": {Bits: 8, Size: 128}}
				dir := t.TempDir()
				if err := m.WriteAffine(dir, d, g.Bits, g.Size, 1+i%2*2, own); err != nil {
					t.Fatal(err)
				}
				sameValues(t, open(t, dir), m)
			}
		}
	}
}

func sameValues(t *testing.T, ck *checkpoint.Checkpoint, m *checkpointtest.Model) {
	t.Helper()
	sameConfig(t, ck.Config, m.Config)
	if len(ck.Tensors) != len(m.Tensors) {
		t.Errorf("%d tensors, want %d", len(ck.Tensors), len(m.Tensors))
	}
	for _, want := range m.Tensors {
		x, err := ck.Tensor(want.Name)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]float32, len(want.Values))
		if err := x.Float32(got); err != nil || !slices.Equal(x.Shape, want.Shape) || !slices.Equal(got, want.Values) {
			t.Errorf("%s of shape %v, want %v, is not what was written (%v)", want.Name, x.Shape, want.Shape, err)
		}
	}
}

// affineFile is a file with one matrix.
func affineFile() *checkpointtest.Safetensors {
	f := &checkpointtest.Safetensors{}
	f.Add("a.weight", "U32", []int{2, 8}, make([]byte, 64))
	f.Add("a.scales", "F16", []int{2, 2}, make([]byte, 8))
	f.Add("a.biases", "F16", []int{2, 2}, make([]byte, 8))
	return f
}

const (
	fourBits = `{"bits": 4, "group_size": 32}`
	mx       = `{"bits": 4, "group_size": 32, "mode": "mxfp4"}`
)

// TestBadAffine is wrong in one place at a time.
func TestBadAffine(t *testing.T) {
	type F = *checkpointtest.Safetensors
	if _, err := checkpoint.ReadAffine(fourBits, affineFile().Bytes()); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		stated string
		wrong  func(f F)
		kind   error
		names  []string
	}{
		"no scales":     {fourBits, func(f F) { f.Header[1].Name = "b.scales" }, checkpoint.ErrMissing, []string{"a.scales", "a.weight"}},
		"no biases":     {fourBits, func(f F) { f.Header[2].Name = "b.biases" }, checkpoint.ErrMissing, []string{"a.biases", "a.weight"}},
		"scales' shape": {fourBits, func(f F) { f.Header[1].Shape = []int{1, 4} }, checkpoint.ErrMismatch, []string{"a.scales", "[1 4]", "[2 2]"}},
		"scales' type":  {fourBits, func(f F) { f.Header[1].DType = "I16" }, checkpoint.ErrUnsupported, []string{"a.scales", "I16"}},
		"two types":     {fourBits, func(f F) { f.Header[2].DType = "BF16" }, checkpoint.ErrMismatch, []string{"a.biases", "BF16", "F16"}},
		"other groups":  {`{"bits": 8, "group_size": 64}`, func(F) {}, checkpoint.ErrMismatch, []string{"a.weight", "64 columns of 8 bits"}},
		"other bits":    {`{"bits": 8, "group_size": 32}`, func(F) {}, checkpoint.ErrMismatch, []string{"a.scales", "[2 1]"}},
		"no columns": {fourBits, func(f F) {
			f.Header[0].Shape, f.Header[0].Offsets = []int{2, 0}, [2]int{0, 0}
			f.Header, f.Data = f.Header[:1], nil
		}, checkpoint.ErrMismatch, []string{"a.weight", "[2 0]"}},
		"no matrix":       {fourBits, func(f F) { f.Header[0].Shape = []int{16} }, checkpoint.ErrMalformed, []string{"a.weight", "[16]"}},
		"words of no use": {fourBits, func(f F) { f.Header[0].Name = "a.table" }, checkpoint.ErrUnsupported, []string{"a.table", "U32"}},
		"twice":           {fourBits, func(f F) { f.Add("a.weight", "F32", []int{1}, make([]byte, 4)) }, checkpoint.ErrMalformed, []string{"a.weight", "second"}},
		"7 bits":          {`{"bits": 7, "group_size": 64}`, func(F) {}, checkpoint.ErrUnsupported, []string{"quantization", "7 bits"}},
		"groups of 16":    {`{"bits": 4, "group_size": 16}`, func(F) {}, checkpoint.ErrUnsupported, []string{"quantization", "groups of 16"}},
		"mode":            {`{"bits": 4, "group_size": 16, "mode": "nvfp4"}`, func(F) {}, checkpoint.ErrUnsupported, []string{"quantization", "nvfp4", "affine"}},
		"mxfp4's scales":  {mx, func(F) {}, checkpoint.ErrMismatch, []string{"a.scales", "F16", "U8"}},
		"mxfp4 without":   {mx, func(f F) { f.Header[1].Name = "b.scales" }, checkpoint.ErrMissing, []string{"a.scales"}},
		"mxfp4 alone": {mx, func(f F) {
			*f = checkpointtest.Safetensors{}
			f.Add("a.scales", "U8", []int{2, 2}, make([]byte, 4))
		}, checkpoint.ErrMissing, []string{"a.weight", "a.scales"}},
		"mxfp4 of 64":      {`{"bits": 4, "group_size": 64, "mode": "mxfp4"}`, func(F) {}, checkpoint.ErrUnsupported, []string{"quantization", "groups of 64"}},
		"bits of a string": {`{"bits": "4"}`, func(F) {}, checkpoint.ErrMalformed, []string{"bits"}},
		"a module's own":   {`{"bits": 4, "group_size": 32, "a": {"bits": 7, "group_size": 32}}`, func(F) {}, checkpoint.ErrUnsupported, []string{"quantization.a", "7 bits"}},
	} {
		t.Run(name, func(t *testing.T) {
			f := affineFile()
			test.wrong(f)
			_, err := checkpoint.ReadAffine(test.stated, f.Bytes())
			refused(t, err, test.kind, append(test.names, "fuzz")...)
		})
	}
}

// TestAffineHead refuses what is not read.
func TestAffineHead(t *testing.T) {
	h := checkpointtest.NewHead(checkpointtest.Small("llama"), []int{1, 2}, 3)
	h.Config["quantization"] = map[string]any{"bits": 4, "group_size": 32}
	files := fstest.MapFS{}
	for name, b := range maps.All(h.Files(checkpoint.F32)) {
		files[name] = &fstest.MapFile{Data: b}
	}
	_, err := checkpoint.OpenHeadFS(files, "head")
	refused(t, err, checkpoint.ErrUnsupported, "head/config.json", "quantization", "MLX")
}
