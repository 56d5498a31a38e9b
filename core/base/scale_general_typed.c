/* Scaling of one page by powers of two, see scale_general.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/scale_general.h"
#include "base/scalar.h"

/* The exponent of the smallest nonzero real or imaginary part.  */
int
FN (ge_page_least_exponent) (int64_t n, const void *a)
{
  const real_t *x = a;
  const int64_t reals = n * n * (1 + GE_COMPLEX);
  real_t least = GE_REAL_MAX;
  for (int64_t i = 0; i < reals; i++)
    {
      const real_t size = fabs_ (x[i]);
      least = size > 0 && size < least ? size : least;
    }
  return ilogb ((double) least);
}

/* |A|_1, with |re| + |im| for the modulus of complex elements.  */
double
FN (ge_page_norm) (int64_t n, const void *a)
{
  const real_t *x = a;
  const int64_t column = n * (1 + GE_COMPLEX);
  double most = 0;
  for (int64_t j = 0; j < n; j++)
    {
      double sum = 0;
      for (int64_t i = 0; i < column; i++)
        sum += fabs ((double) x[i + column * j]);
      most = sum > most ? sum : most;
    }
  return most;
}

/* TO = 2^-EXPONENT A, by two factors, since 2^-EXPONENT may overflow.  */
void
FN (ge_page_scaled) (int64_t n, const void *a, int exponent, void *to)
{
  const real_t *x = a;
  real_t *y = to;
  const int64_t reals = n * n * (1 + GE_COMPLEX);
  const real_t first = (real_t) ldexp (1, -(exponent / 2));
  const real_t second = (real_t) ldexp (1, -(exponent - exponent / 2));
  for (int64_t i = 0; i < reals; i++)
    y[i] = x[i] * first * second;
}

/* COUNT reals times 2^EXPONENT.  */
void
FN (ge_values_unscaled) (int64_t count, int exponent, void *values)
{
  real_t *x = values;
  for (int64_t i = 0; i < count; i++)
    x[i] = (real_t) ldexp ((double) x[i], exponent);
}
