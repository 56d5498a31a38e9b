/* Windows of 64 adjacent columns of a matrix in the basis of approximate eigenvectors,
   solved by cyclic Jacobi on the GPU; see core/methods/jacobi/refine_typed.c for what they are for.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Two kernels for all windows at once.  pair_kernel: one thread block per window, two
   neighbouring blocks of 32 columns, diagonalises it in shared memory, which gives a
   unitary U_g.  update_kernel: one thread block per 64-by-64 tile of the matrix computes
   U_g' A_gh U_h in place, so that the matrix is read and written once; only tiles with
   g <= h are computed and stored with their adjoints.  In double precision the products
   use the tensor cores (DMMA).  */

#include "jacobi/shared.cuh"

enum
{
  B = GE_JACOBI_WIDTH,
  P = GE_JACOBI_PAIR,
  THREADS = 256,
  LD_INNER = P + 2, /* leading dimension without bank conflicts */
  WINDOW_SWEEPS = 12
};

/* --- the windows --- */

/* Global index of row (or column) I of the tile of blocks FIRST, SECOND.  */
GE_DEVICE_INLINE int64_t
tile_index (int first, int second, int i)
{
  return i < B ? (int64_t) first * B + i : (int64_t) second * B + i - B;
}

/* Nonzero, in all threads, if the window has an element that exceeds FLOOR and
   SHARE times the gap of its diagonal elements, for which first-order
   perturbation theory is not accurate.  */
template <typename T, typename R>
static __device__ int
window_is_close (const shared_matrix<T> *s, R floor, R share)
{
  int any = 0;
  __syncthreads ();
  for (int x = threadIdx.x; x < P * P; x += blockDim.x)
    {
      int j = x / P, i = x % P;
      R size2 = square_of (s->a[i + s->ld * j]);
      R gap = real_part (s->a[i + s->ld * i]) - real_part (s->a[j + s->ld * j]);
      any |= i < j && size2 > floor * floor
             && size2 > share * share * gap * gap;
    }
  return __syncthreads_or (any);
}

/* Where U of a pair, or the factor of a product, is stored: two matrices of
   64-by-64 complex numbers in double precision exceed the shared memory of some
   GPUs.  */
enum
{
  SHARED,
  GLOBAL
};

/* The two blocks of columns of a window; SHIFT, in blocks, is that of all windows.  */
typedef struct
{
  int blocks, shift;
} window_list;

GE_DEVICE_INLINE void
blocks_of (window_list list, int window, int *first, int *second)
{
  *first = (2 * window + list.shift) % list.blocks;
  *second = (2 * window + list.shift + 1) % list.blocks;
}

/* One thread block per window, PAIR: the sweeps of jacobi/shared.cuh in shared memory, A's
   diagonal tiles overwritten by the result, the accumulated rotations in U.
   active[PAIR]: whether first-order perturbation theory is not accurate for it; else U is
   not written.  */
template <typename T, int MEMORY>
GE_KERNEL (THREADS)
pair_kernel (window_list list, double floor_, double share, int64_t ld, T *a,
             T *u, int *active)
{
  typedef ge_real<T> R;
  extern __shared__ __align__ (16) char memory[];
  shared_matrix<T> s;
  int first, second, pair = blockIdx.x;
  const R floor = (R) floor_;
  s.m = P;
  const int ldv = MEMORY == SHARED ? LD_INNER : P;
  s.ld = LD_INNER;
  s.ldv = ldv;
  s.rows = P;
  s.a = (T *) memory;
  s.v = MEMORY == SHARED ? s.a + P * LD_INNER : u + (int64_t) pair * P * P;
  lay_out_pairs (&s, s.a + (MEMORY == SHARED ? 2 : 1) * P * LD_INNER);
  blocks_of (list, pair, &first, &second);
  for (int x = threadIdx.x; x < P * P; x += THREADS)
    {
      int j = x / P, i = x % P;
      s.a[i + LD_INNER * j] = a[tile_index (first, second, i)
                                + ld * tile_index (first, second, j)];
      s.v[i + ldv * j] = make_number<T> (i == j, 0);
    }
  const int wanted = window_is_close (&s, floor, (R) share);
  if (threadIdx.x == 0)
    active[pair] = wanted;
  if (! wanted)
    return;
  for (int k = 0; k < WINDOW_SWEEPS; k++)
    if (! shared_sweep (&s, floor / 4))
      break;
  for (int x = threadIdx.x; x < P * P; x += THREADS)
    {
      int j = x / P, i = x % P;
      a[tile_index (first, second, i) + ld * tile_index (first, second, j)]
          = s.a[i + LD_INNER * j];
      if (MEMORY == SHARED)
        u[(int64_t) pair * P * P + x] = s.v[i + ldv * j];
    }
}

/* --- 64-by-64 products in shared memory --- */

