/* Element-wise cyclic Jacobi with all rotations of a round at once.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Tournament ordering of Brent and Luk (SISSC 6, 1985), there for processor arrays,
   here for SIMD registers: the pairs of a round are rows k and m/2 + k, so one pass
   over a pair of columns applies its rotation from the right and the rotations of all
   pairs from the left, on contiguous vectors.  The matrix is changed by element-wise
   rotations only, so the relative accuracy of Demmel and Veselic (SIMAX 13, 1992)
   holds; products of blocks would lose it.  */

#include "jacobi/jacobi_typed.h"
#include "base/schedule.h"

#include <string.h>

/* From this order on rounds are divided among threads.  */
enum
{
  PARALLEL_ORDER = 192,
  PAIRS = 16 /* pairs of columns of a piece */
};

#define PLANES (1 + GE_COMPLEX)

/* Scratch columns a thread needs: two columns, all planes.  */
enum
{
  SCRATCH_COLUMNS = 2 * PLANES
};

/* Reals in a column of M rows, a multiple of 64 bytes.  */
static int64_t
padded (int64_t m)
{
  int64_t unit = 64 / (int64_t) sizeof (real_t);
  return (m + unit - 1) / unit * unit;
}

size_t
FN (ge_cyclic_bytes) (int64_t n, int64_t rows, int threads)
{
  int64_t m = n + (n & 1), ld = padded (m), ldv = padded (rows);
  int64_t reals = PLANES * m * (ld + ldv) + 5 * ld
                  + (int64_t) threads * SCRATCH_COLUMNS * ld + ld;
  return (size_t) reals * sizeof (real_t);
}

void
FN (ge_cyclic_lay_out) (FN (ge_cyclic) * w, int64_t n, int64_t rows,
                        int threads, void *memory)
{
  int64_t m = n + (n & 1), ld = padded (m), ldv = padded (rows);
  real_t *at = memory;
  memset (w, 0, sizeof *w);
  w->m = m;
  w->ld = ld;
  w->rows = rows;
  w->ldv = ldv;
  w->threads = threads;
  for (int plane = 0; plane < PLANES; plane++)
    {
      w->a[plane] = at;
      at += m * ld;
      w->v[plane] = rows > 0 ? at : NULL;
      at += m * ldv;
    }
  w->c = at;
  w->w[0] = at + ld;
  w->w[1] = at + 2 * ld;
  w->near_p = at + 3 * ld;
  w->near_q = at + 4 * ld;
  w->scratch = at + 5 * ld;
  w->column = (int32_t *) (w->scratch + threads * SCRATCH_COLUMNS * ld);
}

void
FN (ge_cyclic_load) (FN (ge_cyclic) * w, int64_t n, const scalar_t *a,
                     int64_t lda, real_t scale, const int64_t *order)
{
  for (int64_t j = 0; j < w->m; j++)
    {
      const scalar_t *from = a + lda * (j < n && order ? order[j] : j);
      for (int plane = 0; plane < PLANES; plane++)
        {
          real_t *to = w->a[plane] + w->ld * j;
          for (int64_t i = 0; i < w->ld; i++)
            to[i] = 0;
          for (int64_t i = 0; i < n && j < n; i++)
            {
              scalar_t x = from[order ? order[i] : i];
              to[i] = scale * (plane == 0 ? re_ (x) : im_ (x));
            }
          if (w->rows > 0)
            {
              real_t *v = w->v[plane] + w->ldv * j;
              for (int64_t i = 0; i < w->ldv; i++)
                v[i] = plane == 0 && i == j ? 1 : 0;
            }
        }
      w->column[j] = (int32_t) j;
    }
}

/* --- one round --- */

