/* BLAS and LAPACK for the type of the file that includes this: one prototype
   per routine serves four types.  Only for typed files (see scalar.h).
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The trailing size_t are the hidden lengths of character arguments that
   Fortran compilers expect.  */

#ifndef GE_LAPACK_H
#define GE_LAPACK_H 1

#include "base/solver.h"
#include "base/scalar.h"

typedef int lapack_int;

/* Nonzero if N fits LAPACK's 32-bit integers.  */
static inline int
ge_is_lapack_int (int64_t n)
{
  return n >= 0 && n <= INT32_MAX;
}

/* Convert a size to LAPACK's integer, GPUEIG_OUT_OF_MEMORY if it does not fit; all
   conversions use this function.  */
static inline gpueig_status
ge_lapack_int (gpueig_context *ctx, int64_t n, lapack_int *out)
{
  *out = 0;
  if (! ge_is_lapack_int (n))
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                        "a size of %lld is more than LAPACK's %d",
                        (long long) n, INT32_MAX);
  *out = (lapack_int) n;
  return GPUEIG_OK;
}

#define gemm_ LAPACK (sgemm_, dgemm_, cgemm_, zgemm_)
void gemm_ (const char *transa, const char *transb, const lapack_int *m,
            const lapack_int *n, const lapack_int *k, const scalar_t *alpha,
            const scalar_t *a, const lapack_int *lda, const scalar_t *b,
            const lapack_int *ldb, const scalar_t *beta, scalar_t *c,
            const lapack_int *ldc, size_t, size_t);

/* syrk, or herk for complex types.  */
#define herk_ LAPACK (ssyrk_, dsyrk_, cherk_, zherk_)
void herk_ (const char *uplo, const char *trans, const lapack_int *n,
            const lapack_int *k, const real_t *alpha, const scalar_t *a,
            const lapack_int *lda, const real_t *beta, scalar_t *c,
            const lapack_int *ldc, size_t, size_t);

#define trsm_ LAPACK (strsm_, dtrsm_, ctrsm_, ztrsm_)
void trsm_ (const char *side, const char *uplo, const char *transa,
            const char *diag, const lapack_int *m, const lapack_int *n,
            const scalar_t *alpha, const scalar_t *a, const lapack_int *lda,
            scalar_t *b, const lapack_int *ldb, size_t, size_t, size_t, size_t);

/* Z <- ALPHA op (X) op (Y) + BETA Z by the BLAS, M-by-N with inner dimension K.  */
static inline void
multiply_ (const char *opx, const char *opy, int64_t m, int64_t n, int64_t k,
           int alpha, const scalar_t *x, int64_t ldx, const scalar_t *y,
           int64_t ldy, int beta, scalar_t *z, int64_t ldz)
{
  const lapack_int size[]
      = { (lapack_int) m,   (lapack_int) n,   (lapack_int) k,
          (lapack_int) ldx, (lapack_int) ldy, (lapack_int) ldz };
  const scalar_t a = (real_t) alpha, b = (real_t) beta;
  gemm_ (opx, opy, &size[0], &size[1], &size[2], &a, x, &size[3], y, &size[4],
         &b, z, &size[5], 1, 1);
}

/* X <- op (L)^-1 X, L N-by-N and lower triangular, COLUMNS columns.  */
static inline void
solve_lower_ (const char *op, int64_t n, int64_t columns, const scalar_t *l,
              scalar_t *x)
{
  const lapack_int order = (lapack_int) n, count = (lapack_int) columns;
  const scalar_t one = 1;
  trsm_ ("L", "L", op, "N", &order, &count, &one, l, &order, x, &order, 1, 1, 1,
         1);
}

#define trmm_ LAPACK (strmm_, dtrmm_, ctrmm_, ztrmm_)
void trmm_ (const char *side, const char *uplo, const char *transa,
            const char *diag, const lapack_int *m, const lapack_int *n,
            const scalar_t *alpha, const scalar_t *a, const lapack_int *lda,
            scalar_t *b, const lapack_int *ldb, size_t, size_t, size_t, size_t);

#define potrf_ LAPACK (spotrf_, dpotrf_, cpotrf_, zpotrf_)
void potrf_ (const char *uplo, const lapack_int *n, scalar_t *a,
             const lapack_int *lda, lapack_int *info, size_t);

