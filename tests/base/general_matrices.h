/* General test matrices: LAPACK's types (TESTING/EIG/zdrvev.f describes them) and
   named ones.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GENERAL_MATRICES_H
#define GENERAL_MATRICES_H 1

#include "check.h"

/* Types 1 .. 21: zero, identity, Jordan block; diagonal with even, geometric,
   clustered moduli and random phases, the same times large and small numbers;
   U' T U with the three distributions and random moduli; X^-1 T X with
   cond (X) = 1 / sqrt (eps), scaled too; dense random, scaled too.  */
#define GENERAL_TYPES 21

/* N-by-N, from malloc.  */
double _Complex *general_type (measure_random *r, int type, int64_t n,
                               double eps);

typedef struct
{
  const char *name;
  double _Complex (*element) (int64_t n, int64_t i, int64_t j);
} general_named;

/* Ended by a NULL name.  */
extern const general_named general_named_list[];

#endif
