/* Parts of the one-sided Jacobi solver on the GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   onesided_eig.cu     stacks, choice of the parts below
   prepare.cu          scaling, shift, Cholesky factors
   registers_real.cu, registers_complex.cu  pages in registers (registers.cuh)
   columns.cu          any method and order, columns in global memory
   start.cu            large pages: approximate eigenvectors to start from
   large.cu            large pages by matrix products; rotations.cu: its kernels
   */

#ifndef GE_ONESIDED_CUH
#define GE_ONESIDED_CUH 1

#include "base/cuda.cuh"
#include "base/numbers.cuh"
#include "base/teams.cuh"
#include "base/crossover.h"
#include "onesided/plan.h"
#include "base/scalar.cuh"

#define GE_SHARED_MATH "onesided/rotate.h"
#include "base/precisions.cuh"

/* How a page was scaled, on the device.  */
template <typename R> struct onesided_scaling
{
  R shift;     /* NaN: the page has no Cholesky factor without a shift */
  R frobenius; /* norm of the scaled page, for "hestenes" */
  int exponent;
};

/* What the kernels report of a stack: all counted with atomics.  */
typedef struct
{
  int sweeps;      /* of the slowest page */
  int unconverged; /* pages that reached the limit */
  int indefinite;  /* pages without a Cholesky factor */
  int worst;       /* largest cosine, the bits of a float */
} onesided_counts;

/* A stack of pages on the device.  F: columns to rotate, NULL for A + shift,
   which the register kernel forms itself; with F the scaling was found before,
   and lambda = sigma^2 - shift when SQUARE, sigma - shift otherwise.  */
template <typename T> struct onesided_stack
{
  typedef typename real_of<T>::type R;
  int n;
  int64_t pages;
  int64_t together; /* pages of the whole stack, which choose how it is done */
  int64_t at_once;  /* as many go through matrix products, memory permitting */
  const T *a;
  T *f;
  onesided_scaling<R> *scaling;
  int square;
  R tol;
  int max_sweeps;
  R *lambda;
  T *v;       /* may be NULL */
  const T *q; /* the eigenvectors, not yet sorted; NULL: those of F's columns */
  onesided_counts *counts;
};

/* Do pages of order N fit into the registers and the shared memory of one
   multiprocessor, or of a cluster of them?  */
template <typename T>
int onesided_in_registers (gpueig_context *ctx, int64_t n);

/* All pages in one launch, every page in registers.  */
template <typename T>
gpueig_status onesided_registers (gpueig_context *ctx,
                                  const onesided_stack<T> *s);

/* The columns to rotate: A + shift, its Cholesky factor, [A; I] for "hestenes",
   the pivoted Cholesky factor of A without shift for "high"; writes s->f and
   s->scaling.  A page without such a factor gets the shift NaN.  */
template <typename T>
gpueig_status onesided_prepare (gpueig_context *ctx, const onesided_stack<T> *s,
                                onesided_method method);

/* A + shift of one large page to s->f, with the whole GPU.  */
template <typename T>
gpueig_status onesided_scale_large (gpueig_context *ctx,
                                    const onesided_stack<T> *s);

/* Any method, columns in global memory, any order; after onesided_prepare.
   Pages without a factor are left alone.  */
template <typename T>
gpueig_status onesided_columns (gpueig_context *ctx, const onesided_stack<T> *s,
                                onesided_method method,
                                const onesided_plan *plan);

/* Sort and store eigenpairs from the orthogonal columns s->f, ROWS apart.  */
template <typename T>
gpueig_status onesided_store (gpueig_context *ctx, const onesided_stack<T> *s,
                              int rows);

/* PAGES pages from FIRST on, through matrix products with all of them, method
   "shifted"; *STEPS, 0 before: how many steps before the sweeps that s->counts
   counts.  */
template <typename T>
gpueig_status onesided_large (gpueig_context *ctx, const onesided_stack<T> *s,
                              const onesided_plan *plan, int64_t first,
                              int64_t pages, int *steps);

#endif
