/* The pseudoinverse of a page from its singular values and vectors.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/products.h"
#include "svd/svd.h"

/* X = V diag (1 / s) U' without the values below the tolerance; V is overwritten.  On all
   threads, and interruptible, if CTX is not NULL.  */
gpueig_status
FN (ge_pinv_page) (gpueig_context *ctx, const gpueig_pinv_problem *p,
                   ge_svd_page page, void *x)
{
  const int64_t m = p->m, n = p->n, k = m < n ? m : n;
  const real_t *s = page.s;
  scalar_t *v = page.v;
  const real_t usual = (real_t) (m > n ? m : n) * GE_EPS * s[0];
  /* 0 also where it underflows in single precision, as in Octave.  */
  const real_t given = (real_t) p->tol;
  const real_t tol = given > 0 ? given : fmax_ (usual, GE_REAL_MIN);
  int64_t rank = 0;
  for (; rank < k && s[rank] >= tol; rank++)
    for (int64_t i = 0; i < n; i++)
      v[i + n * rank] = v[i + n * rank] / s[rank];
  if (ctx)
    return FN (ge_product) (ctx, "N", "C", n, m, rank, 1, v, n, page.u, m, 0, x,
                            n, 0);
  multiply_ ("N", "C", n, m, rank, 1, v, n, page.u, m, 0, x, n);
  return GPUEIG_OK;
}
