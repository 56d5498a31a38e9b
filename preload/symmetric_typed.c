/* Symmetric and Hermitian matrices, pairs (A, B) with B positive definite, and symmetric
   tridiagonal matrices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A pair whose B is not positive definite is left to the next routine, which sets INFO
   = N + K.  */

#include "drivers.h"

/* Describe the matrix; zero if LAPACK refuses an argument.  */
static int
matrix (ge_request *r, text jobz, text uplo, scalars a, in lda)
{
  r->range = 'A';
  r->vectors = is (jobz, 'V');
  r->upper = is (uplo, 'U');
  r->a = a;
  r->lda = *lda;
  return is_one_of (jobz, "NV") && is_one_of (uplo, "UL") && r->lda >= r->n;
}

/* Describe the second matrix of a pair; zero if LAPACK refuses an argument.  */
static int
second (ge_request *r, in itype, scalars b, in ldb)
{
  r->itype = (int) *itype;
  r->b = b;
  r->ldb = *ldb;
  return *itype >= 1 && *itype <= 3 && r->ldb >= r->n;
}

static int
tridiagonal (ge_request *r, text jobz, reals d, reals e)
{
  r->range = 'A';
  r->vectors = is (jobz, 'V');
  r->d = d;
  r->e = e;
  return is_one_of (jobz, "NV");
}

/* Describe the results; zero if LAPACK refuses an argument.  */
static int
results (ge_request *r, reals w, scalars z, in ldz)
{
  r->w = w;
  r->z = r->vectors ? z : NULL;
  r->ldz = *ldz;
  return r->ldz >= (r->vectors ? r->n : 1);
}

/* Nonzero if the workspaces are as large as divide and conquer needs.  */
static int
divides (const ge_request *r, in lwork, in lrwork, in liwork)
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

/* ISUPPZ of COUNT vectors: any element may be nonzero.  */
static void
whole_supports (out isuppz, int64_t count, int64_t n)
{
  for (int64_t i = 0; i < count; i++)
    {
      isuppz[2 * i] = 1;
      isuppz[2 * i + 1] = (lapack_int) n;
    }
}

/* Set M and ISUPPZ, as ?syevr and ?stevr do: ISUPPZ for all vectors only.  */
static void
found_by_mrrr (const ge_request *r, out m, out isuppz)
{
  *m = (lapack_int) r->found;
  if (r->vectors && r->range != 'V' && r->found == r->n)
    whole_supports (isuppz, r->n, r->n);
}

/* Set M and IFAIL, as ?syevx and ?sygvx do.  */
static void
found_by_bisection (const ge_request *r, out m, out ifail)
{
  *m = (lapack_int) r->found;
  for (int64_t i = 0; r->vectors && i < r->found; i++)
    ifail[i] = 0;
}

/* --- matrices --- */

#define SYEV(A)                                                                \
  A (text, jobz), A (text, uplo), A (in, n), A (scalars, a), A (in, lda),      \
      A (reals, w), A (scalars, work), A (in, lwork),                          \
      COMPLEX (A (reals, rwork), ) A (out, info), A (length, l1),              \
      A (length, l2)
DRIVER (SYEV, NAME (ssyev, dsyev, cheev, zheev),
        matrix (&r, jobz, uplo, a, lda) && results (&r, w, a, lda)
            && *lwork >= REAL_COMPLEX (3, 2) * r.n - 1,
        NOTHING)

#define SYEVD(A)                                                               \
  A (text, jobz), A (text, uplo), A (in, n), A (scalars, a), A (in, lda),      \
      A (reals, w), A (scalars, work), A (in, lwork),                          \
      COMPLEX (A (reals, rwork), A (in, lrwork), ) A (out, iwork),             \
      A (in, liwork), A (out, info), A (length, l1), A (length, l2)
