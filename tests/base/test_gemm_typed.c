/* Claims: ge_gemm is the product for every operation, sign, leading dimension and size on
   both sides of its switches, to rounding errors of sums in any order; it neither reads Z for
   BETA = 0 nor writes between its columns; products of integers are exact.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "base/products.h"

void FN (test_gemm) (void);

enum
{
  MOST = 130,
  LD = MOST + 3
};

static const int sizes[] = { 1, 3, 4, 5, 8, 9, 17, 32, 128, MOST };

/* Of X and Y, all that a product may read, and of Z with what is around it.  */
static scalar_t x[LD * LD], y[LD * LD], z[LD * LD], before[LD * LD];
static double worst, worst_exact;
static int outside;

static void
fill (measure_random *r, scalar_t *a, int integers)
{
  for (int i = 0; i < LD * LD; i++)
    {
      const double re = 4 * measure_uniform (r), im = 4 * measure_uniform (r);
      a[i] = make_ ((real_t) (integers ? floor (re) : re),
                    (real_t) (integers ? floor (im) : im));
    }
}

static scalar_t
element (const scalar_t *a, char op, int i, int j)
{
  return op == 'N'   ? a[i + j * LD]
         : op == 'C' ? conj_ (a[j + i * LD])
                     : a[j + i * LD];
}

static void
try_product (const char *opx, const char *opy, int m, int n, int k, int alpha,
             int beta, int exact)
{
  for (int i = 0; i < LD * LD; i++)
    before[i] = z[i];
  for (int j = 0; j < n && beta == 0; j++)
    for (int i = 0; i < m; i++)
      z[i + j * LD] = (real_t) NAN;
  FN (ge_gemm) (opx, opy, m, n, k, alpha, x, LD, y, LD, beta, z, LD);
  for (int j = 0; j < LD; j++)
    for (int i = 0; i < LD; i++)
      {
        const int e = i + j * LD;
        if (i >= m || j >= n)
          {
            outside += z[e] != before[e];
            continue;
          }
        double re = beta * (double) re_ (before[e]),
               im = beta * (double) im_ (before[e]),
               size = fabs (re) + fabs (im);
        for (int l = 0; l < k; l++)
          {
            const scalar_t a = element (x, *opx, i, l),
                           b = element (y, *opy, l, j);
            const double ar = re_ (a), ai = im_ (a), br = re_ (b), bi = im_ (b);
            re += alpha * (ar * br - ai * bi);
            im += alpha * (ar * bi + ai * br);
            size += (fabs (ar) + fabs (ai)) * (fabs (br) + fabs (bi));
          }
        const double error
            = fabs ((double) re_ (z[e]) - re) + fabs ((double) im_ (z[e]) - im),
            ratio = error / ((k + 1) * (double) GE_EPS * size);
        double *most = exact ? &worst_exact : &worst;
        if (! (ratio <= *most))
          *most = ratio;
      }
}

void
FN (test_gemm) (void)
{
  static const char *const ops[] = { "N", "C", "T" };
  measure_random r = { 1 };
  const char name = "sdcz"[GE_SCALAR];
  const int count = sizeof sizes / sizeof *sizes;
  worst = worst_exact = outside = 0;
  for (int t = 0; t < 400; t++)
    {
      const int m = sizes[measure_integer (&r, 0, count - 1)],
                n = sizes[measure_integer (&r, 0, count - 1)],
                k = sizes[measure_integer (&r, 0, count - 1)], exact = t % 2;
      if (t % 20 < 2)
        {
          fill (&r, x, exact);
          fill (&r, y, exact);
        }
      fill (&r, z, exact);
      try_product (ops[t / 2 % 3], ops[t / 6 % 3], m, n, k, t / 18 % 2 ? 1 : -1,
                   t / 36 % 3 - 1, exact);
    }
  CHECK_RATIO (worst, 2, "products, type %c, in (k + 1) eps", name);
  CHECK (worst_exact == 0, "products of integers are exact, type %c", name);
  CHECK (outside == 0, "nothing around Z is written, type %c", name);
}
