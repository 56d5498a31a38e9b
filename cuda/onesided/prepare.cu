/* One-sided Jacobi on the GPU: the initial columns, and eigenpairs from the
   final columns; one block per page.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "onesided/onesided.cuh"

#define WARPS 8 /* per block */

/* --- scaling --- */

/* Scale a page to elements below 1 and store it in columns ROWS apart, with the
   shift on the diagonal if ADD; if ROWS > n, the identity below it.  One block
   of WARPS warps per page, a warp per column at a time; shared memory is for
   reductions.  */
template <typename T>
GE_KERNEL (32 * WARPS)
scale_pages (const onesided_stack<T> s, T *to, int rows, int add)
{
  typedef ge_real<T> real;
  __shared__ real scratch[WARPS];
  int n = s.n, warp = threadIdx.x / 32, lane = threadIdx.x & 31;
  int64_t page = blockIdx.x, square = (int64_t) n * n;
  const T *a = s.a + page * square;
  T *f = to + page * n * rows;
  real largest = 0, upper = -4 * (real) n, norm = 0, frobenius = 0;
  for (int64_t i = threadIdx.x; i < square; i += blockDim.x)
    largest = fmax_ (largest, fmax_ (fabs_ (real_part (a[i])),
                                     fabs_ (imaginary_part (a[i]))));
  largest = block_max (largest, scratch, WARPS);
  int exponent = exponent_of (largest), half = -exponent / 2;
  real p = scale_by ((real) 1, half), q = scale_by ((real) 1, -exponent - half);
  for (int j = warp; j < n; j += WARPS)
    {
      real sum = 0, diagonal = 0;
      for (int i = lane; i < rows; i += 32)
        {
          real re = i - n == j, im = 0;
          if (i < n)
            {
              T x = a[i + (int64_t) n * j];
              re = real_part (x) * p * q;
              im = imaginary_part (x) * p * q;
              sum += fabs_ (re) + fabs_ (im);
              frobenius = fma_ (re, re, fma_ (im, im, frobenius));
              diagonal += i == j ? re : 0;
            }
          set_number (&f[i + (int64_t) rows * j], re, im);
        }
      sum = tile_sum<32> (sum);
      diagonal = tile_sum<32> (diagonal);
      upper = fmax_ (upper, sum - fabs_ (diagonal) - diagonal);
      norm = fmax_ (norm, sum);
    }
  upper = block_max (upper, scratch, WARPS);
  norm = block_max (norm, scratch, WARPS);
  frobenius = sqrt_ (block_sum (frobenius, scratch, WARPS));
  real shift = ge_onesided_shift (-upper, norm);
  for (int j = threadIdx.x; add && j < n; j += blockDim.x)
    {
      T *d = &f[j + (int64_t) rows * j];
      set_number (d, real_part (*d) + shift, imaginary_part (*d));
    }
  if (threadIdx.x == 0)
    {
      s.scaling[page].shift = shift;
      s.scaling[page].frobenius = frobenius;
      s.scaling[page].exponent = exponent;
    }
}

/* --- Cholesky factors --- */

/* WORK = H of A = D H D, see onesided/rotate.h, and the exponents E of D; the scaling of
   the factor, with shift NaN where a diagonal element is not positive.  One block per
   page.  */
template <typename T>
GE_KERNEL (32 * WARPS)
scale_rows (const onesided_stack<T> s, T *work, int *exponents)
{
  typedef ge_real<T> real;
  __shared__ real scratch[WARPS];
  int n = s.n;
  int64_t page = blockIdx.x;
  const T *a = s.a + page * n * n;
  T *h = work + page * n * n;
  int *e = exponents + page * n, bad = 0;
  real most = -32768;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    {
      real d = real_part (a[i + (int64_t) n * i]);
      bad |= ! (d > 0);
      e[i] = ge_onesided_row_exponent (exponent_of (d));
      most = fmax_ (most, (real) e[i]);
    }
  bad = __syncthreads_or (bad);
  most = block_max (most, scratch, WARPS);
  for (int64_t x = threadIdx.x; x < (int64_t) n * n; x += blockDim.x)
    {
      int shift = -e[x % n] - e[x / n];
      set_number (&h[x], scale_by (real_part (a[x]), shift),
                  scale_by (imaginary_part (a[x]), shift));
    }
  if (threadIdx.x == 0)
    {
      s.scaling[page].shift = bad ? NAN : 0;
      s.scaling[page].frobenius = 0;
      s.scaling[page].exponent
          = -2
            * ge_onesided_factor_exponent (sizeof (real) == 8, n, (int) most);
    }
}

