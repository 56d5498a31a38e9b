/* One-sided Jacobi on the GPU: stacks on the device, and the solvers for them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   core/methods/onesided/plan.c  options, for both backends: the tolerance that each of the files
                       below compares cosines with (TOL), the limit of sweeps
   onesided_eig.cu     stacks, choice of the solver
   prepare.cu          scaling, shift, Cholesky factors; sorting of the results
   registers_real.cu, registers_complex.cu  pages in registers (registers.cuh)
   columns.cu          any method and order, columns in global memory  */

#ifndef GE_ONESIDED_CUH
#define GE_ONESIDED_CUH 1

#include "base/cuda.cuh"
#include "base/numbers.cuh"
#include "base/teams.cuh"
#include "onesided/plan.h"
#include "base/scalar.cuh"
#include "onesided/columns.cuh"

/* The scaling of a page, on the device.  */
template <typename R> struct onesided_scaling
{
  R shift;     /* NaN: the page has no Cholesky factor without a shift */
  R frobenius; /* norm of the scaled page, for "hestenes" */
  int exponent;
};

/* Results that the kernels accumulate over a stack with atomics, which are
   independent of the order.  */
typedef struct
{
  int sweeps;      /* of the slowest page */
  int unconverged; /* pages that reached the limit */
  int indefinite;  /* pages without a Cholesky factor */
  int worst;       /* largest cosine, the bits of a float */
} onesided_counts;

/* A stack of pages on the device.  F: the columns to rotate, with their scaling
   in SCALING and lambda = sigma^2 - shift if SQUARE, sigma - shift otherwise,
   sigma being the column norms; NULL: A + shift, which the register kernel
   computes itself.  */
template <typename T> struct onesided_stack
{
  typedef ge_real<T> R;
  int n;
  int64_t pages;
  int64_t together; /* pages of the whole stack, by which methods are chosen */
  const T *a;
  T *f;
  onesided_scaling<R> *scaling;
  int square;
  R tol;
  int max_sweeps;
  R *lambda;
  T *v; /* may be NULL */
  onesided_counts *counts;
};

/* Nonzero if pages of order N fit into the registers and shared memory of one
   multiprocessor, or of a cluster.  */
template <typename T>
int onesided_in_registers (gpueig_context *ctx, int64_t n);

/* Sweeps over all pages in one launch, each page in registers.  */
template <typename T>
gpueig_status onesided_registers (gpueig_context *ctx,
                                  const onesided_stack<T> *s);

/* Compute the columns to rotate, S->f, and S->scaling: A + shift; [A; I] for "hestenes";
   the pivoted Cholesky factor of A for "cholesky"; A itself for ONESIDED_COLUMNS.  A page without such a factor gets the
   shift NaN.  */
template <typename T>
gpueig_status onesided_prepare (gpueig_context *ctx, const onesided_stack<T> *s,
                                onesided_method method);

/* Sweeps of any method and order with columns in global memory, after
   onesided_prepare.  Pages whose shift is NaN are not changed.  */
template <typename T>
gpueig_status onesided_columns (gpueig_context *ctx, const onesided_stack<T> *s,
                                onesided_method method,
                                const onesided_plan *plan);

/* Compute the eigenpairs from the orthogonal columns S->f, ROWS elements apart,
   sort and store them.  */
template <typename T>
gpueig_status onesided_store (gpueig_context *ctx, const onesided_stack<T> *s,
                              int rows);

#endif
