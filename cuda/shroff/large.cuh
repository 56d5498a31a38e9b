/* Kernels of the Jacobi-like method for one matrix in global memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The pairs of a round are disjoint, so that A <- J^-1 A J is computed in place: one
   thread has the 2-by-2 tile of a pair of rows and a pair of columns.  Kernel
   boundaries are the only synchronisation between blocks.  */

#ifndef GE_COMPLEX_LARGE_CUH
#define GE_COMPLEX_LARGE_CUH 1

#include "shroff/team.cuh"

enum
{
  LARGE_THREADS = 256,
  LARGE_PAIRS = LARGE_THREADS / 32 /* whose J a block computes */
};

template <typename R> struct large_problem
{
  int n, m; /* m pairs */
  cpx<R> *a, *v;
  cpx<R> *j;    /* 4 a pair */
  R *t;         /* row norms^2, column norms^2, scaling */
  double *sums; /* off-diagonal and diagonal part of |A|_F^2 */
};

/* --- a round --- */

/* The parts of c and G (shroff/transformation.h) of the pair (p, q) from element I
   of two rows, or, conjugated and with the sign reversed, of two columns: U and W.  */
template <typename R>
GE_DEVICE_INLINE void
add_part (cpx<R> u, cpx<R> w, cpx<R> *c, R *g)
{
  *c = conj_mul_add (w, u, *c);
  *g += abs2 (u) + abs2 (w);
}

/* The transformations of ROUND.  Neighbouring threads read neighbouring pairs of rows,
   which are contiguous, then the lanes of a warp the columns of one pair.  */
template <typename R>
GE_KERNEL (LARGE_THREADS)
large_transformations (large_problem<R> s, int round)
{
  __shared__ cpx<R> row_c[LARGE_PAIRS][32];
  __shared__ R row_g[LARGE_PAIRS][32];
  const int n = s.n, t = threadIdx.x, first = LARGE_PAIRS * (int) blockIdx.x;
  const size_t ld = (size_t) n;
  cpx<R> c = make_cpx<R> (0, 0);
  R g = 0;
  int k = first + t % LARGE_PAIRS, p, q = n;
  if (k < s.m)
    ge_round_pair (2 * s.m, round, k, &p, &q);
  for (int i = t / LARGE_PAIRS; i < n && q < n; i += 32)
    if (i != p && i != q)
      add_part (s.a[p + ld * i], s.a[q + ld * i], &c, &g);
  row_c[t % LARGE_PAIRS][t / LARGE_PAIRS] = c;
  row_g[t % LARGE_PAIRS][t / LARGE_PAIRS] = g;
  __syncthreads ();
  k = first + t / 32;
  if (k >= s.m)
    return;
  ge_round_pair (2 * s.m, round, k, &p, &q);
  c = row_c[t / 32][t % 32];
  g = row_g[t / 32][t % 32];
  for (int i = t % 32; i < n && q < n; i += 32)
    if (i != p && i != q)
      add_part (negate (conjugate (s.a[i + ld * p])),
                conjugate (s.a[i + ld * q]), &c, &g);
  c.x = tile_sum<32> (c.x);
  c.y = tile_sum<32> (c.y);
  g = tile_sum<32> (g);
  if (t % 32 > 0)
    return;
  R j[8] = { 1, 0, 0, 0, 0, 0, 1, 0 };
  if (q < n)
    {
      const cpx<R> pp = s.a[p + ld * p], pq = s.a[p + ld * q];
      const cpx<R> qp = s.a[q + ld * p], qq = s.a[q + ld * q];
      ge_shroff_pair (pp.x, pp.y, pq.x, pq.y, qp.x, qp.y, qq.x, qq.y, c.x, c.y,
                      g, (R) 1, (R) 1, j, (int64_t) 1);
    }
  for (int e = 0; e < 4; e++)
    s.j[4 * k + e] = make_cpx (j[2 * e], j[2 * e + 1]);
}

/* (X, Y) <- (X, Y) J.  */
template <typename C>
GE_DEVICE_INLINE void
times_transformation (const C *j, C *x, C *y)
{
  const C zero = make_number<C> (0, 0), a = *x, b = *y;
  *x = mul_add (b, j[2], mul_add (a, j[0], zero));
  *y = mul_add (b, j[3], mul_add (a, j[1], zero));
}

