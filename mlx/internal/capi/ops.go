package capi

import (
	"math"
	"runtime"
	"unsafe"
)

// A C string that is an argument.
var (
	affine   = append([]byte("affine"), 0)
	noMask   = []byte{0}
	causal   = append([]byte("causal"), 0)
	withMask = append([]byte("array"), 0)
)

func address(s []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(s))) }

// Add is a + b.
func (l *Lib) Add(a, b Array) (Array, error) {
	return l.array(l.t.add, uintptr(a), uintptr(b), l.stream)
}

// Subtract is a - b.
func (l *Lib) Subtract(a, b Array) (Array, error) {
	return l.array(l.t.subtract, uintptr(a), uintptr(b), l.stream)
}

// Multiply is a * b, element by element.
func (l *Lib) Multiply(a, b Array) (Array, error) {
	return l.array(l.t.multiply, uintptr(a), uintptr(b), l.stream)
}

// Divide is a / b, element by element.
func (l *Lib) Divide(a, b Array) (Array, error) {
	return l.array(l.t.divide, uintptr(a), uintptr(b), l.stream)
}

// Minimum is the smaller of a and b.
func (l *Lib) Minimum(a, b Array) (Array, error) {
	return l.array(l.t.minimum, uintptr(a), uintptr(b), l.stream)
}

// Greater is a > b, of Bool.
func (l *Lib) Greater(a, b Array) (Array, error) {
	return l.array(l.t.greater, uintptr(a), uintptr(b), l.stream)
}

// GreaterEqual is a >= b, of Bool.
func (l *Lib) GreaterEqual(a, b Array) (Array, error) {
	return l.array(l.t.greaterEqual, uintptr(a), uintptr(b), l.stream)
}

// Equal is a == b, of Bool.
func (l *Lib) Equal(a, b Array) (Array, error) {
	return l.array(l.t.equal, uintptr(a), uintptr(b), l.stream)
}

// And is a and b, of Bool.
func (l *Lib) And(a, b Array) (Array, error) {
	return l.array(l.t.logicalAnd, uintptr(a), uintptr(b), l.stream)
}

// Or is a or b, of Bool.
func (l *Lib) Or(a, b Array) (Array, error) {
	return l.array(l.t.logicalOr, uintptr(a), uintptr(b), l.stream)
}

// Exp is e to the power of a.
func (l *Lib) Exp(a Array) (Array, error) { return l.array(l.t.exp, uintptr(a), l.stream) }

// Negative is -a.
func (l *Lib) Negative(a Array) (Array, error) { return l.array(l.t.negative, uintptr(a), l.stream) }

// Sigmoid is 1 / (1 + exp(-a)).
func (l *Lib) Sigmoid(a Array) (Array, error) { return l.array(l.t.sigmoid, uintptr(a), l.stream) }

// Matmul is the product of matrices in the last two axes.
func (l *Lib) Matmul(a, b Array) (Array, error) {
	return l.array(l.t.matmul, uintptr(a), uintptr(b), l.stream)
}

// QuantizedMatmul is x times a quantised matrix of rows, or its transpose.
func (l *Lib) QuantizedMatmul(x, w, scales, biases Array, transpose bool, group, bits int) (Array, error) {
	t := uintptr(0)
	if transpose {
		t = 1
	}
	return l.array(l.t.quantizedMatmul, uintptr(x), uintptr(w), uintptr(scales), uintptr(biases), t,
		optional(int32(group)), optional(int32(bits)), address(affine), l.stream)
}

// Dequantize is the values of a quantised array, in the type of its scales.
func (l *Lib) Dequantize(w, scales, biases Array, group, bits int) (Array, error) {
	return l.array(l.t.dequantize, uintptr(w), uintptr(scales), uintptr(biases),
		optional(int32(group)), optional(int32(bits)), address(affine), 0, 0, l.stream)
}

