/* Eigenvectors of a Schur form by block back-substitution: for every block of rows,
   from the bottom up, one matrix product with the rows below it, then one warp per
   eigenvector solves with the diagonal block.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   As LAPACK's xTREVC3 (M. Gates, A. Haidar, J. Dongarra, 2014), for all eigenvectors
   at once.  A vector that grows is scaled by a power of 2, including the rows that
   are already computed, so that nothing overflows (C. C. Kjelgaard Mikkelsen,
   A. B. Schwarz, L. Karlsson, Parallel robust solution of triangular linear systems,
   2019).  Differences of eigenvalues that are too small are replaced (least_pivot).

   Left eigenvectors: with the exchange matrix J, J S' J is a Schur form too, and
   its eigenvectors times J are those of S'.  */

#include "base/blas.cuh"
#include "base/teams.cuh"
#include "schur/schur.cuh"
#include "schur/triangle.cuh"

enum
{
  ROWS = 64, /* rows per block, two per lane */
  WARPS = 4,
  STOPPABLE
  = 2048 /* order from which interrupts are polled after every 8 blocks */
};

template <typename C>
GE_DEVICE_INLINE C
from_lane (C x, int lane)
{
  const lane_tile<32> warp = this_warp ();
  return make_number<C> (warp.shfl (x.x, lane), warp.shfl (x.y, lane));
}

/* The part of a warp's vector in the rows of a diagonal block S, in shared memory: a lane
   has rows LANE and LANE + 32.  */
template <typename T> struct row_solve
{
  typedef ge_real<T> R;
  typedef ge_complex<T> C;
  const T *s;
  int lane, end, pair; /* rows below END are solved for; a conjugate pair */
  C value, xk, xl;     /* the elements in rows END and, of a pair, END + 1 */
  C a[2], inverse[2];  /* right-hand sides, then the vector; 1 / pivots */
  R least, factor;     /* by FACTOR the vector was scaled */

  __device__ __forceinline__ T
  at (int i, int j) const
  {
    return s[i + j * (ROWS + 1)];
  }

  __device__ __forceinline__ C
  shifted (int i) const
  {
    return minus (as_pair (at (i, i)), value);
  }

  __device__ __forceinline__ C
  from_row (const C *x, int i) const
  {
    return from_lane (i < 32 ? x[0] : x[1], i % 32);
  }

  /* Set XK and XL where the vector begins in this block.  */
  __device__ __forceinline__ void
  begin_vector (void)
  {
    xk = make_number<C> (1, 0);
    xl = zero<C> ();
    if (! pair)
      return;
    const R b = real_part (at (end, end + 1)),
            c = real_part (at (end + 1, end));
    if (fabs (b) >= fabs (c))
      xl = make_number<C> (0, value.y / b);
    else
      {
        xk = make_number<C> (-value.y / c, 0);
        xl = make_number<C> (0, 1);
      }
  }

  /* Right-hand sides, from X and Y of the vector if it BEGAN below the block, and pivots.  */
  __device__ __forceinline__ void
  load (int began, const T *x, const T *y)
  {
    for (int h = 0; h < 2; h++)
      {
        const int i = lane + 32 * h;
        a[h] = inverse[h] = zero<C> ();
        if (i >= end)
          continue;
        if (began)
          a[h] = pair ? make_number<C> (real_part (x[i]), real_part (y[i]))
                      : as_pair (x[i]);
        else
          {
            a[h] = mul_sub (at (i, end), xk, a[h]);
            if (pair)
              a[h] = mul_sub (at (i, end + 1), xl, a[h]);
          }
        inverse[h]
            = divide (make_number<C> (1, 0), pivot_of (shifted (i), least));
      }
  }

  /* *Y = the element of row I or, with TWO, *Y and *Z those of rows I - 1 and I; the rest of
     the vector is scaled with them.  */
  __device__ __forceinline__ void
  solve (int i, int two, C *y, C *z)
  {
    int e;
    *y = from_row (a, i);
    if (two)
      {
        *z = *y;
        *y = from_row (a, i - 1);
        e = solve_pair (shifted (i - 1), real_part (at (i - 1, i)),
                        real_part (at (i, i - 1)), shifted (i), *y, *z, least,
                        y, z);
      }
    else
      {
        const C d = from_row (inverse, i);
        e = product_excess (abs1 (*y), abs1 (d));
        *y = times (e ? shrunk (*y, e) : *y, d);
      }
    if (e)
      {
        const R f = ldexp ((R) 1, -e);
        factor *= f;
        a[0] = times (f, a[0]);
        a[1] = times (f, a[1]);
      }
  }

  __device__ __forceinline__ void
  substitute (void)
  {
    for (int i = end - 1; i >= 0; i--)
      {
        const int two
            = ! is_complex<T>::value && i > 0 && ! is_zero (at (i, i - 1));
        C y, z = zero<C> ();
        solve (i, two, &y, &z);
        for (int h = 0; h < 2; h++)
          {
            const int r = lane + 32 * h;
            if (r < i - two)
              {
                a[h] = mul_sub (at (r, i - two), y, a[h]);
                if (two)
                  a[h] = mul_sub (at (r, i), z, a[h]);
              }
            else if (r == i - two)
              a[h] = y;
            else if (two && r == i)
              a[h] = z;
          }
        i -= two;
      }
  }

  /* The SIZE rows of the block to X and Y.  */
  __device__ __forceinline__ void
  store (int began, int size, T *x, T *y) const
  {
    for (int h = 0; h < 2; h++)
      {
        const int i = lane + 32 * h;
        if (i >= size)
          continue;
        C z = a[h];
        if (! began && i == end)
          z = times (factor, xk);
        else if (! began && pair && i == end + 1)
          z = times (factor, xl);
        else if (i >= end)
          z = zero<C> ();
        x[i] = make_number<T> (z.x, pair ? 0 : z.y);
        if (pair)
          y[i] = make_number<T> (z.y, 0);
      }
  }
};

