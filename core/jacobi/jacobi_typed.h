/* Internal interface of the typed files of two-sided Jacobi on the CPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_JACOBI_TYPED_H
#define GE_JACOBI_TYPED_H 1

#include "jacobi/jacobi.h"
#include "lapack/lapack.h"
#include "base/rotation.h"

/* --- jacobi/cyclic_typed.c --- */

/* A Hermitian matrix during element-wise rotations.  The order M is even (a zero row
   and column are added to an odd one).  Real and imaginary parts are in separate
   planes; for real types there is no imaginary one.  Columns keep their places; the
   rows are permuted after every round (ge_next_position), so that the rows of all pairs
   of a round are two contiguous vectors.  After a whole sweep rows are in the order
   of the columns.  */
typedef struct
{
  int64_t m, ld;
  real_t *a[2];
  int64_t rows, ldv;       /* of the vectors */
  real_t *v[2];            /* v[0] NULL: no vectors */
  int32_t *column;         /* index of the column at each position */
  real_t *c, *w[2];        /* cosine, sine times phase, per pair */
  real_t *near_p, *near_q; /* new diagonal elements */
  real_t *scratch;         /* GE_CYCLIC_SCRATCH columns per thread */
  int threads;
} FN (ge_cyclic);

/* Bytes of workspace for order N, vectors with ROWS rows (0: none).  */
size_t FN (ge_cyclic_bytes) (int64_t n, int64_t rows, int threads);

/* Lay W out in MEMORY (64-byte aligned).  */
void FN (ge_cyclic_lay_out) (FN (ge_cyclic) * w, int64_t n, int64_t rows,
                             int threads, void *memory);

/* Load the N-by-N matrix SCALE A; vectors become the identity.  ORDER, if not NULL, is
   a symmetric permutation: column j is column ORDER[j] of A.  */
void FN (ge_cyclic_load) (FN (ge_cyclic) * w, int64_t n, const scalar_t *a,
                          int64_t lda, real_t scale, const int64_t *order);

/* One sweep, on the number of threads that W was laid out for; *ROTATIONS is the number
   of rotations.  CTX NULL: on the calling thread, which may be any.  */
gpueig_status FN (ge_cyclic_sweep) (gpueig_context *ctx, FN (ge_cyclic) * w,
                                    real_t tol, real_t floor,
                                    int64_t *rotations);

/* The number of off-diagonal elements that are not negligible; *OFF2 is the sum of
   squares of all off-diagonal elements times UNIT.  */
int64_t FN (ge_cyclic_count) (const FN (ge_cyclic) * w, real_t tol,
                              real_t floor, double unit, double *off2);

real_t FN (ge_cyclic_diagonal) (const FN (ge_cyclic) * w, int64_t j);

/* Column j of the vectors, interleaved.  */
void FN (ge_cyclic_vector) (const FN (ge_cyclic) * w, int64_t j, scalar_t *v);

/* --- whole matrices ---

   On entry A is the matrix, scaled to elements of at most 1, and V (or NULL) a unitary
   matrix X.  On exit A is destroyed, LAMBDA has the eigenvalues, unsorted, and V = X
   times the eigenvectors of A.  */

gpueig_status FN (ge_jacobi_classical) (gpueig_context *, int64_t n,
                                        scalar_t *a, scalar_t *v,
                                        real_t *lambda,
                                        const ge_jacobi_control *,
                                        gpueig_info *);

/* As above, but V holds approximate eigenvectors on entry and may not be NULL; A is not
   changed.  */
gpueig_status FN (ge_jacobi_refine) (gpueig_context *, int64_t n,
                                     const scalar_t *a, scalar_t *v,
                                     real_t *lambda, const ge_jacobi_control *,
                                     gpueig_info *);

/* --- jacobi/accurate_typed.c --- */

/* *GOOD: |X'X z - z| is not larger than usual rounding errors, for a fixed
   pseudo-random z with elements of modulus 1/2 to 3/2.  O(n^2).  */
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

/* ORDER = permutation that sorts LAMBDA to ascending order; stable.  */
void FN (ge_jacobi_order) (int64_t n, const real_t *lambda, int64_t *order);

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
