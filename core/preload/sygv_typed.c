/* Pairs (A, B), B positive definite: ?sygv, ?sygvd, ?sygvx.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A pair whose B is not positive definite is left to the next routine, which sets INFO
   = N + K.  */

#include "preload/drivers.h"

/* Describe the pair; zero if LAPACK refuses an argument.  */
static int
describe (ge_request *r, const lapack_int *itype, const char *jobz,
          const char *uplo, scalar_t *a, const lapack_int *lda, scalar_t *b,
          const lapack_int *ldb)
{
  r->itype = (int) *itype;
  r->vectors = is (jobz, 'V');
  r->upper = is (uplo, 'U');
  r->a = a;
  r->lda = *lda;
  r->b = b;
  r->ldb = *ldb;
  return *itype >= 1 && *itype <= 3 && is_one_of (jobz, "NV")
         && is_one_of (uplo, "UL") && r->lda >= r->n && r->ldb >= r->n;
}

static void
in_place (ge_request *r, scalar_t *a, const lapack_int *lda, real_t *w)
{
  r->range = 'A';
  r->w = w;
  r->z = r->vectors ? a : NULL;
  r->ldz = *lda;
}

#define sygv NAME (ssygv, dsygv, chegv, zhegv)
EXPORT void
sygv (const lapack_int *itype, const char *jobz, const char *uplo,
      const lapack_int *n, scalar_t *a, const lapack_int *lda, scalar_t *b,
      const lapack_int *ldb, real_t *w, scalar_t *work, const lapack_int *lwork,
#if GE_COMPLEX
      real_t *rwork,
#endif
      lapack_int *info, length l1, length l2)
{
  BEGIN (SYGV, sygv);
#if GE_COMPLEX
#  define CALL_NEXT(lwork)                                                     \
    next (itype, jobz, uplo, n, a, lda, b, ldb, w, work, lwork, rwork, info,   \
          l1, l2)
#else
#  define CALL_NEXT(lwork)                                                     \
    next (itype, jobz, uplo, n, a, lda, b, ldb, w, work, lwork, info, l1, l2)
#endif
  if (may && describe (&r, itype, jobz, uplo, a, lda, b, ldb)
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

#define sygvd NAME (ssygvd, dsygvd, chegvd, zhegvd)
EXPORT void
sygvd (const lapack_int *itype, const char *jobz, const char *uplo,
       const lapack_int *n, scalar_t *a, const lapack_int *lda, scalar_t *b,
       const lapack_int *ldb, real_t *w, scalar_t *work,
       const lapack_int *lwork,
#if GE_COMPLEX
       real_t *rwork, const lapack_int *lrwork,
#endif
       lapack_int *iwork, const lapack_int *liwork, lapack_int *info, length l1,
       length l2)
{
  BEGIN (SYGVD, sygvd);
  const int vectors = is (jobz, 'V');
  const int64_t order = r.n, square = order * order;
  int enough = order > 1 && *liwork >= (vectors ? 3 + 5 * order : 1);
#if GE_COMPLEX
#  define CALL_NEXT(lwork)                                                     \
    next (itype, jobz, uplo, n, a, lda, b, ldb, w, work, lwork, rwork, lrwork, \
          iwork, liwork, info, l1, l2)
  enough = enough && *lwork >= (vectors ? 2 * order + square : order + 1)
           && *lrwork >= (vectors ? 1 + 5 * order + 2 * square : order);
#else
#  define CALL_NEXT(lwork)                                                     \
    next (itype, jobz, uplo, n, a, lda, b, ldb, w, work, lwork, iwork, liwork, \
          info, l1, l2)
  enough = enough
           && *lwork >= (vectors ? 1 + 6 * order + 2 * square : 2 * order + 1);
#endif
  if (may && enough && describe (&r, itype, jobz, uplo, a, lda, b, ldb))
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

#define sygvx NAME (ssygvx, dsygvx, chegvx, zhegvx)
EXPORT void
sygvx (const lapack_int *itype, const char *jobz, const char *range,
       const char *uplo, const lapack_int *n, scalar_t *a,
       const lapack_int *lda, scalar_t *b, const lapack_int *ldb,
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
  BEGIN (SYGVX, sygvx);
#if GE_COMPLEX
#  define CALL_NEXT(lwork)                                                     \
    next (itype, jobz, range, uplo, n, a, lda, b, ldb, vl, vu, il, iu, abstol, \
          m, w, z, ldz, work, lwork, rwork, iwork, ifail, info, l1, l2, l3)
#else
#  define CALL_NEXT(lwork)                                                     \
    next (itype, jobz, range, uplo, n, a, lda, b, ldb, vl, vu, il, iu, abstol, \
          m, w, z, ldz, work, lwork, iwork, ifail, info, l1, l2, l3)
#endif
  if (may && describe (&r, itype, jobz, uplo, a, lda, b, ldb)
      && *lwork >= (r.n == 1 ? 1 : REAL_COMPLEX (8, 2) * r.n)
      && select_range (&r, range, vl, vu, il, iu)
      && *ldz >= (r.vectors ? r.n : 1))
    {
      r.w = w;
      r.z = r.vectors ? z : NULL;
      r.ldz = *ldz;
      if (TAKE ())
        {
          CALL_NEXT (&query);
          *m = (lapack_int) r.found;
          for (int64_t i = 0; r.vectors && i < r.found; i++)
            ifail[i] = 0;
          return;
        }
    }
  CALL_NEXT (lwork);
}
#undef CALL_NEXT
