// A library before libmlxc that passes calls on and, when it is told to, fails one:
// the file named ARMED holds which, counted from 1, or 0 for none, and is removed then.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdint.h>
#include <unistd.h>

void _mlx_error(const char* file, const int line, const char* format, ...);

static int left; // calls until one fails; 0 is never

static int fails(void) {
  FILE* f = fopen(ARMED, "r");
  if (f) {
    if (fscanf(f, "%d", &left) != 1) left = 0;
    fclose(f);
    unlink(ARMED);
  }
  if (!left || --left) return 0;
  _mlx_error(__FILE__, __LINE__, "planted failure");
  return 1;
}

// Every function of libmlxc that is called to compute, in words, pointers and floats.
#define W uintptr_t
#define PASS_OF(type, failed, name, params, args)    \
  type name params {                                 \
    if (fails()) return failed;                      \
    type(*next) params = dlsym(RTLD_NEXT, #name);    \
    return next args;                                \
  }
#define PASS(name, params, args) PASS_OF(int, 1, name, params, args)
#define MADE(name, params, args) PASS_OF(W, 0, name, params, args)
#define ONE(name) PASS(mlx_##name, (W r, W a, W s), (r, a, s))
#define TWO(name) PASS(mlx_##name, (W r, W a, W b, W s), (r, a, b, s))
#define THREE(name) PASS(mlx_##name, (W r, W a, W b, W c, W s), (r, a, b, c, s))
#define AXIS(name) PASS(mlx_##name, (W r, W a, int x, W keep, W s), (r, a, x, keep, s))

MADE(mlx_array_new_data, (W data, W shape, W n, W d), (data, shape, n, d))
MADE(mlx_vector_array_new_data, (W data, W n), (data, n))
PASS(mlx_vector_array_get, (W r, W v, W i), (r, v, i))
PASS(mlx_vector_array_set_data, (W v, W data, W n), (v, data, n))
PASS(mlx_eval, (W v), (v))
PASS(mlx_async_eval, (W v), (v))

MADE(mlx_closure_new_func_payload, (W f, W p, W d), (f, p, d))
PASS(mlx_compile, (W r, W f, W shapeless), (r, f, shapeless))
PASS(mlx_closure_apply, (W r, W c, W in), (r, c, in))

ONE(sigmoid) ONE(exp) ONE(negative)
TWO(add) TWO(subtract) TWO(multiply) TWO(divide) TWO(minimum) TWO(matmul)
TWO(greater) TWO(greater_equal) TWO(equal) TWO(logical_and) TWO(logical_or)
THREE(where)
AXIS(argmax_axis) AXIS(max_axis) AXIS(sum_axis) AXIS(logsumexp_axis)
PASS(mlx_softmax_axis, (W r, W a, int x, W precise, W s), (r, a, x, precise, s))
PASS(mlx_expand_dims, (W r, W a, int x, W s), (r, a, x, s))
PASS(mlx_sort_axis, (W r, W a, int x, W s), (r, a, x, s))
PASS(mlx_take_axis, (W r, W a, W i, int x, W s), (r, a, i, x, s))
PASS(mlx_put_along_axis, (W r, W a, W i, W v, int x, W s), (r, a, i, v, x, s))
PASS(mlx_cumsum_axis, (W r, W a, int x, W reverse, W inclusive, W d, W s), (r, a, x, reverse, inclusive, d, s))
PASS(mlx_concatenate_axis, (W r, W v, int x, W s), (r, v, x, s))
PASS(mlx_reshape, (W r, W a, W p, W n, W s), (r, a, p, n, s))
PASS(mlx_transpose_axes, (W r, W a, W p, W n, W s), (r, a, p, n, s))
PASS(mlx_slice, (W r, W a, W p, W n, W q, W m, W t, W k, W s), (r, a, p, n, q, m, t, k, s))
PASS(mlx_slice_update, (W r, W a, W u, W p, W n, W q, W m, W t, W k, W s), (r, a, u, p, n, q, m, t, k, s))
PASS(mlx_zeros, (W r, W p, W n, int d, W s), (r, p, n, d, s))
PASS(mlx_arange, (W r, double from, double to, double by, int d, W s), (r, from, to, by, d, s))
PASS(mlx_astype, (W r, W a, int d, W s), (r, a, d, s))
PASS(mlx_contiguous, (W r, W a, W c, W s), (r, a, c, s))
PASS(mlx_fast_rms_norm, (W r, W x, W w, float e, W s), (r, x, w, e, s))
PASS(mlx_fast_rope_dynamic, (W r, W x, int d, W t, W base, float scale, W at, W f, W s), (r, x, d, t, base, scale, at, f, s))
PASS(mlx_fast_scaled_dot_product_attention, (W r, W q, W k, W v, float scale, W mode, W mask, W sinks, W fused, W s),
     (r, q, k, v, scale, mode, mask, sinks, fused, s))
PASS(mlx_quantize, (W r, W w, W group, W bits, W mode, W all, W s), (r, w, group, bits, mode, all, s))
PASS(mlx_dequantize, (W r, W w, W scales, W biases, W group, W bits, W mode, W all, W d, W s), (r, w, scales, biases, group, bits, mode, all, d, s))
PASS(mlx_quantized_matmul, (W r, W x, W w, W scales, W biases, W t, W group, W bits, W mode, W s), (r, x, w, scales, biases, t, group, bits, mode, s))
PASS(mlx_random_key, (W r, W seed), (r, seed))
PASS(mlx_random_split, (W r, W other, W key, W s), (r, other, key, s))
PASS(mlx_random_uniform, (W r, W low, W high, W p, W n, int d, W key, W s), (r, low, high, p, n, d, key, s))
