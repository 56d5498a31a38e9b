/* All solvers behind one call.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solvers.h"

#include <complex.h>
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

#define SYMMETRIC(name, function)                                              \
  SOLVER_CALL (name, function, gpueig_symmetric, .n = p->n, .pages = p->pages, \
               .a = p->d ? NULL : p->a, .b = p->b, .guess = p->guess,          \
               .d = p->d, .e = p->e, .select = select_of (p),                  \
               .first = p->first, .last = p->last, .vl = p->vl, .vu = p->vu,   \
               .found = p->found, .indefinite = p->indefinite,                 \
               .lambda = p->lambda, .v = p->v)
#define GENERAL(name, function)                                                \
  SOLVER_CALL (name, function, gpueig_general, .n = p->n, .pages = p->pages,   \
               .a = p->a, .b = p->b, .balance = ! p->unbalanced,               \
               .symmetric = p->marks, .lambda = p->lambda, .v = p->v,          \
               .w = p->w)
SYMMETRIC (run_eig, gpueig_eig_symmetric)
SYMMETRIC (run_jacobi, gpueig_jacobi_eig)
SYMMETRIC (run_onesided, gpueig_onesided_eig)
SYMMETRIC (run_mrrr, gpueig_mrrr)
GENERAL (run_general, gpueig_eig_general)
GENERAL (run_complex, gpueig_complex_eig)
SOLVER_CALL (run_tdinv, gpueig_tdinv, gpueig_tdinv_problem, .n = p->n,
             .c = p->e, .a = p->d, .b = page_of (p->type, p->e, p->n - 1, 1),
             .columns = p->columns, .n_columns = p->n_columns, .band = p->band,
             .x = p->v, .x_im = p->w, .rcond = (double *) (void *) p->lambda)
SOLVER_CALL (run_schur, gpueig_schur, gpueig_schur_problem, .n = p->n,
             .pages = p->pages, .a = p->a, .widen = p->vectors != p->type,
             .order = p->order, .s = p->w, .u = p->v)
SOLVER_CALL (run_svd, gpueig_svd, gpueig_svd_problem, .m = p->n, .n = p->n,
             .pages = p->pages, .a = p->a, .s = p->lambda, .u = p->w, .v = p->v)

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
  any_problem p = { .solver = solver,
                    .type = type,
                    .n = n,
                    .pages = pages,
                    .outputs = outputs,
                    .band = -1 };
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

any_problem
copy_problem (const any_problem *p)
{
  any_problem q = *p;
  for (int k = 0; k < PARTS; k++)
    {
      char **const part = problem_part (&q, k);
      const char *const from = *part;
      const size_t bytes = problem_bytes (p, k);
      if (! from)
        continue;
      *part = check_memory ((int64_t) bytes, 1);
      if (k < FIRST_OUTPUT)
        memcpy (*part, from, bytes);
    }
  return q;
}

void
widen_problem (any_problem *p)
{
  const int64_t square = p->n * p->n * p->pages;
  p->vectors = complex_type (p->type);
  free (p->v);
  free (p->w);
  p->v = zeros (p->vectors, p->outputs > 1 ? square : 0);
  p->w = zeros (p->vectors, square);
}

void
free_problem (any_problem *p)
{
  for (int k = 0; k < PARTS; k++)
    free (*problem_part (p, k));
}

void
fill_problem (any_problem *p, uint64_t seed)
{
  const solver_kind kind = p->solver->kind;
  const int64_t n = p->n;
  measure_random r = { seed };
  p->drawn = seed;
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

char **
problem_part (any_problem *p, int part)
{
  char **const all[PARTS]
      = { &p->a, &p->b, &p->guess, &p->d, &p->e, &p->lambda, &p->v, &p->w };
  return all[part];
}

size_t
problem_bytes (const any_problem *p, int part)
{
  const int inverse = p->solver->kind == INVERSE;
  const int64_t square = p->n * p->n * p->pages, row = p->n * p->pages,
                beside = inverse ? 2 * p->n
                         : row   ? row - p->pages
                                 : 0,
                counts[PARTS]
                = { square, square, square, row, beside, row, square, square };
  const gpueig_type type = part < FIRST_OUTPUT    ? p->type
                           : part == FIRST_OUTPUT ? p->values
                                                  : p->vectors;
  return (size_t) counts[part] * gpueig_scalar_size (type);
}

gpueig_status
place_problem (gpueig_context *ctx, int device, any_problem *p,
               any_problem *on_gpu, gpueig_array array[PARTS])
{
  const gpueig_options gpu
      = { .backend = GPUEIG_CUDA, .device = device, .method = "auto" };
  gpueig_status status = GPUEIG_OK;
  *on_gpu = *p;
  on_gpu->place = GPUEIG_DEVICE;
  for (int k = 0; k < PARTS; k++)
    {
      char *const host = *problem_part (p, k);
      void *data = NULL;
      const int64_t count = (int64_t) problem_bytes (p, k)
                            / (int64_t) gpueig_scalar_size (GPUEIG_FLOAT);
      array[k] = 0;
      if (! host || (p->solver->kind == INVERSE && k == FIRST_OUTPUT))
        continue;
      if (status == GPUEIG_OK)
        status
            = gpueig_array_new (ctx, GPUEIG_FLOAT, 1, &count, &gpu, &array[k]);
      if (status == GPUEIG_OK)
        status = gpueig_array_data (ctx, array[k], &data);
      if (status == GPUEIG_OK)
        status = gpueig_array_upload (ctx, array[k], host);
      *problem_part (on_gpu, k) = data;
    }
  return status;
}

void
fetch_outputs (gpueig_context *ctx, any_problem *p,
               const gpueig_array array[PARTS])
{
  for (int k = FIRST_OUTPUT; k < PARTS; k++)
    if (array[k])
      gpueig_array_download (ctx, array[k], *problem_part (p, k));
}

void
free_arrays (gpueig_context *ctx, const gpueig_array array[PARTS])
{
  for (int k = 0; k < PARTS; k++)
    if (array[k])
      gpueig_array_free (ctx, array[k]);
}

/* --- errors --- */

