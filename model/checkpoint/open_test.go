package checkpoint_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"foretoken/model"
	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

// same compares a checkpoint with the model that was written as d: every tensor
// there, its bytes those of the writer's encoding of our rows.
func same(t *testing.T, ck *checkpoint.Checkpoint, m *checkpointtest.Model, matrix, vector checkpoint.DType) {
	t.Helper()
	if len(ck.Tensors) != len(m.Tensors) {
		t.Fatalf("%d tensors, want %d: %v", len(ck.Tensors), len(m.Tensors), slices.Sorted(maps.Keys(ck.Tensors)))
	}
	for _, want := range m.Tensors {
		got, err := ck.Tensor(want.Name)
		if err != nil {
			t.Fatal(err)
		}
		d := vector
		if len(want.Shape) == 2 {
			d = matrix
		}
		if got.Type != d || !slices.Equal(got.Shape, want.Shape) {
			t.Errorf("%s is %v %v, want %v %v", want.Name, got.Type, got.Shape, d, want.Shape)
		}
		if !bytes.Equal(got.Data, checkpointtest.Encode(d, want.Values)) {
			t.Errorf("%s (%v) differs from what was written", want.Name, d)
		}
	}
}

func sameConfig(t *testing.T, got, want checkpoint.Config) {
	t.Helper()
	got.Name, want.Name = "", ""
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
		t.Errorf("config %s\nwant   %s", g, w)
	}
}

func open(t *testing.T, path string) *checkpoint.Checkpoint {
	t.Helper()
	ck, err := checkpoint.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ck.Close(); err != nil {
			t.Error(err)
		}
	})
	return ck
}

// TestFolder writes and reads every architecture, type and number of shards.
func TestFolder(t *testing.T) {
	for i, arch := range checkpoint.Architectures {
		for _, d := range []checkpoint.DType{checkpoint.F32, checkpoint.F16, checkpoint.BF16} {
			for _, shards := range []int{1, 3} {
				m := checkpointtest.New(checkpointtest.Small(arch), uint64(i))
				dir := t.TempDir()
				if err := m.WriteFolder(dir, d, shards); err != nil {
					t.Fatal(err)
				}
				ck := open(t, dir)
				same(t, ck, m, d, d)
				sameConfig(t, ck.Config, m.Config)
				if ck.GGUF != nil {
					t.Error("a folder has GGUF metadata")
				}
			}
		}
	}
}

// TestGGUF does so with every type. A GGUF has mistral as llama.
func TestGGUF(t *testing.T) {
	types := append([]checkpoint.DType{checkpoint.F32, checkpoint.F16, checkpoint.BF16}, quantised...)
	for i, arch := range checkpoint.Architectures {
		for _, d := range types {
			c := checkpointtest.Small(arch)
			if d.Block() == 256 {
				c = checkpointtest.Wide(c)
			}
			m := checkpointtest.New(c, uint64(i))
			path := filepath.Join(t.TempDir(), "m.gguf")
			if err := m.WriteGGUF(path, d); err != nil {
				t.Fatal(err)
			}
			ck := open(t, path)
			same(t, ck, m, d, checkpoint.F32)
			want := m.Config
			if arch == "mistral" {
				want.Architecture = "llama"
			}
			sameConfig(t, ck.Config, want)
			if ck.Config.Name != c.Name {
				t.Errorf("name %q, want %q", ck.Config.Name, c.Name)
			}
		}
	}
}

// TestBiases has Llama's attention_bias: biases on q, k, v and o, of which a GGUF
// permutes those of q and k.
func TestBiases(t *testing.T) {
	c := checkpointtest.Small("llama")
	c.QKVBias, c.OutputBias = true, true
	m := checkpointtest.New(c, 5)
	dir := t.TempDir()
	if err := m.WriteFolder(dir, checkpoint.F32, 1); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "m.gguf")
	if err := m.WriteGGUF(path, checkpoint.Q8_0); err != nil {
		t.Fatal(err)
	}
	folder, gguf := open(t, dir), open(t, path)
	same(t, folder, m, checkpoint.F32, checkpoint.F32)
	same(t, gguf, m, checkpoint.Q8_0, checkpoint.F32)
	sameConfig(t, folder.Config, c)
	sameConfig(t, gguf.Config, c)
}

// TestEnds merges the ids that end a sequence.
func TestEnds(t *testing.T) {
	for _, test := range []struct {
		config, generation any
		want               []model.Token
	}{
		{2, nil, []model.Token{2}},
		{2, 3, []model.Token{3, 2}},
		{[]int{2, 4}, []int{3, 4}, []model.Token{3, 4, 2}},
		{nil, 3, []model.Token{3}},
		{nil, nil, nil},
	} {
		m := checkpointtest.New(checkpointtest.Small("llama"), 1)
		config := m.ConfigJSON()
		config["eos_token_id"] = test.config
		m.Files = map[string][]byte{
			"config.json":            jsonOf(t, config),
			"generation_config.json": jsonOf(t, map[string]any{"eos_token_id": test.generation}),
		}
		dir := t.TempDir()
		if err := m.WriteFolder(dir, checkpoint.F32, 1); err != nil {
			t.Fatal(err)
		}
		if got := open(t, dir).Config.EOS; !slices.Equal(got, test.want) {
			t.Errorf("config %v, generation config %v: ids %v, want %v", test.config, test.generation, got, test.want)
		}
	}
}

// TestOnlyGGUF opens a folder that has a GGUF and nothing else.
func TestOnlyGGUF(t *testing.T) {
	m := checkpointtest.New(checkpointtest.Small("llama"), 1)
	dir := filepath.Join(t.TempDir(), "odd [name]")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := m.WriteGGUF(filepath.Join(dir, "m.gguf"), checkpoint.Q8_0); err != nil {
		t.Fatal(err)
	}
	same(t, open(t, dir), m, checkpoint.Q8_0, checkpoint.F32)
}

func jsonOf(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
