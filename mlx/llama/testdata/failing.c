// A library before libmlxc that passes calls on and, when it is told to, fails one:
// the file named ARMED holds which, counted from 1, and is removed then.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdint.h>
#include <unistd.h>

void _mlx_error(const char* file, const int line, const char* format, ...);

static int left; // calls until one fails; 0 is never

static int fails(void) {
  FILE* f = left ? NULL : fopen(ARMED, "r");
  if (f) {
    if (fscanf(f, "%d", &left) != 1) left = 0;
    fclose(f);
    unlink(ARMED);
  }
  if (!left || --left) return 0;
  _mlx_error(__FILE__, __LINE__, "planted failure");
  return 1;
}

// Words and pointers alone are passed here, on both machines that this runs on.
#define W uintptr_t
#define PASS(name, params, args)                     \
  int name params {                                  \
    if (fails()) return 1;                           \
    int(*next) params = dlsym(RTLD_NEXT, #name);     \
    return next args;                                \
  }
PASS(mlx_matmul, (W r, W a, W b, W s), (r, a, b, s))
PASS(mlx_reshape, (W r, W a, W p, W n, W s), (r, a, p, n, s))
PASS(mlx_slice_update, (W r, W a, W u, W p, W n, W q, W m, W t, W k, W s), (r, a, u, p, n, q, m, t, k, s))
PASS(mlx_take_axis, (W r, W a, W i, int x, W s), (r, a, i, x, s))
PASS(mlx_argmax_axis, (W r, W a, int x, W keep, W s), (r, a, x, keep, s))
PASS(mlx_contiguous, (W r, W a, W c, W s), (r, a, c, s))
PASS(mlx_slice, (W r, W a, W p, W n, W q, W m, W t, W k, W s), (r, a, p, n, q, m, t, k, s))
PASS(mlx_compile, (W r, W f, W shapeless), (r, f, shapeless))
PASS(mlx_closure_apply, (W r, W c, W in), (r, c, in))
PASS(mlx_zeros, (W r, W p, W n, int d, W s), (r, p, n, d, s))
PASS(mlx_eval, (W v), (v))
PASS(mlx_fast_rms_norm, (W r, W x, W w, float e, W s), (r, x, w, e, s))
PASS(mlx_sort_axis, (W r, W a, int x, W s), (r, a, x, s))
PASS(mlx_put_along_axis, (W r, W a, W i, W v, int x, W s), (r, a, i, v, x, s))
