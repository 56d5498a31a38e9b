/* Square roots, logarithms and powers of an upper triangular matrix.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Square root: E. Deadman, N. J. Higham, R. Ralha, Blocked Schur algorithms for computing
   the matrix square root, PARA 2012 (recursive form), with a recursive Sylvester solver.
   Logarithm: A. H. Al-Mohy, N. J. Higham, Improved inverse scaling and squaring algorithms
   for the matrix logarithm, SIAM J. Sci. Comput. 34, 2012, algorithm 4.1.  Powers: N. J.
   Higham, L. Lin, An improved Schur-Pade algorithm for fractional powers of a matrix,
   SIAM J. Matrix Anal. Appl. 34, 2013; a power outside of (-1, 1) is halved first, and the
   result squared as often.  */

#include "functions/calc.h"
#include "lapack/lapack.h"

#include <complex.h>
#include <string.h>

enum
{
  BLOCK = 16, /* order from which matrices are halved */
  STRIP = 32, /* columns of a product or solution of triangular matrices */
  DEGREES = 7
};

static scalar_t
mul (scalar_t x, scalar_t y)
{
#if GE_COMPLEX
  return make_ (re_ (x) * re_ (y) - im_ (x) * im_ (y),
                re_ (x) * im_ (y) + im_ (x) * re_ (y));
#else
  return x * y;
#endif
}

static scalar_t
from_point (ge_point z)
{
  return make_ ((real_t) creal (z), (real_t) cimag (z));
}

static ge_point
to_point (scalar_t x)
{
  return ge_point_of ((double) re_ (x), (double) im_ (x));
}

/* --- square root --- */

/* Y -= A X for columns of length N.  */
GE_CLONES static void
subtract (int64_t n, scalar_t x, const scalar_t *a, scalar_t *y)
{
  for (int64_t i = 0; i < n; i++)
    y[i] -= mul (a[i], x);
}

/* C = X with A X + X B = C, A m-by-m and B n-by-n upper triangular.  A zero of C stays
   one, whatever its divisor.  */
static void
sylvester (lapack_int m, lapack_int n, const scalar_t *a, const scalar_t *b,
           scalar_t *c, lapack_int ld)
{
  const scalar_t minus = make_ (-1, 0), one = make_ (1, 0);
  if (m <= BLOCK && n <= BLOCK)
    {
      for (int64_t j = 0; j < n; j++)
        {
          scalar_t *column = c + j * ld;
          for (int64_t k = 0; k < j; k++)
            subtract (m, b[k + j * ld], c + k * ld, column);
          for (int64_t i = m - 1; i >= 0; i--)
            {
              if (column[i] != 0)
                column[i] /= a[i + i * ld] + b[j + j * ld];
              subtract (i, column[i], a + i * ld, column);
            }
        }
      return;
    }
  if (m >= n)
    {
      const lapack_int k = m / 2, rest = m - k;
      sylvester (rest, n, a + k + (int64_t) k * ld, b, c + k, ld);
      gemm_ ("N", "N", &k, &n, &rest, &minus, a + (int64_t) k * ld, &ld, c + k,
             &ld, &one, c, &ld, 1, 1);
      sylvester (k, n, a, b, c, ld);
      return;
    }
  const lapack_int k = n / 2, rest = n - k;
  sylvester (m, k, a, b, c, ld);
  gemm_ ("N", "N", &m, &rest, &k, &minus, c, &ld, b + (int64_t) k * ld, &ld,
         &one, c + (int64_t) k * ld, &ld, 1, 1);
  sylvester (m, rest, a, b + k + (int64_t) k * ld, c + (int64_t) k * ld, ld);
}

/* T becomes its square root; returns nonzero if an eigenvalue is zero.  */
static int
square_root (lapack_int n, scalar_t *t, lapack_int ld)
{
  if (n == 1)
    {
      const int singular = *t == 0;
      *t = from_point (ge_point_function (GPUEIG_SQRTM, 0, to_point (*t)));
      return singular;
    }
  const lapack_int k = n / 2, rest = n - k;
  const int64_t corner = (int64_t) k * ld;
  const int first = square_root (k, t, ld);
  const int second = square_root (rest, t + k + corner, ld);
  sylvester (k, rest, t, t + k + corner, t + corner, ld);
  return first | second;
}

/* --- inverse scaling --- */