// Quantize is a matrix in groups of a row: the packed values, scales and biases.
func (l *Lib) Quantize(w Array, group, bits int) (q [3]Array, err error) {
	l.word = l.word1(l.t.vectorNew)
	v := &l.word
	defer func() { l.word1(l.t.vectorFree, *v) }()
	err = failed(l.word1(l.t.quantize, l.at(v), uintptr(w), optional(int32(group)), optional(int32(bits)), address(affine), 0, l.stream))
	for i := range q {
		if err == nil {
			q[i], err = l.array(l.t.vectorGet, *v, uintptr(i))
		}
	}
	if err != nil {
		l.freeAll(q[:])
		q = [3]Array{}
	}
	return q, err
}

// ExpandDims is a with an axis of length 1 more.
func (l *Lib) ExpandDims(a Array, axis int) (Array, error) {
	return l.array(l.t.expandDims, uintptr(a), uintptr(axis), l.stream)
}

// Softmax is exp(a) over its sum on an axis, summed in float32 whatever a's type.
func (l *Lib) Softmax(a Array, axis int) (Array, error) {
	return l.array(l.t.softmaxAxis, uintptr(a), uintptr(axis), 1, l.stream)
}

// Reshape is a with other axes.
func (l *Lib) Reshape(a Array, shape ...int32) (Array, error) {
	return l.array(l.t.reshape, uintptr(a), l.list(0, shape), uintptr(len(shape)), l.stream)
}

// Transpose is a with its axes in another order.
func (l *Lib) Transpose(a Array, axes ...int32) (Array, error) {
	return l.array(l.t.transposeAxes, uintptr(a), l.list(0, axes), uintptr(len(axes)), l.stream)
}

var ones = []int32{1, 1, 1, 1, 1, 1, 1, 1}

// Slice is the part of a from start to stop on every axis.
func (l *Lib) Slice(a Array, start, stop []int32) (Array, error) {
	n := uintptr(len(start))
	return l.array(l.t.slice, uintptr(a), l.list(0, start), n, l.list(1, stop), n, l.list(2, ones[:n]), n, l.stream)
}

// SliceUpdate is a with the part from start to stop replaced by update.
func (l *Lib) SliceUpdate(a, update Array, start, stop []int32) (Array, error) {
	n := uintptr(len(start))
	return l.array(l.t.sliceUpdate, uintptr(a), uintptr(update), l.list(0, start), n, l.list(1, stop), n, l.list(2, ones[:n]), n, l.stream)
}

// Take is the entries of a at indices on an axis.
func (l *Lib) Take(a, indices Array, axis int) (Array, error) {
	return l.array(l.t.takeAxis, uintptr(a), uintptr(indices), uintptr(int32(axis)), l.stream)
}

// Argmax is the index, Uint32, of the largest entry on an axis.
func (l *Lib) Argmax(a Array, axis int) (Array, error) {
	return l.array(l.t.argmaxAxis, uintptr(a), uintptr(axis), 0, l.stream)
}

// Max is the largest entry on an axis, which stays; NaN where there is one.
func (l *Lib) Max(a Array, axis int) (Array, error) {
	return l.array(l.t.maxAxis, uintptr(a), uintptr(axis), 1, l.stream)
}

// Sum is the sum on an axis, which stays.
func (l *Lib) Sum(a Array, axis int) (Array, error) {
	return l.array(l.t.sumAxis, uintptr(a), uintptr(axis), 1, l.stream)
}

// CumSum is the sum of the entries up to each on an axis, itself included.
func (l *Lib) CumSum(a Array, axis int) (Array, error) {
	return l.array(l.t.cumsumAxis, uintptr(a), uintptr(axis), 0, 1, 0, l.stream)
}

// Sort is a in ascending order on an axis.
func (l *Lib) Sort(a Array, axis int) (Array, error) {
	return l.array(l.t.sortAxis, uintptr(a), uintptr(axis), l.stream)
}

// PutAlong is a with values at indices on an axis.
func (l *Lib) PutAlong(a, indices, values Array, axis int) (Array, error) {
	return l.array(l.t.putAlongAxis, uintptr(a), uintptr(indices), uintptr(values), uintptr(axis), l.stream)
}

// LogSumExp is log of the sum of exp(a) on an axis, which stays.
func (l *Lib) LogSumExp(a Array, axis int) (Array, error) {
	return l.array(l.t.logsumexpAxis, uintptr(a), uintptr(axis), 1, l.stream)
}

