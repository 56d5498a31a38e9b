/* Symmetric to tridiagonal form and back, see tridiagonal.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   LAPACK's own xSYTRD works for many seconds without a chance to stop it; its
   panels are LAPACK routines too, so the loop over them is all there is to
   write (J. Dongarra, D. Sorensen, S. Hammarling, J. Comput. Appl. Math. 27,
   1989: block reduction of a matrix to condensed form).  */

#include "tridiagonal/tridiagonal.h"

enum
{
  PANEL = 32,     /* columns of a panel */
  UNBLOCKED = 64, /* the last ones go without panels */
  SLICE = 256,    /* columns that are transformed back at once */
  SHARED = 100000 /* elements from which a pass over them is spread */
};

real_t
FN (ge_scale_to_one) (int64_t count, scalar_t *a)
{
  const real_t largest = FN (ge_largest_part) (count, a);
  real_t *r = (real_t *) a;
  const int64_t reals = count * (1 + GE_COMPLEX);
  const int exponent = largest == 0 ? 0 : GE_MATH (ilogb) (largest);
  if (exponent > -60 && exponent < 60)
    return 1;
  /* In two steps: the inverse of a subnormal scale is no finite number.  */
  const real_t half = GE_MATH (ldexp) (1, -exponent / 2);
  const real_t rest = GE_MATH (ldexp) (1, -exponent - (-exponent / 2));
#pragma omp parallel for simd if (reals > SHARED)
  for (int64_t i = 0; i < reals; i++)
    r[i] = r[i] * half * rest;
  return GE_MATH (ldexp) (1, exponent);
}

gpueig_status
FN (ge_tridiagonalise) (gpueig_context *ctx, lapack_int n, scalar_t *a,
                        real_t *d, real_t *e, scalar_t *tau)
{
  const scalar_t minus_one = -1;
  const real_t one = 1;
  const lapack_int nb = PANEL;
  const int64_t ld = n;
  lapack_int i = 0, info;
  scalar_t *w;
  int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, ld * PANEL, &w));
  for (; n - i > UNBLOCKED; i += PANEL)
    {
      lapack_int rest = n - i, below = rest - PANEL;
      scalar_t *corner = a + i + ld * i;
      GE_TRY (ge_check_interrupt (ctx));
      latrd_ ("L", &rest, &nb, corner, &n, e + i, tau + i, w, &n, 1);
      her2k_ ("L", "N", &below, &nb, &minus_one, corner + PANEL, &n, w + PANEL,
              &n, &one, corner + PANEL + ld * PANEL, &n, 1, 1);
      for (lapack_int j = i; j < i + PANEL; j++)
        {
          a[j + 1 + ld * j] = e[j];
          d[j] = re_ (a[j + ld * j]);
        }
    }
  lapack_int rest = n - i;
  hetd2_ ("L", &rest, a + i + ld * i, &n, d + i, e + i, tau + i, &info, 1);
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

gpueig_status
FN (ge_back_transform) (gpueig_context *ctx, lapack_int n, lapack_int m,
                        const scalar_t *a, const scalar_t *tau, scalar_t *c)
{
  const lapack_int query = -1;
  lapack_int slice = m < SLICE ? m : SLICE, lwork, info;
  scalar_t wish, *work;
  int mark = ge_mark (ctx);
  if (n < 2 || m < 1)
    return GPUEIG_OK;
  unmtr_ ("L", "L", "N", &n, &slice, a, &n, tau, c, &n, &wish, &query, &info, 1,
          1, 1);
  GE_TRY (
      ge_lapack_int (ctx, (int64_t) (re_ (wish) * (1 + GE_EPS)) + 1, &lwork));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, lwork, &work));
  for (lapack_int j = 0; j < m; j += slice)
    {
      lapack_int columns = m - j < slice ? m - j : slice;
      GE_TRY (ge_check_interrupt (ctx));
      unmtr_ ("L", "L", "N", &n, &columns, a, &n, tau, c + (int64_t) n * j, &n,
              work, &lwork, &info, 1, 1, 1);
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}
