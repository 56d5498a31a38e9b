/* Reduction to tridiagonal form and back-transformation, see tridiagonal.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Block reduction as in LAPACK's xSYTRD and xLATRD (J. Dongarra, D. Sorensen,
   S. Hammarling, J. Comput. Appl. Math. 27, 1989).  Those take many seconds and cannot
   be interrupted, and OpenBLAS's threads synchronise by sched_yield in every column,
   which is fifty times slower where other programs use the processors.  Here the
   products with the matrix are divided into pieces for core's threads (ge_run_pieces);
   everything else is BLAS on one thread.  */

#include "base/products.h"
#include "tridiagonal/tridiagonal.h"

#include <string.h>

enum
{
  PANEL = 32,         /* columns of a panel */
  PIECE = 96,         /* columns of a piece of a matrix-vector product */
  CHUNK = 256,        /* rows of it, which stay in cache for two uses */
  VECTOR_ORDER = 400, /* order from which on such a product is shared */
  UNBLOCKED = 64,     /* the last columns are reduced without panels */
  SLICE = 64,         /* columns of C in a piece of the back-transformation */
  BLOCK = 32,         /* reflectors applied as one block */
  REALS = 100000      /* of a piece of the scaling */
};

typedef struct
{
  real_t *r;
  int64_t reals;
  real_t half, rest;
} scaling;

static void
scale_piece (void *data, int64_t i, int thread)
{
  const scaling *s = data;
  const int64_t from = i * REALS;
  const int64_t to = from + REALS < s->reals ? from + REALS : s->reals;
  (void) thread;
  for (int64_t k = from; k < to; k++)
    s->r[k] = s->r[k] * s->half * s->rest;
}

real_t
FN (ge_scale_to_one) (gpueig_context *ctx, int64_t count, scalar_t *a)
{
  const real_t largest = FN (ge_largest_part) (ctx, count, a);
  const int exponent = largest > 0 ? GE_MATH (ilogb) (largest) : 0;
  if (exponent > -60 && exponent < 60)
    return 1;
  /* Scale by two factors, since the inverse of a subnormal scale is infinite.  */
  scaling s = { .r = (real_t *) a,
                .reals = count * (1 + GE_COMPLEX),
                .half = GE_MATH (ldexp) (1, -exponent / 2),
                .rest = GE_MATH (ldexp) (1, -exponent - (-exponent / 2)) };
  ge_share_pass (ctx, (s.reals + REALS - 1) / REALS, (double) s.reals,
                 scale_piece, &s);
  return GE_MATH (ldexp) (1, exponent);
}

/* The lower triangle of A <- A - V W' - W V', N-by-N; V and W have PANEL columns.  The
   leading dimension of all three is LD.  */
static gpueig_status
update (gpueig_context *ctx, int64_t n, const scalar_t *v, const scalar_t *w,
        int64_t ld, scalar_t *a)
{
  GE_TRY (FN (ge_product) (ctx, "N", "C", n, n, PANEL, -1, v, ld, w, ld, 1, a,
                           ld, 1));
  return FN (ge_product) (ctx, "N", "C", n, n, PANEL, -1, w, ld, v, ld, 1, a,
                          ld, 1);
}

/* y = A v for the Hermitian N-by-N A of which the lower triangle is given.  Piece I
   multiplies PIECE columns and stores its contribution to y, from row I PIECE on, in
   PART + I N.  */
typedef struct
{
  int64_t n, ld;
  const scalar_t *a, *v;
  scalar_t *part;
} vector_product;

static void
multiply_piece (void *data, int64_t i, int thread)
{
  const vector_product *p = data;
  const int64_t from = i * PIECE;
  const lapack_int ld = (lapack_int) p->ld, step = 1;
  const lapack_int columns
      = (lapack_int) (p->n - from < PIECE ? p->n - from : PIECE);
  const scalar_t one = 1, zero = 0, *v = p->v;
  scalar_t *y = p->part + i * p->n;
  (void) thread;
  hemv_ ("L", &columns, &one, p->a + from + p->ld * from, &ld, v + from, &step,
         &zero, y + from, &step, 1);
  for (int64_t r = from + columns; r < p->n; r += CHUNK)
    {
      const lapack_int rows
          = (lapack_int) (p->n - r < CHUNK ? p->n - r : CHUNK);
      const scalar_t *a = p->a + r + p->ld * from;
      gemv_ ("N", &rows, &columns, &one, a, &ld, v + from, &step, &zero, y + r,
             &step, 1);
      gemv_ ("C", &rows, &columns, &one, a, &ld, v + r, &step, &one, y + from,
             &step, 1);
    }
}

