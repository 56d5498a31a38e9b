/* The columns of a tridiagonal inverse by LAPACK's solver with partial pivoting,
   for comparison: xGTTRF once, xGTTRS on blocks of columns of the identity.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tdinv/tdinv_typed.h"

#include "lapack/lapack.h"

#include <omp.h>
#include <string.h>

/* Columns that a thread solves at once.  */
enum
{
  BLOCK = 16
};

typedef struct
{
  int64_t n, begin; /* PANEL has the output's columns from BEGIN on, */
  int64_t exponent; /* times 2^EXPONENT */
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

gpueig_status
FN (ge_tdinv_by_pivoting) (gpueig_context *ctx,
                           const gpueig_tdinv_problem *problem,
                           int64_t exponent)
{
  int64_t order = problem->n, columns = ge_tdinv_columns (problem);
  int threads = ge_threads ();
  int64_t width = (int64_t) threads * BLOCK;
  lapack_int n, info, *pivot;
  scalar_t *dl, *d, *du, *du2;
  solved s = { .n = order, .exponent = exponent };
  size_t size = sizeof (scalar_t);

  GE_TRY (ge_lapack_int (ctx, order, &n));
  width = width < columns ? width : columns;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, order, &dl));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, order, &d));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, order, &du));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, order, &du2));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, order, &pivot));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, order * width, &s.panel));
  memcpy (d, problem->a, (size_t) order * size);
  if (order > 1)
    {
      memcpy (dl, problem->c, (size_t) (order - 1) * size);
      memcpy (du, problem->b, (size_t) (order - 1) * size);
    }
  gttrf_ (&n, dl, d, du, du2, pivot, &info);
  if (info > 0)
    return FN (ge_tdinv_by_infinity) (ctx, problem);
  for (s.begin = 0; s.begin < columns; s.begin += width)
    {
      int64_t end = s.begin + width < columns ? s.begin + width : columns;
      GE_TRY (ge_check_interrupt (ctx));
#pragma omp parallel for num_threads(threads) schedule(static)
      for (int64_t from = s.begin; from < end; from += BLOCK)
        {
          int64_t to = from + BLOCK < end ? from + BLOCK : end;
          lapack_int count = (lapack_int) (to - from), result;
          scalar_t *x = s.panel + order * (from - s.begin);
          memset (x, 0, (size_t) (order * (to - from)) * size);
          for (int64_t k = from; k < to; k++)
            x[order * (k - from) + (problem->columns ? problem->columns[k] : k)]
                = 1;
          gttrs_ ("N", &n, &count, dl, d, du, du2, pivot, x, &n, &result, 1);
        }
      GE_TRY (FN (ge_tdinv_write) (ctx, problem, s.begin, end, fill, &s));
    }
  return GPUEIG_OK;
}
