/* gpueig_mrrr on several GPUs: shares of a stack, and parts of the spectrum of one
   tridiagonal matrix.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "mrrr/mrrr.h"
#include "mrrr/shares.h"
#include "run/solvers.h"

#include <math.h>

enum
{
  /* The least elements of the vectors of a part of a spectrum, and eigenvalues: a GPU
     computes fewer in less time than starting a thread for it takes.  */
  RESULT_ELEMENTS = 1000000,
  FEW_VALUES = 256
};

/* Nonzero if PROBLEM is one tridiagonal matrix with all eigenvalues or an index range
   selected, whose spectrum can be divided.  */
static int
has_spectrum (const gpueig_symmetric *p, ge_method method)
{
  return p->pages == 1 && ! p->a && p->select != GPUEIG_SELECT_INTERVAL
         && method == GE_METHOD_MRRR_MRRR;
}

int64_t
ge_mrrr_units (const void *problem, ge_method method, int64_t *least)
{
  const gpueig_symmetric *p = problem;
  if (! has_spectrum (p, method))
    return p->pages;
  *least = RESULT_ELEMENTS / p->n;
  if (*least < FEW_VALUES)
    *least = FEW_VALUES;
  return ge_part_columns (p);
}

/* The matrix scaled by a power of two, and an interval that contains all eigenvalues.  */
typedef struct
{
  int64_t n;
  double *d, *e, low, high;
} scaled_matrix;

/* *SPLITS is set if an off-diagonal element is so small that the solver may neglect
   it, which splits the matrix.  */
static gpueig_status
scale_matrix (gpueig_context *ctx, const gpueig_symmetric *p, scaled_matrix *t,
              int *splits)
{
  const int64_t n = t->n = p->n;
  const double eps = gpueig_is_double (p->type) ? 0x1p-52 : 0x1p-23;
  double before = 0;
  int exponent;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &t->d));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &t->e));
  ge_mrrr_get_tridiagonal (p, 0, t->d, t->e);
  frexp (ge_mrrr_largest_element (n, t->d, t->e), &exponent);
  ge_mrrr_scale (n, t->d, t->e, exponent, t->d, t->e);
  t->low = INFINITY;
  t->high = -INFINITY;
  *splits = 0;
  for (int64_t i = 0; i < n; i++)
    {
      const double e = fabs (t->e[i]);
      t->low = fmin (t->low, t->d[i] - before - e);
      t->high = fmax (t->high, t->d[i] + before + e);
      /* Absolute row sums are at most 3.  */
      *splits |= i + 1 < n && ! (e > 4 * eps);
      before = e;
    }
  return GPUEIG_OK;
}

static int64_t
count_below (const scaled_matrix *t, double x)
{
  return ge_mrrr_count (t->n, t->d, t->e, x);
}

/* Find a gap of the spectrum, of 2^-25 times its width, with K - SLACK .. K + SLACK
   eigenvalues below it; returns that number, or -1 if none is found.  No cluster
   contains eigenvalues on both sides of such a gap.  */
static int64_t
cut_near (const scaled_matrix *t, int64_t k, int64_t slack)
{
  const double half = (t->high - t->low) * 0x1p-26;
  double low = t->low, high = t->high;
  for (int step = 0; step < 40; step++)
    {
      const double x = low + (high - low) / 2;
      const int64_t count = count_below (t, x);
      if (count >= k - slack && count <= k + slack
          && count_below (t, x - half) == count
          && count_below (t, x + half) == count)
        return count;
      if (count < k)
        low = x;
      else
        high = x;
    }
  return -1;
}

/* Move the boundaries between shares to gaps of the spectrum; one share if there are
   none.  */
static gpueig_status
cut_spectrum (gpueig_context *ctx, const gpueig_symmetric *p,
              ge_division *division)
{
  const int64_t before = p->select == GPUEIG_SELECT_INDEX ? p->first - 1 : 0;
  const int mark = ge_mark (ctx);
  scaled_matrix t;
  int splits;
  GE_TRY (scale_matrix (ctx, p, &t, &splits));
  int good = ! splits;
  for (int i = 1; good && i < division->shares; i++)
    {
      const int64_t slack = division->units / division->shares / 16;
      const int64_t cut
          = cut_near (&t, before + division->begin[i], slack) - before;
      good = cut > division->begin[i - 1] && cut < division->units;
      division->begin[i] = cut;
    }
  division->spectrum = good;
  if (! good)
    division->shares = 1;
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

gpueig_status
ge_mrrr_divide (gpueig_context *ctx, const void *problem, ge_method method,
                ge_division *division)
{
  return has_spectrum (problem, method) ? cut_spectrum (ctx, problem, division)
                                        : GPUEIG_OK;
}

void
ge_mrrr_share (const void *problem, const ge_division *division, int i,
               gpueig_context *child, void *share)
{
  const gpueig_symmetric *p = problem;
  const int64_t first = division->begin[i];
  const size_t real = gpueig_real_size (p->type);
  gpueig_symmetric part = *p;
  child->spectrum_first = p->select == GPUEIG_SELECT_INDEX ? p->first : 1;
  child->spectrum_last = child->spectrum_first + ge_part_columns (p) - 1;
  part.select = GPUEIG_SELECT_INDEX;
  part.first = child->spectrum_first + first;
  part.last = part.first + division->begin[i + 1] - first - 1;
  part.indefinite = NULL;
  part.lambda = ge_page (p->lambda, first, 1, real);
  part.v = ge_page (p->v, first, p->n, real);
  *(gpueig_symmetric *) share = part;
}