/* Cholesky factorization with complete pivoting; WORK has 2 n reals.  */
#define pstrf_ LAPACK (spstrf_, dpstrf_, cpstrf_, zpstrf_)
void pstrf_ (const char *uplo, const lapack_int *n, scalar_t *a,
             const lapack_int *lda, lapack_int *piv, lapack_int *rank,
             const real_t *tol, real_t *work, lapack_int *info, size_t);

/* sygst or hegst: reduce a definite pair to standard form.  */
#define hegst_ LAPACK (ssygst_, dsygst_, chegst_, zhegst_)
void hegst_ (const lapack_int *itype, const char *uplo, const lapack_int *n,
             scalar_t *a, const lapack_int *lda, const scalar_t *b,
             const lapack_int *ldb, lapack_int *info, size_t);

/* Divide and conquer; the complex form has one workspace more.  */
#define heevd_ LAPACK (ssyevd_, dsyevd_, cheevd_, zheevd_)
void heevd_ (const char *jobz, const char *uplo, const lapack_int *n,
             scalar_t *a, const lapack_int *lda, real_t *w, scalar_t *work,
             const lapack_int *lwork,
#if GE_COMPLEX
             real_t *rwork, const lapack_int *lrwork,
#endif
             lapack_int *iwork, const lapack_int *liwork, lapack_int *info,
             size_t, size_t);

/* QR iteration.  */
#define heev_ LAPACK (ssyev_, dsyev_, cheev_, zheev_)
void heev_ (const char *jobz, const char *uplo, const lapack_int *n,
            scalar_t *a, const lapack_int *lda, real_t *w, scalar_t *work,
            const lapack_int *lwork,
#if GE_COMPLEX
            real_t *rwork,
#endif
            lapack_int *info, size_t, size_t);

#define gemv_ LAPACK (sgemv_, dgemv_, cgemv_, zgemv_)
void gemv_ (const char *trans, const lapack_int *m, const lapack_int *n,
            const scalar_t *alpha, const scalar_t *a, const lapack_int *lda,
            const scalar_t *x, const lapack_int *incx, const scalar_t *beta,
            scalar_t *y, const lapack_int *incy, size_t);

/* symv, or hemv for complex types.  */
#define hemv_ LAPACK (ssymv_, dsymv_, chemv_, zhemv_)
void hemv_ (const char *uplo, const lapack_int *n, const scalar_t *alpha,
            const scalar_t *a, const lapack_int *lda, const scalar_t *x,
            const lapack_int *incx, const scalar_t *beta, scalar_t *y,
            const lapack_int *incy, size_t);

/* Reduction to tridiagonal form: one reflector; the unblocked reduction.  */
#define larfg_ LAPACK (slarfg_, dlarfg_, clarfg_, zlarfg_)
void larfg_ (const lapack_int *n, scalar_t *alpha, scalar_t *x,
             const lapack_int *incx, scalar_t *tau);

#define hetd2_ LAPACK (ssytd2_, dsytd2_, chetd2_, zhetd2_)
void hetd2_ (const char *uplo, const lapack_int *n, scalar_t *a,
             const lapack_int *lda, real_t *d, real_t *e, scalar_t *tau,
             lapack_int *info, size_t);

/* Block reflectors: the factor T of H1 H2 ... = I - V T V', and their product with
   a matrix.  */
#define larft_ LAPACK (slarft_, dlarft_, clarft_, zlarft_)
void larft_ (const char *direct, const char *storev, const lapack_int *n,
             const lapack_int *k, scalar_t *v, const lapack_int *ldv,
             const scalar_t *tau, scalar_t *t, const lapack_int *ldt, size_t,
             size_t);

#define larfb_ LAPACK (slarfb_, dlarfb_, clarfb_, zlarfb_)
void larfb_ (const char *side, const char *trans, const char *direct,
             const char *storev, const lapack_int *m, const lapack_int *n,
             const lapack_int *k, const scalar_t *v, const lapack_int *ldv,
             const scalar_t *t, const lapack_int *ldt, scalar_t *c,
             const lapack_int *ldc, scalar_t *work, const lapack_int *ldwork,
             size_t, size_t, size_t, size_t);

