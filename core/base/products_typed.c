/* Products by tiles, see products.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/products.h"

enum
{
  SHARED_WORK
  = 16000000, /* multiplications from which on all threads are used */
  PANEL = 192 /* columns of a panel of a Cholesky factor, rows of a piece */
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

/* --- Cholesky --- */

/* X <- X L^-H for the N - K rows X below the K - WIDTH .. K block L.  */
typedef struct
{
  int64_t n, k, width;
  scalar_t *a;
} panel;

static void
solve_rows (void *data, int64_t i, int thread)
{
  const panel *p = data;
  const int64_t row = p->k + i * PANEL, left = p->k - p->width;
  const lapack_int m = (lapack_int) (p->n - row < PANEL ? p->n - row : PANEL);
  const lapack_int width = (lapack_int) p->width, ld = (lapack_int) p->n;
  const scalar_t one = 1;
  (void) thread;
  trsm_ ("R", "L", "C", "N", &m, &width, &one, p->a + left + p->n * left, &ld,
         p->a + row + p->n * left, &ld, 1, 1, 1, 1);
}

gpueig_status
FN (ge_cholesky) (gpueig_context *ctx, int64_t n, scalar_t *a, int *minor)
{
  const int shared = (double) n * (double) n * (double) n > SHARED_WORK;
  const lapack_int ld = (lapack_int) n;
  *minor = 0;
  for (int64_t k = 0; k < n; k += PANEL)
    {
      const lapack_int width = (lapack_int) (n - k < PANEL ? n - k : PANEL);
      const int64_t rest = n - k - width;
      lapack_int info;
      ge_limit_blas (ctx, GE_BLAS_ONE);
      potrf_ ("L", &width, a + k + n * k, &ld, &info, 1);
      ge_unlimit_blas (ctx, GE_BLAS_ONE);
      if (info != 0)
        {
          *minor = (int) (k + info);
          return GPUEIG_OK;
        }
      panel p = { n, k + width, width, a };
      GE_TRY (ge_run_pieces (ctx, (rest + PANEL - 1) / PANEL, shared,
                             solve_rows, &p));
      const scalar_t *below = a + (k + width) + n * k;
      const FN (ge_product_job) update = { .opx = "N",
                                           .opy = "C",
                                           .m = rest,
                                           .n = rest,
                                           .k = width,
                                           .alpha = -1,
                                           .beta = 1,
                                           .x = below,
                                           .y = below,
                                           .z = a + (k + width) * (n + 1),
                                           .ldx = n,
                                           .ldy = n,
                                           .ldz = n,
                                           .lower = 1 };
      if (rest > 0)
        GE_TRY (FN (ge_product) (ctx, &update));
    }
  return GPUEIG_OK;
}
