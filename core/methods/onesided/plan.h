/* Options and results of the one-sided Jacobi solver, on all backends; plan.c is
   linked into the plugin too.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   onesided_eig.c      gpueig_onesided_eig
   plan.c              options, method, info
   stack_typed.c       choice of one of the next two, or of jacobi/, for a stack
   simd_typed.c        small pages, one per SIMD lane
   columns_typed.c     one page column by column, all methods
   exponents_typed.c   columns of any range (exponents.h)  */

#ifndef GE_ONESIDED_PLAN_H
#define GE_ONESIDED_PLAN_H 1

#include "base/context.h"
#include "base/inline.h"
#include "plan/forms.h"

GPUEIG_BEGIN_C

typedef enum
{
  ONESIDED_SHIFTED,
  ONESIDED_HESTENES,
  ONESIDED_CHOLESKY,
  ONESIDED_COLUMNS /* internal: A holds columns F, n-by-n, whose F F' is meant */
} onesided_method;

typedef struct
{
  onesided_method method;
  double tol; /* columns with a smaller cosine are orthogonal */
  int max_sweeps;
  gpueig_context *ctx;  /* for interrupts and reports; NULL: none */
  gpueig_info *history; /* for a single matrix: gets the history; else NULL */
} onesided_plan;

typedef struct
{
  int sweeps;      /* largest number of any page */
  int converged;   /* nonzero if all pages converged */
  int interrupted; /* nonzero after an interrupt */
  int normal; /* "cholesky": number of pages without factor, by "shifted" */
  double off; /* largest cosine of the last sweep */
} onesided_result;

/* Read the options; sets info->method.  */
void ge_onesided_plan (const gpueig_context *ctx,
                       const gpueig_symmetric *problem, ge_method method,
                       const gpueig_options *options, onesided_plan *plan,
                       gpueig_info *info);

/* Append the largest cosine of a sweep to the history of a single matrix.  */
void ge_onesided_note (const onesided_plan *plan, double cosine);

/* Set INFO from the result; GPUEIG_NO_CONVERGENCE if a page has not converged.  */
gpueig_status ge_onesided_fill_info (gpueig_context *ctx,
                                     const gpueig_symmetric *problem,
                                     const onesided_plan *plan,
                                     const onesided_result *result,
                                     gpueig_info *info);

/* --- range of numbers for high relative accuracy ---

   A = D H D with D = diag (2^e_i) and diagonal elements of H from 1/2 to 2, so that
   nothing underflows in the Cholesky factor of H that is not negligible; the columns
   that are rotated are those of 2^s D chol (H), whose squared lengths are eigenvalues
   of 4^s A.  One s for all columns: the largest for which sums of squares do not
   overflow.  */

/* e_i for the diagonal element m 2^EXPONENT, 1/2 <= m < 1.  */
GE_INLINE int
ge_onesided_row_exponent (int exponent)
{
  return (exponent - (exponent & 1)) / 2;
}

/* s for rows of length at most sqrt (2) 2^MOST.  */
GE_INLINE int
ge_onesided_factor_exponent (int is_double, int n, int most)
{
  int bits = 0;
  while (bits < 30 && n >> bits > 0)
    bits++;
  return ((is_double ? 1016 : 120) - bits) / 2 - most;
}

/* The least squared length whose square sum has few enough subnormal terms for a
   relative accuracy of eps.  */
GE_INLINE double
ge_onesided_least_square (int is_double)
{
  return is_double ? 2.3e-305 : 1.2e-35;
}

/* --- solvers --- */

/* All pages on the CPU, onesided/stack_typed.c.  */
#define GE_ONESIDED_PROTOTYPES(suffix)                                         \
  gpueig_status ge_onesided_stack_##suffix (                                   \
      gpueig_context *, const gpueig_symmetric *, onesided_plan *,             \
      onesided_result *);
GE_FOR_TYPES (GE_ONESIDED_PROTOTYPES)

GPUEIG_END_C

#endif
