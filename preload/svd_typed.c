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

static int64_t
larger (int64_t a, int64_t b)
{
  return a < b ? b : a;
}

/* The least LWORK that xGESVD, or xGESDD for JOBZ, accepts.  Their descriptions demand more for
   some shapes than the routines, whose answer to a workspace query may be as little as this.  */
static int64_t
least_workspace (const ge_request *r, text jobz)
{
  const int64_t k = r->n, l = r->rows < r->columns ? r->columns : r->rows;
  const int64_t whole
      = REAL_COMPLEX (3 * k + larger (l, 3 * k * k + 4 * k), 2 * k + l);
  if (! jobz)
    {
      const char job = r->rows < r->columns ? r->jobvt : r->jobu;
      if (job == 'N' && l >= (int64_t) (1.6F * (float) k))
        return REAL_COMPLEX (5 * k, 3 * k);
      return REAL_COMPLEX (larger (3 * k + l, 5 * k), 2 * k + l);
    }
  /* The matrix is reduced to a triangle first.  */
  const int is_long = l >= (int64_t) ((double) k * REAL_COMPLEX (11, 17)
                                      / REAL_COMPLEX (6, 9));
  switch (capital (jobz))
    {
    case 'N':
      return is_long ? REAL_COMPLEX (8, 3) * k
                     : REAL_COMPLEX (3 * k + larger (l, 7 * k), 2 * k + l);
    case 'O':
      return is_long ? REAL_COMPLEX (5 * k * k + 7 * k, 2 * k * k + 3 * k)
                     : REAL_COMPLEX (3 * k + larger (l, 4 * k * k + 4 * k),
                                     k * k + 2 * k + l);
    case 'S':
      return is_long ? REAL_COMPLEX (4 * k * k + 7 * k, k * k + 3 * k) : whole;
    default:
      return is_long
                 ? k * k
                       + larger (REAL_COMPLEX (3 * k * k + 7 * k, 3 * k), k + l)
                 : whole;
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
            && vectors (&r, u, ldu, vt, ldvt)
            && *lwork >= least_workspace (&r, NULL),
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
            && vectors (&r, u, ldu, vt, ldvt)
            && *lwork >= least_workspace (&r, jobz),
        use_up_matrix (&r))
