/* A probe of the integers of BLAS: one built for 64 bits under the usual names would take
   every size and leading dimension for others.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "lapack/integers.h"

int
ge_has_short_integers (ge_idamax *idamax)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  /* 1 in 32 bits, negative in 64: then there is no largest element.  */
  static const int32_t n[2] = { 1, -1 }, one[2] = { 1, 0 };
  const double x = 1;
  return idamax (n, &x, one) == 1;
#else
  return idamax != 0;
#endif
}
