/* Internal interface of one-sided Jacobi on the CPU; to be included in typed files,
   after scalar.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_ONESIDED_CPU_H
#define GE_ONESIDED_CPU_H 1

#include "lapack/lapack.h"
#include "onesided/rotate.h"
#include "onesided/plan.h"
#include "base/rotation.h"

/* Scaling of a page: A = 2^exponent times the scaled page, whose elements are below
   1.  */
typedef struct
{
  int exponent;
  real_t shift; /* scaled page + shift I is definite, see ge_onesided_shift */
} onesided_scaling;

#define onesided_scale FN (ge_onesided_scale)
#define onesided_group FN (ge_onesided_group)
#define onesided_page FN (ge_onesided_page)
#define onesided_finish FN (ge_onesided_finish)

/* Find the scaling of a page and write the scaled page to F (n-by-n).  */
onesided_scaling onesided_scale (int64_t n, const scalar_t *a, scalar_t *f);

/* PAGES <= ONESIDED_LANES pages at once, one per SIMD lane; method "shifted".
   WORK holds ONESIDED_GROUP_WORK (n) reals.  V may be NULL.  */
#define ONESIDED_LANES ((int) (32 / sizeof (real_t)))
#define ONESIDED_GROUP_WORK(n)                                                 \
  ((ONESIDED_LANES + 1) * ((n) * (n) * (1 + GE_COMPLEX) + 2 * (n)))
void onesided_group (int64_t n, int64_t pages, const scalar_t *a,
                     const onesided_plan *plan, real_t *lambda, scalar_t *v,
                     real_t *work, onesided_result *result);

/* One page, any method, column by column; with ROUNDS the pairs of a large page in an
   order in which all threads can work.  WORK holds ONESIDED_PAGE_WORK (n) scalars.  */
#define ONESIDED_PAGE_WORK(n) (3 * (n) * (n) + 2 * (n) + 1)
void onesided_page (int64_t n, const scalar_t *a, const onesided_plan *plan,
                    int rounds, real_t *lambda, scalar_t *v, scalar_t *work,
                    onesided_result *result);

/* Eigenpairs from the orthogonal columns of F (leading dimension LD):
   lambda = (|f| - shift) 2^exponent, or (|f|^2 - shift) 2^exponent when SQUARE,
   ascending; V may be NULL.  ORDER holds n integers of scratch.  */
void onesided_finish (int64_t n, int64_t ld, const scalar_t *f, int square,
                      onesided_scaling scaling, real_t *lambda, scalar_t *v,
                      int *order);

#endif
