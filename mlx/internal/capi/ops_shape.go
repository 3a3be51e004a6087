package capi

// ExpandDims is a with an axis of length 1 more.
func (l *Lib) ExpandDims(a Array, axis int) (Array, error) {
	return l.array(l.t.expandDims, uintptr(a), uintptr(axis), l.stream)
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
