/* Reduction to Hessenberg form on the CPU, see qr.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Panels as in LAPACK's xGEHRD and xLAHR2 (G. Quintana-Orti, R. van de Geijn, ACM Trans.
   Math. Softw. 32, 2006): with V, the reflectors of a panel, and their product
   I - V T V', the matrix becomes (I - V T' V') (A - Y V'), Y = A V T.  V is stored with its
   ones and zeros.  What is proportional to the matrix is divided into pieces for a team,
   by the sizes alone; everything else is BLAS on one thread.  */

#include "schur/qr.h"
#include "base/products.h"

#include <string.h>

enum
{
  PANEL = 32,  /* columns of a panel */
  ROWS = 128,  /* of a piece of a product with a vector, or from the right */
  COLUMNS = 64 /* of a piece of an update */
};

typedef struct
{
  const ge_team *team;
  int64_t n, end;   /* END: the row behind the active block */
  int64_t k, width; /* first column and columns of the panel */
  scalar_t *a;
  scalar_t *v, *y, *t; /* V, Y: n-by-PANEL; T: PANEL-by-PANEL for each panel */
  scalar_t *columns;   /* 2 PANEL */
  scalar_t *space;     /* for each thread two blocks */
} reduction;

/* Scalars of a thread's block; COLUMNS <= ROWS.  */
static int64_t
block_size (int64_t n)
{
  return (n < ROWS ? n : ROWS) * PANEL;
}

static char *
lay_out_reduction (char *at, int64_t n, int threads, reduction *r)
{
  r->v = ge_take (&at, n * PANEL, sizeof (scalar_t));
  r->y = ge_take (&at, n * PANEL, sizeof (scalar_t));
  r->t = ge_take (&at, (n + PANEL) * PANEL, sizeof (scalar_t));
  r->columns = ge_take (&at, 2 * PANEL, sizeof (scalar_t));
  r->space = ge_take (&at, 2 * threads * block_size (n), sizeof (scalar_t));
  return at;
}

int64_t
FN (ge_hessenberg_bytes) (int64_t n, int threads)
{
  reduction r;
  return lay_out_reduction (GE_NOWHERE, n, threads, &r) - GE_NOWHERE;
}

/* y <- ALPHA op (X) x + BETA y  */
static void
times_vector (const char *op, int64_t rows, int64_t columns, int alpha,
              const scalar_t *x, int64_t ldx, const scalar_t *v, int beta,
              scalar_t *y)
{
  const lapack_int m = (lapack_int) rows, n = (lapack_int) columns,
                   lx = (lapack_int) ldx, step = 1;
  const scalar_t a = (real_t) alpha, b = (real_t) beta;
  if (rows > 0 && columns > 0)
    gemv_ (op, &m, &n, &a, x, &lx, v, &step, &b, y, &step, 1);
}

/* Compute T of the panel's block reflector.  */
static scalar_t *
make_block_factor (const reduction *r)
{
  return r->t + r->k * PANEL;
}

static void
pass (const reduction *r, int64_t count, int64_t elements, ge_piece *work)
{
  ge_team_pass (r->team, count, 2.5 * (double) elements, work, (void *) r);
}

/* --- a panel --- */

/* ROWS elements of y = A v, v = column WIDTH of V from its row one on.  */
static void
multiply_piece (void *data, int64_t i, int thread)
{
  const reduction *r = data;
  const int64_t row = r->k + 1 + i * ROWS, first = r->k + r->width + 1;
  const int64_t rows = r->end - row < ROWS ? r->end - row : ROWS;
  (void) thread;
  times_vector ("N", rows, r->end - first, 1, r->a + row + r->n * first, r->n,
                r->v + first + r->n * r->width, 0,
                r->y + row + r->n * r->width);
}

/* Apply the reflectors before it to column J of A, from row K + 1 on.  */
static void
update_column (const reduction *r, int64_t j)
{
  const int64_t n = r->n, top = r->k + 1, rows = r->end - top, i = r->width;
  scalar_t *b = r->a + top + n * j, *w = r->columns, *x = w + PANEL;
  for (int64_t c = 0; c < i; c++)
    w[c] = conj_ (r->v[j + n * c]);
  times_vector ("N", rows, i, -1, r->y + top, n, w, 1, b);
  times_vector ("C", rows, i, 1, r->v + top, n, b, 0, w);
  times_vector ("C", i, i, 1, make_block_factor (r), PANEL, w, 0, x);
  times_vector ("N", rows, i, -1, r->v + top, n, x, 1, b);
}

/* Compute the reflector of column J, and column WIDTH of V, T and Y.  */
static void
reduce_column (const reduction *r, int64_t j)
{
  const int64_t n = r->n, top = r->k + 1, rows = r->end - top, i = r->width;
  const lapack_int count = (lapack_int) (r->end - j - 1), step = 1;
  scalar_t *b = r->a + n * j, *v = r->v + n * i, *y = r->y + n * i;
  scalar_t *t = make_block_factor (r) + PANEL * i, *w = r->columns, tau;
  larfg_ (&count, b + j + 1, b + (j + 2 < r->end ? j + 2 : j + 1), &step, &tau);
  memset (v + top, 0, (size_t) (j + 1 - top) * sizeof *v);
  v[j + 1] = 1;
  memcpy (v + j + 2, b + j + 2, (size_t) (r->end - j - 2) * sizeof *v);
  pass (r, (rows + ROWS - 1) / ROWS, rows * (r->end - j - 1), multiply_piece);
  times_vector ("C", r->end - j - 1, i, 1, r->v + j + 1, n, v + j + 1, 0, w);
  times_vector ("N", rows, i, -1, r->y + top, n, w, 1, y + top);
  for (int64_t k = top; k < r->end; k++)
    y[k] *= tau;
  for (int64_t c = 0; c < i; c++)
    w[c] *= -tau;
  times_vector ("N", i, i, 1, make_block_factor (r), PANEL, w, 0, t);
  t[i] = tau;
  memset (t + i + 1, 0, (size_t) (PANEL - 1 - i) * sizeof *t);
}