/* Leading dimension of a factor in shared memory, such that the fragments of
   DMMA (8 by 4) and of the register tiles below are free of bank conflicts.  */
template <typename T> struct product_ld
{
  static const int value = P + 1;
};
template <> struct product_ld<double>
{
  static const int value = P + 4;
};

/* A thread's 16 elements of a 64-by-64 product; their indices are given by
   index_of_element.  */
template <typename T> struct fragment
{
  T x[4][4];
};

/* F = op (X) Y, op the adjoint if ADJOINT.  Thread (tx, ty) of 16 by 16 has
   rows ty + 16 r and columns tx + 16 c.  */
template <int LDX, int LDY, typename T>
static __device__ void
multiply (const T *x, const T *y, int adjoint, fragment<T> *f)
{
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 4; c++)
      f->x[r][c] = make_number<T> (0, 0);
#pragma unroll 4
  for (int k = 0; k < P; k++)
    {
      T a[4], b[4];
#pragma unroll
      for (int r = 0; r < 4; r++)
        a[r] = adjoint ? conjugate (x[k + LDX * (ty + 16 * r)])
                       : x[ty + 16 * r + LDX * k];
#pragma unroll
      for (int c = 0; c < 4; c++)
        b[c] = y[k + LDY * (tx + 16 * c)];
#pragma unroll
      for (int r = 0; r < 4; r++)
#pragma unroll
        for (int c = 0; c < 4; c++)
          f->x[r][c] = mul_add (a[r], b[c], f->x[r][c]);
    }
}

template <typename T>
GE_DEVICE_INLINE void
index_of_element (const fragment<T> *, int r, int c, int *row, int *column)
{
  *row = threadIdx.x / 16 + 16 * r;
  *column = threadIdx.x % 16 + 16 * c;
}

/* Double precision: each of the 8 warps computes 16 by 32 elements by
   mma.m8n8k4. x[r][c]: r / 2 is the row (0, 1) of the 8-by-8 tile and r % 2 the
   parity of the column within it, c its column.  */
template <int LDX, int LDY>
static __device__ void
multiply (const double *x, const double *y, int adjoint, fragment<double> *f)
{
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int row = 16 * (warp % 4) + lane / 4, column = 32 * (warp / 4) + lane / 4;
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 4; c++)
      f->x[r][c] = 0;
#pragma unroll 4
  for (int k = lane % 4; k < P; k += 4)
    {
      double a[2], b[4];
#pragma unroll
      for (int r = 0; r < 2; r++)
        a[r] = adjoint ? x[k + LDX * (row + 8 * r)] : x[row + 8 * r + LDX * k];
#pragma unroll
      for (int c = 0; c < 4; c++)
        b[c] = y[k + LDY * (column + 8 * c)];
#pragma unroll
      for (int r = 0; r < 2; r++)
#pragma unroll
        for (int c = 0; c < 4; c++)
          asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 "
              "{%0, %1}, {%2}, {%3}, {%0, %1};"
              : "+d"(f->x[2 * r][c]), "+d"(f->x[2 * r + 1][c])
              : "d"(a[r]), "d"(b[c]));
    }
}

template <>
__device__ __forceinline__ void
index_of_element<double> (const fragment<double> *, int r, int c, int *row,
                          int *column)
{
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  *row = 16 * (warp % 4) + 8 * (r / 2) + lane / 4;
  *column = 32 * (warp / 4) + 8 * c + 2 * (lane % 4) + r % 2;
}

/* --- applying the windows to the matrix --- */

template <typename T>
static __device__ void
load_u (const T *u, int pair, T *to)
{
  const int ld = product_ld<T>::value;
  for (int x = threadIdx.x; x < P * P; x += THREADS)
    to[x % P + ld * (x / P)] = u[(int64_t) pair * P * P + x];
}

/* Store the fragment in shared memory, after a barrier since other threads may
   still read the old contents.  */
template <typename T>
static __device__ void
store_fragment (const fragment<T> *f, T *to)
{
  const int ld = product_ld<T>::value;
  int row, column;
  __syncthreads ();
  for (int r = 0; r < 4; r++)
    for (int c = 0; c < 4; c++)
      {
        index_of_element (f, r, c, &row, &column);
        to[row + ld * column] = f->x[r][c];
      }
}

/* Grid: (pairs, pairs + strips of 64 rows of V).  Block (x, y): for y < pairs
   the tile of pairs x and y of the Hermitian A (x < y, or x = y if DIAGONAL),
   otherwise 64 rows of V and the columns of pair x.  Shared memory: the tile
   and, with MEMORY == SHARED, the factor U.  Barriers separate loading, each
   product and storing.  Tiles of different blocks are disjoint.  */
