/* Claims, for the scalar math that C and CUDA share in MRRR, against quadruple
   precision: double-double operations are good to 2^-102, qd steps are those of
   the exact transformation, counts are right, the twist is where the inverse's
   diagonal is largest, Newton's iteration finds the eigenvalue; and for its
   fallback: vectors are orthogonal with small residuals; and on up to six cores
   clusters are recognised, at every scale.  The CPU's operations on several pairs count,
   halve brackets and choose twists as these formulas do.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "quad.h"
#include "mrrr/halving.h"
#include "mrrr/lanes.h"
#include "mrrr/newton.h"

#include <stdlib.h>

enum
{
  N = 60
};

static measure_random dice = { 17 };

static quad
of_dd (ge_dd a)
{
  return (quad) a.hi + a.lo;
}

static ge_dd
random_dd (void)
{
  double scale = ldexp (1, (int) (40 * measure_uniform (&dice)));
  return dd_quick (scale * measure_uniform (&dice),
                   0x1p-54 * scale * measure_uniform (&dice));
}

static void
test_arithmetic (void)
{
  double add = 0, mul = 0, div = 0, square = 0;
  for (int k = 0; k < 20000; k++)
    {
      ge_dd a = random_dd (), b = random_dd ();
      quad qa = of_dd (a), qb = of_dd (b);
      quad size = quad_abs (qa) + quad_abs (qb);
      add = worst_of (
          add,
          (double) (quad_abs (of_dd (ge_add_dd (a, b)) - (qa + qb)) / size));
      add = worst_of (
          add,
          (double) (quad_abs (of_dd (ge_sub_dd (a, b)) - (qa - qb)) / size));
      mul = worst_of (
          mul, (double) quad_abs (of_dd (ge_mul_dd (a, b)) / (qa * qb) - 1));
      /* With the largest error of the device's reciprocal.  */
      double inverse = ge_inverse (b.hi) * (1 + 0x1p-51);
      div = worst_of (div,
                      (double) quad_abs (
                          of_dd (ge_div_dd (a, b, inverse)) / (qa / qb) - 1));
      square = worst_of (square, (double) quad_abs (of_dd (ge_square_dd (a.hi))
                                                    - (quad) a.hi * a.hi));
    }
  CHECK_RATIO (add / 0x1p-102, 1, "sums");
  CHECK_RATIO (mul / 0x1p-102, 1, "products");
  CHECK_RATIO (div / 0x1p-100, 1, "quotients");
  CHECK (square == 0, "squares are exact");
}

/* A representation, in double-double and in quadruple precision.  */
static double e[N];
static ge_dd d[N], w[N];
static quad qd[N], qw[N];

static void
make_representation (int definite)
{
  for (int i = 0; i < N; i++)
    {
      double sign = definite || i % 3 ? 1 : -1;
      e[i] = i + 1 < N ? measure_uniform (&dice) : 0;
      d[i] = dd_quick (sign * (1.5 + measure_uniform (&dice)), 1e-18);
      w[i] = ge_ratio_dd (e[i], d[i]);
      qd[i] = of_dd (d[i]);
      qw[i] = (quad) e[i] * e[i] / qd[i];
    }
}

/* Pivots of T - x I from the tridiagonal matrix itself.  */
static int
exact_pivots (quad x, quad *plus)
{
  int below = 0;
  for (int i = 0; i < N; i++)
    {
      plus[i] = qd[i] + (i > 0 ? qw[i - 1] : 0) - x;
      if (i > 0)
        plus[i] -= (quad) e[i - 1] * e[i - 1] / plus[i - 1];
      below += plus[i] < 0;
    }
  return below;
}

/* Diagonal of the inverse of T - x I: products of pivots from both ends.  */
static void
exact_inverse (quad x, quad *g)
{
  quad down[N], up[N];
  exact_pivots (x, down);
  for (int i = N - 1; i >= 0; i--)
    {
      up[i] = qd[i] + (i > 0 ? qw[i - 1] : 0) - x;
      if (i + 1 < N)
        up[i] -= (quad) e[i] * e[i] / up[i + 1];
    }
  for (int i = 0; i < N; i++)
    g[i] = 1 / (down[i] + up[i] - (qd[i] + (i > 0 ? qw[i - 1] : 0) - x));
}

