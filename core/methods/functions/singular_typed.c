/* Roots and powers of triangular matrices with zero eigenvalues.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   T = Q [Z X; 0 R] Q', Z strictly upper triangular, R nonsingular.  Of f (z) = z^p with a
   positive real part of p: f (Z) = 0 if Z^k = 0 for the least integer k > p - otherwise there
   is no such power of T - and f (T) T = T f (T) determines the rest:
   Y R = Z Y + X f (R) - f (Z) X (N. J. Higham, Functions of matrices, SIAM 2008, section 4.6).
   Of a square root Z and f (Z) are 0, and Y f (R) = X has smaller rounding errors where an
   eigenvalue of R is small.  Of p > 1 they are those of Y = X R^(p - 1) + Z W, where
   W R - Z W = X R^(p - 1): without Z nothing is divided by R.

   Zeros on the diagonal are moved to the top by rotations.  Several eigenvalues near zero may
   be a Jordan block of zero, which is computed as eigenvalues of the order of a root of eps:
   null spaces up to rounding errors are split off one after the other (V. N. Kublanovskaya, On
   a method of solving the complete eigenvalue problem for a degenerate matrix, USSR Comput.
   Math. Math. Phys. 6, 1966).  */

#include "base/products.h"
#include "functions/calc.h"

#include <complex.h>
#include <string.h>

/* Condition numbers of an eigenvalue next to zero as far as they count.  */
#define MOST_CONDITION 32

/* --- order --- */

/* [FIRST, SECOND] <- [FIRST, SECOND] [x, -conj (y); y, conj (x)], columns with elements STEP
   apart; of ROWS their transpose by the conjugate of the matrix.  */
static void
turn_pair (int64_t count, scalar_t *first, scalar_t *second, int64_t step,
           scalar_t x, scalar_t y, int rows)
{
  const scalar_t a = rows ? conj_ (x) : x, b = rows ? conj_ (y) : y;
  for (int64_t i = 0; i < count; i++)
    {
      const scalar_t p = first[i * step], q = second[i * step];
      first[i * step] = mul_ (p, a) + mul_ (q, b);
      second[i * step] = mul_ (q, conj_ (a)) - mul_ (p, conj_ (b));
    }
}

/* Exchange the eigenvalue at K, not zero, and the zero one at K + 1 in T and Q.  */
static void
exchange_with_zero (int64_t n, scalar_t *t, scalar_t *q, int64_t k)
{
  scalar_t *corner = t + k * (n + 1);
  const scalar_t value = corner[0], above = corner[n];
  const real_t most = fmax_ (part_ (value), part_ (above)),
               length = sqrt_ (abs2_ (above / most) + abs2_ (value / most));
  /* (x, y): a null vector of the block.  */
  const scalar_t x = above / most / length, y = -value / most / length;
  turn_pair (n, t + k * n, t + (k + 1) * n, 1, x, y, 0);
  turn_pair (n, t + k, t + k + 1, n, x, y, 1);
  turn_pair (n, q + k * n, q + (k + 1) * n, 1, x, y, 0);
  corner[0] = corner[1] = 0;
  corner[n + 1] = value;
}

/* Move the zeros of the diagonal of T to the top; *MOVED: any was moved.  Returns their number.  */
static int64_t
move_up (int64_t n, scalar_t *t, scalar_t *q, int *moved)
{
  int64_t zeros = 0;
  *moved = 0;
  for (int64_t k = 0; k < n; k++)
    {
      if (t[k * (n + 1)] != 0)
        continue;
      for (int64_t j = k; j-- > zeros; *moved = 1)
        exchange_with_zero (n, t, q, j);
      zeros++;
    }
  return zeros;
}

/* Elements of Z that may be rounding errors of the exchanges, which are of the order of the
   elements of a row, become 0.  */