template <typename T, int MEMORY>
GE_KERNEL (THREADS)
update_kernel (window_list list, int64_t ld, T *a, int diagonal, T *v,
               const T *u, const int *active)
{
  extern __shared__ __align__ (16) char memory[];
  const int lds = product_ld<T>::value;
  const int ldf = MEMORY == SHARED ? lds : P;
  T *tile = (T *) memory, *factor = tile + P * lds;
  int pairs = list.blocks / 2, h = blockIdx.x, g = (int) blockIdx.y;
  int on_a = g < pairs, c1, c2, r1 = 0, r2 = 0;
  fragment<T> f;
  if (on_a)
    {
      g = blockIdx.x;
      h = (int) blockIdx.y;
      if (! a || g > h || (g == h && ! diagonal))
        return;
    }
  int left = on_a && active[g], right = active[h];
  if ((! left && ! right) || (! on_a && ! v))
    return;
  blocks_of (list, h, &c1, &c2);
  if (on_a)
    blocks_of (list, g, &r1, &r2);
  else
    {
      r1 = 2 * (g - pairs);
      r2 = r1 + 1;
      a = v;
    }
  for (int x = threadIdx.x; x < P * P; x += THREADS)
    tile[x % P + lds * (x / P)]
        = a[tile_index (r1, r2, x % P) + ld * tile_index (c1, c2, x / P)];
  if (right)
    {
      if (MEMORY == SHARED)
        load_u (u, h, factor);
      __syncthreads ();
      multiply<lds, ldf> (
          tile, MEMORY == SHARED ? factor : u + (int64_t) h * P * P, 0, &f);
      store_fragment (&f, tile);
    }
  if (left)
    {
      __syncthreads ();
      if (MEMORY == SHARED)
        load_u (u, g, factor);
      __syncthreads ();
      multiply<ldf, lds> (MEMORY == SHARED ? factor : u + (int64_t) g * P * P,
                          tile, 1, &f);
      store_fragment (&f, tile);
    }
  __syncthreads ();
  for (int x = threadIdx.x; x < P * P; x += THREADS)
    a[tile_index (r1, r2, x % P) + ld * tile_index (c1, c2, x / P)]
        = tile[x % P + lds * (x / P)];
  if (on_a && g != h)
    for (int x = threadIdx.x; x < P * P; x += THREADS)
      a[tile_index (c1, c2, x % P) + ld * tile_index (r1, r2, x / P)]
          = conjugate (tile[x / P + lds * (x % P)]);
}

template <typename T>
static size_t
pair_bytes (int home)
{
  return (home == SHARED ? 2 : 1) * P * LD_INNER * sizeof (T)
         + shared_games_bytes<T> (P);
}

template <typename T>
static size_t
update_bytes (int home)
{
  return (home == SHARED ? 2 : 1) * P * product_ld<T>::value * sizeof (T);
}

template <typename T, int MEMORY>
static gpueig_status
launch (gpueig_context *ctx, int shift, double floor, double share, int64_t ld,
        T *a, T *v, T *r, T *u, int *active)
{
  void (*pair) (window_list, double, double, int64_t, T *, T *, int *)
      = pair_kernel<T, MEMORY>;
  void (*update) (window_list, int64_t, T *, int, T *, const T *, const int *)
      = update_kernel<T, MEMORY>;
  const window_list list = { (int) (ld / B), shift };
  const int pairs = list.blocks / 2;
  const size_t inner = pair_bytes<T> (MEMORY), outer = update_bytes<T> (MEMORY);
  GE_ALLOW_SHARED (pair, inner);
  GE_ALLOW_SHARED (update, outer);
  GE_LAUNCH_AS ("pair_kernel", pair, pairs, THREADS, inner, list, floor, share,
                ld, a, u, active);
  dim3 tiles ((unsigned) pairs, (unsigned) (pairs + ld / P));
  GE_LAUNCH_AS ("update_kernel", update, tiles, THREADS, outer, list, ld, a, 0,
                v, u, active);
  dim3 square ((unsigned) pairs, (unsigned) pairs);
  GE_LAUNCH_AS ("update_kernel", update, square, THREADS, outer, list, ld, r, 1,
                (T *) NULL, u, active);
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_jacobi_windows (gpueig_context *ctx, int shift, double floor,
                        double share, int64_t ld, T *a, T *v, T *r, T *u,
                        int *active)
{
  if constexpr (sizeof (T) == sizeof (cuDoubleComplex))
    if (! ge_shared_fits (ctx, pair_bytes<T> (SHARED))
        || ! ge_shared_fits (ctx, update_bytes<T> (SHARED)))
      return launch<T, GLOBAL> (ctx, shift, floor, share, ld, a, v, r, u,
                                active);
  return launch<T, SHARED> (ctx, shift, floor, share, ld, a, v, r, u, active);
}

GE_INSTANTIATE (ge_cuda_jacobi_windows)