// Zeros is an array of zeros.
func (l *Lib) Zeros(d DType, shape ...int32) (Array, error) {
	return l.array(l.t.zeros, l.list(0, shape), uintptr(len(shape)), uintptr(d), l.stream)
}

// Arange is 0, 1, ... n-1.
func (l *Lib) Arange(n int, d DType) (Array, error) {
	l.out[0] = 0
	return l.made(uintptr(l.t.arange(&l.out[0], 0, float64(n), 1, int32(d), l.stream)))
}

// AsType is a with elements of another type.
func (l *Lib) AsType(a Array, d DType) (Array, error) {
	return l.array(l.t.astype, uintptr(a), uintptr(d), l.stream)
}

// Contiguous is a in row-major order.
func (l *Lib) Contiguous(a Array) (Array, error) {
	return l.array(l.t.contiguous, uintptr(a), 0, l.stream)
}

// Where is x where condition holds, else y.
func (l *Lib) Where(condition, x, y Array) (Array, error) {
	return l.array(l.t.where, uintptr(condition), uintptr(x), uintptr(y), l.stream)
}

// Concatenate is arrays one after another on an axis.
func (l *Lib) Concatenate(axis int, arrays ...Array) (Array, error) {
	v, err := l.vector(arrays)
	if err != nil {
		return 0, err
	}
	a, err := l.array(l.t.concatenateAxis, v, uintptr(axis), l.stream)
	l.word1(l.t.vectorFree, v)
	return a, err
}

// RandomKey is the key that MLX makes of a seed.
func (l *Lib) RandomKey(seed uint64) (Array, error) { return l.array(l.t.randomKey, uintptr(seed)) }

// RandomSplit is two keys made of one.
func (l *Lib) RandomSplit(key Array) (a, b Array, err error) {
	l.out[1] = 0
	a, err = l.array(l.t.randomSplit, uintptr(unsafe.Pointer(&l.out[1])), uintptr(key), l.stream)
	if err == nil {
		l.live.Add(1)
	}
	return a, l.out[1], err
}

// Uniform is numbers from low up to high, Float32.
func (l *Lib) Uniform(low, high, key Array, shape ...int32) (Array, error) {
	return l.array(l.t.randomUniform, uintptr(low), uintptr(high), l.list(0, shape), uintptr(len(shape)), uintptr(Float32), uintptr(key), l.stream)
}

// Categorical draws an index, Uint32, on an axis of unnormalised log-probabilities.
func (l *Lib) Categorical(logits Array, axis int, key Array) (Array, error) {
	return l.array(l.t.randomCategorical, uintptr(logits), uintptr(axis), uintptr(key), l.stream)
}

// RMSNorm is x / sqrt(mean x^2 + eps) * weight on the last axis.
func (l *Lib) RMSNorm(x, weight Array, eps float32) (Array, error) {
	l.out[0] = 0
	return l.made(uintptr(l.t.rmsNorm(&l.out[0], x, weight, eps, l.stream)))
}

// Rope turns the last axis, in the rotate-half order, from position offset on, an Int32.
// With freqs, periods of a pair over 2 pi, base is not used.
func (l *Lib) Rope(x Array, dims int, base, scale float32, offset, freqs Array) (Array, error) {
	b := uint64(math.Float32bits(base)) | 1<<32
	if freqs != 0 {
		b = 0
	}
	l.out[0] = 0
	return l.made(uintptr(l.t.rope(&l.out[0], x, int32(dims), false, b, scale, offset, freqs, l.stream)))
}

// Attention is softmax(scale * q k^T) v, with query heads in groups of key heads.
// With a mask of Bool, queries see the keys where it is true; else, where
// isCausal, the last query sees all keys and each before it one less.
func (l *Lib) Attention(q, k, v Array, scale float32, isCausal bool, mask Array) (Array, error) {
	mode := noMask
	switch {
	case mask != 0:
		mode = withMask
	case isCausal:
		mode = causal
	}
	l.out[0] = 0
	rc := l.t.attention(&l.out[0], q, k, v, scale, &mode[0], mask, 0, false, l.stream)
	runtime.KeepAlive(mode)
	return l.made(uintptr(rc))
}
