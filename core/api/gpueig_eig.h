/* Eigenproblems, a part of gpueig.h, which includes it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GPUEIG_EIG_H
#define GPUEIG_EIG_H 1

#include "gpueig.h"

GPUEIG_BEGIN_C

/* --- symmetric and Hermitian eigenproblems --- */
/* A V = V diag (lambda), lambda ascending, V' V = I.
     a        n-by-n-by-pages, type TYPE, equal to its conjugate transpose to
              the last bit
     b        NULL, or n-by-n-by-pages symmetric or Hermitian positive definite:
              A V = B V diag (lambda), V' B V = I (not gpueig_onesided_eig)
     guess    NULL, or n-by-n-by-pages approximate eigenvectors
              (gpueig_jacobi_eig only)
     d, e     diagonal, n-by-pages, and off-diagonal, (n - 1)-by-pages, real, of a
              tridiagonal matrix; not read unless a is NULL (gpueig_mrrr only)
     symmetric  nonzero: the caller has verified A, and B unless it is NULL, by
              gpueig_find_symmetric; the solver does not check it again
     select   all eigenvalues, those with indices first .. last (from 1, ascending), or
              (one page only) those in the interval (vl, vu]; other than all:
              gpueig_eig_symmetric and gpueig_mrrr only
     found    NULL, or one number per page: how many eigenvalues were computed
     indefinite  NULL, or one number per page (gpueig_eig_symmetric with B only): on
              exit 0, or the order of a leading minor of B that is not positive, where
              the page's outputs are unspecified.  NULL: such a page makes the status
              GPUEIG_NOT_DEFINITE
     lambda   columns-by-pages, real; columns is n, last - first + 1, or, for an
              interval, n, of which the first *found are set
     v        NULL, or n-by-columns-by-pages  */
typedef enum
{
  GPUEIG_SELECT_ALL,
  GPUEIG_SELECT_INDEX,
  GPUEIG_SELECT_INTERVAL
} gpueig_select;

typedef struct
{
  gpueig_type type;
  int64_t n, pages;
  const void *a, *b, *guess, *d, *e;
  int symmetric;
  gpueig_select select;
  int64_t first, last;
  double vl, vu;
  int64_t *found;
  int *indefinite;
  void *lambda;
  void *v;
  gpueig_place place;
} gpueig_symmetric;

/* *COUNT: the number of pages of A that are finite and equal to their conjugate
   transpose, bit for bit; SYMMETRIC, one per page, is set to 1 for these, to 0 for the
   others.  Fails only where A is on a GPU.  */
gpueig_status gpueig_find_symmetric (gpueig_context *ctx, gpueig_type type,
                                     const void *a, int64_t n, int64_t pages,
                                     gpueig_place place,
                                     unsigned char *symmetric, int64_t *count);

/* GPUEIG_NONFINITE with the first element of A that is NaN or Inf, if there is
   one; WHAT names A in the message.  */
gpueig_status gpueig_check_finite (gpueig_context *ctx, gpueig_type type,
                                   const void *a, int64_t n, int64_t pages,
                                   gpueig_place place, const char *what);

/* Two-sided Jacobi.  Methods:
     "classical"       largest off-diagonal element as pivot, T. Wang et al.,
                       2012
     "block"           one-sided rotations of columns; on the CPU
     "preconditioned"  refined approximate eigenvectors
     "auto"            the fastest of these for the size and the backend
   Pairs: method "auto"; high_accuracy: also where B is nearly singular.
   Reads tol, max_sweeps, max_rotations (classical), high_accuracy.
   O(n^3) per sweep, O(n^2) memory per page.  */
gpueig_status gpueig_jacobi_eig (gpueig_context *ctx,
                                 const gpueig_symmetric *problem,
                                 const gpueig_options *options,
                                 gpueig_info *info);

/* Symmetric and Hermitian problems by the fastest reliable solver for the size and
   the machine.  Methods:
     "auto"    chosen by measured times
     "mrrr"    reduction to tridiagonal form and MRRR, also for parts of the spectrum
     "syevd"   divide and conquer of LAPACK or cuSOLVER
     "ql", "dc"  on a GPU only, order <= 48 and <= 256: tridiagonal form and implicit QL,
               above order 48 divide and conquer, all pages at once.  Read max_sweeps,
               QL iterations per eigenvalue (default 30); then one-sided Jacobi
   O(n^3) per page.  */
gpueig_status gpueig_eig_symmetric (gpueig_context *ctx,
                                    const gpueig_symmetric *problem,
                                    const gpueig_options *options,
                                    gpueig_info *info);

/* One-sided Jacobi for real symmetric and Hermitian matrices, one or a stack
   of pages.  Methods:
     "hestenes"   rotates the columns of A itself and accumulates V, largest
                  column first (C.-C. Sun, Y.-S. Hu, 2016), then separates
                  +lambda from -lambda on the columns of A V + shift V
     "cholesky"   rotates the columns of the pivoted Cholesky factor of A
     "shifted"    rotates the columns of A + shift: no factorisation
     "auto"       the fastest of these for the size and the backend
   The shift makes the matrix definite, so the normalized columns are the
   eigenvectors and no product of rotations is accumulated.  high_accuracy is
   "cholesky", by which every eigenvalue of a positive definite A = D B D has a
   relative error of about n eps cond (B); a page that is not positive definite is
   solved with normal accuracy, and info->fallback then is
   "shifted".  Reads tol (columns x, y count as
   orthogonal when |x'y| <= tol |x| |y|; default sqrt (n) eps), max_sweeps
   (default 40), high_accuracy.  O(n^3) per sweep, O(n^2) memory per page.  */
