/* Scaling and balancing of a page before a function of it is computed.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/scalar.h"
#include "functions/scaled.h"
#include "schur/balance.h"

#include <complex.h>
#include <string.h>

/* Bound the modulus to a factor of sqrt (2).  */
static double
modulus (scalar_t x)
{
  return fabs ((double) re_ (x)) + fabs ((double) im_ (x));
}

void
FN (ge_funm_sums) (int64_t n, const void *matrix, double *rows, double *columns,
                   double *diagonal)
{
  const scalar_t *a = matrix;
  memset (rows, 0, (size_t) n * sizeof *rows);
  for (int64_t j = 0; j < n; j++)
    {
      columns[j] = 0;
      for (int64_t i = 0; i < n; i++)
        {
          const double x = modulus (a[i + j * n]);
          columns[j] += x;
          rows[i] += x;
        }
      diagonal[j] = modulus (a[j + j * n]);
    }
}

void
FN (ge_funm_balance) (int64_t n, const void *a, void *balanced, int *order,
                      int *space)
{
  int *scale = order + n;
  real_t *factor = (real_t *) (space + 4 * n);
  FN (ge_balance) (n, a, balanced, order, factor, space);
  for (int64_t k = 0; k < n; k++)
    scale[k] = ilogb ((double) factor[k]);
}

void
FN (ge_funm_permute) (int64_t n, const void *a, void *permuted, int *order)
{
  const scalar_t *from = a;
  scalar_t *to = permuted;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      to[i + j * n] = from[order[i] + n * order[j]];
  memset (order + n, 0, (size_t) n * sizeof *order);
}

int
FN (ge_funm_exponent) (int64_t n, const void *matrix)
{
  const scalar_t *a = matrix;
  double most = 0;
  /* Avoid fmax, which gcc 12 for 64-bit Arm cannot vectorise where numbers in single
     precision are converted to double.  */
  for (int64_t k = 0; k < n * n; k++)
    {
      const double size = modulus (a[k]);
      most = size > most ? size : most;
    }
  return most > 0 ? ilogb (most) : 0;
}

void
FN (ge_funm_shift_exponents) (int64_t n, int exponent, void *matrix)
{
  scalar_t *a = matrix;
  for (int64_t k = 0; k < n * n; k++)
    a[k] = times_power_ (a[k], exponent);
}

void
FN (ge_funm_unscale) (int64_t n, const int *order, const ge_unscaling *how,
                      const void *from, const void *from_im, void *to,
                      void *to_im)
{
  const scalar_t *x = from, *x_im = from_im;
  const int *scale = order + n;
  scalar_t *y = to, *y_im = to_im;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      {
        const int64_t k = order[i] + n * order[j];
        const int whole = how->whole + scale[i] - scale[j];
        double re = (double) re_ (x[i + j * n]),
               im = GE_COMPLEX ? (double) im_ (x[i + j * n])
                    : x_im     ? (double) re_ (x_im[i + j * n])
                               : 0;
        if (how->factor != 1)
          {
            const double f = creal (how->factor), g = cimag (how->factor),
                         old = re;
            re = old * f - im * g;
            im = g == 0 ? im * f : old * g + im * f;
          }
        re = ldexp (re, whole) + (i == j ? how->add : 0);
        im = ldexp (im, whole);
        y[k] = make_ ((real_t) re, (real_t) im);
        if (! GE_COMPLEX && y_im)
          y_im[k] = (real_t) im;
      }
}

void
FN (ge_funm_widen) (int64_t n, int exponent, const void *matrix,
                    const void *matrix_im, ge_point *to)
{
  const scalar_t *x = matrix, *x_im = matrix_im;
  for (int64_t k = 0; k < n * n; k++)
    to[k] = ge_point_of (ldexp ((double) re_ (x[k]), exponent),
                         ldexp (GE_COMPLEX ? (double) im_ (x[k])
                                : x_im     ? (double) re_ (x_im[k])
                                           : 0,
                                exponent));
}
