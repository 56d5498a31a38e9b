/* Symmetric tridiagonal matrices: ?stev, ?stevd, ?stevr, ?stemr, ?stedc.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "preload/drivers.h"

/* Describe the matrix; zero if LAPACK refuses an argument.  */
static int
describe (ge_request *r, const char *jobz, const real_t *d, const real_t *e,
          real_t *w, scalar_t *z, const lapack_int *ldz)
{
  r->vectors = is (jobz, 'V');
  r->d = d;
  r->e = e;
  r->range = 'A';
  r->w = w;
  r->z = r->vectors ? z : NULL;
  r->ldz = *ldz;
  return is_one_of (jobz, "NV") && r->ldz >= (r->vectors ? r->n : 1);
}

#if ! GE_COMPLEX
#  define stev NAME (sstev, dstev, , )
EXPORT void
stev (const char *jobz, const lapack_int *n, real_t *d, real_t *e, real_t *z,
      const lapack_int *ldz, real_t *work, lapack_int *info, length l1)
{
  BEGIN (STEV, stev);
  if (may && describe (&r, jobz, d, e, d, z, ldz) && TAKE ())
    *info = 0;
  else
    next (jobz, n, d, e, z, ldz, work, info, l1);
}

#  define stevd NAME (sstevd, dstevd, , )
EXPORT void
stevd (const char *jobz, const lapack_int *n, real_t *d, real_t *e, real_t *z,
       const lapack_int *ldz, real_t *work, const lapack_int *lwork,
       lapack_int *iwork, const lapack_int *liwork, lapack_int *info, length l1)
{
  BEGIN (STEVD, stevd);
  if (may && describe (&r, jobz, d, e, d, z, ldz)
      && *lwork >= (r.vectors && r.n > 1 ? 1 + 4 * r.n + r.n * r.n : 1)
      && *liwork >= (r.vectors && r.n > 1 ? 3 + 5 * r.n : 1) && TAKE ())
    next (jobz, n, d, e, z, ldz, work, &query, iwork, liwork, info, l1);
  else
    next (jobz, n, d, e, z, ldz, work, lwork, iwork, liwork, info, l1);
}

#  define stevr NAME (sstevr, dstevr, , )
EXPORT void
stevr (const char *jobz, const char *range, const lapack_int *n, real_t *d,
       real_t *e, const real_t *vl, const real_t *vu, const lapack_int *il,
       const lapack_int *iu, const real_t *abstol, lapack_int *m, real_t *w,
       real_t *z, const lapack_int *ldz, lapack_int *isuppz, real_t *work,
       const lapack_int *lwork, lapack_int *iwork, const lapack_int *liwork,
       lapack_int *info, length l1, length l2)
{
  BEGIN (STEVR, stevr);
#  define CALL_NEXT(lwork)                                                     \
    next (jobz, range, n, d, e, vl, vu, il, iu, abstol, m, w, z, ldz, isuppz,  \
          work, lwork, iwork, liwork, info, l1, l2)
  if (may && *lwork >= 20 * r.n && *liwork >= 10 * r.n
      && describe (&r, jobz, d, e, w, z, ldz)
      && select_range (&r, range, vl, vu, il, iu) && TAKE ())
    {
      CALL_NEXT (&query);
      *m = (lapack_int) r.found;
      if (r.vectors && r.range != 'V' && r.found == r.n)
        whole_supports (isuppz, r.found, r.n);
      return;
    }
  CALL_NEXT (lwork);
}
#  undef CALL_NEXT
#endif

#define stemr NAME (sstemr, dstemr, cstemr, zstemr)
EXPORT void
stemr (const char *jobz, const char *range, const lapack_int *n, real_t *d,
       real_t *e, const real_t *vl, const real_t *vu, const lapack_int *il,
       const lapack_int *iu, lapack_int *m, real_t *w, scalar_t *z,
       const lapack_int *ldz, const lapack_int *nzc, lapack_int *isuppz,
       lapack_int *tryrac, real_t *work, const lapack_int *lwork,
       lapack_int *iwork, const lapack_int *liwork, lapack_int *info, length l1,
       length l2)
{
  BEGIN (STEMR, stemr);
#define CALL_NEXT(lwork)                                                       \
  next (jobz, range, n, d, e, vl, vu, il, iu, m, w, z, ldz, nzc, isuppz,       \
        tryrac, work, lwork, iwork, liwork, info, l1, l2)
  /* NZC, the columns of Z, must suffice for the eigenvalues in an interval.  */
  r.relative = *tryrac != 0;
  if (may && describe (&r, jobz, d, e, w, z, ldz)
      && select_range (&r, range, vl, vu, il, iu)
      && *lwork >= (r.vectors ? 18 : 12) * r.n
      && *liwork >= (r.vectors ? 10 : 8) * r.n
      && (! r.vectors || *nzc >= (r.range == 'I' ? r.iu - r.il + 1 : r.n))
      && TAKE ())
    {
      CALL_NEXT (&query);
      *m = (lapack_int) r.found;
      *tryrac = 0;
      if (r.vectors)
        whole_supports (isuppz, r.found, r.n);
      return;
    }
  CALL_NEXT (lwork);
}
#undef CALL_NEXT

/* COMPZ = 'I': the vectors of the tridiagonal matrix itself.  */
#define stedc NAME (sstedc, dstedc, cstedc, zstedc)
EXPORT void
stedc (const char *compz, const lapack_int *n, real_t *d, real_t *e,
       scalar_t *z, const lapack_int *ldz, scalar_t *work,
       const lapack_int *lwork,
#if GE_COMPLEX
       real_t *rwork, const lapack_int *lrwork,
#endif
       lapack_int *iwork, const lapack_int *liwork, lapack_int *info, length l1)
{
  BEGIN (STEDC, stedc);
#if GE_COMPLEX
#  define CALL_NEXT(lwork)                                                     \
    next (compz, n, d, e, z, ldz, work, lwork, rwork, lrwork, iwork, liwork,   \
          info, l1)
  const int enough = *lwork >= 1 && *lrwork >= 1 + 4 * r.n + 2 * r.n * r.n;
#else
#  define CALL_NEXT(lwork)                                                     \
    next (compz, n, d, e, z, ldz, work, lwork, iwork, liwork, info, l1)
  const int enough = *lwork >= 1 + 4 * r.n + r.n * r.n;
#endif
  /* Other least workspaces for small orders are not known here: they depend on
     LAPACK's ilaenv.  */
  if (may && enough && *liwork >= 3 + 5 * r.n && is (compz, 'I')
      && describe (&r, "V", d, e, d, z, ldz) && TAKE ())
    CALL_NEXT (&query);
  else
    CALL_NEXT (lwork);
}
#undef CALL_NEXT