static int
count_down (double x, int guard)
{
  double s = -x;
  int count = 0;
  for (int i = 0; i < N; i++)
    count += (guard ? ge_count_step (d[i].hi, w[i].hi, x, &s)
                    : ge_count_step_free (d[i].hi, w[i].hi, x, &s))
             < 0;
  return count;
}

/* In double.  */
static int
twist_at (double x)
{
  double plus[N], q = -x, rho = 1, level = 0, best = N - 1;
  for (int i = 0; i + 1 < N; i++)
    plus[i] = ge_count_step (d[i].hi, w[i].hi, x, &q);
  q = d[N - 1].hi - x;
  for (int i = N - 2; i >= 0; i--)
    {
      double minus = ge_count_step_up (d[i].hi, w[i].hi, x, &q);
      ge_twist_step (plus[i], minus, i, &rho, &level, &best);
    }
  return (int) best;
}

static void
test_steps (int definite)
{
  quad exact[N], g[N];
  double worst = 0, gamma_error = 0;
  int wrong = 0, wrong_twist = 0;
  for (int k = 0; k < 200; k++)
    {
      make_representation (definite);
      double x = 3 * measure_uniform (&dice);
      int below = exact_pivots (x, exact);
      exact_inverse (x, g);
      /* Counts, from above, and from both sides to a middle.  */
      wrong += count_down (x, 1) != below;
      wrong += count_down (x, 0) != below;
      int r = k % N, half = 0;
      ge_dd wide = ge_make_dd (x, 0), s = ge_make_dd (-x, 0);
      for (int i = 0; i < r; i++)
        {
          ge_dd plus = ge_pivot_dd (d[i], s);
          s = ge_next_dd (w[i], s, plus, ge_inverse (plus.hi), wide);
          half += plus.hi < 0;
          worst = worst_of (worst,
                            (double) quad_abs (of_dd (plus) / exact[i] - 1));
        }
      ge_dd p = ge_sub_dd (d[N - 1], wide);
      for (int i = N - 2; i >= r; i--)
        {
          ge_dd minus = ge_pivot_dd (w[i], p);
          p = ge_next_dd (d[i], p, minus, ge_inverse (minus.hi), wide);
          half += minus.hi < 0;
        }
      ge_dd gamma = ge_add_dd (ge_add_dd (s, p), wide);
      wrong += half + (gamma.hi < 0) != below;
      gamma_error = worst_of (gamma_error,
                              (double) quad_abs (of_dd (gamma) * g[r] - 1));
      quad most = 0;
      for (int i = 0; i < N; i++)
        most = quad_abs (g[i]) > most ? quad_abs (g[i]) : most;
      wrong_twist += quad_abs (g[twist_at (x)]) * (MRRR_PREFER * 1.001) < most;
    }
  const char *kind = definite ? "definite" : "indefinite";
  /* Pivots may be small differences: the errors grow by their inverses.  */
  CHECK_RATIO (worst / 0x1p-100, 1e6, "pivots, %s", kind);
  CHECK_RATIO (gamma_error / 0x1p-100, 1e6, "gamma, %s", kind);
  CHECK (wrong == 0, "%d counts of 600 are wrong, %s", wrong, kind);
  CHECK (wrong_twist == 0, "%d twists of 200 are wrong, %s", wrong_twist, kind);
}

