/* Reordering of a Schur form by scalar type, see reorder.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/scale_general.h"
#include "lapack/lapack.h"
#include "schur/reorder.h"

#include <string.h>

typedef struct
{
  gpueig_context *ctx; /* NULL: no polling */
  lapack_int n;
  scalar_t *s, *u;          /* U NULL: no vectors */
  scalar_t *t, *q, *values; /* of a window: form, exchanges, eigenvalues */
  scalar_t *product;        /* n by the width of a window */
} page;

enum
{
  SQUARE = GE_REORDER_WINDOW * GE_REORDER_WINDOW,
  WORK = 2 * GE_REORDER_WINDOW
};

/* Nonzero if S (j+1, j) may be nonzero: the block is in standard form, and no other one
   ends in row j.  */
static int
is_block (int64_t n, const scalar_t *s, int64_t j)
{
  const scalar_t *d = s + j + n * j;
  return ! GE_COMPLEX && re_ (d[0]) == re_ (d[n + 1])
         && (re_ (d[1]) > 0) != (re_ (d[n]) > 0) && re_ (d[n]) != 0
         && (j == 0 || re_ (d[-n]) == 0);
}

int64_t
FN (ge_schur_misplaced) (int64_t n, const void *form)
{
  const scalar_t *s = form;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = j + 1; i < n; i++)
      if ((re_ (s[i + n * j]) != 0 || im_ (s[i + n * j]) != 0)
          && ! (i == j + 1 && is_block (n, s, j)))
        return i + n * j;
  return -1;
}

void
FN (ge_schur_blocks) (int64_t n, const void *form, unsigned char *block)
{
  const scalar_t *s = form;
  for (int64_t i = 0; i < n; i++)
    block[i] = ! GE_COMPLEX && i + 1 < n && re_ (s[i + 1 + n * i]) != 0;
}

/* Nonzero if RE + I IM is in the region ORDER.  */
static int
is_inside (gpueig_schur_order order, real_t re, real_t im)
{
  switch (order)
    {
    case GPUEIG_SCHUR_LHP:
      return re < 0;
    case GPUEIG_SCHUR_RHP:
      return re > 0;
    case GPUEIG_SCHUR_UDI:
      return GE_MATH (hypot) (re, im) < 1;
    case GPUEIG_SCHUR_UDO:
      return GE_MATH (hypot) (re, im) > 1;
    default:
      return 0;
    }
}

void
FN (ge_schur_ranks) (int64_t n, const void *form, gpueig_schur_order order,
                     int64_t *rank)
{
  const scalar_t *s = form;
  for (int64_t i = 0; i < n; i++)
    {
      const scalar_t *d = s + i + n * i;
      real_t im = im_ (*d);
#if ! GE_COMPLEX
      if (i + 1 < n && d[1] != 0) /* standard form: equal diagonal elements */
        im = sqrt_ (fabs_ (d[1])) * sqrt_ (fabs_ (d[n]));
#endif
      rank[i] = is_inside (order, re_ (*d), im);
#if ! GE_COMPLEX
      if (i + 1 < n && d[1] != 0)
        {
          rank[i + 1] = rank[i];
          i++;
        }
#endif
    }
}

int
FN (ge_reorder_exchange) (int order, const int *select, void *t,
                          void *exchanges, void *space, unsigned char *block)
{
  const lapack_int n = order, lwork = WORK;
  lapack_int count, info = 0;
  real_t condition, separation;
  scalar_t *q = exchanges, *values = space;
  scalar_t *work = values + 2 * GE_REORDER_WINDOW;
  memset (q, 0, (size_t) n * (size_t) n * sizeof *q);
  for (lapack_int i = 0; i < n; i++)
    q[i + n * i] = make_ (1, 0);
#if GE_COMPLEX
  trsen_ ("N", "V", select, &n, t, &n, q, &n, values, &count, &condition,
          &separation, work, &lwork, &info, 1, 1);
#else
  const lapack_int liwork = 1;
  lapack_int iwork;
  trsen_ ("N", "V", select, &n, t, &n, q, &n, values,
          values + GE_REORDER_WINDOW, &count, &condition, &separation, work,
          &lwork, &iwork, &liwork, &info, 1, 1);
#endif
  FN (ge_schur_blocks) (n, t, block);
  return info;
}

/* X <- X Q, ROWS-by-WIDTH with leading dimension P->n.  */
static void
multiply_columns (const page *p, lapack_int rows, lapack_int width, scalar_t *x)
{
  const scalar_t one = make_ (1, 0), zero = make_ (0, 0);
  if (rows == 0)
    return;
  gemm_ ("N", "N", &rows, &width, &width, &one, x, &p->n, p->q, &width, &zero,
         p->product, &rows, 1, 1);
  for (lapack_int j = 0; j < width; j++)
    memcpy (x + (int64_t) j * p->n, p->product + (int64_t) j * rows,
            (size_t) rows * sizeof *x);
}

