/* The CUDA solvers, one per slot of the backend table.  C and CUDA.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_PLUGIN_H
#define GE_PLUGIN_H 1

#include "base/context.h"

GPUEIG_BEGIN_C

gpueig_status ge_cuda_open (gpueig_context *ctx);
void ge_cuda_close (gpueig_context *ctx);
gpueig_status ge_cuda_select (gpueig_context *ctx, int device);
gpueig_status ge_cuda_count (gpueig_context *ctx, int *devices);
void ge_cuda_query (gpueig_context *ctx, gpueig_machine *machine);
void ge_cuda_describe (gpueig_context *ctx, int device,
                       gpueig_device *description);

#define GE_DECLARE(solver, name) ge_solver ge_cuda_##name;
GE_SOLVER_LIST (GE_DECLARE)
#undef GE_DECLARE

/* The solvers of METHOD for S on the GPU, as parts of others: what they overwrite is theirs
   to say (ge_solver_entry, takes).  */
gpueig_status ge_cuda_eig_by (gpueig_context *ctx, const gpueig_symmetric *s,
                              ge_method method, int named,
                              const gpueig_options *options, gpueig_info *info);
gpueig_status ge_cuda_onesided_by (gpueig_context *ctx,
                                   const gpueig_symmetric *s, ge_method method,
                                   const gpueig_options *options,
                                   gpueig_info *info);
/* Nonzero if "shifted" rotates the pages of S, which are small, in registers.  */
int ge_cuda_onesided_rotates (gpueig_context *ctx, const gpueig_symmetric *s);

extern const ge_array_ops ge_cuda_array_ops;
extern const ge_device_memory ge_cuda_device_memory;

GPUEIG_END_C

#endif