/* Compute the rotations of all pairs of this round; returns their number.  */
static int64_t
find_rotations (FN (ge_cyclic) * w, real_t tol, real_t floor)
{
  int64_t half = w->m / 2, count = 0;
  for (int64_t k = 0; k < half; k++)
    {
      int64_t p = w->column[k], q = w->column[half + k];
      real_t a = w->a[0][w->ld * p + k], b = w->a[0][w->ld * q + half + k];
      real_t g = w->a[0][w->ld * q + k], c, s, t;
#if GE_COMPLEX
      real_t size, pr, pi;
      ge_phase (g, w->a[1][w->ld * q + k], &size, &pr, &pi);
      g = size;
#else
      real_t size = fabs_ (g);
#endif
      if (ge_negligible (a, b, size, tol, floor))
        {
          w->c[k] = 1;
          w->w[0][k] = w->w[1][k] = 0;
          w->near_p[k] = GE_REAL_MAX; /* marks a pair without rotation */
          continue;
        }
      ge_jacobi_rotation (a, b, g, &c, &s, &t);
      w->c[k] = c;
#if GE_COMPLEX
      w->w[0][k] = s * pr;
      w->w[1][k] = s * pi;
#else
      w->w[0][k] = s;
      w->w[1][k] = 0;
#endif
      w->near_p[k] = a - t * g;
      w->near_q[k] = b + t * g;
      count++;
    }
  return count;
}

/* Rotations of all pairs k as vectors, for rotate_pair.  */
typedef struct
{
  int64_t half;
  const real_t *c, *w[2];
} pairs;

/* Transform columns x and y of pair q; the new rows go to T: x top, x bottom, y top,
   y bottom, of HALF numbers each (real plane, then imaginary plane).  */
#if ! GE_COMPLEX
static GE_CLONES void
rotate_pair (const pairs *g, int64_t q, const real_t *restrict x,
             const real_t *restrict y, int64_t ld, real_t *restrict t)
{
  const int64_t half = g->half;
  const real_t *restrict c = g->c, *restrict s = g->w[0];
  const real_t cq = c[q], sq = s[q];
  (void) ld;
#  pragma omp simd
  for (int64_t k = 0; k < half; k++)
    {
      real_t xt = x[k], xb = x[half + k], yt = y[k], yb = y[half + k];
      real_t pt = cq * xt - sq * yt, qt = sq * xt + cq * yt;
      real_t pb = cq * xb - sq * yb, qb = sq * xb + cq * yb;
      t[k] = c[k] * pt - s[k] * pb;
      t[half + k] = s[k] * pt + c[k] * pb;
      t[2 * half + k] = c[k] * qt - s[k] * qb;
      t[3 * half + k] = s[k] * qt + c[k] * qb;
    }
}

static GE_CLONES void
rotate_vectors (int64_t rows, real_t c, real_t s, real_t unused,
                real_t *restrict x, real_t *restrict y, real_t *xi, real_t *yi)
{
  (void) unused;
  (void) xi;
  (void) yi;
#  pragma omp simd
  for (int64_t i = 0; i < rows; i++)
    {
      real_t u = x[i], v = y[i];
      x[i] = c * u - s * v;
      y[i] = s * u + c * v;
    }
}
#else
static GE_CLONES void
rotate_pair (const pairs *g, int64_t q, const real_t *restrict x,
             const real_t *restrict y, int64_t plane, real_t *restrict t)
{
  const int64_t half = g->half;
  const real_t *restrict c = g->c, *restrict wr = g->w[0],
                         *restrict wi = g->w[1];
  const real_t cq = c[q], sr = wr[q], si = wi[q];
  const real_t *restrict xi = x + plane, *restrict yi = y + plane;
  real_t *restrict ti = t + 4 * half;
#  pragma omp simd
  for (int64_t k = 0; k < half; k++)
    {
      real_t xtr = x[k], xti = xi[k], ytr = y[k], yti = yi[k];
      real_t xbr = x[half + k], xbi = xi[half + k];
      real_t ybr = y[half + k], ybi = yi[half + k];
      /* p = c x - conj (w) y, q = w x + c y */
      real_t ptr = cq * xtr - (sr * ytr + si * yti);
      real_t pti = cq * xti - (sr * yti - si * ytr);
      real_t qtr = (sr * xtr - si * xti) + cq * ytr;
      real_t qti = (sr * xti + si * xtr) + cq * yti;
      real_t pbr = cq * xbr - (sr * ybr + si * ybi);
      real_t pbi = cq * xbi - (sr * ybi - si * ybr);
      real_t qbr = (sr * xbr - si * xbi) + cq * ybr;
      real_t qbi = (sr * xbi + si * xbr) + cq * ybi;
      /* top = c t - w b, bottom = conj (w) t + c b */
      t[k] = c[k] * ptr - (wr[k] * pbr - wi[k] * pbi);
      ti[k] = c[k] * pti - (wr[k] * pbi + wi[k] * pbr);
      t[half + k] = (wr[k] * ptr + wi[k] * pti) + c[k] * pbr;
      ti[half + k] = (wr[k] * pti - wi[k] * ptr) + c[k] * pbi;
      t[2 * half + k] = c[k] * qtr - (wr[k] * qbr - wi[k] * qbi);
      ti[2 * half + k] = c[k] * qti - (wr[k] * qbi + wi[k] * qbr);
      t[3 * half + k] = (wr[k] * qtr + wi[k] * qti) + c[k] * qbr;
      ti[3 * half + k] = (wr[k] * qti - wi[k] * qtr) + c[k] * qbi;
    }
}

