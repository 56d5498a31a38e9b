/* LAPACK's routines for singular values of real double matrices, which a program that includes
   this file replaces by its own: they return what LAPACK's do, or fail.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef SPOILED_LAPACK_H
#define SPOILED_LAPACK_H 1

#include "replaced_lapack.h"

/* What dgesdd_, dgesvd_, dgejsv_ and, for values alone, dbdsqr_ do; OF_FORM: S ascends.  */
static fault of_gesdd, of_gesvd, of_gejsv, of_bdsqr;

static void
spoil_svd (fault f, int32_t k, double *s, double *u, int32_t *info)
{
  spoil (f, &s[k / 2], u, info);
  for (int32_t i = 0; f == OF_FORM && i < k / 2; i++)
    {
      const double t = s[i];
      s[i] = s[k - 1 - i];
      s[k - 1 - i] = t;
    }
}

/* Results, K values, are spoiled, but not those of a query of the work space.  */
#define SPOILED(name, parameters, arguments, is_query, k, u, fault)            \
  REPLACED (                                                                   \
      name, parameters, arguments,                                             \
      if (! (is_query)) { spoil_svd (fault, k, s, u, info); })
SPOILED (dgesdd_,
         (const char *job, const int32_t *m, const int32_t *n, double *a,
          const int32_t *lda, double *s, double *u, const int32_t *ldu,
          double *vt, const int32_t *ldvt, double *work, const int32_t *lwork,
          int32_t *iwork, int32_t *info, size_t l),
         (job, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, iwork, info, l),
         *lwork == -1, *m < *n ? *m : *n, u, of_gesdd)
SPOILED (dgesvd_,
         (const char *jobu, const char *jobvt, const int32_t *m,
          const int32_t *n, double *a, const int32_t *lda, double *s, double *u,
          const int32_t *ldu, double *vt, const int32_t *ldvt, double *work,
          const int32_t *lwork, int32_t *info, size_t l1, size_t l2),
         (jobu, jobvt, m, n, a, lda, s, u, ldu, vt, ldvt, work, lwork, info, l1,
          l2),
         *lwork == -1, *m < *n ? *m : *n, u, of_gesvd)
SPOILED (dgejsv_,
         (const char *joba, const char *jobu, const char *jobv,
          const char *jobr, const char *jobt, const char *jobp,
          const int32_t *m, const int32_t *n, double *a, const int32_t *lda,
          double *s, double *u, const int32_t *ldu, double *v,
          const int32_t *ldv, double *work, const int32_t *lwork,
          int32_t *iwork, int32_t *info, size_t l1, size_t l2, size_t l3,
          size_t l4, size_t l5, size_t l6),
         (joba, jobu, jobv, jobr, jobt, jobp, m, n, a, lda, s, u, ldu, v, ldv,
          work, lwork, iwork, info, l1, l2, l3, l4, l5, l6),
         0, *m < *n ? *m : *n, u, of_gejsv)

/* In LAPACK's own calls, as xGESDD's, WORK is not behind E.  */
SPOILED (dbdsqr_,
         (const char *uplo, const int32_t *n, const int32_t *ncvt,
          const int32_t *nru, const int32_t *ncc, double *s, double *e,
          double *vt, const int32_t *ldvt, double *u, const int32_t *ldu,
          double *c, const int32_t *ldc, double *work, int32_t *info, size_t l),
         (uplo, n, ncvt, nru, ncc, s, e, vt, ldvt, u, ldu, c, ldc, work, info,
          l),
         work != e + *n, *n, NULL, of_bdsqr)

#endif
