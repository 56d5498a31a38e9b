/* Products by tiles, see products.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/products.h"

enum
{
  SHARED_WORK
  = 16000000 /* multiplications from which on all threads are used */
};

/* Rows and columns of a tile: 1e9 operations at most for common sizes.  */
static int64_t
tile_rows (const FN (ge_product_job) * p)
{
  return p->m * p->n < 512 * 512 ? 512 : p->k > 4000 ? 512 : 768;
}

static int64_t
tile_columns (const FN (ge_product_job) * p)
{
  return p->n < 512 ? 64 : p->n < 2048 ? 128 : 256;
}

/* Compute tile I; tiles are numbered in column-major order.  */
static void
do_tile (void *data, int64_t i, int thread)
{
  const FN (ge_product_job) *p = data;
  const int64_t rows = tile_rows (p), columns = tile_columns (p);
  const int64_t down = (p->m + rows - 1) / rows;
  const int64_t c = i / down * columns, top = i % down * rows;
  const int64_t bottom = top + rows < p->m ? top + rows : p->m;
  const int64_t r = p->lower && top < c ? c : top;
  const lapack_int m = (lapack_int) (bottom - r);
  const lapack_int n = (lapack_int) (p->n - c < columns ? p->n - c : columns);
  const lapack_int k = (lapack_int) p->k, ldx = (lapack_int) p->ldx,
                   ldy = (lapack_int) p->ldy, ldz = (lapack_int) p->ldz;
  (void) thread;
  if (m <= 0)
    return;
  gemm_ (p->opx, p->opy, &m, &n, &k, &p->alpha,
         p->x + (*p->opx == 'N' ? r : r * p->ldx), &ldx,
         p->y + (*p->opy == 'N' ? c * p->ldy : c), &ldy, &p->beta,
         p->z + r + c * p->ldz, &ldz, 1, 1);
}

gpueig_status
FN (ge_product) (gpueig_context *ctx, const FN (ge_product_job) * p)
{
  const int64_t rows = tile_rows (p), columns = tile_columns (p);
  const int64_t count
      = (p->m + rows - 1) / rows * ((p->n + columns - 1) / columns);
  return ge_run_pieces (
      ctx, count, (double) p->m * (double) p->n * (double) p->k > SHARED_WORK,
      do_tile, (void *) p);
}

gpueig_status
FN (ge_square_product) (gpueig_context *ctx, int64_t n, const char *op,
                        const scalar_t *x, const scalar_t *y, scalar_t beta,
                        scalar_t *z)
{
  const FN (ge_product_job) p = { .opx = op,
                                  .opy = "N",
                                  .m = n,
                                  .n = n,
                                  .k = n,
                                  .alpha = 1,
                                  .beta = beta,
                                  .x = x,
                                  .y = y,
                                  .z = z,
                                  .ldx = n,
                                  .ldy = n,
                                  .ldz = n };
  return FN (ge_product) (ctx, &p);
}

gpueig_status
FN (ge_half_product) (gpueig_context *ctx, int64_t n, const scalar_t *x,
                      const scalar_t *y, scalar_t *z)
{
  const FN (ge_product_job) p = { .opx = "C",
                                  .opy = "N",
                                  .m = n,
                                  .n = n,
                                  .k = n,
                                  .alpha = 1,
                                  .x = x,
                                  .y = y,
                                  .z = z,
                                  .ldx = n,
                                  .ldy = n,
                                  .ldz = n,
                                  .lower = 1 };
  return FN (ge_product) (ctx, &p);
}
