/* Claims, in exact arithmetic up to rounding, checked in long double: J has
   determinant 1, J^-1 A J has no element (q, p) unless the angle was capped, a
   shear lowers the Frobenius norm, Hermitian blocks give unitary J; powers of 2
   change no bit; zeros and extremes give finite numbers and the identity where
   there is nothing to do.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/scalar.h"

void FN (test_shroff) (void);

#if ! GE_COMPLEX

#  include "check.h"
#  include "complex_eig/transformation.h"

#  include <complex.h>
#  include <string.h>

typedef long double complex wide;

enum
{
  N = 6
};

/* c and G of the pair (0, 1) of A from outside its block, as callers gather
   them.  */
static void
gather (const wide *a, wide *c, long double *g)
{
  *c = *g = 0;
  for (int j = 2; j < N; j++)
    {
      wide x = a[0 + N * j], y = a[1 + N * j], u = a[j], w = a[j + N];
      *c += x * conjl (y) - conjl (u) * w;
      *g += creall (x * conjl (x) + y * conjl (y) + u * conjl (u)
                    + w * conjl (w));
    }
}

static void
transform (const wide *a, real_t shear, real_t rotate, real_t *j)
{
  wide c;
  long double g;
  gather (a, &c, &g);
  ge_shroff_pair ((real_t) creall (a[0]), (real_t) cimagl (a[0]),
                  (real_t) creall (a[N]), (real_t) cimagl (a[N]),
                  (real_t) creall (a[1]), (real_t) cimagl (a[1]),
                  (real_t) creall (a[N + 1]), (real_t) cimagl (a[N + 1]),
                  (real_t) creall (c), (real_t) cimagl (c), (real_t) g, shear,
                  rotate, j, 1);
}

static void
widen (const real_t *j, wide *J)
{
  for (int i = 0; i < 4; i++)
    J[i] = j[2 * i] + I * (long double) j[2 * i + 1];
}

/* A <- J^-1 A J for the pair (0, 1); its squared norm.  */
static long double
apply (wide *a, const wide *J)
{
  long double sum = 0;
  for (int i = 0; i < N; i++)
    {
      wide x = a[i], y = a[i + N];
      a[i] = x * J[0] + y * J[2];
      a[i + N] = x * J[1] + y * J[3];
    }
  for (int j = 0; j < N; j++)
    {
      wide x = a[N * j], y = a[1 + N * j];
      a[N * j] = J[3] * x - J[1] * y;
      a[1 + N * j] = -J[2] * x + J[0] * y;
    }
  for (int i = 0; i < N * N; i++)
    sum += creall (a[i] * conjl (a[i]));
  return sum;
}

static void
random_matrix (measure_random *r, wide *a, long double *norm2)
{
  *norm2 = 0;
  for (int i = 0; i < N * N; i++)
    {
      a[i] = (real_t) measure_normal (r) + I * (real_t) measure_normal (r);
      *norm2 += creall (a[i] * conjl (a[i]));
    }
}

static void
test_random (void)
{
  measure_random r = { 3 };
  double det = 0, left = 0, unitary = 0;
  int lower = 0, total = 500, same = 1, capped = 0;
  for (int t = 0; t < total; t++)
    {
      wide a[N * N], b[N * N], J[4], S[4];
      long double norm2;
      real_t j[8], k[8];
      random_matrix (&r, a, &norm2);
      transform (a, 1, 1, j);
      widen (j, J);
      det = worst_of (det, (double) cabsl (J[0] * J[3] - J[1] * J[2] - 1));
      memcpy (b, a, sizeof a);
      apply (b, J);
      /* J = S R with the shear S of a call without rotation: R is unitary, too */
      transform (a, 1, 0, k);
      widen (k, S);
      const wide cosine = S[3] * J[0] - S[1] * J[2],
                 sine = S[0] * J[2] - S[2] * J[0];
      unitary = worst_of (
          unitary, fabs ((double) (creall (sine * conjl (sine))
                                   + creall (cosine * conjl (cosine)) - 1)));
      if (creall (sine * conjl (sine)) < 0.499L)
        left = worst_of (left, (double) (cabsl (b[1]) / sqrtl (norm2)));
      else
        capped++;
      /* tau is capped where R is a rotation by 45 degrees */
      transform (a, 0, 1, k);
      widen (k, J);
      long double sine2 = creall (J[2] * conjl (J[2]));
      unitary = worst_of (
          unitary, fabs ((double) (sine2 + creall (J[0] * conjl (J[0])) - 1)));
      memcpy (b, a, sizeof a);
      apply (b, J);
      if (sine2 < 0.499L)
        left = worst_of (left, (double) (cabsl (b[1]) / sqrtl (norm2)));
      /* the shear alone lowers the norm */
      transform (a, 1, 0, k);
      widen (k, J);
      memcpy (b, a, sizeof a);
      lower += apply (b, J) < norm2;
      for (int i = 0; i < N * N; i++)
        b[i] = a[i] * 1024;
      transform (b, 1, 1, k);
      same &= memcmp (j, k, sizeof j) == 0;
    }
  CHECK_RATIO (det / GE_EPS, 16, "determinant 1, eps %g", (double) GE_EPS);
  CHECK_RATIO (unitary / GE_EPS, 8, "R is unitary, eps %g", (double) GE_EPS);
  CHECK_RATIO (left / GE_EPS, 16, "a_qp is annihilated, eps %g",
               (double) GE_EPS);
  CHECK (capped < total / 5, "the angle is capped in %d of %d", capped, total);
  CHECK (lower == total, "shears lower the norm: %d of %d", lower, total);
  CHECK (same, "powers of 2 change no bit, eps %g", (double) GE_EPS);
}

static void
test_special (void)
{
  static const double block[][8] = {
    { 0, 0, 0, 0, 0, 0, 0, 0 },         { 1, 0, 0, 0, 0, 0, 1, 0 },
    { 1, 0, 1, 0, 0, 0, 1, 0 },         { 0, 0, 0, 0, 1, 0, 0, 0 },
    { 1, 0, 1e-30, 0, 1e-30, 0, 1, 0 }, { 1e-30, 0, 0, 0, 1e-30, 0, 0, 0 },
    { 1e15, 0, 1, 0, 1, 0, -1e15, 0 },  { 0, 1, 0, 0, 0, 0, 0, -1 },
  };
  for (size_t t = 0; t < sizeof block / sizeof block[0]; t++)
    {
      real_t j[8], sum = 0;
      const double *b = block[t];
      ge_shroff_pair ((real_t) b[0], (real_t) b[1], (real_t) b[2],
                      (real_t) b[3], (real_t) b[4], (real_t) b[5],
                      (real_t) b[6], (real_t) b[7], 0, 0, 0, 1, 1, j, 1);
      for (int i = 0; i < 8; i++)
        sum += j[i] - j[i];
      CHECK (sum == 0, "block %d gives finite numbers", (int) t);
      if (b[2] == 0 && b[4] == 0)
        CHECK (j[0] == 1 && j[6] == 1 && j[2] == 0 && j[4] == 0,
               "block %d is left alone", (int) t);
      if (t == 3)
        CHECK (fabs_ (j[4] * j[4] + j[5] * j[5] - (real_t) 0.5) < 8 * GE_EPS,
               "a nilpotent block is turned by 45 degrees");
    }
}

void
FN (test_shroff) (void)
{
  test_random ();
  test_special ();
}

#else

/* The real types do both precisions.  */
void
FN (test_shroff) (void)
{
}

#endif
