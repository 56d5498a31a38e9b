/* All solvers behind one call.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solvers.h"
#include "limits.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

/* --- calls --- */

#define RUN(name, function, problem, ...)                                      \
  static gpueig_status name (gpueig_context *ctx, const any_problem *p,        \
                             const gpueig_options *options, gpueig_info *info) \
  {                                                                            \
    const problem s = __VA_ARGS__;                                             \
    return function (ctx, &s, options, info);                                  \
  }
#define SYMMETRIC(name, function)                                              \
  RUN (name, function, gpueig_symmetric,                                       \
       symmetric_problem (p->type, p->n, p->pages, p->a, p->lambda, p->v))
#define GENERAL(name, function)                                                \
  RUN (name, function, gpueig_general,                                         \
       general_problem (p->type, p->n, p->pages, p->a, p->lambda, p->v, p->w))

SYMMETRIC (run_eig, gpueig_eig_symmetric)
SYMMETRIC (run_jacobi, gpueig_jacobi_eig)
SYMMETRIC (run_onesided, gpueig_onesided_eig)
GENERAL (run_general, gpueig_eig_general)
GENERAL (run_complex, gpueig_complex_eig)

RUN (run_mrrr, gpueig_mrrr, gpueig_mrrr_problem,
     { .type = p->type,
       .n = p->n,
       .pages = p->pages,
       .a = p->d ? NULL : p->a,
       .d = p->d,
       .e = p->e,
       .lambda = p->lambda,
       .v = p->v })
RUN (run_tdinv, gpueig_tdinv, gpueig_tdinv_problem,
     { .type = p->type,
       .n = p->n,
       .c = p->e,
       .a = p->d,
       .b = page_of (p->type, p->e, p->n - 1, 1),
       .band = -1,
       .x = p->v,
       .rcond = (double *) (void *) p->lambda })
RUN (run_schur, gpueig_schur, gpueig_schur_problem,
     { .type = p->type,
       .n = p->n,
       .pages = p->pages,
       .a = p->a,
       .s = p->w,
       .u = p->v })

RUN (run_svd, gpueig_svd, gpueig_svd_problem,
     { .type = p->type,
       .m = p->n,
       .n = p->n,
       .pages = p->pages,
       .a = p->a,
       .s = p->lambda,
       .u = p->w,
       .v = p->v })

const any_solver solvers[SOLVERS] = {
  [SOLVE_EIG] = { "eig", GE_EIG_SYMMETRIC, SYMMETRIC_MATRIX, run_eig },
  [SOLVE_JACOBI]
  = { "jacobi_eig", GE_JACOBI_EIG, SYMMETRIC_MATRIX, run_jacobi },
  [SOLVE_ONESIDED]
  = { "onesided_eig", GE_ONESIDED_EIG, SYMMETRIC_MATRIX, run_onesided },
  [SOLVE_MRRR] = { "mrrr", GE_MRRR, SYMMETRIC_MATRIX, run_mrrr },
  [SOLVE_EIG_GENERAL]
  = { "eig_general", GE_EIG_GENERAL, GENERAL_MATRIX, run_general },
  [SOLVE_COMPLEX]
  = { "complex_eig", GE_COMPLEX_EIG, GENERAL_MATRIX, run_complex },
  [SOLVE_SCHUR] = { "schur", GE_SCHUR, SCHUR_FORM, run_schur },
  [SOLVE_SVD] = { "svd", GE_SVD, SINGULAR_VALUES, run_svd },
  [SOLVE_TDINV] = { "tdinv", GE_TDINV, INVERSE, run_tdinv },
};

gpueig_status
solve_problem (gpueig_context *ctx, const any_problem *p,
               const gpueig_options *options, gpueig_info *info)
{
  return p->solver->solve (ctx, p, options, info);
}

int
has_method (ge_solver_id solver, gpueig_backend backend, ge_method method,
            int64_t n)
{
  const ge_method_row *row = &ge_method_table[method];
  const unsigned place = backend == GPUEIG_CUDA ? GE_ON_CUDA : GE_ON_CPU;
  return method == GE_AUTO
         || (row->solver == solver && (row->places & place)
             && (row->largest == 0 || n <= row->largest)
             && ! (row->traits & GE_UNNAMED));
}

/* --- problems --- */

/* COUNT zeros of TYPE; NULL for none.  */
static char *
zeros (gpueig_type type, int64_t count)
{
  char *x = count > 0 ? check_array (type, count) : NULL;
  if (x)
    memset (x, 0, (size_t) count * gpueig_scalar_size (type));
  return x;
}

