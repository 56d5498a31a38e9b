/* Stable order of numbers by integers, on the CPU: radix sort, least significant byte
   first (Knuth, TAOCP 3, 5.2.5), insertion for few.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array/array.h"
#include "array/cpu.h"

#include <string.h>

enum
{
  FEW = 40,
  DIGITS = 8,
  VALUES = 256
};

static void
insert (ge_item *x, int64_t n)
{
  for (int64_t i = 1; i < n; i++)
    {
      const ge_item item = x[i];
      int64_t k = i;
      for (; k > 0 && x[k - 1].key > item.key; k--)
        x[k] = x[k - 1];
      x[k] = item;
    }
}

static int
is_sorted (const ge_item *x, int64_t n)
{
  for (int64_t i = 1; i < n; i++)
    if (x[i - 1].key > x[i].key)
      return 0;
  return 1;
}

static int
digit (const ge_item *x, int d)
{
  return (int) (x->key >> (8 * d)) & (VALUES - 1);
}

void
ge_cpu_sort_items (ge_item *x, ge_item *spare, int64_t n)
{
  int64_t counts[DIGITS][VALUES] = { { 0 } };
  ge_item *from = x, *to = spare;
  if (n <= FEW)
    {
      insert (x, n);
      return;
    }
  if (is_sorted (x, n))
    return;
  for (int64_t i = 0; i < n; i++)
    for (int d = 0; d < DIGITS; d++)
      counts[d][digit (&x[i], d)]++;
  for (int d = 0; d < DIGITS; d++)
    {
      int64_t start = 0;
      if (counts[d][digit (&x[0], d)] == n)
        continue;
      for (int v = 0; v < VALUES; v++)
        {
          const int64_t count = counts[d][v];
          counts[d][v] = start;
          start += count;
        }
      for (int64_t i = 0; i < n; i++)
        to[counts[d][digit (&from[i], d)]++] = from[i];
      ge_item *const swap = from;
      from = to;
      to = swap;
    }
  if (from != x)
    memcpy (x, from, (size_t) n * sizeof *x);
}

/* --- columns --- */

typedef struct
{
  const ge_sort *s;
  ge_item *items; /* 2 n of each thread */
} sort_job;

static void
sort_column (void *data, int64_t i, int thread)
{
  const sort_job *job = data;
  GE_BY_TYPE (job->s->type, ge_cpu_sort_column,
              (job->s, i, job->items + 2 * job->s->n * thread));
}

gpueig_status
ge_cpu_sort (gpueig_context *ctx, const ge_sort *s)
{
  const double operations = 10 * (double) (s->n * s->count);
  const int mark = ge_mark (ctx);
  sort_job job = { .s = s };
  GE_TRY (GE_ALLOC (ctx, GE_HOST,
                    2 * s->n * ge_threads_for (operations, s->count),
                    &job.items));
  ge_share_pass (ctx, s->count, operations, sort_column, &job);
  ge_release (ctx, mark);
  return GPUEIG_OK;
}
