/* Square roots of upper triangular matrices on the CPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   E. Deadman, N. J. Higham, R. Ralha, Blocked Schur algorithms for computing the matrix
   square root, PARA 2012 (recursive form), with a recursive Sylvester solver.  */

#include "array/cpu.h"
#include "base/products.h"

#include <complex.h>

enum
{
  BLOCK = 16 /* order from which matrices are halved */
};

/* Divide X by Y by R.  L.  Smith's method, Comm.  ACM 5 (1962), which is faster than the
   compiler's.  */
static scalar_t
divide (scalar_t x, scalar_t y)
{
#if GE_COMPLEX
  const int more = fabs_ (re_ (y)) >= fabs_ (im_ (y));
  const real_t a = more ? re_ (y) : im_ (y), b = more ? im_ (y) : re_ (y),
               ratio = b / a, d = a + b * ratio;
  if (y != 0)
    return more ? make_ ((re_ (x) + im_ (x) * ratio) / d,
                         (im_ (x) - re_ (x) * ratio) / d)
                : make_ ((re_ (x) * ratio + im_ (x)) / d,
                         (im_ (x) * ratio - re_ (x)) / d);
#endif
  return x / y;
}

/* Y -= A X for columns of length N.  */
GE_CLONES (VECTOR, static, void, subtract,
           (int64_t n, scalar_t x, const scalar_t *a, scalar_t *y),
           (n, x, a, y))
{
  for (int64_t i = 0; i < n; i++)
    y[i] -= mul_ (a[i], x);
}

/* Replace C by X with A X + X B = C, A m-by-m and B n-by-n upper triangular.  A zero of C
   stays zero, whatever the divisor.  */
static void
sylvester (int64_t m, int64_t n, const scalar_t *a, const scalar_t *b,
           scalar_t *c, int64_t ld)
{
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
                column[i] = divide (column[i], a[i + i * ld] + b[j + j * ld]);
              subtract (i, column[i], a + i * ld, column);
            }
        }
      return;
    }
  if (m >= n)
    {
      const int64_t k = m / 2, rest = m - k;
      sylvester (rest, n, a + k + k * ld, b, c + k, ld);
      FN (ge_gemm)
      ("N", "N", k, n, rest, -1, a + k * ld, ld, c + k, ld, 1, c, ld);
      sylvester (k, n, a, b, c, ld);
      return;
    }
  const int64_t k = n / 2, rest = n - k;
  sylvester (m, k, a, b, c, ld);
  FN (ge_gemm)
  ("N", "N", m, rest, k, -1, c, ld, b + k * ld, ld, 1, c + k * ld, ld);
  sylvester (m, rest, a, b + k + k * ld, c + k * ld, ld);
}

/* The principal root, the imaginary part of a negative X counting as +0.  */
static scalar_t
root_of (scalar_t x)
{
#if GE_COMPLEX
  const double _Complex z
      = csqrt ((double _Complex) make_ (re_ (x), im_ (x) == 0 ? 0 : im_ (x)));
  return make_ ((real_t) creal (z), (real_t) cimag (z));
#else
  return sqrt_ (x);
#endif
}

static void
square_root (int64_t n, scalar_t *t, int64_t ld)
{
  if (n == 1)
    {
      *t = root_of (*t);
      return;
    }
  const int64_t k = n / 2, rest = n - k;
  const int64_t corner = k * ld;
  square_root (k, t, ld);
  square_root (rest, t + k + corner, ld);
  sylvester (k, rest, t, t + k + corner, t + corner, ld);
}

void
FN (ge_cpu_root) (int64_t n, void *t)
{
  square_root (n, t, n);
}
