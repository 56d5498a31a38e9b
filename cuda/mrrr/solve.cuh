/* Tridiagonal and dense problems of one page by MRRR on the GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   dense page:  scale, reduce (tridiagonal/, or cusolver_reduction.cu), T to the
   host, ge_cuda_solve_tridiagonal, vectors back, verify, see dense.cu.  */

#ifndef GE_MRRR_SOLVE_CUH
#define GE_MRRR_SOLVE_CUH 1

#include "mrrr/mrrr.cuh"

/* What is wanted of a page (P: its selection, and vectors where P->v is not NULL),
   and the results: COUNT eigenvalues LAMBDA on the host, ascending, and vectors V
   on the device in the frame in which they were computed.  */
template <typename T> struct ge_mrrr_page
{
  const gpueig_mrrr_problem *p;
  int64_t n, count;
  int inverse;            /* vectors by inverse iteration */
  double *d, *e, *lambda; /* n each, on the host */
  T *v;                   /* n-by-count, NULL: none */
};

/* Eigenpairs of (d, e).  O(n^2).  */
template <typename T>
gpueig_status ge_cuda_solve_tridiagonal (gpueig_context *ctx,
                                         ge_mrrr_page<T> *q, gpueig_info *info);

/* Who reduces a dense matrix.  */
typedef enum
{
  GE_REDUCE_FASTEST,
  GE_REDUCE_OWN
} ge_reduction;

/* Eigenpairs of A, n-by-n on the device, all of it, which becomes 2^-*EXPONENT A.
   The results are verified; GPUEIG_SOLVER_FAILED when they are not good, or where
   MRRR gives up.  Needs 2.5 n^2 of memory beyond A with vectors, n^2 without.
   O(n^3).  */
template <typename T>
gpueig_status ge_cuda_solve_dense (gpueig_context *ctx, ge_mrrr_page<T> *q,
                                   T *a, ge_reduction how, int *exponent,
                                   gpueig_info *info);

/* Bytes of the device that all this takes at most, A included, for all
   eigenvalues, with or without VECTORS.  */
template <typename T>
double ge_cuda_dense_bytes (gpueig_context *ctx, int64_t n, int vectors);

#endif
