/* Products of a matrix on the host with one vector, for sampled checks.  All sums
   are in double and do not depend on the number of threads.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "sample.h"
#include "scalar.h"

enum
{
  ROWS = 4096 /* of a block, whose sums stay in the cache */
};

/* 2^-EXPONENT in two factors: neither is zero or infinite.  */
typedef struct
{
  double first, second;
} factors;

static factors
factors_of (int exponent)
{
  return (factors){ ldexp (1, -(exponent / 2)),
                    ldexp (1, -(exponent - exponent / 2)) };
}

void
FN (ge_sample_multiply) (int64_t n, const void *matrix, int exponent,
                         const double *z_re, const double *z_im, double *y_re,
                         double *y_im)
{
  const scalar_t *x = matrix;
  const factors f = factors_of (exponent);
#pragma omp parallel for schedule(dynamic)
  for (int64_t begin = 0; begin < n; begin += ROWS)
    {
      const int64_t end = begin + ROWS < n ? begin + ROWS : n;
      for (int64_t i = begin; i < end; i++)
        y_re[i] = y_im[i] = 0;
      for (int64_t j = 0; j < n; j++)
        {
          const scalar_t *column = x + n * j;
          const double a = z_re[j], b = z_im[j];
          for (int64_t i = begin; i < end; i++)
            {
              const double re = (double) re_ (column[i]) * f.first * f.second;
              const double im = (double) im_ (column[i]) * f.first * f.second;
              y_re[i] += re * a - im * b;
              y_im[i] += re * b + im * a;
            }
        }
    }
}

void
FN (ge_sample_adjoint) (int64_t n, const void *matrix, const double *z_re,
                        const double *z_im, double *y_re, double *y_im)
{
  const scalar_t *x = matrix;
#pragma omp parallel for schedule(static)
  for (int64_t j = 0; j < n; j++)
    {
      const scalar_t *column = x + n * j;
      double sum_re = 0, sum_im = 0;
      for (int64_t i = 0; i < n; i++)
        {
          const double re = (double) re_ (column[i]);
          const double im = (double) im_ (column[i]);
          sum_re += re * z_re[i] + im * z_im[i];
          sum_im += re * z_im[i] - im * z_re[i];
        }
      y_re[j] = sum_re;
      y_im[j] = sum_im;
    }
}

/* WORK has n numbers, a column each.  */
void
FN (ge_sample_sums) (int64_t n, const void *matrix, int exponent, double *work,
                     double *trace, double *squares)
{
  const scalar_t *x = matrix;
  const factors f = factors_of (exponent);
#pragma omp parallel for schedule(static)
  for (int64_t j = 0; j < n; j++)
    {
      double sum = 0;
      for (int64_t i = 0; i < n; i++)
        {
          const double re = (double) re_ (x[i + n * j]) * f.first * f.second;
          const double im = (double) im_ (x[i + n * j]) * f.first * f.second;
          sum += re * re + im * im;
        }
      work[j] = sum;
    }
  *trace = *squares = 0;
  for (int64_t j = 0; j < n; j++)
    {
      *trace += (double) re_ (x[j + n * j]) * f.first * f.second;
      *squares += work[j];
    }
}

int
FN (ge_sample_exponent) (int64_t n, const void *matrix)
{
  const scalar_t *x = matrix;
  double most = 0;
#pragma omp parallel for schedule(static) reduction(max : most)
  for (int64_t j = 0; j < n; j++)
    {
      const double here = (double) FN (ge_largest_part) (n, x + n * j);
      most = here > most ? here : most;
    }
  return most > 0 ? ilogb (most) : 0;
}