/* The matrix that is scaled: R = T^(2^-roots) - I, T given.  */
typedef struct
{
  lapack_int n;
  const scalar_t *t;
  scalar_t *r, *spare;
  int roots;
} scaled;

/* Elements near the diagonal of f (T): X(i, i) and X(i, i + 1).  */
static void
set_exactly (gpueig_funm_kind kind, ge_point power, int64_t n,
             const scalar_t *t, scalar_t *x)
{
  for (int64_t i = 0; i < n; i++)
    {
      const ge_point z = to_point (t[i + i * n]);
      x[i + i * n] = from_point (ge_point_function (kind, power, z));
      if (i + 1 == n)
        break;
      const ge_point y = to_point (t[i + 1 + (i + 1) * n]);
      const ge_point corner = to_point (t[i + (i + 1) * n]);
      if (z != 0 && y != 0)
        x[i + (i + 1) * n]
            = from_point (ge_point_corner (kind, power, z, y, corner));
    }
}

/* An estimate of the 1-norm of R^p, to the power 1/p.  */
static double
root_of_norm (const scaled *s, int p)
{
  scalar_t *v = s->spare, *x = s->spare + s->n;
  lapack_int *sign = (lapack_int *) (s->spare + 2 * s->n);
  lapack_int kind = 0, save[3];
  const lapack_int unit = 1;
  real_t estimate = 0;
  for (;;)
    {
#if GE_COMPLEX
      (void) sign;
      lacn2_ (&s->n, v, x, &estimate, &kind, save);
#else
      lacn2_ (&s->n, v, x, sign, &estimate, &kind, save);
#endif
      if (kind == 0)
        break;
      for (int k = 0; k < p; k++)
        trmv_ ("U", kind == 1 ? "N" : LAPACK ("T", "T", "C", "C"), "N", &s->n,
               s->r, &s->n, x, &unit, 1, 1, 1);
    }
  return pow ((double) estimate, 1.0 / p);
}

/* One more square root of R + I.  */
static void
take_root (scaled *s)
{
  for (int64_t i = 0; i < s->n; i++)
    s->r[i + i * s->n] = from_point (ge_point_function (
        GPUEIG_MPOWER, ldexp (1, -s->roots), to_point (s->t[i + i * s->n])));
  square_root (s->n, s->r, s->n);
  s->roots++;
  for (int64_t i = 0; i < s->n; i++)
    s->r[i + i * s->n] = from_point (
        ge_point_root_minus_1 (to_point (s->t[i + i * s->n]), s->roots));
}

/* Scale until the Pade approximant of the degree that is returned will do.  */
static int
scale (scaled *s, const double *theta)
{
  const int64_t n = s->n;
  int halvings = 0, degree = 0;
  double largest;
  memcpy (s->r, s->t, (size_t) (n * n) * sizeof *s->r);
  do
    {
      if (s->roots == 0)
        for (int64_t i = 0; i < n; i++)
          s->r[i + i * n] -= 1;
      largest = 0;
      for (int64_t i = 0; i < n; i++)
        largest = fmax (largest, (double) abs_ (s->r[i + i * n]));
      if (largest > theta[DEGREES])
        take_root (s);
    }
  while (largest > theta[DEGREES]);
  double d3 = root_of_norm (s, 3);
  const double a2 = fmax (root_of_norm (s, 2), d3);
  for (int m = 1; m <= 2 && ! degree; m++)
    if (a2 <= theta[m])
      degree = m;
  for (int last = s->roots; ! degree; take_root (s))
    {
      if (s->roots > last)
        d3 = root_of_norm (s, 3);
      const double d4 = root_of_norm (s, 4), a3 = fmax (d3, d4);
      if (a3 <= theta[DEGREES])
        {
          int m = 3;
          while (a3 > theta[m])
            m++;
          if (m <= 6)
            degree = m;
          else if (a3 / 2 <= theta[5] && halvings++ < 2)
            continue;
        }
      const double least = fmin (a3, fmax (d4, root_of_norm (s, 5)));
      for (int m = 6; m <= DEGREES && ! degree; m++)
        if (least <= theta[m])
          degree = m;
      /* Not finite: there is nothing to gain.  */
      if (! (a3 <= GE_REAL_MAX))
        degree = DEGREES;
      if (degree)
        break;
    }
  /* The superdiagonal of T^(2^-roots), whose rounding errors the rest multiplies.  */
  for (int64_t i = 0; i + 1 < n; i++)
    {
      const ge_point x = to_point (s->t[i + i * n]),
                     y = to_point (s->t[i + 1 + (i + 1) * n]);
      if (x != 0 && y != 0)
        s->r[i + (i + 1) * n] = from_point (
            ge_point_corner (GPUEIG_MPOWER, ldexp (1, -s->roots), x, y,
                             to_point (s->t[i + (i + 1) * n])));
    }
  return degree;
}