enum
{
  SMALL = 200, /* up to this order all columns are tested */
  SAMPLE = 12  /* of larger matrices so many */
};

/* |T X - I| of the tridiagonal T, which is well conditioned.  */
static double
inverse_error (const any_problem *p)
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
  return worst / ((double) n * measure_eps (p->type));
}

int
ascending (const any_problem *p, const char *lambda)
{
  int good = 1;
  for (int64_t j = 1; j < columns_of (p); j++)
    good &= creal (measure_get (p->values, lambda, j))
            >= creal (measure_get (p->values, lambda, j - 1));
  return good;
}

const double problem_limits[][2]
    = { [SYMMETRIC_MATRIX] = { LIMIT_RESIDUAL, LIMIT_ORTHOGONALITY },
        [GENERAL_MATRIX] = { LIMIT_GENERAL, LIMIT_LENGTH },
        [SCHUR_FORM] = { LIMIT_GENERAL, LIMIT_ORTHOGONALITY },
        [SINGULAR_VALUES] = { LIMIT_RESIDUAL, LIMIT_ORTHOGONALITY },
        [INVERSE] = { LIMIT_INVERSE, LIMIT_INVERSE } };

measure_pairs
page_errors (const any_problem *p, int64_t page, int64_t columns)
{
  const int64_t n = p->n;
  const solver_kind kind = p->solver->kind;
  if (kind == INVERSE)
    return (measure_pairs){ .right = inverse_error (p) };
  const char *a = a_page (p, page), *v = v_page (p, page),
             *w = p->w ? page_of (p->vectors, p->w, n * n, page) : NULL,
             *lambda = page_of (p->values, p->lambda, columns_of (p), page);
  if (kind == GENERAL_MATRIX)
    return measure_general (p->type, n, a, v, w, lambda);
  if (p->b)
    {
      const char *b = page_of (p->type, p->b, n * n, page);
      return (measure_pairs){
        .right = measure_pair (p->type, n, columns, a, b, v, lambda),
        .length = measure_b_orthogonality (p->type, n, columns, b, v)
      };
    }
  measure_pairs m
      = { .length = measure_orthogonality (p->vectors, n, columns, v) };
  if (kind == SCHUR_FORM)
    m.right = measure_form (p->type, p->vectors, n, a, w, v);
  else if (kind == SYMMETRIC_MATRIX)
    m.right = measure_residual (p->type, n, columns, a, v, lambda);
  else
    {
      m.right = measure_singular (p->type, n, n, a, lambda, w, v);
      m.length = worst_of (m.length, measure_orthogonality (p->type, n, n, w));
    }
  return m;
}

double
values_error (const any_problem *p, int64_t page, const any_problem *known,
              int64_t at)
{
  const int64_t n = p->n, columns = columns_of (p);
  const char *a = a_page (p, page),
             *x = page_of (p->values, p->lambda, columns, page),
             *y = page_of (p->values, known->lambda, columns, at);
  if (gpueig_is_complex (p->values))
    return mixed_spectrum (p->type, n, a, x, y);
  const double norm = measure_norm (p->type, n, n, a);
  return measure_eigenvalues (p->values, columns, x, y, norm > 0 ? norm : 1)
         * (double) columns / (double) n;
}

double
page_ratio (const any_problem *p, int64_t page)
{
  const solver_kind kind = p->solver->kind;
  const double *limit = problem_limits[kind];
  const int64_t all = columns_of (p);
  const measure_pairs m = page_errors (
      p, page,
      kind == SYMMETRIC_MATRIX && ! p->last && all > SMALL ? SAMPLE : all);
  if (kind == SYMMETRIC_MATRIX
      && ! ascending (p, page_of (p->values, p->lambda, all, page)))
    return INFINITY;
  return worst_of (worst_of (m.right, m.left) / limit[0], m.length / limit[1]);
}

double
problem_ratio (const any_problem *p)
{
  double worst = 0;
  for (int64_t page = 0; page < p->pages; page++)
    worst = worst_of (worst, page_ratio (p, page));
  return worst;
}
