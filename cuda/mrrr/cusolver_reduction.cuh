/* cuSOLVER's sytrd/hetrd and ormtr/unmtr, for GPUs on which our own reduction was
   not measured, and for what that did not reduce well.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_CUSOLVER_REDUCTION_CUH
#define GE_CUSOLVER_REDUCTION_CUH 1

#include "base/cuda.cuh"

/* A = Q T Q', n-by-n on the device: D (n) and E (n - 1) of T, A and TAU (n) the
   reflectors of Q.  Needs another n^2 of memory.  O(n^3).  */
template <typename T>
gpueig_status ge_cusolver_tridiagonalize (gpueig_context *ctx, int64_t n, T *a,
                                          T *tau, typename real_of<T>::type *d,
                                          typename real_of<T>::type *e);

/* V <- Q V, n-by-COLUMNS.  O(n^2 COLUMNS).  */
template <typename T>
gpueig_status ge_cusolver_transform_back (gpueig_context *ctx, int64_t n,
                                          int64_t columns, T *a, T *tau, T *v);

#endif