/* F = 2^s A for columns A that are rotated as they are.  One block per page.  */
template <typename T>
GE_KERNEL (32 * WARPS)
copy_columns (const onesided_stack<T> s)
{
  typedef ge_real<T> real;
  __shared__ real scratch[WARPS];
  int64_t page = blockIdx.x, square = (int64_t) s.n * s.n;
  const T *a = s.a + page * square;
  T *f = s.f + page * square;
  real largest = 0;
  for (int64_t x = threadIdx.x; x < square; x += blockDim.x)
    largest = fmax_ (largest, fmax_ (fabs_ (real_part (a[x])),
                                     fabs_ (imaginary_part (a[x]))));
  largest = block_max (largest, scratch, WARPS);
  int shift = ge_onesided_factor_exponent (sizeof (real) == 8, s.n,
                                           exponent_of (largest));
  for (int64_t x = threadIdx.x; x < square; x += blockDim.x)
    set_number (&f[x], scale_by (real_part (a[x]), shift),
                scale_by (imaginary_part (a[x]), shift));
  if (threadIdx.x == 0)
    {
      s.scaling[page].shift = 0;
      s.scaling[page].frobenius = 0;
      s.scaling[page].exponent = -2 * shift;
    }
}

/* Index of the largest remaining diagonal element of 4^SHIFT D M D, the smallest among
   equals, in all threads; the element is in VALUES[0].  E: the exponents of D.  */
template <typename T>
static __device__ int
find_pivot (int n, int k, const T *m, const int *order, const int *e, int shift,
            ge_real<T> *values, int *positions)
{
  typedef ge_real<T> real;
  int best = k;
  real value = -1;
  for (int i = k + threadIdx.x; i < n; i += blockDim.x)
    {
      int at = order[i];
      real d = scale_by (real_part (m[at + (int64_t) n * at]),
                         2 * (e[at] + shift));
      if (d > value)
        {
          value = d;
          best = i;
        }
    }
  values[threadIdx.x] = value;
  positions[threadIdx.x] = best;
  __syncthreads ();
  for (int w = blockDim.x / 2; w > 0; w /= 2)
    {
      if (threadIdx.x < w)
        {
          real other = values[threadIdx.x + w];
          int position = positions[threadIdx.x + w];
          if (other > values[threadIdx.x]
              || (other == values[threadIdx.x]
                  && position < positions[threadIdx.x]))
            {
              values[threadIdx.x] = other;
              positions[threadIdx.x] = position;
            }
        }
      __syncthreads ();
    }
  return positions[0];
}

/* M (n-by-n, overwritten) = F F' by right-looking Cholesky factorisation with diagonal
   pivoting, the rows of F being in their original order and
   multiplied by 2^s D, after scale_rows.  One block per page, columns of the update
   distributed over warps; two barriers per column.  ORDERS: 2 n integers per page, the
   second half the exponents of D of all pages.  */
template <typename T>
GE_KERNEL (32 * WARPS)
factor_pages (const onesided_stack<T> s, T *work, int *orders)
{
  typedef ge_real<T> real;
  __shared__ real values[32 * WARPS];
  __shared__ int positions[32 * WARPS];
  int n = s.n, warp = threadIdx.x / 32, lane = threadIdx.x & 31;
  int64_t page = blockIdx.x;
  T *m = work + page * n * n, *f = s.f + page * n * n;
  int *order = orders + page * n;
  const int *e = orders + (s.pages + page) * n;
  const int shift = -s.scaling[page].exponent / 2;
  if (isnan (s.scaling[page].shift))
    {
      if (threadIdx.x == 0)
        atomicAdd (&s.counts->indefinite, 1);
      return;
    }
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    order[i] = i;
  __syncthreads ();
  for (int k = 0; k < n; k++)
    {
      int p = find_pivot (n, k, m, order, e, shift, values, positions);
      const int fits
          = values[0] >= (real) ge_onesided_least_square (sizeof (real) == 8);
      __syncthreads ();
      if (threadIdx.x == 0)
        {
          int old = order[k];
          order[k] = order[p];
          order[p] = old;
        }
      __syncthreads ();
      int pivot = order[k];
      const T *column = m + (int64_t) n * pivot;
      real d = real_part (column[pivot]);
      if (! (d > 0 && fits))
        {
          if (threadIdx.x == 0)
            {
              s.scaling[page].shift = NAN;
              atomicAdd (&s.counts->indefinite, 1);
            }
          return;
        }
      real root = sqrt_ (d);
      T *to = f + (int64_t) n * k;
      for (int i = threadIdx.x; i < n; i += blockDim.x)
        {
          int row = order[i];
          real re = real_part (column[row]) / root,
               im = imaginary_part (column[row]) / root;
          if (i <= k)
            {
              re = i == k ? root : 0;
              im = 0;
            }
          set_number (&to[row], re, im);
        }
      __syncthreads ();
      for (int j = k + 1 + warp; j < n; j += WARPS)
        {
          int jj = order[j];
          T *x = m + (int64_t) n * jj;
          real re = real_part (to[jj]), im = -imaginary_part (to[jj]);
          for (int i = k + 1 + lane; i < n; i += 32)
            {
              int ii = order[i];
              real lr = real_part (to[ii]), li = imaginary_part (to[ii]);
              real xr = real_part (x[ii]), xi = imaginary_part (x[ii]);
              set_number (&x[ii], xr - fma_ (lr, re, -li * im),
                          xi - fma_ (lr, im, li * re));
            }
        }
      __syncthreads ();
    }
  /* Rows by 2^s D; the last barrier has ordered F.  */
  for (int64_t x = threadIdx.x; x < (int64_t) n * n; x += blockDim.x)
    set_number (&f[x], scale_by (real_part (f[x]), e[x % n] + shift),
                scale_by (imaginary_part (f[x]), e[x % n] + shift));
}

