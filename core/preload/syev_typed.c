/* Symmetric and Hermitian matrices: ?syev, ?syevd, ?syevr, ?syevx.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "preload/drivers.h"

/* Describe the matrix; zero if LAPACK refuses an argument.  */
static int
describe (ge_request *r, const char *jobz, const char *uplo, scalar_t *a,
          const lapack_int *lda)
{
  r->vectors = is (jobz, 'V');
  r->upper = is (uplo, 'U');
  r->a = a;
  r->lda = *lda;
  return is_one_of (jobz, "NV") && is_one_of (uplo, "UL") && r->lda >= r->n;
}

/* As ?syev: all eigenvalues, the vectors replace A.  */
static void
in_place (ge_request *r, scalar_t *a, const lapack_int *lda, real_t *w)
{
  r->range = 'A';
  r->w = w;
  r->z = r->vectors ? a : NULL;
  r->ldz = *lda;
}

#define syev NAME (ssyev, dsyev, cheev, zheev)
EXPORT void
syev (const char *jobz, const char *uplo, const lapack_int *n, scalar_t *a,
      const lapack_int *lda, real_t *w, scalar_t *work, const lapack_int *lwork,
#if GE_COMPLEX
      real_t *rwork,
#endif
      lapack_int *info, length l1, length l2)
{
  BEGIN (SYEV, syev);
#if GE_COMPLEX
#  define CALL_NEXT(lwork)                                                     \
    next (jobz, uplo, n, a, lda, w, work, lwork, rwork, info, l1, l2)
#else
#  define CALL_NEXT(lwork)                                                     \
    next (jobz, uplo, n, a, lda, w, work, lwork, info, l1, l2)
#endif
  if (may && describe (&r, jobz, uplo, a, lda)
      && *lwork >= REAL_COMPLEX (3, 2) * r.n - 1)
    {
      in_place (&r, a, lda, w);
      if (TAKE ())
        {
          CALL_NEXT (&query);
          return;
        }
    }
  CALL_NEXT (lwork);
}
#undef CALL_NEXT

/* Nonzero if the workspaces are as large as divide and conquer needs.  */
static int
enough (const ge_request *r, const lapack_int *lwork, const lapack_int *lrwork,
        const lapack_int *liwork)
{
  const int64_t n = r->n;
  if (n == 1)
    return *lwork >= 1 && *liwork >= 1 && (! lrwork || *lrwork >= 1);
  const int64_t real = r->vectors ? 1 + 5 * n + 2 * n * n : n;
  const int64_t scalar = REAL_COMPLEX (r->vectors ? real + n : 2 * n + 1,
                                       r->vectors ? 2 * n + n * n : n + 1);
  return *lwork >= scalar && (! lrwork || *lrwork >= real)
         && *liwork >= (r->vectors ? 3 + 5 * n : 1);
}

#define syevd NAME (ssyevd, dsyevd, cheevd, zheevd)
EXPORT void
syevd (const char *jobz, const char *uplo, const lapack_int *n, scalar_t *a,
       const lapack_int *lda, real_t *w, scalar_t *work,
       const lapack_int *lwork,
#if GE_COMPLEX
       real_t *rwork, const lapack_int *lrwork,
#endif
       lapack_int *iwork, const lapack_int *liwork, lapack_int *info, length l1,
       length l2)
{
  BEGIN (SYEVD, syevd);
#if GE_COMPLEX
#  define CALL_NEXT(lwork)                                                     \
    next (jobz, uplo, n, a, lda, w, work, lwork, rwork, lrwork, iwork, liwork, \
          info, l1, l2)
#else
  const lapack_int *const lrwork = NULL;
#  define CALL_NEXT(lwork)                                                     \
    next (jobz, uplo, n, a, lda, w, work, lwork, iwork, liwork, info, l1, l2)
#endif
  if (may && describe (&r, jobz, uplo, a, lda)
      && enough (&r, lwork, lrwork, liwork))
    {
      in_place (&r, a, lda, w);
      if (TAKE ())
        {
          CALL_NEXT (&query);
          return;
        }
    }
  CALL_NEXT (lwork);
}
#undef CALL_NEXT

