package checkpoint_test

import (
	"os"
	"slices"
	"testing"

	"foretoken/model/checkpoint"
)

// TestReference reads a file that the format's own library wrote (reference.py).
func TestReference(t *testing.T) {
	b, err := os.ReadFile("testdata/reference.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	tensors, err := checkpoint.ReadSafetensors(b)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]struct {
		shape  []int
		values []float32
	}{
		"a":      {[]int{4}, []float32{1, -2, 65504, 5.9604645e-08}},
		"b":      {[]int{2, 3}, []float32{0, .25, .5, .75, 1, 1.25}},
		"scalar": {nil, []float32{7}},
		"empty":  {[]int{0, 3}, []float32{}},
	}
	if len(tensors) != len(want) {
		t.Errorf("%d tensors, want %d: ids are not read", len(tensors), len(want))
	}
	for _, tensor := range tensors {
		w := want[tensor.Name]
		got := make([]float32, len(w.values))
		if err := tensor.Float32(got); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(tensor.Shape, w.shape) || !slices.Equal(got, w.values) {
			t.Errorf("%s is %v %v, want %v %v", tensor.Name, tensor.Shape, got, w.shape, w.values)
		}
	}
}
