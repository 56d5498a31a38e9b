/* Schur forms: ?gees, ?geesx.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Ordered forms (SORT) and condition numbers (SENSE) are the next routine's.  */

#include "preload/drivers.h"

/* Describe the matrix; zero if LAPACK refuses an argument.  */
static int
describe (ge_request *r, const char *jobvs, scalar_t *a, const lapack_int *lda,
          scalar_t *vs, const lapack_int *ldvs)
{
  r->a = a;
  r->lda = *lda;
  r->vectors = is (jobvs, 'V');
  r->vr = r->vectors ? vs : NULL;
  r->ldvr = *ldvs;
  return is_one_of (jobvs, "NV") && r->lda >= r->n
         && r->ldvr >= (r->vectors ? r->n : 1);
}

#define gees NAME (sgees, dgees, cgees, zgees)
EXPORT void
gees (const char *jobvs, const char *sort, void *select, const lapack_int *n,
      scalar_t *a, const lapack_int *lda, lapack_int *sdim,
#if GE_COMPLEX
      scalar_t *w,
#else
      real_t *w, real_t *wi,
#endif
      scalar_t *vs, const lapack_int *ldvs, scalar_t *work,
      const lapack_int *lwork,
#if GE_COMPLEX
      real_t *rwork,
#endif
      lapack_int *bwork, lapack_int *info, length l1, length l2)
{
  BEGIN (GEES, gees);
#if GE_COMPLEX
#  define CALL_NEXT(lwork)                                                     \
    next (jobvs, sort, select, n, a, lda, sdim, w, vs, ldvs, work, lwork,      \
          rwork, bwork, info, l1, l2)
#else
#  define CALL_NEXT(lwork)                                                     \
    next (jobvs, sort, select, n, a, lda, sdim, w, wi, vs, ldvs, work, lwork,  \
          bwork, info, l1, l2)
  r.wi = wi;
#endif
  r.w = w;
  if (may && is (sort, 'N') && describe (&r, jobvs, a, lda, vs, ldvs)
      && *lwork >= REAL_COMPLEX (3, 2) * r.n && TAKE ())
    {
      CALL_NEXT (&query);
      *sdim = 0;
      return;
    }
  CALL_NEXT (lwork);
}
#undef CALL_NEXT

#define geesx NAME (sgeesx, dgeesx, cgeesx, zgeesx)
EXPORT void
geesx (const char *jobvs, const char *sort, void *select, const char *sense,
       const lapack_int *n, scalar_t *a, const lapack_int *lda,
       lapack_int *sdim,
#if GE_COMPLEX
       scalar_t *w,
#else
       real_t *w, real_t *wi,
#endif
       scalar_t *vs, const lapack_int *ldvs, real_t *rconde, real_t *rcondv,
       scalar_t *work, const lapack_int *lwork,
#if GE_COMPLEX
       real_t *rwork,
#else
       lapack_int *iwork, const lapack_int *liwork,
#endif
       lapack_int *bwork, lapack_int *info, length l1, length l2, length l3)
{
  BEGIN (GEESX, geesx);
#if GE_COMPLEX
#  define CALL_NEXT(lwork)                                                     \
    next (jobvs, sort, select, sense, n, a, lda, sdim, w, vs, ldvs, rconde,    \
          rcondv, work, lwork, rwork, bwork, info, l1, l2, l3)
  const int enough = *lwork >= 2 * r.n;
#else
#  define CALL_NEXT(lwork)                                                     \
    next (jobvs, sort, select, sense, n, a, lda, sdim, w, wi, vs, ldvs,        \
          rconde, rcondv, work, lwork, iwork, liwork, bwork, info, l1, l2, l3)
  const int enough = *lwork >= 3 * r.n && *liwork >= 1;
  r.wi = wi;
#endif
  r.w = w;
  if (may && enough && is (sort, 'N') && is (sense, 'N')
      && describe (&r, jobvs, a, lda, vs, ldvs) && TAKE ())
    {
      CALL_NEXT (&query);
      *sdim = 0;
      return;
    }
  CALL_NEXT (lwork);
}
#undef CALL_NEXT
