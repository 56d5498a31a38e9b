/* Time of one general matrix on a GPU, measured by CUDA events: method "qr" beside
   cuSOLVER's Xgeev in the same process, medians of warm runs on random matrices; or of
   stacks of them by gpueig_complex_eig, method "qr" beside "shroff".
     device_general gpueig_cuda.so [-r | -v | -b] [-N] [-s PAGES] [-t SECONDS] TYPE N ...
   TYPE s d c z as in LAPACK; -r (default): right vectors, -v: eigenvalues only, -b:
   right and left vectors (Xgeev: right ones); -N: without Xgeev or "shroff"; -s: stacks
   of so many pages, fewer of larger orders and for "shroff" above 64; -t: orders for
   which there is no time are left out.  Output is CSV.  Of one matrix: milliseconds in
   all, of the reduction to Hessenberg form, of the QR iteration, and of its part on the
   host; numbers of deflation windows, sweeps and steps.  Of stacks: microseconds per
   page, and pages that LAPACK finished.
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

/* An approximately normal pseudorandom number, a function of the element's index.  */
static double
normal (uint64_t i)
{
  double sum = 0;
  for (int k = 0; k < 4; k++)
    {
      uint64_t h = (4 * i + (uint64_t) k + 1) * 0x9E3779B97F4A7C15ull;
      h ^= h >> 29;
      h *= 0xBF58476D1CE4E5B9ull;
      h ^= h >> 32;
      sum += (double) (h >> 11) / 9007199254740992.0 - 0.5;
    }
  return sum;
}

typedef struct
{
  gpueig_type type;
  int64_t n;
  int right, left, runs;
  size_t bytes;
  void *a, *v, *w, *lambda;
} problem;

/* Seconds on the device; INFO: statistics of the last run.  */
static double
own_time (gpueig_context *ctx, const problem *p, gpueig_info *info)
{
  double solve[RUNS];
  gpueig_options options = gpueig_default_options ();
  gpueig_general g;
  memset (&g, 0, sizeof g);
  g.type = p->type;
  g.n = p->n;
  g.pages = 1;
  g.a = p->a;
  g.balance = 1;
  g.lambda = p->lambda;
  g.v = p->right ? p->v : NULL;
  g.w = p->left ? p->w : NULL;
  options.backend = GPUEIG_CUDA;
  options.method = "qr";
  for (int i = -1; i < p->runs; i++)
    {
      must (gpueig_eig_general (ctx, &g, &options, info) == GPUEIG_OK,
            gpueig_message (ctx));
      if (i >= 0)
        solve[i] = info->time_solve;
    }
  return median (solve, p->runs);
}

static double
figure (const gpueig_info *info, const char *name)
{
  for (int i = 0; i < info->n_extra; i++)
    if (strcmp (info->extra[i].name, name) == 0)
      return info->extra[i].value;
  return 0;
}

static const cudaDataType data_type[4]
    = { CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F };

static double
peer_time (const problem *p)
{
  double times[RUNS];
  void *a, *v, *lambda, *device_work = NULL, *host_work = NULL;
  int *result;
  size_t device_bytes, host_bytes;
  cusolverDnHandle_t handle;
  cudaEvent_t start, stop;
  const cudaDataType type = data_type[p->type];
  const cudaDataType pair
      = gpueig_is_double (p->type) ? CUDA_C_64F : CUDA_C_32F;
  const cusolverEigMode_t none = CUSOLVER_EIG_MODE_NOVECTOR;
  const cusolverEigMode_t mode = p->right ? CUSOLVER_EIG_MODE_VECTOR : none;
  const int64_t n = p->n;
  must (cudaMalloc (&a, p->bytes) == cudaSuccess
            && cudaMalloc (&v, p->bytes) == cudaSuccess
            && cudaMalloc (&lambda, 16 * (size_t) n) == cudaSuccess
            && cudaMalloc (&result, sizeof (int)) == cudaSuccess,
        "memory");
  must (cusolverDnCreate (&handle) == 0, "cusolverDnCreate");
  cudaEventCreate (&start);
  cudaEventCreate (&stop);
  must (cusolverDnXgeev_bufferSize (handle, NULL, none, mode, n, type, a, n,
                                    pair, lambda, type, NULL, n, type, v, n,
                                    type, &device_bytes, &host_bytes)
            == 0,
        "Xgeev_bufferSize");
  must (cudaMalloc (&device_work, device_bytes + 1) == cudaSuccess
            && cudaMallocHost (&host_work, host_bytes + 1) == cudaSuccess,
        "memory");
  for (int i = -1; i < p->runs; i++)
    {
      float ms = 0;
      cudaMemcpy (a, p->a, p->bytes, cudaMemcpyHostToDevice);
      cudaEventRecord (start);
      must (cusolverDnXgeev (handle, NULL, none, mode, n, type, a, n, pair,
                             lambda, type, NULL, n, type, v, n, type,
                             device_work, device_bytes, host_work, host_bytes,
                             result)
                == 0,
            "Xgeev");
      cudaEventRecord (stop);
      cudaEventSynchronize (stop);
      cudaEventElapsedTime (&ms, start, stop);
      if (i >= 0)
        times[i] = 1e-3 * ms;
    }
  cusolverDnDestroy (handle);
  cudaFree (a);
  cudaFree (v);
  cudaFree (lambda);
  cudaFree (result);
  cudaFree (device_work);
  cudaFreeHost (host_work);
  return median (times, p->runs);
}

