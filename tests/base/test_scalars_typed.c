/* Claims about the math of scalars and small matrices of core/base.
   ge_gemm is the product for every operation, sign, leading dimension and size on both sides of
   its switches, to rounding errors of sums in any order; it neither reads Z for BETA = 0 nor
   writes between its columns; products of integers are exact.
   Against __float128: tangent, cosine and sine of a Jacobi rotation are right to a few ulp for
   every pair of magnitudes; rotations are orthogonal; off-diagonal elements vanish; hypot and
   phase neither overflow nor underflow.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "base/products.h"

void FN (test_scalars) (void);

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

static void
test_gemm (void)
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

#if ! GE_COMPLEX

#  include "base/rotation.h"
#  include "quad.h"

/* Newton's iteration from a long double start.  */
static quad
quad_sqrt (quad x)
{
  if (x == 0)
    return 0;
  quad y = sqrtl ((long double) x);
  if (y == 0)
    return 0;
  for (int i = 0; i < 3; i++)
    y = (y + x / y) / 2;
  return y;
}

static double
relative (real_t got, quad want)
{
  quad d = quad_abs ((quad) got - want);
  return d == 0 ? 0 : (double) (d / quad_abs (want)) / (double) GE_EPS;
}

static double worst_t, worst_cs, worst_off, worst_hypot, worst_phase;

static void
grow (double *worst, double x)
{
  if (! (x <= *worst))
    *worst = x;
}

static void
try_rotation (real_t a, real_t b, real_t g)
{
  real_t c, s, t;
  ge_jacobi_rotation (a, b, g, &c, &s, &t);
  quad d = (quad) (real_t) (b - a), w = 2 * (quad) g;
  quad tq = w / (quad_abs (d) + quad_sqrt (d * d + w * w));
  tq = d < 0 ? -tq : tq;
  quad cq = 1 / quad_sqrt (1 + (quad) t * t);
  /* Below the normal range a result has no relative accuracy.  */
  if (quad_abs (tq) > GE_REAL_MIN)
    {
      grow (&worst_t, relative (t, tq));
      if (quad_abs (d) + quad_abs (w) > 1e-6 && quad_abs (d) < 1e6
          && quad_abs (w) < 1e6 && quad_abs (w) > 1e-6)
        grow (&worst_t, relative (ge_jacobi_tangent_scaled (a, b, g), tq));
      grow (&worst_cs, relative (c, cq));
      if (quad_abs (cq * t) > GE_REAL_MIN)
        grow (&worst_cs, relative (s, cq * t));
    }
  /* c s (a - b) + (c^2 - s^2) g, against |a - b| + |g|.  */
  quad off = (quad) c * s * -d + ((quad) c * c - (quad) s * s) * g;
  quad unit = (quad_abs (d * t) + quad_abs ((quad) g)) * (quad) GE_EPS;
  if (unit > GE_REAL_MIN)
    grow (&worst_off, (double) (quad_abs (off) / unit));
}

static void
try_hypot (real_t x, real_t y)
{
  real_t size, pr, pi;
  quad want = quad_sqrt ((quad) x * x + (quad) y * y);
  if (want > GE_REAL_MIN && want < (quad) GE_REAL_MAX / 2)
    {
      grow (&worst_hypot, relative (ge_hypot (x, y), want));
      ge_phase (x, y, &size, &pr, &pi);
      quad unit = (quad) pr * pr + (quad) pi * pi - 1;
      grow (&worst_phase, (double) quad_abs (unit) / (double) GE_EPS);
    }
}

/* A random sign and mantissa with an exponent between -RANGE and RANGE.  */
static real_t
wide (measure_random *r, int range)
{
  double e = floor (measure_uniform (r) * range);
  return (real_t) ldexp (measure_uniform (r), (int) e);
}

/* The mean of c^2 + s^2 - 1 over tangents of size 2^E, in eps.  */
static double
bias (int e)
{
  enum
  {
    COUNT = 20000
  };
  measure_random r = { (uint64_t) (100 - e) };
  quad sum = 0;
  for (int i = 0; i < COUNT; i++)
    {
      real_t c, s;
      ge_tangent_to_cs ((real_t) ldexp (1 + fabs (measure_uniform (&r)), e), &c,
                        &s);
      sum += (quad) c * c + (quad) s * s - 1;
    }
  return fabs ((double) (sum / COUNT)) / (double) GE_EPS;
}