/* A <- J^-1 A J, V <- V J.  Grid: pairs of rows of A and rows of V by pairs of
   columns.  */
template <typename R>
GE_KERNEL (LARGE_THREADS)
large_update (large_problem<R> s, int round)
{
  const int e = (int) (blockIdx.x * LARGE_THREADS + threadIdx.x);
  const int n = s.n, m = s.m, l = (int) blockIdx.y;
  const size_t ld = (size_t) n;
  int p, q, u, w;
  ge_round_pair (2 * m, round, l, &u, &w);
  if (e >= m)
    {
      if (e - m < n && w < n)
        times_transformation (s.j + 4 * l, &s.v[e - m + ld * u],
                              &s.v[e - m + ld * w]);
      return;
    }
  ge_round_pair (2 * m, round, e, &p, &q);
  const cpx<R> zero = make_cpx<R> (0, 0), *J = s.j + 4 * e;
  cpx<R> *const at[4] = { &s.a[p + ld * u], &s.a[q + ld * u], &s.a[p + ld * w],
                          &s.a[q + ld * w] };
  const bool there[4] = { true, q < n, w < n, q < n && w < n };
  cpx<R> z[4];
  for (int i = 0; i < 4; i++)
    z[i] = there[i] ? *at[i] : zero;
  times_transformation (s.j + 4 * l, &z[0], &z[2]);
  times_transformation (s.j + 4 * l, &z[1], &z[3]);
  /* J^-1 = [J22, -J12; -J21, J11] from the left is [J22, -J21; -J12, J11] from the
     right of the transpose.  */
  const cpx<R> inverse[4] = { J[3], negate (J[2]), negate (J[1]), J[0] };
  times_transformation (inverse, &z[0], &z[1]);
  times_transformation (inverse, &z[2], &z[3]);
  for (int i = 0; i < 4; i++)
    if (there[i])
      *at[i] = z[i];
}

/* --- once per sweep --- */

/* Squares of the norms of column J (block J) and row J (block n + J) without
   the diagonal.  */
template <typename R>
__global__ void
large_norms (large_problem<R> s)
{
  __shared__ R space[8];
  const int n = s.n, j = blockIdx.x % n, by_row = blockIdx.x / n;
  R sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (i != j)
      sum += abs2 (by_row ? s.a[j + (size_t) n * i] : s.a[i + (size_t) n * j]);
  sum = team_sum<LARGE_THREADS> (sum, space);
  if (threadIdx.x == 0)
    s.t[by_row ? j : n + j] = sum;
}

/* Sums of all column norms and of the diagonal, by one block in fixed order.  */
template <typename R>
__global__ void
large_measure (large_problem<R> s)
{
  __shared__ double space[8];
  double off = 0, diagonal = 0;
  for (int j = threadIdx.x; j < s.n; j += blockDim.x)
    {
      off += (double) s.t[s.n + j];
      diagonal += (double) abs2 (s.a[j + (size_t) s.n * j]);
    }
  off = team_sum<LARGE_THREADS> (off, space);
  diagonal = team_sum<LARGE_THREADS> (diagonal, space);
  if (threadIdx.x == 0)
    {
      s.sums[0] = off;
      s.sums[1] = diagonal;
    }
}

/* The scaling from the norms; POWERS: by powers of 2, half of the exponents
   (balancing).  */
template <typename R>
__global__ void
large_scaling (large_problem<R> s, int powers)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= s.n)
    return;
  const R row = s.t[i], col = s.t[s.n + i];
  const R mu = (R) (s.sums[0] / s.n * 0.01); /* see shroff/sweep_typed.c */
  R t = 1;
  if (powers)
    {
      if (row > 0 && col > 0)
        t = ldexp ((R) 1, (ilogb (row) - ilogb (col)) / 8);
    }
  else if (mu > 0)
    t = sqrt (sqrt ((row + mu) / (col + mu)));
  s.t[2 * s.n + i] = t;
}

template <typename R>
__global__ void
large_apply_scaling (large_problem<R> s)
{
  const size_t n = (size_t) s.n;
  const size_t e = blockIdx.x * (size_t) blockDim.x + threadIdx.x;
  if (e >= n * n)
    return;
  const size_t i = e % n, j = e / n;
  const R tj = s.t[2 * n + j], f = i == j ? 1 : tj * (1 / s.t[2 * n + i]);
  s.a[e] = make_cpx (s.a[e].x * f, s.a[e].y * f);
  s.v[e] = make_cpx (s.v[e].x * tj, s.v[e].y * tj);
}

