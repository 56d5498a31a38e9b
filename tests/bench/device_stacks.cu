/* Stacks of symmetric and Hermitian matrices, timed on the GPU: gpu_eig with "auto" and
   one-sided Jacobi compared with cuSOLVER's syevjBatched and XsyevBatched in the same
   process; medians of warm runs with random matrices.
     device_stacks [-v] [-N] [-m MB] [-p PAGES] [-M METHOD] [TYPE | N] ...
   Without arguments the whole table, with vectors: types s d c z as in LAPACK, stacks
   of 100 MB, at most 100000 pages.  -v: eigenvalues alone; -N: without cuSOLVER;
   -m: size of a stack in MB; -p: number of pages instead; -M: gpu_eig's method instead
   of "auto"; types and orders choose rows.  GPUEIG_TEST_PLUGIN, if set, names the
   plugin.  Prints CSV, which tests/bench/run.sh writes to a file.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "device_clock.cuh"
#include "gpueig.h"

#include <cuda_runtime.h>
#include <cusolverDn.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum
{
  RUNS = 5,
  MOST_PAGES = 100000,
  MOST_CHOSEN = 32 /* orders */
};

static const int all_orders[]
    = { 4, 8, 10, 16, 20, 24, 32, 40, 48, 64, 80, 100, 128, 160, 200, 256 };

static const char letters[] = "sdcz";
static const char *const type_names[]
    = { "single", "double", "complex single", "complex double" };

/* A pseudo-random number in (-1/2, 1/2), a function of the index I.  */
static double
uniform (uint64_t i)
{
  uint64_t h = (i + 1) * 0x9E3779B97F4A7C15ull;
  h ^= h >> 29;
  h *= 0xBF58476D1CE4E5B9ull;
  h ^= h >> 32;
  return (double) (h >> 11) / 9007199254740992.0 - 0.5;
}

/* Random n-by-n Hermitian pages; a scalar has PARTS components R.  */
template <typename R>
static void
fill (int64_t n, int64_t pages, int parts, R *a)
{
#pragma omp parallel for
  for (int64_t p = 0; p < pages; p++)
    for (int64_t j = 0; j < n; j++)
      for (int64_t i = j; i < n; i++)
        {
          R *x = a + parts * (i + n * j + n * n * p);
          R *y = a + parts * (j + n * i + n * n * p);
          const uint64_t place = 2 * (uint64_t) (i + n * j + n * n * p);
          x[0] = y[0] = (R) uniform (place);
          if (parts == 2)
            {
              x[1] = i == j ? 0 : (R) uniform (place + 1);
              y[1] = -x[1];
            }
        }
}

typedef gpueig_status solver (gpueig_context *, const gpueig_symmetric *,
                              const gpueig_options *, gpueig_info *);

/* Seconds per page on the device, NaN for a failure; INFO: of the last run.  */
static double
page_time (gpueig_context *ctx, const gpueig_symmetric *s, solver *run,
           const char *method, gpueig_info *info)
{
  double solve[RUNS];
  gpueig_options options = gpueig_default_options ();
  options.backend = GPUEIG_CUDA;
  options.method = method;
  for (int i = -1; i < RUNS; i++)
    {
      if (run (ctx, s, &options, info) != GPUEIG_OK)
        {
          printf ("# note: %s, n = %lld: %s\n", method, (long long) s->n,
                  gpueig_message (ctx));
          return NAN;
        }
      if (i >= 0)
        solve[i] = info->time_solve;
    }
  return median (solve, RUNS) / (double) s->pages;
}

/* --- cuSOLVER's batched solvers; their vectors are not verified --- */

typedef struct
{
  cusolverDnHandle_t handle;
  syevjInfo_t params;
  cusolverEigMode_t mode;
  int n, pages, size; /* SIZE: of syevj's work, in scalars */
  size_t device_bytes, host_bytes;
  void *a, *lambda, *device_work, *host_work;
  int *result;
} peer;

#define SYEVJ(T, R, NAME)                                                      \
  static cusolverStatus_t syevj_##NAME (peer *p, int only_size)                \
  {                                                                            \
    return only_size ? cusolverDn##NAME##jBatched_bufferSize (                 \
               p->handle, p->mode, CUBLAS_FILL_MODE_LOWER, p->n, (T *) p->a,   \
               p->n, (R *) p->lambda, &p->size, p->params, p->pages)           \
                     : cusolverDn##NAME##jBatched (                            \
                         p->handle, p->mode, CUBLAS_FILL_MODE_LOWER, p->n,     \
                         (T *) p->a, p->n, (R *) p->lambda,                    \
                         (T *) p->device_work, p->size, p->result, p->params,  \
                         p->pages);                                            \
  }
