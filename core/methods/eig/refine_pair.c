/* The driver of refine_pair.h.  Linked into core and the plugin.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "eig/refine_pair.h"

/* Columns with smaller errors are not refined.  */
#define SMALL_ERROR (GE_PAIR_ERROR / 10)

/* Up to this sum of squares of a column of E its square is small enough.  */
#define LARGEST_TURN (1.0 / 16)

enum
{
  MOST_STEPS = 12
};

/* Narrow *FROM, *TO to the columns with errors; returns the largest error, or infinity.  */
static double
find_wrong_columns (const ge_pair_refinement *p, int64_t *from, int64_t *to)
{
  double worst = 0;
  int64_t first = *to, end = *from;
  for (int64_t j = *from; j < *to; j++)
    {
      const double error = p->error[j];
      worst = ge_pair_worse (worst, error);
      if (error <= SMALL_ERROR)
        continue;
      first = j < first ? j : first;
      end = j + 1;
    }
  *from = first;
  *to = end;
  return worst;
}

/* Errors, or the columns that have them, decrease until they are rounding errors.  */
gpueig_status
ge_refine_pairs (ge_pair_refinement *p, double *worst)
{
  int64_t from = 0, to = p->n;
  double before = INFINITY, turn;
  for (int step = 0;; step++)
    {
      const int64_t columns = to - from;
      GE_TRY (p->ops->residuals (p, from, to));
      *worst = find_wrong_columns (p, &from, &to);
      const int decreases = *worst < before / 2
                            || (*worst < INFINITY && to - from <= columns / 2);
      if (from >= to || ! decreases || step == MOST_STEPS)
        return GPUEIG_OK;
      before = *worst;
      GE_TRY (p->ops->corrections (p, from, to, &turn));
      const int is_small = turn <= LARGEST_TURN;
      GE_TRY (p->ops->correct (p, from, to, is_small));
      for (int64_t j = from; is_small && j < to; j++)
        p->lambda[j] += p->change[j];
      if (! is_small)
        GE_TRY (p->ops->project (p, from, to));
    }
}
