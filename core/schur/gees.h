/* LAPACK's Schur forms by scalar type, gees_typed.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SCHUR_GEES_H
#define GE_SCHUR_GEES_H 1

#include "base/solver.h"

/* ge_gees_size: COUNT scalars of workspace for order N.  ge_gees: the n-by-n matrix S is
   overwritten by its Schur form, U (or NULL) gets the Schur vectors; returns LAPACK's
   info.  O(n^3).  */
#define GE_GEES_PROTOTYPES(suffix)                                             \
  gpueig_status ge_gees_size_##suffix (gpueig_context *, int64_t n,            \
                                       int vectors, int64_t *count);           \
  int ge_gees_##suffix (int64_t n, void *s, void *u, void *space,              \
                        int64_t count);
GE_GEES_PROTOTYPES (s)
GE_GEES_PROTOTYPES (d)
GE_GEES_PROTOTYPES (c)
GE_GEES_PROTOTYPES (z)
#undef GE_GEES_PROTOTYPES

#endif