static void
try_ends (void)
{
  real_t c, s, t;
  ge_jacobi_rotation (1, 1, 1, &c, &s, &t);
  CHECK (t == 1, "equal diagonal: 45 degrees");
  ge_jacobi_rotation (1, 1, -1, &c, &s, &t);
  CHECK (t == -1, "equal diagonal, negative element: -45 degrees");
  ge_jacobi_rotation (3, 2, 0, &c, &s, &t);
  CHECK (t == 0 && s == 0 && c == 1, "nothing to do: the identity");
  ge_jacobi_rotation (0, 0, GE_REAL_MIN, &c, &s, &t);
  CHECK (t == 1, "the smallest element on a zero diagonal");
  ge_jacobi_rotation (-GE_REAL_MAX / 16, GE_REAL_MAX / 16, GE_REAL_MAX / 16, &c,
                      &s, &t);
  CHECK (fabs (t - (sqrt (2.0) - 1)) < 8 * GE_EPS, "huge elements");
  ge_jacobi_rotation (1, 2, GE_REAL_MIN, &c, &s, &t);
  CHECK (t == GE_REAL_MIN, "a tiny angle is g / (b - a)");
  CHECK (ge_hypot (0, 0) == 0, "hypot of zeros");
  ge_phase (0, 0, &c, &s, &t);
  CHECK (c == 0 && s == 1 && t == 0, "the phase of 0 is 1");
  CHECK (ge_negligible (4, 9, (real_t) 5.9, 1, 0), "relative test below");
  CHECK (! ge_negligible (4, 9, (real_t) 6.1, 1, 0), "relative test above");
  CHECK (! ge_negligible (0, 9, (real_t) 0.1, 1, (real_t) 0.05),
         "a zero diagonal leaves the floor, above");
  CHECK (ge_negligible (0, 9, (real_t) 0.1, 1, (real_t) 0.2),
         "a zero diagonal leaves the floor, below");
  CHECK (ge_negligible (-4, 9, (real_t) 5.9, 1, 0), "negative diagonal");
  real_t x = 3, y = 4;
  ge_rotate ((real_t) 0.6, (real_t) -0.8, &x, &y);
  CHECK (fabs (x - 5) < 8 * GE_EPS && fabs (y) < 8 * GE_EPS, "rotate");
}

static void
test_rotation (void)
{
  static const int ranges[] = { 1, 20, GE_DOUBLE ? 400 : 50 };
  measure_random r = { 20 };
  const char *name = GE_DOUBLE ? "double" : "single";
  worst_t = worst_cs = worst_off = worst_hypot = worst_phase = 0;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 20000; i++)
      {
        try_rotation (wide (&r, ranges[k]), wide (&r, ranges[k]),
                      wide (&r, ranges[k]));
        try_hypot (wide (&r, ranges[k]), wide (&r, ranges[k]));
      }
  for (int i = 0; i < 1000; i++)
    {
      real_t a = wide (&r, 3);
      try_rotation (a, a, wide (&r, 40));
      try_rotation (a, a * (1 + GE_EPS), wide (&r, 60));
    }
  CHECK_RATIO (worst_t, 5, "tangent, %s, in eps", name);
  CHECK_RATIO (worst_cs, 3, "cosine and sine, %s, in eps", name);
  CHECK_RATIO (worst_off, 6, "what remains off the diagonal, %s", name);
  CHECK_RATIO (worst_hypot, 2.5, "hypot, %s, in eps", name);
  CHECK_RATIO (worst_phase, 6, "modulus of the phase, %s, in eps", name);
  double worst_bias = 0;
  for (int e = -60; e < 0; e++)
    if (e < (GE_DOUBLE ? -29 : -14) || e > (GE_DOUBLE ? -27 : -12))
      grow (&worst_bias, bias (e));
  CHECK_RATIO (worst_bias, 0.05,
               "rotations keep lengths on average, %s, in eps", name);
  try_ends ();
}

#endif

/* Rotations of both precisions are done by the real types.  */
void
FN (test_scalars) (void)
{
  test_gemm ();
#if ! GE_COMPLEX
  test_rotation ();
#endif
}
