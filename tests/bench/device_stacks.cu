/* Stacks of symmetric and Hermitian random matrices: gpu_eig with "auto" and one-sided Jacobi
   compared with cuSOLVER's syevjBatched and XsyevBatched; seconds per page.
     device_stacks [-v] [-m MB] [-p PAGES] N ...
   -v: eigenvalues alone; -m: size of a stack in MB (100), of at most 100000 pages; -p:
   number of pages instead.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "device_bench.cuh"

enum
{
  MOST_PAGES = 100000
};

typedef gpueig_status solver (gpueig_context *, const gpueig_symmetric *,
                              const gpueig_options *, gpueig_info *);

/* Seconds per page on the device; INFO: of the last run.  */
static double
page_time (gpueig_context *ctx, const gpueig_symmetric *s, solver *run,
           gpueig_info *info)
{
  return solve_time (ctx, run, s, "auto", RUNS, info) / (double) s->pages;
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
  peer p = {};
  p.n = (int) s->n;
  p.pages = (int) s->pages;
  p.mode = s->v ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  must (cusolverDnCreate (&p.handle) == 0
            && cusolverDnCreateSyevjInfo (&p.params) == 0,
        "cusolverDnCreate");
  p.a = device_memory (bytes);
  p.lambda = device_memory (sizeof (double) * (size_t) (s->n * s->pages));
  p.result = (int *) device_memory (sizeof (int) * (size_t) s->pages);
  must ((jacobi ? syevj[s->type](&p, 1) : syev (&p, s, 1)) == 0,
        "size of the workspace");
  if (jacobi)
    p.device_bytes = (size_t) p.size * scalar;
  p.host_work = host_memory (p.host_bytes + 1);
  p.device_work = device_memory (p.device_bytes + 1);
  int failed = 0;
  const double seconds = median_of (1, RUNS, [&] {
    must (cudaMemcpy (p.a, s->a, bytes, cudaMemcpyHostToDevice) == cudaSuccess,
          "upload");
    return event_time ([&] {
      failed |= ! failed
                && (jacobi ? syevj[s->type](&p, 0) : syev (&p, s, 0)) != 0;
    });
  });
  cudaFree (p.a);
  cudaFree (p.lambda);
  cudaFree (p.result);
  cudaFree (p.device_work);
  free (p.host_work);
  cusolverDnDestroySyevjInfo (p.params);
  cusolverDnDestroy (p.handle);
  return failed ? NAN : seconds / (double) s->pages;
}

static void
measure (const bench *b, const char *order)
{
  gpueig_symmetric s;
  gpueig_info info;
  double best = INFINITY, others[2] = { NAN, NAN };
  const int64_t n = atoll (order);
  const double bytes = 1e6 * (b->option['m'] ? b->option['m'] : 100);
  memset (&s, 0, sizeof s);
  s.type = b->type;
  const double page = (double) (n * n) * (double) gpueig_scalar_size (s.type);
  s.n = n;
  s.pages = (int64_t) fmin (MOST_PAGES, b->option['p'] ? b->option['p']
                                                       : ceil (bytes / page));
  s.symmetric = 1;
  const size_t size = (size_t) page * (size_t) s.pages;
  void *a = host_memory (size);
  s.a = a;
  s.v = b->option['v'] ? NULL : host_memory (size);
  s.lambda = host_memory (sizeof (double) * (size_t) (n * s.pages));
  fill_hermitian (s.type, n, s.pages, 0, 0, a);
  const double jacobi = page_time (b->ctx, &s, gpueig_onesided_eig, &info);
  const double own = page_time (b->ctx, &s, gpueig_eig_symmetric, &info);
  for (int k = 0; k < 2 && ! b->option['N']; k++)
    {
      others[k] = peer_time (&s, k == 0);
      best = fmin (best, others[k]);
    }
  printf ("%lld,%lld,%s", (long long) n, (long long) s.pages, info.method);
  print_number (own);
  print_number (jacobi);
  print_number (others[0]);
  print_number (others[1]);
  print_number (best / own);
  print_number (best / jacobi);
  printf ("\n");
  free (a);
  free (s.v);
  free (s.lambda);
}

int
main (int argc, char **argv)
{
  return run_bench (argc, argv,
                    "n,pages,method,gpu_eig [s],onesided [s],syevj-batched "
                    "[s],syev-batched [s],best peer/gpu_eig,best peer/onesided",
                    "mp", 1, atof, measure);
}
