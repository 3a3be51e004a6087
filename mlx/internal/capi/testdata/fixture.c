// A library with the functions that the table names, in mlx-c's signatures. Each
// writes down its name and what it was given; the test reads that back.
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct { void* ctx; } mlx_array, mlx_stream, mlx_device, mlx_string, mlx_vector_array;
typedef struct { int value; bool has_value; } mlx_optional_int, mlx_optional_dtype;
typedef struct { float value; bool has_value; } mlx_optional_float;
typedef int mlx_dtype, mlx_device_type;

#ifndef VERSION
#define VERSION "0.32.2"
#endif
#ifndef GPUS
#define GPUS 0
#endif

static char said[4096];
static const char* failing; // the next call fails with this message
static void (*handler)(const char*, void*);
static long made = 1000;

void fixture_fail(const char* message) { failing = message; }
const char* fixture_said(void) { return said; }

static int say(const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(said, sizeof said, format, args);
  va_end(args);
  if (!failing) return 0;
  handler(failing, NULL);
  failing = NULL;
  return 1;
}
static const char* ints(const int* x, size_t n) {
  static char text[4][256];
  static int turn;
  char* t = text[turn++ % 4];
  int at = sprintf(t, "[");
  for (size_t i = 0; i < n; i++) at += sprintf(t + at, i ? " %d" : "%d", x[i]);
  sprintf(t + at, "]");
  return t;
}
static long id(void* p) { return (long)(intptr_t)p; }
static void* fresh(void) { return (void*)(intptr_t)++made; }
#define N(x) id((x).ctx)
#define R (res->ctx = fresh())
#define A const mlx_array

void mlx_set_error_handler(void (*h)(const char*, void*), void* data, void (*dtor)(void*)) { handler = h; }
mlx_string mlx_string_new(void) { mlx_string s = {0}; return s; }
int mlx_version(mlx_string* s) { s->ctx = (void*)VERSION; return 0; }
const char* mlx_string_data(mlx_string s) { return s.ctx; }
int mlx_string_free(mlx_string s) { return 0; }
mlx_device mlx_device_new_type(mlx_device_type type, int index) { mlx_device d = {(void*)(intptr_t)(type + 10 * index + 100)}; return d; }
int mlx_device_free(mlx_device d) { return 0; }
int mlx_device_is_available(bool* yes, mlx_device d) { *yes = N(d) == 100 || GPUS; return 0; }
mlx_stream mlx_stream_new_device(mlx_device d) { mlx_stream s = {(void*)(intptr_t)(N(d) + 600)}; return s; }
int mlx_synchronize(mlx_stream s) { return say("synchronize %ld", N(s)); }

int mlx_array_free(mlx_array a) { return say("free %ld", N(a)); }
mlx_array mlx_array_new_data(const void* data, const int* shape, int dim, mlx_dtype dtype) {
  mlx_array a = {0};
  if (say("new_data %d %s %d", *(const int*)data, ints(shape, dim), dtype) == 0) a.ctx = fresh();
  return a;
}
static int shape[] = {2, 3, 5};
size_t mlx_array_ndim(A a) { return 3; }
const int* mlx_array_shape(A a) { return shape; }
mlx_dtype mlx_array_dtype(A a) { return 12; }
static float floats[] = {.5f, -2};
const float* mlx_array_data_float32(A a) { return floats; }
static uint32_t uints[] = {7, 4000000000u};
const uint32_t* mlx_array_data_uint32(A a) { return uints; }

static long held[2][4];
static size_t many;
mlx_vector_array mlx_vector_array_new(void) { mlx_vector_array v = {(void*)9}; return v; }
mlx_vector_array mlx_vector_array_new_data(const mlx_array* data, size_t size) {
  for (size_t i = 0; i < size && i < 4; i++) held[0][i] = N(data[i]);
  many = size;
  mlx_vector_array v = {(void*)8};
  return v;
}
int mlx_vector_array_free(mlx_vector_array v) { return 0; }
int mlx_vector_array_get(mlx_array* res, const mlx_vector_array v, size_t i) { R; return say("get %ld %ld", N(v), (long)i); }
int mlx_eval(const mlx_vector_array v) { return say("eval %ld %ld %ld %ld", N(v), (long)many, held[0][0], held[0][1]); }
int mlx_async_eval(const mlx_vector_array v) { return say("async_eval %ld %ld %ld %ld", N(v), (long)many, held[0][0], held[0][1]); }
int mlx_get_active_memory(size_t* res) { *res = 123456789012; return say("active"); }
int mlx_clear_cache(void) { return say("clear"); }