/* B = (I + F R)^-1 B, all upper triangular; M is overwritten.  */
static void
solve_triangular (lapack_int n, double f, const scalar_t *r, scalar_t *b,
                  scalar_t *m)
{
  const scalar_t one = make_ (1, 0);
  for (int64_t j = 0; j < n; j++)
    {
      for (int64_t i = 0; i <= j; i++)
        m[i + j * n] = r[i + j * n] * (real_t) f;
      m[j + j * n] += 1;
    }
  for (lapack_int j = 0; j < n; j += STRIP)
    {
      const lapack_int columns = n - j < STRIP ? n - j : STRIP,
                       rows = j + columns;
      trsm_ ("L", "U", "N", "N", &rows, &columns, &one, m, &n,
             b + (int64_t) j * n, &n, 1, 1, 1, 1);
    }
}

/* C = A B, all upper triangular.  */
static void
multiply_triangular (lapack_int n, const scalar_t *a, const scalar_t *b,
                     scalar_t *c)
{
  const scalar_t one = make_ (1, 0), zero = make_ (0, 0);
  for (lapack_int j = 0; j < n; j += STRIP)
    {
      const lapack_int columns = n - j < STRIP ? n - j : STRIP,
                       rows = j + columns;
      const int64_t at = (int64_t) j * n;
      gemm_ ("N", "N", &rows, &columns, &rows, &one, a, &n, b + at, &n, &zero,
             c + at, &n, 1, 1);
      for (int64_t k = 0; k < columns; k++)
        memset (c + at + k * n + rows, 0, (size_t) (n - rows) * sizeof *c);
    }
}

/* --- logarithm --- */

/* Nodes and weights of Gauss and Legendre on [0, 1], degrees 1 to 7, by Newton's method
   for Legendre polynomials: the partial fractions of the diagonal Pade approximants of
   log (1 + x).  */
static void
gauss_legendre (int m, double *node, double *weight)
{
  for (int k = 0; k < m; k++)
    {
      double x = cos (3.14159265358979323846 * (k + 0.75) / (m + 0.5)), slope;
      for (int step = 0;; step++)
        {
          double before = 1, p = x;
          for (int j = 2; j <= m; j++)
            {
              const double next = ((2 * j - 1) * x * p - (j - 1) * before) / j;
              before = p;
              p = next;
            }
          slope = m * (x * p - before) / (x * x - 1);
          if (step == 5)
            break;
          x -= p / slope;
        }
      node[k] = (1 + x) / 2;
      weight[k] = 1 / ((1 - x * x) * slope * slope);
    }
}

static int
logarithm (lapack_int n, scalar_t *t, scalar_t *work)
{
  static const double theta[DEGREES + 1]
      = { 0, 1.59e-5, 2.31e-3, 1.94e-2, 6.21e-2, 1.28e-1, 2.06e-1, 2.88e-1 };
  const int64_t square = (int64_t) n * n;
  scalar_t *b = work + square, *m = work + 2 * square, *sum = work + 3 * square;
  scaled s = { .n = n, .t = t, .r = work, .spare = work + 4 * square };
  double node[DEGREES], weight[DEGREES];
  const int degree = scale (&s, theta);
  gauss_legendre (degree, node, weight);
  memset (sum, 0, (size_t) square * sizeof *sum);
  for (int k = 0; k < degree; k++)
    {
      const real_t factor = (real_t) ldexp (weight[k], s.roots);
      memcpy (b, s.r, (size_t) square * sizeof *b);
      solve_triangular (n, node[k], s.r, b, m);
      for (int64_t i = 0; i < square; i++)
        sum[i] += b[i] * factor;
    }
  set_exactly (GPUEIG_LOGM, 0, n, t, sum);
  memcpy (t, sum, (size_t) square * sizeof *t);
  return s.roots;
}

/* --- powers --- */

/* X = (I + R)^p, -1 < p < 1, by the Pade approximant of degree M of (1 - x)^p, a continued
   fraction that is evaluated from its end.  */
