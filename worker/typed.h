/* Declarations for the typed files, and ScaLAPACK for their type.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The problem is scaled by powers of two and, for the upper end of the spectrum, by -1,
   and a pair is reduced to a standard problem.  The fields of wk_problem are those of
   the scaled problem; results are unscaled when they are written.  */

#ifndef WK_TYPED_H
#define WK_TYPED_H 1

#include "lapack/lapack.h"
#include "worker.h"

#define MPI_REAL_TYPE (GE_DOUBLE ? MPI_DOUBLE : MPI_FLOAT)

typedef struct
{
  wk_job *job;
  scalar_t *a, *b, *v; /* local blocks; B: NULL or its Cholesky factor */
  real_t *lambda;      /* n, ascending; the first WANTED are set */
  int vectors;         /* nonzero if vectors are requested */
  int wanted;          /* the engine finds the lowest WANTED eigenpairs */
  wk_selection select;
  int exponent_a, exponent_b; /* divided by 2^these, the second one even */
  real_t sign;
  int refused;      /* the engine refused the problem */
  double moment[2]; /* of the standard matrix: trace, square of |.|_F */
} wk_problem;

#define WK_FUNCTIONS                                                             \
  /* The lowest eigenpairs of p->a by METHOD; p->a is destroyed.  */             \
  gpueig_status FN (wk_engine) (wk_problem * p, ge_method method);               \
  /* GPUEIG_SOLVER_FAILED unless eigenvalues and a sample of the vectors are   \
     right, as far as can be told; sets ratios of the job's record.  */ \
  gpueig_status FN (wk_verify) (wk_problem * p);                                 \
  /* X <- X * FACTOR, COUNT elements.  */                                        \
  void FN (wk_scale) (scalar_t * x, size_t count, real_t factor);
WK_FUNCTIONS

/* --- ScaLAPACK and PBLAS; ONE is the first row or column --- */

#define ppotrf_ LAPACK (pspotrf_, pdpotrf_, pcpotrf_, pzpotrf_)
void ppotrf_ (const char *uplo, const int *n, scalar_t *a, const int *ia,
              const int *ja, const int *desca, int *info, size_t);

#define ptrsm_ LAPACK (pstrsm_, pdtrsm_, pctrsm_, pztrsm_)
void ptrsm_ (const char *side, const char *uplo, const char *trans,
             const char *diag, const int *m, const int *n,
             const scalar_t *alpha, const scalar_t *a, const int *ia,
             const int *ja, const int *desca, scalar_t *b, const int *ib,
             const int *jb, const int *descb);

/* C <- beta C + alpha A^H.  */
#define ptran_ LAPACK (pstran_, pdtran_, pctranc_, pztranc_)
void ptran_ (const int *m, const int *n, const scalar_t *alpha,
             const scalar_t *a, const int *ia, const int *ja, const int *desca,
             const scalar_t *beta, scalar_t *c, const int *ic, const int *jc,
             const int *descc);

#define psyevd_ LAPACK (pssyevd_, pdsyevd_, pcheevd_, pzheevd_)
void psyevd_ (const char *jobz, const char *uplo, const int *n, scalar_t *a,
              const int *ia, const int *ja, const int *desca, real_t *w,
              scalar_t *z, const int *iz, const int *jz, const int *descz,
              scalar_t *work, const int *lwork,
#if GE_COMPLEX
              real_t *rwork, const int *lrwork,
#endif
              int *iwork, const int *liwork, int *info, size_t, size_t);

#endif
