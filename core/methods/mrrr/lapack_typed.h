/* Prototypes of mrrr/lapack_typed.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_MRRR_LAPACK_TYPED_H
#define GE_MRRR_LAPACK_TYPED_H 1

#include "base/context.h"

/* Reduction of a dense page to tridiagonal form, and back-transformation; eigenpairs il to
   iu of a tridiagonal matrix by LAPACK's xSTEMR, xSTEVD or xSTEQR, as METHOD says, verified
   (real types only).  */
#define GE_MRRR_PROTOTYPES(suffix)                                             \
  gpueig_status ge_mrrr_reduce_##suffix (gpueig_context *, int64_t n,          \
                                         const void *a, void **work,           \
                                         void **tau, double *d, double *e);    \
  gpueig_status ge_mrrr_back_##suffix (                                        \
      gpueig_context *, int64_t n, int64_t columns, void *work,                \
      const void *tau, const void *z, void *v);                                \
  gpueig_status ge_lapack_pairs_##suffix (                                     \
      gpueig_context *, ge_method method, int64_t n, const double *d,          \
      const double *e, int64_t il, int64_t iu, double *lambda, void *v);
GE_FOR_TYPES (GE_MRRR_PROTOTYPES)

#endif
