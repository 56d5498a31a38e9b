/* Internal interface of the typed files of the tridiagonal inverse.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_TDINV_TYPED_H
#define GE_TDINV_TYPED_H 1

#include "base/solver.h"
#include "base/scalar.h"
#include "tdinv/tdinv.h"

#include <string.h>

/* Rows of a chunk, which stays in the first-level cache.  */
enum
{
  TDINV_CHUNK = 512
};

/* Compute rows R0 .. R1 - 1 (within one chunk; chunks begin at multiples of TDINV_CHUNK) of
   column J of the inverse, which is column K of the output; results in RE and, for complex
   types, IM.  Called by several threads at the same time.  */
typedef void FN (tdinv_fill) (const void *state, int64_t k, int64_t j,
                              int64_t r0, int64_t r1, real_t *re, real_t *im);

/* Write columns BEGIN .. END - 1 of the output of PROBLEM on all threads.  */
gpueig_status FN (ge_tdinv_write) (gpueig_context *ctx,
                                   const gpueig_tdinv_problem *problem,
                                   int64_t begin, int64_t end,
                                   FN (tdinv_fill) * fill, const void *state);

#endif
