package ref

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"foretoken/model/checkpoint"
	"foretoken/model/checkpoint/checkpointtest"
)

// packable are the types that pack, with the format each has alone.
var packable = []checkpoint.DType{checkpoint.Q4_0, checkpoint.Q4_1, checkpoint.Q5_0, checkpoint.Q5_1, checkpoint.Q8_0, checkpoint.Q4_K, checkpoint.Q5_K,
	checkpoint.IQ4_NL, checkpoint.IQ4_XS, checkpoint.MXFP4}

func encoded(r *rand.Rand, d checkpoint.DType, rows, cols int) checkpoint.Tensor {
	return checkpoint.Tensor{Name: d.String(), Type: d, Shape: []int{rows, cols}, Data: checkpointtest.Encode(d, gauss(r, rows*cols))}
}

func packAll(t testing.TB, k *kernels, tensors ...checkpoint.Tensor) *packed {
	t.Helper()
	rows := 0
	for _, x := range tensors {
		rows += x.Shape[0]
	}
	l := &loader{how: how{k: k, pool: cores()}}
	p := l.packed(rows, tensors[0].Shape[1], tensors)
	if p == nil {
		t.Fatalf("%v does not pack", tensors[0].Type)
	}
	return p
}

// affine makes a matrix in MLX's groups.
func affine(r *rand.Rand, d checkpoint.DType, bits, size, rows, cols int) checkpoint.Tensor {
	t := checkpoint.Tensor{Name: "affine", Type: checkpoint.Affine, Shape: []int{rows, cols}, Data: make([]byte, rows*cols*bits/8)}
	for i := range t.Data {
		t.Data[i] = byte(r.Uint32())
	}
	n := cols / size
	of := func() checkpoint.Tensor {
		return checkpoint.Tensor{Type: d, Shape: []int{rows, n}, Data: checkpointtest.Encode(d, gauss(r, rows*n))}
	}
	t.Groups = &checkpoint.Groups{Bits: bits, Size: size, Scales: of(), Biases: of()}
	return t
}

// stacks are tensors of one type, and of several that need a wider format.
func stacks(r *rand.Rand, cols int) map[string][]checkpoint.Tensor {
	s := map[string][]checkpoint.Tensor{}
	for _, d := range packable {
		s[d.String()] = []checkpoint.Tensor{encoded(r, d, 133, cols)}
	}
	for _, bits := range []int{2, 3, 4, 5, 6, 8} {
		for _, d := range []checkpoint.DType{checkpoint.F32, checkpoint.F16, checkpoint.BF16} {
			for _, size := range []int{32, 64, 128} {
				s[fmt.Sprint(bits, " bits of ", size, " as ", d)] = []checkpoint.Tensor{affine(r, d, bits, size, 9, cols)}
			}
		}
	}
	pair := func(a, b checkpoint.DType) {
		s[fmt.Sprint(a, " over ", b)] = []checkpoint.Tensor{encoded(r, a, 5, cols), encoded(r, b, 30, cols)}
	}
	pair(checkpoint.Q4_1, checkpoint.Q4_K)
	pair(checkpoint.Q4_0, checkpoint.Q8_0)
	pair(checkpoint.Q8_0, checkpoint.Q5_K)
	pair(checkpoint.IQ4_NL, checkpoint.Q4_0)
	pair(checkpoint.MXFP4, checkpoint.Q4_K)
	return s
}
