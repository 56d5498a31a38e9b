/* Expected times by lines that were fitted to measurements.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "plan/times.h"

#include <math.h>

/* --- the tables of the library --- */

enum
{
  S = GPUEIG_FLOAT,
  D = GPUEIG_DOUBLE,
  C = GPUEIG_COMPLEX_FLOAT,
  Z = GPUEIG_COMPLEX_DOUBLE
};

/* Each file is included twice: for its machine and for its lines.  */
#define MACHINE(...)
#define LINE(method, backend, type, kind, ...)                                 \
  { GE_METHOD_##method, GPUEIG_##backend,                                      \
    (gpueig_type) type, kind,                                                  \
    { __VA_ARGS__ },    0 },
static const ge_time_line h100[] = {
#include "plan/times/h100.h"
};
static const ge_time_line two_cores[] = {
#include "plan/times/two-cores.h"
};
#undef MACHINE
#undef LINE

/* clang-format off */
#define MACHINE(threads, vector_bytes, single, twice, bandwidth)               \
  { threads, vector_bytes, { single, twice }, bandwidth },
#define LINE(...)
const ge_time_table ge_built_in_times[] = {
  {
#include "plan/times/two-cores.h"
    sizeof two_cores / sizeof two_cores[0], two_cores },
  {
#include "plan/times/h100.h"
    sizeof h100 / sizeof h100[0], h100 },
  { { 0, 0, { 0, 0 }, 0 }, 0, NULL }
};
/* clang-format on */

/* --- orders and pages --- */

enum
{
  FIRST = 4, /* order */
  FEW = 16   /* pages, that fill a machine */
};
#define STEP 2.0  /* from an order to the next */
#define UNIT 1e-6 /* seconds */

/* The value of COUNT at the orders FIRST, FIRST * STEP ..., interpolated in logarithms; the
   smallest order's below, and beyond the largest one at a rate that matrices have.  */
static double
interpolate (const double *value, int count, double n)
{
  const double x = log (fmax (n / FIRST, 1)) / log (STEP);
  const int i = (int) fmin (x, count - 2);
  double power = log (value[i + 1] / value[i]) / log (STEP);
  if (x <= count - 1)
    return value[i] * pow (STEP, (x - i) * power);
  power = fmin (fmax (power, 2), 3.5);
  return value[count - 1] * pow (STEP, (x - count + 1) * power);
}

/* FEW pages of order N or more.  Beyond the orders of stacks what they gain from many pages
   fades.  */
static double
time_of_stack (const ge_time_line *line, double n, double pages)
{
  const double largest = FIRST * pow (STEP, GE_ORDERS_OF_STACKS - 1);
  const double within = fmin (n, largest);
  const double launch = line->at[GE_OF_LAUNCH];
  const double one = interpolate (line->at, GE_ORDERS_OF_ONE, n);
  const double alone = interpolate (line->at, GE_ORDERS_OF_ONE, within);
  const double gain
      = fmin (interpolate (line->at + GE_OF_STACKS, GE_ORDERS_OF_STACKS, within)
                  / alone,
              1);
  const double page = one * pow (gain, within / n);
  return one + launch * sqrt (pages) + (pages - 1) * page;
}

double
ge_line_time (const ge_time_line *line, double n, double pages, int copies)
{
  const double *c = line->at + GE_OF_COPIES, size = n * n * pages;
  if (copies)
    return UNIT * (c[0] + c[1] * size + c[2] * sqrt (size));
  const double one = interpolate (line->at, GE_ORDERS_OF_ONE, n);
  if (line->at[GE_OF_STACKS] <= 0)
    return UNIT * pages * one;
  if (pages >= FEW)
    return UNIT * time_of_stack (line, n, pages);
  /* One page takes no longer than several.  */
  const double few = time_of_stack (line, n, FEW), less = fmin (one, few);
  return UNIT * (less + (few - less) * (pages - 1) / (FEW - 1));
}

/* --- other machines --- */

/* Operations of pages with vectors, about: coefficient and power of the order.  */
static double
operations (const ge_time_query *q)
{
  const double n = (double) q->shape->n;
  double count = 0;
  switch (ge_method_table[q->method].solver)
    {
    case GE_EIG_SYMMETRIC:
      count = (q->method == GE_METHOD_EIG_ONESIDED ? 60 : 9) * n * n * n;
      break;
    case GE_JACOBI_EIG:
      count = (q->method == GE_METHOD_JACOBI_PRECONDITIONED ? 20 : 60) * n * n
              * n;
      break;
    case GE_ONESIDED_EIG:
      count = 60 * n * n * n;
      break;
    case GE_EIG_GENERAL:
    case GE_COMPLEX_EIG:
    case GE_SCHUR:
      count = (q->method == GE_METHOD_COMPLEX_SHROFF ? 100 : 25) * n * n * n;
      break;
    case GE_SVD:
      count = (q->method == GE_METHOD_SVD_JACOBI ? 60 : 25) * n * n * n;
      break;
    default:
      count = 100 * n * n;
    }
  return (q->shape->outputs > 0 ? 1 : 0.3)
         * (gpueig_is_complex (q->shape->type) ? 4 : 1)
         * (double) q->shape->pages * count;
}

/* SECONDS on another GPU.  What does not depend on the order, FLOOR, stays; the rest takes
   longer as bandwidth and lanes are fewer; and where double precision is slower than
   that, the operations at half of its rate are added.  */