/* --- load --- */

/* A0 = A = the matrix times F, V = I.  */
template <typename R>
__global__ void
large_load (int n, int complex_in, const R *in, R f, cpx<R> *a0, cpx<R> *a,
            cpx<R> *v)
{
  const size_t e = blockIdx.x * (size_t) blockDim.x + threadIdx.x;
  if (e >= (size_t) n * n)
    return;
  const R im = complex_in ? in[2 * e + 1] : 0;
  a[e] = a0[e] = make_cpx (in[e << complex_in] * f, im * f);
  v[e] = make_cpx<R> (e % n == e / n, 0);
}

/* --- refinement --- */

/* lambda_j += x_jj, or, with FIRST, lambda_j = x_jj.  */
template <typename R>
__global__ void
large_values (int n, const cpx<R> *x, int first, cpx<R> *lambda)
{
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= n)
    return;
  const cpx<R> d = x[j + (size_t) n * j];
  lambda[j] = first ? d : plus (lambda[j], d);
}

/* V(:,j) <- V(:,j) (+ C(:,j) if C is not NULL), normalized.  One block per column.  */
template <typename R>
__global__ void
large_normalize (int n, const cpx<R> *c, cpx<R> *v)
{
  __shared__ R space[8];
  const size_t start = (size_t) n * blockIdx.x;
  R sum = 0;
  for (size_t i = start + threadIdx.x; i < start + n; i += blockDim.x)
    {
      if (c)
        v[i] = make_cpx (v[i].x + c[i].x, v[i].y + c[i].y);
      sum += abs2 (v[i]);
    }
  sum = team_sum<LARGE_THREADS> (sum, space);
  sum = 1 / sqrt (sum > 0 ? sum : 1);
  for (size_t i = start + threadIdx.x; i < start + n; i += blockDim.x)
    v[i] = make_cpx (v[i].x * sum, v[i].y * sum);
}

/* R <- R - V D, with LEFT conj (D); worst: bits of max |r_j|_1, norm: of max |a_j|_1.  */
template <typename R>
__global__ void
large_residual (int n, const cpx<R> *a, const cpx<R> *v, const cpx<R> *lambda,
                int left, cpx<R> *r, unsigned long long *worst)
{
  __shared__ R space[8];
  const size_t start = (size_t) n * blockIdx.x;
  cpx<R> minus = negate (lambda[blockIdx.x]);
  minus.y = left ? -minus.y : minus.y;
  R sum = 0, norm = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    {
      const cpx<R> x = mul_add (minus, v[start + i], r[start + i]);
      r[start + i] = x;
      sum += sqrt (abs2 (x));
      norm += sqrt (abs2 (a[start + i]));
    }
  sum = team_sum<LARGE_THREADS> (sum, space);
  norm = team_sum<LARGE_THREADS> (norm, space);
  if (threadIdx.x == 0)
    {
      atomicMax (&worst[0], (unsigned long long) __double_as_longlong (
                                sum == sum ? (double) sum : (double) INFINITY));
      atomicMax (&worst[1],
                 (unsigned long long) __double_as_longlong ((double) norm));
    }
}

/* F, with X = V^-1 (A V - V D): x_ij / (lambda_j - lambda_i) off the diagonal, where that
   is small; the eigenvalues are those that X corrects.  */
template <typename R>
__global__ void
large_correction (int n, const cpx<R> *lambda, const cpx<R> *x, cpx<R> *f)
{
  const size_t e = blockIdx.x * (size_t) blockDim.x + threadIdx.x;
  if (e >= (size_t) n * n)
    return;
  const size_t i = e % n, j = e / n;
  const cpx<R> y = x[e], di = x[i + n * i], dj = x[j + n * j];
  const cpx<R> gap = make_cpx ((lambda[j].x + dj.x) - (lambda[i].x + di.x),
                               (lambda[j].y + dj.y) - (lambda[i].y + di.y));
  const R g2 = abs2 (gap);
  f[e] = i == j || ! (abs2 (y) * 16 < g2)
             ? make_cpx<R> (0, 0)
             : make_cpx ((y.x * gap.x + y.y * gap.y) / g2,
                         (y.y * gap.x - y.x * gap.y) / g2);
}

#endif
