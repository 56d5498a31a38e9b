/* One matrix on several GPUs, eig/cusolver_mg.cu.  C and CUDA.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_CUSOLVER_MG_H
#define GE_CUSOLVER_MG_H 1

#include "base/context.h"

GPUEIG_BEGIN_C

/* The entry eig_on_devices of the plugin's table.  */
gpueig_status ge_cuda_eig_on_devices (gpueig_context *ctx,
                                      const gpueig_symmetric *problem,
                                      const int *devices, int n,
                                      gpueig_info *info, int *taken);

/* The names of the libraries for several GPUs that can be loaded, as text.  */
void ge_cuda_engines (char *text, size_t size);

GPUEIG_END_C

#endif
