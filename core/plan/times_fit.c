/* Lines from measurements.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "plan/times.h"

#include <math.h>
#include <stdlib.h>

void dposv_ (const char *uplo, const int *n, const int *nrhs, double *a,
             const int *lda, double *b, const int *ldb, int *info, size_t);

int
ge_order_times (const void *x, const void *y)
{
  const ge_time *a = x, *b = y;
  const int64_t before[]
      = { a->method, a->backend, a->type, a->kind, a->n, a->pages };
  const int64_t after[]
      = { b->method, b->backend, b->type, b->kind, b->n, b->pages };
  for (int i = 0; i < 6; i++)
    if (before[i] != after[i])
      return before[i] > after[i] ? 1 : -1;
  return 0;
}

/* --- one line --- */

/* Least squares of the logarithms of times in those of the coefficients: the normal equations
   MATRIX * step = RIGHT; MATRIX is positive definite.  */
typedef struct
{
  double matrix[GE_COEFFICIENTS][GE_COEFFICIENTS], right[GE_COEFFICIENTS];
} equations;

/* Add ERROR, which the coefficients change by SHARE each, with a WEIGHT.  */
static void
add_equation (equations *e, const double *share, double error, double weight)
{
  for (int i = 0; i < GE_COEFFICIENTS; i++)
    {
      e->right[i] += weight * share[i] * error;
      for (int j = 0; j < GE_COEFFICIENTS; j++)
        e->matrix[i][j] += weight * share[i] * share[j];
    }
}

/* Add that LINE takes SECONDS for the pages of ROW.  */
static void
add_measurement (equations *e, ge_time_line *line, const ge_time *row,
                 int copies)
{
  static const double step = 0.99;
  const double n = (double) row->n, pages = (double) row->pages;
  const double seconds = copies ? row->transfer : row->seconds;
  const double now = ge_line_time (line, n, pages, copies);
  double share[GE_COEFFICIENTS] = { 0 };
  if (! (seconds > 0 && now > 0))
    return;
  for (int j = copies ? GE_OF_COPIES : 0;
       j < (copies ? GE_COEFFICIENTS : GE_OF_COPIES); j++)
    {
      const double before = line->at[j];
      line->at[j] *= step;
      share[j] = log (ge_line_time (line, n, pages, copies) / now) / log (step);
      line->at[j] = before;
    }
  add_equation (e, share, log (seconds / now), 1);
}

/* Add that all orders change by a similar factor, since BEGIN, and that no step is long.  */
static void
add_smoothness (equations *e, const ge_time_line *line,
                const ge_time_line *begin)
{
  static const double similar = 0.01, near = 0.01;
  for (int j = 0; j < GE_COEFFICIENTS; j++)
    {
      double share[GE_COEFFICIENTS] = { 0 };
      share[j] = 1;
      add_equation (e, share, 0, near);
      if (j == 0 || j >= GE_OF_LAUNCH || j == GE_OF_STACKS || begin->at[j] <= 0)
        continue;
      share[j - 1] = -1;
      add_equation (e, share,
                    log (line->at[j - 1] / begin->at[j - 1])
                        - log (line->at[j] / begin->at[j]),
                    similar);
    }
}

void
ge_fit_line (ge_time_line *line, const ge_time *row, int count)
{
  enum
  {
    STEPS = 30
  };
  static const double least = 0.02;
  static const int order = GE_COEFFICIENTS, one = 1;
  int info;
  const ge_time_line begin = *line;
  double longest = 1;
  for (int k = 0; k < STEPS && count > 0 && longest > least; k++)
    {
      equations e = { 0 };
      for (int i = 0; i < count; i++)
        for (int copies = 0; copies < 2; copies++)
          add_measurement (&e, line, &row[i], copies);
      add_smoothness (&e, line, &begin);
      dposv_ ("L", &order, &one, e.matrix[0], &order, e.right, &order, &info,
              1);
      longest = 0;
      for (int j = 0; j < GE_COEFFICIENTS; j++)
        {
          longest = fmax (longest, fabs (e.right[j]));
          line->at[j] *= exp (fmin (fmax (e.right[j], -1), 1));
          if (j > 0 && j < GE_OF_LAUNCH && j != GE_OF_STACKS)
            line->at[j] = fmax (line->at[j], line->at[j - 1]);
          if (j >= GE_OF_STACKS && j < GE_OF_LAUNCH)
            line->at[j] = fmin (line->at[j], line->at[j - GE_OF_STACKS]);
        }
    }
}

