/* All solvers behind one call.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solvers.h"

#include <complex.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- calls --- */

static gpueig_select
select_of (const any_problem *p)
{
  return p->last         ? GPUEIG_SELECT_INDEX
         : p->vu > p->vl ? GPUEIG_SELECT_INTERVAL
                         : GPUEIG_SELECT_ALL;
}

static int64_t
columns_of (const any_problem *p)
{
  return p->last ? p->last - p->first + 1 : p->n;
}

#define RUN(name, function, problem, ...)                                      \
  static gpueig_status name (gpueig_context *ctx, const any_problem *p,        \
                             const gpueig_options *options, gpueig_info *info) \
  {                                                                            \
    const problem s = __VA_ARGS__;                                             \
    return function (ctx, &s, options, info);                                  \
  }
#define SYMMETRIC(name, function)                                              \
  RUN (name, function, gpueig_symmetric,                                       \
       { .type = p->type,                                                      \
         .n = p->n,                                                            \
         .pages = p->pages,                                                    \
         .a = p->a,                                                            \
         .b = p->b,                                                            \
         .guess = p->guess,                                                    \
         .select = select_of (p),                                              \
         .first = p->first,                                                    \
         .last = p->last,                                                      \
         .vl = p->vl,                                                          \
         .vu = p->vu,                                                          \
         .found = p->found,                                                    \
         .indefinite = p->indefinite,                                          \
         .lambda = p->lambda,                                                  \
         .v = p->v,                                                            \
         .place = p->place })
#define GENERAL(name, function)                                                \
  RUN (name, function, gpueig_general,                                         \
       { .type = p->type,                                                      \
         .n = p->n,                                                            \
         .pages = p->pages,                                                    \
         .a = p->a,                                                            \
         .balance = ! p->unbalanced,                                           \
         .lambda = p->lambda,                                                  \
         .v = p->v,                                                            \
         .w = p->w,                                                            \
         .place = p->place })

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
       .select = select_of (p),
       .first = p->first,
       .last = p->last,
       .vl = p->vl,
       .vu = p->vu,
       .found = p->found,
       .lambda = p->lambda,
       .v = p->v,
       .place = p->place })
RUN (run_tdinv, gpueig_tdinv, gpueig_tdinv_problem,
     { .type = p->type,
       .n = p->n,
       .c = p->e,
       .a = p->d,
       .b = page_of (p->type, p->e, p->n - 1, 1),
       .band = -1,
       .x = p->v,
       .rcond = (double *) (void *) p->lambda,
       .place = p->place })
RUN (run_schur, gpueig_schur, gpueig_schur_problem,
     { .type = p->type,
       .n = p->n,
       .pages = p->pages,
       .a = p->a,
       .widen = p->vectors != p->type,
       .s = p->w,
       .u = p->v,
       .place = p->place })

RUN (run_svd, gpueig_svd, gpueig_svd_problem,
     { .type = p->type,
       .m = p->n,
       .n = p->n,
       .pages = p->pages,
       .a = p->a,
       .s = p->lambda,
       .u = p->w,
       .v = p->v,
       .place = p->place })

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
  return count > 0 ? check_array (type, count) : NULL;
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
  free (p->b);
  free (p->guess);
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

void
fill_symmetric (any_problem *p, measure_random *r)
{
  for (int64_t page = 0; page < p->pages; page++)
    measure_random_symmetric (r, p->type, p->n, a_page (p, page));
}

void
fill_tridiagonal (any_problem *p, int64_t page, const double *d,
                  const double *e)
{
  const int64_t n = p->n;
  char *a = a_page (p, page);
  for (int64_t i = 0; i < n; i++)
    {
      measure_set (p->type, a, i * (n + 1), d[i]);
      for (int k = 0; k < 2 && i + 1 < n; k++)
        measure_set (p->type, a, i * (n + 1) + (k ? n : 1), e[i]);
    }
}

void
take_diagonals (any_problem *p)
{
  const int64_t n = p->n;
  p->d = check_array (p->type, n * p->pages);
  p->e = check_array (p->type, n * p->pages);
  for (int64_t page = 0; page < p->pages; page++)
    for (int64_t j = 0; j < n; j++)
      {
        char *a = a_page (p, page);
        measure_set (p->type, p->d, j + n * page,
                     measure_get (p->type, a, j + n * j));
        if (j + 1 < n)
          measure_set (p->type, p->e, j + (n - 1) * page,
                       measure_get (p->type, a, j + 1 + n * j));
        for (int64_t i = 0; i < n; i++)
          if (i > j + 1 || j > i + 1)
            measure_set (p->type, a, i + n * j, 0);
      }
}

