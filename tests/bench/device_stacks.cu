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

/* Seconds per page on the device by syevjBatched (JACOBI nonzero) or XsyevBatched, NaN for a
   failure; their vectors are not verified.  */
static double
peer_time (const gpueig_symmetric *s, int jacobi)
{
  const size_t bytes = bytes_of (s->type, s->n * s->n * s->pages);
  const cusolverEigMode_t mode = vector_mode (s->v != NULL);
  const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
  const cudaDataType type = data_type[s->type], real = real_data_type (s->type);
  const int n = (int) s->n, pages = (int) s->pages;
  void *const a = device_memory (bytes);
  void *const lambda
      = device_memory (sizeof (double) * (size_t) (s->n * s->pages));
  syevjInfo_t params;
  must (cusolverDnCreateSyevjInfo (&params) == 0, "cusolverDnCreate");
#define SYEVJ(TYPE, T, R, L, HE)                                               \
  case TYPE:                                                                   \
    return TYPED_CALL (T, HE##evjBatched, (, params, pages),                   \
                       (, params, pages), mode, lower, n, (T *) a, n,          \
                       (R *) lambda);
  const double seconds = library_time (
      1, RUNS, s->pages, [&] { copy_bytes (a, s->a, bytes); },
      [&] (library *l, int only_size) {
        if (! jacobi)
          return GENERIC_CALL (XsyevBatched, (, pages), (, pages), NULL, mode,
                               lower, n, type, a, n, real, lambda, type);
        switch (s->type)
          {
            EACH_TYPE (SYEVJ)
          }
        return CUSOLVER_STATUS_INVALID_VALUE;
      });
  cusolverDnDestroySyevjInfo (params);
  return seconds / (double) s->pages;
}

static void
measure (const bench *b, const char *order)
{
  gpueig_info info;
  double best = INFINITY, others[3] = { NAN, NAN, NAN };
  const int64_t n = atoll (order);
  const double bytes = 1e6 * (b->option['m'] ? b->option['m'] : 100),
               most = b->option['p']
                          ? b->option['p']
                          : ceil (bytes / (double) bytes_of (b->type, n * n));
  gpueig_symmetric s
      = hermitian_problem (b, n, (int64_t) fmin (MOST_PAGES, most));
  const size_t size = bytes_of (s.type, n * n * s.pages);
  const double pages = (double) s.pages;
  s.symmetric = 1;
  s.place = GPUEIG_DEVICE;
  s.a = on_device (s.a, size);
  s.v = s.v ? device_memory (size) : NULL;
  s.lambda = device_memory (sizeof (double) * (size_t) (n * s.pages));
  const double jacobi
      = solve_time (b, gpueig_onesided_eig, &s, "auto", RUNS, &info) / pages;
  const double own
      = solve_time (b, gpueig_eig_symmetric, &s, "auto", RUNS, &info) / pages;
  for (int k = 0; k < 3 && ! b->option['N']; k++)
    {
      if (k < 2)
        others[k] = peer_time (&s, k == 0);
      else if (s.v)
        others[k]
            = dx_time (s.type, (int) n, (int) s.pages, s.a, NULL, s.lambda)
              / pages;
      best = fmin (best, others[k]);
    }
  printf ("%lld,%lld,%s", (long long) n, (long long) s.pages, info.method);
  print_numbers ({ own, jacobi, others[0], others[1], others[2], best / own,
                   best / jacobi });
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
