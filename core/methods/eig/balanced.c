/* One general page, balanced or not, see base/balancing.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Where the residual of a doubtful page exceeds USUAL_RESIDUAL, vectors are computed again from the
   eigenvalues of the balanced page.  If their residuals exceed LARGEST_RESIDUAL, as those of no
   vectors do where the eigenvalues are wrong, or for large orders at once, the better result of
   both is kept, in the order of the balanced one.  */

#include "base/balancing.h"
#include "eig/general.h"
#include "plan/forms.h"

#include <string.h>

/* A residual that LAPACK's vectors rarely exceed, in units of n eps |A|_1; the limit of
   the tests is 20.  */
#define USUAL_RESIDUAL 5
#define GOOD_RESIDUAL 0.5 /* of vectors that need not be computed again */
#define LARGEST_RESIDUAL 20

/* The larger residual of the right and left vectors.  */
static double
page_residual (const gpueig_general *one, double *space)
{
  enum
  {
    EACH = 16, /* order up to which every vector is tested */
    SUMS = 3
  };
  const int64_t count = one->n <= EACH ? one->n : SUMS;
  double worst = 0;
  for (int left = 0; left < 2; left++)
    {
      const double r
          = GE_BY_TYPE (one->type, ge_geev_residual,
                        (one->n, one->a, one->lambda, left ? one->w : one->v,
                         left, count, space));
      worst = ge_larger (r, worst);
    }
  return worst;
}

/* SPACE as for ge_balance_spread.  */
static int
is_doubtful (const gpueig_general *one, void *space)
{
  return one->balance
         && GE_BY_TYPE (one->type, ge_balance_spread, (one->n, one->a, space))
                > GE_DOUBTFUL_SPREAD;
}

/* Pairs of reals for the results of one page: eigenvalues twice, both kinds of vectors
   unless VALUES.  */
static int64_t
result_pairs (int64_t n, int values)
{
  return 2 * n + (values ? 0 : 2 * n * n);
}

/* ONE with results in FULL, vectors of both kinds among them; *FIRST has room for other
   eigenvalues.  */
static gpueig_general
page_in_full (const gpueig_general *one, char *full, char **first)
{
  const size_t column = (size_t) one->n * 2 * gpueig_real_size (one->type);
  gpueig_general all = *one;
  *first = full;
  all.lambda = full + column;
  all.v = full + 2 * column;
  all.w = full + 2 * column + (size_t) one->n * column;
  return all;
}

static void
keep_wanted (const gpueig_general *all, const gpueig_general *one)
{
  const size_t column = (size_t) one->n * 2 * gpueig_real_size (one->type);
  memcpy (one->lambda, all->lambda, column);
  if (one->v)
    memcpy (one->v, all->v, (size_t) one->n * column);
  if (one->w)
    memcpy (one->w, all->w, (size_t) one->n * column);
}

/* The residual of the balanced page ALL after vectors were computed again, or that before,
   BALANCED.  */
static double
repair_vectors (const gpueig_general *all, double balanced, void *space)
{
  if (! ge_repairs_vectors (all->n))
    return balanced;
  const double repaired = GE_BY_TYPE (
      all->type, ge_repair_vectors,
      (all->n, all->a, all->lambda, all->v, all->w, GOOD_RESIDUAL, space));
  return repaired <= LARGEST_RESIDUAL ? 0 : ge_larger (repaired, balanced);
}

static gpueig_status
solve_doubtful (const ge_page_place *at, const gpueig_general *one, int *failed)
{
  char *first, *after = at->more;
  const gpueig_general all = page_in_full (one, at->more, &first);
  gpueig_general plain = all;
  plain.balance = 0;
  ge_take (&after, result_pairs (one->n, 0) * 2, gpueig_real_size (one->type));
  double *space = ge_take (&after, GE_GEEV_SPACE * one->n, sizeof *space);
  GE_TRY (ge_solve_page (at, &all, failed));
  double balanced = *failed ? 0 : page_residual (&all, space);
  if (balanced > USUAL_RESIDUAL)
    balanced = repair_vectors (&all, balanced, after);
  if (balanced > USUAL_RESIDUAL)
    {
      memcpy (first, all.lambda,
              (size_t) one->n * 2 * gpueig_real_size (one->type));
      GE_TRY (ge_solve_page (at, &plain, failed));
      if (*failed || ! (page_residual (&all, space) < balanced))
        GE_TRY (ge_solve_page (at, &all, failed));
      else
        GE_BY_TYPE (one->type, ge_order_like,
                    (one->n, first, all.lambda, all.v, all.w, space));
    }
  keep_wanted (&all, one);
  return GPUEIG_OK;
}

/* Bytes of the results of one page, see page_in_full, and of scratch memory.  */
int64_t
ge_balanced_bytes (const gpueig_general *g, int values)
{
  char *at = GE_NOWHERE;
  ge_take (&at, result_pairs (g->n, values) * 2, gpueig_real_size (g->type));
  ge_take (&at, GE_GEEV_SPACE * g->n, sizeof (double));
  return at - GE_NOWHERE
         + (! values && ge_repairs_vectors (g->n)
                ? GE_BY_TYPE (g->type, ge_repair_bytes, (g->n))
                : 0);
}

gpueig_status
ge_solve_balanced (const ge_page_place *at, const void *page, int *failed)
{
  const gpueig_general *one = page;
  if (! at->ctx)
    return is_doubtful (one, at->space) ? solve_doubtful (at, one, failed)
                                        : ge_solve_page (at, one, failed);
  ge_page_place large = *at;
  const int mark = ge_mark (at->ctx);
  void *space;
  GE_TRY (ge_alloc_job (at->ctx,
                        (size_t) (one->n * (one->n + 1))
                            * gpueig_scalar_size (one->type),
                        &space));
  const int doubtful = is_doubtful (one, space);
  ge_aligned_free (space);
  if (! doubtful)
    return ge_solve_page (at, one, failed);
  GE_TRY (ge_alloc (at->ctx, GE_HOST, ge_balanced_bytes (one, 0), 1,
                    (void **) &large.more));
  GE_TRY (solve_doubtful (&large, one, failed));
  ge_release (at->ctx, mark);
  return GPUEIG_OK;
}
