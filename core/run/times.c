/* What is expected from measured times.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "run/times.h"
#include "run/times/rows.h"

#include <math.h>

/* --- the tables of the library --- */

/* Each file is included twice: for its machine and for its rows.  */
#define MACHINE(threads, vector_bytes, single, twice, bandwidth)
#define TIME(method, backend, type, kind, n, pages, time, copies)              \
  { GE_METHOD_##method, GPUEIG_##backend, GPUEIG_##type, kind, n, pages,       \
    1e-6 * (time),      1e-6 * (copies) },
static const ge_time h100[] = {
#include "run/times/h100.h"
};
static const ge_time two_cores[] = {
#include "run/times/two-cores.h"
};
#undef MACHINE
#undef TIME

/* clang-format off */
#define MACHINE(threads, vector_bytes, single, twice, bandwidth)               \
  { threads, vector_bytes, { single, twice }, bandwidth },
#define TIME(...)
const ge_time_table ge_built_in_times[] = {
  {
#include "run/times/two-cores.h"
    sizeof two_cores / sizeof two_cores[0], two_cores },
  {
#include "run/times/h100.h"
    sizeof h100 / sizeof h100[0], h100 },
  { { 0, 0, { 0, 0 }, 0 }, 0, NULL }
};
/* clang-format on */

/* --- rows --- */

/* The rows of TABLE that differ in order and pages only, begin .. end - 1, and the
   machine to which they are scaled (NULL: as measured).  */
typedef struct
{
  const ge_time_table *table;
  const ge_hardware *to;
  int begin, end, copies;
  int is_double; /* what is asked for */
} rows_of_line;

static int
compare (int64_t x, int64_t y)
{
  return (x > y) - (x < y);
}

/* Without order and pages.  */
static int
compare_lines (const ge_time *a, const ge_time *b)
{
  const int method = compare ((int64_t) a->method, (int64_t) b->method);
  const int backend = compare ((int64_t) a->backend, (int64_t) b->backend);
  const int type = compare ((int64_t) a->type, (int64_t) b->type);
  return method    ? method
         : backend ? backend
         : type    ? type
                   : compare (a->kind, b->kind);
}

int
ge_order_times (const void *x, const void *y)
{
  const ge_time *a = x, *b = y;
  const int lines = compare_lines (a, b), order = compare (a->n, b->n);
  return lines ? lines : order ? order : compare (a->pages, b->pages);
}

/* The first row whose line is not before (AFTER: is after) that of KEY.  */
static int
bound (const ge_time_table *table, const ge_time *key, int after)
{
  int from = 0, to = table->count;
  while (from < to)
    {
      const int middle = (from + to) / 2;
      if (compare_lines (&table->row[middle], key) < after)
        from = middle + 1;
      else
        to = middle;
    }
  return from;
}

/* Operations of one page with vectors, about: coefficient and power of the order.  */
static double
operations (const ge_time *t)
{
  const double n = (double) t->n;
  double count = 0;
  switch (ge_method_table[t->method].solver)
    {
    case GE_EIG_SYMMETRIC:
      count = 9 * n * n * n;
      break;
    case GE_JACOBI_EIG:
      count = (t->method == GE_METHOD_JACOBI_PRECONDITIONED ? 20 : 60) * n * n
              * n;
      break;
    case GE_ONESIDED_EIG:
      count = 60 * n * n * n;
      break;
    case GE_EIG_GENERAL:
    case GE_COMPLEX_EIG:
    case GE_SCHUR:
      count = (t->method == GE_METHOD_COMPLEX_SHROFF ? 100 : 25) * n * n * n;
      break;
    case GE_SVD:
      count = (t->method == GE_METHOD_SVD_JACOBI ? 60 : 25) * n * n * n;
      break;
    default:
      count = 100 * n * n;
    }
  return (t->kind & GE_WITH_VECTORS ? 1 : 0.3)
         * (gpueig_is_complex (t->type) ? 4 : 1) * count;
}

/* Seconds of T on another GPU.  What does not depend on the order, FLOOR, stays; the rest
   takes longer as bandwidth and lanes are fewer; and where double precision is slower than
   that, the operations at half of its rate are added.  */
static double
on_gpu (const ge_time *t, int is_double, double floor, const ge_hardware *from,
        const ge_hardware *to)
{
  if (! (to->rate[0] > 0 && to->rate[1] > 0 && to->bandwidth > 0))
    return t->seconds;
  const double slower = fmax (
      fmax (from->rate[0] / to->rate[0], from->bandwidth / to->bandwidth),
      0.25);
  const double more = 1 / to->rate[is_double] - slower / from->rate[is_double];
  floor = fmin (floor, t->seconds);
  return floor + slower * (t->seconds - floor)
         + 2 * operations (t) * (double) t->pages * fmax (more, 0);
}