static GE_CLONES void
rotate_vectors (int64_t rows, real_t c, real_t wr, real_t wi,
                real_t *restrict x, real_t *restrict y, real_t *restrict xi,
                real_t *restrict yi)
{
#  pragma omp simd
  for (int64_t i = 0; i < rows; i++)
    {
      real_t xr = x[i], xc = xi[i], yr = y[i], yc = yi[i];
      x[i] = c * xr - (wr * yr + wi * yc);
      xi[i] = c * xc - (wr * yc - wi * yr);
      y[i] = (wr * xr - wi * xc) + c * yr;
      yi[i] = (wr * xc + wi * xr) + c * yc;
    }
}
#endif

/* Copy rows from T (top half, bottom half) to their next positions in Z, as
   ge_next_position defines them, by contiguous copies.  */
static void
permute_rows (int64_t half, const real_t *t, real_t *z)
{
  const real_t *b = t + half;
  size_t size = sizeof (real_t);
  z[0] = t[0];
  if (half == 1)
    {
      z[1] = b[0];
      return;
    }
  z[1] = b[0];
  memcpy (z + 2, t + 1, (size_t) (half - 2) * size);
  memcpy (z + half, b + 1, (size_t) (half - 1) * size);
  z[2 * half - 1] = t[half - 1];
}

/* Columns of pair q: rotate, set the elements of the pivot block exactly, permute the
   rows.  */
static void
update_pair (FN (ge_cyclic) * w, const pairs *g, int64_t q, real_t *t)
{
  int64_t half = g->half, ld = w->ld, m = w->m;
  int64_t p1 = w->column[q], p2 = w->column[half + q];
  real_t *x = w->a[0] + ld * p1, *y = w->a[0] + ld * p2;
  int rotates = w->near_p[q] != GE_REAL_MAX;
  int64_t plane = PLANES > 1 ? w->a[1] - w->a[0] : 0;
  rotate_pair (g, q, x, y, plane, t);
  if (rotates)
    {
      t[q] = w->near_p[q];
      t[3 * half + q] = w->near_q[q];
      t[half + q] = t[2 * half + q] = 0;
      if (PLANES > 1)
        for (int i = 4; i < 8; i++)
          t[i * half + q] = 0;
    }
  for (int i = 0; i < PLANES; i++)
    {
      permute_rows (half, t + 2 * i * m, x + i * plane);
      permute_rows (half, t + (2 * i + 1) * m, y + i * plane);
    }
  if (rotates && w->rows > 0)
    {
      int i = PLANES - 1;
      int64_t c1 = w->ldv * p1, c2 = w->ldv * p2;
      rotate_vectors (w->rows, w->c[q], w->w[0][q], w->w[1][q], w->v[0] + c1,
                      w->v[0] + c2, w->v[i] + c1, w->v[i] + c2);
    }
}

/* A round without rotations: only the permutation of the rows.  */
static void
permute_only (FN (ge_cyclic) * w)
{
  int64_t m = w->m;
  for (int plane = 0; plane < PLANES; plane++)
    for (int64_t j = 0; j < m; j++)
      {
        real_t *x = w->a[plane] + w->ld * j;
        memcpy (w->scratch, x, (size_t) m * sizeof *x);
        permute_rows (m / 2, w->scratch, x);
      }
}