/* Of brackets that are wide, and not around their eigenvalues.  */
static void
test_operations (void)
{
  double hi[4][N];
  int32_t list[N], node[N] = { 0 }, count[N];
  double x[N];
  ge_mrrr_eigenpair pairs[N] = { { 0 } };
  ge_mrrr_block block = { .size = N };
  ge_mrrr_node root = { .parent = -1 };
  int wrong_count = 0, wrong_bracket = 0, wrong_twist = 0;
  ge_mrrr m = { .sd = x,
                .se = e,
                .d_hi = hi[0],
                .d_lo = hi[1],
                .w_hi = hi[2],
                .w_lo = hi[3],
                .blocks = &block,
                .nodes = &root,
                .pairs = pairs,
                .n = N,
                .max_size = N };
  if (gpueig_create (&m.ctx) != GPUEIG_OK)
    exit (2);
  make_representation (0);
  for (int i = 0; i < N; i++)
    {
      hi[0][i] = d[i].hi;
      hi[1][i] = d[i].lo;
      hi[2][i] = w[i].hi;
      hi[3][i] = w[i].lo;
      x[i] = 3 * measure_uniform (&dice);
      list[i] = i;
      pairs[i].index = i + 1;
      pairs[i].lo = x[i] - 1;
      pairs[i].hi = x[i] + 1;
    }
  CHECK (ge_mrrr_lanes.begin (&m) == GPUEIG_OK
             && ge_mrrr_lanes.count (&m, N, node, x, count) == GPUEIG_OK
             && ge_mrrr_lanes.twist (&m, N, list) == GPUEIG_OK
             && ge_mrrr_lanes.bisect (&m, N, list, 3) == GPUEIG_OK,
         "operations of %d pairs", N);
  for (int i = 0; i < N; i++)
    {
      double lo = x[i] - 1, up = x[i] + 1;
      wrong_count += count[i] != count_down (x[i], 1);
      wrong_twist += pairs[i].twist != twist_at (lo + (up - lo) / 2);
      for (int k = 0; k < 3; k++)
        {
          const double middle = lo + (up - lo) / 2;
          *(count_down (middle, 1) > i ? &up : &lo) = middle;
        }
      wrong_bracket += pairs[i].lo != lo || pairs[i].hi != up;
    }
  CHECK (wrong_count == 0 && wrong_twist == 0 && wrong_bracket == 0,
         "%d counts, %d twists, %d brackets of %d are other ones", wrong_count,
         wrong_twist, wrong_bracket, N);
  gpueig_destroy (m.ctx);
}

/* Vectors with interior elements far below the underflow threshold.  */
static void
test_valleys (void)
{
  double rho = 1, level = 0, best = 100;
  for (int i = 99; i >= 50; i--)
    ge_twist_step (0x1p100, 1, i, &rho, &level, &best);
  CHECK (best == 100, "down into a valley of 2^-5000");
  for (int i = 49; i >= 0; i--)
    ge_twist_step (1, i == 0 ? 0x1p103 : 0x1p100, i, &rho, &level, &best);
  CHECK (best == 0, "and up to a hill eight times as high");
}

/* A pivot that vanishes.  */
static void
test_zero_pivot (void)
{
  double s = -1, q = -1;
  int count = 0;
  ge_count_step_free (1, 0.25, 1, &q);
  ge_count_step_free (2, 0.25, 1, &q);
  CHECK (! (fabs (q) < 1e300), "the free step tells");
  count += ge_count_step (1, 0.25, 1, &s) < 0;
  count += ge_count_step (2, 0.25, 1, &s) < 0;
  CHECK (count == 1 && fabs (s) < 1e300, "the guarded step goes on");
}

/* One evaluation of the twisted factorisation for Newton's iteration.  */
static void
evaluate (ge_dd x, int r, double *gamma, double *norm2, int *below)
{
  ge_dd s = ge_make_dd (-x.hi, -x.lo), p = ge_sub_dd (d[N - 1], x);
  double up = 0, down = 0;
  *below = 0;
  for (int i = 0; i < r; i++)
    {
      ge_dd plus = ge_pivot_dd (d[i], s);
      double inverse = ge_inverse (plus.hi), f = e[i] * inverse;
      s = ge_next_dd (w[i], s, plus, inverse, x);
      up = f * f * (1 + up);
      *below += plus.hi < 0;
    }
  for (int i = N - 2; i >= r; i--)
    {
      ge_dd minus = ge_pivot_dd (w[i], p);
      double inverse = ge_inverse (minus.hi), f = e[i] * inverse;
      p = ge_next_dd (d[i], p, minus, inverse, x);
      down = f * f * (1 + down);
      *below += minus.hi < 0;
    }
  *gamma = ge_add_dd (ge_add_dd (s, p), x).hi;
  *norm2 = 1 + up + down;
  *below += *gamma < 0;
}

/* A pass with several points leaves the bracket of as many halvings, to the bit,
   whatever the counts are.  */