void
copy_page (any_problem *p, int64_t page, const any_problem *q, int64_t from)
{
  const int64_t n = p->n;
  char *const to[] = { p->a, p->b, p->guess, p->d, p->e };
  char *const of[] = { q->a, q->b, q->guess, q->d, q->e };
  for (int i = 0; i < 5; i++)
    {
      const int64_t count = i < 3 ? n * n : i == 3 ? n : n - 1;
      if (to[i] && of[i])
        memcpy (page_of (p->type, to[i], count, page),
                page_of (p->type, of[i], count, from),
                (size_t) count * gpueig_scalar_size (p->type));
    }
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

/* Nonzero if the eigenvalues of a page are.  */
static int
ascending (const any_problem *p, const char *lambda)
{
  int good = 1;
  for (int64_t j = 1; j < columns_of (p); j++)
    good &= creal (measure_get (p->values, lambda, j))
            >= creal (measure_get (p->values, lambda, j - 1));
  return good;
}

static double
symmetric_ratio (const any_problem *p, const char *a, const char *lambda,
                 const char *v)
{
  const int64_t n = p->n, columns = p->last ? columns_of (p) : sample_of (n);
  if (! ascending (p, lambda))
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
  const char *a = a_page (p, page), *v = v_page (p, page);
  const char *w = p->w ? page_of (p->vectors, p->w, n * n, page) : NULL;
  if (kind == SCHUR_FORM)
    return worst_of (
        measure_form (p->type, p->vectors, n, a, w, v) / LIMIT_GENERAL,
        measure_orthogonality (p->vectors, n, n, v) / LIMIT_ORTHOGONALITY);
  const char *lambda = page_of (p->values, p->lambda, columns_of (p), page);
  if (kind == SINGULAR_VALUES)
    return worst_of (measure_singular (p->type, n, a, lambda, w, v)
                         / LIMIT_RESIDUAL,
                     worst_of (measure_orthogonality (p->type, n, n, w),
                               measure_orthogonality (p->type, n, n, v))
                         / LIMIT_ORTHOGONALITY);
  return kind == GENERAL_MATRIX ? general_ratio (p, a, lambda, v, w)
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

/* --- claims --- */

int
check_solve (gpueig_context *ctx, any_problem *p, const gpueig_options *options,
             const char *method, const char *format, ...)
{
  char text[100];
  gpueig_options o = *options;
  va_list args;
  va_start (args, format);
  vsnprintf (text, sizeof text, format, args);
  va_end (args);
  p->method = o.method = method ? method : o.method;
  snprintf (p->what, sizeof p->what, "%s, %s by %s, %s n=%d, %d pages", text,
            p->solver->name, o.method, check_type_name[p->type], (int) p->n,
            (int) p->pages);
  p->status = solve_problem (ctx, p, &o, &p->info);
  CHECK (p->status == GPUEIG_OK, "%s: %s", p->what, gpueig_message (ctx));
  return p->status == GPUEIG_OK;
}

static void
check_symmetric (const any_problem *p, usual_errors usual)
{
  const int64_t n = p->n, columns = columns_of (p);
  double residual = 0, orthogonality = 0;
  int sorted = 1;
  for (int64_t page = 0; page < p->pages; page++)
    {
      const char *a = a_page (p, page), *v = v_page (p, page),
                 *lambda = page_of (p->values, p->lambda, columns, page);
      residual = worst_of (
          residual, measure_residual (p->type, n, columns, a, v, lambda));
      orthogonality = worst_of (orthogonality,
                                measure_orthogonality (p->type, n, columns, v));
      sorted &= ascending (p, lambda);
    }
  CHECK_BOTH (residual, LIMIT_RESIDUAL, n, usual.residual, "residual, %s",
              p->what);
  CHECK_BOTH (orthogonality,
              strcmp (p->method, "stemr") == 0 ? LIMIT_STEMR
                                               : LIMIT_ORTHOGONALITY,
              n, usual.orthogonality, "orthogonality, %s", p->what);
  CHECK (sorted, "ascending, %s", p->what);
}

void
check_errors (const any_problem *p, usual_errors usual)
{
  const int64_t n = p->n;
  measure_pairs worst = { 0 };
  if (p->solver->kind == SYMMETRIC_MATRIX)
    check_symmetric (p, usual);
  else if (p->solver->kind != GENERAL_MATRIX)
    CHECK_RATIO (problem_ratio (p), 1, "%s", p->what);
  else
    {
      for (int64_t page = 0; page < p->pages; page++)
        {
          const measure_pairs m = measure_general (
              p->type, n, a_page (p, page), v_page (p, page),
              p->w ? page_of (p->vectors, p->w, n * n, page) : NULL,
              page_of (p->values, p->lambda, n, page));
          worst.right = worst_of (worst.right, m.right);
          worst.left = worst_of (worst.left, m.left);
          worst.length = worst_of (worst.length, m.length);
        }
      check_general (worst, n, usual.residual, "%s", p->what);
    }
}

/* Those of P and OTHER, in units of the norms of the pages.  */
static void
check_values (const any_problem *p, const char *other, usual_errors usual,
              const char *name)
{
  const int64_t n = p->n, columns = columns_of (p);
  double worst = 0;
  for (int64_t page = 0; page < p->pages; page++)
    {
      const double norm = measure_norm (p->type, n, n, a_page (p, page));
      worst = worst_of (worst,
                        measure_eigenvalues (
                            p->values, columns,
                            page_of (p->values, p->lambda, columns, page),
                            page_of (p->values, (char *) other, columns, page),
                            norm > 0 ? norm : 1)
                            * (double) columns / (double) n);
    }
  CHECK_BOTH (worst, LIMIT_EIGENVALUES, n, usual.values, "%s, %s", name,
              p->what);
}

void
check_alone (gpueig_context *ctx, const any_problem *p,
             const gpueig_options *options, usual_errors usual, int exact)
{
  any_problem alone = *p;
  FREED char *lambda = check_array (p->values, p->n * p->pages);
  gpueig_options o = *options;
  o.method = p->method;
  alone.v = NULL;
  alone.lambda = lambda;
  CHECK (solve_problem (ctx, &alone, &o, &alone.info) == GPUEIG_OK,
         "without vectors, %s: %s", p->what, gpueig_message (ctx));
  if (exact)
    CHECK (same_values (p, &alone), "the bits of values alone, %s", p->what);
  else
    check_values (p, lambda, usual, "values alone");
}

void
check_reference (gpueig_context *ctx, const any_problem *p, usual_errors usual)
{
  const gpueig_type wide
      = gpueig_is_complex (p->type) ? GPUEIG_COMPLEX_DOUBLE : GPUEIG_DOUBLE;
  const int64_t count = p->n * p->n * p->pages;
  gpueig_options cpu = gpueig_default_options ();
  FREED char *a = check_array (wide, count);
  FREED double *values = check_array (GPUEIG_DOUBLE, p->n * p->pages);
  FREED char *rounded = check_array (p->values, p->n * p->pages);
  cpu.backend = GPUEIG_CPU;
  for (int64_t i = 0; i < count; i++)
    measure_set (wide, a, i, measure_get (p->type, p->a, i));
  const gpueig_symmetric s
      = symmetric_problem (wide, p->n, p->pages, a, values, NULL);
  CHECK (gpueig_eig_symmetric (ctx, &s, &cpu, NULL) == GPUEIG_OK,
         "reference, %s: %s", p->what, gpueig_message (ctx));
  for (int64_t i = 0; i < p->n * p->pages; i++)
    measure_set (p->values, rounded, i, values[i]);
  check_values (p, rounded, usual, "eigenvalues");
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
  const int64_t n = columns_of (p), square = p->n * n;
  return same_bits (p->values, p->lambda, n * i, q->lambda, n * j, n)
         && same_bits (p->vectors, p->v, square * i, q->v, square * j, square)
         && same_bits (p->vectors, p->w, square * i, q->w, square * j, square);
}

int
same_values (const any_problem *p, const any_problem *q)
{
  return same_bits (p->values, p->lambda, 0, q->lambda, 0,
                    columns_of (p) * p->pages);
}

int
same_vectors (const any_problem *p, const any_problem *q)
{
  const int64_t count = p->n * columns_of (p) * p->pages;
  return same_bits (p->vectors, p->v, 0, q->v, 0, count)
         && same_bits (p->vectors, p->w, 0, q->w, 0, count);
}