/* X <- Q' X, WIDTH-by-COLUMNS with leading dimension P->n.  */
static void
multiply_rows (const page *p, lapack_int width, lapack_int columns, scalar_t *x)
{
  const scalar_t one = make_ (1, 0), zero = make_ (0, 0);
  if (columns == 0)
    return;
  gemm_ (GE_COMPLEX ? "C" : "T", "N", &width, &columns, &width, &one, p->q,
         &width, x, &p->n, &zero, p->product, &width, 1, 1);
  for (lapack_int j = 0; j < columns; j++)
    memcpy (x + (int64_t) j * p->n, p->product + (int64_t) j * width,
            (size_t) width * sizeof *x);
}

static int
move_in_window (void *data, int64_t first, int width, const int *select,
                unsigned char *block)
{
  const page *p = data;
  const int64_t n = p->n, end = first + width;
  scalar_t *corner = p->s + first + n * first;
  if (p->ctx && ge_check_interrupt (p->ctx) != GPUEIG_OK)
    return GE_REORDER_INTERRUPTED;
  for (int64_t j = 0; j < width; j++)
    memcpy (p->t + width * j, corner + n * j,
            (size_t) width * sizeof (scalar_t));
  const int info
      = FN (ge_reorder_exchange) (width, select, p->t, p->q, p->values, block);
  if (info)
    return info;
  for (int64_t j = 0; j < width; j++)
    memcpy (corner + n * j, p->t + width * j,
            (size_t) width * sizeof (scalar_t));
  multiply_columns (p, (lapack_int) first, width, p->s + n * first);
  multiply_rows (p, width, (lapack_int) (n - end), p->s + first + n * end);
  if (p->u)
    multiply_columns (p, p->n, width, p->u + n * first);
  return 0;
}

/* --- scale --- */

enum
{
  /* Exponents of the largest element up to which a form is reordered as it is: xLAEXC
     takes an exchange for good whose error is below the smallest normal number over
     eps.  */
  RANGE = GE_DOUBLE ? 458 : 39
};

int
FN (ge_reorder_exponent) (int64_t n, const void *s)
{
  const int most = FN (ge_page_exponent) (n, s);
  return most > RANGE ? most - RANGE : most < -RANGE ? most : 0;
}

/* In rows J and J + 1 the form is lower triangular: exchange them.  */
static void
transpose_block (int64_t n, int64_t j, scalar_t *s, scalar_t *u)
{
  for (int64_t k = j; k < n; k++)
    {
      const scalar_t x = s[j + n * k];
      s[j + n * k] = s[j + 1 + n * k];
      s[j + 1 + n * k] = -x;
    }
  for (int pass = 0; pass < 1 + (u != NULL); pass++)
    {
      scalar_t *const column = (pass ? u : s) + n * j;
      for (int64_t i = 0; i < (pass ? n : j + 2); i++)
        {
          const scalar_t x = column[i];
          column[i] = column[i + n];
          column[i + n] = -x;
        }
    }
  s[j + 1 + n * j] = make_ (0, 0);
}

void
FN (ge_schur_scaled) (int64_t n, int exponent, void *form, void *vectors)
{
  scalar_t *s = form;
  FN (ge_page_scaled) (n, s, exponent, s);
  for (int64_t j = 0; j + 1 < n; j++)
    if (re_ (s[j + 1 + n * j]) != 0 && re_ (s[j + n * (j + 1)]) == 0)
      transpose_block (n, j, s, vectors);
}

int64_t
FN (ge_reorder_space) (int64_t n)
{
  return 2 * SQUARE + 2 * GE_REORDER_WINDOW + WORK + n * GE_REORDER_WINDOW;
}

int
FN (ge_reorder_page) (gpueig_context *ctx, int64_t n, void *s, void *u,
                      int64_t *rank, unsigned char *block, unsigned char *moves,
                      void *space)
{
  scalar_t *at = space;
  page p = { .ctx = ctx, .n = (lapack_int) n, .s = s, .u = u, .t = at };
  p.q = p.t + SQUARE;
  p.values = p.q + SQUARE;
  p.product = p.values + 2 * GE_REORDER_WINDOW + WORK;
  const int exponent = FN (ge_reorder_exponent) (n, s);
  if (exponent)
    FN (ge_page_scaled) (n, s, exponent, s);
  FN (ge_schur_blocks) (n, s, block);
  const int result = ge_reorder (n, rank, block, moves, move_in_window, &p);
  if (exponent)
    FN (ge_schur_scaled) (n, -exponent, s, u);
  return result;
}
