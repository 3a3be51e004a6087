package capi

import (
	"fmt"

	"github.com/ebitengine/purego"
)

// A proc is the address of a C function whose arguments are words.
type proc uintptr

// table has the functions that are used. Those with floats among the arguments
// have Go signatures: registers of floats take another call.
type table struct {
	setErrorHandler, version, stringNew, stringData, stringFree                proc
	deviceNewType, deviceFree, deviceIsAvailable, streamNewDevice, synchronize proc

	arrayFree, arrayNewData, arrayShape, arrayNdim, arrayDtype                   proc
	arrayDataUint32, arrayDataFloat32                                            proc
	vectorNewData, vectorNew, vectorFree, vectorGet, eval, asyncEval             proc
	activeMemory, clearCache                                                     proc
	add, multiply, sigmoid, matmul, quantizedMatmul, dequantize                  proc
	quantize, reshape, transposeAxes, slice, sliceUpdate, takeAxis               proc
	argmaxAxis, zeros, astype, contiguous, where, concatenateAxis                proc
	randomKey, randomSplit, randomCategorical, logsumexpAxis, subtract           proc
	divide, exp, negative, minimum, maxAxis, sumAxis, cumsumAxis                 proc
	sortAxis, putAlongAxis, greater, greaterEqual, equal, logicalAnd             proc
	logicalOr, softmaxAxis, expandDims                                           proc
	randomUniform, vectorSetData, closureNew, closureFree, closureApply, compile proc
	setCompileMode                                                               proc

	arange    func(res *Array, start, stop, step float64, dtype int32, s uintptr) int32
	rmsNorm   func(res *Array, x, weight Array, eps float32, s uintptr) int32
	rope      func(res *Array, x Array, dims int32, traditional bool, base uint64, scale float32, offset, freqs Array, s uintptr) int32
	attention func(res *Array, q, k, v Array, scale float32, mode *byte, mask, sinks Array, fused bool, s uintptr) int32
}

// A SymbolError is a function that a library does not have.
type SymbolError struct{ Symbol, Library string }

// Error implements error.
func (e *SymbolError) Error() string {
	return fmt.Sprintf("mlx: %s has no function %s: want mlx-c 0.7.0, built for MLX %s (make mlx)", e.Library, e.Symbol, Version)
}

// bind looks every function up by its name.
func (t *table) bind(lib uintptr, path string) error {
	find := func(name string) (uintptr, error) {
		p, err := purego.Dlsym(lib, name)
		if err != nil || p == 0 {
			return 0, &SymbolError{name, path}
		}
		return p, nil
	}
	for _, e := range []struct {
		name string
		to   *proc
	}{
		{"mlx_set_error_handler", &t.setErrorHandler}, {"mlx_version", &t.version}, {"mlx_string_new", &t.stringNew},
		{"mlx_string_data", &t.stringData}, {"mlx_string_free", &t.stringFree}, {"mlx_device_new_type", &t.deviceNewType},
		{"mlx_device_free", &t.deviceFree}, {"mlx_device_is_available", &t.deviceIsAvailable},
		{"mlx_stream_new_device", &t.streamNewDevice}, {"mlx_synchronize", &t.synchronize},
		{"mlx_array_free", &t.arrayFree}, {"mlx_array_new_data", &t.arrayNewData}, {"mlx_array_shape", &t.arrayShape},
		{"mlx_array_ndim", &t.arrayNdim}, {"mlx_array_dtype", &t.arrayDtype}, {"mlx_array_data_uint32", &t.arrayDataUint32},
		{"mlx_array_data_float32", &t.arrayDataFloat32}, {"mlx_vector_array_new_data", &t.vectorNewData},
		{"mlx_vector_array_new", &t.vectorNew}, {"mlx_vector_array_free", &t.vectorFree}, {"mlx_vector_array_get", &t.vectorGet},
		{"mlx_eval", &t.eval}, {"mlx_async_eval", &t.asyncEval}, {"mlx_get_active_memory", &t.activeMemory},
		{"mlx_clear_cache", &t.clearCache}, {"mlx_add", &t.add}, {"mlx_multiply", &t.multiply}, {"mlx_sigmoid", &t.sigmoid},
		{"mlx_matmul", &t.matmul}, {"mlx_quantized_matmul", &t.quantizedMatmul}, {"mlx_dequantize", &t.dequantize},
		{"mlx_quantize", &t.quantize}, {"mlx_reshape", &t.reshape}, {"mlx_transpose_axes", &t.transposeAxes}, {"mlx_slice", &t.slice},
		{"mlx_slice_update", &t.sliceUpdate}, {"mlx_take_axis", &t.takeAxis}, {"mlx_argmax_axis", &t.argmaxAxis},
		{"mlx_zeros", &t.zeros}, {"mlx_astype", &t.astype}, {"mlx_contiguous", &t.contiguous}, {"mlx_where", &t.where},
		{"mlx_concatenate_axis", &t.concatenateAxis}, {"mlx_random_key", &t.randomKey}, {"mlx_random_split", &t.randomSplit},
		{"mlx_random_categorical", &t.randomCategorical}, {"mlx_logsumexp_axis", &t.logsumexpAxis}, {"mlx_subtract", &t.subtract},
		{"mlx_divide", &t.divide}, {"mlx_exp", &t.exp}, {"mlx_negative", &t.negative}, {"mlx_minimum", &t.minimum},
		{"mlx_max_axis", &t.maxAxis}, {"mlx_sum_axis", &t.sumAxis}, {"mlx_cumsum_axis", &t.cumsumAxis}, {"mlx_sort_axis", &t.sortAxis},
		{"mlx_put_along_axis", &t.putAlongAxis}, {"mlx_greater", &t.greater}, {"mlx_greater_equal", &t.greaterEqual},
		{"mlx_equal", &t.equal}, {"mlx_logical_and", &t.logicalAnd}, {"mlx_logical_or", &t.logicalOr},
		{"mlx_softmax_axis", &t.softmaxAxis}, {"mlx_expand_dims", &t.expandDims},
		{"mlx_vector_array_set_data", &t.vectorSetData}, {"mlx_set_compile_mode", &t.setCompileMode}, {"mlx_closure_new_func_payload", &t.closureNew},
		{"mlx_closure_free", &t.closureFree}, {"mlx_closure_apply", &t.closureApply}, {"mlx_compile", &t.compile}, {"mlx_random_uniform", &t.randomUniform},
	} {
		p, err := find(e.name)
		if err != nil {
			return err
		}
		*e.to = proc(p)
	}
	for _, e := range []struct {
		name string
		to   any
	}{
		{"mlx_arange", &t.arange}, {"mlx_fast_rms_norm", &t.rmsNorm}, {"mlx_fast_rope_dynamic", &t.rope}, {"mlx_fast_scaled_dot_product_attention", &t.attention},
	} {
		p, err := find(e.name)
		if err != nil {
			return err
		}
		purego.RegisterFunc(e.to, p)
	}
	return nil
}
