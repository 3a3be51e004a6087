package capi

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// Every function gets what it is called with, in the places where C looks.
func TestABI(t *testing.T) {
	l := open(t)
	l.Do(func() {
		for want, call := range map[string]func() (Array, error){
			"add 1 2 s700":                 func() (Array, error) { return l.Add(1, 2) },
			"subtract 1 2 s700":            func() (Array, error) { return l.Subtract(1, 2) },
			"multiply 3 4 s700":            func() (Array, error) { return l.Multiply(3, 4) },
			"matmul 5 6 s700":              func() (Array, error) { return l.Matmul(5, 6) },
			"sigmoid 7 s700":               func() (Array, error) { return l.Sigmoid(7) },
			"divide 1 2 s700":              func() (Array, error) { return l.Divide(1, 2) },
			"minimum 1 2 s700":             func() (Array, error) { return l.Minimum(1, 2) },
			"greater 1 2 s700":             func() (Array, error) { return l.Greater(1, 2) },
			"greater_equal 1 2 s700":       func() (Array, error) { return l.GreaterEqual(1, 2) },
			"equal 1 2 s700":               func() (Array, error) { return l.Equal(1, 2) },
			"logical_and 1 2 s700":         func() (Array, error) { return l.And(1, 2) },
			"logical_or 1 2 s700":          func() (Array, error) { return l.Or(1, 2) },
			"exp 7 s700":                   func() (Array, error) { return l.Exp(7) },
			"negative 7 s700":              func() (Array, error) { return l.Negative(7) },
			"max_axis 9 -1 1 s700":         func() (Array, error) { return l.Max(9, -1) },
			"sum_axis 9 -1 1 s700":         func() (Array, error) { return l.Sum(9, -1) },
			"cumsum_axis 9 -1 0 1 0 s700":  func() (Array, error) { return l.CumSum(9, -1) },
			"arange 0 9 1 3 s700":          func() (Array, error) { return l.Arange(9, Uint32) },
			"sort_axis 9 -1 s700":          func() (Array, error) { return l.Sort(9, -1) },
			"put_along_axis 9 8 7 -1 s700": func() (Array, error) { return l.PutAlong(9, 8, 7, -1) },
			"quantized_matmul 1 2 3 4 1 1:64 1:8 affine s700": func() (Array, error) { return l.QuantizedMatmul(1, 2, 3, 4, true, 64, 8) },
			"quantized_matmul 1 2 3 4 0 1:64 1:4 affine s700": func() (Array, error) { return l.QuantizedMatmul(1, 2, 3, 4, false, 64, 4) },
			"softmax_axis 9 -1 1 s700":                        func() (Array, error) { return l.Softmax(9, -1) },
			"expand_dims 9 -3 s700":                           func() (Array, error) { return l.ExpandDims(9, -3) },
			"dequantize 1 2 3 1:32 1:4 affine 0 0 s700":       func() (Array, error) { return l.Dequantize(1, 2, 3, 32, 4) },
			"reshape 9 [1 -1 3 4] s700":                       func() (Array, error) { return l.Reshape(9, 1, -1, 3, 4) },
			"transpose_axes 9 [0 2 1 3] s700":                 func() (Array, error) { return l.Transpose(9, 0, 2, 1, 3) },
			"slice 9 [0 1] [2 3] [1 1] s700":                  func() (Array, error) { return l.Slice(9, []int32{0, 1}, []int32{2, 3}) },
			"slice_update 9 8 [0 1] [2 3] [1 1] s700":         func() (Array, error) { return l.SliceUpdate(9, 8, []int32{0, 1}, []int32{2, 3}) },
			"take_axis 9 8 -1 s700":                           func() (Array, error) { return l.Take(9, 8, -1) },
			"argmax_axis 9 -1 0 s700":                         func() (Array, error) { return l.Argmax(9, -1) },
			"logsumexp_axis 9 -1 1 s700":                      func() (Array, error) { return l.LogSumExp(9, -1) },
			"zeros [1 2 3] 12 s700":                           func() (Array, error) { return l.Zeros(BFloat16, 1, 2, 3) },
			"astype 9 10 s700":                                func() (Array, error) { return l.AsType(9, Float32) },
			"contiguous 9 0 s700":                             func() (Array, error) { return l.Contiguous(9) },
			"where 1 2 3 s700":                                func() (Array, error) { return l.Where(1, 2, 3) },
			"concatenate_axis 2 11 12 -2 s700":                func() (Array, error) { return l.Concatenate(-2, 11, 12) },
			"random_key 18446744073709551615":                 func() (Array, error) { return l.RandomKey(1<<64 - 1) },
			"random_uniform 4 5 [1 9] 10 3 s700":              func() (Array, error) { return l.Uniform(4, 5, 3, 1, 9) },
			"random_categorical 1 -1 2 s700":                  func() (Array, error) { return l.Categorical(1, -1, 2) },
			"rms_norm 1 2 0.25 s700":                          func() (Array, error) { return l.RMSNorm(1, 2, .25) },
			"rope 1 64 0 1:10000 0.5 77 0 s700":               func() (Array, error) { return l.Rope(1, 64, 10000, .5, 77, 0) },
			"rope 1 64 0 0:0 1 77 5 s700":                     func() (Array, error) { return l.Rope(1, 64, 10000, 1, 77, 5) },
			"attention 1 2 3 0.125 '' 0 0 0 s700":             func() (Array, error) { return l.Attention(1, 2, 3, .125, false, 0) },
			"attention 1 2 3 0.125 'causal' 0 0 0 s700":       func() (Array, error) { return l.Attention(1, 2, 3, .125, true, 0) },
			"attention 1 2 3 0.125 'array' 4 0 0 s700":        func() (Array, error) { return l.Attention(1, 2, 3, .125, true, 4) },
			"new_data 33 [1] 7":                               func() (Array, error) { return l.FromInts([]int32{33}, 1) },
			"new_data 1065353216 [1 2] 10":                    func() (Array, error) { return l.FromFloats([]float32{1, 2}, 1, 2) },
			"new_data 67305985 [2 1] 9":                       func() (Array, error) { return l.FromBytes([]byte{1, 2, 3, 4}, Float16, 2, 1) },
		} {
			before := l.Live()
			a, err := call()
			if got := l.said(); got != want || err != nil || a <= 1000 || l.Live() != before+1 {
				t.Errorf("%q, handle %d, error %v, %d handles after %d: want %q and one more", got, a, err, l.Live(), before, want)
			}
			l.fixture("fixture_fail", address([]byte("no good\x00")))
			a, err = call()
			var e *Error
			if !errors.As(err, &e) || !strings.Contains(e.Message, "no good") || a != 0 || l.Live() != before+1 {
				t.Errorf("%s, failing: handle %d, error %v, %d handles after %d", want, a, err, l.Live(), before+1)
			}
		}
	})
}

