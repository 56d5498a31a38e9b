/* Definite pairs (A, B) beside the same problem without B and cuSOLVER's sygvd (all eigenpairs
   of one pair) or sygvdx (a part), with vectors, on random matrices; seconds per call.
     device_pairs N | N/K | NxPAGES | N:E ...
   N/K: the K smallest; NxPAGES: a stack, beside cuSolverDx's hegv where that is installed;
   N:E: B is a kernel matrix plus 10^-E I, of a condition number near 10^(E+1).
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solver_dx.cuh"

/* Seconds by cuSOLVER, a part of the eigenpairs if one is selected.  */
static double
peer_time (const gpueig_symmetric *s)
{
  const size_t bytes = bytes_of (s->type, s->n * s->n);
  const int n = (int) s->n, part = (int) s->last,
            all = s->select == GPUEIG_SELECT_ALL;
  const cusolverEigType_t kind = CUSOLVER_EIG_TYPE_1;
  const cusolverEigMode_t mode = CUSOLVER_EIG_MODE_VECTOR;
  const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;
  void *const a = device_memory (bytes), *const b = device_memory (bytes);
  void *const lambda = device_memory (sizeof (double) * (size_t) n);
  int found;
  const auto set = [&] {
    copy_bytes (a, s->a, bytes);
    copy_bytes (b, s->b, bytes);
  };
#define SYGVD(TYPE, T, R, L, HE)                                               \
  case TYPE:                                                                   \
    return all ? TYPED_CALL (T, HE##gvd, (), (), kind, mode, lower, n,         \
                             (T *) a, n, (T *) b, n, (R *) lambda)             \
               : TYPED_CALL (T, HE##gvdx, (), (), kind, mode,                  \
                             CUSOLVER_EIG_RANGE_I, lower, n, (T *) a, n,       \
                             (T *) b, n, 0, 0, 1, part, &found, (R *) lambda);
  return library_time (1, runs_of_order (n), 1, set,
                       [&] (library *l, int only_size) {
                         switch (s->type)
                           {
                             EACH_TYPE (SYGVD)
                           }
                         return CUSOLVER_STATUS_INVALID_VALUE;
                       });
}

/* All pages of a stack by cuSolverDx.  */
static double
stack_time (const gpueig_symmetric *s)
{
  const size_t bytes = bytes_of (s->type, s->n * s->n * s->pages);
  return dx_time (s->type, (int) s->n, (int) s->pages, on_device (s->a, bytes),
                  on_device (s->b, bytes), s->lambda);
}

/* B = exp (-((i - j) / 10)^2) + 10^-DIGITS I.  */
static void
fill_kernel (gpueig_type type, int64_t n, int digits, void *b)
{
  const int reals = 1 + gpueig_is_complex (type);
  memset (b, 0, bytes_of (type, n * n));
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      {
        const double distance
            = (double) (i - j) / 10,
            x = exp (-distance * distance) + (i == j) * pow (10, -digits);
        set_real (type, b, (i + n * j) * reals, x);
      }
}

/* What one argument asks for; DIGITS: E, 0 for a well-conditioned B.  */
typedef struct
{
  int64_t n, part, pages;
  int digits;
} request;

static request
parse (const char *text)
{
  char *end;
  const int64_t n = strtoll (text, &end, 10);
  const int64_t number = *end ? atoll (end + 1) : 0;
  const request r = { n, *end == '/' ? number : n, *end == 'x' ? number : 1,
                      *end == ':' ? (int) number : 0 };
  must (n > 0 && r.pages > 0 && r.part > 0 && r.part <= n, text);
  return r;
}

static void
measure (const bench *b, const char *text)
{
  const request r = parse (text);
  const int64_t n = r.n;
  const int runs = runs_of_order (n);
  gpueig_info info;
  gpueig_symmetric s = hermitian_problem (b, n, r.pages);
  void *const other = host_memory (bytes_of (b->type, n * n * r.pages));
  if (r.digits > 0)
    fill_kernel (b->type, n, r.digits, other);
  else
    fill_hermitian (b->type, n, r.pages, 1u << 31,
                    sqrt ((double) n) * (1 + gpueig_is_complex (b->type)),
                    other);
  s.select = r.part < n ? GPUEIG_SELECT_INDEX : GPUEIG_SELECT_ALL;
  s.first = 1;
  s.last = r.part;
  const double plain
      = solve_time (b, gpueig_eig_symmetric, &s, "auto", runs, &info);
  s.b = other;
  const double pair
      = solve_time (b, gpueig_eig_symmetric, &s, "auto", runs, &info);
  const double peer = b->option['N'] ? NAN
                      : r.pages > 1  ? stack_time (&s)
                                     : peer_time (&s);
  printf ("%lld,%lld,%lld,%d", (long long) n, (long long) r.part,
          (long long) r.pages, r.digits);
  print_numbers ({ pair, plain, pair / plain, peer, peer / pair });
}

/* By operations.  */
static double
size_of (const char *text)
{
  const request r = parse (text);
  return (double) r.n * cbrt ((double) r.pages);
}

int
main (int argc, char **argv)
{
  return run_bench (argc, argv,
                    "n,k,pages,digits,gpu_eig (A B) [s],gpu_eig (A) "
                    "[s],pair/plain,cuSOLVER [s],cuSOLVER/gpu_eig",
                    "", 2.5, size_of, measure);
}
