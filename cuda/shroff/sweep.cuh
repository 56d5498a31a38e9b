/* Sweeps of the Jacobi-like method on a page in shared memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The method is that of core/shroff/sweep_typed.c; here rows and columns stay where
   they are and the pairs of a round are given by a formula (ge_round_pair), by which
   neighbouring pairs are neighbouring rows, free of bank conflicts.  In odd orders
   the index n is a dummy: its partner is idle.  */

#ifndef GE_COMPLEX_SWEEP_CUH
#define GE_COMPLEX_SWEEP_CUH 1

#include "shroff/team.cuh"

/* c and G of every pair, summed outside its pivot block: S lanes per pair, as
   many as the pairs of the team's largest order leave.  */
template <typename R, int T>
static __device__ void
team_gather (const team_memory<R> &s, int n, int t, int round)
{
  const int m = (n + 1) / 2, ld = s.ld;
  const int S = 2 * T / team_order<T> ();
  const int k = t / S, slice = t % S;
  int p = 0, q = n;
  if (k < m)
    ge_round_pair (2 * m, round, k, &p, &q);
  cpx<R> c = make_cpx<R> (0, 0);
  R g = 0;
  if (q < n)
    for (int j = slice; j < n; j += S)
      {
        if (j == p || j == q)
          continue;
        cpx<R> x = s.a[p + ld * j], y = s.a[q + ld * j];
        cpx<R> u = s.a[j + ld * p], w = s.a[j + ld * q];
        c = conj_mul_add (y, x, c);
        c = conj_mul_add (negate (u), w, c);
        g += (abs2 (x) + abs2 (y)) + (abs2 (u) + abs2 (w));
      }
  c.x = tile_sum<S> (c.x);
  c.y = tile_sum<S> (c.y);
  g = tile_sum<S> (g);
  if (slice == 0 && k < m)
    {
      s.c[k] = c;
      s.g[k] = g;
    }
}

template <typename R, int T>
static __device__ void
team_transformations (const team_memory<R> &s, int n, int t, int round)
{
  const int m = (n + 1) / 2, ld = s.ld;
  for (int k = t; k < m; k += T)
    {
      int p, q;
      R j[8] = { 1, 0, 0, 0, 0, 0, 1, 0 };
      ge_round_pair (2 * m, round, k, &p, &q);
      if (q < n)
        {
          cpx<R> pp = s.a[p + ld * p], pq = s.a[p + ld * q];
          cpx<R> qp = s.a[q + ld * p], qq = s.a[q + ld * q];
          ge_shroff_pair (pp.x, pp.y, pq.x, pq.y, qp.x, qp.y, qq.x, qq.y,
                          s.c[k].x, s.c[k].y, s.g[k], (R) 1, (R) 1, j,
                          (int64_t) 1);
        }
      for (int i = 0; i < 4; i++)
        s.j[4 * k + i] = make_cpx (j[2 * i], j[2 * i + 1]);
    }
}

/* One tile of A, rows P and Q, columns U and W: J_k^-1 tile J_l; JK holds the
   rows of J_k^-1 = [J22, -J12; -J21, J11].  */
template <typename R>
GE_DEVICE_INLINE void
update_tile (const team_memory<R> &s, int n, int p, int q, const cpx<R> *jk,
             int u, int w, const cpx<R> *J)
{
  const int ld = s.ld;
  const cpx<R> zero = make_cpx<R> (0, 0);
  cpx<R> *tu = &s.a[p + ld * u], *bu = &s.a[q + ld * u];
  cpx<R> *tw = &s.a[p + ld * w], *bw = &s.a[q + ld * w];
  const bool has_q = q < n, has_w = w < n;
  const cpx<R> a = *tu, b = has_w ? *tw : zero, c = has_q ? *bu : zero;
  const cpx<R> d = has_q && has_w ? *bw : zero;
  const cpx<R> j11 = J[0], j12 = J[1], j21 = J[2], j22 = J[3];
  const cpx<R> xt = mul_add (b, j21, mul_add (a, j11, zero));
  const cpx<R> yt = mul_add (b, j22, mul_add (a, j12, zero));
  const cpx<R> xb = mul_add (d, j21, mul_add (c, j11, zero));
  const cpx<R> yb = mul_add (d, j22, mul_add (c, j12, zero));
  *tu = mul_add (jk[1], xb, mul_add (jk[0], xt, zero));
  if (has_w)
    *tw = mul_add (jk[1], yb, mul_add (jk[0], yt, zero));
  if (has_q)
    *bu = mul_add (jk[3], xb, mul_add (jk[2], xt, zero));
  if (has_q && has_w)
    *bw = mul_add (jk[3], yb, mul_add (jk[2], yt, zero));
}

/* V <- V J, rows I of this thread with pairs FIRST, FIRST + STEP ...  */
template <typename R>
GE_DEVICE_INLINE void
update_vectors (const team_memory<R> &s, int n, int round, int i, int first,
                int step)
{
  const int m = (n + 1) / 2, ld = s.ld;
  const cpx<R> zero = make_cpx<R> (0, 0);
  for (int l = first; l < m; l += step)
    {
      int p, q;
      ge_round_pair (2 * m, round, l, &p, &q);
      if (q >= n)
        continue;
      const cpx<R> *J = &s.j[4 * l];
      const cpx<R> x = s.v[i + ld * p], y = s.v[i + ld * q];
      s.v[i + ld * p] = mul_add (y, J[2], mul_add (x, J[0], zero));
      s.v[i + ld * q] = mul_add (y, J[3], mul_add (x, J[1], zero));
    }
}

