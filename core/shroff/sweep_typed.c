/* Sweeps of the Jacobi-like method of Eberlein and Shroff on the CPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Every function is written once for L lanes and compiled for L = GE_LANES and
   L = 1: compilers vectorise the loop over lanes or that over rows.  */

#include "base/scalar.h"

#if GE_COMPLEX

#  include "base/round_robin.h"
#  include "shroff/sweep.h"
#  if defined __GNUC__
#    undef GE_INLINE
#    define GE_INLINE static inline __attribute__ ((always_inline))
#  endif
#  include "shroff/transformation.h"

#  include <string.h>

char *
FN (ge_shroff_lay_out) (ge_shroff *s, int n, int lanes, char *at)
{
  const int64_t m = (n + 1) / 2, reals = m * lanes;
  const size_t size = sizeof (real_t);
  memset (s, 0, sizeof *s);
  s->n = n;
  s->m = (int) m;
  s->lanes = lanes;
  s->a = ge_take (&at, 8 * m * reals, size);
  s->next_a = ge_take (&at, 8 * m * reals, size);
  s->v = ge_take (&at, 4 * n * reals, size);
  s->next_v = ge_take (&at, 4 * n * reals, size);
  s->j = ge_take (&at, 8 * reals, size);
  s->c = ge_take (&at, 3 * reals, size);
  s->t = ge_take (&at, 4 * reals, size);
  return at;
}

/* x += a b, x += conj (a) b for complex numbers as pairs.  */
#  define MUL_ADD(x_re, x_im, a_re, a_im, b_re, b_im)                          \
    do                                                                         \
      {                                                                        \
        x_re = fma_ (a_re, b_re, fma_ (-(a_im), b_im, x_re));                  \
        x_im = fma_ (a_re, b_im, fma_ (a_im, b_re, x_im));                     \
      }                                                                        \
    while (0)
#  define CONJ_MUL_ADD(x_re, x_im, a_re, a_im, b_re, b_im)                     \
    do                                                                         \
      {                                                                        \
        x_re = fma_ (a_re, b_re, fma_ (a_im, b_im, x_re));                     \
        x_im = fma_ (a_re, b_im, fma_ (-(a_im), b_re, x_im));                  \
      }                                                                        \
    while (0)

/* --- the transformations of a round --- */

/* Compute J of every pair from its pivot block, c and G; the identity for lanes that
   have converged.  */
INLINE void
find_transformations (const ge_shroff *s, const int L)
{
  const int64_t m = s->m, size = 2 * m, plane = size * size * L;
  const real_t *restrict re = s->a, *restrict im = s->a + plane;
  const real_t *restrict c = s->c, *restrict active = s->active;
  real_t *restrict out = s->j;
  for (int64_t k = 0; k < m; k++)
    {
      const int64_t pp = (k + size * k) * L, pq = (k + size * (m + k)) * L;
      const int64_t qp = (m + k + size * k) * L;
      const int64_t qq = (m + k + size * (m + k)) * L;
#  pragma omp simd
      for (int x = 0; x < L; x++)
        {
          ge_shroff_pair (re[pp + x], im[pp + x], re[pq + x], im[pq + x],
                          re[qp + x], im[qp + x], re[qq + x], im[qq + x],
                          c[k * L + x], c[(m + k) * L + x],
                          c[(2 * m + k) * L + x], active[x], active[x],
                          out + k * L + x, m * L);
        }
    }
}

/* One column of V J: to = p j1 + q j2, j1 and j2 per lane.  */
INLINE void
combine_column (int64_t rows, const int L, const real_t *restrict p_re,
                const real_t *restrict p_im, const real_t *restrict q_re,
                const real_t *restrict q_im, const real_t *j, int64_t step,
                real_t *restrict x_re, real_t *restrict x_im,
                real_t *restrict y_re, real_t *restrict y_im)
{
  for (int64_t i = 0; i < rows; i++)
#  pragma omp simd
    for (int x = 0; x < L; x++)
      {
        const int64_t at = i * L + x;
        const real_t pr = p_re[at], pi = p_im[at], qr = q_re[at], qi = q_im[at];
        real_t xr = 0, xi = 0, yr = 0, yi = 0;
        MUL_ADD (xr, xi, pr, pi, j[x], j[step + x]);
        MUL_ADD (xr, xi, qr, qi, j[4 * step + x], j[5 * step + x]);
        MUL_ADD (yr, yi, pr, pi, j[2 * step + x], j[3 * step + x]);
        MUL_ADD (yr, yi, qr, qi, j[6 * step + x], j[7 * step + x]);
        x_re[at] = xr;
        x_im[at] = xi;
        y_re[at] = yr;
        y_im[at] = yi;
      }
}

