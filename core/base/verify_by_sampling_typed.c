/* Products of a matrix on the host with one vector, for verify_by_sampling.c.  All sums are in
   double and do not depend on the number of threads.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/verify_by_sampling.h"
#include "base/solver.h"
#include "base/scalar.h"

enum
{
  ROWS = 4096, /* rows of a piece, whose sums stay in cache */
  COLUMNS = 16 /* columns of a piece */
};

/* Y = X Z; the factor 2^-exponent is a product of two, neither of which under- or
   overflows.  */
typedef struct
{
  int64_t n, columns;
  const scalar_t *x;
  double first, second;
  double *const *z, *const *y;
} product;

/* Call WORK for COUNT rows or columns of N-by-COLUMNS elements, EACH at a time.  */
static product
share_product (gpueig_context *ctx, int64_t n, int64_t columns,
               const void *matrix, int exponent, double *const z[2],
               double *const y[2], int64_t count, int64_t each, ge_piece *work)
{
  product p = { .n = n,
                .columns = columns,
                .x = matrix,
                .first = ge_power_of_2 (-(exponent / 2)),
                .second = ge_power_of_2 (-(exponent - exponent / 2)),
                .z = z,
                .y = y };
  ge_share_pass (ctx, (count + each - 1) / each, 0.5 * (double) (n * n), work,
                 &p);
  return p;
}

static int64_t
last_of (int64_t n, int64_t begin, int64_t count)
{
  return begin + count < n ? begin + count : n;
}

static void
multiply_rows (void *data, int64_t piece, int thread)
{
  const product *p = data;
  const int64_t begin = piece * ROWS, end = last_of (p->n, begin, ROWS);
  (void) thread;
  for (int64_t i = begin; i < end; i++)
    p->y[0][i] = p->y[1][i] = 0;
  for (int64_t j = 0; j < p->columns; j++)
    {
      const scalar_t *column = p->x + p->n * j;
      const double a = p->z[0][j], b = p->z[1][j];
      for (int64_t i = begin; i < end; i++)
        {
          const double re = (double) re_ (column[i]) * p->first * p->second;
#if GE_COMPLEX
          const double im = (double) im_ (column[i]) * p->first * p->second;
          p->y[0][i] += re * a - im * b;
          p->y[1][i] += re * b + im * a;
#else
          p->y[0][i] += re * a;
          p->y[1][i] += re * b;
#endif
        }
    }
}

void
FN (ge_sample_multiply) (gpueig_context *ctx, int64_t n, int64_t columns,
                         const void *matrix, int exponent, double *const z[2],
                         double *const y[2])
{
  share_product (ctx, n, columns, matrix, exponent, z, y, n, ROWS,
                 multiply_rows);
}

static void
multiply_columns (void *data, int64_t piece, int thread)
{
  const product *p = data;
  const int64_t begin = piece * COLUMNS,
                end = last_of (p->columns, begin, COLUMNS);
  (void) thread;
  for (int64_t j = begin; j < end; j++)
    {
      const scalar_t *column = p->x + p->n * j;
      double sum_re = 0, sum_im = 0;
      for (int64_t i = 0; i < p->n; i++)
        {
          const double re = (double) re_ (column[i]) * p->first * p->second;
#if GE_COMPLEX
          const double im = (double) im_ (column[i]) * p->first * p->second;
          sum_re += re * p->z[0][i] + im * p->z[1][i];
          sum_im += re * p->z[1][i] - im * p->z[0][i];
#else
          sum_re += re * p->z[0][i];
          sum_im += re * p->z[1][i];
#endif
        }
      p->y[0][j] = sum_re;
      p->y[1][j] = sum_im;
    }
}

void
FN (ge_sample_adjoint) (gpueig_context *ctx, int64_t n, int64_t columns,
                        const void *matrix, int exponent, double *const z[2],
                        double *const y[2])
{
  share_product (ctx, n, columns, matrix, exponent, z, y, columns, COLUMNS,
                 multiply_columns);
}

