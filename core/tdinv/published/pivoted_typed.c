/* The columns of a tridiagonal inverse by LAPACK's solver with partial pivoting,
   for comparison: xGTTRF once, xGTTRS on blocks of columns of the identity.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tdinv/tdinv_typed.h"

#include "lapack/lapack.h"

#include <string.h>

/* Columns of a piece.  */
enum
{
  BLOCK = 16
};

typedef struct
{
  int64_t n, begin; /* PANEL has the columns of the output from BEGIN on, */
  int64_t exponent; /* to be multiplied by 2^EXPONENT */
  scalar_t *panel;
} solved;

static void
fill (const void *state, int64_t k, int64_t j, int64_t r0, int64_t r1,
      real_t *re, real_t *im)
{
  const solved *s = state;
  const scalar_t *x = s->panel + s->n * (k - s->begin);
  (void) j;
  for (int64_t i = r0; i < r1; i++)
    {
      re[i - r0] = re_ (x[i]);
      if (GE_COMPLEX)
        im[i - r0] = im_ (x[i]);
    }
  FN (ge_tdinv_times) (-s->exponent, r1 - r0, re, im);
}

/* The factors, and the panel for columns BEGIN to END of the inverse.  */
typedef struct
{
  const gpueig_tdinv_problem *problem;
  lapack_int n, *pivot;
  scalar_t *dl, *d, *du, *du2, *panel;
  int64_t begin, end;
} factored;

static void
solve_piece (void *data, int64_t i, int thread)
{
  const factored *f = data;
  const gpueig_tdinv_problem *p = f->problem;
  const int64_t order = f->n, from = f->begin + i * BLOCK;
  const int64_t to = from + BLOCK < f->end ? from + BLOCK : f->end;
  const lapack_int count = (lapack_int) (to - from);
  lapack_int result;
  scalar_t *x = f->panel + order * (from - f->begin);
  (void) thread;
  memset (x, 0, (size_t) (order * (to - from)) * sizeof *x);
  for (int64_t k = from; k < to; k++)
    x[order * (k - from) + (p->columns ? p->columns[k] : k)] = 1;
  gttrs_ ("N", &f->n, &count, f->dl, f->d, f->du, f->du2, f->pivot, x, &f->n,
          &result, 1);
}

gpueig_status
FN (ge_tdinv_by_pivoting) (gpueig_context *ctx,
                           const gpueig_tdinv_problem *problem,
                           int64_t exponent, int *served)
{
  int64_t order = problem->n, columns = ge_tdinv_columns (problem);
  int threads = ge_threads ();
  int64_t width = (int64_t) threads * BLOCK;
  lapack_int info;
  factored f = { .problem = problem };
  solved s = { .n = order, .exponent = exponent };
  size_t size = sizeof (scalar_t);

  GE_TRY (ge_lapack_int (ctx, order, &f.n));
  width = width < columns ? width : columns;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, order, &f.dl));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, order, &f.d));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, order, &f.du));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, order, &f.du2));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, order, &f.pivot));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, order * width, &f.panel));
  memcpy (f.d, problem->a, (size_t) order * size);
  if (order > 1)
    {
      memcpy (f.dl, problem->c, (size_t) (order - 1) * size);
      memcpy (f.du, problem->b, (size_t) (order - 1) * size);
    }
  s.panel = f.panel;
  gttrf_ (&f.n, f.dl, f.d, f.du, f.du2, f.pivot, &info);
  /* A zero pivot in working precision does not imply a singular matrix: the generators
     are more accurate.  */
  *served = info == 0;
  if (! *served)
    return GPUEIG_OK;
  for (s.begin = 0; s.begin < columns; s.begin += width)
    {
      int64_t end = s.begin + width < columns ? s.begin + width : columns;
      f.begin = s.begin;
      f.end = end;
      GE_TRY (ge_run_pieces (ctx, (end - s.begin + BLOCK - 1) / BLOCK,
                             (double) order * (double) (end - s.begin) > 1e5,
                             solve_piece, &f));
      GE_TRY (FN (ge_tdinv_write) (ctx, problem, s.begin, end, fill, &s));
    }
  return GPUEIG_OK;
}
