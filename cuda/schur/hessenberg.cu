/* Reduction to Hessenberg form: panels of columns by one cooperative kernel each,
   the rest of the matrix by matrix products.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   See hessenberg_panel.cuh for the panels.  */

#include "base/blas.cuh"
#include "schur/hessenberg_panel.cuh"
#include "schur/schur.cuh"
#include "tridiagonal/block_reflectors.cuh"

enum
{
  LEAST_ROWS = 8,           /* of a block of threads */
  MOST_GROUP = 16,          /* blocks that multiply their rows together */
  CACHED = 32 * 1024 * 1024 /* bytes of a matrix that is read from L2 */
};

/* Shared memory of a block, with ROWS rows in it.  */
template <typename T>
static size_t
panel_bytes (int rows, int n, int group)
{
  return (row_elements (rows) + 2 * PANEL_COLUMNS * PANEL_COLUMNS + PANEL_SUMS
          + 3 * PANEL_COLUMNS + PANEL_WARPS * piece<T>::ROWS
          + (size_t) (n / group + 1))
             * sizeof (T)
         + 2 * PANEL_WARPS * sizeof (double);
}

template <typename T, bool OUTSIDE>
static gpueig_status
launch_panel (gpueig_context *ctx, panel<T> *p, int blocks)
{
  const size_t bytes = panel_bytes<T> (OUTSIDE ? 0 : p->rows, p->n, p->group);
  void *arguments[] = { p };
  GE_ALLOW_SHARED ((reduce_panel<T, OUTSIDE>), bytes);
  ge_cuda_note (ctx, "reduce_panel");
  CU (cudaLaunchCooperativeKernel ((const void *) reduce_panel<T, OUTSIDE>,
                                   blocks, PANEL_THREADS, arguments, bytes,
                                   ge_cuda_of (ctx)->stream));
  return GPUEIG_OK;
}

/* Bytes of a matrix that stay in the cache.  */
static double
kept_bytes (gpueig_context *ctx)
{
  int all = 0;
  cudaDeviceGetAttribute (&all, cudaDevAttrL2CacheSize,
                          ge_cuda_of (ctx)->device);
  return GE_KEPT_IN_CACHE * all;
}

/* Set p->rows, p->group and p->kept; returns the number of blocks.  */
template <typename T>
static int
divide_rows (gpueig_context *ctx, panel<T> *p)
{
  const int rows = p->n - p->begin - 1;
  const int64_t bytes = (int64_t) rows * rows * (int64_t) sizeof (T);
  int most = ge_cuda_of (ctx)->multiprocessors;
  p->group = 1;
  while (bytes > CACHED && p->group < MOST_GROUP && 2 * p->group <= most
         && 2 * p->group * (rows / most) <= piece<T>::ROWS)
    p->group *= 2;
  p->kept = (float) GE_AT_MOST (kept_bytes (ctx) / (double) bytes, 1.0);
  most -= most % p->group;
  int blocks = (rows + LEAST_ROWS - 1) / LEAST_ROWS;
  blocks = blocks < most ? blocks : most;
  p->rows = (rows + blocks - 1) / blocks;
  p->rows = (p->rows + LEAST_ROWS - 1) / LEAST_ROWS * LEAST_ROWS;
  const int strip = p->rows * p->group;
  return (rows + strip - 1) / strip * p->group;
}

template <typename T>
static gpueig_status
run_panel (gpueig_context *ctx, panel<T> *p)
{
  const int blocks = divide_rows (ctx, p);
  return ge_shared_fits (ctx, panel_bytes<T> (p->rows, p->n, p->group))
             ? launch_panel<T, false> (ctx, p, blocks)
             : launch_panel<T, true> (ctx, p, blocks);
}

/* Allocate the rows of blocks that do not fit into shared memory; the first panel has
   the most.  */
template <typename T>
static gpueig_status
allocate_outside (gpueig_context *ctx, panel<T> *p)
{
  const int64_t blocks = divide_rows (ctx, p);
  if (ge_shared_fits (ctx, panel_bytes<T> (p->rows, p->n, p->group)))
    return GPUEIG_OK;
  return GE_ALLOC (ctx, GE_DEVICE, blocks * (int64_t) row_elements (p->rows),
                   &p->outside);
}

