/* Ascending order of eigenvalues, also where a library returns another order.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   LAPACK and cuSOLVER document ascending eigenvalues, with exceptions in practice:
   with many equal eigenvalues cuSOLVER's divide and conquer in single precision
   returned some out of order, and xSTEMR orders a matrix of order 2 by modulus.  The
   test costs O(n); eigenvalues in order are not written.  */

#include "base/gpu_memory.h"
#include "base/solver.h"

#include <stdlib.h>
#include <string.h>

static int
is_ascending (gpueig_type type, int64_t count, const void *lambda)
{
  int ascending = 1;
  for (int64_t i = 1; i < count; i++)
    ascending
        &= ! (ge_real_at (type, lambda, i - 1) > ge_real_at (type, lambda, i));
  return ascending;
}

static int
compare_values (const void *x, const void *y, void *data)
{
  const double *value = data;
  const int64_t i = *(const int64_t *) x, j = *(const int64_t *) y;
  if (value[i] != value[j])
    return value[i] < value[j] ? -1 : 1;
  return i < j ? -1 : i > j;
}

void
ge_permute_columns (int64_t columns, size_t bytes, void *v, int64_t *order,
                    void *spare)
{
  char *x = v;
  for (int64_t first = 0; first < columns; first++)
    {
      int64_t j = first;
      if (order[j] == j)
        continue;
      memcpy (spare, x + bytes * (size_t) j, bytes);
      while (order[j] != first)
        {
          const int64_t next = order[j];
          memcpy (x + bytes * (size_t) j, x + bytes * (size_t) next, bytes);
          order[j] = j;
          j = next;
        }
      memcpy (x + bytes * (size_t) j, spare, bytes);
      order[j] = j;
    }
}

gpueig_status
ge_sort_pairs (gpueig_context *ctx, gpueig_type type, int64_t n, int64_t count,
               void *lambda, void *v)
{
  const int is_double = gpueig_is_double (type);
  const size_t bytes = (size_t) n * gpueig_scalar_size (type);
  if (is_ascending (type, count, lambda))
    return GPUEIG_OK;
  double *values;
  int64_t *order;
  char *column;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, count, &values));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, count, &order));
  for (int64_t i = 0; i < count; i++)
    {
      values[i] = ge_real_at (type, lambda, i);
      order[i] = i;
    }
  ge_sort_with (order, (size_t) count, sizeof *order, compare_values, values);
  for (int64_t i = 0; i < count; i++)
    if (is_double)
      ((double *) lambda)[i] = values[order[i]];
    else
      ((float *) lambda)[i] = (float) values[order[i]];
  if (v)
    {
      GE_TRY (GE_ALLOC (ctx, GE_HOST, (int64_t) bytes, &column));
      ge_permute_columns (count, bytes, v, order, column);
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

gpueig_status
ge_sort_pages (gpueig_context *ctx, const gpueig_symmetric *s)
{
  const int64_t n = s->n;
  const size_t size = gpueig_scalar_size (s->type);
  const size_t real = gpueig_real_size (s->type);
  for (int64_t p = 0; p < s->pages; p++)
    {
      void *const lambda = ge_page (s->lambda, p, n, real), *const v = ge_page (
                                                                s->v, p, n * n,
                                                                size);
      const size_t bytes = (size_t) (n * n) * size;
      void *host;
      /* An indefinite page has no pairs.  */
      if ((s->indefinite && s->indefinite[p])
          || is_ascending (s->type, n, lambda))
        continue;
      const int mark = ge_mark (ctx);
      GE_TRY (ge_to_host (ctx, s->place, v, bytes, &host));
      GE_TRY (ge_sort_pairs (ctx, s->type, n, n, lambda, host));
      GE_TRY (ge_from_host (ctx, s->place, v, bytes, host));
      ge_release (ctx, mark);
    }
  return GPUEIG_OK;
}