/* J_k^-1 tile J_l for the 2-by-2 tiles (k, l) of A, FIRST <= k < LAST.  Row k is written
   to row k + UP, row m + k to row m + k + DOWN (the permutation after a round).  */
INLINE void
update_tiles (int64_t m, int64_t first, int64_t last, int64_t up, int64_t down,
              const int L, const real_t *restrict p_re,
              const real_t *restrict p_im, const real_t *restrict q_re,
              const real_t *restrict q_im, const real_t *restrict jk,
              const real_t *restrict jl, real_t *restrict x_re,
              real_t *restrict x_im, real_t *restrict y_re,
              real_t *restrict y_im)
{
  const int64_t step = m * L;
  for (int64_t k = first; k < last; k++)
#  pragma omp simd
    for (int x = 0; x < L; x++)
      {
        const int64_t t = k * L + x, b = t + step;
        const int64_t to = (k + up) * L + x, bo = (m + k + down) * L + x;
        /* columns: tile J_l */
        real_t xt_r = 0, xt_i = 0, xb_r = 0, xb_i = 0;
        real_t yt_r = 0, yt_i = 0, yb_r = 0, yb_i = 0;
        MUL_ADD (xt_r, xt_i, p_re[t], p_im[t], jl[x], jl[step + x]);
        MUL_ADD (xt_r, xt_i, q_re[t], q_im[t], jl[4 * step + x],
                 jl[5 * step + x]);
        MUL_ADD (yt_r, yt_i, p_re[t], p_im[t], jl[2 * step + x],
                 jl[3 * step + x]);
        MUL_ADD (yt_r, yt_i, q_re[t], q_im[t], jl[6 * step + x],
                 jl[7 * step + x]);
        MUL_ADD (xb_r, xb_i, p_re[b], p_im[b], jl[x], jl[step + x]);
        MUL_ADD (xb_r, xb_i, q_re[b], q_im[b], jl[4 * step + x],
                 jl[5 * step + x]);
        MUL_ADD (yb_r, yb_i, p_re[b], p_im[b], jl[2 * step + x],
                 jl[3 * step + x]);
        MUL_ADD (yb_r, yb_i, q_re[b], q_im[b], jl[6 * step + x],
                 jl[7 * step + x]);
        /* rows: J_k^-1 = [J22, -J12; -J21, J11] */
        const real_t j11r = jk[t], j11i = jk[step + t], j12r = jk[2 * step + t],
                     j12i = jk[3 * step + t], j21r = jk[4 * step + t],
                     j21i = jk[5 * step + t], j22r = jk[6 * step + t],
                     j22i = jk[7 * step + t];
        real_t ur = 0, ui = 0, wr = 0, wi = 0;
        MUL_ADD (ur, ui, j22r, j22i, xt_r, xt_i);
        MUL_ADD (ur, ui, -j12r, -j12i, xb_r, xb_i);
        MUL_ADD (wr, wi, -j21r, -j21i, xt_r, xt_i);
        MUL_ADD (wr, wi, j11r, j11i, xb_r, xb_i);
        x_re[to] = ur;
        x_im[to] = ui;
        x_re[bo] = wr;
        x_im[bo] = wi;
        ur = ui = wr = wi = 0;
        MUL_ADD (ur, ui, j22r, j22i, yt_r, yt_i);
        MUL_ADD (ur, ui, -j12r, -j12i, yb_r, yb_i);
        MUL_ADD (wr, wi, -j21r, -j21i, yt_r, yt_i);
        MUL_ADD (wr, wi, j11r, j11i, yb_r, yb_i);
        y_re[to] = ur;
        y_im[to] = ui;
        y_re[bo] = wr;
        y_im[bo] = wi;
      }
}

/* A <- J^-1 A J and V <- V J, with the permutation after a round.  */
INLINE void
update (ge_shroff *s, const int L)
{
  const int64_t m = s->m, n = s->n, size = 2 * m;
  const int64_t plane = size * size * L, column = size * L,
                vplane = n * size * L;
  for (int64_t l = 0; l < m; l++)
    {
      const real_t *p = s->a + l * column, *q = s->a + (m + l) * column;
      const int64_t xl = ge_next_position ((int) size, (int) l);
      const int64_t yl = ge_next_position ((int) size, (int) (m + l));
      real_t *x = s->next_a + xl * column, *y = s->next_a + yl * column;
      const real_t *jl = s->j + l * L;
      /* Row m + 0 goes to 1, m - 1 to 2 m - 1; cyclic permutations of the others.  */
      const int64_t first[] = { 0, 1, m - 1 }, last[] = { 1, m - 1, m };
      const int64_t up[] = { 0, 1, m }, down[] = { 1 - m, -1, -1 };
      for (int part = 0; part < (m == 1 ? 1 : 3); part++)
        update_tiles (m, first[part], last[part], up[part], down[part], L, p,
                      p + plane, q, q + plane, s->j, jl, x, x + plane, y,
                      y + plane);
      combine_column (n, L, s->v + l * n * L, s->v + vplane + l * n * L,
                      s->v + (m + l) * n * L, s->v + vplane + (m + l) * n * L,
                      jl, m * L, s->next_v + xl * n * L,
                      s->next_v + vplane + xl * n * L, s->next_v + yl * n * L,
                      s->next_v + vplane + yl * n * L);
    }
  real_t *swap = s->a;
  s->a = s->next_a;
  s->next_a = swap;
  swap = s->v;
  s->v = s->next_v;
  s->next_v = swap;
}

