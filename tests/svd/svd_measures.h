/* LAPACK's ratios of singular value decompositions, for the C tests.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef SVD_MEASURES_H
#define SVD_MEASURES_H 1

#include "limits.h"
#include "svd_matrices.h"

#include <stdlib.h>

/* A problem of PAGES pages with arrays of its own, a decomposition in full if FULL.  */
static inline gpueig_svd_problem
begin_svd (gpueig_type type, int64_t m, int64_t n, int64_t pages, int full)
{
  const int64_t k = m < n ? m : n;
  return (gpueig_svd_problem){
    .type = type,
    .m = m,
    .n = n,
    .pages = pages,
    .full = full,
    .a = check_array (type, m * n * pages),
    .s = check_array (real_type (type), k * pages),
    .u = check_array (type, m * (full ? m : k) * pages),
    .v = check_array (type, n * (full ? n : k) * pages)
  };
}

static inline void
end_svd (gpueig_svd_problem *p)
{
  free ((void *) p->a);
  free (p->s);
  free (p->u);
  free (p->v);
}

/* Page J of Q has the bits of page I of P, or of a part of it if Q asks for one.  */
static inline int
same_svd_page (const gpueig_svd_problem *p, int64_t i,
               const gpueig_svd_problem *q, int64_t j)
{
  const int64_t k = p->m < p->n ? p->m : p->n, of_u = p->full ? p->m : k,
                of_v = p->full ? p->n : k,
                part = q->last > 0 ? q->last - q->first + 1 : 0,
                skip = part ? q->first - 1 : 0, in_s = part ? part : k,
                in_u = part ? part : of_u, in_v = part ? part : of_v;
  return same_bits (real_type (p->type), p->s, k * i + skip, q->s, in_s * j,
                    in_s)
         && same_bits (p->type, p->u, p->m * (of_u * i + skip), q->u,
                       p->m * in_u * j, p->m * in_u)
         && same_bits (p->type, p->v, p->n * (of_v * i + skip), q->v,
                       p->n * in_v * j, p->n * in_v);
}

/* max (m, n) eps NORM; elements of denormal numbers have an absolute error.  */
static inline long double
unit_of (const gpueig_svd_problem *p, long double norm)
{
  const long double eps = (long double) measure_eps (p->type),
                    least = gpueig_is_double (p->type) ? 0x1p-1074L : 0x1p-149L;
  return fmaxl (norm * eps, least) * (long double) (p->m > p->n ? p->m : p->n);
}

/* |A - U S V'| / (|A| max (m, n) eps) in 1-norms.  */
static inline double
residual (const gpueig_svd_problem *p, int64_t page, const wide *a)
{
  const int64_t m = p->m, n = p->n, k = m < n ? m : n;
  const int64_t of_u = p->full ? m : k, of_v = p->full ? n : k;
  const gpueig_type real = real_type (p->type);
  const char *u = page_of (p->type, p->u, m * of_u, page);
  const char *v = page_of (p->type, p->v, n * of_v, page);
  const char *s = page_of (real, p->s, k, page);
  FREED wide *us = wide_copy (p->type, m * k, u),
             *vs = wide_copy (p->type, n * k, v),
             *x = check_memory (m * n, sizeof *x);
  for (int64_t i = 0; i < m * k; i++)
    us[i] *= measure_get (real, s, i / m);
  wide_adjoint (n, k, vs);
  wide_multiply (m, n, k, us, vs, x);
  for (int64_t i = 0; i < m * n; i++)
    x[i] -= a[i];
  return (double) (wide_norm (m, n, x) / unit_of (p, wide_norm (m, n, a)));
}

static inline double
values_error (const gpueig_svd_problem *p, const void *s, const long double *t)
{
  const int64_t k = p->m < p->n ? p->m : p->n;
  long double worst = 0;
  for (int64_t i = 0; i < k; i++)
    {
      const long double e
          = fabsl (creal (measure_get (real_type (p->type), s, i)) - t[i]);
      worst = e >= worst || e != e ? e : worst;
    }
  return (double) (worst / unit_of (p, t[0]));
}

static inline int
in_order (gpueig_type real, int64_t k, const void *s)
{
  int good = 1;
  for (int64_t i = 0; i < k; i++)
    good &= creal (measure_get (real, s, i)) >= 0
            && (i == 0
                || creal (measure_get (real, s, i))
                       <= creal (measure_get (real, s, i - 1)));
  return good;
}

static inline void
check_page (const char *what, const gpueig_svd_problem *p, int64_t page,
            const wide *a)
{
  const int64_t m = p->m, n = p->n, k = m < n ? m : n;
  const int64_t of_u = p->full ? m : k, of_v = p->full ? n : k;
  CHECK_RATIO (residual (p, page, a), LIMIT_RESIDUAL, "residual, %s", what);
  CHECK_RATIO (measure_orthogonality (p->type, m, of_u,
                                      page_of (p->type, p->u, m * of_u, page)),
               LIMIT_ORTHOGONALITY, "U, %s", what);
  CHECK_RATIO (measure_orthogonality (p->type, n, of_v,
                                      page_of (p->type, p->v, n * of_v, page)),
               LIMIT_ORTHOGONALITY, "V, %s", what);
  CHECK (in_order (real_type (p->type), k,
                   page_of (real_type (p->type), p->s, k, page)),
         "descending, %s", what);
}

#endif
