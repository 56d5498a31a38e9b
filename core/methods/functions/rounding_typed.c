/* Rounding errors of eigenvalues that decide about roots and logarithms.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/scalar.h"
#include "functions/calc.h"

#include <complex.h>
#include <math.h>

static ge_point
element (int64_t n, const scalar_t *t, int64_t i, int64_t j)
{
  return ge_point_of ((double) re_ (t[i + j * n]), (double) im_ (t[i + j * n]));
}

static double
squared (ge_point z)
{
  return creal (z) * creal (z) + cimag (z) * cimag (z);
}

double
FN (ge_funm_noise) (int64_t n, const void *matrix, const void *vector)
{
  const scalar_t *a = matrix, *u = vector;
  double sum = 0;
  for (int64_t i = 0; i < n; i++)
    {
      double row = 0, column = 0;
      for (int64_t j = 0; j < n; j++)
        if (u[j] != 0)
          {
            row += (double) part_ (a[i + j * n]) * (double) part_ (u[j]);
            column += (double) part_ (a[j + i * n]) * (double) part_ (u[j]);
          }
      sum = hypot (sum, hypot (row, column));
    }
  return GE_ROUNDING (n, GE_EPS) * sum;
}

double
FN (ge_funm_condition) (int64_t n, const void *matrix, int64_t k, void *space)
{
  const scalar_t *t = matrix;
  ge_point *v = space;
  const ge_point value = element (n, t, k, k);
  const double least = (double) GE_EPS * cabs (value);
  double right = 1, left = 1;
  v[k] = 1;
  for (int64_t i = k; i-- > 0;)
    {
      ge_point sum = 0, d = element (n, t, i, i) - value;
      for (int64_t j = i + 1; j <= k; j++)
        sum += element (n, t, i, j) * v[j];
      v[i] = sum / (cabs (d) > least ? d : least);
      right += squared (v[i]);
    }
  for (int64_t j = k + 1; j < n; j++)
    {
      ge_point sum = 0, d = element (n, t, j, j) - value;
      for (int64_t i = k; i < j; i++)
        sum += v[i] * element (n, t, i, j);
      v[j] = sum / (cabs (d) > least ? d : least);
      left += squared (v[j]);
    }
  return sqrt (right) * sqrt (left);
}

#if GE_COMPLEX
/* The 2-norm of row and column K of the triangular T.  */
static double
size_around (int64_t n, const scalar_t *t, int64_t k)
{
  double sum = 0;
  for (int64_t i = 0; i < n; i++)
    sum = hypot (sum, i < k ? cabs (element (n, t, i, k))
                            : cabs (element (n, t, k, i)));
  return sum;
}

/* A multiple negative eigenvalue is computed as several, some above and some below the axis.
   Principal values of these differ by 2 pi i in the logarithm, and the function of the matrix
   would be about as large as the reciprocal of their distance.  An eigenvalue below the axis
   by no more than its rounding errors counts as one above: the cut is turned.  */
double
FN (ge_funm_turn) (int64_t n, const void *matrix, void *space, int *on_axis)
{
  const scalar_t *t = matrix;
  double most = 0, next = GE_TRIPLE_NOISE (n, GE_EPS);
  *on_axis = 0;
  /* Angles below the axis: the largest one of those that count as above it, if none of the
     others is smaller.  */
  for (int pass = 0; pass < 2; pass++)
    for (int64_t k = 0; k < n; k++)
      {
        const ge_point z = element (n, t, k, k);
        const double angle = atan2 (-cimag (z), -creal (z));
        if (! (fabs (angle) < next))
          continue;
        const int counts = fabs (cimag (z))
                           <= GE_ROUNDING (n, GE_EPS) * size_around (n, t, k)
                                  * FN (ge_funm_condition) (n, t, k, space);
        if (pass == 0 && angle > 0 && ! counts)
          next = angle;
        if (pass == 1 && counts)
          {
            most = fmax (most, angle);
            *on_axis = 1;
          }
      }
  return most > 0 ? most + fmin (most, next - most) / 2 : 0;
}

#endif