static void
small_power (lapack_int n, double p, int degree, const scalar_t *r, scalar_t *x,
             scalar_t *m, scalar_t *spare)
{
  const int64_t square = (int64_t) n * n;
  memset (x, 0, (size_t) square * sizeof *x);
  for (int j = 2 * degree; j >= 1; j--)
    {
      const int k = j / 2;
      const double c = j == 1  ? -p
                       : j % 2 ? (-k - p) / (2 * (2 * k + 1))
                               : (-k + p) / (2 * (2 * k - 1));
      /* x = (I + x)^-1 (-c r) */
      for (int64_t i = 0; i < square; i++)
        spare[i] = r[i] * (real_t) -c;
      if (j < 2 * degree)
        solve_triangular (n, 1, x, spare, m);
      memcpy (x, spare, (size_t) square * sizeof *x);
    }
  for (int64_t i = 0; i < n; i++)
    x[i + i * n] += 1;
}

static int
power_of (double power, lapack_int n, scalar_t *t, scalar_t *work)
{
  static const double theta[DEGREES + 1]
      = { 0, 1.51e-5, 2.24e-3, 1.88e-2, 6.04e-2, 1.24e-1, 2.00e-1, 2.79e-1 };
  const int64_t square = (int64_t) n * n;
  scalar_t *x = work + square, *m = work + 2 * square,
           *spare = work + 3 * square;
  scaled s = { .n = n, .t = t, .r = work, .spare = work + 4 * square };
  double p = power;
  int squarings = 0;
  for (; fabs (p) >= 1; p /= 2)
    squarings++;
  const int degree = scale (&s, theta);
  small_power (n, p, degree, s.r, x, m, spare);
  squarings += s.roots;
  for (int k = squarings;; k--)
    {
      set_exactly (GPUEIG_MPOWER, ldexp (power, -k), n, t, x);
      if (k == 0)
        break;
      multiply_triangular (n, x, x, spare);
      scalar_t *other = x;
      x = spare;
      spare = other;
    }
  memcpy (t, x, (size_t) square * sizeof *t);
  return s.roots;
}

/* A complex power: exp (POWER log (T)).  */
static int
power_by_logarithm (ge_point power, lapack_int n, scalar_t *t, scalar_t *work)
{
  static const ge_calc_ops ops = GE_CALC_OPS (FN);
  const int64_t square = (int64_t) n * n;
  scalar_t *x = work + square, *given = work;
  ge_calc c = { .ops = &ops,
                .type = (gpueig_type) GE_SCALAR,
                .n = n,
                .is_upper = 1,
                .pivots = work + 8 * square,
                .lines = (double *) (work + 9 * square) };
  for (int k = 0; k < GE_CALC_BUFFERS; k++)
    c.m[k] = work + (2 + k) * square;
  memcpy (given, t, (size_t) square * sizeof *t);
  const int roots = logarithm (n, t, work + square);
  for (int64_t i = 0; i < square; i++)
    t[i] = mul (t[i], from_point (power));
  ge_calc_exponential (&c, t, x);
  set_exactly (GPUEIG_MPOWER, power, n, given, x);
  memcpy (t, x, (size_t) square * sizeof *t);
  return roots;
}

int
FN (ge_triangular) (gpueig_funm_kind kind, ge_point power, int64_t order,
                    void *x, void *work, int *roots)
{
  const lapack_int n = (lapack_int) order;
  scalar_t *t = x;
  int state = 0, diagonal = 1;
  *roots = 0;
  for (int64_t j = 0; j < order; j++)
    {
      if (t[j + j * order] == 0)
        state = GPUEIG_FUNM_SINGULAR;
      for (int64_t i = 0; i < j; i++)
        diagonal &= t[i + j * order] == 0;
    }
  if (diagonal)
    set_exactly (kind, power, order, t, t);
  else if (kind == GPUEIG_SQRTM)
    square_root (n, t, n);
  else
    {
      /* The logarithm of zero is that of the smallest number.  */
      for (int64_t j = 0; j < order; j++)
        if (t[j + j * order] == 0)
          t[j + j * order] = GE_REAL_MIN;
      *roots = kind == GPUEIG_LOGM  ? logarithm (n, t, work)
               : cimag (power) != 0 ? power_by_logarithm (power, n, t, work)
                                    : power_of (creal (power), n, t, work);
    }
  return state;
}