/* LENGTH: the 2-norms of the columns of X, of any range.  */
void
FN (ge_sample_lengths) (int64_t n, int64_t columns, const void *matrix,
                        double *length)
{
  const real_t *x = matrix;
  const int64_t reals = n * (1 + GE_COMPLEX);
  for (int64_t j = 0; j < columns; j++, x += reals)
    {
      double sum = 0, most = 0;
      for (int64_t i = 0; i < reals; i++)
        sum += (double) x[i] * (double) x[i];
      length[j] = sqrt (sum);
      if (sum > 1e-200 && sum < 1e280)
        continue;
      for (int64_t i = 0; i < reals; i++)
        most = ge_larger (fabs ((double) x[i]), most);
      sum = 0;
      for (int64_t i = 0; i < reals && most > 0; i++)
        sum += (double) x[i] / most * ((double) x[i] / most);
      length[j] = most * sqrt (sum);
    }
}

static void
square_columns (void *data, int64_t piece, int thread)
{
  const product *p = data;
  const int64_t begin = piece * COLUMNS,
                end = last_of (p->columns, begin, COLUMNS);
  (void) thread;
  for (int64_t j = begin; j < end; j++)
    {
      const scalar_t *column = p->x + p->n * j;
      double sum = 0;
      for (int64_t i = 0; i < p->n; i++)
        {
          const double re = (double) re_ (column[i]) * p->first * p->second;
          const double im = (double) im_ (column[i]) * p->first * p->second;
          sum += re * re + im * im;
        }
      p->y[0][j] = sum;
    }
}

/* WORK: n doubles, one partial sum per column.  */
void
FN (ge_sample_sums) (gpueig_context *ctx, int64_t n, const void *matrix,
                     int exponent, double *work, double *trace, double *squares)
{
  double *const y[2] = { work, NULL };
  const product p = share_product (ctx, n, n, matrix, exponent, NULL, y, n,
                                   COLUMNS, square_columns);
  ge_dd t = dd_of (0), sum = t;
  for (int64_t j = 0; j < n; j++)
    {
      ge_accumulate (&t, (double) re_ (p.x[j + n * j]) * p.first * p.second);
      ge_accumulate (&sum, work[j]);
    }
  *trace = t.hi + t.lo;
  *squares = sum.hi + sum.lo;
}

/* Each sum is one of sums over a column and its row, so that rounding errors stay small.  */
void
FN (ge_sum_moments) (int64_t n, const void *matrix, int exponent, ge_moments *m)
{
  const scalar_t *a = matrix;
  const double f = ge_power_of_2 (-exponent);
  ge_dd trace[2] = { dd_of (0), dd_of (0) },
        squares[2] = { trace[0], trace[0] };
  double norm = 0;
  for (int64_t j = 0; j < n; j++)
    {
      const double p = f * (double) re_ (a[j * (n + 1)]);
      const double q = f * (double) im_ (a[j * (n + 1)]);
      double re = p * p - q * q, im = 2 * p * q, sum = p * p + q * q;
      for (int64_t i = 0; i < j; i++)
        {
          const scalar_t x = a[i + n * j], y = a[j + n * i];
          const double u = f * (double) re_ (x), v = f * (double) im_ (x);
          const double w = f * (double) re_ (y), z = f * (double) im_ (y);
          re += 2 * (u * w - v * z);
          im += 2 * (u * z + v * w);
          sum += (u * u + v * v) + (w * w + z * z);
        }
      ge_accumulate (&trace[0], p);
      ge_accumulate (&trace[1], q);
      ge_accumulate (&squares[0], re);
      ge_accumulate (&squares[1], im);
      norm += sum;
    }
  *m = (ge_moments){ .exponent = exponent, .norm = sqrt (norm) };
  for (int part = 0; part < 2; part++)
    {
      m->trace[part] = trace[part].hi + trace[part].lo;
      m->squares[part] = squares[part].hi + squares[part].lo;
    }
}
