/* Products of small matrices with vectors of BYTES bytes: small_typed.c includes this file once
   for each size.  SIZED (name): a name with the size; TARGET: of the processor.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

/* Rows and columns of a tile: with two vectors of rows the sums and the factors fill 16
   registers, with long ones a half of 32.  */
#define COLUMNS (BYTES == 64 ? 8 : 6)
#define ROWS (BYTES / (int) sizeof (real_t) * (GE_COMPLEX ? 1 : (int) PARTS))

typedef real_t SIZED (vector) __attribute__ ((vector_size (BYTES)));

/* SUM: COLUMNS columns of X Y, X of ROWS rows packed by columns, with K of them; column J
   of Y begins at Y[J], STEP from element to element.  The sums are in the order of the
   columns of X.  */
CONTRACTED GE_ALWAYS_INLINE void
SIZED (multiply_tile) (int64_t k, const SIZED (vector) * x,
                       const scalar_t *const y[COLUMNS], int64_t step,
                       SIZED (vector) sum[COLUMNS][PARTS])
{
#ifdef __clang__
#  pragma STDC FP_CONTRACT ON
#endif
  SIZED (vector) s[COLUMNS][PARTS] = { { { 0 } } };
  for (int64_t i = 0; i < k; i++)
    {
      const SIZED (vector) u = x[PARTS * i], v = x[PARTS * i + 1];
#pragma GCC unroll 8
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
#pragma GCC unroll 8
  for (int c = 0; c < COLUMNS; c++)
    sum[c][0] = s[c][0], sum[c][1] = s[c][1];
}

/* P: rows ROW .. ROW + COUNT - 1 of op (X), K columns, then rows of zeros; imaginary parts
   times SIGN.  */
GE_ALWAYS_INLINE void
SIZED (pack) (char op, real_t sign, int64_t row, int64_t count, int64_t k,
              const scalar_t *x, int64_t ldx, SIZED (vector) * p)
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
SIZED (store) (int64_t count, const real_t *s, real_t sign, real_t alpha,
               real_t beta, scalar_t *z)
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
CONTRACTED TARGET static void
SIZED (multiply_small) (int lower, char opx, char opy, int64_t m, int64_t n,
                        int64_t k, real_t alpha, const scalar_t *x, int64_t ldx,
                        const scalar_t *y, int64_t ldy, real_t beta,
                        scalar_t *z, int64_t ldz)
{
  SIZED (vector) p[PARTS * SMALL], sum[COLUMNS][PARTS];
  const scalar_t *column[COLUMNS];
  const int64_t across = opy == 'N' ? ldy : 1, down = opy == 'N' ? 1 : ldy;
  const real_t sign = opy == 'C' ? -1 : 1, sign_x = opx == 'C' ? -sign : sign;
  for (int64_t i = 0; i < m; i += ROWS)
    {
      const int64_t rows = m - i < ROWS ? m - i : ROWS;
      if (opx == 'N' && rows == ROWS)
        SIZED (pack) ('N', sign_x, i, ROWS, k, x, ldx, p);
      else
        SIZED (pack) (opx, sign_x, i, rows, k, x, ldx, p);
      const int64_t end = lower && i + ROWS < n ? i + ROWS : n;
      for (int64_t j = 0; j < end; j += COLUMNS)
        {
          const int64_t columns = end - j < COLUMNS ? end - j : COLUMNS;
          for (int64_t c = 0; c < COLUMNS; c++)
            column[c] = y + (j + (c < columns ? c : 0)) * across;
          SIZED (multiply_tile) (k, p, column, down, sum);
          for (int64_t c = 0; c < columns; c++)
            {
              const real_t *s = (const real_t *) sum[c];
              scalar_t *to = z + i + (j + c) * ldz;
              if (rows == ROWS && alpha == 1 && beta == 0)
                SIZED (store) (ROWS, s, sign, 1, 0, to);
              else
                SIZED (store) (rows, s, sign, alpha, beta, to);
            }
        }
    }
}

#undef COLUMNS
#undef ROWS
#undef BYTES
#undef SIZED
#undef TARGET
