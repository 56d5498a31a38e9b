/* Range of the elements of a tridiagonal matrix, and scaling by powers of two.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/solver.h"
#include "base/scalar.h"
#include "tdinv/tdinv.h"

#if ! GE_COMPLEX

/* Extend the range FROM .. TO by the exponents of the smallest and the largest of COUNT
   numbers, zeros excepted.  */
void
FN (ge_tdinv_exponents) (int64_t count, const void *x, int64_t *from,
                         int64_t *to)
{
  const real_t *r = x;
  real_t least = GE_REAL_MAX, most = 0;
  for (int64_t i = 0; i < count; i++)
    {
      real_t size = fabs_ (r[i]);
      most = size > most ? size : most;
      least = size > 0 && size < least ? size : least;
    }
  if (most == 0)
    return;
  *from = ilogb (least) < *from ? ilogb (least) : *from;
  *to = ilogb (most) > *to ? ilogb (most) : *to;
}

/* TO = 2^EXPONENT X, by two factors, since the power may be out of range; TO may be
   X.  */
void
FN (ge_tdinv_multiply) (int64_t count, const void *x, int64_t exponent,
                        void *to)
{
  const real_t *r = x;
  real_t *s = to;
  const real_t f = (real_t) ldexp (1, (int) (exponent / 2));
  const real_t g = (real_t) ldexp (1, (int) (exponent - exponent / 2));
  for (int64_t i = 0; i < count; i++)
    s[i] = r[i] * f * g;
}

#endif
