/* What gpu_array.cc calls in the gateway without Octave, whose calls of MEX files take longer than
   small operations, and whose results of them are copied; it finds the table by its name.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef MEX_DIRECT_H
#define MEX_DIRECT_H 1

#include "gpueig_array.h"

/* The class of arrays, as MATLAB's programs ask for it.  */
#define MEX_ARRAY_CLASS "gpuArray"

typedef struct
{
  void (*free_array) (int64_t array);
  /* Nonzero if there is memory for COUNT elements of so many BYTES, and for success.  The
     gateway notes a failure; those of describe, index and assign are found by the same
     operation of the MEX file.  */
  int (*has_room) (size_t count, size_t bytes);
  int (*describe) (int64_t array, gpueig_array_info *info);
  int (*peek) (int64_t array, gpueig_array_info *info);
  int (*download) (int64_t array, void *host);
  int (*download_bytes) (int64_t array, void *host);
  /* *R: a new array of SHAPE in the place of LIKE.  */
  int (*upload) (int64_t like, const gpueig_shape *shape, const void *host,
                 int64_t *r);
  int (*compare) (int op, const gpueig_operand *x, const gpueig_operand *y,
                  int64_t *r);
  int (*index) (int64_t array, int n, const gpueig_index *index, int64_t *r);
  int (*assign) (int64_t array, int alone, int n, const gpueig_index *index,
                 const gpueig_operand *x, int64_t *r);
  /* *R: a new array, or 0 where there is no operation of the type.  */
  int (*unary) (int op, int64_t array, int64_t *r);
  int (*binary) (int op, const gpueig_operand *x, const gpueig_operand *y,
                 int64_t *r);
  /* *AT, if AT is not NULL: positions of extremes.  */
  int (*reduce) (int op, int64_t array, int dim, int64_t *r, int64_t *at);
  int (*variance) (int64_t array, int dim, double divisor, int root,
                   int64_t *r);
  int (*norm) (int which, int64_t array, double *norm);
  int (*nonzero) (int64_t array, int64_t *r);
  int (*transpose) (int64_t array, int conjugate, int64_t *r);
  int (*multiply) (char of_x, int64_t x, char of_y, int64_t y, int64_t *r);
  /* R: the pattern and the values of a copy of S in the place of LIKE.  */
  int (*put_sparse) (int64_t like, const gpueig_sparse *s, int64_t r[2]);
  /* x + f y, x - f y or f y - x.  */
  int (*add_scaled) (int64_t x, double f, int64_t y, int minus_x, int minus_y,
                     int64_t *r);
  int (*multiply_sparse) (const int64_t sparse[2], int64_t x, int64_t *r);
} mex_direct;

GPUEIG_BEGIN_C
extern const mex_direct mex_direct_calls;
GPUEIG_END_C

#endif
