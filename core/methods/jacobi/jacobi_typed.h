/* Internal interface of the typed files of two-sided Jacobi on the CPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_JACOBI_TYPED_H
#define GE_JACOBI_TYPED_H 1

#include "jacobi/jacobi.h"
#include "lapack/lapack.h"
#include "base/rotation.h"

/* --- whole matrices ---

   On entry A is the matrix, scaled to elements of at most 1, and V (or NULL) a unitary
   matrix X.  On exit A is destroyed, LAMBDA has the eigenvalues, unsorted, and V = X
   times the eigenvectors of A.  */

gpueig_status FN (ge_jacobi_classical) (gpueig_context *, int64_t n,
                                        scalar_t *a, scalar_t *v,
                                        real_t *lambda,
                                        const ge_jacobi_control *,
                                        gpueig_info *);

/* As ge_jacobi_classical, but V holds approximate eigenvectors on entry and may not be
   NULL; A is not changed.  */
gpueig_status FN (ge_jacobi_refine) (gpueig_context *, int64_t n,
                                     const scalar_t *a, scalar_t *v,
                                     real_t *lambda, const ge_jacobi_control *,
                                     gpueig_info *);

/* --- jacobi/accurate_typed.c --- */

/* *GOOD: |X'X z - z| is not larger than usual rounding errors, for the z of
   base/verify_by_sampling.h.  O(n^2).  */
gpueig_status FN (ge_jacobi_is_orthonormal) (gpueig_context *, int64_t n,
                                             const scalar_t *x, int *good);

/* W = A X; LAMBDA are Rayleigh's quotients, SQUARES the squares of the 2-norms of the
   columns of W - X diag (lambda).  *ACCURATE: none of these norms is larger than that of
   n elements FLOOR_TOL max |lambda|, and X is orthonormal.  */
gpueig_status FN (ge_jacobi_is_accurate) (gpueig_context *, int64_t n,
                                          const scalar_t *a, const scalar_t *x,
                                          double floor_tol, scalar_t *w,
                                          real_t *lambda, double *squares,
                                          int *accurate);

/* --- jacobi/pages_typed.c --- */

/* Append OFF to the convergence history of INFO and report it.  */
void FN (ge_jacobi_note) (gpueig_context *, gpueig_info *, const char *what,
                          double off);

/* Frobenius norm of A times SCALE.  */
double FN (ge_frobenius) (gpueig_context *, int64_t count, const scalar_t *a,
                          real_t scale);

/* Eigenvectors V by gpueig_eig_symmetric's MRRR; *FAILED is set if there are none.  */
gpueig_status FN (ge_jacobi_start) (gpueig_context *, int64_t n,
                                    const scalar_t *a, real_t *lambda,
                                    scalar_t *v, int *failed);

gpueig_status FN (ge_jacobi_unfinished) (gpueig_context *,
                                         const ge_jacobi_control *);

#endif