func TestABIOfTheRest(t *testing.T) {
	l := open(t)
	l.Do(func() {
		check := func(want string, err error) {
			t.Helper()
			if got := l.said(); got != want || err != nil {
				t.Errorf("%q, %v: want %q", got, err, want)
			}
		}
		check("eval 8 2 21 22", l.Eval(21, 22))
		check("async_eval 8 2 23 24", l.AsyncEval(23, 24))
		check("clear", l.ClearCache())
		q, err := l.Quantize(5, 32, 4)
		check("get 9 2", err)
		if l.Live() != 3 || q[0] == 0 || q[1] == q[2] {
			t.Errorf("quantised: %v, %d handles", q, l.Live())
		}
		for _, a := range q {
			l.Free(a)
		}
		l.Free(0)
		if l.Live() != 0 {
			t.Errorf("%d handles after all were freed", l.Live())
		}
		a, b, err := l.RandomSplit(3)
		check("random_split 3 s700", err)
		if a == b || l.Live() != 2 {
			t.Errorf("keys %d and %d, %d handles", a, b, l.Live())
		}
		if n, err := l.ActiveMemory(); n != 123456789012 || err != nil {
			t.Errorf("%d bytes, %v", n, err)
		}
		if s, d := l.Shape(1), l.DType(1); !slices.Equal(s, []int32{2, 3, 5}) || d != BFloat16 {
			t.Errorf("shape %v of %v", s, d)
		}
		if f, u := l.Floats(1, 2), l.Uints(1, 2); f[1] != -2 || u[1] != 4000000000 {
			t.Errorf("%v, %v", f, u)
		}
	})
}

// A compiled function is called with handles of its arguments, and its results are those
// of the call; what it was given is freed, and what it made.
func TestCompile(t *testing.T) {
	l := open(t)
	l.Do(func() {
		var fails error
		var made [2]Array
		c, err := l.Compile(2, func(in []Array) ([]Array, error) {
			for i := range made {
				made[i], _ = l.Add(in[0], in[1])
			}
			return slices.Clone(made[:]), fails
		})
		if got := l.said(); got != "closure_free 5" || err != nil || c.closure != 50 {
			t.Fatalf("%q, %v, closure %d", got, err, c.closure)
		}
		out := make([]Array, 2)
		err = l.Call(c, []Array{21, 22}, out)
		if got, want := l.said(), "get 9 1"; got != want || err != nil || out[0] == 0 || out[1] == out[0] || slices.Contains(made[:], out[0]) || l.Live() != 2 {
			t.Errorf("%q, %v, %v, %d handles: want %q", got, err, out, l.Live(), want)
		}
		l.freeAll(out)
		fails = errors.New("no")
		if err := l.Call(c, []Array{21, 22}, out); !errors.Is(err, fails) || out[0] != 0 || l.Live() != 0 {
			t.Errorf("%v, %v, %d handles", err, out, l.Live())
		}
		l.Forget(c)
		if got := l.said(); got != "closure_free 50" {
			t.Errorf("%q", got)
		}
		for on, want := range map[bool]string{false: "compile_mode 2", true: "compile_mode 3"} {
			if err := l.FuseCompiled(on); err != nil || l.said() != want {
				t.Errorf("fusing %v: %q, %v", on, l.said(), err)
			}
		}
	})
}