/* --- the sums c and G --- */

/* Contributions of the tiles (k, l), FIRST <= k < LAST, to c and G of pair k, by rows,
   and of pair l, by columns; the latter are added to SUM[3 L].  */
INLINE void
gather_tiles (int64_t m, int64_t first, int64_t last, const int L,
              const real_t *restrict p_re, const real_t *restrict p_im,
              const real_t *restrict q_re, const real_t *restrict q_im,
              real_t *restrict c, real_t *restrict sum)
{
  const int64_t step = m * L;
  for (int64_t k = first; k < last; k++)
#  pragma omp simd
    for (int x = 0; x < L; x++)
      {
        const int64_t t = k * L + x, b = t + step;
        const real_t tp_r = p_re[t], tp_i = p_im[t], tq_r = q_re[t],
                     tq_i = q_im[t];
        const real_t bp_r = p_re[b], bp_i = p_im[b], bq_r = q_re[b],
                     bq_i = q_im[b];
        real_t row_r = c[t], row_i = c[step + t];
        CONJ_MUL_ADD (row_r, row_i, bp_r, bp_i, tp_r, tp_i);
        CONJ_MUL_ADD (row_r, row_i, bq_r, bq_i, tq_r, tq_i);
        c[t] = row_r;
        c[step + t] = row_i;
        real_t col_r = 0, col_i = 0;
        CONJ_MUL_ADD (col_r, col_i, tp_r, tp_i, tq_r, tq_i);
        CONJ_MUL_ADD (col_r, col_i, bp_r, bp_i, bq_r, bq_i);
        sum[x] -= col_r;
        sum[L + x] -= col_i;
        real_t squares = tp_r * tp_r;
        squares = fma_ (tp_i, tp_i, squares);
        squares = fma_ (tq_r, tq_r, squares);
        squares = fma_ (tq_i, tq_i, squares);
        squares = fma_ (bp_r, bp_r, squares);
        squares = fma_ (bp_i, bp_i, squares);
        squares = fma_ (bq_r, bq_r, squares);
        squares = fma_ (bq_i, bq_i, squares);
        c[2 * step + t] += squares;
        sum[2 * L + x] += squares;
      }
}

/* c and G of every pair from outside the pivot blocks.  */
INLINE void
gather (ge_shroff *s, const int L)
{
  const int64_t m = s->m, size = 2 * m, plane = size * size * L;
  const int64_t column = size * L;
  memset (s->c, 0, (size_t) (3 * m * L) * sizeof (real_t));
  for (int64_t l = 0; l < m; l++)
    {
      const real_t *p = s->a + l * column, *q = s->a + (m + l) * column;
      real_t sum[3 * GE_LANES] = { 0 };
      for (int below = 0; below < 2; below++)
        gather_tiles (m, below ? l + 1 : 0, below ? m : l, L, p, p + plane, q,
                      q + plane, s->c, sum);
      for (int i = 0; i < 3; i++)
        for (int x = 0; x < L; x++)
          s->c[(i * m + l) * L + x] += sum[i * L + x];
    }
}

/* |A|_F^2 and its off-diagonal part, from the sums G, which count every element outside
   the pivot blocks twice.  */
INLINE void
measure (ge_shroff *s, const int L)
{
  const int64_t m = s->m, size = 2 * m, plane = size * size * L;
  real_t off[GE_LANES] = { 0 }, pivot[GE_LANES] = { 0 },
         diagonal[GE_LANES] = { 0 };
  const real_t *re = s->a, *im = s->a + plane;
  for (int64_t k = 0; k < m; k++)
    for (int x = 0; x < L; x++)
      {
        const int64_t pp = (k + size * k) * L + x;
        const int64_t pq = (k + size * (m + k)) * L + x;
        const int64_t qp = (m + k + size * k) * L + x;
        const int64_t qq = (m + k + size * (m + k)) * L + x;
        off[x] += s->c[(2 * m + k) * L + x];
        pivot[x] += re[pq] * re[pq] + im[pq] * im[pq] + re[qp] * re[qp]
                    + im[qp] * im[qp];
        diagonal[x] += re[pp] * re[pp] + im[pp] * im[pp] + re[qq] * re[qq]
                       + im[qq] * im[qq];
      }
  for (int x = 0; x < L; x++)
    {
      s->off2[x] = off[x] / 2 + pivot[x];
      s->norm2[x] = s->off2[x] + diagonal[x];
    }
}