/* --- the rest of the matrix --- */

/* X <- (I - V op (T) V') X with COLUMNS columns at most and the rows of X from K + 1 on.  */
static void
reflect (const reduction *r, const char *op, int64_t columns, scalar_t *x,
         int thread)
{
  const int64_t n = r->n, top = r->k + 1, rows = r->end - top, w = r->width;
  scalar_t *one = r->space + 2 * thread * block_size (n);
  scalar_t *two = one + block_size (n);
  FN (ge_gemm) ("C", "N", w, columns, rows, 1, r->v + top, n, x, n, 0, one, w);
  FN (ge_gemm)
  (op, "N", w, columns, w, 1, make_block_factor (r), PANEL, one, w, 0, two, w);
  FN (ge_gemm) ("N", "N", rows, columns, w, -1, r->v + top, n, two, w, 1, x, n);
}

/* Pieces of columns behind the panel, in the rows from K + 1 on, and then of the rows
   above.  */
static void
update_piece (void *data, int64_t i, int thread)
{
  const reduction *r = data;
  const int64_t n = r->n, top = r->k + 1, w = r->width, next = r->k + w;
  const int64_t right = (n - next + COLUMNS - 1) / COLUMNS;
  if (i < right)
    {
      const int64_t c = next + i * COLUMNS;
      const int64_t columns = n - c < COLUMNS ? n - c : COLUMNS;
      const int64_t inside = r->end - c < columns ? r->end - c : columns;
      scalar_t *x = r->a + top + n * c;
      FN (ge_gemm)
      ("N", "C", r->end - top, inside, w, -1, r->y + top, n, r->v + c, n, 1, x,
       n);
      reflect (r, "C", columns, x, thread);
      return;
    }
  const int64_t row = (i - right) * ROWS;
  const int64_t rows = top - row < ROWS ? top - row : ROWS;
  scalar_t *one = r->space + 2 * thread * block_size (n);
  scalar_t *two = one + block_size (n);
  scalar_t *x = r->a + row + n * top;
  FN (ge_gemm)
  ("N", "N", rows, w, r->end - top, 1, x, n, r->v + top, n, 0, one, rows);
  FN (ge_gemm)
  ("N", "N", rows, w, w, 1, one, rows, make_block_factor (r), PANEL, 0, two,
   rows);
  FN (ge_gemm)
  ("N", "C", rows, r->end - top, w, -1, two, rows, r->v + top, n, 1, x, n);
}

void
FN (ge_hessenberg) (const ge_team *team, int64_t n, int ilo, int ihi, void *a,
                    void *space)
{
  reduction r = { .team = team, .n = n, .end = ihi, .a = a };
  lay_out_reduction (space, n, team->threads, &r);
  for (r.k = ilo - 1; r.k + 2 < r.end; r.k += r.width)
    {
      for (r.width = 0; r.width < PANEL && r.k + r.width + 2 < r.end; r.width++)
        {
          const int64_t j = r.k + r.width;
          if (r.width > 0)
            update_column (&r, j);
          reduce_column (&r, j);
        }
      const int64_t pieces = (n - r.k - r.width + COLUMNS - 1) / COLUMNS
                             + (r.k + 1 + ROWS - 1) / ROWS;
      pass (&r, pieces, n * (n - r.k), update_piece);
    }
}

/* --- vectors --- */

typedef struct
{
  reduction r;
  scalar_t *z;
  int64_t first; /* column of Z */
} vectors;

static void
vectors_piece (void *data, int64_t i, int thread)
{
  const vectors *p = data;
  const int64_t n = p->r.n, c = p->first + i * COLUMNS;
  reflect (&p->r, "N", n - c < COLUMNS ? n - c : COLUMNS,
           p->z + p->r.k + 1 + n * c, thread);
}

void
FN (ge_hessenberg_vectors) (const ge_team *team, int64_t n, int ilo, int ihi,
                            const void *form, int start, void *z, void *space)
{
  vectors p = { .r = { .team = team, .n = n, .end = ihi }, .z = z };
  const scalar_t *a = form;
  reduction *r = &p.r;
  lay_out_reduction (space, n, team->threads, r);
  if (start)
    FN (ge_identity) (n, z);
  const int64_t first = ilo - 1, reflectors = r->end - 2 - first;
  for (int64_t b = (reflectors + PANEL - 1) / PANEL - 1; b >= 0; b--)
    {
      const int64_t left = reflectors - b * PANEL;
      r->k = first + b * PANEL;
      r->width = left < PANEL ? left : PANEL;
      for (int64_t j = r->k; j < r->k + r->width; j++)
        {
          scalar_t *v = r->v + n * (j - r->k);
          memset (v + r->k + 1, 0, (size_t) (j - r->k) * sizeof *v);
          v[j + 1] = 1;
          memcpy (v + j + 2, a + j + 2 + n * j,
                  (size_t) (r->end - j - 2) * sizeof *v);
        }
      /* Columns of the unit matrix before K + 1 do not change.  */
      p.first = start ? r->k + 1 : 0;
      const int64_t columns = (start ? r->end : n) - p.first;
      ge_team_pass (team, (columns + COLUMNS - 1) / COLUMNS,
                    2.5 * (double) (n * columns), vectors_piece, &p);
    }
}