static gpueig_type
type_of (char letter)
{
  return letter == 's'   ? GPUEIG_FLOAT
         : letter == 'd' ? GPUEIG_DOUBLE
         : letter == 'c' ? GPUEIG_COMPLEX_FLOAT
                         : GPUEIG_COMPLEX_DOUBLE;
}

/* --- stacks --- */

/* Microseconds a page of METHOD for the first PAGES of P.  */
static double
stack_time (gpueig_context *ctx, const problem *p, int64_t pages,
            const char *method, gpueig_info *info)
{
  double times[RUNS];
  gpueig_options options = gpueig_default_options ();
  gpueig_general g;
  memset (&g, 0, sizeof g);
  g.type = p->type;
  g.n = p->n;
  g.pages = pages;
  g.a = p->a;
  g.balance = 1;
  g.lambda = p->lambda;
  g.v = p->right ? p->v : NULL;
  g.w = p->left ? p->w : NULL;
  options.backend = GPUEIG_CUDA;
  options.method = method;
  for (int i = -1; i < p->runs; i++)
    {
      must (gpueig_complex_eig (ctx, &g, &options, info) == GPUEIG_OK,
            gpueig_message (ctx));
      if (i >= 0)
        times[i] = 1e6 * info->time_solve / (double) pages;
    }
  return median (times, p->runs);
}

static void
measure_stack (gpueig_context *ctx, char letter, int64_t n, int right, int left,
               int64_t pages, int with_peer)
{
  problem p;
  gpueig_info info, peer_info = {};
  const gpueig_type type = type_of (letter);
  const int64_t reals = 1 + gpueig_is_complex (type);
  const int64_t fit = 6000000 / (n * n) + 1;
  memset (&p, 0, sizeof p);
  pages = pages < fit ? pages : fit;
  const int64_t few = n > 64 && pages > 8 ? 8 : pages;
  p.type = type;
  p.n = n;
  p.right = right;
  p.left = left;
  p.runs = 3;
  p.bytes = (size_t) (n * n * pages) * gpueig_scalar_size (type);
  p.a = malloc (p.bytes);
  p.v = right ? malloc (2 * p.bytes) : NULL;
  p.w = left ? malloc (2 * p.bytes) : NULL;
  p.lambda = malloc (16 * (size_t) (n * pages));
  must (p.a && p.lambda && (p.v || ! right) && (p.w || ! left), "memory");
  for (int64_t i = 0; i < reals * n * n * pages; i++)
    if (gpueig_is_double (type))
      ((double *) p.a)[i] = normal ((uint64_t) i);
    else
      ((float *) p.a)[i] = (float) normal ((uint64_t) i);
  const double own = stack_time (ctx, &p, pages, "qr", &info);
  const double peer
      = with_peer ? stack_time (ctx, &p, few, "shroff", &peer_info) : 0;
  printf ("%c,%lld,%lld,%s,%.3f,%.3f,%.2f,%.0f,%.0f,%.0f\n", letter,
          (long long) n, (long long) pages,
          left    ? "both"
          : right ? "right"
                  : "values",
          own, peer, peer / own, figure (&info, "qr_sweeps"),
          figure (&info, "fallback_pages"),
          figure (&peer_info, "fallback_pages"));
  fflush (stdout);
  free (p.a);
  free (p.v);
  free (p.w);
  free (p.lambda);
}

