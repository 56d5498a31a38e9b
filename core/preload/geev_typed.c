/* General matrices: ?geev, ?geevx.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "preload/drivers.h"

/* Describe the matrix and the vectors; zero if LAPACK refuses an argument.  */
static int
describe (ge_request *r, const char *jobvl, const char *jobvr, scalar_t *a,
          const lapack_int *lda, scalar_t *vl, const lapack_int *ldvl,
          scalar_t *vr, const lapack_int *ldvr)
{
  r->a = a;
  r->lda = *lda;
  r->balance = 'B';
  r->vl = is (jobvl, 'V') ? vl : NULL;
  r->vr = is (jobvr, 'V') ? vr : NULL;
  r->ldvl = *ldvl;
  r->ldvr = *ldvr;
  r->vectors = r->vl || r->vr;
  return is_one_of (jobvl, "NV") && is_one_of (jobvr, "NV") && r->lda >= r->n
         && r->ldvl >= (r->vl ? r->n : 1) && r->ldvr >= (r->vr ? r->n : 1);
}

#define geev NAME (sgeev, dgeev, cgeev, zgeev)
EXPORT void
geev (const char *jobvl, const char *jobvr, const lapack_int *n, scalar_t *a,
      const lapack_int *lda,
#if GE_COMPLEX
      scalar_t *w,
#else
      real_t *w, real_t *wi,
#endif
      scalar_t *vl, const lapack_int *ldvl, scalar_t *vr,
      const lapack_int *ldvr, scalar_t *work, const lapack_int *lwork,
#if GE_COMPLEX
      real_t *rwork,
#endif
      lapack_int *info, length l1, length l2)
{
  BEGIN (GEEV, geev);
#if GE_COMPLEX
#  define CALL_NEXT(lwork)                                                     \
    next (jobvl, jobvr, n, a, lda, w, vl, ldvl, vr, ldvr, work, lwork, rwork,  \
          info, l1, l2)
#else
#  define CALL_NEXT(lwork)                                                     \
    next (jobvl, jobvr, n, a, lda, w, wi, vl, ldvl, vr, ldvr, work, lwork,     \
          info, l1, l2)
  r.wi = wi;
#endif
  if (may && describe (&r, jobvl, jobvr, a, lda, vl, ldvl, vr, ldvr)
      && *lwork >= REAL_COMPLEX (r.vectors ? 4 : 3, 2) * r.n)
    {
      r.w = w;
      if (TAKE ())
        {
          CALL_NEXT (&query);
          return;
        }
    }
  CALL_NEXT (lwork);
}
#undef CALL_NEXT

/* Condition numbers (SENSE) are the next routine's.  */
#define geevx NAME (sgeevx, dgeevx, cgeevx, zgeevx)
EXPORT void
geevx (const char *balanc, const char *jobvl, const char *jobvr,
       const char *sense, const lapack_int *n, scalar_t *a,
       const lapack_int *lda,
#if GE_COMPLEX
       scalar_t *w,
#else
       real_t *w, real_t *wi,
#endif
       scalar_t *vl, const lapack_int *ldvl, scalar_t *vr,
       const lapack_int *ldvr, lapack_int *ilo, lapack_int *ihi, real_t *scale,
       real_t *abnrm, real_t *rconde, real_t *rcondv, scalar_t *work,
       const lapack_int *lwork,
#if GE_COMPLEX
       real_t *rwork,
#else
       lapack_int *iwork,
#endif
       lapack_int *info, length l1, length l2, length l3, length l4)
{
  BEGIN (GEEVX, geevx);
#if GE_COMPLEX
#  define CALL_NEXT(lwork)                                                     \
    next (balanc, jobvl, jobvr, sense, n, a, lda, w, vl, ldvl, vr, ldvr, ilo,  \
          ihi, scale, abnrm, rconde, rcondv, work, lwork, rwork, info, l1, l2, \
          l3, l4)
#else
#  define CALL_NEXT(lwork)                                                     \
    next (balanc, jobvl, jobvr, sense, n, a, lda, w, wi, vl, ldvl, vr, ldvr,   \
          ilo, ihi, scale, abnrm, rconde, rcondv, work, lwork, iwork, info,    \
          l1, l2, l3, l4)
  r.wi = wi;
#endif
  if (may && is_one_of (balanc, "NPSB") && is (sense, 'N')
      && describe (&r, jobvl, jobvr, a, lda, vl, ldvl, vr, ldvr)
      && *lwork >= REAL_COMPLEX (r.vectors ? 3 : 2, 2) * r.n)
    {
      r.w = w;
      r.balance = (char) (*balanc & ~('a' - 'A'));
      r.scale = scale;
      r.abnrm = abnrm;
      if (TAKE ())
        {
          CALL_NEXT (&query);
          *ilo = (lapack_int) r.ilo;
          *ihi = (lapack_int) r.ihi;
          return;
        }
    }
  CALL_NEXT (lwork);
}
#undef CALL_NEXT
