/* Stacks of symmetric and Hermitian random matrices: gpu_eig with "auto" and one-sided Jacobi
   compared with cuSOLVER's syevjBatched and XsyevBatched and, with vectors, cuSolverDx's heev
   where it is installed; all data is in memory of the GPU, so that no copy overlaps the
   solution; seconds per page.
     device_stacks [-v] [-m MB] [-p PAGES] N ...
   -v: eigenvalues alone; -m: size of a stack in MB (100), of at most 100000 pages; -p:
   number of pages instead.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solver_dx.cuh"

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
  syevjInfo_t params;
  cusolverEigMode_t mode;
  int n, pages;
  void *a, *lambda;
} peer;

#define SYEVJ(T, R, NAME)                                                      \
  static cusolverStatus_t syevj_##NAME (const peer *p, library *l,             \
                                        int only_size)                         \
  {                                                                            \
    return TYPED_CALL (T, NAME##jBatched, (&size, p->params, p->pages),        \
                       (l->info, p->params, p->pages), p->mode,                \
                       CUBLAS_FILL_MODE_LOWER, p->n, (T *) p->a, p->n,         \
                       (R *) p->lambda);                                       \
  }
SYEVJ (float, float, Ssyev)
SYEVJ (double, double, Dsyev)
SYEVJ (cuComplex, float, Cheev)
SYEVJ (cuDoubleComplex, double, Zheev)

static cusolverStatus_t (*const syevj[]) (const peer *, library *, int)
    = { syevj_Ssyev, syevj_Dsyev, syevj_Cheev, syevj_Zheev };

static cusolverStatus_t
syev (const peer *p, gpueig_type scalar, library *l, int only_size)
{
  const cudaDataType type = data_type[scalar], real = real_data_type (scalar);
  return only_size ? cusolverDnXsyevBatched_bufferSize (
             l->handle, NULL, p->mode, CUBLAS_FILL_MODE_LOWER, p->n, type, p->a,
             p->n, real, p->lambda, type, &l->bytes, &l->host_bytes, p->pages)
                   : cusolverDnXsyevBatched (l->handle, NULL, p->mode,
                                             CUBLAS_FILL_MODE_LOWER, p->n, type,
                                             p->a, p->n, real, p->lambda, type,
                                             l->work, l->bytes, l->host_work,
                                             l->host_bytes, l->info, p->pages);
}

/* Seconds per page on the device by syevjBatched (JACOBI nonzero) or XsyevBatched, NaN
   for a failure.  */
static double
peer_time (const gpueig_symmetric *s, int jacobi)
{
  const size_t bytes
      = (size_t) (s->n * s->n * s->pages) * gpueig_scalar_size (s->type);
  peer p = {};
  p.n = (int) s->n;
  p.pages = (int) s->pages;
  p.mode = s->v ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  must (cusolverDnCreateSyevjInfo (&p.params) == 0, "cusolverDnCreate");
  p.a = device_memory (bytes);
  p.lambda = device_memory (sizeof (double) * (size_t) (s->n * s->pages));
  const double seconds = library_time (
      1, RUNS, s->pages,
      [&] { cudaMemcpy (p.a, s->a, bytes, cudaMemcpyDeviceToDevice); },
      [&] (library *l, int only_size) {
        return jacobi ? syevj[s->type](&p, l, only_size)
                      : syev (&p, s->type, l, only_size);
      });
  cusolverDnDestroySyevjInfo (p.params);
  return seconds / (double) s->pages;
}

static void
measure (const bench *b, const char *order)
{
  gpueig_symmetric s = {};
  gpueig_info info;
  double best = INFINITY, others[3] = { NAN, NAN, NAN };
  const int64_t n = atoll (order);
  const double bytes = 1e6 * (b->option['m'] ? b->option['m'] : 100);
  s.type = b->type;
  const double page = (double) (n * n) * (double) gpueig_scalar_size (s.type);
  s.n = n;
  s.pages = (int64_t) fmin (MOST_PAGES, b->option['p'] ? b->option['p']
                                                       : ceil (bytes / page));
  s.symmetric = 1;
  const size_t size = (size_t) page * (size_t) s.pages;
  void *const a = host_memory (size), *const copy = device_memory (size);
  fill_hermitian (s.type, n, s.pages, 0, 0, a);
  must (cudaMemcpy (copy, a, size, cudaMemcpyHostToDevice) == cudaSuccess,
        "upload");
  s.place = GPUEIG_DEVICE;
  s.a = copy;
  s.v = b->option['v'] ? NULL : device_memory (size);
  s.lambda = device_memory (sizeof (double) * (size_t) (n * s.pages));
  const double jacobi = page_time (b->ctx, &s, gpueig_onesided_eig, &info);
  const double own = page_time (b->ctx, &s, gpueig_eig_symmetric, &info);
  for (int k = 0; k < 3 && ! b->option['N']; k++)
    {
      if (k < 2)
        others[k] = peer_time (&s, k == 0);
      else if (s.v)
        others[k]
            = dx_time (s.type, (int) n, (int) s.pages, s.a, NULL, s.lambda)
              / (double) s.pages;
      best = fmin (best, others[k]);
    }
  printf ("%lld,%lld,%s", (long long) n, (long long) s.pages, info.method);
  print_number (own);
  print_number (jacobi);
  print_number (others[0]);
  print_number (others[1]);
  print_number (others[2]);
  print_number (best / own);
  print_number (best / jacobi);
  printf ("\n");
}

int
main (int argc, char **argv)
{
  return run_bench (argc, argv,
                    "n,pages,method,gpu_eig [s],onesided [s],syevj-batched "
                    "[s],syev-batched [s],heev-dx [s],best peer/gpu_eig,best "
                    "peer/onesided",
                    "mp", 1, atof, measure);
}
