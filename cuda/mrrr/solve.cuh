/* Tridiagonal and dense problems of one page by MRRR on the GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A dense page: scale, reduce to tridiagonal form T (tridiagonal/), copy T to
   the host, ge_cuda_solve_tridiagonal, back-transformation of the vectors, verification; see dense.cu.  */

#ifndef GE_MRRR_SOLVE_CUH
#define GE_MRRR_SOLVE_CUH 1

#include "mrrr/mrrr.cuh"

/* The selection of a page (P; vectors are wanted if P->v is not NULL) and the
   results: COUNT eigenvalues LAMBDA on the host, ascending, and vectors V on
   the device in the frame in which they were computed.  */
template <typename T> struct ge_mrrr_page
{
  const gpueig_symmetric *p;
  int64_t n, count;
  double *d, *e, *lambda; /* n each, on the host */
  T *v;                   /* n-by-count; NULL: not computed */
  ge_real<T> *z;          /* those of the tridiagonal matrix */
  T *room; /* where V of a tridiagonal matrix is wanted, or NULL */
};

/* The selected eigenpairs of the tridiagonal matrix (d, e), with Z instead of V.
   O(n^2).  */
template <typename T>
gpueig_status ge_cuda_solve_tridiagonal (gpueig_context *ctx,
                                         ge_mrrr_page<T> *q, gpueig_info *info);
/* V <- Z, in its place if it is real.  */
template <typename T>
gpueig_status ge_cuda_take_real_vectors (gpueig_context *ctx,
                                         ge_mrrr_page<T> *q);

/* The selected eigenpairs of A, n-by-n on the device, both triangles; A is
   scaled to 2^-*EXPONENT A.  The results are verified; GPUEIG_SOLVER_FAILED
   where they fail verification or MRRR does not converge.  Needs A and
   2.5 n^2 numbers with vectors, n^2 without.  O(n^3).  */
template <typename T>
gpueig_status ge_cuda_solve_dense (gpueig_context *ctx, ge_mrrr_page<T> *q,
                                   T *a, int *exponent, gpueig_info *info);

/* The most bytes of device memory that ge_cuda_solve_dense needs, A included,
   for all eigenvalues, with or without VECTORS.  */
template <typename T>
double ge_cuda_dense_bytes (gpueig_context *ctx, int64_t n, int64_t columns);

#endif
