/* Dense symmetric and Hermitian matrices to real tridiagonal form, A = Q T Q', and
   vectors of T back.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   tridiagonal.cu       one matrix: chooses the way by the order, both ways' entry
   one_stage.cu         up to some 2000: Householder's reduction in one launch
   band_reduction.cu    above: full to band, panel by panel (panel.cuh), and
   bulge_chasing.cu     band to tridiagonal
   chase_back.cu        the reflectors of bulge_chasing.cu on vectors: gathered by
   chase_records.cu, chase_tiles.cu  and applied on tensor cores
   block_reflectors.cu  those of one_stage.cu and band_reduction.cu on vectors
   exchange.cuh         how the blocks of a cooperative launch exchange numbers

   stack.cu             stacks of small matrices (stack.cuh): stack_reduce_real.cu,
   stack_reduce_complex.cu, stack_form.cu (Q), stack_solve.cu with stack_ql.cu and
   stack_rotate.cu      QL and its rotations on Q; up to order 32 in their place
   stack_small_real.cu, stack_small_complex.cu (stack_small.cuh), stack_small_ql.cu,
   stack_small_rotate.cu

   core/tridiagonal has what these share with tests on the host: the reflector, and
   the order of work of the bulge chasing.  */

#ifndef GE_TRIDIAGONAL_CUH
#define GE_TRIDIAGONAL_CUH 1

#include "base/cuda.cuh"

/* From this order on the user may stop the stages between groups of columns: a
   look costs some microseconds.  */
enum
{
  GE_STOPPABLE = 4096,
  GE_OWN_REDUCTION = 128,
  GE_ONE_STAGE_WIDE
  = 1024, /* the largest order of complex double in one stage */
  GE_TWO_STAGES_WIDE = 3072
};

/* Q, on the device, in the workspace's frame in which it was made.  */
template <typename T> struct ge_tridiagonal
{
  int64_t n;
  int b;            /* bandwidth between the stages, 0: one stage */
  const T *v, *tau; /* of the first stage, n-by-n */
  T *chase_v, *chase_tau;
};

/* A (n-by-n, all of it, its largest element far above 1, see ge_cuda_scale_up) is
   overwritten.  D (n) and E (n - 1) on the device.  With VECTORS, Q is what
   ge_cuda_transform_back wants, and A has to stay.  GPUEIG_SOLVER_FAILED where the
   order is too large for this GPU.  O(n^3).  */
template <typename T>
gpueig_status ge_cuda_tridiagonalize (gpueig_context *ctx, int64_t n, T *a,
                                      int vectors, ge_tridiagonal<T> *q,
                                      typename real_of<T>::type *d,
                                      typename real_of<T>::type *e);

/* At most so many bytes of the device do both of these take beyond A and Z.  */
template <typename T>
double ge_cuda_tridiagonal_bytes (gpueig_context *ctx, int64_t n, int vectors);

/* Z <- Q Z, n-by-COLUMNS.  O(n^2 COLUMNS).  */
template <typename T>
gpueig_status ge_cuda_transform_back (gpueig_context *ctx,
                                      const ge_tridiagonal<T> *q,
                                      int64_t columns, T *z);

/* Is this what "auto" takes for matrices of T?  Measured on an H200 alone (2026-11-22,
   tests/bench): there it is faster than cuSOLVER 12.0 from the first order on where
   a GPU pays, but for complex double between one stage and where the products of
   two stages pay.  GPUs without clusters have another exchange between blocks,
   which was not measured.  */
template <typename T>
static inline int
ge_cuda_own_reduction_pays (gpueig_context *ctx, int64_t n)
{
  const int wide = sizeof (T) == sizeof (cuDoubleComplex);
  return ge_cuda_of (ctx)->clusters && n >= GE_OWN_REDUCTION
         && ! (wide && n > GE_ONE_STAGE_WIDE && n < GE_TWO_STAGES_WIDE);
}

/* --- parts --- */

/* The largest order that goes through one stage on the current GPU.  */
template <typename T> int64_t ge_cuda_one_stage_limit (gpueig_context *ctx);

/* A, n-by-n, becomes V: column j holds reflector j from row j + 1 on, zeros above, for
   j < n - 1; without VECTORS it is only overwritten.  TAU: n.  */
template <typename T>
gpueig_status ge_cuda_one_stage (gpueig_context *ctx, int64_t n, T *a,
                                 int vectors, typename real_of<T>::type *d,
                                 typename real_of<T>::type *e, T *tau);

#endif
