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

ge_solver ge_cuda_jacobi_eig;
ge_solver ge_cuda_onesided_eig;
ge_solver ge_cuda_eig_symmetric;
ge_solver ge_cuda_mrrr;
ge_solver ge_cuda_tdinv;
ge_solver ge_cuda_eig_general;
ge_solver ge_cuda_complex_eig;
ge_solver ge_cuda_schur;
ge_solver ge_cuda_svd;

extern const ge_array_ops ge_cuda_array_ops;
extern const ge_device_memory ge_cuda_device_memory;

GPUEIG_END_C

#endif