typedef struct { void* ctx; } mlx_closure;
static int (*function)(mlx_vector_array*, const mlx_vector_array, void*);
static void* payload;
mlx_closure mlx_closure_new_func_payload(int (*f)(mlx_vector_array*, const mlx_vector_array, void*), void* p, void (*dtor)(void*)) {
  function = f;
  payload = p;
  mlx_closure c = {(void*)(intptr_t)(dtor ? 0 : 5)};
  return c;
}
int mlx_closure_free(mlx_closure c) { return say("closure_free %ld", N(c)); }
int mlx_compile(mlx_closure* res, const mlx_closure f, bool shapeless) { res->ctx = (void*)(intptr_t)(N(f) * 10); return say("compile %ld %d", N(f), shapeless); }
int mlx_set_compile_mode(int mode) { return say("compile_mode %d", mode); }
static long results[2];
int mlx_vector_array_set_data(mlx_vector_array* v, const A* data, size_t size) {
  for (size_t i = 0; i < size; i++) results[i] = N(data[i]);
  return 0;
}
int mlx_closure_apply(mlx_vector_array* res, mlx_closure c, const mlx_vector_array in) {
  int rc = function(res, in, payload);
  if (rc) failing = "the function failed";
  return say("apply %ld %ld: %ld %ld", N(c), N(in), results[0], results[1]) || rc;
}