/* Solve for rows FIRST .. BELOW - 1 of the eigenvectors from number FIRST on;
   on entry X has their right-hand sides, minus the product with the rows below.
   One warp per eigenvector (conjugate pair); the diagonal block is in shared
   memory, read only after the barrier; a warp's elements are exchanged by
   shuffles.  */
template <typename T>
GE_KERNEL (32 * WARPS)
solve_rows (int n, const T *s, const ge_complex<T> *lambda, int first,
            int below, T *x)
{
  extern __shared__ double2 memory[];
  T *block = (T *) memory;
  const int size = below - first;
  for (int e = threadIdx.x; e < size * size; e += 32 * WARPS)
    block[e % size + e / size * (ROWS + 1)]
        = s[first + e % size + (first + e / size) * n];
  __syncthreads ();
  const int k = first + blockIdx.x * WARPS + threadIdx.x / 32;
  if (k >= n)
    return;
  row_solve<T> v;
  v.s = block;
  v.lane = threadIdx.x % 32;
  v.value = lambda[k];
  if (! is_complex<T>::value && v.value.y < 0)
    return; /* solved with the one before */
  v.pair = ! is_complex<T>::value && v.value.y > 0;
  v.least = least_pivot<ge_real<T>> (n, v.value);
  v.factor = 1;
  const int began = k >= below;
  v.end = began ? size : k - first;
  T *re = x + k * n, *im = x + (k + 1) * n;
  if (! began)
    v.begin_vector ();
  v.load (began, re + first, im + first);
  v.substitute ();
  v.store (began, size, re + first, im + first);
  if (v.factor == 1)
    return;
  for (int i = below + v.lane; i <= k + v.pair; i += 32)
    {
      re[i] = times (v.factor, re[i]);
      if (v.pair)
        im[i] = times (v.factor, im[i]);
    }
}

/* TO (i, j) = conj (S (n - 1 - j, n - 1 - i)) */
template <typename T>
__global__ void
exchange_matrix (int n, const T *s, T *to)
{
  const int64_t e = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  if (e >= (int64_t) n * n)
    return;
  const int64_t i = e % n, j = e / n;
  to[i + j * n] = conjugate (s[n - 1 - j + (n - 1 - i) * n]);
}

template <typename C>
__global__ void
exchange_values (int n, const C *lambda, C *to)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = conjugate (lambda[n - 1 - i]);
}

/* Undo the exchange: rows and columns in the opposite order.  The first vector
   of a pair belongs to the eigenvalue with positive imaginary part, whose left
   eigenvector is the conjugate of the one computed.  */