static gpueig_status
multiply_vector (gpueig_context *ctx, const vector_product *p, scalar_t *y)
{
  const int64_t n = p->n,
                count = n < VECTOR_ORDER ? 1 : (n + PIECE - 1) / PIECE;
  if (count == 1)
    {
      const lapack_int order = (lapack_int) n, ld = (lapack_int) p->ld,
                       step = 1;
      const scalar_t one = 1, zero = 0;
      hemv_ ("L", &order, &one, p->a, &ld, p->v, &step, &zero, y, &step, 1);
      return ge_check_interrupt (ctx);
    }
  GE_TRY (ge_run_pieces (ctx, count, GE_MANY_OPERATIONS, multiply_piece,
                         (void *) p));
  memcpy (y, p->part, (size_t) n * sizeof *y);
  for (int64_t i = 1; i < count; i++)
    for (int64_t r = i * PIECE; r < n; r++)
      y[r] += p->part[i * n + r];
  return GPUEIG_OK;
}

/* y -= X conj (z), X ROWS-by-COLUMNS with leading dimension LDX; z is a row of a matrix
   with the same leading dimension.  ROW is scratch for COLUMNS numbers.  */
static void
subtract (int64_t rows, lapack_int columns, const scalar_t *x, int64_t ldx,
          const scalar_t *z, scalar_t *row, scalar_t *y)
{
  const lapack_int m = (lapack_int) rows, ld = (lapack_int) ldx, step = 1;
  const scalar_t one = 1, minus_one = -1;
  for (lapack_int k = 0; k < columns; k++)
    row[k] = conj_ (z[k * ldx]);
  gemv_ ("N", &m, &columns, &minus_one, x, &ld, row, &step, &one, y, &step, 1);
}

/* w -= X Y' v for X and Y with COLUMNS columns.  */
static void
subtract_product (int64_t rows, lapack_int columns, const scalar_t *x,
                  const scalar_t *y, int64_t ldx, const scalar_t *v,
                  scalar_t *row, scalar_t *w)
{
  const lapack_int m = (lapack_int) rows, ld = (lapack_int) ldx, step = 1;
  const scalar_t one = 1, zero = 0, minus_one = -1;
  gemv_ ("C", &m, &columns, &one, y, &ld, v, &step, &zero, row, &step, 1);
  gemv_ ("N", &m, &columns, &minus_one, x, &ld, row, &step, &one, w, &step, 1);
}

/* Reduce PANEL columns of the N-by-N A to tridiagonal form, and compute W such that
   the trailing matrix becomes A - V W' - W V'; V are the reflectors, stored from the
   subdiagonal on, which is set to 1.  */
static gpueig_status
reduce_panel (gpueig_context *ctx, int64_t n, int64_t ld, scalar_t *a,
              scalar_t *w, real_t *e, scalar_t *tau, scalar_t *part)
{
  scalar_t row[PANEL];
  for (lapack_int i = 0; i < PANEL; i++)
    {
      const lapack_int step = 1, left = (lapack_int) n - i - 1;
      scalar_t *column = a + i + ld * i, *v = column + 1;
      scalar_t *y = w + i + 1 + ld * i;
      if (i > 0)
        {
          subtract (n - i, i, a + i, ld, w + i, row, column);
          subtract (n - i, i, w + i, ld, a + i, row, column);
        }
      *column = re_ (*column);
      scalar_t top = *v;
      larfg_ (&left, &top, v + (left > 1), &step, &tau[i]);
      e[i] = re_ (top);
      *v = 1;
      vector_product p = { left, ld, a + (i + 1) + ld * (i + 1), v, part };
      GE_TRY (multiply_vector (ctx, &p, y));
      if (i > 0)
        {
          subtract_product (left, i, a + i + 1, w + i + 1, ld, v, row, y);
          subtract_product (left, i, w + i + 1, a + i + 1, ld, v, row, y);
        }
      scalar_t dot = 0;
      for (lapack_int k = 0; k < left; k++)
        {
          y[k] *= tau[i];
          dot += conj_ (y[k]) * v[k];
        }
      const scalar_t alpha = -tau[i] * dot / (real_t) 2;
      for (lapack_int k = 0; k < left; k++)
        y[k] += alpha * v[k];
    }
  return GPUEIG_OK;
}

