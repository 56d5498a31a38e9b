/* Singular values and vectors.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "drivers.h"

/* Describe the matrix and the vectors, JOBU and JOBVT as those of xGESVD; zero if LAPACK
   refuses an argument.  */
static int
matrix (ge_request *r, char jobu, char jobvt, in m, in n, scalars a, in lda,
        reals s)
{
  r->rows = *m;
  r->columns = *n;
  r->n = *m < *n ? *m : *n;
  r->jobu = jobu;
  r->jobvt = jobvt;
  r->vectors = jobu != 'N' || jobvt != 'N';
  r->a = a;
  r->lda = *lda;
  r->w = s;
  return r->n > 0 && r->lda >= r->rows && ! (jobu == 'O' && jobvt == 'O');
}

static int
vectors (ge_request *r, scalars u, in ldu, scalars vt, in ldvt)
{
  const int has_u = r->jobu == 'A' || r->jobu == 'S';
  r->vl = u;
  r->ldvl = *ldu;
  r->vr = vt;
  r->ldvr = *ldvt;
  return r->ldvl >= (has_u ? r->rows : 1)
         && r->ldvr >= (r->jobvt == 'A'   ? r->columns
                        : r->jobvt == 'S' ? r->n
                                          : 1);
}

static void
use_up_matrix (const ge_request *r)
{
  if (r->jobu != 'O' && r->jobvt != 'O')
    use_up (r, r->rows, r->columns);
}

static char
capital (text job)
{
  return (char) (*job & ~('a' - 'A'));
}

/* JOBZ = 'O' of xGESDD: the vectors of the long side go to A, the others to U or VT.  */
static char
job_of (text jobz, int at_a)
{
  return is (jobz, 'O') ? (at_a ? 'O' : 'A') : capital (jobz);
}

/* Nonzero if LWORK is as large as LAPACK's descriptions say.  */
static int
suffices (const ge_request *r, text jobz, in lwork)
{
  const int64_t k = r->n, l = r->rows < r->columns ? r->columns : r->rows;
  if (! jobz)
    return *lwork
           >= REAL_COMPLEX (3 * k + l > 5 * k ? 3 * k + l : 5 * k, 2 * k + l);
  switch (capital (jobz))
    {
    case 'N':
      return *lwork
             >= REAL_COMPLEX (3 * k + (l > 7 * k ? l : 7 * k), 2 * k + l);
    case 'O':
      return *lwork >= REAL_COMPLEX (
                 3 * k + (l > 5 * k * k + 4 * k ? l : 5 * k * k + 4 * k),
                 2 * k * k + 2 * k + l);
    case 'S':
      return *lwork >= REAL_COMPLEX (4 * k * k + 7 * k, k * k + 3 * k);
    default:
      return *lwork >= REAL_COMPLEX (4 * k * k + 6 * k + l, k * k + 2 * k + l);
    }
}

#define GESVD(A)                                                               \
  A (text, jobu), A (text, jobvt), A (in, m), A (in, n), A (scalars, a),       \
      A (in, lda), A (reals, s), A (scalars, u), A (in, ldu), A (scalars, vt), \
      A (in, ldvt), A (scalars, work), A (in, lwork),                          \
      COMPLEX (A (reals, rwork), ) A (out, info), A (length, l1),              \
      A (length, l2)
DRIVER (GESVD, NAME (sgesvd, dgesvd, cgesvd, zgesvd),
        is_one_of (jobu, "NSAO") && is_one_of (jobvt, "NSAO")
            && matrix (&r, capital (jobu), capital (jobvt), m, n, a, lda, s)
            && vectors (&r, u, ldu, vt, ldvt) && suffices (&r, NULL, lwork),
        use_up_matrix (&r))

#define GESDD(A)                                                               \
  A (text, jobz), A (in, m), A (in, n), A (scalars, a), A (in, lda),           \
      A (reals, s), A (scalars, u), A (in, ldu), A (scalars, vt),              \
      A (in, ldvt), A (scalars, work), A (in, lwork),                          \
      COMPLEX (A (reals, rwork), ) A (out, iwork), A (out, info),              \
      A (length, l1)
DRIVER (GESDD, NAME (sgesdd, dgesdd, cgesdd, zgesdd),
        is_one_of (jobz, "NSAO")
            && matrix (&r, job_of (jobz, *m >= *n), job_of (jobz, *m < *n), m,
                       n, a, lda, s)
            && vectors (&r, u, ldu, vt, ldvt) && suffices (&r, jobz, lwork),
        use_up_matrix (&r))