static void
clear_rounding (int64_t n, int64_t zeros, scalar_t *t)
{
  for (int64_t i = 0; i < zeros; i++)
    {
      real_t row = 0;
      for (int64_t j = i + 1; j < n; j++)
        row = fmax_ (row, part_ (t[i + j * n]));
      for (int64_t j = i; j < zeros; j++)
        if ((double) part_ (t[i + j * n])
            <= (double) row * GE_ROUNDING (n, GE_EPS))
          t[i + j * n] = 0;
    }
}

/* --- null spaces --- */

#if GE_COMPLEX

/* Columns and rows from FIRST on of B, all of W: B <- V' B V, W <- W V; SPARE: N-by-N.  */
static void
turn_by (int64_t n, int64_t first, const scalar_t *v, scalar_t *b, scalar_t *w,
         scalar_t *spare)
{
  const int64_t rest = n - first;
  FN (ge_gemm)
  ("N", "N", n, rest, rest, 1, b + first * n, n, v, rest, 0, spare, n);
  memcpy (b + first * n, spare, (size_t) (n * rest) * sizeof *b);
  FN (ge_gemm)
  ("C", "N", rest, rest, rest, 1, v, rest, b + first * (n + 1), n, 0, spare,
   rest);
  for (int64_t j = 0; j < rest; j++)
    memcpy (b + first + (first + j) * n, spare + j * rest,
            (size_t) rest * sizeof *b);
  FN (ge_gemm)
  ("N", "N", n, rest, rest, 1, w + first * n, n, v, rest, 0, spare, n);
  memcpy (w + first * n, spare, (size_t) (n * rest) * sizeof *w);
}

/* The matrix GIVEN in the basis Q; scratch memory.  */
typedef struct
{
  const scalar_t *given, *q;
  scalar_t *v, *vt, *copy, *work;
  real_t *value, *more;
  /* Rounding errors in columns of GIVEN with an eigenvalue near zero, 0 for others.  */
  const double *errors;
  double *noise; /* of GIVEN times a vector of the null spaces */
} null_work;

#  define LAPACK_WORK(n) (8 * (n))

/* A bound of the rounding errors of GIVEN times U: those of the product, and what the errors of
   GIVEN, a computed Schur form, contribute.  */
static double
errors_of_product (int64_t n, const null_work *w, const scalar_t *u)
{
  double sum = 0;
  for (int64_t k = 0; k < n; k++)
    sum += (double) abs_ (u[k]) * w->errors[k];
  return fmax (sum, FN (ge_funm_noise) (n, w->given, u));
}

/* w->v: right singular vectors of the trailing block of B, from row and column FIRST on, those of
   values that may be rounding errors first; returns the number of these.  */
static int64_t
null_space (int64_t n, int64_t first, const scalar_t *b, const null_work *w)
{
  const lapack_int rest = (lapack_int) (n - first), one = 1,
                   size = (lapack_int) LAPACK_WORK (n);
  lapack_int info = 0;
  int64_t count = 0;
  for (int64_t j = 0; j < rest; j++)
    memcpy (w->copy + j * rest, b + first + (first + j) * n,
            (size_t) rest * sizeof *b);
  gesvd_ ("N", "A", &rest, &rest, w->copy, &rest, w->value, NULL, &one, w->vt,
          &rest, w->work, &size, w->more, &info, 1, 1);
  for (int64_t j = 0; j < rest; j++)
    for (int64_t i = 0; i < rest; i++)
      w->v[i + j * rest] = conj_ (w->vt[rest - 1 - j + i * rest]);
  FN (ge_gemm)
  ("N", "N", n, rest, rest, 1, w->q + first * n, n, w->v, rest, 0, w->copy, n);
  for (; info == 0 && count < rest; count++)
    {
      const double noise = errors_of_product (n, w, w->copy + count * n);
      w->noise[first + count] = noise;
      /* Without noise the matrix times the vector is exactly zero.  */
      if (noise > 0 && (double) w->value[rest - 1 - count] > noise)
        break;
    }
  return count;
}

/* Split off null spaces of T, which is GIVEN on entry, Z on top; the rest becomes triangular again.  Returns the order of
   Z, 0 where LAPACK fails or T need not be divided.  */