any_problem
make_problem (const any_solver *solver, gpueig_type type, int64_t n,
              int64_t pages, int outputs)
{
  const int64_t square = n * n * pages;
  const solver_kind kind = solver->kind;
  any_problem p = {
    .solver = solver, .type = type, .n = n, .pages = pages, .outputs = outputs
  };
  p.vectors = kind == GENERAL_MATRIX ? complex_type (type) : type;
  p.values = kind == GENERAL_MATRIX ? p.vectors
             : kind == INVERSE      ? GPUEIG_DOUBLE
                                    : real_type (type);
  if (kind == INVERSE)
    {
      p.pages = 1;
      p.d = zeros (type, n);
      p.e = zeros (type, 2 * n);
    }
  else
    p.a = zeros (type, square);
  p.lambda = zeros (p.values, kind == SCHUR_FORM ? 0 : n * pages);
  p.v = zeros (p.vectors, outputs > 1 || kind == INVERSE ? square : 0);
  if (kind == SCHUR_FORM || (kind == SINGULAR_VALUES && outputs > 1)
      || (kind == GENERAL_MATRIX && outputs > 2))
    p.w = zeros (p.vectors, square);
  return p;
}

void
free_problem (any_problem *p)
{
  free (p->a);
  free (p->d);
  free (p->e);
  free (p->lambda);
  free (p->v);
  free (p->w);
}

void
fill_problem (any_problem *p, uint64_t seed)
{
  const solver_kind kind = p->solver->kind;
  const int64_t n = p->n;
  measure_random r = { seed };
  for (int64_t i = 0; kind == INVERSE && i < n; i++)
    measure_set (p->type, p->d, i, 4 + measure_uniform (&r));
  for (int64_t i = 0; kind == INVERSE && i < 2 * n; i++)
    measure_set (p->type, p->e, i,
                 measure_uniform (&r) + I * measure_uniform (&r));
  for (int64_t i = 0; p->a && i < n * n * p->pages; i++)
    measure_set (p->type, p->a, i,
                 measure_normal (&r) + I * measure_normal (&r));
  for (int64_t page = 0; kind == SYMMETRIC_MATRIX && page < p->pages; page++)
    measure_random_symmetric (&r, p->type, n,
                              page_of (p->type, p->a, n * n, page));
}

/* --- errors --- */

enum
{
  SMALL = 200, /* up to this order all columns are tested */
  SAMPLE = 12  /* of larger matrices so many */
};

static int64_t
sample_of (int64_t n)
{
  return n <= SMALL ? n : SAMPLE;
}

/* Element (I, J) of the product of X and Y, n-by-n.  */
static double _Complex product (gpueig_type type, int64_t n, const char *x,
                                const char *y, int64_t i, int64_t j)
{
  double _Complex sum = 0;
  for (int64_t k = 0; k < n; k++)
    sum += measure_get (type, x, i + n * k) * measure_get (type, y, k + n * j);
  return sum;
}

/* |A U - U S| in some columns, and U.  */
static double
schur_ratio (const any_problem *p, const char *a, const char *s, const char *u)
{
  const int64_t n = p->n, columns = sample_of (n);
  double worst = 0;
  for (int64_t c = 1; c <= columns; c++)
    {
      const int64_t j = c * n / columns - 1;
      double sum = 0;
      for (int64_t i = 0; i < n; i++)
        sum += cabs (product (p->type, n, a, u, i, j)
                     - product (p->type, n, u, s, i, j));
      worst = worst_of (worst, sum);
    }
  const double unit = (double) n * measure_eps (p->type)
                      * measure_norm (p->type, n, n, a) * LIMIT_GENERAL;
  return worst_of (worst / unit, measure_orthogonality (p->type, n, columns, u)
                                     / LIMIT_ORTHOGONALITY);
}

/* |A V - U S| in some columns, U, and V.  */
static double
singular_ratio (const any_problem *p, const char *a, const char *s,
                const char *v, const char *u)
{
  const int64_t n = p->n, columns = sample_of (n);
  double worst = 0;
  for (int64_t c = 1; c <= columns; c++)
    {
      const int64_t j = c * n / columns - 1;
      double sum = 0;
      for (int64_t i = 0; i < n; i++)
        sum += cabs (product (p->type, n, a, v, i, j)
                     - measure_get (p->values, s, j)
                           * measure_get (p->type, u, i + n * j));
      worst = worst_of (worst, sum);
    }
  const double unit = (double) n * measure_eps (p->type)
                      * measure_norm (p->type, n, n, a) * LIMIT_RESIDUAL;
  return worst_of (worst / unit,
                   worst_of (measure_orthogonality (p->type, n, columns, u),
                             measure_orthogonality (p->type, n, columns, v))
                       / LIMIT_ORTHOGONALITY);
}