/* A <- J^-1 A J and V <- V J.  A thread has pair K of rows for all its tiles,
   threads being assigned by the next power of 2 from M on, and iterates over
   the pairs of columns; tiles are disjoint.  */
template <typename R, int T>
static __device__ void
team_update (const team_memory<R> &s, int n, int t, int round)
{
  const int m = (n + 1) / 2;
  int bits = 0;
  while (1 << bits < m)
    bits++;
  const int k = t & ((1 << bits) - 1);
  if (k < m)
    {
      int p, q, u, w;
      ge_round_pair (2 * m, round, k, &p, &q);
      const cpx<R> *J = &s.j[4 * k];
      const cpx<R> jk[4] = { J[3], negate (J[1]), negate (J[2]), J[0] };
      for (int l = t >> bits; l < m; l += T >> bits)
        {
          ge_round_pair (2 * m, round, l, &u, &w);
          update_tile (s, n, p, q, jk, u, w, &s.j[4 * l]);
        }
    }
  /* Rows of V: n of the next power of 2, which is at most T.  */
  const int rows = 2 << bits, i = t & (rows - 1);
  if (i < n)
    update_vectors (s, n, round, i, t / rows, T / rows);
}

/* Squares of the norms of row and column I without the diagonal.  */
template <typename R>
static __device__ void
row_and_column (const team_memory<R> &s, int n, int i, R *row, R *col)
{
  R r = 0, c = 0;
  for (int j = 0; j < n; j++)
    if (j != i)
      {
        r += abs2 (s.a[i + s.ld * j]);
        c += abs2 (s.a[j + s.ld * i]);
      }
  *row = r;
  *col = c;
}

/* A <- D^-1 A D with D in s.t, V <- V D.  */
template <typename R, int T>
static __device__ void
team_apply_scaling (const team_memory<R> &s, int n, int t, bool with_v)
{
  const int ld = s.ld;
  for (int e = t; e < n * n; e += T)
    {
      int i = e % n, j = e / n;
      R f = i == j ? 1 : s.t[j] * (1 / s.t[i]);
      s.a[i + ld * j].x *= f;
      s.a[i + ld * j].y *= f;
      if (with_v)
        {
          s.v[i + ld * j].x *= s.t[j];
          s.v[i + ld * j].y *= s.t[j];
        }
    }
}

/* Off-diagonal part of |A|_F^2, and all of it.  */
template <typename R, int T>
static __device__ void
team_measure (const team_memory<R> &s, int n, int t, R *off2, R *norm2)
{
  R off = 0, diagonal = 0;
  for (int e = t; e < n * n; e += T)
    {
      int i = e % n, j = e / n;
      R y = abs2 (s.a[i + s.ld * j]);
      if (i == j)
        diagonal += y;
      else
        off += y;
    }
  off = team_sum<T> (off, s.space);
  diagonal = team_sum<T> (diagonal, s.space);
  *off2 = off;
  *norm2 = off + diagonal;
}

/* One diagonal scaling, then all pairs once.  */
template <typename R, int T>
static __device__ void
team_sweep (const team_memory<R> &s, int n, int t, R off2)
{
  const int m = (n + 1) / 2;
  const R mu
      = off2 / n * (R) 0.01; /* see find_scaling in shroff/sweep_typed.c */
  for (int i = t; i < n; i += T)
    {
      R row, col;
      row_and_column (s, n, i, &row, &col);
      s.t[i] = mu > 0 ? sqrt (sqrt ((row + mu) / (col + mu))) : 1;
    }
  team_sync<T> ();
  team_apply_scaling<R, T> (s, n, t, true);
  team_sync<T> ();
  for (int round = 0; round < 2 * m - 1; round++)
    {
      team_gather<R, T> (s, n, t, round);
      team_sync<T> ();
      team_transformations<R, T> (s, n, t, round);
      team_sync<T> ();
      team_update<R, T> (s, n, t, round);
      team_sync<T> ();
    }
}

/* Osborne's balancing by powers of 2, all indices at once with half of the
   exponents that equal norms would need, because the changes of two indices add
   up.  */
template <typename R, int T>
static __device__ void
team_balance (const team_memory<R> &s, int n, int t)
{
  const int most = sizeof (R) == 8 ? 300 : 40;
  for (int pass = 0; pass < 30; pass++)
    {
      R changed = 0;
      team_sync<T> ();
      for (int i = t; i < n; i += T)
        {
          R row, col;
          int e = 0;
          row_and_column (s, n, i, &row, &col);
          if (row > 0 && col > 0)
            e = (ilogb (row) - ilogb (col)) / 8;
          if (abs (s.exponent[i] + e) > most)
            e = 0;
          s.exponent[i] += e;
          s.t[i] = ldexp ((R) 1, e);
          if (e != 0)
            changed = 1;
        }
      changed = team_max<T> (changed, s.space);
      if (! (changed > 0))
        break;
      team_sync<T> ();
      team_apply_scaling<R, T> (s, n, t, false);
    }
  team_sync<T> ();
}

#endif
