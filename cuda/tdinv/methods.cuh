/* The method of the tridiagonal inverse on the GPU that serves comparisons
   only.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_TDINV_METHODS_CUH
#define GE_TDINV_METHODS_CUH 1

#include "tdinv/tdinv.cuh"

/* Recursive Sherman-Morrison formula: the vectors of all levels; *SERVED is
   nonzero if the matrix is diagonally dominant and the result agrees with the
   generators.  Synchronises.  */
template <typename T> struct tdinv_tree;
template <typename T>
gpueig_status
tdinv_cuda_grow_tree (gpueig_context *ctx, int64_t n, const T *c, const T *a,
                      const T *b,
                      const tdinv_factors<typename real_of<T>::type> *f,
                      double rcond, tdinv_tree<T> **tree, int *served);

/* Launch the kernel that writes a panel from the tree.  */
template <typename T>
gpueig_status tdinv_cuda_write_tree (gpueig_context *ctx,
                                     const tdinv_tree<T> *tree,
                                     const tdinv_panel<T> *panel);

#endif