static double
on_gpu (double seconds, double floor, const ge_time_query *q,
        const ge_hardware *from, const ge_hardware *to)
{
  const int is_double = gpueig_is_double (q->shape->type);
  if (! (to->rate[0] > 0 && to->rate[1] > 0 && to->bandwidth > 0))
    return seconds;
  const double slower = fmax (
      fmax (from->rate[0] / to->rate[0], from->bandwidth / to->bandwidth),
      0.25);
  const double more = 1 / to->rate[is_double] - slower / from->rate[is_double];
  floor = fmin (floor, seconds);
  return floor + slower * (seconds - floor)
         + 2 * operations (q) * fmax (more, 0);
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
    case GE_METHOD_EIG_ONESIDED:
      return backend == GPUEIG_CPU && shape->pair ? method
                                                  : GE_METHOD_ONESIDED_SHIFTED;
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

static int
kind_of (const ge_shape *shape)
{
  return (shape->outputs > 0 ? GE_WITH_VECTORS : 0)
         | (shape->pair ? GE_OF_PAIRS : 0);
}

/* The line of TABLE for Q and KIND, or NULL.  */
static const ge_time_line *
find_line (const ge_time_table *table, const ge_time_query *q, gpueig_type type,
           int kind)
{
  const ge_method method = measured_method (q->method, q->backend, q->shape);
  for (int i = 0; i < table->count; i++)
    {
      const ge_time_line *l = &table->line[i];
      if (l->method == method && l->backend == q->backend && l->type == type
          && l->kind == kind)
        return l;
    }
  return NULL;
}

/* Seconds of Q by TABLE, scaled to TO except for the number of threads; negative if there are
   none.  What has no line of its own counts as a multiple of what has: values and vectors of
   each other, pairs of matrices, and complex types of real ones.  *LINE: the line.  */
static double
time_by (const ge_time_table *table, const ge_hardware *to,
         const ge_time_query *q, const ge_time_line **line)
{
  const ge_shape *s = q->shape;
  const ge_hardware *from = &table->hardware;
  const int kind = kind_of (s);
  const gpueig_type real
      = gpueig_is_double (s->type) ? GPUEIG_DOUBLE : GPUEIG_FLOAT;
  const double vectors = kind & GE_WITH_VECTORS ? 1.5 : 0.7;
  const struct
  {
    gpueig_type type;
    int kind;
    double factor;
  } lines[] = { { s->type, kind, 1 },
                { s->type, kind ^ GE_WITH_VECTORS, vectors },
                { s->type, kind & ~GE_OF_PAIRS, 2 },
                { real, kind, 3 } };
  const int last = sizeof lines / sizeof lines[0] - 1;
  int i = 0;
  do
    *line = find_line (table, q, lines[i].type, lines[i].kind);
  while (! *line && i++ < last);
  if (! *line)
    return -1;
  double seconds
      = lines[i].factor
        * ge_line_time (*line, (double) s->n, (double) s->pages, q->copies);
  if (q->copies || to == from)
    return seconds;
  if (q->backend == GPUEIG_CUDA)
    return on_gpu (seconds, UNIT * (*line)->at[GE_OF_ONE], q, from, to);
  return to->vector_bytes > 0 && from->vector_bytes > 0
             ? seconds
                   * sqrt ((double) from->vector_bytes
                           / (double) to->vector_bytes)
             : seconds;
}

double
ge_variation (const ge_time_query *q)
{
  const ge_shape *s = q->shape;
  const int kind = kind_of (s), varied = (s->guess ? GE_FROM_GUESS : 0)
                                         | GE_OF_SPECTRUM * (int) s->spectrum;
  const double n = (double) s->n, pages = (double) s->pages;
  ge_time_query there = *q;
  there.backend = GPUEIG_CPU;
  const ge_time_table *t = ge_built_in_times;
  const ge_time_line *usual = find_line (t, &there, s->type, kind),
                     *other = find_line (t, &there, s->type, kind | varied);
  return varied && usual && other ? ge_line_time (other, n, pages, 0)
                                        / ge_line_time (usual, n, pages, 0)
                                  : 1;
}

/* --- number of threads --- */

static double
scaled_time (const ge_hardware *hardware, const ge_time_query *q)
{
  const ge_time_table *table[2];
  const ge_time_line *line;
  double seconds[2] = { 0, 0 }, threads[2] = { 1, 1 };
  int count = 0;
  for (const ge_time_table *t = ge_built_in_times; t->count && count < 2; t++)
    {
      seconds[count] = time_by (t, hardware, q, &line);
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
  /* Times of one machine: only that more threads share the pages is known.  */
  if (count == 1 && here > threads[0])
    {
      ge_shape page = *q->shape;
      ge_time_query one = *q;
      page.pages = 1;
      one.shape = &page;
      return fmax (seconds[0] * threads[0] / here,
                   time_by (table[0], hardware, &one, &line));
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
ge_expected_time (const ge_time_table *own, const ge_hardware *hardware,
                  const ge_time_query *q, int *estimated)
{
  const ge_time_line *line = NULL;
  double seconds = -1;
  if (own->count > 0)
    seconds = time_by (own, &own->hardware, q, &line);
  *estimated |= ! line || (double) q->shape->n > 2 * line->largest;
  return line ? seconds : scaled_time (hardware, q);
}