gpueig_status gpueig_onesided_eig (gpueig_context *ctx,
                                   const gpueig_symmetric *problem,
                                   const gpueig_options *options,
                                   gpueig_info *info);

/* --- general eigenproblems --- */
/* A V = V diag (lambda), W' A = diag (lambda) W'; columns of V and W of 2-norm 1.
     a       n-by-n-by-pages, type TYPE, real or complex
     b       NULL, or n-by-n-by-pages (gpueig_eig_general, "auto" only): A V = B V diag
             (lambda), W' A = diag (lambda) W' B, by LAPACK's xGGEV (the QZ iteration), on
             the CPU; lambda is Inf or NaN where B is singular, and the vectors are scaled
             as LAPACK's: the largest component has |re| + |im| = 1
     symmetric  NULL, or nonzero for pages whose A, and B unless it is NULL, passed
             gpueig_find_symmetric (gpueig_eig_general, "auto" only): these are solved by
             gpueig_eig_symmetric, with real ascending lambda, V' (B) V = I, w equal to v
     state   NULL, or one byte per page, which is undefined on exit (solvers mark pages for
             which another method is to be called)
     lambda  n-by-pages, complex of the same precision
     v, w    NULL, or n-by-n-by-pages, complex of the same precision  */
typedef struct
{
  gpueig_type type;
  int64_t n, pages;
  const void *a, *b;
  int balance; /* nonzero: permute and scale A first, as xGEEVX with "B" */
  const unsigned char *symmetric;
  unsigned char *state;
  void *lambda, *v, *w;
  gpueig_place place;
} gpueig_general;

/* General problems by the fastest reliable solver for the size and the machine.
   Methods:
     "geev"  LAPACK's xGEEVX, on the CPU: eigenvalues in LAPACK's order
     "qr"    the multishift QR algorithm of this library; eigenvalues in the order of
             the Schur form; on a GPU four or more pages up to order 128, two and three
             up to 32, all at once.  Reads on a GPU max_sweeps, of deflation windows or
             sweeps
     "auto"  chosen by measured times
   Eigenvalues are verified; pages for which a method fails are solved by the other one on
   the CPU, which info->fallback then names.
   The component of largest modulus of a vector is real, as LAPACK's.  O(n^3) per page.  */
gpueig_status gpueig_eig_general (gpueig_context *ctx,
                                  const gpueig_general *problem,
                                  const gpueig_options *options,
                                  gpueig_info *info);

/* The Jacobi-like method of Eberlein and Shroff: norm-reducing shears, unitary
   transformations and diagonal scaling, then Newton refinement with the original
   matrix.  Pages run side by side.  Methods:
     "shroff"  this method; pages for which it stagnates (defective or nearly so)
               are solved by LAPACK, info->fallback then is "geev"
     "geev"    Hessenberg QR, LAPACK's or cuSOLVER's
     "qr"      as in gpueig_eig_general
     "auto"    the fastest for the size and the backend
   Order: real part ascending, then |imaginary part| ascending, then the positive one
   first; pairs of a real A together.  Hermitian pages: LAMBDA real, V orthonormal.
   Reads tol (stop at |off (A)|_F <= tol |A|_F; refinement follows), max_sweeps
   (when reached: GPUEIG_NO_CONVERGENCE, outputs of the last sweep).
   O(n^3) per sweep, 10 to 20 sweeps, O(n^2) memory per page in flight.  */
gpueig_status gpueig_complex_eig (gpueig_context *ctx,
                                  const gpueig_general *problem,
                                  const gpueig_options *options,
                                  gpueig_info *info);

/* --- MRRR --- */
/* Eigenpairs of a symmetric tridiagonal matrix, then type is GPUEIG_FLOAT or GPUEIG_DOUBLE, or
   of a dense symmetric or Hermitian one, which is reduced to tridiagonal form first; b is
   NULL.  */
typedef gpueig_symmetric gpueig_mrrr_problem;

/* Methods:
     "mrrr"      representation tree in twice the working precision
     "stemr", "stevd"  LAPACK's MRRR and divide and conquer, CPU backend only
     "auto"      "mrrr"; on a GPU, for stacks, implicit QL up to order 32, divide and
                 conquer up to 256 (info.method is "ql" or "dc")
   O(n k) work for k eigenpairs of a tridiagonal matrix; O(n) scratch memory, with
   CUDA and clusters up to the size of the result more.  Results do not depend on
   the number of threads; a matrix multiplied by a power of two gives eigenvalues
   multiplied by it and the same vectors, bit for bit.  info->extra: "clusters",
   "depth" of the representation tree, "fallbacks" (vectors computed by inverse
   iteration).  */
gpueig_status gpueig_mrrr (gpueig_context *ctx, const gpueig_symmetric *problem,
                           const gpueig_options *options, gpueig_info *info);

GPUEIG_END_C

#endif