static double
time_of (const rows_of_line *l, int i)
{
  const ge_time *t = &l->table->row[i];
  const ge_hardware *from = &l->table->hardware;
  double seconds = t->seconds;
  if (l->copies)
    return fmax (t->transfer, 1e-9);
  if (l->to && t->backend == GPUEIG_CUDA)
    seconds = on_gpu (t, l->is_double, l->table->row[l->begin].seconds, from,
                      l->to);
  else if (l->to && l->to->vector_bytes > 0 && from->vector_bytes > 0)
    seconds
        *= sqrt ((double) from->vector_bytes / (double) l->to->vector_bytes);
  return seconds;
}

/* --- orders and pages --- */

/* The first of the rows of the order of row I.  */
static int
begin_of_order (const rows_of_line *l, int i)
{
  const ge_time *row = l->table->row;
  int begin = i;
  while (begin > l->begin && row[begin - 1].n == row[i].n)
    begin--;
  return begin;
}

/* PAGES pages of the order of rows FROM .. TO - 1: a launch and a time per page, between
   two measurements and beyond.  What takes less time with more pages, because it was
   disturbed or because a GPU is filled better, takes no more with fewer.  */
static double
time_of_pages (const rows_of_line *l, int from, int to, double pages)
{
  const ge_time *row = l->table->row;
  double here = time_of (l, to - 1), at = (double) row[to - 1].pages;
  double slope = here / at, least = pages > at ? slope / 4 : 0;
  for (int i = to - 2; i >= from; i--)
    {
      const double less = fmin (time_of (l, i), here),
                   fewer = (double) row[i].pages;
      slope = fmax ((here - less) / (at - fewer), least);
      if (fewer <= pages)
        return here + (pages - at) * slope;
      here = less;
      at = fewer;
    }
  return here * fmax (pages / at, 1 + (pages - at) * slope / here);
}

/* PAGES pages of order N, interpolated in logarithms between the orders that were measured
   (STACKS: with several pages); negative if there are none.  An order takes no longer than
   those above it.  */
static double
interpolate (const rows_of_line *l, double n, double pages, int stacks)
{
  const ge_time *row = l->table->row;
  double left = 0, left_n = 0, right = 0, right_n = 0;
  for (int to = l->end, from; to > l->begin; to = from)
    {
      from = begin_of_order (l, to - 1);
      if (stacks && row[to - 1].pages == 1)
        continue;
      right = left;
      right_n = left_n;
      left = time_of_pages (l, from, to, pages);
      left_n = (double) row[from].n;
      if (right_n == 0)
        continue;
      left = fmin (left, right);
      if (left_n <= n)
        break;
    }
  if (left_n == 0)
    return -1;
  if (n <= left_n)
    return left;
  if (right_n == 0)
    return left * pow (n / left_n, 3);
  if (n <= right_n)
    return left * pow (n / left_n, log (right / left) / log (right_n / left_n));
  /* Beyond, at the rate that was measured, wherever the times are scaled to.  */
  rows_of_line measured = *l;
  measured.to = NULL;
  const double slope = log (interpolate (&measured, right_n, pages, stacks)
                            / interpolate (&measured, left_n, pages, stacks))
                       / log (right_n / left_n);
  return right * pow (n / right_n, fmin (fmax (slope, 2), 3.5));
}

/* Beyond the orders of stacks what they gain from many pages fades.  */
static double
line_time (const rows_of_line *l, double n, double pages)
{
  const ge_time *row = l->table->row;
  const double one = interpolate (l, n, 1, 0);
  if (pages == 1 || one < 0)
    return one;
  double most = 0;
  for (int i = l->begin; i < l->end; i++)
    if (row[i].pages > 1)
      most = (double) row[i].n;
  const double all = most > 0 ? interpolate (l, fmin (n, most), pages, 1) : -1;
  if (all < 0)
    return pages * one;
  if (n <= most)
    return fmax (all, one);
  const double gain = fmin (all / (pages * interpolate (l, most, 1, 0)), 1);
  return fmax (one, pages * one * pow (gain, most / n));
}

/* --- methods, types, kinds --- */

/* The method whose times hold for another; on a GPU "auto" takes neither Shroff's nor a
   library's, which have no times there.  */
