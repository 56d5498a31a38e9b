/* Eigenvalues, Schur form and eigenvectors of one general matrix, on the device.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

     hessenberg.cu      reduction to Hessenberg form (hessenberg_panel.cuh)
     iteration.cu       multishift QR iteration: sweeps (iteration.cuh)
       window.cuh, tick.cuh   bulges in a window in shared memory
       products.cuh           the rest of the matrix
     aed.cu           aggressive early deflation, on the host
     vectors.cu         eigenvectors of the Schur form, by back-substitution
     schur.cu           eigenvalues and vectors of pages, and verification
     form.cu            Schur forms of pages
     reorder.cu         their eigenvalues in another order (reorder.cuh)
     stack.cu           stacks: a team of threads a page (stack.cuh), kernels in
                        stack_real.cu and stack_complex.cu
     numbers.cuh, triangle.cuh   arithmetic for four types  */

#ifndef GE_SCHUR_CUH
#define GE_SCHUR_CUH 1

#include "base/cuda.cuh"
#include "base/verify_by_sampling.h"

enum
{
  GE_MATRIX_ORDER
  = 40000 /* limit, because indices of elements are of type int */
};

/* Statistics of the iteration.  */
typedef struct
{
  int64_t windows; /* deflation windows */
  int64_t sweeps;
  int64_t hops;
  int64_t ticks; /* steps within deflation windows */
  /* Seconds: on the host for the deflation windows, for the whole iteration,
     and for the reduction to Hessenberg form.  */
  double host_time, iteration_time, hessenberg_time;
} ge_schur_counts;

/* A <- Q' A Q, upper Hessenberg, n-by-n; Z <- Q unless NULL.  V: n-by-n space.  */
template <typename T>
gpueig_status ge_hessenberg (gpueig_context *ctx, int n, T *a, T *z, T *v);

/* The Schur form of the Hessenberg H in place, Z <- Z Q unless NULL.  Without WHOLE
   only the eigenvalues: what is outside of its diagonal blocks is undefined.
   Real types: 2-by-2 blocks have standard form.  GPUEIG_NO_CONVERGENCE: H and Z are
   a similar matrix, not in Schur form.  LIMIT: most deflation windows, 0: as many as
   serve any matrix.  */
template <typename T>
gpueig_status ge_schur_iterate (gpueig_context *ctx, int n, T *h, T *z,
                                int whole, int64_t limit,
                                ge_schur_counts *counts);

/* The eigenvalues of a Schur form.  */
template <typename T>
gpueig_status ge_schur_values (gpueig_context *ctx, int n, const T *s,
                               ge_complex<T> *lambda);

/* X <- eigenvectors of the Schur form S times Q from the left; LEFT: eigenvectors of
   its conjugate transpose.  Columns of pairs of a real S are real and imaginary
   part of the first of them.  LAMBDA: the eigenvalues, VALUES: the same on the
   host.  Columns have any length but are finite.  WORK: n-by-n.  */
template <typename T>
gpueig_status ge_schur_vectors (gpueig_context *ctx, int n, const T *s,
                                const ge_complex<T> *lambda,
                                const ge_complex<T> *values, int left,
                                const T *q, T *x, T *work);

/* *M: of the N-by-N A, with exponent 0.  */
template <typename T>
gpueig_status ge_schur_moments (gpueig_context *ctx, int n, const T *a,
                                ge_moments *m);

/* Store the counts in INFO.  */
void ge_schur_fill_info (const ge_schur_counts *counts, gpueig_info *info);

/* The solver "qr" of general problems: one after the other, or a stack in one launch.
   G->state[page] becomes nonzero where LAPACK must solve the page again.  With ORDERED the
   eigenvalues of a stack are in the order of gpueig_complex_eig, up to rounding errors, not in
   that of the Schur form, and a small page alone is a stack.  */
gpueig_status ge_cuda_schur_qr (gpueig_context *ctx, const gpueig_general *g,
                                int ordered, const ge_plan *plan,
                                const gpueig_options *options,
                                gpueig_info *info);

/* A stack.  LIMIT: most sweeps of a page, 0: as many as serve any.  The bits of a page's result
   depend on the page alone.  */
gpueig_status ge_cuda_schur_stack (gpueig_context *ctx, const gpueig_general *g,
                                   int ordered, int64_t limit,
                                   gpueig_info *info);

#endif