/* --- one matrix --- */

static void
measure (gpueig_context *ctx, char letter, int64_t n, int right, int left,
         int with_peer)
{
  problem p;
  gpueig_info info;
  memset (&p, 0, sizeof p);
  p.type = type_of (letter);
  const int parts = 1 + gpueig_is_complex (p.type);
  p.n = n;
  p.right = right;
  p.left = left;
  p.runs = n >= 1000 ? 1 : n >= 256 ? 3 : RUNS;
  p.bytes = (size_t) (n * n) * gpueig_scalar_size (p.type);
  p.a = malloc (p.bytes);
  p.v = malloc (2 * p.bytes);
  p.w = malloc (2 * p.bytes);
  p.lambda = malloc (16 * (size_t) n);
  must (p.a && p.v && p.w && p.lambda, "memory");
  for (int64_t i = 0; i < parts * n * n; i++)
    if (gpueig_is_double (p.type))
      ((double *) p.a)[i] = normal ((uint64_t) i);
    else
      ((float *) p.a)[i] = (float) normal ((uint64_t) i);
  const double own = own_time (ctx, &p, &info);
  const double peer = with_peer ? peer_time (&p) : 0;
  printf ("%c,%lld,%s,%.4f,%.4f,%.4f,%.4f,%.4f,%.4f,%.0f,%.0f,%.0f,%s\n",
          letter, (long long) n,
          left    ? "both"
          : right ? "right"
                  : "values",
          1e3 * own, 1e3 * peer, peer / own,
          1e3 * figure (&info, "hessenberg_time"),
          1e3 * figure (&info, "iteration_time"),
          1e3 * figure (&info, "host_time"), figure (&info, "windows"),
          figure (&info, "qr_sweeps"), figure (&info, "ticks"),
          info.fallback ? info.fallback : "");
  fflush (stdout);
  free (p.a);
  free (p.v);
  free (p.w);
  free (p.lambda);
}

int
main (int argc, char **argv)
{
  gpueig_context *ctx;
  int right = 1, left = 0, with_peer = 1;
  int64_t pages = 0;
  char letter = 'z';
  time_limit time = { now (), 0, 2, 0, 0 };
  must (argc > 1, "the plugin is the first argument");
  must (gpueig_create (&ctx) == GPUEIG_OK, "gpueig_create");
  must (gpueig_set_plugin (ctx, argv[1]) == GPUEIG_OK, gpueig_message (ctx));
  for (int i = 2; i + 1 < argc; i++)
    if (strcmp (argv[i], "-s") == 0)
      pages = atoll (argv[i + 1]);
  print_library ();
  puts (pages > 0 ? "type,n,pages,wanted,qr,shroff,ratio,sweeps,qr_fallback,"
                    "shroff_fallback"
                  : "type,n,wanted,own,xgeev,ratio,hessenberg,iteration,host,"
                    "deflations,sweeps,steps,fallback");
  for (int i = 2; i < argc; i++)
    if (strcmp (argv[i], "-s") == 0)
      i++;
    else if (strcmp (argv[i], "-t") == 0 && i + 1 < argc)
      time.limit = atof (argv[++i]);
    else if (argv[i][0] == '-')
      {
        right = argv[i][1] == 'N' ? right : argv[i][1] != 'v';
        left = argv[i][1] == 'N' ? left : argv[i][1] == 'b';
        with_peer &= argv[i][1] != 'N';
      }
    else if (strchr ("sdcz", argv[i][0]))
      letter = argv[i][0];
    else if (! no_time (&time, atof (argv[i])))
      {
        const double start = now ();
        if (pages > 0)
          measure_stack (ctx, letter, atoll (argv[i]), right, left, pages,
                         with_peer);
        else
          measure (ctx, letter, atoll (argv[i]), right, left, with_peer);
        time.last = now () - start;
        time.last_n = atof (argv[i]);
      }
  gpueig_destroy (ctx);
  return 0;
}
