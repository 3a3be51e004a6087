/* What a row costs in C, as a peer of the benchmark: the best few and a sum of
   exponentials, each in one pass over all of it, and nothing else. Compiled by the benchmark with -O3
   -march=native; it names the vectors that it was compiled with. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__AVX512F__)
#include <immintrin.h>
#define NAME "C with AVX-512"
#define W 16
typedef __m512 vec;
#define LOAD _mm512_loadu_ps
#define SET _mm512_set1_ps
#define SUB _mm512_sub_ps
#define MUL _mm512_mul_ps
#define ADD _mm512_add_ps
#define MAX _mm512_max_ps
#define FMA _mm512_fmadd_ps
#define STORE _mm512_storeu_ps
#define ABOVE(a, t) ((unsigned)_mm512_cmp_ps_mask(a, t, _CMP_GT_OQ))
#define ROUND(a) _mm512_roundscale_ps(a, 8)
#define SCALE(y, n) _mm512_castsi512_ps(_mm512_add_epi32(_mm512_castps_si512(y), _mm512_slli_epi32(_mm512_cvtps_epi32(n), 23)))
#elif defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#define NAME "C with AVX2"
#define W 8
typedef __m256 vec;
#define LOAD _mm256_loadu_ps
#define SET _mm256_set1_ps
#define SUB _mm256_sub_ps
#define MUL _mm256_mul_ps
#define ADD _mm256_add_ps
#define MAX _mm256_max_ps
#define FMA _mm256_fmadd_ps
#define STORE _mm256_storeu_ps
#define ABOVE(a, t) ((unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a, t, _CMP_GT_OQ)))
#define ROUND(a) _mm256_round_ps(a, 8)
#define SCALE(y, n) _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(y), _mm256_slli_epi32(_mm256_cvtps_epi32(n), 23)))
#else
#define NAME "C without vectors"
#define W 1
#endif

typedef struct { int id; float logit; } candidate;

static float sink; /* keeps what is computed */

/* best keeps the k best of x, in order. */
static int best(const float *x, int n, int k, candidate *c) {
	int m = 0;
	float least = -INFINITY;
	for (int i = 0; i < n;) {
#if W > 1
		if (i + 4 * W <= n) {
			vec t = SET(least);
			unsigned a = ABOVE(LOAD(x + i), t), b = ABOVE(LOAD(x + i + W), t);
			unsigned d = ABOVE(LOAD(x + i + 2 * W), t), e = ABOVE(LOAD(x + i + 3 * W), t);
			if (!(a | b | d | e)) { i += 4 * W; continue; }
		}
#endif
		for (int end = i + 4 * W < n ? i + 4 * W : n; i < end; i++) {
			float v = x[i];
			if (!(v > least)) continue;
			int p = m < k ? m++ : k - 1;
			for (; p > 0 && c[p - 1].logit < v; p--) c[p] = c[p - 1];
			c[p].id = i;
			c[p].logit = v;
			if (m == k) least = c[k - 1].logit;
		}
	}
	return m;
}

static float highest(const float *x, int n) {
	float top = x[0];
	int i = 0;
#if W > 1
	vec a = SET(top), b = a, c = a, d = a;
	for (; i + 4 * W <= n; i += 4 * W) {
		a = MAX(a, LOAD(x + i)); b = MAX(b, LOAD(x + i + W));
		c = MAX(c, LOAD(x + i + 2 * W)); d = MAX(d, LOAD(x + i + 3 * W));
	}
	float lane[W];
	STORE(lane, MAX(MAX(a, b), MAX(c, d)));
	for (int j = 0; j < W; j++) if (lane[j] > top) top = lane[j];
#endif
	for (; i < n; i++) if (x[i] > top) top = x[i];
	return top;
}

/* exps is the sum of 2^((x-top)*scale). */
static float exps(const float *x, int n, float top, float scale) {
	float sum = 0;
	int i = 0;
#if W > 1
	vec t = SET(top), f = SET(scale), low = SET(-125), one = SET(1), s[2] = {SET(0), SET(0)};
	vec k1 = SET(.6931472f), k2 = SET(.2402265f), k3 = SET(.0555033f), k4 = SET(.0096184f), k5 = SET(.0013399f);
	for (; i + 2 * W <= n; i += 2 * W)
		for (int j = 0; j < 2; j++) {
			vec a = MAX(MUL(SUB(LOAD(x + i + j * W), t), f), low), q = ROUND(a);
			a = SUB(a, q);
			vec y = FMA(FMA(FMA(FMA(FMA(k5, a, k4), a, k3), a, k2), a, k1), a, one);
			s[j] = ADD(s[j], SCALE(y, q));
		}
	float lane[W];
	STORE(lane, ADD(s[0], s[1]));
	for (int j = 0; j < W; j++) sum += lane[j];
#endif
	for (; i < n; i++) sum += exp2f((x[i] - top) * scale);
	return sum;
}

static void run(const char *task, const float *x, int n) {
	candidate c[64];
	if (!strcmp(task, "chain")) { best(x, n, 40, c); sink += exps(x, n, c[0].logit, 1.442695f / .8f); }
	else if (!strcmp(task, "logprobs")) { best(x, n, 20, c); sink += exps(x, n, c[0].logit, 1.442695f); }
	else sink += exps(x, n, highest(x, n), 1.442695f / .8f);
}

static double now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e9 + t.tv_nsec;
}

int main(void) {
	char task[32], path[4096];
	int times;
	printf("ready %s\n", NAME);
	fflush(stdout);
	while (scanf("%31s %d %4095[^\n]", task, &times, path) == 3) {
		FILE *f = fopen(path[0] == ' ' ? path + 1 : path, "rb");
		if (!f) { printf("cannot read the row\n"); fflush(stdout); continue; }
		fseek(f, 0, SEEK_END);
		int n = ftell(f) / 4;
		rewind(f);
		float *x = aligned_alloc(64, (n * 4 + 63) / 64 * 64);
		if (fread(x, 4, n, f) != (size_t)n) return 1;
		fclose(f);
		for (int i = 0; i < times + 2; i++) {
			double start = now();
			run(task, x, n);
			if (i >= 2) printf("%.0f ", now() - start);
		}
		printf("\n");
		fflush(stdout);
		free(x);
	}
	fprintf(stderr, "%g", sink);
	return 0;
}