template <typename T>
__global__ void
exchange_vectors (int n, const T *x, const ge_complex<T> *flipped, T *to)
{
  const int64_t e = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  if (e >= (int64_t) n * n)
    return;
  const int64_t i = e % n, j = e / n;
  const int pair = is_complex<T>::value ? 0
                   : flipped[j].y > 0   ? 1
                   : flipped[j].y < 0   ? -1
                                        : 0;
  const T y = x[n - 1 - i + j * n];
  to[i + (n - 1 - j - pair) * n] = pair < 0 ? minus (zero<T> (), y) : y;
}

/* STARTS: the first rows of blocks that do not split pairs, followed by N;
   returns their number.  With LEFT VALUES is in the opposite order.  */
template <typename T>
static int
cut_rows (int n, const ge_complex<T> *values, int left, int *starts)
{
  int count = 0;
  for (int at = 0; at < n;)
    {
      int next = at + ROWS < n ? at + ROWS : n;
      /* if row next - 1 is the first of a pair; with LEFT conjugates are
         exchanged */
      const ge_complex<T> *v = &values[left ? n - next : next - 1];
      if (! is_complex<T>::value && next < n && (left ? v->y < 0 : v->y > 0))
        next--;
      starts[count++] = at;
      at = next;
    }
  starts[count] = n;
  return count;
}

/* X <- the eigenvectors of S, upper triangular but for pairs.  */
template <typename T>
static gpueig_status
solve_all (gpueig_context *ctx, int n, const T *s, const ge_complex<T> *lambda,
           int blocks, const int *starts, T *x)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  constexpr size_t bytes = ROWS * (ROWS + 1) * sizeof (T);
  static_assert (bytes <= GE_LEAST_SHARED, "a block of rows");
  GE_ALLOW_SHARED (solve_rows<T>, bytes);
  GE_TRY (ge_clear (ctx, x, (int64_t) n * n));
  for (int b = blocks - 1; b >= 0; b--)
    {
      const int first = starts[b], below = starts[b + 1], rest = n - below;
      if (rest > 0)
        CUBLAS (ge_gemm (cuda->blas, CUBLAS_OP_N, CUBLAS_OP_N, below - first,
                         rest, rest, -1, s + first + (int64_t) below * n, n,
                         x + below + (int64_t) below * n, n, 0,
                         x + first + (int64_t) below * n, n));
      GE_LAUNCH (solve_rows<T>, (n - first + WARPS - 1) / WARPS, 32 * WARPS,
                 bytes, n, s, lambda, first, below, x);
      if (n >= STOPPABLE && b % 8 == 0)
        GE_TRY (ge_cuda_check_interrupt (ctx));
    }
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_schur_vectors (gpueig_context *ctx, int n, const T *s,
                  const ge_complex<T> *lambda, const ge_complex<T> *values,
                  int left, const T *q, T *x, T *work)
{
  typedef ge_complex<T> C;
  ge_cuda *cuda = ge_cuda_of (ctx);
  const cublasOperation_t no = CUBLAS_OP_N;
  const int64_t square = (int64_t) n * n;
  const int mark = ge_mark (ctx);
  int *starts;
  C *flipped;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n / (ROWS - 1) + 2, &starts));
  const int blocks = cut_rows<T> (n, values, left, starts);
  if (! left)
    {
      GE_TRY (solve_all<T> (ctx, n, s, lambda, blocks, starts, work));
      CUBLAS (ge_gemm (cuda->blas, no, no, n, n, n, 1, q, n, work, n, 0, x, n));
    }
  else
    {
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &flipped));
      GE_LAUNCH (exchange_matrix<T>, ge_blocks (square, 256), 256, 0, n, s, x);
      GE_LAUNCH (exchange_values<C>, ge_blocks (n, 256), 256, 0, n, lambda,
                 flipped);
      GE_TRY (solve_all<T> (ctx, n, x, flipped, blocks, starts, work));
      GE_LAUNCH (exchange_vectors<T>, ge_blocks (square, 256), 256, 0, n, work,
                 flipped, x);
      CUBLAS (ge_gemm (cuda->blas, no, no, n, n, n, 1, q, n, x, n, 0, work, n));
      GE_TRY (ge_copy (ctx, x, work, square));
    }
  return ge_close_frame (ctx, mark);
}

GE_INSTANTIATE (ge_schur_vectors)