static int64_t
split_null_spaces (int64_t n, const scalar_t *given, const double *errors,
                   scalar_t *t, scalar_t *q, char *at)
{
  null_work w = { .given = given,
                  .q = q,
                  .v = ge_take (&at, n * n, sizeof *t),
                  .vt = ge_take (&at, n * n, sizeof *t),
                  .copy = ge_take (&at, n * n, sizeof *t),
                  .work = ge_take (&at, LAPACK_WORK (n), sizeof *t),
                  .value = ge_take (&at, n, sizeof (real_t)),
                  .more = ge_take (&at, 5 * n, sizeof (real_t)),
                  .errors = errors,
                  .noise = ge_take (&at, n, sizeof (double)) };
  int64_t zeros = 0;
  for (int64_t count = 1; count > 0 && zeros < n; zeros += count)
    {
      count = null_space (n, zeros, t, &w);
      if (count > 0)
        turn_by (n, zeros, w.v, t, q, w.vt);
      for (int64_t j = zeros; j < zeros + count; j++)
        for (int64_t i = 0; i < n; i++)
          if (i >= zeros
              || (double) part_ (t[i + j * n]) <= fmax (w.noise[i], w.noise[j]))
            t[i + j * n] = 0;
    }
  const lapack_int rest = (lapack_int) (n - zeros),
                   size = (lapack_int) LAPACK_WORK (n);
  lapack_int info = 0, none = 0;
  if (zeros == 0 || rest == 0)
    return zeros;
  for (int64_t j = 0; j < rest; j++)
    memcpy (w.copy + j * rest, t + zeros + (zeros + j) * n,
            (size_t) rest * sizeof *t);
  gees_ ("V", "N", NULL, &rest, w.copy, &rest, &none, w.vt, w.v, &rest, w.work,
         &size, w.more, NULL, &info, 1, 1);
  turn_by (n, zeros, w.v, t, q, w.vt);
  double noise = 0;
  int is_null = 1; /* Z is 0 */
  for (int64_t j = 0; j < zeros; j++)
    {
      noise = fmax (noise, w.noise[j]);
      for (int64_t i = 0; i < j; i++)
        is_null &= t[i + j * n] == 0;
    }
  for (int64_t j = zeros; j < n; j++)
    {
      for (int64_t i = j + 1; i < n; i++)
        t[i + j * n] = 0;
      /* Powers of T divide by an eigenvalue that may be zero as well; without a Jordan block of zero
         they need not be divided.  */
      if (is_null && (double) abs_ (t[j * (n + 1)]) <= MOST_CONDITION * noise)
        info = 1;
    }
  return info == 0 ? zeros : 0;
}

#endif

/* --- the zero part --- */

/* P = Z P, ZEROS-by-ZEROS, strictly upper triangular; nonzero if an element is.  */
static int
multiply_by_zero_part (int64_t n, int64_t zeros, const scalar_t *t, scalar_t *p)
{
  int any = 0;
  for (int64_t j = 0; j < zeros; j++)
    for (int64_t i = 0; i < zeros; i++)
      {
        scalar_t sum = 0;
        for (int64_t k = i + 1; k < j; k++)
          sum += mul_ (t[i + k * n], p[k + j * zeros]);
        p[i + j * zeros] = sum;
        any |= sum != 0;
      }
  return any;
}

/* F = f (Z): 0, and infinite where Z^k is not zero for a k > P; nonzero if there are such
   elements.  POWER: scratch as large as F.  */
static int
power_of_zero_part (int64_t n, int64_t zeros, const scalar_t *t, double p,
                    scalar_t *f, scalar_t *power)
{
  int any = 0, infinite = 0;
  for (int64_t j = 0; j < zeros; j++)
    for (int64_t i = 0; i < zeros; i++)
      {
        f[i + j * zeros] = 0;
        power[i + j * zeros] = i < j ? t[i + j * n] : 0;
        any |= power[i + j * zeros] != 0;
      }
  for (int64_t k = 1; any && k < zeros; k++)
    {
      for (int64_t e = 0; (double) k > p && e < zeros * zeros; e++)
        if (power[e] != 0)
          {
            f[e] = copysign_ ((real_t) INFINITY, re_ (power[e]));
            infinite = 1;
          }
      any = multiply_by_zero_part (n, zeros, t, power);
    }
  return infinite;
}