#define TWO(name) int mlx_##name(mlx_array* res, A a, A b, const mlx_stream s) { R; return say(#name " %ld %ld s%ld", N(a), N(b), N(s)); }
TWO(add) TWO(multiply) TWO(matmul) TWO(subtract) TWO(divide) TWO(minimum) TWO(greater) TWO(greater_equal) TWO(equal) TWO(logical_and) TWO(logical_or)
int mlx_softmax_axis(mlx_array* res, A a, int axis, bool precise, const mlx_stream s) { R; return say("softmax_axis %ld %d %d s%ld", N(a), axis, precise, N(s)); }
int mlx_expand_dims(mlx_array* res, A a, int axis, const mlx_stream s) { R; return say("expand_dims %ld %d s%ld", N(a), axis, N(s)); }
int mlx_arange(mlx_array* res, double start, double stop, double step, mlx_dtype dtype, const mlx_stream s) { R; return say("arange %g %g %g %d s%ld", start, stop, step, dtype, N(s)); }
int mlx_exp(mlx_array* res, A a, const mlx_stream s) { R; return say("exp %ld s%ld", N(a), N(s)); }
int mlx_negative(mlx_array* res, A a, const mlx_stream s) { R; return say("negative %ld s%ld", N(a), N(s)); }
int mlx_max_axis(mlx_array* res, A a, int axis, bool keep, const mlx_stream s) { R; return say("max_axis %ld %d %d s%ld", N(a), axis, keep, N(s)); }
int mlx_sum_axis(mlx_array* res, A a, int axis, bool keep, const mlx_stream s) { R; return say("sum_axis %ld %d %d s%ld", N(a), axis, keep, N(s)); }
int mlx_cumsum_axis(mlx_array* res, A a, int axis, bool reverse, bool inclusive, mlx_optional_dtype dtype, const mlx_stream s) {
  R; return say("cumsum_axis %ld %d %d %d %d s%ld", N(a), axis, reverse, inclusive, dtype.has_value, N(s));
}
int mlx_sort_axis(mlx_array* res, A a, int axis, const mlx_stream s) { R; return say("sort_axis %ld %d s%ld", N(a), axis, N(s)); }
int mlx_put_along_axis(mlx_array* res, A a, A i, A v, int axis, const mlx_stream s) { R; return say("put_along_axis %ld %ld %ld %d s%ld", N(a), N(i), N(v), axis, N(s)); }
int mlx_sigmoid(mlx_array* res, A a, const mlx_stream s) { R; return say("sigmoid %ld s%ld", N(a), N(s)); }
int mlx_quantized_matmul(mlx_array* res, A x, A w, A scales, A biases, bool transpose, mlx_optional_int group, mlx_optional_int bits, const char* mode, const mlx_stream s) {
  R; return say("quantized_matmul %ld %ld %ld %ld %d %d:%d %d:%d %s s%ld", N(x), N(w), N(scales), N(biases), transpose, group.has_value, group.value, bits.has_value, bits.value, mode, N(s));
}
int mlx_dequantize(mlx_array* res, A w, A scales, A biases, mlx_optional_int group, mlx_optional_int bits, const char* mode, A global, mlx_optional_dtype dtype, const mlx_stream s) {
  R; return say("dequantize %ld %ld %ld %d:%d %d:%d %s %ld %d s%ld", N(w), N(scales), N(biases), group.has_value, group.value, bits.has_value, bits.value, mode, N(global), dtype.has_value, N(s));
}
int mlx_quantize(mlx_vector_array* res, A w, mlx_optional_int group, mlx_optional_int bits, const char* mode, A global, const mlx_stream s) {
  return say("quantize %ld %ld %d:%d %d:%d %s %ld s%ld", N(*res), N(w), group.has_value, group.value, bits.has_value, bits.value, mode, N(global), N(s));
}
int mlx_reshape(mlx_array* res, A a, const int* shape, size_t n, const mlx_stream s) { R; return say("reshape %ld %s s%ld", N(a), ints(shape, n), N(s)); }
int mlx_transpose_axes(mlx_array* res, A a, const int* axes, size_t n, const mlx_stream s) { R; return say("transpose_axes %ld %s s%ld", N(a), ints(axes, n), N(s)); }
int mlx_slice(mlx_array* res, A a, const int* start, size_t n, const int* stop, size_t m, const int* strides, size_t k, const mlx_stream s) {
  R; return say("slice %ld %s %s %s s%ld", N(a), ints(start, n), ints(stop, m), ints(strides, k), N(s));
}
int mlx_slice_update(mlx_array* res, A a, A u, const int* start, size_t n, const int* stop, size_t m, const int* strides, size_t k, const mlx_stream s) {
  R; return say("slice_update %ld %ld %s %s %s s%ld", N(a), N(u), ints(start, n), ints(stop, m), ints(strides, k), N(s));
}
int mlx_take_axis(mlx_array* res, A a, A i, int axis, const mlx_stream s) { R; return say("take_axis %ld %ld %d s%ld", N(a), N(i), axis, N(s)); }
int mlx_argmax_axis(mlx_array* res, A a, int axis, bool keep, const mlx_stream s) { R; return say("argmax_axis %ld %d %d s%ld", N(a), axis, keep, N(s)); }
int mlx_logsumexp_axis(mlx_array* res, A a, int axis, bool keep, const mlx_stream s) { R; return say("logsumexp_axis %ld %d %d s%ld", N(a), axis, keep, N(s)); }
int mlx_zeros(mlx_array* res, const int* shape, size_t n, mlx_dtype dtype, const mlx_stream s) { R; return say("zeros %s %d s%ld", ints(shape, n), dtype, N(s)); }
int mlx_astype(mlx_array* res, A a, mlx_dtype dtype, const mlx_stream s) { R; return say("astype %ld %d s%ld", N(a), dtype, N(s)); }
int mlx_contiguous(mlx_array* res, A a, bool col, const mlx_stream s) { R; return say("contiguous %ld %d s%ld", N(a), col, N(s)); }
int mlx_where(mlx_array* res, A c, A x, A y, const mlx_stream s) { R; return say("where %ld %ld %ld s%ld", N(c), N(x), N(y), N(s)); }
int mlx_concatenate_axis(mlx_array* res, const mlx_vector_array v, int axis, const mlx_stream s) { R; return say("concatenate_axis %ld %ld %ld %d s%ld", (long)many, held[0][0], held[0][1], axis, N(s)); }
int mlx_random_key(mlx_array* res, uint64_t seed) { R; return say("random_key %llu", (unsigned long long)seed); }
int mlx_random_split(mlx_array* res, mlx_array* other, A key, const mlx_stream s) { R; other->ctx = fresh(); return say("random_split %ld s%ld", N(key), N(s)); }
int mlx_random_uniform(mlx_array* res, A low, A high, const int* shape, size_t n, mlx_dtype dtype, A key, const mlx_stream s) { R; return say("random_uniform %ld %ld %s %d %ld s%ld", N(low), N(high), ints(shape, n), dtype, N(key), N(s)); }
int mlx_random_categorical(mlx_array* res, A logits, int axis, A key, const mlx_stream s) { R; return say("random_categorical %ld %d %ld s%ld", N(logits), axis, N(key), N(s)); }
int mlx_fast_rms_norm(mlx_array* res, A x, A w, float eps, const mlx_stream s) { R; return say("rms_norm %ld %ld %g s%ld", N(x), N(w), eps, N(s)); }
int mlx_fast_rope_dynamic(mlx_array* res, A x, int dims, bool traditional, mlx_optional_float base, float scale, A offset, A freqs, const mlx_stream s) {
  R; return say("rope %ld %d %d %d:%g %g %ld %ld s%ld", N(x), dims, traditional, base.has_value, base.value, scale, N(offset), N(freqs), N(s));
}
int mlx_fast_scaled_dot_product_attention(mlx_array* res, A q, A k, A v, float scale, const char* mode, A mask, A sinks, bool fused, const mlx_stream s) {
  R; return say("attention %ld %ld %ld %g '%s' %ld %ld %d s%ld", N(q), N(k), N(v), scale, mode, N(mask), N(sinks), fused, N(s));
}