/* Allocate and clear the messages.  */
template <typename T>
static gpueig_status
allocate_messages (gpueig_context *ctx, panel<T> *p)
{
  const int64_t blocks = ge_cuda_of (ctx)->multiprocessors;
  const int64_t products = MOST_GROUP * (p->n + (int64_t) PANEL_PIECE);
  const int64_t count = p->n + (blocks + 1) * PANEL_SUMS + products;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, count, &p->column));
  p->sums = p->column + p->n;
  p->parts = p->sums + PANEL_SUMS;
  p->products = p->parts + blocks * PANEL_SUMS;
  return ge_clear (ctx, p->column, count);
}

/* A <- Q' A Q for the rest of A after a panel.  W: 2 PANEL_COLUMNS n.  Row BEGIN of V and Y
   is zero and part of the products, which read aligned memory then.  */
template <typename T>
static gpueig_status
update_rest (gpueig_context *ctx, const panel<T> *p, T *w)
{
  cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  const cublasOperation_t no = CUBLAS_OP_N, adjoint = ge_adjoint<T> ();
  const int64_t n = p->n, k = p->columns, begin = p->begin, above = begin + 1;
  const int64_t next = begin + k, m = n - begin, rest = n - next;
  const int64_t ld = 2 * PANEL_COLUMNS;
  const T *v = p->v + begin + begin * n;
  T *w2 = w + PANEL_COLUMNS * n, *right = p->right + next;
  /* rows above the panel */
  T *a = p->a + begin * n;
  CUBLAS (ge_gemm (blas, no, no, above, k, m, 1, a, n, v, n, 0, w, n));
  CUBLAS (
      ge_gemm (blas, no, no, above, k, k, 1, w, n, p->factor, ld, 0, w2, n));
  CUBLAS (ge_gemm (blas, no, adjoint, above, m, k, -1, w2, n, v, n, 1, a, n));
  if (rest <= 0)
    return GPUEIG_OK;
  /* rows of the panel, from both sides at once, with V' A of the A before: A <- A - Y V' -
     V T' (V' A - (V' Y) V') */
  a = p->a + begin + next * n;
  CUBLAS (ge_gemm (blas, adjoint, no, rest, k, m, 1, a, n, v, n, 0, right, n));
  CUBLAS (ge_gemm (blas, no, no, rest, k, 2 * k, 1, right, n, p->factor, ld, 0,
                   right + 2 * k * n, n));
  CUBLAS (ge_gemm (blas, no, adjoint, m, rest, 2 * k, -1, p->left + begin, n,
                   right + k * n, n, 1, a, n));
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_hessenberg (gpueig_context *ctx, int n, T *a, T *z, T *v)
{
  const int64_t block = (int64_t) n * PANEL_COLUMNS, count = n - 2;
  const int mark = ge_mark (ctx);
  T *w, *factors = NULL;
  panel<T> p = {};
  p.n = n;
  p.a = a;
  p.v = v;
  if (n > 2)
    {
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &p.tau));
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * PANEL_COLUMNS * PANEL_COLUMNS,
                        &p.factor));
      GE_TRY (ge_alloc_each (ctx, GE_DEVICE, 2 * block, &p.left, &w));
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 3 * block, &p.right));
      GE_TRY (allocate_messages (ctx, &p));
      GE_TRY (allocate_outside (ctx, &p));
      /* Rows above a panel's reflectors are zero.  */
      GE_TRY (ge_clear (ctx, v, (int64_t) n * n));
      for (p.begin = 0; p.begin < count; p.begin += PANEL_COLUMNS)
        {
          p.columns
              = (int) GE_AT_MOST (count - p.begin, (int64_t) PANEL_COLUMNS);
          GE_TRY (run_panel (ctx, &p));
          GE_TRY (update_rest (ctx, &p, w));
          if (p.begin / PANEL_COLUMNS % 8 == 7)
            GE_TRY (ge_cuda_check_interrupt (ctx));
        }
    }
  if (z)
    {
      GE_TRY (
          ge_cuda_reflector_factors<T> (ctx, n, count, 1, v, p.tau, &factors));
      GE_TRY (
          ge_cuda_apply_reflectors<T> (ctx, n, count, 1, v, factors, n, 1, z));
    }
  return ge_close_frame (ctx, mark);
}

GE_INSTANTIATE (ge_hessenberg)