template <typename T>
gpueig_status
onesided_prepare (gpueig_context *ctx, const onesided_stack<T> *s,
                  onesided_method method)
{
  int64_t n = s->n;
  unsigned pages = (unsigned) s->pages;
  int mark = ge_mark (ctx);
  T *work = s->f;
  int *orders = NULL;
  if (method == ONESIDED_COLUMNS)
    {
      GE_LAUNCH (copy_columns<T>, pages, 32 * WARPS, 0, *s);
      return GPUEIG_OK;
    }
  if (method == ONESIDED_CHOLESKY)
    {
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * n * s->pages, &work));
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * n * s->pages, &orders));
      GE_LAUNCH (scale_rows<T>, pages, 32 * WARPS, 0, *s, work,
                 orders + n * s->pages);
      GE_LAUNCH (factor_pages<T>, pages, 32 * WARPS, 0, *s, work, orders);
    }
  else
    GE_LAUNCH (scale_pages<T>, pages, 32 * WARPS, 0, *s, work,
               method == ONESIDED_HESTENES ? 2 * s->n : s->n,
               method == ONESIDED_SHIFTED);
  /* Memory released here is reused in stream order.  */
  return ge_close_frame (ctx, mark);
}

/* --- eigenpairs --- */

/* The norms of the columns, one warp per column.  */
template <typename T>
static __global__ void
column_lengths (const onesided_stack<T> s, int rows, ge_real<T> *length)
{
  typedef ge_real<T> real;
  int64_t column = (int64_t) blockIdx.x * WARPS + threadIdx.x / 32;
  int lane = threadIdx.x & 31;
  if (column >= s.pages * s.n)
    return;
  const T *x = s.f + column * rows;
  real sum = 0;
  for (int i = lane; i < s.n; i += 32)
    {
      real re = real_part (x[i]), im = imaginary_part (x[i]);
      sum = fma_ (re, re, fma_ (im, im, sum));
    }
  sum = tile_sum<32> (sum);
  if (lane == 0)
    length[column] = sqrt_ (sum);
}

/* Eigenvalue and normalized eigenvector of one column per warp, stored at its rank.
   The rank is found by counting.  */
template <typename T>
static __global__ void
store_columns (const onesided_stack<T> s, int rows, const ge_real<T> *lengths)
{
  typedef ge_real<T> real;
  int64_t column = (int64_t) blockIdx.x * WARPS + threadIdx.x / 32;
  int lane = threadIdx.x & 31, n = s.n;
  if (column >= s.pages * n)
    return;
  int64_t page = column / n;
  int me = (int) (column % n), rank = 0;
  onesided_scaling<real> scaling = s.scaling[page];
  if (isnan (scaling.shift))
    return;
  const T *x = s.f + column * rows;
  const real *length = lengths + page * n;
  real mine = length[me];
  for (int j = lane; j < n; j += 32)
    rank += length[j] < mine || (length[j] == mine && j > me);
  rank = tile_sum<32> (rank);
  real value = (s.square ? mine * mine : mine) - scaling.shift;
  if (lane == 0)
    s.lambda[page * n + rank] = scale_by (value, scaling.exponent);
  if (! s.v)
    return;
  T *v = s.v + page * n * n + (int64_t) rank * n;
  real inverse = 1 / mine;
  for (int i = lane; i < n; i += 32)
    set_number (&v[i], real_part (x[i]) * inverse,
                imaginary_part (x[i]) * inverse);
}

template <typename T>
gpueig_status
onesided_store (gpueig_context *ctx, const onesided_stack<T> *s, int rows)
{
  int64_t columns = s->pages * s->n, blocks = (columns + WARPS - 1) / WARPS;
  ge_real<T> *lengths;
  int mark = ge_mark (ctx);
  GE_TRY (ge_one_launch (ctx, blocks, s->pages));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, columns, &lengths));
  GE_LAUNCH (column_lengths<T>, (unsigned) blocks, 32 * WARPS, 0, *s, rows,
             lengths);
  GE_LAUNCH (store_columns<T>, (unsigned) blocks, 32 * WARPS, 0, *s, rows,
             lengths);
  return ge_close_frame (ctx, mark);
}

GE_INSTANTIATE (onesided_prepare)
GE_INSTANTIATE (onesided_store)
