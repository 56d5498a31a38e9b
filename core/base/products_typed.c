/* Products by tiles, see products.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/products.h"

enum
{
  /* multiplications of reals from which on a product has two tiles */
  TWO_TILES = 250000
};

typedef struct
{
  const char *opx, *opy;
  int64_t m, n, k;
  int alpha;
  const scalar_t *x;
  int64_t ldx;
  const scalar_t *y;
  int64_t ldy;
  int beta;
  scalar_t *z;
  int64_t ldz;
  int lower;
} product;

static double
multiplications (const product *p)
{
  return (GE_COMPLEX ? 4.0 : 1.0) * (double) p->m * (double) p->n
         * (double) p->k;
}

/* Rows and columns of a tile: 1e9 operations at most for common sizes.  */
static int64_t
tile_rows (const product *p)
{
  return p->m * p->n < 512 * 512 ? 512 : p->k > 4000 ? 512 : 768;
}

static int64_t
tile_columns (const product *p)
{
  const int64_t tiles = p->n > 128                        ? 4
                        : multiplications (p) > TWO_TILES ? 2
                                                          : 1;
  return p->lower && p->n < 512 ? 64
         : p->n < 512           ? (p->n + 4 * tiles - 1) / (4 * tiles) * 4
         : p->n < 2048          ? 128
                                : 256;
}

/* Compute tile I; tiles are numbered in column-major order.  */
static void
do_tile (void *data, int64_t i, int thread)
{
  const product *p = data;
  const int64_t rows = tile_rows (p), columns = tile_columns (p);
  const int64_t down = (p->m + rows - 1) / rows;
  const int64_t c = i / down * columns, top = i % down * rows;
  const int64_t bottom = top + rows < p->m ? top + rows : p->m;
  const int64_t r = p->lower && top < c ? c : top;
  const int64_t m = bottom - r, n = p->n - c < columns ? p->n - c : columns;
  (void) thread;
  FN (ge_gemm)
  (p->opx, p->opy, m, n, p->k, p->alpha,
   p->x + (*p->opx == 'N' ? r : r * p->ldx), p->ldx,
   p->y + (*p->opy == 'N' ? c * p->ldy : c), p->ldy, p->beta,
   p->z + r + c * p->ldz, p->ldz);
}

gpueig_status
FN (ge_product) (gpueig_context *ctx, const char *opx, const char *opy,
                 int64_t m, int64_t n, int64_t k, int alpha, const scalar_t *x,
                 int64_t ldx, const scalar_t *y, int64_t ldy, int beta,
                 scalar_t *z, int64_t ldz, int lower)
{
  product p = { opx, opy, m, n, k, alpha, x, ldx, y, ldy, beta, z, ldz, lower };
  const int64_t rows = tile_rows (&p), columns = tile_columns (&p);
  const int64_t count = (m + rows - 1) / rows * ((n + columns - 1) / columns);
  return ge_run_pieces (ctx, count, 0.4 * multiplications (&p), do_tile, &p);
}

gpueig_status
FN (ge_square_product) (gpueig_context *ctx, int64_t n, const char *op,
                        const scalar_t *x, const scalar_t *y, int beta,
                        scalar_t *z)
{
  return FN (ge_product) (ctx, op, "N", n, n, n, 1, x, n, y, n, beta, z, n, 0);
}

gpueig_status
FN (ge_half_product) (gpueig_context *ctx, int64_t n, const scalar_t *x,
                      const scalar_t *y, scalar_t *z)
{
  return FN (ge_product) (ctx, "C", "N", n, n, n, 1, x, n, y, n, 0, z, n, 1);
}

void
FN (ge_adjoint) (int64_t rows, int64_t columns, const scalar_t *x, int64_t ld,
                 scalar_t *to)
{
  for (int64_t j = 0; j < columns; j++)
    for (int64_t i = 0; i < rows; i++)
      to[j + columns * i] = conj_ (x[i + ld * j]);
}

void
FN (ge_identity) (int64_t n, void *to)
{
  scalar_t *x = to;
  for (int64_t i = 0; i < n * n; i++)
    x[i] = make_ (i % (n + 1) == 0, 0);
}

void
FN (ge_mirror_lower) (int64_t n, scalar_t *z)
{
  for (int64_t j = 0; j < n; j++)
    {
      z[j + j * n] = make_ (re_ (z[j + j * n]), 0);
      for (int64_t i = 0; i < j; i++)
        z[i + j * n] = conj_ (z[j + i * n]);
    }
}