static void
permute_columns (FN (ge_cyclic) * w)
{
  int32_t *columns = w->column, *next = (int32_t *) w->scratch;
  int m = (int) w->m;
  for (int s = 0; s < m; s++)
    next[ge_next_position (m, s)] = columns[s];
  memcpy (columns, next, (size_t) m * sizeof *columns);
}

/* Make the matrix Hermitian again.  Both triangles are computed, with operations in
   different order; the differences are small relative to the elements rotated, but
   not relative to the elements of a cluster of small eigenvalues.  */
static void
symmetrise (FN (ge_cyclic) * w)
{
  for (int64_t j = 0; j < w->m; j++)
    for (int64_t i = 0; i < j; i++)
      {
        real_t *x = w->a[0] + w->ld * j + i, *y = w->a[0] + w->ld * i + j;
        *x = *y = (*x + *y) / 2;
#if GE_COMPLEX
        x = w->a[1] + w->ld * j + i;
        y = w->a[1] + w->ld * i + j;
        *x = (*x - *y) / 2;
        *y = -*x;
#endif
      }
}

typedef struct
{
  FN (ge_cyclic) * w;
  pairs g;
} round_data;

static void
play_games (void *data, int64_t i, int thread)
{
  const round_data *r = data;
  const int64_t from = i * PAIRS;
  const int64_t to = from + PAIRS < r->g.half ? from + PAIRS : r->g.half;
  for (int64_t q = from; q < to; q++)
    update_pair (r->w, &r->g, q,
                 r->w->scratch + (int64_t) thread * SCRATCH_COLUMNS * r->w->ld);
}

gpueig_status
FN (ge_cyclic_sweep) (gpueig_context *ctx, FN (ge_cyclic) * w, real_t tol,
                      real_t floor, int64_t *rotations)
{
  round_data r = { w, { w->m / 2, w->c, { w->w[0], w->w[1] } } };
  const int64_t pieces = (r.g.half + PAIRS - 1) / PAIRS;
  const int shared = w->threads > 1 && w->m >= PARALLEL_ORDER;
  *rotations = 0;
  for (int64_t round = 0; round < w->m - 1; round++)
    {
      int64_t count = find_rotations (w, tol, floor);
      *rotations += count;
      if (count == 0)
        permute_only (w);
      else if (ctx && w->m >= PARALLEL_ORDER)
        GE_TRY (ge_run_pieces (ctx, pieces, shared, play_games, &r));
      else
        for (int64_t i = 0; i < pieces; i++)
          play_games (&r, i, 0);
      permute_columns (w);
    }
  symmetrise (w);
  return GPUEIG_OK;
}

int64_t
FN (ge_cyclic_count) (const FN (ge_cyclic) * w, real_t tol, real_t floor,
                      double unit, double *off2)
{
  int64_t count = 0;
  double sum = 0;
  for (int64_t j = 0; j < w->m; j++)
    for (int64_t i = 0; i < j; i++)
      {
        real_t size = fabs_ (w->a[0][w->ld * j + i]);
#if GE_COMPLEX
        size = ge_hypot (size, w->a[1][w->ld * j + i]);
#endif
        const double y = (double) size * unit;
        sum += y * y;
        count += size > floor
                 && ! ge_negligible (w->a[0][w->ld * i + i],
                                     w->a[0][w->ld * j + j], size, tol, floor);
      }
  *off2 = 2 * sum;
  return count;
}

real_t
FN (ge_cyclic_diagonal) (const FN (ge_cyclic) * w, int64_t j)
{
  return w->a[0][w->ld * j + j];
}

void
FN (ge_cyclic_vector) (const FN (ge_cyclic) * w, int64_t j, scalar_t *v)
{
  for (int64_t i = 0; i < w->rows; i++)
    v[i] = make_ (w->v[0][w->ldv * j + i], w->v[PLANES - 1][w->ldv * j + i]);
}
