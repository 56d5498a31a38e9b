/* Kernels of the Jacobi-like method for one matrix in global memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   One pass over A per round: a thread block transforms a square of 2-by-2 tiles and
   a border of one tile on every side, from A to NEXT, and computes from the new values
   in shared memory its part of the inner products of the next round.  The border is
   enough because pairs of the next round consist of elements of neighbouring pairs:
   with pair k of round r being (x_k, y_k) = (r + k, r - k) modulo 2 m - 1, and
   (r, 2 m - 1) for k = 0, pair k of the next round is (x_(k+1), y_(k-1)).  Sums over
   blocks are added in fixed order by the kernel that computes the next
   transformations.  Kernel boundaries are the only synchronisation between blocks.  */

#ifndef GE_COMPLEX_LARGE_CUH
#define GE_COMPLEX_LARGE_CUH 1

#include "complex_eig/team.cuh"

enum
{
  LARGE_THREADS = 256
};

template <typename R> struct large_problem
{
  int n, m, blocks; /* m pairs, in BLOCKS groups of tiles */
  cpx<R> *a, *next, *v;
  cpx<R> *j;             /* 4 a pair, for (x_k, y_k) */
  cpx<R> *old_j;         /* the same of the round before */
  cpx<R> *row_c, *col_c; /* BLOCKS partial sums of every pair */
  R *row_g, *col_g;
  R *t;         /* row norms^2, column norms^2, scaling */
  double *sums; /* off-diagonal and diagonal part of |A|_F^2 */
  R shear;
};

/* The indices of pair K of ROUND; n for the idle index of odd orders.  */
GE_DEVICE_INLINE int
position_x (int m, int round, int k)
{
  const int x = round + k, ring = 2 * m - 1;
  return x >= ring ? x - ring : x;
}

GE_DEVICE_INLINE int
position_y (int m, int round, int k)
{
  const int y = round - k, ring = 2 * m - 1;
  return k == 0 ? ring : y < 0 ? y + ring : y;
}

/* --- transformations of a round --- */

/* V <- V J of ROUND, the one before the current: 64 rows of 4 pairs per
   block.  */
template <typename R>
static __device__ void
update_vectors (const large_problem<R> &p, int round, int block)
{
  const int rows = (p.n + 63) / 64, n = p.n, m = p.m;
  const int i = block % rows * 64 + threadIdx.x % 64;
  const int l = block / rows * 4 + threadIdx.x / 64;
  if (i >= n || l >= m)
    return;
  const int x = position_x (m, round, l), y = position_y (m, round, l);
  if (y >= n)
    return;
  const cpx<R> zero = make_cpx<R> (0, 0), *J = &p.old_j[4 * l];
  cpx<R> *px = &p.v[i + (size_t) n * x], *py = &p.v[i + (size_t) n * y];
  const cpx<R> a = *px, b = *py;
  *px = mul_add (b, J[2], mul_add (a, J[0], zero));
  *py = mul_add (b, J[3], mul_add (a, J[1], zero));
}

/* The first FINDERS blocks compute the transformations of ROUND, one warp per
   pair; the others concurrently apply those of the round before to V.  */
