/* Singular value decompositions on the GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   svd.cu    ge_cuda_svd: data, choice of the method
   stack.cu  stacks of small pages by one-sided Jacobi, a block each
   small.cu  the smallest, a thread each
   gram.cu   larger pages, one after another  */

#ifndef GE_SVD_CUH
#define GE_SVD_CUH 1

#include "base/cuda.cuh"
#include "svd/svd.h"

/* The arrays of a problem on the device; U and V NULL: values alone.  */
template <typename T> struct svd_arrays
{
  const T *a;
  typename real_of<T>::type *s;
  T *u, *v;
};

/* Nonzero if pages fit into shared memory.  */
template <typename T>
int ge_svd_fits_shared (gpueig_context *ctx, const gpueig_svd_problem *g);

/* Solve all pages by one-sided Jacobi; STATE, on the host, becomes nonzero for pages that
   are not solved.  */
template <typename T>
gpueig_status ge_svd_stack (gpueig_context *ctx, const gpueig_svd_problem *g,
                            const svd_arrays<T> *arrays, unsigned char *state,
                            int64_t *sweeps);

/* Solve one page, the first of ARRAYS.  */
template <typename T>
gpueig_status ge_svd_gram (gpueig_context *ctx, const gpueig_svd_problem *g,
                           const svd_arrays<T> *arrays, unsigned char *state);

#endif
