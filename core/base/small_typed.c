/* Products of small matrices, see products.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   In OpenBLAS a product takes a buffer, under one lock for all threads: pages of stacks
   on many threads wait for each other.  */

#include "base/products.h"

enum
{
  SMALL = 128, /* sizes up to it are for this file */
  BYTES = 32,  /* of a vector */
  PARTS = 2,   /* real and imaginary, or two vectors of rows */
  ROWS = BYTES / (int) sizeof (real_t) * (GE_COMPLEX ? 1 : PARTS),
  COLUMNS = 6, /* the sums of a tile and the factors fill 16 registers */
  STRIP = 64   /* columns of half a larger product */
};

typedef real_t vector __attribute__ ((vector_size (BYTES)));

/* Here s += x y is an fma.  */
#ifdef __clang__
#  define CONTRACTED
#else
#  define CONTRACTED __attribute__ ((optimize ("fp-contract=fast")))
#endif

/* Nonzero where fma is an instruction; elsewhere OpenBLAS is faster.  */
static int
is_supported (void)
{
#if ! defined __x86_64__
  return 1;
#elif GE_HAVE_CLONES
  return __builtin_cpu_supports ("avx2") && __builtin_cpu_supports ("fma");
#else
  return 0;
#endif
}

/* SUM: COLUMNS columns of X Y, X of ROWS rows packed by columns, with K of them; column J
   of Y begins at Y[J], STEP from element to element.  The sums are in the order of the
   columns of X.  */
CONTRACTED GE_ALWAYS_INLINE void
multiply_tile (int64_t k, const vector *x, const scalar_t *const y[COLUMNS],
               int64_t step, vector sum[COLUMNS][PARTS])
{
#ifdef __clang__
#  pragma STDC FP_CONTRACT ON
#endif
  vector s[COLUMNS][PARTS] = { { { 0 } } };
  for (int64_t i = 0; i < k; i++)
    {
      const vector u = x[PARTS * i], v = x[PARTS * i + 1];
#pragma GCC unroll 6
      for (int c = 0; c < COLUMNS; c++)
        {
          const real_t *const e = (const real_t *) (y[c] + i * step);
          s[c][0] += u * e[0];
          s[c][1] += v * e[0];
#if GE_COMPLEX
          s[c][0] -= v * e[1];
          s[c][1] += u * e[1];
#endif
        }
    }
#pragma GCC unroll 6
  for (int c = 0; c < COLUMNS; c++)
    sum[c][0] = s[c][0], sum[c][1] = s[c][1];
}

/* P: rows ROW .. ROW + COUNT - 1 of op (X), K columns, then rows of zeros; imaginary parts
   times SIGN.  */
GE_ALWAYS_INLINE void
pack (char op, real_t sign, int64_t row, int64_t count, int64_t k,
      const scalar_t *x, int64_t ldx, vector *p)
{
  real_t *to = (real_t *) p;
  const int64_t across = op == 'N' ? ldx : 1, down = op == 'N' ? 1 : ldx;
  for (int64_t j = 0; j < k; j++, to += PARTS * BYTES / (int) sizeof (real_t))
    for (int64_t i = 0; i < ROWS; i++)
      {
        const scalar_t e = i < count ? x[(row + i) * down + j * across] : 0;
        to[i] = re_ (e);
        if (GE_COMPLEX)
          to[i + ROWS] = sign * im_ (e);
      }
}

/* Z <- ALPHA S + BETA Z, COUNT elements; imaginary parts of S times SIGN.  */
GE_ALWAYS_INLINE void
store (int64_t count, const real_t *s, real_t sign, real_t alpha, real_t beta,
       scalar_t *z)
{
  for (int64_t r = 0; r < count; r++)
    {
      const scalar_t e
          = alpha * make_ (s[r], GE_COMPLEX ? sign * s[r + ROWS] : 0);
      z[r] = beta == 0 ? e : z[r] * beta + e;
    }
}

/* As ge_gemm; LOWER: the tiles that intersect the lower triangle.  X Y' is the conjugate of
   conj (X) conj (Y').  */
CONTRACTED GE_WIDE_CLONES static void
multiply_small (int lower, char opx, char opy, int64_t m, int64_t n, int64_t k,
                real_t alpha, const scalar_t *x, int64_t ldx, const scalar_t *y,
                int64_t ldy, real_t beta, scalar_t *z, int64_t ldz)
{
  vector p[PARTS * SMALL], sum[COLUMNS][PARTS];
  const scalar_t *column[COLUMNS];
  const int64_t across = opy == 'N' ? ldy : 1, down = opy == 'N' ? 1 : ldy;
  const real_t sign = opy == 'C' ? -1 : 1, sign_x = opx == 'C' ? -sign : sign;
  for (int64_t i = 0; i < m; i += ROWS)
    {
      const int64_t rows = m - i < ROWS ? m - i : ROWS;
      if (opx == 'N' && rows == ROWS)
        pack ('N', sign_x, i, ROWS, k, x, ldx, p);
      else
        pack (opx, sign_x, i, rows, k, x, ldx, p);
      const int64_t end = lower && i + ROWS < n ? i + ROWS : n;
      for (int64_t j = 0; j < end; j += COLUMNS)
        {
          const int64_t columns = end - j < COLUMNS ? end - j : COLUMNS;
          for (int64_t c = 0; c < COLUMNS; c++)
            column[c] = y + (j + (c < columns ? c : 0)) * across;
          multiply_tile (k, p, column, down, sum);
          for (int64_t c = 0; c < columns; c++)
            {
              const real_t *s = (const real_t *) sum[c];
              scalar_t *to = z + i + (j + c) * ldz;
              if (rows == ROWS && alpha == 1 && beta == 0)
                store (ROWS, s, sign, 1, 0, to);
              else
                store (rows, s, sign, alpha, beta, to);
            }
        }
    }
}

void
FN (ge_gemm) (const char *opx, const char *opy, int64_t m, int64_t n, int64_t k,
              int alpha, const scalar_t *x, int64_t ldx, const scalar_t *y,
              int64_t ldy, int beta, scalar_t *z, int64_t ldz)
{
  const lapack_int rows = (lapack_int) m, columns = (lapack_int) n,
                   inner = (lapack_int) k, lx = (lapack_int) ldx,
                   ly = (lapack_int) ldy, lz = (lapack_int) ldz;
  const scalar_t a = (real_t) alpha, b = (real_t) beta;
  if (m <= 0 || n <= 0)
    return;
  if (m <= SMALL && n <= SMALL && k <= SMALL && is_supported ())
    multiply_small (0, *opx, *opy, m, n, k, (real_t) alpha, x, ldx, y, ldy,
                    (real_t) beta, z, ldz);
  else
    gemm_ (opx, opy, &rows, &columns, &inner, &a, x, &lx, y, &ly, &b, z, &lz, 1,
           1);
}

void
FN (ge_half_gemm) (int64_t n, const scalar_t *x, const scalar_t *y, scalar_t *z)
{
  const int small = n <= SMALL && is_supported ();
  if (small)
    multiply_small (1, 'N', 'N', n, n, n, 1, x, n, y, n, 0, z, n);
  for (int64_t j = 0; j < n && ! small; j += STRIP)
    {
      const int64_t columns = n - j < STRIP ? n - j : STRIP;
      FN (ge_gemm)
      ("N", "N", n - j, columns, n, 1, x + j, n, y + j * n, n, 0, z + j + j * n,
       n);
    }
}
