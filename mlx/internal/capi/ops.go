package capi

import (
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

// Softmax is exp(a) over its sum on an axis, summed in float32 whatever a's type.
func (l *Lib) Softmax(a Array, axis int) (Array, error) {
	return l.array(l.t.softmaxAxis, uintptr(a), uintptr(axis), 1, l.stream)
}

// Where is x where condition holds, else y.
func (l *Lib) Where(condition, x, y Array) (Array, error) {
	return l.array(l.t.where, uintptr(condition), uintptr(x), uintptr(y), l.stream)
}