DRIVER (SYEVD, NAME (ssyevd, dsyevd, cheevd, zheevd),
        matrix (&r, jobz, uplo, a, lda) && results (&r, w, a, lda)
            && divides (&r, lwork, REAL_COMPLEX (NULL, lrwork), liwork),
        NOTHING)

#define PART(A)                                                                \
  A (limits, vl), A (limits, vu), A (in, il), A (in, iu), A (limits, abstol),  \
      A (out, m), A (reals, w), A (scalars, z), A (in, ldz)

#define SYEVR(A)                                                               \
  A (text, jobz), A (text, range), A (text, uplo), A (in, n), A (scalars, a),  \
      A (in, lda), PART (A), A (out, isuppz), A (scalars, work),               \
      A (in, lwork),                                                           \
      COMPLEX (A (reals, rwork), A (in, lrwork), ) A (out, iwork),             \
      A (in, liwork), A (out, info), A (length, l1), A (length, l2),           \
      A (length, l3)
DRIVER (SYEVR, NAME (ssyevr, dsyevr, cheevr, zheevr),
        matrix (&r, jobz, uplo, a, lda) && results (&r, w, z, ldz)
            && select_range (&r, range, vl, vu, il, iu)
            && REAL_COMPLEX (*lwork >= 26 * r.n,
                             *lwork >= 2 * r.n && *lrwork >= 24 * r.n)
            && *liwork >= 10 * r.n,
        found_by_mrrr (&r, m, isuppz))

#define SYEVX(A)                                                               \
  A (text, jobz), A (text, range), A (text, uplo), A (in, n), A (scalars, a),  \
      A (in, lda), PART (A), A (scalars, work), A (in, lwork),                 \
      COMPLEX (A (reals, rwork), ) A (out, iwork), A (out, ifail),             \
      A (out, info), A (length, l1), A (length, l2), A (length, l3)
DRIVER (SYEVX, NAME (ssyevx, dsyevx, cheevx, zheevx),
        matrix (&r, jobz, uplo, a, lda) && results (&r, w, z, ldz)
            && select_range (&r, range, vl, vu, il, iu)
            && *lwork >= (r.n == 1 ? 1 : REAL_COMPLEX (8, 2) * r.n),
        found_by_bisection (&r, m, ifail))

/* --- pairs --- */

#define SYGV(A)                                                                \
  A (in, itype), A (text, jobz), A (text, uplo), A (in, n), A (scalars, a),    \
      A (in, lda), A (scalars, b), A (in, ldb), A (reals, w),                  \
      A (scalars, work), A (in, lwork),                                        \
      COMPLEX (A (reals, rwork), ) A (out, info), A (length, l1),              \
      A (length, l2)
DRIVER (SYGV, NAME (ssygv, dsygv, chegv, zhegv),
        matrix (&r, jobz, uplo, a, lda) && second (&r, itype, b, ldb)
            && results (&r, w, a, lda)
            && *lwork >= REAL_COMPLEX (3, 2) * r.n - 1,
        NOTHING)

#define SYGVD(A)                                                               \
  A (in, itype), A (text, jobz), A (text, uplo), A (in, n), A (scalars, a),    \
      A (in, lda), A (scalars, b), A (in, ldb), A (reals, w),                  \
      A (scalars, work), A (in, lwork),                                        \
      COMPLEX (A (reals, rwork), A (in, lrwork), ) A (out, iwork),             \
      A (in, liwork), A (out, info), A (length, l1), A (length, l2)
DRIVER (SYGVD, NAME (ssygvd, dsygvd, chegvd, zhegvd),
        matrix (&r, jobz, uplo, a, lda) && second (&r, itype, b, ldb)
            && results (&r, w, a, lda)
            && divides (&r, lwork, REAL_COMPLEX (NULL, lrwork), liwork),
        NOTHING)