/* --- the rest --- */

/* Y R - Z Y = Y, which is ZEROS-by-(N - ZEROS); Z: of T, LD: leading dimension of R.  */
static void
solve_for_coupling (int64_t n, int64_t zeros, const scalar_t *t,
                    const scalar_t *r, int64_t ld, scalar_t *y)
{
  const int64_t rest = n - zeros;
  for (int64_t i = zeros; i-- > 0;)
    for (int64_t j = 0; j < rest; j++)
      {
        scalar_t sum = y[i + j * zeros];
        for (int64_t k = i + 1; k < zeros; k++)
          if (t[i + k * n] != 0)
            sum += mul_ (t[i + k * n], y[k + j * zeros]);
        for (int64_t k = 0; k < j; k++)
          sum -= mul_ (y[i + k * zeros], r[k + j * ld]);
        y[i + j * zeros] = sum / r[j * (ld + 1)];
      }
}

/* Y = X R^(p - 1) + Z W, where Y is X R^(p - 1) on entry; SPACE: as Y.  */
static void
add_zero_part (int64_t n, int64_t zeros, const scalar_t *t, scalar_t *y,
               scalar_t *space)
{
  const int64_t rest = n - zeros;
  memcpy (space, y, (size_t) (zeros * rest) * sizeof *y);
  solve_for_coupling (n, zeros, t, t + zeros * (n + 1), n, space);
  for (int64_t j = 0; j < rest; j++)
    for (int64_t i = 0; i < zeros; i++)
      for (int64_t k = i + 1; k < zeros; k++)
        if (t[i + k * n] != 0)
          y[i + j * zeros] += mul_ (t[i + k * n], space[k + j * zeros]);
}

/* X, ZEROS-by-(N - ZEROS) of a matrix of order N, becomes 2^-e X of a norm near 1; returns e.  */
static int
scale_coupling (int64_t n, int64_t zeros, scalar_t *x)
{
  real_t most = 0;
  for (int64_t j = 0; j < n - zeros; j++)
    for (int64_t i = 0; i < zeros; i++)
      most = fmax_ (most, part_ (x[i + j * n]));
  const int exponent = most > 0 ? ilogb ((double) most) : 0;
  for (int64_t j = 0; j < n - zeros; j++)
    for (int64_t i = 0; i < zeros; i++)
      x[i + j * n] = times_power_ (x[i + j * n], -exponent);
  return exponent;
}

#if GE_COMPLEX
/* Compute S for several eigenvalues near zero.  If rounding errors lead to a matrix without
   the power P, s->lost is set, and unless an eigenvalue is exactly zero T does not change,
   since a power may exist.  */
static void
find_null_spaces (int64_t n, double p, const double *noise, scalar_t *t,
                  ge_singular *s, char *at)
{
  scalar_t *before = ge_take (&at, n * n, sizeof *t),
           *f = ge_take (&at, n * n, sizeof *t),
           *power = ge_take (&at, n * n, sizeof *t);
  int exact = 0;
  for (int64_t k = 0; k < n; k++)
    exact |= t[k * (n + 1)] == 0;
  memcpy (before, t, (size_t) (n * n) * sizeof *t);
  s->zeros = split_null_spaces (n, before, noise, t, s->q, (char *) f);
  s->moved = 1;
  s->lost = s->zeros > 0
            && (p <= 0 || power_of_zero_part (n, s->zeros, t, p, f, power));
  if (s->zeros > 0 && (exact || ! s->lost))
    return;
  s->zeros = 0;
  memcpy (t, before, (size_t) (n * n) * sizeof *t);
  FN (ge_identity) (n, s->q);
}
#endif

