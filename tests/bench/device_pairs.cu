/* Time of definite pairs (A, B) on a GPU, measured by CUDA events, beside the same
   problem without B and cuSOLVER's sygvd (all eigenpairs of one pair) or sygvdx (a part)
   in the same process: medians of warm runs with vectors on random matrices.
     device_pairs gpueig_cuda.so [-t SECONDS] TYPE | N | N/K | NxPAGES ...
   TYPE s d c z as in LAPACK; N/K: the K smallest; NxPAGES: a stack, for which cuSOLVER
   has nothing; -t: rows for which there is no time are left out.  CSV in milliseconds,
   per call.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "device_clock.cuh"
#include "gpueig.h"

#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  RUNS = 5
};

typedef struct
{
  gpueig_type type;
  int64_t n, part, pages; /* PART: number of eigenpairs, N: all */
  int runs;
  size_t bytes;
  char *a, *b, *v;
  double *lambda;
} problem;

/* A pseudorandom number between -1/2 and 1/2, a function of the index I.  */
static double
uniform (uint64_t i)
{
  uint64_t h = (i + 1) * 0x9E3779B97F4A7C15ull;
  h ^= h >> 29;
  h *= 0xBF58476D1CE4E5B9ull;
  h ^= h >> 32;
  return (double) (h >> 11) / 9007199254740992.0 - 0.5;
}

/* Random n-by-n Hermitian pages of scalars of PARTS reals, SHIFT added to the
   diagonal.  */
template <typename R>
static void
fill (int64_t n, int64_t pages, int parts, uint64_t seed, double shift, R *a)
{
#pragma omp parallel for
  for (int64_t c = 0; c < n * pages; c++)
    for (int64_t i = c % n; i < n; i++)
      {
        const int64_t j = c % n, page = c / n * n * n;
        const uint64_t at = seed + 2 * (uint64_t) (page + i + n * j);
        R *x = a + parts * (page + i + n * j),
          *y = a + parts * (page + j + n * i);
        x[0] = y[0] = (R) (uniform (at) + (i == j ? shift : 0));
        if (parts == 2)
          {
            x[1] = i == j ? 0 : (R) uniform (at + 1);
            y[1] = -x[1];
          }
      }
}

/* Seconds on the device of gpu_eig, with B if PAIR.  */
static double
own_time (gpueig_context *ctx, const problem *p, int pair)
{
  double solve[RUNS];
  gpueig_options options = gpueig_default_options ();
  gpueig_symmetric s;
  gpueig_info info;
  memset (&s, 0, sizeof s);
  s.type = p->type;
  s.n = p->n;
  s.pages = p->pages;
  s.a = p->a;
  s.b = pair ? p->b : NULL;
  s.select = p->part < p->n ? GPUEIG_SELECT_INDEX : GPUEIG_SELECT_ALL;
  s.first = 1;
  s.last = p->part;
  s.lambda = p->lambda;
  s.v = p->v;
  options.backend = GPUEIG_CUDA;
  for (int i = -1; i < p->runs; i++)
    {
      must (gpueig_eig_symmetric (ctx, &s, &options, &info) == GPUEIG_OK,
            gpueig_message (ctx));
      if (i >= 0)
        solve[i] = info.time_solve;
    }
  return median (solve, p->runs);
}

/* --- cuSOLVER --- */

typedef struct
{
  cusolverDnHandle_t handle;
  int n, size, last, *result;
  void *a, *b, *lambda, *work;
} peer;

/* The size of the work space if SIZE is nonzero; a part up to p->last unless ALL.  */
#define SYGVD(T, R, NAME)                                                      \
  static cusolverStatus_t NAME##_any (peer *p, int all, int size)              \
  {                                                                            \
    const cusolverEigType_t type = CUSOLVER_EIG_TYPE_1;                        \
    const cusolverEigMode_t mode = CUSOLVER_EIG_MODE_VECTOR;                   \
    const cusolverEigRange_t part = CUSOLVER_EIG_RANGE_I;                      \
    const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;                     \
    T *a = (T *) p->a, *b = (T *) p->b, *work = (T *) p->work;                 \
    R *lambda = (R *) p->lambda;                                               \
    int found;                                                                 \
    if (all)                                                                   \
      return size ? cusolverDn##NAME##_bufferSize (p->handle, type, mode,      \
                                                   lower, p->n, a, p->n, b,    \
                                                   p->n, lambda, &p->size)     \
                  : cusolverDn##NAME (p->handle, type, mode, lower, p->n, a,   \
                                      p->n, b, p->n, lambda, work, p->size,    \
                                      p->result);                              \
    return size ? cusolverDn##NAME##x_bufferSize (                             \
               p->handle, type, mode, part, lower, p->n, a, p->n, b, p->n, 0,  \
               0, 1, p->last, &found, lambda, &p->size)                        \
                : cusolverDn##NAME##x (p->handle, type, mode, part, lower,     \
                                       p->n, a, p->n, b, p->n, 0, 0, 1,        \
                                       p->last, &found, lambda, work, p->size, \
                                       p->result);                             \
  }
SYGVD (float, float, Ssygvd)
SYGVD (double, double, Dsygvd)
SYGVD (cuComplex, float, Chegvd)
SYGVD (cuDoubleComplex, double, Zhegvd)

static cusolverStatus_t (*const sygvd[4]) (peer *, int, int)
    = { Ssygvd_any, Dsygvd_any, Chegvd_any, Zhegvd_any };

