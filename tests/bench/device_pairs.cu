/* Definite pairs (A, B) beside the same problem without B and cuSOLVER's sygvd (all eigenpairs
   of one pair) or sygvdx (a part), with vectors, on random matrices; seconds per call.
     device_pairs N | N/K | NxPAGES | N:E ...
   N/K: the K smallest; NxPAGES: a stack, beside cuSolverDx's hegv where that is installed;
   N:E: B is a kernel matrix plus 10^-E I, of a condition number near 10^(E+1).
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solver_dx.cuh"

typedef struct
{
  gpueig_type type;
  int64_t n, part, pages; /* PART: number of eigenpairs, N: all */
  int64_t digits;         /* E; 0: B is well-conditioned */
  int runs;
  size_t bytes;
  char *a, *b, *v;
  double *lambda;
} problem;

/* Seconds on the device of gpu_eig, with B if PAIR.  */
static double
own_time (gpueig_context *ctx, const problem *p, int pair)
{
  gpueig_symmetric s = {};
  gpueig_info info;
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
  return solve_time (ctx, gpueig_eig_symmetric, &s, "auto", p->runs, &info);
}

/* --- cuSOLVER --- */

typedef struct
{
  int n, last;
  void *a, *b, *lambda;
} peer;

/* A part up to p->last unless ALL.  */
#define SYGVD(T, R, NAME)                                                      \
  static cusolverStatus_t NAME##_any (const peer *p, int all, library *l,      \
                                      int only_size)                           \
  {                                                                            \
    const cusolverEigType_t type = CUSOLVER_EIG_TYPE_1;                        \
    const cusolverEigMode_t mode = CUSOLVER_EIG_MODE_VECTOR;                   \
    const cublasFillMode_t lower = CUBLAS_FILL_MODE_LOWER;                     \
    T *a = (T *) p->a, *b = (T *) p->b;                                        \
    R *lambda = (R *) p->lambda;                                               \
    int found;                                                                 \
    if (all)                                                                   \
      return TYPED_CALL (T, NAME, (&size), (l->info), type, mode, lower, p->n, \
                         a, p->n, b, p->n, lambda);                            \
    return TYPED_CALL (T, NAME##x, (&size), (l->info), type, mode,             \
                       CUSOLVER_EIG_RANGE_I, lower, p->n, a, p->n, b, p->n, 0, \
                       0, 1, p->last, &found, lambda);                         \
  }
SYGVD (float, float, Ssygvd)
SYGVD (double, double, Dsygvd)
SYGVD (cuComplex, float, Chegvd)
SYGVD (cuDoubleComplex, double, Zhegvd)

static cusolverStatus_t (*const sygvd[4]) (const peer *, int, library *, int)
    = { Ssygvd_any, Dsygvd_any, Chegvd_any, Zhegvd_any };

static double
peer_time (const problem *p)
{
  const peer q = { (int) p->n, (int) p->part, device_memory (p->bytes),
                   device_memory (p->bytes),
                   device_memory (sizeof (double) * (size_t) p->n) };
  return library_time (
      1, p->runs, 1,
      [&] {
        cudaMemcpy (q.a, p->a, p->bytes, cudaMemcpyHostToDevice);
        cudaMemcpy (q.b, p->b, p->bytes, cudaMemcpyHostToDevice);
      },
      [&] (library *l, int only_size) {
        return sygvd[p->type](&q, p->part == p->n, l, only_size);
      });
}

/* All pages of a stack by cuSolverDx.  */
static double
stack_time (const problem *p)
{
  void *const a = device_memory (p->bytes), *const b = device_memory (p->bytes);
  cudaMemcpy (a, p->a, p->bytes, cudaMemcpyHostToDevice);
  cudaMemcpy (b, p->b, p->bytes, cudaMemcpyHostToDevice);
  return dx_time (p->type, (int) p->n, (int) p->pages, a, b, p->lambda);
}

/* B = exp (-((i - j) / 10)^2) + 10^-DIGITS I.  */
static void
fill_kernel (const problem *p)
{
  const int reals = 1 + gpueig_is_complex (p->type);
  memset (p->b, 0, p->bytes);
  for (int64_t j = 0; j < p->n; j++)
    for (int64_t i = 0; i < p->n; i++)
      {
        const int64_t at = (i + p->n * j) * reals;
        const double distance = (double) (i - j) / 10,
                     x = exp (-distance * distance)
                         + (i == j) * pow (10, -(double) p->digits);
        set_real (p->type, p->b, at, x);
      }
}

static problem
parse (const char *text)
{
  char *end;
  problem p = {};
  p.n = p.part = strtoll (text, &end, 10);
  p.pages = *end == 'x' ? atoll (end + 1) : 1;
  if (*end == '/')
    p.part = atoll (end + 1);
  if (*end == ':')
    p.digits = atoll (end + 1);
  must (p.n > 0 && p.pages > 0 && p.part > 0 && p.part <= p.n, text);
  return p;
}

static void
measure (const bench *b, const char *text)
{
  problem p = parse (text);
  p.type = b->type;
  const int64_t count = p.n * p.n * p.pages;
  const double shift = sqrt ((double) p.n) * (1 + gpueig_is_complex (p.type));
  p.runs = p.n >= 8192 ? 1 : p.n >= 2048 ? 3 : RUNS;
  p.bytes = (size_t) count * gpueig_scalar_size (p.type);
  p.a = (char *) host_memory (p.bytes);
  p.b = (char *) host_memory (p.bytes);
  p.v = (char *) host_memory (p.bytes);
  p.lambda
      = (double *) host_memory (sizeof (double) * (size_t) (p.n * p.pages));
  fill_hermitian (p.type, p.n, p.pages, 0, 0, p.a);
  if (p.digits > 0)
    fill_kernel (&p);
  else
    fill_hermitian (p.type, p.n, p.pages, 1u << 31, shift, p.b);
  const double plain = own_time (b->ctx, &p, 0),
               pair = own_time (b->ctx, &p, 1);
  const double other = b->option['N'] ? NAN
                       : p.pages > 1  ? stack_time (&p)
                                      : peer_time (&p);
  printf ("%lld,%lld,%lld,%lld", (long long) p.n, (long long) p.part,
          (long long) p.pages, (long long) p.digits);
  print_number (pair);
  print_number (plain);
  print_number (pair / plain);
  print_number (other);
  print_number (other / pair);
  printf ("\n");
}

/* By operations.  */
static double
size_of (const char *text)
{
  const problem p = parse (text);
  return (double) p.n * cbrt ((double) p.pages);
}

int
main (int argc, char **argv)
{
  return run_bench (argc, argv,
                    "n,k,pages,digits,gpu_eig (A B) [s],gpu_eig (A) "
                    "[s],pair/plain,cuSOLVER [s],cuSOLVER/gpu_eig",
                    "", 2.5, size_of, measure);
}
