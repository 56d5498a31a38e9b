/* The typed parts of Jacobi on the CPU, among themselves.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_JACOBI_TYPED_H
#define GE_JACOBI_TYPED_H 1

#include "eig.h"
#include "jacobi.h"
#include "lapack.h"
#include "rotation.h"

/* --- jacobi_cyclic_typed.c --- */

/* A Hermitian matrix under element-wise rotations.  The order M is even (an odd
   one gets a zero row and column).  Real and imaginary parts lie in planes, the
   imaginary one is not there for real types.  Column j of a plane belongs to
   player j; within a column the rows lie in the order of the seats, so that
   the rows of all games of a round are rotated by two contiguous vectors (see
   ge_seat_after).  After whole sweeps rows are in the order of players.  */
typedef struct
{
  int64_t m, ld;
  real_t *a[2];
  int64_t rows, ldv;       /* of the vectors */
  real_t *v[2];            /* v[0] NULL: not wanted */
  int32_t *player;         /* in which seat */
  real_t *c, *w[2];        /* cosine, sine times phase, by game */
  real_t *near_p, *near_q; /* new diagonal elements */
  real_t *scratch;         /* of GE_CYCLIC_SCRATCH columns a thread */
  int threads;
} FN (ge_cyclic);

/* Bytes of workspace for order N, vectors with ROWS rows (0: none).  */
size_t FN (ge_cyclic_bytes) (int64_t n, int64_t rows, int threads);

/* Lay W out in MEMORY (64-byte aligned).  */
void FN (ge_cyclic_place) (FN (ge_cyclic) * w, int64_t n, int64_t rows,
                           int threads, void *memory);

/* Load the N-by-N matrix A times SCALE, vectors the identity.  ORDER, if not
   NULL, gives the column of A for each player.  */
void FN (ge_cyclic_load) (FN (ge_cyclic) * w, int64_t n, const scalar_t *a,
                          int64_t lda, real_t scale, const int64_t *order);

/* One sweep, by all threads where W was laid out for them; *ROTATIONS: how many
   there were.  CTX NULL: on the calling thread, whichever that is.  */
gpueig_status FN (ge_cyclic_sweep) (gpueig_context *ctx, FN (ge_cyclic) * w,
                                    real_t tol, real_t floor,
                                    int64_t *rotations);

/* How many off-diagonal elements are not negligible; *OFF2 the sum of their
   squares, all of them.  */
int64_t FN (ge_cyclic_count) (const FN (ge_cyclic) * w, real_t tol,
                              real_t floor, double *off2);

real_t FN (ge_cyclic_diagonal) (const FN (ge_cyclic) * w, int64_t j);

/* Column j of the vectors, interleaved.  */
void FN (ge_cyclic_vector) (const FN (ge_cyclic) * w, int64_t j, scalar_t *v);

/* --- whole matrices ---

   On entry A is the matrix, scaled to elements of at most 1 and overwritten, V
   (NULL: not wanted) a unitary matrix X, the identity at first.  On exit
   LAMBDA, unsorted, and V = X times the eigenvectors of A.  */

gpueig_status FN (ge_jacobi_block) (gpueig_context *, int64_t n, scalar_t *a,
                                    scalar_t *v, real_t *lambda, real_t floor,
                                    const ge_jacobi_control *, gpueig_info *);
gpueig_status FN (ge_jacobi_classical) (gpueig_context *, int64_t n,
                                        scalar_t *a, scalar_t *v,
                                        real_t *lambda,
                                        const ge_jacobi_control *,
                                        gpueig_info *);

/* As above, but V holds approximate eigenvectors on entry and may not be NULL.
   A is kept.  */
gpueig_status FN (ge_jacobi_refine) (gpueig_context *, int64_t n,
                                     const scalar_t *a, scalar_t *v,
                                     real_t *lambda, const ge_jacobi_control *,
                                     gpueig_info *);

/* --- jacobi_eig_typed.c --- */

/* Note a sweep in INFO and tell the user.  */
void FN (ge_jacobi_note) (gpueig_context *, gpueig_info *, const char *what,
                          double off);

/* ORDER becomes the positions of LAMBDA in ascending order; stable.  */
void FN (ge_jacobi_order) (int64_t n, const real_t *lambda, int64_t *order);

/* Frobenius norm of A times SCALE.  */
double FN (ge_frobenius) (gpueig_context *, int64_t count, const scalar_t *a,
                          real_t scale);

/* The number of non-negligible elements of a full matrix, and the sum of
   squares of all off-diagonal ones.  CTX as for ge_share_pass, here and above.  */
int64_t FN (ge_count_off) (gpueig_context *, int64_t n, const scalar_t *a,
                           int64_t lda, real_t tol, real_t floor, double *off2);

gpueig_status FN (ge_jacobi_unfinished) (gpueig_context *,
                                         const ge_jacobi_control *);

#endif
