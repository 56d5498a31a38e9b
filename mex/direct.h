/* Functions of the gateway that gpu_array.cc calls without Octave, whose calls of MEX files
   take longer than small operations, and whose results of them are copied.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef MEX_DIRECT_H
#define MEX_DIRECT_H 1

#include "gpueig_array.h"

/* The class of arrays, as MATLAB's programs ask for it.  */
#define MEX_ARRAY_CLASS "gpuArray"

/* The functions gpueig_array_NAME.  */
/* clang-format off */
#define MEX_ARRAY_CALLS(F) \
  F (like) F (free) F (describe) F (peek) F (upload) F (download) \
  F (upload_bytes) F (download_bytes) F (wait) F (unary) F (binary) \
  F (add_scaled) F (compare) F (convert) F (equal) F (symmetric) F (index) \
  F (pick) F (assign) F (reshape) F (concatenate) F (repeat) F (transpose) \
  F (permute) F (band) F (diagonal) F (reduce) F (variance) F (scan) \
  F (sort) F (median) F (extreme) F (nonzero) F (norm) F (trace) F (dot) \
  F (multiply) F (new_sparse) F (multiply_sparse) F (combine_sparse) \
  F (download_pattern) F (solve) F (cholesky) \
  F (lu) F (qr) F (fft) F (inverse)
/* clang-format on */

typedef struct
{
  gpueig_context *const *context; /* NULL at the end of the process */
  /* GPUEIG_OUT_OF_MEMORY unless COUNT elements of SIZE bytes can be allocated.  */
  gpueig_status (*need_room) (size_t count, size_t size);
  const char *(*message) (const gpueig_context *ctx);
  const char *(*status_id) (gpueig_status status);
  const char *(*status_text) (gpueig_status status);
#define FIELD(name) __typeof__ (gpueig_array_##name) *array_##name;
  MEX_ARRAY_CALLS (FIELD)
#undef FIELD
} mex_direct;

GPUEIG_BEGIN_C
extern const mex_direct mex_direct_calls;
GPUEIG_END_C

#endif
