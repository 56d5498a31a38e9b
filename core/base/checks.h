/* Checks of the arguments of a C caller.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_CHECKS_H
#define GE_CHECKS_H 1

#include "base/context.h"

GPUEIG_BEGIN_C

/* Check sizes, pointers and data: finite and, for ge_check_symmetric, equal to the
   conjugate transpose.  The message names the page and the first invalid element.  */
gpueig_status ge_check_symmetric (gpueig_context *ctx,
                                  const gpueig_symmetric *problem);
/* Without the matrices.  */
gpueig_status ge_check_symmetric_sizes (gpueig_context *ctx,
                                        const gpueig_symmetric *problem);
/* For solvers that compute all eigenvalues only.  */
gpueig_status ge_check_all_selected (gpueig_context *ctx,
                                     const gpueig_symmetric *problem);
/* GPUEIG_BAD_OPTION unless P selects a part that its matrices can have.  */
gpueig_status ge_check_selection (gpueig_context *ctx,
                                  const gpueig_symmetric *p);
/* FOUND eigenvalues of each page were computed.  */
gpueig_status ge_report_found (const gpueig_symmetric *p, int64_t found);
gpueig_status ge_check_general (gpueig_context *ctx,
                                const gpueig_general *problem);
/* Without the matrices.  */
gpueig_status ge_check_general_sizes (gpueig_context *ctx,
                                      const gpueig_general *problem);

/* The binary exponent of the largest real or imaginary part of COUNT scalars of TYPE: 0 if
   all are zero, GE_NOT_FINITE if one is NaN or Inf.  CTX as for ge_share_pass.  */
enum
{
  GE_NOT_FINITE = INT32_MAX
};
int ge_largest_exponent (gpueig_context *ctx, gpueig_type type, int64_t count,
                         const void *x);

/* EXPONENTS[p] = that of page P of A, of COUNT scalars each.  */
void ge_find_exponents (gpueig_context *ctx, gpueig_type type, const void *a,
                        int64_t count, int64_t pages, int *exponents);

/* The first non-finite element of COUNT scalars of TYPE, or -1.  */
int64_t ge_find_nonfinite (gpueig_context *ctx, gpueig_type type, const void *x,
                           int64_t count);

/* GPUEIG_NONFINITE if A, PAGES pages of M-by-N in host memory, is not finite; the message
   calls it WHAT.  */
gpueig_status ge_check_finite (gpueig_context *ctx, gpueig_type type,
                               const void *a, int64_t m, int64_t n,
                               int64_t pages, const char *what);

/* Nonzero if every page of A is finite and equal to its conjugate transpose, bit for
   bit.  CTX may be NULL: on the calling thread alone.  */
int ge_is_symmetric (gpueig_context *ctx, gpueig_type type, const void *a,
                     int64_t n, int64_t pages);

/* Typed parts: ge_largest_exponent; ge_is_symmetric for a strip of 32 columns from J0
   on.  */
#define GE_CHECK_PROTOTYPES(suffix)                                            \
  int ge_largest_exponent_##suffix (gpueig_context *, int64_t count,           \
                                    const void *x);                            \
  int ge_strip_is_symmetric_##suffix (const void *a, int64_t n, int64_t j0);
GE_FOR_TYPES (GE_CHECK_PROTOTYPES)

GPUEIG_END_C

#endif
