package capi

import (
	"math"
	"runtime"
	"unsafe"
)

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
