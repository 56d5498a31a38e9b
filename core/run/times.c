/* What is expected from measured times.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "run/times.h"

#include <math.h>

#define TIME(method, backend, type, vectors, n, pages, seconds, transfer)      \
  { GE_METHOD_##method,                                                        \
    GPUEIG_##backend,                                                          \
    GPUEIG_##type,                                                             \
    vectors,                                                                   \
    n,                                                                         \
    pages,                                                                     \
    seconds,                                                                   \
    transfer },

static const ge_time h200[] = {
#include "run/times/h200.h"
};
static const ge_time two_cores[] = {
#include "run/times/two-cores.h"
};

const ge_time_table ge_built_in_times[]
    = { { 16, sizeof h200 / sizeof h200[0], h200 },
        { 2, sizeof two_cores / sizeof two_cores[0], two_cores },
        { 0, 0, NULL } };

/* --- rows --- */

/* What the rows of one line of the table have in common.  */
typedef struct
{
  ge_method method;
  gpueig_backend backend;
  gpueig_type type;
  int vectors, stack;
} line_key;

static int
compare (const ge_time *t, const line_key *k, int64_t n)
{
  const int stack = t->pages > 1;
  return t->method != k->method     ? (t->method < k->method ? -1 : 1)
         : t->backend != k->backend ? (t->backend < k->backend ? -1 : 1)
         : t->type != k->type       ? (t->type < k->type ? -1 : 1)
         : t->vectors != k->vectors ? (t->vectors < k->vectors ? -1 : 1)
         : stack != k->stack        ? (stack < k->stack ? -1 : 1)
         : t->n != n                ? (t->n < n ? -1 : 1)
                                    : 0;
}

int
ge_order_times (const void *x, const void *y)
{
  const ge_time *a = x, *b = y;
  const line_key k
      = { b->method, b->backend, b->type, b->vectors, b->pages > 1 };
  return compare (a, &k, b->n);
}

/* The first row that is not before order N of line K.  */
static int
lower_bound (const ge_time_table *table, const line_key *k, int64_t n)
{
  int from = 0, to = table->count;
  while (from < to)
    {
      const int middle = (from + to) / 2;
      if (compare (&table->row[middle], k, n) < 0)
        from = middle + 1;
      else
        to = middle;
    }
  return from;
}

static double
time_of (const ge_time *t, int on_device)
{
  return (t->seconds + (on_device ? 0 : t->transfer)) / (double) t->pages;
}

/* Seconds of a page of order N, by line K; negative if there is no such line.  Beyond the
   largest order the last two, or the cube of the order, are continued.  */
static double
line_time (const ge_time_table *table, const line_key *k, int64_t n,
           int on_device)
{
  const int begin = lower_bound (table, k, 0);
  const int end = lower_bound (table, k, INT64_MAX);
  int at = lower_bound (table, k, n);
  if (begin == end)
    return -1;
  if (at == begin)
    return time_of (&table->row[begin], on_device);
  double slope = 3;
  const int beyond = at == end;
  at -= beyond;
  const ge_time *right = &table->row[at];
  if (at > begin)
    {
      const ge_time *left = right - 1;
      slope = log (time_of (right, on_device) / time_of (left, on_device))
              / log ((double) right->n / (double) left->n);
      if (beyond && ! (slope > 2))
        slope = 2;
    }
  return time_of (right, on_device)
         * pow ((double) n / (double) right->n, slope);
}

/* The line of the table for a method that has times of its own.  */
static ge_method
measured_method (ge_method method, const ge_shape *shape)
{
  switch (method)
    {
    case GE_METHOD_EIG_ONESIDED:
    case GE_METHOD_ONESIDED_CHOLESKY:
      return GE_METHOD_ONESIDED_SHIFTED;
    case GE_METHOD_COMPLEX_GEEV:
      return GE_METHOD_GENERAL_GEEV;
    case GE_METHOD_COMPLEX_QR:
      return GE_METHOD_GENERAL_QR;
    case GE_METHOD_MRRR_QL:
      return GE_METHOD_EIG_QL;
    case GE_METHOD_MRRR_DC:
      return GE_METHOD_EIG_DC;
    case GE_METHOD_MRRR_MRRR:
      return shape->is_tridiagonal ? method : GE_METHOD_EIG_MRRR;
    case GE_METHOD_MRRR_STEVD:
      return shape->is_tridiagonal ? method : GE_METHOD_EIG_SYEVD;
    default:
      return method;
    }
}

/* What is measured instead of a line that is missing, and about how many times as long
   the line takes.  */
static double
line_or_substitute (const ge_time_table *table, line_key k, int64_t n,
                    int on_device, int *estimated)
{
  double seconds = line_time (table, &k, n, on_device), factor = 1;
  for (int step = 0; step < 3 && seconds < 0; step++)
    {
      *estimated = 1;
      if (step == 0)
        {
          factor *= k.vectors ? 1.5 : 0.7;
          k.vectors = ! k.vectors;
        }
      else if (step == 1 && ! gpueig_is_double (k.type))
        {
          factor *= 0.6;
          k.type = gpueig_is_complex (k.type) ? GPUEIG_COMPLEX_DOUBLE
                                              : GPUEIG_DOUBLE;
        }
      else if (step == 2 && gpueig_is_complex (k.type))
        {
          factor *= 3;
          k.type = gpueig_is_double (k.type) ? GPUEIG_DOUBLE : GPUEIG_FLOAT;
        }
      seconds = line_time (table, &k, n, on_device);
      if (seconds < 0 && step > 0)
        {
          k.vectors = ! k.vectors;
          seconds = line_time (table, &k, n, on_device);
          k.vectors = ! k.vectors;
        }
    }
  return factor * seconds;
}

double
ge_expected_time (const ge_time_table *table, ge_method method,
                  gpueig_backend backend, const ge_shape *shape, int on_device,
                  int *estimated)
{
  const double pages = (double) shape->pages;
  line_key k = { measured_method (method, shape), backend, shape->type,
                 shape->outputs > 0, 0 };
  int one_estimated = 0, stack_estimated = 0;
  const double one
      = line_or_substitute (table, k, shape->n, on_device, &one_estimated);
  *estimated |= one_estimated;
  if (shape->pages == 1)
    return one;
  k.stack = 1;
  const double page
      = line_or_substitute (table, k, shape->n, on_device, &stack_estimated);
  *estimated |= stack_estimated || page < 0;
  /* Few pages take as long as one where all are solved at once.  */
  return page < 0 ? pages * one : fmax (one, pages * page);
}
