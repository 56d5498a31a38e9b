/* cuSOLVER's sytrd/hetrd and ormtr/unmtr, for GPUs and orders for which our own
   reduction is not chosen, and for matrices whose own reduction failed
   verification.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_CUSOLVER_REDUCTION_CUH
#define GE_CUSOLVER_REDUCTION_CUH 1

#include "base/cuda.cuh"

/* A = Q T Q', n-by-n on the device: D (n) and E (n - 1) of T; A and TAU (n) are
   overwritten by the reflectors of Q.  Needs n^2 more numbers.  O(n^3).  */
template <typename T>
gpueig_status ge_cusolver_tridiagonalize (gpueig_context *ctx, int64_t n, T *a,
                                          T *tau, typename real_of<T>::type *d,
                                          typename real_of<T>::type *e);

/* V <- Q V, n-by-COLUMNS.  O(n^2 COLUMNS).  */
template <typename T>
gpueig_status ge_cusolver_transform_back (gpueig_context *ctx, int64_t n,
                                          int64_t columns, T *a, T *tau, T *v);

#endif