/* --- all lines of a machine --- */

int
ge_is_of_line (const ge_time *t, const ge_time_line *line)
{
  return t->method == line->method && t->backend == line->backend
         && t->type == line->type && t->kind == line->kind;
}

/* The measurements of LINE, *COUNT.  */
static const ge_time *
find_rows (const ge_measured_times *times, const ge_time_line *line, int *count)
{
  const ge_time *begin = NULL;
  *count = 0;
  for (int i = 0; i < times->count; i++)
    {
      if (! ge_is_of_line (&times->row[i], line))
        continue;
      begin = begin ? begin : &times->row[i];
      ++*count;
    }
  return begin;
}

/* Nonzero if LINE of T is one to begin with: of a GPU any, if TIMES has some of it; of the CPU those
   of the most similar number of threads.  */
static int
begins_with (const ge_time_table *t, const ge_time_line *line,
             const ge_measured_times *times)
{
  const double threads = times->hardware.threads;
  double least = INFINITY;
  if (line->backend == GPUEIG_CUDA)
    {
      int i = 0;
      while (i < times->count && times->row[i].backend != GPUEIG_CUDA)
        i++;
      return i < times->count;
    }
  for (const ge_time_table *k = ge_built_in_times; k->count; k++)
    least = fmin (least, fabs (log (k->hardware.threads / threads)));
  return fabs (log (t->hardware.threads / threads)) <= least;
}

/* Multiply the lines that were not measured by the ratio of the others of their backend to
   those of the library on average, by SUM / COUNT its logarithm.  */
static void
change_others (ge_time_line *line, int count, const double sum[2],
               const double counts[2])
{
  for (int i = 0; i < count; i++)
    {
      const int cuda = line[i].backend == GPUEIG_CUDA;
      if (line[i].largest <= 0 && counts[cuda] > 0)
        for (int j = 0; j < GE_OF_COPIES; j++)
          line[i].at[j] *= exp (sum[cuda] / counts[cuda]);
    }
}

void
ge_fit_table (const ge_measured_times *times, ge_time_table *table)
{
  double sum[2] = { 0, 0 }, counts[2] = { 0, 0 };
  int count = 0;
  for (const ge_time_table *t = ge_built_in_times; t->count; t++)
    count += t->count;
  ge_time_line *line
      = times->count > 0 ? malloc ((size_t) count * sizeof *line) : NULL;
  *table = (ge_time_table){ .line = line, .hardware = times->hardware };
  if (! line)
    return;
  count = 0;
  for (const ge_time_table *t = ge_built_in_times; t->count; t++)
    for (int i = 0; i < t->count; i++)
      {
        ge_time_line *l = &line[count];
        int rows;
        if (! begins_with (t, &t->line[i], times))
          continue;
        *l = t->line[i];
        const ge_time *row = find_rows (times, l, &rows);
        for (int k = 0; k < rows; k++)
          {
            const double before
                = ge_line_time (l, (double) row[k].n, (double) row[k].pages, 0);
            const int cuda = l->backend == GPUEIG_CUDA;
            sum[cuda] += log (row[k].seconds / before);
            counts[cuda]++;
          }
        ge_fit_line (l, row, rows);
        l->largest = rows > 0 ? (double) row[rows - 1].n : 0;
        count++;
      }
  change_others (line, count, sum, counts);
  table->count = count;
}
