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
  COLUMNS = 4,
/* Where vectors are compiled for old processors alone, OpenBLAS is faster.  */
#if GE_HAVE_CLONES || ! defined __x86_64__
  OWN = 1
#else
  OWN = 0
#endif
};

typedef real_t vector __attribute__ ((vector_size (BYTES)));

/* SUM: COLUMNS columns of X Y, X of ROWS rows packed by columns, with K of them; column J
   of Y begins at Y[J], STEP from element to element, conjugate if TURN is -1.  The sums
   are in the order of the columns of X.  */
GE_WIDE_CLONES static void
multiply_tile (int64_t k, const vector *x, const scalar_t *const y[COLUMNS],
               int64_t step, real_t turn, vector sum[COLUMNS][PARTS])
{
  const real_t *const a
      = (const real_t *) y[0],
      *const b = (const real_t *) y[1], *const c = (const real_t *) y[2],
             *const d = (const real_t *) y[3];
  vector a0 = { 0 }, a1 = { 0 }, b0 = { 0 }, b1 = { 0 }, c0 = { 0 }, c1 = { 0 },
         d0 = { 0 }, d1 = { 0 };
  for (int64_t i = 0; i < k; i++)
    {
      const vector u = x[PARTS * i], v = x[PARTS * i + 1];
      const int64_t e = i * step;
#if GE_COMPLEX
#  define ADD(s, y)                                                            \
    s##0 += u * y[2 * e] - v * (turn * y[2 * e + 1]);                          \
    s##1 += v * y[2 * e] + u * (turn * y[2 * e + 1])
#else
#  define ADD(s, y)                                                            \
    s##0 += u * y[e];                                                          \
    s##1 += v * y[e]
#endif
      ADD (a, a);
      ADD (b, b);
      ADD (c, c);
      ADD (d, d);
#undef ADD
    }
  sum[0][0] = a0, sum[0][1] = a1;
  sum[1][0] = b0, sum[1][1] = b1;
  sum[2][0] = c0, sum[2][1] = c1;
  sum[3][0] = d0, sum[3][1] = d1;
  (void) turn;
}

/* P: rows ROW .. ROW + COUNT - 1 of op (X), K columns, then rows of zeros.  */
static void
pack (char op, int64_t row, int64_t count, int64_t k, const scalar_t *x,
      int64_t ldx, vector *p)
{
  real_t *to = (real_t *) p;
  const int64_t across = op == 'N' ? ldx : 1, down = op == 'N' ? 1 : ldx;
  for (int64_t j = 0; j < k; j++, to += PARTS * BYTES / (int) sizeof (real_t))
    for (int64_t i = 0; i < ROWS; i++)
      {
        const scalar_t e = i < count ? x[(row + i) * down + j * across] : 0;
        to[i] = re_ (e);
        if (GE_COMPLEX)
          to[i + ROWS] = op == 'C' ? -im_ (e) : im_ (e);
      }
}

static void
multiply_small (char opx, char opy, int64_t m, int64_t n, int64_t k, int alpha,
                const scalar_t *x, int64_t ldx, const scalar_t *y, int64_t ldy,
                int beta, scalar_t *z, int64_t ldz)
{
  vector p[PARTS * SMALL], sum[COLUMNS][PARTS];
  const scalar_t *column[COLUMNS];
  const int64_t across = opy == 'N' ? ldy : 1, down = opy == 'N' ? 1 : ldy;
  for (int64_t i = 0; i < m; i += ROWS)
    {
      const int64_t rows = m - i < ROWS ? m - i : ROWS;
      pack (opx, i, rows, k, x, ldx, p);
      for (int64_t j = 0; j < n; j += COLUMNS)
        {
          const int64_t columns = n - j < COLUMNS ? n - j : COLUMNS;
          for (int64_t c = 0; c < COLUMNS; c++)
            column[c] = y + (j + (c < columns ? c : 0)) * across;
          multiply_tile (k, p, column, down, opy == 'C' ? -1 : 1, sum);
          for (int64_t c = 0; c < columns; c++)
            {
              const real_t *s = (const real_t *) sum[c];
              scalar_t *to = z + i + (j + c) * ldz;
              for (int64_t r = 0; r < rows; r++)
                {
                  const scalar_t e
                      = (real_t) alpha
                        * make_ (s[r], GE_COMPLEX ? s[r + ROWS] : 0);
                  to[r] = beta ? to[r] * (real_t) beta + e : e;
                }
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
  if (OWN && m <= SMALL && n <= SMALL && k <= SMALL)
    multiply_small (*opx, *opy, m, n, k, alpha, x, ldx, y, ldy, beta, z, ldz);
  else
    gemm_ (opx, opy, &rows, &columns, &inner, &a, x, &lx, y, &ly, &b, z, &lz, 1,
           1);
}