/* |T X - I| of the tridiagonal T, which is well conditioned.  */
static double
inverse_ratio (const any_problem *p)
{
  const int64_t n = p->n;
  double worst = 0;
  for (int64_t j = 0; j < n; j++)
    {
      double column = 0;
      for (int64_t i = 0; i < n; i++)
        {
          const char *x
              = p->v + (size_t) (n * j) * gpueig_scalar_size (p->type);
          double _Complex sum
              = measure_get (p->type, p->d, i) * measure_get (p->type, x, i);
          if (i > 0)
            sum += measure_get (p->type, p->e, i - 1)
                   * measure_get (p->type, x, i - 1);
          if (i + 1 < n)
            sum += measure_get (p->type, p->e, n - 1 + i)
                   * measure_get (p->type, x, i + 1);
          column += cabs (sum - (i == j));
        }
      worst = worst_of (worst, column);
    }
  return worst / ((double) n * measure_eps (p->type) * LIMIT_INVERSE);
}

static double
general_ratio (const any_problem *p, const char *a, const char *lambda,
               const char *v, const char *w)
{
  const measure_pairs m = measure_general (p->type, p->n, a, v, w, lambda);
  return worst_of (worst_of (m.right, m.left) / LIMIT_GENERAL,
                   m.length / LIMIT_LENGTH);
}

static double
symmetric_ratio (const any_problem *p, const char *a, const char *lambda,
                 const char *v)
{
  const int64_t n = p->n, columns = sample_of (n);
  for (int64_t j = 1; j < n; j++)
    if (! (creal (measure_get (p->values, lambda, j))
           >= creal (measure_get (p->values, lambda, j - 1))))
      return INFINITY;
  return worst_of (
      measure_residual (p->type, n, columns, a, v, lambda) / LIMIT_RESIDUAL,
      measure_orthogonality (p->type, n, columns, v) / LIMIT_ORTHOGONALITY);
}

double
page_ratio (const any_problem *p, int64_t page)
{
  const int64_t n = p->n;
  const solver_kind kind = p->solver->kind;
  if (kind == INVERSE)
    return inverse_ratio (p);
  const char *a = page_of (p->type, p->a, n * n, page);
  const char *v = page_of (p->vectors, p->v, n * n, page);
  const char *w = p->w ? page_of (p->vectors, p->w, n * n, page) : NULL;
  if (kind == SCHUR_FORM)
    return schur_ratio (p, a, w, v);
  const char *lambda = page_of (p->values, p->lambda, n, page);
  return kind == GENERAL_MATRIX    ? general_ratio (p, a, lambda, v, w)
         : kind == SINGULAR_VALUES ? singular_ratio (p, a, lambda, v, w)
                                   : symmetric_ratio (p, a, lambda, v);
}

double
problem_ratio (const any_problem *p)
{
  double worst = 0;
  for (int64_t page = 0; page < p->pages; page++)
    worst = worst_of (worst, page_ratio (p, page));
  return worst;
}

/* Nonzero if COUNT numbers of X from number I and of Y from number J are the same bits; there
   may be none.  */
static int
same_bits (gpueig_type type, const char *x, int64_t i, const char *y, int64_t j,
           int64_t count)
{
  const size_t size = gpueig_scalar_size (type);
  return ! x
         || memcmp (x + (size_t) i * size, y + (size_t) j * size,
                    (size_t) count * size)
                == 0;
}

int
same_page (const any_problem *p, int64_t i, const any_problem *q, int64_t j)
{
  const int64_t n = p->n, square = n * n;
  return same_bits (p->values, p->lambda, n * i, q->lambda, n * j, n)
         && same_bits (p->vectors, p->v, square * i, q->v, square * j, square)
         && same_bits (p->vectors, p->w, square * i, q->w, square * j, square);
}

int
same_values (const any_problem *p, const any_problem *q)
{
  return same_bits (p->values, p->lambda, 0, q->lambda, 0, p->n * p->pages);
}

int
same_vectors (const any_problem *p, const any_problem *q)
{
  const int64_t count = p->n * p->n * p->pages;
  return same_bits (p->vectors, p->v, 0, q->v, 0, count)
         && same_bits (p->vectors, p->w, 0, q->w, 0, count);
}
