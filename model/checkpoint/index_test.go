package checkpoint_test

import (
	"os"
	"path/filepath"
	"testing"

	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

// An index that names model.safetensors alone may stand beside it.
func TestIndexOfOne(t *testing.T) {
	dir, m := t.TempDir(), checkpointtest.New(checkpointtest.Small("llama"), 1)
	if err := m.WriteFolder(dir, checkpoint.F32, 1); err != nil {
		t.Fatal(err)
	}
	index := map[string]string{}
	for _, x := range m.Tensors {
		index[x.Name] = "model.safetensors"
	}
	b := jsonOf(t, map[string]any{"weight_map": index})
	if err := os.WriteFile(filepath.Join(dir, "model.safetensors.index.json"), b, 0o644); err != nil {
		t.Fatal(err)
	}
	same(t, open(t, dir), m, checkpoint.F32, checkpoint.F32)
}
