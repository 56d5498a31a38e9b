/* Reordering of a Schur form by scalar type, see reorder.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/checks.h"
#include "base/scale_general.h"
#include "base/products.h"
#include "schur/reorder.h"

#include <string.h>

typedef struct
{
  gpueig_context *ctx; /* NULL: no polling */
  lapack_int n;
  scalar_t *s, *u;   /* U NULL: no vectors */
  scalar_t *t, *q;   /* of the windows: form, exchanges */
  scalar_t *product; /* n by the width of a window */
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
  FN (ge_identity) (n, q);
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

/* --- windows of the CPU --- */

/* Copy the block of window AT between the form and T.  */
static void
copy_block (const page *p, const ge_reorder_place *at, int back, scalar_t *t)
{
  const size_t bytes = (size_t) at->width * sizeof *t;
  scalar_t *corner = p->s + at->first * (p->n + 1);
  for (int64_t j = 0; j < at->width; j++, corner += p->n, t += at->width)
    memcpy (back ? corner : t, back ? t : corner, bytes);
}

static gpueig_status
fetch_windows (void *data, int count, const ge_reorder_place *at)
{
  const page *p = data;
  for (int k = 0; k < count; k++)
    copy_block (p, &at[k], 0, p->t + k * SQUARE);
  return p->ctx ? ge_check_interrupt (p->ctx) : GPUEIG_OK;
}

/* X <- X Q, COUNT rows, or with LEFT X <- Q' X, COUNT columns; WIDTH columns or rows with
   leading dimension P->n.  */
static void
multiply_by_exchange (const page *p, const scalar_t *q, lapack_int width,
                      int left, lapack_int count, scalar_t *x)
{
  const lapack_int rows = left ? width : count, columns = left ? count : width;
  if (count == 0)
    return;
  if (left)
    multiply_ ("C", "N", width, count, width, 1, q, width, x, p->n, 0,
               p->product, width);
  else
    multiply_ ("N", "N", count, width, width, 1, x, p->n, q, width, 0,
               p->product, count);
  for (lapack_int j = 0; j < columns; j++)
    memcpy (x + (int64_t) j * p->n, p->product + (int64_t) j * rows,
            (size_t) rows * sizeof *x);
}

static gpueig_status
apply (void *data, int count, const ge_reorder_place *at)
{
  const page *p = data;
  const int64_t n = p->n;
  for (int k = 0; k < count; k++)
    {
      const int64_t first = at[k].first, end = first + at[k].width;
      const lapack_int width = at[k].width;
      const scalar_t *q = p->q + k * SQUARE;
      copy_block (p, &at[k], 1, p->t + k * SQUARE);
      multiply_by_exchange (p, q, width, 0, (lapack_int) first,
                            p->s + n * first);
      multiply_by_exchange (p, q, width, 1, (lapack_int) (n - end),
                            p->s + first + n * end);
      if (p->u)
        multiply_by_exchange (p, q, width, 0, p->n, p->u + n * first);
    }
  return GPUEIG_OK;
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
  const int most = FN (ge_largest_exponent) (NULL, n * n, s);
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

/* Windows of a round: smaller pages have one.  */
static int64_t
places (int64_t n)
{
  return n > GE_REORDER_WINDOW ? GE_REORDER_PLACES : 1;
}

int64_t
FN (ge_reorder_space) (int64_t n)
{
  return 2 * places (n) * SQUARE + n * GE_REORDER_WINDOW;
}

int
FN (ge_reorder_page) (gpueig_context *ctx, int64_t n, void *s, void *u,
                      int64_t *rank, unsigned char *block, unsigned char *moves,
                      void *space)
{
  page p = { .ctx = ctx, .n = (lapack_int) n, .s = s, .u = u, .t = space };
  p.q = p.t + places (n) * SQUARE;
  p.product = p.q + places (n) * SQUARE;
  const gpueig_ordschur_problem form
      = { .type = (gpueig_type) GE_SCALAR, .n = n };
  const ge_reorder_job job
      = { .form = &form, .rank = rank, .block = block, .moves = moves };
  const ge_reorder_device cpu = { .data = &p,
                                  .width = GE_REORDER_WINDOW,
                                  .blocks = p.t,
                                  .q = p.q,
                                  .fetch = fetch_windows,
                                  .apply = apply };
  const int exponent = FN (ge_reorder_exponent) (n, s);
  if (exponent)
    FN (ge_page_scaled) (n, s, exponent, s);
  FN (ge_schur_blocks) (n, s, block);
  const gpueig_status status = ge_reorder_rounds (NULL, &job, &cpu);
  if (exponent)
    FN (ge_schur_scaled) (n, -exponent, s, u);
  return status == GPUEIG_OK            ? 0
         : status == GPUEIG_INTERRUPTED ? GE_REORDER_INTERRUPTED
                                        : 1;
}
