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
