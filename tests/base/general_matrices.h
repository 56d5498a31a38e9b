/* General test matrices: LAPACK's types (TESTING/EIG/zdrvev.f describes them), and ones that
   are known to be hard.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GENERAL_MATRICES_H
#define GENERAL_MATRICES_H 1

#include "mixed_pages.h"

/* Types 1 .. 21: zero, identity, Jordan block; diagonal with even, geometric,
   clustered moduli and random phases, the same times large and small numbers;
   U' T U with the three distributions and random moduli; X^-1 T X with
   cond (X) = 1 / sqrt (eps), scaled too; dense random, scaled too.  */
#define GENERAL_TYPES 21

/* N-by-N, from malloc.  */
double _Complex *general_type (measure_random *r, int type, int64_t n,
                               double eps);

enum
{
  GENERAL_HARD = 24,  /* of them, which are accurate to USUAL_QR */
  GENERAL_ROOTS = 25, /* of order 63 at most */
  GENERAL_KINDS = 33
};
extern const char *const general_names[GENERAL_KINDS + 1];

/* Matrix KIND of all these and of mixed_pages.h; its name, NULL if there is none of order N.
   From GENERAL_ALL_HARD on they are accurate to USUAL_QR.  */
enum
{
  GENERAL_ALL_HARD = GENERAL_TYPES + PAGE_KINDS + GENERAL_KINDS - GENERAL_HARD,
  GENERAL_ALL = GENERAL_ALL_HARD + GENERAL_HARD
};
const char *general_any (uint64_t seed, int kind, gpueig_type type, int64_t n,
                         char *a);

#endif