static double
peer_time (const problem *p)
{
  double times[RUNS];
  peer q = {};
  cudaEvent_t start, stop;
  const int all = p->part == p->n;
  q.n = (int) p->n;
  q.last = (int) p->part;
  must (cudaMalloc (&q.a, p->bytes) == cudaSuccess
            && cudaMalloc (&q.b, p->bytes) == cudaSuccess
            && cudaMalloc (&q.lambda, sizeof (double) * (size_t) p->n)
                   == cudaSuccess
            && cudaMalloc (&q.result, sizeof (int)) == cudaSuccess,
        "memory");
  must (cusolverDnCreate (&q.handle) == 0, "cusolverDnCreate");
  cudaEventCreate (&start);
  cudaEventCreate (&stop);
  must (sygvd[p->type](&q, all, 1) == 0, "sygvd_bufferSize");
  must (cudaMalloc (&q.work, (size_t) q.size * gpueig_scalar_size (p->type))
            == cudaSuccess,
        "memory");
  for (int i = -1; i < p->runs; i++)
    {
      float ms = 0;
      int result = 1;
      cudaMemcpy (q.a, p->a, p->bytes, cudaMemcpyHostToDevice);
      cudaMemcpy (q.b, p->b, p->bytes, cudaMemcpyHostToDevice);
      cudaEventRecord (start);
      must (sygvd[p->type](&q, all, 0) == 0, "sygvd");
      cudaEventRecord (stop);
      cudaEventSynchronize (stop);
      cudaEventElapsedTime (&ms, start, stop);
      cudaMemcpy (&result, q.result, sizeof result, cudaMemcpyDeviceToHost);
      must (result == 0, "sygvd's result");
      if (i >= 0)
        times[i] = 1e-3 * ms;
    }
  cusolverDnDestroy (q.handle);
  cudaEventDestroy (start);
  cudaEventDestroy (stop);
  cudaFree (q.a);
  cudaFree (q.b);
  cudaFree (q.lambda);
  cudaFree (q.result);
  cudaFree (q.work);
  return median (times, p->runs);
}

static void
measure (gpueig_context *ctx, char letter, problem p)
{
  p.type = letter == 's'   ? GPUEIG_FLOAT
           : letter == 'd' ? GPUEIG_DOUBLE
           : letter == 'c' ? GPUEIG_COMPLEX_FLOAT
                           : GPUEIG_COMPLEX_DOUBLE;
  const int64_t count = p.n * p.n * p.pages;
  const int parts = 1 + gpueig_is_complex (p.type);
  const double shift = sqrt ((double) p.n) * parts;
  p.runs = p.n >= 8192 ? 1 : p.n >= 2048 ? 3 : RUNS;
  p.bytes = (size_t) count * gpueig_scalar_size (p.type);
  p.a = (char *) malloc (p.bytes);
  p.b = (char *) malloc (p.bytes);
  p.v = (char *) malloc (p.bytes);
  p.lambda = (double *) malloc (sizeof (double) * (size_t) (p.n * p.pages));
  must (p.a && p.b && p.v && p.lambda, "memory");
  if (gpueig_is_double (p.type))
    {
      fill<double> (p.n, p.pages, parts, 0, 0, (double *) p.a);
      fill<double> (p.n, p.pages, parts, 1u << 31, shift, (double *) p.b);
    }
  else
    {
      fill<float> (p.n, p.pages, parts, 0, 0, (float *) p.a);
      fill<float> (p.n, p.pages, parts, 1u << 31, shift, (float *) p.b);
    }
  const double pair = own_time (ctx, &p, 1), plain = own_time (ctx, &p, 0);
  const double other = p.pages == 1 ? peer_time (&p) : NAN;
  printf ("%c,%lld,%lld,%lld,%.4f,%.4f,%.3f", letter, (long long) p.n,
          (long long) p.part, (long long) p.pages, 1e3 * pair, 1e3 * plain,
          pair / plain);
  if (p.pages == 1)
    printf (",%.4f,%.3f\n", 1e3 * other, other / pair);
  else
    printf (",,\n");
  fflush (stdout);
  free (p.a);
  free (p.b);
  free (p.v);
  free (p.lambda);
}

int
main (int argc, char **argv)
{
  gpueig_context *ctx;
  time_limit time = { now (), 0, 2.5, 0, 0 };
  char letter = 'd';
  must (argc > 1, "the plugin is the first argument");
  must (gpueig_create (&ctx) == GPUEIG_OK, "gpueig_create");
  must (gpueig_set_plugin (ctx, argv[1]) == GPUEIG_OK, gpueig_message (ctx));
  print_library ();
  printf ("type,n,k,pages,pair ms,plain ms,pair/plain,cuSOLVER ms,ratio\n");
  for (int i = 2; i < argc; i++)
    if (strcmp (argv[i], "-t") == 0 && i + 1 < argc)
      time.limit = atof (argv[++i]);
    else if (strchr ("sdcz", argv[i][0]))
      letter = argv[i][0];
    else
      {
        char *end;
        problem p = {};
        p.n = p.part = strtoll (argv[i], &end, 10);
        p.pages = *end == 'x' ? atoll (end + 1) : 1;
        if (*end == '/')
          p.part = atoll (end + 1);
        must (p.n > 0 && p.pages > 0 && p.part > 0 && p.part <= p.n, argv[i]);
        const double size
            = (double) p.n * cbrt ((double) p.pages); /* by operations */
        if (no_time (&time, size))
          continue;
        const double start = now ();
        measure (ctx, letter, p);
        time.last = now () - start;
        time.last_n = size;
      }
  gpueig_destroy (ctx);
  return 0;
}
