/* Writing a tridiagonal inverse on the GPU, every entry once.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A block has a tile of TDINV_TILE rows and some columns.  A thread keeps the
   row factors of its rows in registers, the column factors come from shared
   memory, and every store of a warp fills whole sectors whatever n is.  */

#include "tdinv_number.cuh"

enum
{
  THREADS = 256,
  ROWS = TDINV_TILE / THREADS, /* of a thread, THREADS apart */
  COLUMNS = 64                 /* of a block */
};

/* --- full columns --- */

template <typename T> struct columns_of_block
{
  int64_t j[COLUMNS], above[COLUMNS];
  T v[COLUMNS], q[COLUMNS];
  int32_t ve[COLUMNS], qe[COLUMNS];
};

template <typename T> struct row_of_thread
{
  T u, p;
  int32_t ue, pe;
  int64_t below;
};

/* WHERE: all of the block's entries are above the diagonal or on it (1), below
   it (-1), or some are here, some there (0).  */
template <int WHERE, typename T>
static __device__ __forceinline__ T
entry_at (const row_of_thread<T> *r, const columns_of_block<T> *s, int k,
          int64_t i)
{
  int64_t j = s->j[k];
  if (WHERE > 0 || (WHERE == 0 && i <= j))
    return i >= s->above[k] ? tdinv_product (r->u, s->v[k], r->ue + s->ve[k])
                            : c_whole<T> (0);
  return r->below <= j ? tdinv_product (r->p, s->q[k], r->pe + s->qe[k])
                       : c_whole<T> (0);
}

template <int WHERE, typename T>
static __device__ __forceinline__ void
write_block (const tdinv_panel<T> *o, const row_of_thread<T> *r,
             const columns_of_block<T> *s, int64_t row, int64_t column,
             int columns)
{
  int64_t at = row + o->n * column;
  for (int k = 0; k < columns; k++, at += o->n)
#pragma unroll
    for (int m = 0; m < ROWS; m++)
      if (row + m * THREADS < o->n)
        tdinv_put (o, at + m * THREADS,
                   entry_at<WHERE> (&r[m], s, k, row + m * THREADS));
}

template <typename T>
static __global__ void
__launch_bounds__ (THREADS)
    write_columns (tdinv_factors<typename real_of<T>::type> f, tdinv_panel<T> o,
                   int64_t tiles)
{
  __shared__ char memory[sizeof (columns_of_block<T>)]
      __attribute__ ((aligned (16)));
  __shared__ int mixed[2];
  columns_of_block<T> *s = (columns_of_block<T> *) memory;
  int64_t tile = blockIdx.x % tiles, strip = blockIdx.x / tiles;
  int64_t begin = strip * COLUMNS, row = tile * TDINV_TILE + threadIdx.x;
  int64_t left = o.end - o.begin - begin;
  int columns = (int) (left < COLUMNS ? left : COLUMNS);
  int64_t top = tile * TDINV_TILE, bottom = top + TDINV_TILE - 1;
  row_of_thread<T> r[ROWS];

  if (threadIdx.x < 2)
    mixed[threadIdx.x] = 0;
  __syncthreads ();
  if ((int) threadIdx.x < columns)
    {
      int k = threadIdx.x;
      int64_t at = o.begin + begin + k, j = o.columns ? o.columns[at] : at;
      s->j[k] = j;
      s->above[k] = f.above[j];
      tdinv_get (f.v.re, f.v.im, j, &s->v[k]);
      tdinv_get (f.q.re, f.q.im, j, &s->q[k]);
      s->ve[k] = tdinv_limited (f.v.e[j] + f.u.top[tile]);
      s->qe[k] = tdinv_limited (f.q.e[j] + f.p.top[tile]);
      if (top <= j)
        mixed[0] = 1; /* something is on or above the diagonal */
      if (bottom > j)
        mixed[1] = 1; /* something is below */
    }
#pragma unroll
  for (int m = 0; m < ROWS; m++)
    {
      int64_t i = row + m * THREADS;
      if (i >= o.n)
        continue;
      tdinv_get (f.u.re, f.u.im, i, &r[m].u);
      tdinv_get (f.p.re, f.p.im, i, &r[m].p);
      r[m].ue = f.u.e[i];
      r[m].pe = f.p.e[i];
      r[m].below = f.below[i];
    }
  __syncthreads ();
  if (! mixed[1])
    write_block<1> (&o, r, s, row, begin, columns);
  else if (! mixed[0])
    write_block<-1> (&o, r, s, row, begin, columns);
  else
    write_block<0> (&o, r, s, row, begin, columns);
}

/* --- bands --- */

template <typename T>
static __global__ void
write_band (tdinv_factors<typename real_of<T>::type> f, tdinv_panel<T> o)
{
  int64_t height = 2 * o.band + 1, count = height * (o.end - o.begin);
  int64_t step = (int64_t) gridDim.x * blockDim.x;
  for (int64_t at = (int64_t) blockIdx.x * blockDim.x + threadIdx.x; at < count;
       at += step)
    {
      int64_t j = o.begin + at / height, i = j + at % height - o.band;
      T x = c_whole<T> (0), y;
      if (i >= 0 && i <= j && i >= f.above[j])
        {
          tdinv_get (f.u.re, f.u.im, i, &x);
          tdinv_get (f.v.re, f.v.im, j, &y);
          x = tdinv_product (
              x, y,
              tdinv_limited (f.u.e[i] + f.u.top[i / TDINV_TILE] + f.v.e[j]));
        }
      else if (i > j && i < o.n && f.below[i] <= j)
        {
          tdinv_get (f.p.re, f.p.im, i, &x);
          tdinv_get (f.q.re, f.q.im, j, &y);
          x = tdinv_product (
              x, y,
              tdinv_limited (f.p.e[i] + f.p.top[i / TDINV_TILE] + f.q.e[j]));
        }
      tdinv_put (&o, at, x);
    }
}

template <typename T>
gpueig_status
tdinv_cuda_write (gpueig_context *ctx,
                  const tdinv_factors<typename real_of<T>::type> *f,
                  const tdinv_panel<T> *o)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  int64_t columns = o->end - o->begin;
  if (columns == 0)
    return GPUEIG_OK;
  if (o->band >= 0)
    write_band<T><<<4096, THREADS, 0, stream>>> (*f, *o);
  else
    {
      int64_t tiles = (o->n + TDINV_TILE - 1) / TDINV_TILE;
      int64_t strips = (columns + COLUMNS - 1) / COLUMNS;
      write_columns<T>
          <<<(unsigned) (tiles * strips), THREADS, 0, stream>>> (*f, *o, tiles);
    }
  LAUNCHED ();
  return GPUEIG_OK;
}

#define INSTANTIATE(T)                                                         \
  template gpueig_status tdinv_cuda_write (                                    \
      gpueig_context *, const tdinv_factors<real_of<T>::type> *,               \
      const tdinv_panel<T> *);
INSTANTIATE (float)
INSTANTIATE (double)
INSTANTIATE (cuComplex)
INSTANTIATE (cuDoubleComplex)
