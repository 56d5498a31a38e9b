/* How a problem is divided among several GPUs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   shares.c   division of problems into shares
   devices.c  lists of devices; a thread and a child context per GPU that solve the
              shares  */

#ifndef GE_SHARES_H
#define GE_SHARES_H 1

#include "base/solver.h"
#include "schur/schur.h"
#include "tdinv/tdinv.h"

/* Division of UNITS (pages of a stack, columns of an inverse, or, if SPECTRUM,
   eigenvalues of one tridiagonal matrix) into SHARES contiguous shares: share i has
   units begin[i] .. begin[i + 1] - 1.  */
typedef struct
{
  int shares, spectrum;
  int64_t units;
  int64_t begin[GPUEIG_MAX_DEVICES + 1];
  const int64_t *columns; /* of an inverse, from 0 */
} ge_division;

/* The problem of one share: pointers into the arrays of the whole problem.  */
typedef union
{
  gpueig_symmetric symmetric;
  ge_general_problem general;
  gpueig_mrrr_problem mrrr;
  ge_tdinv_problem tdinv;
  ge_schur_problem schur;
} ge_share_problem;

/* Type, order and number of pages of PROBLEM, the problem of solver ID.  */
void ge_describe (ge_solver_id id, const void *problem, gpueig_type *type,
                  int64_t *n, int64_t *pages);

/* Divide PROBLEM for at most N devices; one share where more would not be faster.
   Scratch memory is allocated in the caller's frame.  */
gpueig_status ge_divide (gpueig_context *ctx, ge_solver_id id,
                         const void *problem, const gpueig_options *options,
                         int n, ge_division *division);

/* Make the problem of share I of PROBLEM; its position is recorded in CHILD, the
   context that will solve it.  */
void ge_take_share (ge_solver_id id, const void *problem,
                    const ge_division *division, int i, gpueig_context *child,
                    ge_share_problem *share);

/* Solve PROBLEM by the plugin's solver on the devices, one thread per device.  The
   first error stops all.  See devices.c.  */
gpueig_status ge_run_shares (gpueig_context *ctx, ge_solver_id id,
                             const void *problem, const gpueig_options *options,
                             const ge_division *division, const int *devices,
                             gpueig_info *info);

#endif