/* QR factorisation and its orthogonal or unitary factor.  */
#define geqrf_ LAPACK (sgeqrf_, dgeqrf_, cgeqrf_, zgeqrf_)
void geqrf_ (const lapack_int *m, const lapack_int *n, scalar_t *a,
             const lapack_int *lda, scalar_t *tau, scalar_t *work,
             const lapack_int *lwork, lapack_int *info);

#define gebal_ LAPACK (sgebal_, dgebal_, cgebal_, zgebal_)
void gebal_ (const char *job, const lapack_int *n, scalar_t *a,
             const lapack_int *lda, lapack_int *ilo, lapack_int *ihi,
             real_t *scale, lapack_int *info, size_t);
#define gebak_ LAPACK (sgebak_, dgebak_, cgebak_, zgebak_)
void gebak_ (const char *job, const char *side, const lapack_int *n,
             const lapack_int *ilo, const lapack_int *ihi, const real_t *scale,
             const lapack_int *m, scalar_t *v, const lapack_int *ldv,
             lapack_int *info, size_t, size_t);

/* Products with the orthogonal or unitary factor.  */
#define unmqr_ LAPACK (sormqr_, dormqr_, cunmqr_, zunmqr_)
void unmqr_ (const char *side, const char *trans, const lapack_int *m,
             const lapack_int *n, const lapack_int *k, const scalar_t *a,
             const lapack_int *lda, const scalar_t *tau, scalar_t *c,
             const lapack_int *ldc, scalar_t *work, const lapack_int *lwork,
             lapack_int *info, size_t, size_t);

/* LU with partial pivoting, solution with it and with Cholesky factors.  */
#define getrf_ LAPACK (sgetrf_, dgetrf_, cgetrf_, zgetrf_)
void getrf_ (const lapack_int *m, const lapack_int *n, scalar_t *a,
             const lapack_int *lda, lapack_int *ipiv, lapack_int *info);

#define getrs_ LAPACK (sgetrs_, dgetrs_, cgetrs_, zgetrs_)
void getrs_ (const char *trans, const lapack_int *n, const lapack_int *nrhs,
             const scalar_t *a, const lapack_int *lda, const lapack_int *ipiv,
             scalar_t *b, const lapack_int *ldb, lapack_int *info, size_t);

#define potrs_ LAPACK (spotrs_, dpotrs_, cpotrs_, zpotrs_)
void potrs_ (const char *uplo, const lapack_int *n, const lapack_int *nrhs,
             const scalar_t *a, const lapack_int *lda, scalar_t *b,
             const lapack_int *ldb, lapack_int *info, size_t);

/* Singular values and vectors by divide and conquer.  */
#define gesdd_ LAPACK (sgesdd_, dgesdd_, cgesdd_, zgesdd_)
void gesdd_ (const char *jobz, const lapack_int *m, const lapack_int *n,
             scalar_t *a, const lapack_int *lda, real_t *s, scalar_t *u,
             const lapack_int *ldu, scalar_t *vt, const lapack_int *ldvt,
             scalar_t *work, const lapack_int *lwork,
#if GE_COMPLEX
             real_t *rwork,
#endif
             lapack_int *iwork, lapack_int *info, size_t);

/* Singular value decomposition by QR iteration.  */
#define gesvd_ LAPACK (sgesvd_, dgesvd_, cgesvd_, zgesvd_)
void gesvd_ (const char *jobu, const char *jobvt, const lapack_int *m,
             const lapack_int *n, scalar_t *a, const lapack_int *lda, real_t *s,
             scalar_t *u, const lapack_int *ldu, scalar_t *vt,
             const lapack_int *ldvt, scalar_t *work, const lapack_int *lwork,
#if GE_COMPLEX
             real_t *rwork,
#endif
             lapack_int *info, size_t, size_t);

#define gebrd_ LAPACK (sgebrd_, dgebrd_, cgebrd_, zgebrd_)
void gebrd_ (const lapack_int *m, const lapack_int *n, scalar_t *a,
             const lapack_int *lda, real_t *d, real_t *e, scalar_t *tauq,
             scalar_t *taup, scalar_t *work, const lapack_int *lwork,
             lapack_int *info);