/* --- the diagonal transformation --- */

/* t_j^4 = (row j)^2 / (column j)^2, squares of 2-norms without the diagonal (Shroff).
   Unlike Shroff, MU, a small fraction of their mean, is added to both: the elements of
   a row that a unitary transformation has just annihilated are rounding errors, and
   division by them would make V ill-conditioned.  1 for converged lanes.  */
INLINE void
find_scaling (ge_shroff *s, const int L)
{
  const int64_t size = 2 * s->m, plane = size * size * L;
  const real_t *re = s->a, *im = s->a + plane;
  real_t *row = s->t, *col = s->next_a; /* free until the next update */
  real_t mu[GE_LANES];
  memset (row, 0, (size_t) (size * L) * sizeof (real_t));
  for (int64_t j = 0; j < size; j++)
    {
      real_t sum[GE_LANES] = { 0 };
      for (int64_t i = 0; i < size; i++)
        for (int x = 0; x < L; x++)
          {
            const int64_t at = (i + size * j) * L + x;
            real_t y = i == j ? 0 : fma_ (re[at], re[at], im[at] * im[at]);
            row[i * L + x] += y;
            sum[x] += y;
          }
      for (int x = 0; x < L; x++)
        col[j * L + x] = sum[x];
    }
  for (int x = 0; x < L; x++)
    mu[x] = s->off2[x] / (real_t) s->n * (real_t) 0.01;
  for (int64_t j = 0; j < size; j++)
    for (int x = 0; x < L; x++)
      {
        const int64_t at = j * L + x;
        const int on = mu[x] > GE_REAL_MIN && s->active[x] > 0;
        row[at]
            = on ? sqrt_ (sqrt_ ((row[at] + mu[x]) / (col[at] + mu[x]))) : 1;
      }
}

INLINE void
scale_diagonally (ge_shroff *s, const int L)
{
  const int64_t size = 2 * s->m, plane = size * size * L, n = s->n;
  find_scaling (s, L);
  const real_t *t = s->t;
  real_t *inverse = s->next_a;
  for (int64_t i = 0; i < size * L; i++)
    inverse[i] = 1 / t[i];
  for (int64_t j = 0; j < size; j++)
    for (int64_t i = 0; i < size; i++)
      for (int x = 0; x < L; x++)
        {
          const int64_t at = (i + size * j) * L + x;
          /* the diagonal is not changed */
          real_t f = i == j ? 1 : t[j * L + x] * inverse[i * L + x];
          s->a[at] *= f;
          s->a[plane + at] *= f;
        }
  for (int64_t j = 0; j < size; j++)
    for (int64_t i = 0; i < n; i++)
      for (int x = 0; x < L; x++)
        {
          const int64_t at = (i + n * j) * L + x;
          s->v[at] *= t[j * L + x];
          s->v[n * size * L + at] *= t[j * L + x];
        }
}

/* --- versions for L = GE_LANES and L = 1 --- */

INLINE void
sweep (ge_shroff *s, const int L)
{
  const int64_t rounds = 2 * (int64_t) s->m - 1;
  scale_diagonally (s, L);
  for (int64_t r = 0;; r++)
    {
      gather (s, L);
      if (r == rounds || ge_stops (s->stop))
        break;
      find_transformations (s, L);
      update (s, L);
    }
  measure (s, L);
}

CLONES static void
sweep_lanes (ge_shroff *s)
{
  sweep (s, GE_LANES);
}

CLONES static void
sweep_one (ge_shroff *s)
{
  sweep (s, 1);
}

void
FN (ge_shroff_sweep) (ge_shroff *s)
{
  if (s->lanes == 1)
    sweep_one (s);
  else
    sweep_lanes (s);
}

void
FN (ge_shroff_start) (ge_shroff *s)
{
  const int64_t n = s->n, first = 2 * s->m - n, L = s->lanes;
  gather (s, s->lanes);
  measure (s, s->lanes);
  memset (s->v, 0, (size_t) (4 * n * s->m * L) * sizeof (real_t));
  for (int64_t j = 0; j < n; j++)
    for (int64_t x = 0; x < L; x++)
      s->v[(j + n * (first + j)) * L + x] = 1;
}

#else
typedef int ge_shroff_is_complex_only;
#endif
