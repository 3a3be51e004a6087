//go:build models

package checkpoint_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
	"foretoken/model/modeltest"
)

// TestSmolLM2 compares every value of a real GGUF with the reference's.
func TestSmolLM2(t *testing.T) {
	ck := open(t, filepath.Dir(modeltest.SmolLM2(t)))
	sameConfig(t, ck.Config, checkpoint.Config{
		Architecture: "llama", Hidden: 576, Layers: 30, Heads: 9, KVHeads: 3, HeadDim: 64, Intermediate: 1536, Vocab: 49152,
		Context: 8192, NormEps: 1e-5, RopeTheta: 100000, TiedHead: true, BOS: 1, EOS: ck.Config.EOS,
	})
	if len(ck.Config.EOS) != 1 || ck.Config.EOS[0] != 2 {
		t.Errorf("end-of-sequence ids %v, want [2]", ck.Config.EOS)
	}
	b, err := os.ReadFile("testdata/smollm2.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden map[string]string
	if err := json.Unmarshal(b, &golden); err != nil {
		t.Fatal(err)
	}
	if len(golden) != 272 || len(ck.Tensors) != len(golden) {
		t.Fatalf("%d tensors, %d hashes, want 272", len(ck.Tensors), len(golden))
	}
	for name, want := range golden {
		tensor, err := ck.Tensor(name)
		if err != nil {
			t.Fatal(err)
		}
		rows, cols := tensor.Size()
		dst := make([]float32, rows*cols)
		if err := tensor.Float32(dst); err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(checkpointtest.Encode(checkpoint.F32, dst))
		if got := hex.EncodeToString(sum[:8]); got != want {
			t.Errorf("%s: the values' hash is %s, want %s", name, got, want)
		}
	}
}