void
FN (ge_funm_split) (int64_t n, void *matrix, const double *noise, double near,
                    double p, ge_singular *s, char **at)
{
  scalar_t *t = matrix;
  int64_t count = 0, last = 0;
  *s = (ge_singular){ .q = ge_take (at, n * n, sizeof *t),
                      .rest = ge_take (at, n * n, sizeof *t) };
  FN (ge_identity) (n, s->q);
  for (int64_t k = 0; noise && k < n; k++)
    if ((double) abs_ (t[k * (n + 1)]) <= near)
      {
        last = k;
        count++;
      }
#if GE_COMPLEX
  if (count > 1)
    find_null_spaces (n, p, noise, t, s, *at);
#endif
  if (count == 1
      && (double) abs_ (t[last * (n + 1)])
             <= noise[last]
                    * fmin (FN (ge_funm_condition) (n, t, last, *at),
                            MOST_CONDITION))
    t[last * (n + 1)] = 0;
  if (s->zeros == 0)
    {
      s->zeros = move_up (n, t, s->q, &s->moved);
      if (s->moved)
        clear_rounding (n, s->zeros, t);
    }
  (void) p;
  const int64_t rest = n - s->zeros;
  for (int64_t j = 0; j < rest; j++)
    memcpy ((scalar_t *) s->rest + j * rest, t + s->zeros + (s->zeros + j) * n,
            (size_t) rest * sizeof *t);
}

int
FN (ge_funm_join) (int64_t n, void *matrix, double p, const ge_singular *s,
                   char *at)
{
  const int64_t zeros = s->zeros, rest = n - zeros;
  const scalar_t *r = s->rest;
  scalar_t *t = matrix, *f = ge_take (&at, zeros * zeros, sizeof *t),
           *power = ge_take (&at, zeros * zeros, sizeof *t),
           *y = ge_take (&at, zeros * rest, sizeof *t),
           *space = ge_take (&at, n * n, sizeof *t), *x = t + zeros * n;
  const int infinite = power_of_zero_part (n, zeros, t, p, f, power),
            is_less = zeros > 0 && p > 1; /* R^(p - 1) is given */
  /* X f (R) may be out of range unless X is scaled.  */
  const int exponent = scale_coupling (n, zeros, x);
  if (is_less)
    {
      FN (ge_gemm)
      ("N", "N", zeros, rest, rest, 1, x, n, r, rest, 0, y, zeros);
      if (! infinite)
        add_zero_part (n, zeros, t, y, space);
      FN (ge_gemm)
      ("N", "N", rest, rest, rest, 1, t + zeros * (n + 1), n, r, rest, 0, space,
       rest);
      r = space;
    }
  if (infinite || ! (is_less || s->is_root))
    {
      FN (ge_gemm)
      ("N", "N", zeros, rest, rest, 1, x, n, r, rest, 0, y, zeros);
      for (int64_t j = 0; infinite && j < rest; j++)
        for (int64_t i = 0; i < zeros; i++)
          for (int64_t k = i + 1; k < zeros; k++)
            if (f[i + k * zeros] != 0 && x[k + j * n] != 0)
              y[i + j * zeros] -= f[i + k * zeros] * x[k + j * n];
      solve_for_coupling (n, zeros, t, t + zeros * (n + 1), n, y);
    }
  else if (! is_less)
    {
      for (int64_t j = 0; j < rest; j++)
        memcpy (y + j * zeros, x + j * n, (size_t) zeros * sizeof *y);
      solve_for_coupling (n, zeros, t, r, rest, y);
    }
  for (int64_t k = 0; k < zeros * rest; k++)
    y[k] = times_power_ (y[k], exponent);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      t[i + j * n] = j < zeros   ? i < zeros ? f[i + j * zeros] : 0
                     : i < zeros ? y[i + (j - zeros) * zeros]
                                 : r[i - zeros + (j - zeros) * rest];
  if (s->moved)
    {
      scalar_t *spare = ge_take (&at, n * n, sizeof *t);
      FN (ge_gemm) ("N", "N", n, n, n, 1, s->q, n, t, n, 0, spare, n);
      FN (ge_gemm) ("N", "C", n, n, n, 1, spare, n, s->q, n, 0, t, n);
    }
  return infinite;
}
