/* Options and results of the one-sided Jacobi solver, on all backends; plan.c is
   linked into the plugin too.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   onesided_eig.c      front
   plan.c              options, method, what info says
   stack_typed.c       which of the next three serves a stack
   simd_typed.c        small pages, one to a SIMD lane
   columns_typed.c     one page column by column, all methods
   large_typed.c       one large page, by matrix products  */

#ifndef GE_ONESIDED_PLAN_H
#define GE_ONESIDED_PLAN_H 1

#include "base/backend.h"

GPUEIG_BEGIN_C

typedef enum
{
  ONESIDED_SHIFTED,
  ONESIDED_CHOLESKY,
  ONESIDED_HESTENES,
  ONESIDED_HIGH
} onesided_method;

typedef struct
{
  onesided_method method;
  double tol;
  int max_sweeps;
  gpueig_context *ctx;  /* to ask for interrupts and to report; NULL: do not */
  gpueig_info *history; /* of a single matrix, else NULL */
} onesided_plan;

typedef struct
{
  int sweeps;      /* of the slowest page */
  int converged;   /* all of them */
  int interrupted; /* the user wants to stop */
  int normal;      /* pages that "high" solved with normal accuracy */
  double off;      /* largest cosine of the last sweep */
} onesided_result;

/* Read the options; sets info->method.  */
void ge_onesided_plan (const gpueig_context *ctx,
                       const gpueig_symmetric *problem,
                       const gpueig_options *options, onesided_plan *plan,
                       gpueig_info *info);

/* Append the largest cosine of a sweep to the history of a single matrix.  */
void ge_onesided_note (const onesided_plan *plan, double cosine);

/* Fill in INFO; GPUEIG_NO_CONVERGENCE for a result that has not converged.  */
gpueig_status ge_onesided_fill_info (gpueig_context *ctx,
                                     const gpueig_symmetric *problem,
                                     const onesided_plan *plan,
                                     const onesided_result *result,
                                     gpueig_info *info);

/* All pages on the CPU, onesided/stack_typed.c.  */
#define GE_ONESIDED_PROTOTYPES(suffix)                                         \
  gpueig_status ge_onesided_stack_##suffix (                                   \
      gpueig_context *, const gpueig_symmetric *, onesided_plan *,             \
      onesided_result *);
GE_ONESIDED_PROTOTYPES (s)
GE_ONESIDED_PROTOTYPES (d)
GE_ONESIDED_PROTOTYPES (c)
GE_ONESIDED_PROTOTYPES (z)

GPUEIG_END_C

#endif
