/* The integers of BLAS and LAPACK.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_INTEGERS_H
#define GE_INTEGERS_H 1

#include <stdint.h>

/* IDAMAX of a BLAS whose integers have an unknown length.  */
typedef int32_t ge_idamax (const void *n, const double *x, const void *incx);

/* Nonzero if IDAMAX takes integers of 32 bits, as lapack.h declares them.  */
int ge_has_short_integers (ge_idamax *idamax);

/* The IDAMAX to which this library is bound.  */
ge_idamax idamax_;

#endif