static ge_method
measured_method (ge_method method, gpueig_backend backend,
                 const ge_shape *shape)
{
  switch (method)
    {
    case GE_METHOD_COMPLEX_SHROFF:
      return backend == GPUEIG_CUDA ? GE_METHOD_GENERAL_QR : method;
    case GE_METHOD_EIG_SYEVD:
      return backend == GPUEIG_CUDA ? GE_METHOD_EIG_MRRR : method;
    case GE_METHOD_ONESIDED_CHOLESKY:
    case GE_METHOD_ONESIDED_HESTENES:
    case GE_METHOD_ONESIDED_COLUMNS:
    case GE_METHOD_JACOBI_BLOCK:
    case GE_METHOD_JACOBI_CLASSICAL:
      return GE_METHOD_ONESIDED_SHIFTED;
    case GE_METHOD_COMPLEX_GEEV:
      return GE_METHOD_GENERAL_GEEV;
    case GE_METHOD_COMPLEX_QR:
      return GE_METHOD_GENERAL_QR;
    case GE_METHOD_MRRR_QL:
      return GE_METHOD_EIG_QL;
    case GE_METHOD_MRRR_DC:
      return shape->is_tridiagonal && shape->pages == 1 ? GE_METHOD_MRRR_MRRR
                                                        : GE_METHOD_EIG_DC;
    case GE_METHOD_MRRR_STEMR:
    case GE_METHOD_MRRR_MRRR:
      return shape->is_tridiagonal ? GE_METHOD_MRRR_MRRR : GE_METHOD_EIG_MRRR;
    case GE_METHOD_MRRR_STEVD:
      return shape->is_tridiagonal ? method : GE_METHOD_EIG_SYEVD;
    case GE_METHOD_TDINV_SHERMAN:
      return GE_METHOD_TDINV_GENERATORS;
    default:
      return method;
    }
}

/* What stands for a line that is missing, nearest first, and about how many times as long
   the line takes.  */
typedef struct
{
  gpueig_type type;
  int kind;
  double factor;
} substitute;

enum
{
  SUBSTITUTES = 16
};

static int
list_substitutes (gpueig_type type, int kind, substitute list[SUBSTITUTES])
{
  const int is_complex = gpueig_is_complex (type);
  const gpueig_type types[]
      = { type, is_complex ? GPUEIG_COMPLEX_DOUBLE : GPUEIG_DOUBLE,
          gpueig_is_double (type) ? GPUEIG_DOUBLE : GPUEIG_FLOAT,
          GPUEIG_DOUBLE };
  int count = 0;
  for (int t = 0; t < 4; t++)
    for (int k = 0; k < (kind & GE_OF_PAIRS ? 4 : 2); k++)
      {
        const int other
            = kind ^ (k % 2 * GE_WITH_VECTORS) ^ (k / 2 * GE_OF_PAIRS);
        list[count++] = (substitute){
          .type = types[t],
          .kind = other,
          .factor
          = (gpueig_is_double (types[t]) == gpueig_is_double (type) ? 1 : 0.6)
            * (gpueig_is_complex (types[t]) == is_complex ? 1 : 3)
            * (k % 2 == 0               ? 1
               : kind & GE_WITH_VECTORS ? 1.5
                                        : 0.7)
            * (k / 2 ? 2 : 1)
        };
      }
  return count;
}

/* The line of TABLE for METHOD and a substitute of Q; its number, COUNT if there is
   none.  */
static int
find_line_of (ge_method method, const ge_time_table *table,
              const ge_time_query *q, const substitute *list, int count,
              rows_of_line *l)
{
  int i = 0;
  for (; i < count; i++)
    {
      const ge_time key = { .method = method,
                            .backend = q->backend,
                            .type = list[i].type,
                            .kind = list[i].kind };
      l->begin = bound (table, &key, 0);
      l->end = bound (table, &key, 1);
      if (l->begin < l->end)
        break;
    }
  l->table = table;
  l->copies = q->copies;
  l->is_double = gpueig_is_double (q->shape->type);
  return i;
}

/* The same for the method that has rows.  EIG_ONESIDED has some of pairs.  */
static int
find_line (const ge_time_table *table, const ge_time_query *q,
           const substitute *list, int count, rows_of_line *l)
{
  const ge_method method = measured_method (q->method, q->backend, q->shape);
  const int i = find_line_of (method, table, q, list, count, l);
  return i < count || method != GE_METHOD_EIG_ONESIDED
             ? i
             : find_line_of (GE_METHOD_ONESIDED_SHIFTED, table, q, list, count,
                             l);
}

