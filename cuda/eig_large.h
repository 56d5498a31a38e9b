/* One matrix on several GPUs, eig_large.cu.  C and CUDA.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_EIG_LARGE_H
#define GE_EIG_LARGE_H 1

#include "internal.h"

GPUEIG_BEGIN_C

/* The entry eig_on_devices of the plugin.  */
gpueig_status ge_cuda_eig_on_devices (gpueig_context *ctx,
                                      const gpueig_symmetric *problem,
                                      const int *devices, int n,
                                      gpueig_info *info, int *taken);

/* The libraries that it would take and finds, as text.  */
void ge_cuda_engines (char *text, size_t size);

GPUEIG_END_C

#endif
