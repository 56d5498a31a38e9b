/* The engine, see preload.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_PRELOAD_ENGINE_H
#define GE_PRELOAD_ENGINE_H 1

#include "preload.h"

/* Allocate COUNT elements of SIZE bytes, if the machine has the memory; NULL otherwise.
   To be freed by free.  */
void *ge_engine_alloc (gpueig_context *ctx, int64_t count, size_t size);

/* engine_plan.c: the function of gpueig that solves what DRIVER does.  */
gpueig_function ge_driver_function (ge_driver driver);

/* The backend that solves R, GPUEIG_AUTO if LAPACK is faster; after the GPU
   has failed with STATUS.  */
gpueig_backend ge_engine_plan (gpueig_context *ctx, const ge_request *r);
void ge_engine_lost_gpu (gpueig_status status);

/* engine_symmetric_typed.c: matrices, pairs and tridiagonal matrices.
   engine_general_typed.c: eigenvalues and vectors; Schur forms.
   engine_svd_typed.c: singular values and vectors.
   Nonzero: done.  */
typedef int ge_engine_solver (gpueig_context *ctx,
                              const gpueig_options *options, ge_request *r);
#define GE_ENGINE_PROTOTYPES(suffix)                                           \
  ge_engine_solver ge_engine_symmetric_##suffix, ge_engine_general_##suffix,   \
      ge_engine_schur_##suffix, ge_engine_svd_##suffix;
GE_ENGINE_PROTOTYPES (s)
GE_ENGINE_PROTOTYPES (d)
GE_ENGINE_PROTOTYPES (c)
GE_ENGINE_PROTOTYPES (z)

#endif