static void
test_halving (void)
{
  measure_random r = { 17 };
  int same = 1, inside = 1;
  for (int trial = 0; trial < 20000; trial++)
    {
      const double size = ldexp (1, (int) (40 * measure_normal (&r)));
      const double lo = size * measure_normal (&r);
      const double hi = lo + fabs (lo) * ldexp (1, -(trial % 50));
      const double where = lo + (hi - lo) * (0.5 + 0.3 * measure_normal (&r));
      for (int bits = 1; bits <= 3; bits++)
        {
          const int points = (1 << bits) - 1;
          double a = lo, b = hi, c = lo, d = hi;
          unsigned above = 0;
          for (int k = 1; k <= points; k++)
            {
              const double x = ge_mrrr_point (lo, hi, points, k);
              inside
                  &= x >= lo && x <= hi
                     && (k == 1 || x >= ge_mrrr_point (lo, hi, points, k - 1));
              above |= (unsigned) (where < x) << (k - 1);
            }
          ge_mrrr_halve (&a, &b, points, above);
          for (int k = 0; k < bits; k++)
            {
              const double x = c + (d - c) / 2;
              if (where < x)
                d = x;
              else
                c = x;
            }
          same &= a == c && b == d;
        }
    }
  CHECK (inside, "points are inside the bracket, in ascending order");
  CHECK (same, "several points a pass: the bracket of as many halvings");
}

/* Also from bad twists, where the bracket has to help and steps are many.  */
static void
test_newton (void)
{
  double worst = 0;
  int most_steps = 0;
  quad pivots[N];
  make_representation (1);
  for (int index = 1; index <= N; index += 7)
    {
      double lo = -1, hi = 10;
      for (int k = 0; k < 40; k++)
        {
          double x = (lo + hi) / 2;
          *(count_down (x, 1) >= index ? &hi : &lo) = x;
        }
      quad qlo = lo - 1e-9, qhi = hi + 1e-9;
      for (int k = 0; k < 110; k++)
        {
          quad x = (qlo + qhi) / 2;
          *(exact_pivots (x, pivots) >= index ? &qhi : &qlo) = x;
        }
      quad g[N], most = 0;
      exact_inverse (lo, g);
      for (int i = 0; i < N; i++)
        most = quad_abs (g[i]) > most ? quad_abs (g[i]) : most;
      for (int r = 0; r < N; r += 3)
        {
          ge_mrrr_newton s;
          double gamma, norm2;
          int below, steps = 0, open = 1;
          ge_mrrr_newton_begin (&s, lo, hi, 1e-4);
          for (; steps < MRRR_STEPS_MAX && open; steps++)
            {
              evaluate (ge_make_dd (s.x_hi, s.x_lo), r, &gamma, &norm2, &below);
              open = ge_mrrr_newton_step (&s, 1, gamma, norm2, below >= index);
            }
          most_steps = steps > most_steps ? steps : most_steps;
          /* If the vector's element at the twist is tiny, only the bracket gives the
             eigenvalue; see the test of the twist.  */
          if (quad_abs (g[r]) < most * (quad) 1e-8)
            continue;
          worst = worst_of (
              worst,
              (double) quad_abs (of_dd (ge_make_dd (s.x_hi, s.x_lo)) - qlo));
        }
    }
  CHECK_RATIO (worst / (1e-4 * 0x1p-50), 1,
               "Newton's eigenvalues, in units of eps times the gap");
  CHECK (most_steps < MRRR_STEPS_MAX, "in %d steps", most_steps);
}

static void
test_inverse_iteration (void)
{
  double diagonal[N], off[N], z[N * N], work[6 * N], worst = 0, residual = 0;
  /* A multiple eigenvalue as far as double precision can see.  */
  for (int i = 0; i < N; i++)
    {
      diagonal[i] = i % 3;
      off[i] = i % 3 == 2 ? 1e-15 : 1;
    }
  for (int j = 0; j < N / 3; j++)
    ge_mrrr_inverse_iteration (N, diagonal, off, 1 + sqrt (3.0), j, z, work,
                               z + N * j);
  for (int j = 0; j < N / 3; j++)
    {
      for (int k = 0; k <= j; k++)
        {
          double dot = 0;
          for (int i = 0; i < N; i++)
            dot += z[i + N * j] * z[i + N * k];
          worst = worst_of (worst, fabs (dot - (j == k)));
        }
      for (int i = 0; i < N; i++)
        {
          double t = (diagonal[i] - 1 - sqrt (3.0)) * z[i + N * j];
          t += (i > 0 ? off[i - 1] * z[i - 1 + N * j] : 0)
               + (i + 1 < N ? off[i] * z[i + 1 + N * j] : 0);
          residual = worst_of (residual, fabs (t));
        }
    }
  CHECK_RATIO (worst / 0x1p-52, 10, "orthogonality of inverse iteration");
  CHECK_RATIO (residual / 0x1p-52, 100, "residual of inverse iteration");
}