SYEVJ (float, float, Ssyev)
SYEVJ (double, double, Dsyev)
SYEVJ (cuComplex, float, Cheev)
SYEVJ (cuDoubleComplex, double, Zheev)

static cusolverStatus_t (*const syevj[]) (peer *, int)
    = { syevj_Ssyev, syevj_Dsyev, syevj_Cheev, syevj_Zheev };

static const cudaDataType data_type[]
    = { CUDA_R_32F, CUDA_R_64F, CUDA_C_32F, CUDA_C_64F };

static cusolverStatus_t
syev (peer *p, const gpueig_symmetric *s, int only_size)
{
  const cudaDataType type = data_type[s->type];
  const cudaDataType real
      = gpueig_is_double (s->type) ? CUDA_R_64F : CUDA_R_32F;
  return only_size ? cusolverDnXsyevBatched_bufferSize (
             p->handle, NULL, p->mode, CUBLAS_FILL_MODE_LOWER, p->n, type, p->a,
             p->n, real, p->lambda, type, &p->device_bytes, &p->host_bytes,
             p->pages)
                   : cusolverDnXsyevBatched (
                       p->handle, NULL, p->mode, CUBLAS_FILL_MODE_LOWER, p->n,
                       type, p->a, p->n, real, p->lambda, type, p->device_work,
                       p->device_bytes, p->host_work, p->host_bytes, p->result,
                       p->pages);
}

/* Seconds per page on the device by syevjBatched (JACOBI nonzero) or XsyevBatched, NaN
   for a failure.  */
static double
peer_time (const gpueig_symmetric *s, int jacobi)
{
  const size_t scalar = gpueig_scalar_size (s->type);
  const size_t bytes = (size_t) (s->n * s->n * s->pages) * scalar;
  double times[RUNS];
  cudaEvent_t start, stop;
  peer p = {};
  p.n = (int) s->n;
  p.pages = (int) s->pages;
  p.mode = s->v ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  must (cusolverDnCreate (&p.handle) == 0
            && cusolverDnCreateSyevjInfo (&p.params) == 0,
        "cusolverDnCreate");
  must (cudaMalloc (&p.a, bytes) == cudaSuccess
            && cudaMalloc (&p.lambda,
                           sizeof (double) * (size_t) (s->n * s->pages))
                   == cudaSuccess
            && cudaMalloc (&p.result, sizeof (int) * (size_t) s->pages)
                   == cudaSuccess,
        "memory");
  must ((jacobi ? syevj[s->type](&p, 1) : syev (&p, s, 1)) == 0,
        "size of the workspace");
  if (jacobi)
    p.device_bytes = (size_t) p.size * scalar;
  p.host_work = malloc (p.host_bytes + 1);
  must (p.host_work
            && cudaMalloc (&p.device_work, p.device_bytes + 1) == cudaSuccess,
        "memory");
  cudaEventCreate (&start);
  cudaEventCreate (&stop);
  int failed = 0;
  for (int i = -1; i < RUNS && ! failed; i++)
    {
      float milliseconds = 0;
      must (cudaMemcpy (p.a, s->a, bytes, cudaMemcpyHostToDevice)
                == cudaSuccess,
            "upload");
      cudaEventRecord (start, 0);
      failed = (jacobi ? syevj[s->type](&p, 0) : syev (&p, s, 0)) != 0;
      cudaEventRecord (stop, 0);
      must (cudaEventSynchronize (stop) == cudaSuccess, "a kernel");
      cudaEventElapsedTime (&milliseconds, start, stop);
      if (i >= 0)
        times[i] = 1e-3 * (double) milliseconds;
    }
  cudaEventDestroy (start);
  cudaEventDestroy (stop);
  cudaFree (p.a);
  cudaFree (p.lambda);
  cudaFree (p.result);
  cudaFree (p.device_work);
  free (p.host_work);
  cusolverDnDestroySyevjInfo (p.params);
  cusolverDnDestroy (p.handle);
  return failed ? NAN : median (times, RUNS) / (double) s->pages;
}

static void
print_number (double x)
{
  if (isfinite (x))
    printf (",%.4g", x);
  else
    printf (",");
}