static gpueig_status
reduce_to_tridiagonal (gpueig_context *ctx, lapack_int n, scalar_t *a,
                       real_t *d, real_t *e, scalar_t *tau)
{
  const int64_t ld = n;
  lapack_int i = 0, info;
  scalar_t *w, *part;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, ld * PANEL, &w));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, ld * (ld / PIECE + 1), &part));
  for (; n - i > UNBLOCKED; i += PANEL)
    {
      scalar_t *corner = a + i + ld * i;
      GE_TRY (reduce_panel (ctx, n - i, ld, corner, w, e + i, tau + i, part));
      GE_TRY (update (ctx, n - i - PANEL, corner + PANEL, w + PANEL, ld,
                      corner + PANEL + ld * PANEL));
      for (lapack_int j = i; j < i + PANEL; j++)
        {
          a[j + 1 + ld * j] = e[j];
          d[j] = re_ (a[j + ld * j]);
        }
    }
  lapack_int rest = n - i;
  hetd2_ ("L", &rest, a + i + ld * i, &n, d + i, e + i, tau + i, &info, 1);
  return GPUEIG_OK;
}

gpueig_status
FN (ge_tridiagonalise) (gpueig_context *ctx, lapack_int n, scalar_t *a,
                        real_t *d, real_t *e, scalar_t *tau)
{
  const int mark = ge_mark (ctx);
  ge_limit_blas (ctx, GE_BLAS_ONE);
  const gpueig_status status = reduce_to_tridiagonal (ctx, n, a, d, e, tau);
  ge_unlimit_blas (ctx, GE_BLAS_ONE);
  ge_release (ctx, mark);
  return status;
}

/* --- back-transformation --- */

/* As xORMTR, by slices of columns; LAPACK's routine temporarily writes to the
   reflectors, so it cannot be called for two slices at the same time.  */
typedef struct
{
  lapack_int n, m;
  const scalar_t *tau;
  scalar_t *a, *c;
  scalar_t *t;    /* triangular factors of the blocks of BLOCK reflectors */
  scalar_t *work; /* SLICE BLOCK numbers per thread */
} back_transform;

/* Find the address, rows and columns of block I of the N - 1 reflectors.  */
static scalar_t *
block_at (const back_transform *b, int64_t i, lapack_int *rows,
          lapack_int *columns)
{
  const lapack_int first = (lapack_int) i * BLOCK;
  *rows = b->n - 1 - first;
  *columns = *rows < BLOCK ? *rows : BLOCK;
  return b->a + first + 1 + (int64_t) b->n * first;
}

static void
form_factor (void *data, int64_t i, int thread)
{
  const back_transform *b = data;
  const lapack_int ld = BLOCK;
  lapack_int rows, columns;
  scalar_t *v = block_at (b, i, &rows, &columns);
  (void) thread;
  larft_ ("F", "C", &rows, &columns, v, &b->n, b->tau + i * BLOCK,
          b->t + i * BLOCK * BLOCK, &ld, 1, 1);
}

static void
transform_slice (void *data, int64_t i, int thread)
{
  const back_transform *b = data;
  const lapack_int j = (lapack_int) i * SLICE, ld = BLOCK, slice = SLICE;
  const lapack_int width = b->m - j < SLICE ? b->m - j : SLICE;
  for (int64_t k = (b->n - 2) / BLOCK; k >= 0; k--)
    {
      lapack_int rows, columns;
      const scalar_t *v = block_at (b, k, &rows, &columns);
      larfb_ ("L", "N", "F", "C", &rows, &width, &columns, v, &b->n,
              b->t + k * BLOCK * BLOCK, &ld,
              b->c + (b->n - rows) + (int64_t) b->n * j, &b->n,
              b->work + (int64_t) thread * SLICE * BLOCK, &slice, 1, 1, 1, 1);
    }
}

gpueig_status
FN (ge_back_transform) (gpueig_context *ctx, lapack_int n, lapack_int m,
                        scalar_t *a, const scalar_t *tau, scalar_t *c)
{
  back_transform b = { .n = n, .m = m, .a = a, .tau = tau, .c = c };
  const int64_t blocks = ((int64_t) n + BLOCK - 2) / BLOCK;
  const double operations = (double) n * (double) n * (double) m / 10;
  int mark = ge_mark (ctx);
  if (n < 2 || m < 1)
    return GPUEIG_OK;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, blocks * BLOCK * BLOCK, &b.t));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, (int64_t) ge_threads () * SLICE * BLOCK,
                    &b.work));
  GE_TRY (ge_run_pieces (ctx, blocks, operations, form_factor, &b));
  GE_TRY (ge_run_pieces (ctx, (m + SLICE - 1) / SLICE, operations,
                         transform_slice, &b));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}