template <typename R>
__global__ void
large_transformations (large_problem<R> p, int round, int finders)
{
  if ((int) blockIdx.x >= finders)
    {
      update_vectors (p, round - 1, (int) blockIdx.x - finders);
      return;
    }
  const int k = (int) (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const int lane = threadIdx.x % 32, m = p.m, n = p.n;
  if (k >= m)
    return;
  cpx<R> c = make_cpx<R> (0, 0);
  R g = 0;
  for (int b = lane; b < p.blocks; b += 32)
    {
      const size_t at = (size_t) k * p.blocks + b;
      c.x += p.row_c[at].x - p.col_c[at].x;
      c.y += p.row_c[at].y - p.col_c[at].y;
      g += p.row_g[at] + p.col_g[at];
    }
  c.x = tile_sum<32> (c.x);
  c.y = tile_sum<32> (c.y);
  g = tile_sum<32> (g);
  if (lane != 0)
    return;
  const int x = position_x (m, round, k), y = position_y (m, round, k);
  R j[8] = { 1, 0, 0, 0, 0, 0, 1, 0 };
  if (y < n && x < n)
    {
      /* p is the smaller index, so that the element below the diagonal is
         annihilated */
      const bool swap = x > y;
      const int i = swap ? y : x, k2 = swap ? x : y;
      const size_t ld = (size_t) n;
      const cpx<R> pp = p.a[i + ld * i], pq = p.a[i + ld * k2];
      const cpx<R> qp = p.a[k2 + ld * i], qq = p.a[k2 + ld * k2];
      ge_shroff_pair (pp.x, pp.y, pq.x, pq.y, qp.x, qp.y, qq.x, qq.y, c.x,
                      swap ? -c.y : c.y, g, p.shear, (R) 1, j, (int64_t) 1);
      if (swap)
        for (int e = 0; e < 4; e++)
          {
            const R keep = j[e];
            j[e] = j[7 - (e ^ 1)];
            j[7 - (e ^ 1)] = keep;
          }
    }
  for (int e = 0; e < 4; e++)
    p.j[4 * k + e] = make_cpx (j[2 * e], j[2 * e + 1]);
}

/* --- update and gather --- */

/* The new values of a block: rows and columns of slot s < H are x of pair
   FIRST + s, of slot H + s its y.  */
template <typename R, int H> struct large_tiles
{
  cpx<R> z[2 * H][2 * H + 1];
  cpx<R> c[LARGE_THREADS];
  R g[LARGE_THREADS];
};

/* Slots and indices of the pair of the next round that takes the place of the
   pair in slot S, whose number in its round is K.  */
template <int H>
GE_DEVICE_INLINE void
next_pair (int m, int round, int k, int s, int *slot_x, int *slot_y, int *x,
           int *y)
{
  *slot_x = k < m - 1 ? s + 1 : H + s;
  *x = k < m - 1 ? position_x (m, round, k + 1) : position_y (m, round, k);
  *slot_y = k == 0 ? H + s : k == 1 ? s - 1 : H + s - 1;
  *y = k == 0   ? position_y (m, round, 0)
       : k == 1 ? position_x (m, round, 0)
                : position_y (m, round, k - 1);
}

/* Sum THREADS / H partial sums in fixed order for every pair of the block, and
   store them in C and G.  */
template <typename R, int H>
static __device__ void
store_sums (large_tiles<R, H> &s, cpx<R> c, R g, int first, int m, int blocks,
            int block, cpx<R> *to_c, R *to_g)
{
  __syncthreads ();
  s.c[threadIdx.x] = c;
  s.g[threadIdx.x] = g;
  __syncthreads ();
  const int slot = threadIdx.x, k = first + slot;
  if (slot < 1 || slot > H - 2 || k >= m)
    return;
  for (int i = 1; i < LARGE_THREADS / H; i++)
    {
      c.x += s.c[slot + H * i].x;
      c.y += s.c[slot + H * i].y;
      g += s.g[slot + H * i];
    }
  to_c[(size_t) k * blocks + block] = c;
  to_g[(size_t) k * blocks + block] = g;
}

/* From the new values: parts of c and G of the next round's pairs, by rows over
   this block's columns and by columns over its rows.  */
template <typename R, int H>
static __device__ void
gather_block (const large_problem<R> &p, large_tiles<R, H> &s, int round,
              int bk, int bl, int first_k, int first_l)
{
  const int m = p.m, slot = threadIdx.x % H, slice = threadIdx.x / H;
  const int slices = LARGE_THREADS / H, K = H - 2;
  int sx, sy, x, y;
  cpx<R> c = make_cpx<R> (0, 0);
  R g = 0;
  int k = first_k + slot;
  if (slot >= 1 && slot <= K && k < m)
    {
      next_pair<H> (m, round, k, slot, &sx, &sy, &x, &y);
      for (int e = slice; e < 2 * K; e += slices)
        {
          const int l = first_l + 1 + e % K, part = e / K;
          if (l >= m)
            continue;
          const int at
              = part ? position_y (m, round, l) : position_x (m, round, l);
          if (at == x || at == y)
            continue;
          const int col = 1 + e % K + part * H;
          const cpx<R> u = s.z[col][sx], w = s.z[col][sy];
          c = conj_mul_add (w, u, c);
          g += abs2 (u) + abs2 (w);
        }
    }
  store_sums<R, H> (s, c, g, first_k, m, p.blocks, bl, p.row_c, p.row_g);

  c = make_cpx<R> (0, 0);
  g = 0;
  k = first_l + slot;
  if (slot >= 1 && slot <= K && k < m)
    {
      next_pair<H> (m, round, k, slot, &sx, &sy, &x, &y);
      for (int e = slice; e < 2 * K; e += slices)
        {
          const int l = first_k + 1 + e % K, part = e / K;
          if (l >= m)
            continue;
          const int at
              = part ? position_y (m, round, l) : position_x (m, round, l);
          if (at == x || at == y)
            continue;
          const int row = 1 + e % K + part * H;
          const cpx<R> u = s.z[sx][row], w = s.z[sy][row];
          c = conj_mul_add (u, w, c);
          g += abs2 (u) + abs2 (w);
        }
    }
  store_sums<R, H> (s, c, g, first_l, m, p.blocks, bk, p.col_c, p.col_g);
}

/* One tile: J_k^-1 tile J_l to shared memory and, unless it is in the border,
   to NEXT.  */
template <typename R, int H>
static __device__ void
update_one (const large_problem<R> &p, large_tiles<R, H> &s, int round, int k,
            int l, int kk, int ll)
{
  const int m = p.m, n = p.n;
  const size_t ld = (size_t) n;
  const cpx<R> zero = make_cpx<R> (0, 0);
  const int x = position_x (m, round, k), y = position_y (m, round, k);
  const int u = position_x (m, round, l), w = position_y (m, round, l);
  const bool has_y = y < n, has_w = w < n;
  const cpx<R> a = p.a[x + ld * u], b = has_w ? p.a[x + ld * w] : zero;
  const cpx<R> c = has_y ? p.a[y + ld * u] : zero;
  const cpx<R> d = has_y && has_w ? p.a[y + ld * w] : zero;
  const cpx<R> *J = &p.j[4 * l];
  cpx<R> j11 = J[0], j12 = J[1], j21 = J[2], j22 = J[3];
  const cpx<R> xt = mul_add (b, j21, mul_add (a, j11, zero));
  const cpx<R> yt = mul_add (b, j22, mul_add (a, j12, zero));
  const cpx<R> xb = mul_add (d, j21, mul_add (c, j11, zero));
  const cpx<R> yb = mul_add (d, j22, mul_add (c, j12, zero));
  J = &p.j[4 * k];
  j11 = J[0], j12 = negate (J[1]), j21 = negate (J[2]), j22 = J[3];
  const cpx<R> tu = mul_add (j12, xb, mul_add (j22, xt, zero));
  const cpx<R> tw = mul_add (j12, yb, mul_add (j22, yt, zero));
  const cpx<R> bu = mul_add (j11, xb, mul_add (j21, xt, zero));
  const cpx<R> bw = mul_add (j11, yb, mul_add (j21, yt, zero));
  s.z[ll][kk] = tu;
  s.z[H + ll][kk] = tw;
  s.z[ll][H + kk] = bu;
  s.z[H + ll][H + kk] = bw;
  if (kk < 1 || kk > H - 2 || ll < 1 || ll > H - 2)
    return;
  p.next[x + ld * u] = tu;
  if (has_w)
    p.next[x + ld * w] = tw;
  if (has_y)
    p.next[y + ld * u] = bu;
  if (has_y && has_w)
    p.next[y + ld * w] = bw;
}

/* A <- J^-1 A J of a round, and the partial sums for the next.  Grid: blocks^2;
   the barrier is between writing the tiles in shared memory and reading
   them.  */
template <typename R, int H>
__global__ void
__launch_bounds__ (LARGE_THREADS) large_update (large_problem<R> p, int round)
{
  extern __shared__ __align__ (16) char shared[];
  large_tiles<R, H> &s = *(large_tiles<R, H> *) shared;
  const int K = H - 2;
  const int bk = blockIdx.x % p.blocks, bl = blockIdx.x / p.blocks;
  const int first_k = bk * K - 1, first_l = bl * K - 1;
  for (int e = threadIdx.x; e < H * H; e += LARGE_THREADS)
    {
      const int kk = e % H, ll = e / H, k = first_k + kk, l = first_l + ll;
      if (k >= 0 && k < p.m && l >= 0 && l < p.m)
        update_one<R, H> (p, s, round, k, l, kk, ll);
    }
  __syncthreads ();
  gather_block<R, H> (p, s, round, bk, bl, first_k, first_l);
}

/* The partial sums of the first round of a sweep: the second half of
   large_update without a transformation, for the round before.  */
template <typename R, int H>
__global__ void
__launch_bounds__ (LARGE_THREADS) large_gather (large_problem<R> p)
{
  extern __shared__ __align__ (16) char shared[];
  large_tiles<R, H> &s = *(large_tiles<R, H> *) shared;
  const int K = H - 2, m = p.m, n = p.n, round = 2 * m - 2;
  const int bk = blockIdx.x % p.blocks, bl = blockIdx.x / p.blocks;
  const int first_k = bk * K - 1, first_l = bl * K - 1;
  for (int e = threadIdx.x; e < 4 * H * H; e += LARGE_THREADS)
    {
      const int r = e % (2 * H), c = e / (2 * H);
      const int k = first_k + r % H, l = first_l + c % H;
      if (k < 0 || k >= m || l < 0 || l >= m)
        continue;
      const int i = r < H ? position_x (m, round, k) : position_y (m, round, k);
      const int j = c < H ? position_x (m, round, l) : position_y (m, round, l);
      s.z[c][r] = i < n && j < n ? p.a[i + (size_t) n * j] : make_cpx<R> (0, 0);
    }
  __syncthreads ();
  gather_block<R, H> (p, s, round, bk, bl, first_k, first_l);
}

/* --- once per sweep --- */

/* Squares of the norms of column J (block J) and row J (block n + J) without
   the diagonal; sums[0] and [1] stay for large_measure.  */
template <typename R>
__global__ void
large_norms (large_problem<R> p)
{
  __shared__ R space[8];
  const int n = p.n, j = blockIdx.x % n, by_row = blockIdx.x / n;
  R sum = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (i != j)
      sum += abs2 (by_row ? p.a[j + (size_t) n * i] : p.a[i + (size_t) n * j]);
  sum = team_sum<LARGE_THREADS> (sum, space);
  if (threadIdx.x == 0)
    p.t[by_row ? j : n + j] = sum;
}

/* Sums of all column norms and of the diagonal, by one block in fixed order.  */
template <typename R>
__global__ void
large_measure (large_problem<R> p)
{
  __shared__ double space[8];
  double off = 0, diagonal = 0;
  for (int j = threadIdx.x; j < p.n; j += blockDim.x)
    {
      off += (double) p.t[p.n + j];
      diagonal += (double) abs2 (p.a[j + (size_t) p.n * j]);
    }
  off = team_sum<LARGE_THREADS> (off, space);
  diagonal = team_sum<LARGE_THREADS> (diagonal, space);
  if (threadIdx.x == 0)
    {
      p.sums[0] = off;
      p.sums[1] = diagonal;
    }
}

/* The scaling from the norms; POWERS: by powers of 2, half of the exponents
   (balancing).  */
template <typename R>
__global__ void
large_scaling (large_problem<R> p, int powers)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.n)
    return;
  const R row = p.t[i], col = p.t[p.n + i];
  const R mu = (R) (p.sums[0] / p.n * 0.01); /* see complex_eig/sweep_typed.c */
  R t = 1;
  if (powers)
    {
      if (row > 0 && col > 0)
        t = ldexp ((R) 1, (ilogb (row) - ilogb (col)) / 8);
    }
  else if (mu > 0)
    t = sqrt (sqrt ((row + mu) / (col + mu)));
  p.t[2 * p.n + i] = p.shear > 0 ? t : 1;
}

template <typename R>
__global__ void
large_apply_scaling (large_problem<R> p)
{
  const size_t n = (size_t) p.n;
  const size_t e = blockIdx.x * (size_t) blockDim.x + threadIdx.x;
  if (e >= n * n)
    return;
  const size_t i = e % n, j = e / n;
  const R tj = p.t[2 * n + j], f = i == j ? 1 : tj * (1 / p.t[2 * n + i]);
  p.a[e] = make_cpx (p.a[e].x * f, p.a[e].y * f);
  if (p.v)
    p.v[e] = make_cpx (p.v[e].x * tj, p.v[e].y * tj);
}

#endif
