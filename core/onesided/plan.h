/* What every part of the one-sided Jacobi solver is told and tells, on all
   backends; linked into the plugin too.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

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
  gpueig_context *ctx; /* to ask for interrupts and to report; NULL: do not */
  gpueig_info *info;
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
void ge_onesided_plan (const gpueig_symmetric *problem,
                       const gpueig_options *options, onesided_plan *plan,
                       gpueig_info *info);

/* Fill in INFO and tell a result that has not converged.  */
gpueig_status ge_onesided_conclude (gpueig_context *ctx,
                                    const gpueig_symmetric *problem,
                                    const onesided_plan *plan,
                                    const onesided_result *result,
                                    gpueig_info *info);

GPUEIG_END_C

#endif
