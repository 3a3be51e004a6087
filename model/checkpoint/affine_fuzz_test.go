package checkpoint_test

import (
	"testing"

	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

func FuzzAffine(f *testing.F) {
	f.Add(fourBits, affineFile().Bytes())
	f.Add(`{"bits": 8, "group_size": 32, "a": {"bits": 4, "group_size": 32}, "b": false}`, affineFile().Bytes())
	four := &checkpointtest.Safetensors{}
	four.Add("a.weight", "U32", []int{2, 8}, make([]byte, 64))
	four.Add("a.scales", "U8", []int{2, 2}, make([]byte, 4))
	f.Add(mx, four.Bytes())
	f.Fuzz(func(t *testing.T, stated string, b []byte) {
		tensors, err := checkpoint.ReadAffine(stated, b)
		if err != nil {
			typed(t, err)
			return
		}
		readable(t, tensors)
	})
}