static void
measure (gpueig_context *ctx, int type, int64_t n, int vectors, double bytes,
         double pages, const char *method, int with_peers)
{
  gpueig_symmetric s;
  gpueig_info info;
  double best = INFINITY, others[2] = { NAN, NAN };
  memset (&s, 0, sizeof s);
  s.type = (gpueig_type) type;
  const double page = (double) (n * n) * (double) gpueig_scalar_size (s.type);
  s.n = n;
  s.pages
      = (int64_t) fmin (MOST_PAGES, pages > 0 ? pages : ceil (bytes / page));
  s.symmetric = 1;
  const size_t size = (size_t) page * (size_t) s.pages;
  void *a = malloc (size);
  s.a = a;
  s.v = vectors ? malloc (size) : NULL;
  s.lambda = malloc (sizeof (double) * (size_t) (n * s.pages));
  must (a && s.lambda && (s.v || ! vectors), "memory");
  if (gpueig_is_double (s.type))
    fill<double> (n, s.pages, 1 + gpueig_is_complex (s.type), (double *) a);
  else
    fill<float> (n, s.pages, 1 + gpueig_is_complex (s.type), (float *) a);
  const double jacobi = page_time (ctx, &s, gpueig_onesided_eig, "auto", &info);
  const double own = page_time (ctx, &s, gpueig_eig_symmetric, method, &info);
  for (int k = 0; k < 2 && with_peers; k++)
    {
      others[k] = peer_time (&s, k == 0);
      best = fmin (best, others[k]);
    }
  printf ("%s,%lld,%lld,%s", type_names[type], (long long) n,
          (long long) s.pages, info.method);
  print_number (own);
  print_number (jacobi);
  print_number (others[0]);
  print_number (others[1]);
  print_number (best / own);
  print_number (best / jacobi);
  printf ("\n");
  fflush (stdout);
  free (a);
  free (s.v);
  free (s.lambda);
}

static void
print_head (gpueig_context *ctx, int vectors)
{
  char date[16];
  gpueig_machine machine;
  const char *commit = getenv ("GPUEIG_COMMIT");
  const time_t now = time (NULL);
  strftime (date, sizeof date, "%Y-%m-%d", localtime (&now));
  gpueig_query (ctx, &machine);
  must (machine.cuda, machine.reason);
  printf ("# stacks of symmetric and Hermitian matrices, %s, a page\n"
          "# %s, gpueig %s, commit %s\n"
          "# %s, CUDA %g, %d CPU threads\n"
          "# compare: gpu_eig [s] | syevj-batched [s] | syev-batched [s]\n"
          "# compare: onesided [s] | syevj-batched [s] | syev-batched [s]\n"
          "# bar: 10\n"
          "# note: seconds a page by the GPU's clock, medians of %d warm runs, "
          "all solvers in one process\n"
          "type,n,pages,method,gpu_eig [s],onesided [s],syevj-batched [s],"
          "syev-batched [s],best peer/gpu_eig,best peer/onesided\n",
          vectors ? "with vectors" : "eigenvalues", date, GPUEIG_VERSION,
          commit ? commit : "unknown", machine.device[0].name,
          machine.runtime_version / 1000.0, machine.threads, RUNS);
  fflush (stdout);
}

int
main (int argc, char **argv)
{
  gpueig_context *ctx;
  int chosen[4] = { 0, 0, 0, 0 }, any = 0, vectors = 1, count = 0;
  int with_peers = 1;
  int orders[MOST_CHOSEN];
  double bytes = 1e8, pages = 0;
  const char *method = "auto";
  for (int i = 1; i < argc; i++)
    {
      const char *type = strchr (letters, argv[i][0]);
      if (strcmp (argv[i], "-v") == 0)
        vectors = 0;
      else if (strcmp (argv[i], "-m") == 0 && i + 1 < argc)
        bytes = 1e6 * atof (argv[++i]);
      else if (strcmp (argv[i], "-p") == 0 && i + 1 < argc)
        pages = atof (argv[++i]);
      else if (strcmp (argv[i], "-M") == 0 && i + 1 < argc)
        method = argv[++i];
      else if (strcmp (argv[i], "-N") == 0)
        with_peers = 0;
      else if (type)
        any = chosen[type - letters] = 1;
      else
        {
          must (count < MOST_CHOSEN && atoi (argv[i]) > 0, argv[i]);
          orders[count++] = atoi (argv[i]);
        }
    }
  if (count == 0)
    {
      count = (int) (sizeof all_orders / sizeof all_orders[0]);
      memcpy (orders, all_orders, sizeof all_orders);
    }
  must (gpueig_create (&ctx) == GPUEIG_OK, "gpueig_create");
  if (getenv ("GPUEIG_TEST_PLUGIN"))
    must (gpueig_set_plugin (ctx, getenv ("GPUEIG_TEST_PLUGIN")) == GPUEIG_OK,
          gpueig_message (ctx));
  print_head (ctx, vectors);
  for (int type = 0; type < 4; type++)
    for (int i = 0; i < count && (chosen[type] || ! any); i++)
      measure (ctx, type, orders[i], vectors, bytes, pages, method, with_peers);
  gpueig_destroy (ctx);
  return 0;
}
