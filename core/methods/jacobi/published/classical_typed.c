/* Classical Jacobi as T. Wang, L. Guo, G. Li, J. Li, R. Wang, M. Ren and J. He
   describe it, "Implementing the Jacobi algorithm for solving eigenvalues of
   symmetric matrices with CUDA", IEEE NAS 2012, section IV: the sequential
   algorithm, which is the baseline of its experiments.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Storage: the paper's figures 4 to 6, the diagonal first, then the strict upper
   triangle row by row.  Every rotation searches all of it for the largest
   element, O(n^2), while the GPU version keeps row maxima.  Differences: the paper's
   Algorithm 1 computes sine and cosine from omega = x / sqrt (x^2 + y^2) (printed with
   a minus), with cancellation for small angles; rotation.h avoids this.  The paper
   treats neither Hermitian matrices nor eigenvectors.  */

#include "jacobi/jacobi_typed.h"

/* Elements processed between two reports and polls for an interrupt.  */
enum
{
  ELEMENTS_PER_CHECK = 100 * 1000 * 1000
};

/* Offset such that element (i, j) of the strict upper triangle is at [row (i) + j].  */
static int64_t
row (int64_t n, int64_t i)
{
  return n + i * (2 * n - i - 1) / 2 - i - 1;
}

static void
pack (int64_t n, const scalar_t *a, scalar_t *packed)
{
  for (int64_t i = 0; i < n; i++)
    {
      packed[i] = a[i + n * i];
      for (int64_t j = i + 1; j < n; j++)
        packed[row (n, i) + j] = a[i + n * j];
    }
}

/* Step 2 of the sequential algorithm.  Complex elements are compared by the square of
   their modulus.  */
static real_t
find_pivot (int64_t n, const scalar_t *a, int64_t *p, int64_t *q)
{
  real_t best = -1;
  int64_t at = n;
  *p = 0;
  *q = 1;
  for (int64_t i = 0; i < n - 1; i++)
    for (int64_t j = i + 1; j < n; j++, at++)
      {
#if GE_COMPLEX
        real_t size = abs2_ (a[at]);
#else
        real_t size = fabs_ (a[at]);
#endif
        if (size > best)
          {
            best = size;
            *p = i;
            *q = j;
          }
      }
  return abs_ (a[row (n, *p) + *q]);
}

/* x <- c x - conj (w) y, y <- w x + c y.  */
static inline void
rotate_elements (real_t c, scalar_t w, scalar_t *x, scalar_t *y)
{
  scalar_t u = *x, v = *y;
  *x = c * u - conj_ (w) * v;
  *y = w * u + c * v;
}

static void
rotate_matrix (int64_t n, scalar_t *a, int64_t p, int64_t q, scalar_t *v)
{
  real_t app = re_ (a[p]), aqq = re_ (a[q]), c, s, t;
  scalar_t *pivot = &a[row (n, p) + q], w;
#if GE_COMPLEX
  real_t size, pr, pi;
  ge_phase (re_ (*pivot), im_ (*pivot), &size, &pr, &pi);
  ge_jacobi_rotation (app, aqq, size, &c, &s, &t);
  w = make_ (s * pr, s * pi);
#else
  real_t size = *pivot;
  ge_jacobi_rotation (app, aqq, size, &c, &s, &t);
  w = s;
#endif
  a[p] = app - t * size;
  a[q] = aqq + t * size;
  *pivot = 0;
  /* Columns p and q above row p, rows p and q right of column q, and between them row
     p with column q (conjugated, since rows are multiplied by J').  */
  for (int64_t k = 0; k < p; k++)
    rotate_elements (c, w, &a[row (n, k) + p], &a[row (n, k) + q]);
  for (int64_t k = p + 1; k < q; k++)
    {
      scalar_t x = conj_ (a[row (n, p) + k]), y = a[row (n, k) + q];
      rotate_elements (c, w, &x, &y);
      a[row (n, p) + k] = conj_ (x);
      a[row (n, k) + q] = y;
    }
  for (int64_t k = q + 1; k < n; k++)
    rotate_elements (c, conj_ (w), &a[row (n, p) + k], &a[row (n, q) + k]);
  if (v)
    for (int64_t i = 0; i < n; i++)
      rotate_elements (c, w, &v[i + n * p], &v[i + n * q]);
}

gpueig_status
FN (ge_jacobi_classical) (gpueig_context *ctx, int64_t n, scalar_t *full,
                          scalar_t *v, real_t *lambda,
                          const ge_jacobi_control *control, gpueig_info *info)
{
  scalar_t *a;
  int mark = ge_mark (ctx);
  int64_t rotations = 0, p, q, size = n + n * (n - 1) / 2;
  int64_t between = 1 + ELEMENTS_PER_CHECK / size;
  int64_t limit = control->max_rotations;
  double norm = FN (ge_frobenius) (ctx, n * n, full, 1), pivot = 0;
  gpueig_status status = GPUEIG_OK;

  GE_TRY (GE_ALLOC (ctx, GE_HOST, size, &a));
  pack (n, full, a);
  /* The paper's epsilon: the iteration ends when the pivot is not larger.  */
  double least = control->tol * norm / sqrt ((double) n);
  if (limit == 0)
    limit = control->max_sweeps > INT64_MAX / (n * n)
                ? INT64_MAX
                : control->max_sweeps * (n * (n - 1) / 2);
  while (n > 1)
    {
      pivot = (double) find_pivot (n, a, &p, &q);
      if (rotations % between == 0)
        {
          FN (ge_jacobi_note) (ctx, info, "pivot", norm > 0 ? pivot / norm : 0);
          GE_TRY (ge_check_interrupt (ctx));
        }
      if (pivot <= least)
        break;
      if (rotations == limit)
        {
          status = gpueig_fail (ctx, GPUEIG_NO_CONVERGENCE,
                                "no convergence in %lld rotations",
                                (long long) rotations);
          break;
        }
      rotate_matrix (n, a, p, q, v);
      rotations++;
    }
  for (int64_t i = 0; i < n; i++)
    lambda[i] = re_ (a[i]);
  FN (ge_jacobi_note) (ctx, info, "end", norm > 0 ? pivot / norm : 0);
  info->sweeps
      = n > 1 ? (rotations + n * (n - 1) / 2 - 1) / (n * (n - 1) / 2) : 0;
  ge_info_extra (info, "rotations", (double) rotations);
  ge_release (ctx, mark);
  return status;
}
