/* Reduction of dense symmetric and Hermitian matrices to real tridiagonal form,
   A = Q T Q', and back-transformation of the vectors of T.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   tridiagonal.cu       one matrix: one or two stages by its order; the entry points
   one_stage.cu         up to order 2048: Householder's reduction in one launch
   band_reduction.cu    above, stage 1: full to band, panel by panel (tall_panel.cuh,
                        ill-conditioned ones panel.cuh; symmetric_product.cuh)
   bulge_chasing.cu     stage 2: band to tridiagonal
   chase_tiles.cu       vectors: the reflectors of bulge_chasing.cu, collected by
                        chase_records.cu, on tensor cores (chase_doubles.cuh,
                        single precision chase_halves.cuh)
   block_reflectors.cu  vectors: those of one_stage.cu and band_reduction.cu

   stack.cu             stacks of small matrices (stack.cuh): stack_reduce_real.cu,
   stack_reduce_complex.cu, stack_reduce_memory.cu, stack_back.cu (vectors), stack_divide.cu
   (stack_divide.cuh), stack_divide_merge.cu, stack_divide_product.cu  divide and conquer;
   up to order 48 QL: stack_small_real.cu, stack_small_complex.cu (stack_small.cuh),
   stack_small_ql.cu, stack_small_rotate.cu

   core/methods/tridiagonal has what tests on the host use too: the schedule of the bulge
   chasing.  */

#ifndef GE_TRIDIAGONAL_CUH
#define GE_TRIDIAGONAL_CUH 1

#include "base/cuda.cuh"

/* GE_STOPPABLE: from this order on interrupts are polled between groups of
   columns, which costs some microseconds each.  */
enum
{
  GE_STOPPABLE = 4096,
  GE_BAND = 32 /* the bandwidth between two stages */
};

/* Q in factored form, on the device, in the workspace's frame in which it was
   computed.  */
template <typename T> struct ge_tridiagonal
{
  int64_t n;
  int b;            /* GE_BAND, or 0 for one stage */
  const T *v, *tau; /* reflectors of the first stage, n-by-n */
  T *chase_v, *chase_tau;
  T *t, *q; /* of ge_cuda_prepare_back; Q itself, n-by-n, or NULL */
};

/* Reduce A (n-by-n, both triangles, largest element far above 1, see
   ge_cuda_scale_up), which is overwritten.  D (n) and E (n - 1) are on the
   device.  With VECTORS, Q is set for ge_cuda_transform_back; it refers to A,
   which must be kept.  GPUEIG_SOLVER_FAILED where the order is too large for
   this GPU.  O(n^3).  */
template <typename T>
gpueig_status ge_cuda_tridiagonalize (gpueig_context *ctx, int64_t n, T *a,
                                      int vectors, ge_tridiagonal<T> *q,
                                      ge_real<T> *d, ge_real<T> *e);

/* The most bytes of device memory that the reduction and COLUMNS vectors' way back need in
   addition to A and Z.  */
template <typename T>
double ge_cuda_tridiagonal_bytes (gpueig_context *ctx, int64_t n,
                                  int64_t columns);

/* Begin what ge_cuda_transform_back needs in addition to Z; instead of it, if all columns are
   wanted (WHOLE) and there is only one stage, Q itself.  */
template <typename T>
gpueig_status ge_cuda_prepare_back (gpueig_context *ctx, int whole,
                                    ge_tridiagonal<T> *q);

/* Z <- Q Z, n-by-COLUMNS.  O(n^2 COLUMNS).  */
template <typename T>
gpueig_status ge_cuda_transform_back (gpueig_context *ctx,
                                      const ge_tridiagonal<T> *q,
                                      int64_t columns, T *z);

/* Nonzero if this reduction serves order N faster than cuSOLVER's: on GPUs with clusters
   that have the shared memory for it.  */
template <typename T>
int ge_cuda_own_reduction_fits (gpueig_context *ctx, int64_t n);

/* --- parts --- */

/* Overwrites A, n-by-n, by V: column j holds reflector j from row j + 1 on,
   zeros above, for j < n - 1; without VECTORS its contents are undefined.  TAU:
   n.  */
template <typename T>
gpueig_status ge_cuda_one_stage (gpueig_context *ctx, int64_t n, T *a,
                                 int vectors, ge_real<T> *d, ge_real<T> *e,
                                 T *tau);

/* Z <- Q2 Z, n-by-COLUMNS, with the reflectors of ge_cuda_chase_bulges for a band of
   width GE_BAND.  O(n^2 COLUMNS).  Interrupts are polled between groups of sweeps.  */
template <typename T>
gpueig_status ge_cuda_chase_back (gpueig_context *ctx, int64_t n, const T *v,
                                  const T *tau, int64_t columns, T *z);
template <typename T>
double ge_cuda_chase_back_bytes (gpueig_context *ctx, int64_t n,
                                 int64_t columns);

#endif
