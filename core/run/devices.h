/* Calls on several GPUs: lists of devices, and shares solved in parallel; chunks on one GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_DEVICES_H
#define GE_DEVICES_H 1

#include "base/solver.h"
#include "base/entry.h"
#include "run/problem.h"

/* The numbers of the devices of OPTIONS, in their order; GPUEIG_NO_DEVICE, with a list
   of the existing devices in the message, if one does not exist.  */
gpueig_status ge_find_devices (gpueig_context *ctx,
                               const gpueig_options *options, int *devices,
                               int *n_devices);

/* GPUEIG_NO_DEVICE if OPTIONS name a GPU that this machine, which has others, does not have, also
   where GPUEIG_AUTO would take the CPU.  */
gpueig_status ge_check_named_device (gpueig_context *ctx,
                                     const gpueig_options *options);

/* Free the cached scratch memory of all child contexts, of the spaces FROM and above
   (GE_DEVICE: only that of the GPUs).  */
void ge_trim_children (gpueig_context *ctx, ge_space from);
/* Destroy all child contexts.  */
void ge_close_children (gpueig_context *ctx);

/* The position of a context that is no child.  */
static inline void
ge_forget_share (gpueig_context *ctx)
{
  ctx->stack_pages = ctx->first_page = 0;
  ctx->spectrum_first = ctx->spectrum_last = 0;
}

/* The arguments of a solver of the plugin, whose entry in the table is ENTRY.  SOLVED: NULL, or a
   mark for each page of a stack, which after an error is set for those that are solved.  */
typedef struct
{
  ge_solver *solver;
  const ge_solver_entry *entry;
  const void *problem;
  const ge_plan *plan;
  const gpueig_options *options;
  unsigned char *solved;
} ge_solver_run;

/* Solve shares of the problem, one thread per device.  The first error stops all, but with
   GPUEIG_AUTO not one of a device that leaves the others in order.  */
gpueig_status ge_run_shares (gpueig_context *ctx, const ge_solver_run *run,
                             const ge_division *division, const int *devices,
                             gpueig_info *info);

/* Solve the problem on the selected GPU; a stack in chunks if ENTRY has parts.
   GPUEIG_OUT_OF_MEMORY only if one page does not fit.  */
gpueig_status ge_run_chunks (gpueig_context *ctx, const ge_solver_run *run,
                             gpueig_info *info);

/* GPUEIG_NOT_SYMMETRIC if matrices of PROBLEM in host memory, which ENTRY says have not been
   checked, are not what they must be.  */
gpueig_status ge_check_inputs (gpueig_context *ctx,
                               const ge_solver_entry *entry,
                               const void *problem);

/* Merge the info ONE of a share or chunk, the FIRST or not, into INFO; SPECTRUM: of shares of
   a spectrum.  */
void ge_merge_info (const ge_solver_entry *entry, int spectrum,
                    gpueig_info *info, const gpueig_info *one, int first);

#endif