static int
kind_of (const ge_shape *shape)
{
  return (shape->outputs > 0 ? GE_WITH_VECTORS : 0)
         | (shape->pair ? GE_OF_PAIRS : 0);
}

double
ge_variation (const ge_time_query *q)
{
  const ge_shape *s = q->shape;
  const substitute usual = { s->type, kind_of (s), 1 };
  const int varied
      = (s->guess ? GE_FROM_GUESS : 0) | GE_OF_SPECTRUM * (int) s->spectrum;
  const substitute other = { s->type, usual.kind | varied, 1 };
  const double n = (double) s->n, pages = (double) s->pages;
  ge_time_query there = *q;
  rows_of_line l = { .to = NULL }, m = l;
  there.backend = GPUEIG_CPU;
  for (const ge_time_table *t = ge_built_in_times; varied && t->count; t++)
    if (find_line (t, &there, &other, 1, &l) == 0
        && find_line (t, &there, &usual, 1, &m) == 0)
      return line_time (&l, n, pages) / line_time (&m, n, pages);
  return 1;
}

/* By a table of the library, except for the number of threads.  */
static double
time_by (const ge_time_table *table, const ge_hardware *to,
         const ge_time_query *q, int *estimated)
{
  substitute list[SUBSTITUTES];
  const int count = list_substitutes (q->shape->type, kind_of (q->shape), list);
  rows_of_line l = { .to = to };
  const int found = find_line (table, q, list, count, &l);
  if (found == count)
    return -1;
  *estimated |= found > 0;
  return list[found].factor
         * line_time (&l, (double) q->shape->n, (double) q->shape->pages);
}

double
ge_scaled_time (const ge_hardware *hardware, const ge_time_query *q,
                int *estimated)
{
  const ge_time_table *table[2];
  double seconds[2] = { 0, 0 }, threads[2] = { 1, 1 };
  int count = 0;
  for (const ge_time_table *t = ge_built_in_times; t->count && count < 2; t++)
    {
      seconds[count] = time_by (t, hardware, q, estimated);
      table[count] = t;
      threads[count] = t->hardware.threads;
      count += seconds[count] > 0;
    }
  if (count == 0)
    return -1;
  if (q->backend == GPUEIG_CUDA)
    return seconds[0];
  const double here = hardware->threads;
  const int last = count - 1, base = here > threads[last] ? last : 0;
  /* What one machine had: only that more threads share the pages is known.  */
  if (count == 1 && here > threads[0])
    {
      ge_shape page = *q->shape;
      ge_time_query one = *q;
      page.pages = 1;
      one.shape = &page;
      return fmax (seconds[0] * threads[0] / here,
                   time_by (table[0], hardware, &one, estimated));
    }
  double power = q->shape->pages > 1 ? -1 : -0.5;
  if (count == 2)
    power = log (seconds[1] / seconds[0]) / log (threads[1] / threads[0]);
  /* With fewer threads time rises at most in proportion, and does not fall; more share the
     pages.  */
  if (count < 2 || here < threads[0])
    power = fmin (fmax (power, -1), 0);
  else if (here > threads[last])
    power = q->shape->pages > 1 ? -1 : 0;
  return seconds[base] * pow (here / threads[base], power);
}

double
ge_measured_time (const ge_time_table *table, const ge_time_query *q,
                  const ge_hardware *hardware, int *estimated)
{
  substitute list[SUBSTITUTES];
  const int count = list_substitutes (q->shape->type, kind_of (q->shape), list);
  rows_of_line l = { .to = NULL };
  const int found = find_line (table, q, list, count, &l);
  if (found == count)
    return -1;
  const double n = (double) q->shape->n, pages = (double) q->shape->pages;
  const double largest = (double) table->row[l.end - 1].n;
  const double seconds = line_time (&l, fmin (n, largest), pages);
  if (found == 0 && n <= largest)
    return seconds;
  /* In proportion to the tables of the library.  */
  ge_shape measured = *q->shape;
  ge_time_query there = *q;
  int scaled = 0;
  measured.type = list[found].type;
  measured.outputs = list[found].kind & GE_WITH_VECTORS;
  measured.pair = (list[found].kind & GE_OF_PAIRS) != 0;
  measured.n = n < largest ? q->shape->n : (int64_t) largest;
  there.shape = &measured;
  *estimated |= found > 0 || n > 2 * largest;
  return seconds * ge_scaled_time (hardware, q, &scaled)
         / ge_scaled_time (hardware, &there, &scaled);
}