#define SYGVX(A)                                                               \
  A (in, itype), A (text, jobz), A (text, range), A (text, uplo), A (in, n),   \
      A (scalars, a), A (in, lda), A (scalars, b), A (in, ldb), PART (A),      \
      A (scalars, work), A (in, lwork),                                        \
      COMPLEX (A (reals, rwork), ) A (out, iwork), A (out, ifail),             \
      A (out, info), A (length, l1), A (length, l2), A (length, l3)
DRIVER (SYGVX, NAME (ssygvx, dsygvx, chegvx, zhegvx),
        matrix (&r, jobz, uplo, a, lda) && second (&r, itype, b, ldb)
            && results (&r, w, z, ldz)
            && select_range (&r, range, vl, vu, il, iu)
            && *lwork >= (r.n == 1 ? 1 : REAL_COMPLEX (8, 2) * r.n),
        found_by_bisection (&r, m, ifail))

/* --- tridiagonal matrices --- */

#if ! GE_COMPLEX
#  define STEV(A)                                                              \
    A (text, jobz), A (in, n), A (reals, d), A (reals, e), A (reals, z),       \
        A (in, ldz), A (reals, work), A (out, info), A (length, l1)
DRIVER_THEN (STEV, NAME (sstev, dstev, , ),
             tridiagonal (&r, jobz, d, e) && results (&r, d, z, ldz), *info = 0)

#  define STEVD(A)                                                             \
    A (text, jobz), A (in, n), A (reals, d), A (reals, e), A (reals, z),       \
        A (in, ldz), A (reals, work), A (in, lwork), A (out, iwork),           \
        A (in, liwork), A (out, info), A (length, l1)
DRIVER (STEVD, NAME (sstevd, dstevd, , ),
        tridiagonal (&r, jobz, d, e) && results (&r, d, z, ldz)
            && *lwork >= (r.vectors && r.n > 1 ? 1 + 4 * r.n + r.n * r.n : 1)
            && *liwork >= (r.vectors && r.n > 1 ? 3 + 5 * r.n : 1),
        NOTHING)

#  define STEVR(A)                                                             \
    A (text, jobz), A (text, range), A (in, n), A (reals, d), A (reals, e),    \
        PART (A), A (out, isuppz), A (reals, work), A (in, lwork),             \
        A (out, iwork), A (in, liwork), A (out, info), A (length, l1),         \
        A (length, l2)
DRIVER (STEVR, NAME (sstevr, dstevr, , ),
        tridiagonal (&r, jobz, d, e) && results (&r, w, z, ldz)
            && select_range (&r, range, vl, vu, il, iu) && *lwork >= 20 * r.n
            && *liwork >= 10 * r.n,
        found_by_mrrr (&r, m, isuppz))
#endif

/* NZC, the columns of Z, must suffice for the eigenvalues in an interval; -1 is a query, also
   without vectors.  */
#define STEMR(A)                                                               \
  A (text, jobz), A (text, range), A (in, n), A (reals, d), A (reals, e),      \
      A (limits, vl), A (limits, vu), A (in, il), A (in, iu), A (out, m),      \
      A (reals, w), A (scalars, z), A (in, ldz), A (in, nzc), A (out, isuppz), \
      A (out, tryrac), A (reals, work), A (in, lwork), A (out, iwork),         \
      A (in, liwork), A (out, info), A (length, l1), A (length, l2)
DRIVER (STEMR, NAME (sstemr, dstemr, cstemr, zstemr),
        tridiagonal (&r, jobz, d, e) && results (&r, w, z, ldz)
            && select_range (&r, range, vl, vu, il, iu)
            && *lwork >= (r.vectors ? 18 : 12) * r.n
            && *liwork >= (r.vectors ? 10 : 8) * r.n
            && *nzc >= (! r.vectors      ? 0
                        : r.range == 'I' ? r.iu - r.il + 1
                                         : r.n),
        (*m = (lapack_int) r.found, *tryrac = 0,
         whole_supports (isuppz, r.vectors ? r.found : 0, r.n)))
