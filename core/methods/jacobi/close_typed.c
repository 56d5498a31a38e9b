/* Whether a guess is close to eigenvectors.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/scalar.h"
#include "jacobi/control.h"

/* Element I of A X, A Hermitian, whose column I is A; X a column.  */
static scalar_t
element (int64_t n, const scalar_t *a, const scalar_t *x)
{
  scalar_t sum = 0;
  for (int64_t k = 0; k < n; k++)
    sum += conj_ (a[k]) * x[k];
  return sum;
}

int
FN (ge_jacobi_is_close) (int64_t n, const void *a_, const void *x_,
                         int64_t stride, double limit)
{
  const scalar_t *a = a_, *x = x_;
  const ge_jacobi_sample c = ge_jacobi_columns (n);
  double off = 0, all = 0;
  for (int64_t j = 0; j < c.count; j++, x += stride)
    {
      scalar_t w[8], v[8];
      double vv = 0, vw = 0, residual = 0, size = 0;
      for (int64_t i = 0; i < c.count; i++)
        {
          v[i] = x[c.first + i * c.step];
          w[i] = element (n, a + i * stride, x);
          vv += (double) abs2_ (v[i]);
          vw += (double) (re_ (v[i]) * re_ (w[i]) + im_ (v[i]) * im_ (w[i]));
        }
      const double lambda = vv > 0 ? vw / vv : 0;
      for (int64_t i = 0; i < c.count; i++)
        residual += (double) abs2_ (w[i] - v[i] * (real_t) lambda);
      for (int64_t i = 0; i < n; i++)
        size += (double) abs2_ (x[i]);
      off += residual / size * (double) n / (double) c.count;
      all += lambda * lambda;
    }
  return off <= limit * limit * all;
}
