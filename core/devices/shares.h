/* How a problem is divided among several GPUs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   shares.c   which problems are divided, and into which parts
   devices.c  a thread and a context for each GPU, which solve the parts  */

#ifndef GE_SHARES_H
#define GE_SHARES_H 1

#include "base/solver.h"
#include "schur/schur.h"
#include "tdinv/tdinv.h"

/* UNITS (pages of a stack, columns of an inverse, or eigenvalues of one
   tridiagonal matrix when SPECTRUM) in contiguous SHARES: share i has units
   begin[i] .. begin[i + 1] - 1.  */
typedef struct
{
  int shares, spectrum;
  int64_t units;
  int64_t begin[GPUEIG_MAX_DEVICES + 1];
  const int64_t *columns; /* of an inverse, from 0 */
} ge_division;

/* A problem with its share of the arrays.  */
typedef union
{
  gpueig_symmetric symmetric;
  ge_general_problem general;
  gpueig_mrrr_problem mrrr;
  ge_tdinv_problem tdinv;
  ge_schur_problem schur;
} ge_share_problem;

/* What kind of matrix PROBLEM, which is that of solver ID, has.  */
void ge_describe (ge_solver_id id, const void *problem, gpueig_type *type,
                  int64_t *n, int64_t *pages);

/* For at most N devices; one share where more would not pay.  What it allocates
   is the caller's frame's.  */
gpueig_status ge_divide (gpueig_context *ctx, ge_solver_id id,
                         const void *problem, const gpueig_options *options,
                         int n, ge_division *division);

/* Share I of PROBLEM; CHILD, the context that gets it, is told which it is.  */
void ge_take_share (ge_solver_id id, const void *problem,
                    const ge_division *division, int i, gpueig_context *child,
                    ge_share_problem *share);

/* Solve PROBLEM by the plugin's solver on the devices, a thread each.  The first
   error stops all of them.  devices.c.  */
gpueig_status ge_run_shares (gpueig_context *ctx, ge_solver_id id,
                             const void *problem, const gpueig_options *options,
                             const ge_division *division, const int *devices,
                             gpueig_info *info);

#endif