static void
test_two (void)
{
  double worst = 0;
  for (int k = 0; k < 1000; k++)
    {
      double a = measure_uniform (&dice),
             c = k % 7 ? measure_uniform (&dice) : a;
      double b = k % 5 ? ldexp (measure_uniform (&dice), -k % 60) : 0;
      double l[2], z[4];
      ge_mrrr_solve_2x2 (a, b, c, l, z);
      for (int j = 0; j < 2; j++)
        {
          double x = z[2 * j], y = z[2 * j + 1];
          worst = worst_of (worst, fabs (a * x + b * y - l[j] * x));
          worst = worst_of (worst, fabs (b * x + c * y - l[j] * y));
          worst = worst_of (worst, fabs (x * x + y * y - 1));
        }
      worst = worst_of (worst, l[0] <= l[1] ? 0 : 1);
    }
  CHECK_RATIO (worst / 0x1p-52, 10, "2-by-2 matrices");
}

static void
test_counts (void)
{
  double diagonal[4] = { 3, 1, 2, 2 }, off[3] = { 0, 0, 0 };
  CHECK (ge_mrrr_count (4, diagonal, off, 2) == 3
             && ge_mrrr_count (4, diagonal, off, 1.9999) == 1
             && ge_mrrr_count (4, diagonal, off, -INFINITY) == 0,
         "eigenvalues of a diagonal matrix are counted exactly");
  double huge[2] = { 1e308, -1e308 }, coupling[1] = { 1e308 };
  CHECK (ge_mrrr_count (2, huge, coupling, 0) == 1, "and without overflow");
}

/* KIND 0: random, 1: (1, 4, 1), 2: the identity, 3: two clusters, 4: Wilkinson's, 5:
   small multiples of 1, coupled weakly, 6: Wilkinson's, not quite symmetric.  */
static void
check_spectrum (int kind, int n, int exponent)
{
  static const ge_spectrum expected[]
      = { GE_LOCALIZED, GE_SPREAD,    GE_SPREAD,   GE_CLUSTERED,
          GE_CLUSTERED, GE_CLUSTERED, GE_CLUSTERED };
  FREED double *d = check_array (GPUEIG_DOUBLE, n);
  FREED double *e = check_array (GPUEIG_DOUBLE, n);
  for (int i = 0; i < n; i++)
    {
      const double at[] = { measure_uniform (&dice),
                            4,
                            1,
                            1 + i % 2,
                            abs (i - n / 2),
                            1 + (i * 7) % 5,
                            abs (i - n / 2) + 1e-9 * measure_uniform (&dice) };
      const double beside[]
          = { measure_uniform (&dice), 1, 0, 1e-9, 1, 1e-9, 1 };
      d[i] = ldexp (at[kind], exponent);
      e[i] = i + 1 < n ? ldexp (beside[kind], exponent) : 0;
    }
  const ge_spectrum found = ge_mrrr_spectrum (n, d, e);
  /* Vectors of small random matrices reach their ends.  */
  CHECK (found == expected[kind]
             || (kind == 0 && n <= 300 && found == GE_SPREAD),
         "kind %d, n = %d, times 2^%d: %d", kind, n, exponent, (int) found);
}

static void
test_spectra (void)
{
  const int orders[] = { 49, 65, 127, 301, 1001 };
  const int exponents[] = { -1000, -30, 0, 200, 1000 };
  for (int kind = 0; kind < 7; kind++)
    for (int i = 0; i < 5; i++)
      for (int k = 0; k < 5; k++)
        check_spectrum (kind, orders[i], exponents[k]);
  /* Any orders, and one and two rows.  */
  const double one = 1, two[] = { 1, 1 };
  CHECK (ge_mrrr_spectrum (1, &one, two) == GE_SPREAD
             && ge_mrrr_spectrum (2, two, two) == GE_SPREAD,
         "orders 1 and 2");
  for (int i = 0; i < 40; i++)
    {
      const int n = 30 + (int) (200 * (measure_uniform (&dice) + 1));
      check_spectrum (1, n, 0);
      check_spectrum (4, 2 * n + 1, 0);
    }
}

int
main (void)
{
  check_begin ("mrrr_math");
  test_arithmetic ();
  test_steps (1);
  test_steps (0);
  test_operations ();
  test_valleys ();
  test_zero_pivot ();
  test_halving ();
  test_newton ();
  test_inverse_iteration ();
  test_two ();
  test_counts ();
  test_spectra ();
  return check_end ();
}