#define bdsqr_ LAPACK (sbdsqr_, dbdsqr_, cbdsqr_, zbdsqr_)
void bdsqr_ (const char *uplo, const lapack_int *n, const lapack_int *ncvt,
             const lapack_int *nru, const lapack_int *ncc, real_t *d, real_t *e,
             scalar_t *vt, const lapack_int *ldvt, scalar_t *u,
             const lapack_int *ldu, scalar_t *c, const lapack_int *ldc,
             real_t *rwork, lapack_int *info, size_t);

/* Singular value decomposition by one-sided Jacobi, m >= n.  */
#define gejsv_ LAPACK (sgejsv_, dgejsv_, cgejsv_, zgejsv_)
void gejsv_ (const char *joba, const char *jobu, const char *jobv,
             const char *jobr, const char *jobt, const char *jobp,
             const lapack_int *m, const lapack_int *n, scalar_t *a,
             const lapack_int *lda, real_t *sva, scalar_t *u,
             const lapack_int *ldu, scalar_t *v, const lapack_int *ldv,
             scalar_t *work, const lapack_int *lwork,
#if GE_COMPLEX
             real_t *rwork, const lapack_int *lrwork,
#endif
             lapack_int *iwork, lapack_int *info, size_t, size_t, size_t,
             size_t, size_t, size_t);

#define geevx_ LAPACK (sgeevx_, dgeevx_, cgeevx_, zgeevx_)
void geevx_ (const char *balanc, const char *jobvl, const char *jobvr,
             const char *sense, const lapack_int *n, scalar_t *a,
             const lapack_int *lda,
#if GE_COMPLEX
             scalar_t *w,
#else
             real_t *wr, real_t *wi,
#endif
             scalar_t *vl, const lapack_int *ldvl, scalar_t *vr,
             const lapack_int *ldvr, lapack_int *ilo, lapack_int *ihi,
             real_t *scale, real_t *abnrm, real_t *rconde, real_t *rcondv,
             scalar_t *work, const lapack_int *lwork,
#if GE_COMPLEX
             real_t *rwork,
#else
             lapack_int *iwork,
#endif
             lapack_int *info, size_t, size_t, size_t, size_t);

/* Pairs, by the QZ iteration.  */
#define ggev_ LAPACK (sggev_, dggev_, cggev_, zggev_)
void ggev_ (const char *jobvl, const char *jobvr, const lapack_int *n,
            scalar_t *a, const lapack_int *lda, scalar_t *b,
            const lapack_int *ldb,
#if GE_COMPLEX
            scalar_t *alpha,
#else
            real_t *alphar, real_t *alphai,
#endif
            scalar_t *beta, scalar_t *vl, const lapack_int *ldvl, scalar_t *vr,
            const lapack_int *ldvr, scalar_t *work, const lapack_int *lwork,
#if GE_COMPLEX
            real_t *rwork,
#endif
            lapack_int *info, size_t, size_t);

#define gees_ LAPACK (sgees_, dgees_, cgees_, zgees_)
void gees_ (const char *jobvs, const char *sort, const void *select,
            const lapack_int *n, scalar_t *a, const lapack_int *lda,
            lapack_int *sdim,
#if GE_COMPLEX
            scalar_t *w,
#else
            real_t *wr, real_t *wi,
#endif
            scalar_t *vs, const lapack_int *ldvs, scalar_t *work,
            const lapack_int *lwork,
#if GE_COMPLEX
            real_t *rwork,
#endif
            lapack_int *bwork, lapack_int *info, size_t, size_t);

/* Reorder a Schur form.  */
#define trsen_ LAPACK (strsen_, dtrsen_, ctrsen_, ztrsen_)
void trsen_ (const char *job, const char *compq, const lapack_int *select,
             const lapack_int *n, scalar_t *t, const lapack_int *ldt,
             scalar_t *q, const lapack_int *ldq,
#if GE_COMPLEX
             scalar_t *w,
#else
             real_t *wr, real_t *wi,
#endif
             lapack_int *m, real_t *s, real_t *sep, scalar_t *work,
             const lapack_int *lwork,
#if ! GE_COMPLEX
             lapack_int *iwork, const lapack_int *liwork,
#endif
             lapack_int *info, size_t, size_t);

#endif
