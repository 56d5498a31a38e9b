/* General matrices: eigenvalues and vectors, Schur forms.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Ordered Schur forms (SORT) and condition numbers (SENSE) are the next routine's.  */

#include "drivers.h"

#if GE_COMPLEX
#  define VALUES(A) A (scalars, w)
#  define WI NULL
#else
#  define VALUES(A) A (reals, w), A (reals, wi)
#  define WI wi
#endif

/* Describe the matrix and its eigenvalues; zero if LAPACK refuses an argument.  */
static int
matrix (ge_request *r, scalars a, in lda, scalars w, reals wi)
{
  r->a = a;
  r->lda = *lda;
  r->w = w;
  r->wi = wi;
  return r->lda >= r->n;
}

/* Describe the right vectors or the Schur vectors; zero if LAPACK refuses an argument.  */
static int
right (ge_request *r, text job, scalars v, in ldv)
{
  r->vr = is (job, 'V') ? v : NULL;
  r->ldvr = *ldv;
  r->vectors |= is (job, 'V');
  return is_one_of (job, "NV") && r->ldvr >= (r->vr ? r->n : 1);
}

static int
left (ge_request *r, text job, scalars v, in ldv)
{
  r->balance = 'B';
  r->vl = is (job, 'V') ? v : NULL;
  r->ldvl = *ldv;
  r->vectors |= is (job, 'V');
  return is_one_of (job, "NV") && r->ldvl >= (r->vl ? r->n : 1);
}

/* Describe balancing, which ?geevx returns in addition; zero if LAPACK refuses an
   argument.  */
static int
balancing (ge_request *r, text balanc, reals scale, reals abnrm)
{
  r->balance = (char) (*balanc & ~('a' - 'A'));
  r->scale = scale;
  r->abnrm = abnrm;
  return is_one_of (balanc, "NPSB");
}

#define GEEV(A)                                                                \
  A (text, jobvl), A (text, jobvr), A (in, n), A (scalars, a), A (in, lda),    \
      VALUES (A), A (scalars, vl), A (in, ldvl), A (scalars, vr),              \
      A (in, ldvr), A (scalars, work), A (in, lwork),                          \
      COMPLEX (A (reals, rwork), ) A (out, info), A (length, l1),              \
      A (length, l2)
DRIVER (GEEV, NAME (sgeev, dgeev, cgeev, zgeev),
        matrix (&r, a, lda, w, WI) && left (&r, jobvl, vl, ldvl)
            && right (&r, jobvr, vr, ldvr)
            && *lwork >= REAL_COMPLEX (r.vectors ? 4 : 3, 2) * r.n,
        use_up (&r, r.n, r.n))

#define GEEVX(A)                                                               \
  A (text, balanc), A (text, jobvl), A (text, jobvr), A (text, sense),         \
      A (in, n), A (scalars, a), A (in, lda), VALUES (A), A (scalars, vl),     \
      A (in, ldvl), A (scalars, vr), A (in, ldvr), A (out, ilo), A (out, ihi), \
      A (reals, scale), A (reals, abnrm), A (reals, rconde),                   \
      A (reals, rcondv), A (scalars, work), A (in, lwork),                     \
      COMPLEX (A (reals, rwork)) REAL (A (out, iwork)), A (out, info),         \
      A (length, l1), A (length, l2), A (length, l3), A (length, l4)
DRIVER (GEEVX, NAME (sgeevx, dgeevx, cgeevx, zgeevx),
        matrix (&r, a, lda, w, WI) && left (&r, jobvl, vl, ldvl)
            && right (&r, jobvr, vr, ldvr)
            && balancing (&r, balanc, scale, abnrm) && is (sense, 'N')
            && *lwork >= REAL_COMPLEX (r.vectors ? 3 : 2, 2) * r.n,
        (*ilo = (lapack_int) r.ilo, *ihi = (lapack_int) r.ihi))

#define GEES(A)                                                                \
  A (text, jobvs), A (text, sort), A (function, select), A (in, n),            \
      A (scalars, a), A (in, lda), A (out, sdim), VALUES (A), A (scalars, vs), \
      A (in, ldvs), A (scalars, work), A (in, lwork),                          \
      COMPLEX (A (reals, rwork), ) A (out, bwork), A (out, info),              \
      A (length, l1), A (length, l2)
DRIVER (GEES, NAME (sgees, dgees, cgees, zgees),
        matrix (&r, a, lda, w, WI) && right (&r, jobvs, vs, ldvs)
            && leave_unless (&r, is (sort, 'N'))
            && *lwork >= REAL_COMPLEX (3, 2) * r.n,
        *sdim = 0)

#define GEESX(A)                                                               \
  A (text, jobvs), A (text, sort), A (function, select), A (text, sense),      \
      A (in, n), A (scalars, a), A (in, lda), A (out, sdim), VALUES (A),       \
      A (scalars, vs), A (in, ldvs), A (reals, rconde), A (reals, rcondv),     \
      A (scalars, work), A (in, lwork),                                        \
      COMPLEX (A (reals, rwork)) REAL (A (out, iwork), A (in, liwork)),        \
      A (out, bwork), A (out, info), A (length, l1), A (length, l2),           \
      A (length, l3)
DRIVER (GEESX, NAME (sgeesx, dgeesx, cgeesx, zgeesx),
        matrix (&r, a, lda, w, WI) && right (&r, jobvs, vs, ldvs)
            && leave_unless (&r, is (sort, 'N') && is (sense, 'N'))
            && REAL_COMPLEX (*lwork >= 3 * r.n && *liwork >= 1,
                             *lwork >= 2 * r.n),
        *sdim = 0)