/* A part of the spectrum, with vectors in Z; zero if LAPACK refuses an argument.  */
static int
apart (ge_request *r, const char *range, const real_t *vl, const real_t *vu,
       const lapack_int *il, const lapack_int *iu, real_t *w, scalar_t *z,
       const lapack_int *ldz)
{
  r->w = w;
  r->z = r->vectors ? z : NULL;
  r->ldz = *ldz;
  return select_range (r, range, vl, vu, il, iu)
         && r->ldz >= (r->vectors ? r->n : 1);
}

#define syevr NAME (ssyevr, dsyevr, cheevr, zheevr)
EXPORT void
syevr (const char *jobz, const char *range, const char *uplo,
       const lapack_int *n, scalar_t *a, const lapack_int *lda,
       const real_t *vl, const real_t *vu, const lapack_int *il,
       const lapack_int *iu, const real_t *abstol, lapack_int *m, real_t *w,
       scalar_t *z, const lapack_int *ldz, lapack_int *isuppz, scalar_t *work,
       const lapack_int *lwork,
#if GE_COMPLEX
       real_t *rwork, const lapack_int *lrwork,
#endif
       lapack_int *iwork, const lapack_int *liwork, lapack_int *info, length l1,
       length l2, length l3)
{
  BEGIN (SYEVR, syevr);
#if GE_COMPLEX
#  define CALL_NEXT(lwork)                                                     \
    next (jobz, range, uplo, n, a, lda, vl, vu, il, iu, abstol, m, w, z, ldz,  \
          isuppz, work, lwork, rwork, lrwork, iwork, liwork, info, l1, l2, l3)
  const int enough = *lwork >= 2 * r.n && *lrwork >= 24 * r.n;
#else
#  define CALL_NEXT(lwork)                                                     \
    next (jobz, range, uplo, n, a, lda, vl, vu, il, iu, abstol, m, w, z, ldz,  \
          isuppz, work, lwork, iwork, liwork, info, l1, l2, l3)
  const int enough = *lwork >= 26 * r.n;
#endif
  if (may && enough && *liwork >= 10 * r.n && describe (&r, jobz, uplo, a, lda)
      && apart (&r, range, vl, vu, il, iu, w, z, ldz) && TAKE ())
    {
      CALL_NEXT (&query);
      *m = (lapack_int) r.found;
      if (r.vectors && r.range != 'V' && r.found == r.n)
        whole_supports (isuppz, r.found, r.n);
      return;
    }
  CALL_NEXT (lwork);
}
#undef CALL_NEXT

#define syevx NAME (ssyevx, dsyevx, cheevx, zheevx)
EXPORT void
syevx (const char *jobz, const char *range, const char *uplo,
       const lapack_int *n, scalar_t *a, const lapack_int *lda,
       const real_t *vl, const real_t *vu, const lapack_int *il,
       const lapack_int *iu, const real_t *abstol, lapack_int *m, real_t *w,
       scalar_t *z, const lapack_int *ldz, scalar_t *work,
       const lapack_int *lwork,
#if GE_COMPLEX
       real_t *rwork,
#endif
       lapack_int *iwork, lapack_int *ifail, lapack_int *info, length l1,
       length l2, length l3)
{
  BEGIN (SYEVX, syevx);
#if GE_COMPLEX
#  define CALL_NEXT(lwork)                                                     \
    next (jobz, range, uplo, n, a, lda, vl, vu, il, iu, abstol, m, w, z, ldz,  \
          work, lwork, rwork, iwork, ifail, info, l1, l2, l3)
#else
#  define CALL_NEXT(lwork)                                                     \
    next (jobz, range, uplo, n, a, lda, vl, vu, il, iu, abstol, m, w, z, ldz,  \
          work, lwork, iwork, ifail, info, l1, l2, l3)
#endif
  if (may && *lwork >= (r.n == 1 ? 1 : REAL_COMPLEX (8, 2) * r.n)
      && describe (&r, jobz, uplo, a, lda)
      && apart (&r, range, vl, vu, il, iu, w, z, ldz) && TAKE ())
    {
      CALL_NEXT (&query);
      *m = (lapack_int) r.found;
      for (int64_t i = 0; r.vectors && i < r.found; i++)
        ifail[i] = 0;
      return;
    }
  CALL_NEXT (lwork);
}
#undef CALL_NEXT
