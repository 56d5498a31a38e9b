/* Sums, products and extremes up to each element along one dimension.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The dimension is cut into chunks of fixed length, longer where it is contiguous: the totals of the chunks, their scan in
   the same way, and then every chunk from the total before it.  The order of a sum
   depends on the size of the array alone.  */

#include "array/combine.cuh"

enum
{
  THREADS = 256,
  CHUNK = 32,
  ITEMS = 8,             /* of a thread where elements are contiguous, */
  TILE = THREADS * ITEMS /* and of a block, its chunk */
};

/* X and TO, left-by-n-by-right, in CHUNKS chunks along n.  A thread has one chunk, threads
   that follow each other the same chunk of the rows that follow.  TOTALS are
   left-by-chunks-by-right.  */
typedef struct
{
  ge_reduce_op op;
  int64_t left, n, chunks, count;
} chunk_shape;

/* WRITE: the scan of each chunk, from TOTALS of the chunk before it, if there are any;
   otherwise the totals of all chunks.  */
template <typename E, bool WRITE>
GE_KERNEL (THREADS)
chunk_kernel (chunk_shape s, const E *x, E *to, E *totals)
{
  const combination<E> both = { s.op };
  const int64_t step = (int64_t) gridDim.x * THREADS;
  for (int64_t t = (int64_t) blockIdx.x * THREADS + threadIdx.x; t < s.count;
       t += step)
    {
      const int64_t row = t % s.left, chunk = t / s.left % s.chunks,
                    page = t / s.left / s.chunks;
      const int64_t first = chunk * CHUNK,
                    end = first + CHUNK < s.n ? first + CHUNK : s.n;
      const int64_t base = row + s.left * s.n * page;
      E sum = x[base + s.left * first];
      if (WRITE && chunk > 0)
        sum = both (totals[t - s.left], sum);
      if (WRITE)
        to[base + s.left * first] = sum;
      for (int64_t k = first + 1; k < end; k++)
        {
          sum = both (sum, x[base + s.left * k]);
          if (WRITE)
            to[base + s.left * k] = sum;
        }
      if (! WRITE)
        totals[t] = sum;
    }
}

/* Place of element I of a tile in shared memory, for access in steps of ITEMS.  */
GE_DEVICE_INLINE int
padded (int i)
{
  return i + i / ITEMS;
}

/* Scan chunks of contiguous columns, LEFT = 1: a block has a chunk.  */
template <typename E, bool WRITE>
GE_KERNEL (THREADS)
tile_kernel (chunk_shape s, const E *x, E *to, E *totals)
{
  const combination<E> both = { s.op };
  __shared__ E data[TILE + THREADS], partial[THREADS];
  const int thread = threadIdx.x, first = ITEMS * thread;
  for (int64_t t = blockIdx.x; t < s.count; t += gridDim.x)
    {
      const int64_t start = t % s.chunks * TILE,
                    base = s.n * (t / s.chunks) + start;
      const int count = (int) (s.n - start < TILE ? s.n - start : TILE),
                used = (count + ITEMS - 1) / ITEMS,
                end = first + ITEMS < count ? first + ITEMS : count;
      for (int i = thread; i < count; i += THREADS)
        data[padded (i)] = x[base + i];
      __syncthreads ();
      E sum = data[padded (thread < used ? first : 0)];
      for (int i = first + 1; i < end; i++)
        sum = both (sum, data[padded (i)]);
      partial[thread] = sum;
      __syncthreads ();
      for (int d = 1; d < used; d *= 2)
        {
          const int joins = thread >= d && thread < used;
          const E before = partial[joins ? thread - d : thread];
          __syncthreads ();
          if (joins)
            partial[thread] = both (before, partial[thread]);
          __syncthreads ();
        }
      if (! WRITE && thread == 0)
        totals[t] = partial[used - 1];
      if (WRITE && thread < used)
        {
          sum = data[padded (first)];
          if (thread > 0)
            sum = both (partial[thread - 1], sum);
          if (start > 0)
            sum = both (totals[t - 1], sum);
          data[padded (first)] = sum;
          for (int i = first + 1; i < end; i++)
            data[padded (i)] = sum = both (sum, data[padded (i)]);
        }
      __syncthreads ();
      for (int i = thread; WRITE && i < count; i += THREADS)
        to[base + i] = data[padded (i)];
      __syncthreads ();
    }
}

template <typename E>
static gpueig_status
scan (gpueig_context *ctx, const ge_scan *r, int64_t n, const E *x, E *to)
{
  const int tiles = r->left == 1;
  const int64_t length = tiles ? TILE : CHUNK,
                chunks = (n + length - 1) / length;
  const chunk_shape shape
      = { r->op, r->left, n, chunks, r->left * chunks * r->right };
  const int64_t blocks
      = tiles ? shape.count : (shape.count + THREADS - 1) / THREADS;
  const unsigned grid = (unsigned) (blocks < 65535 ? blocks : 65535);
  E *totals = NULL;
  if (chunks > 1)
    {
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, shape.count, &totals));
      GE_LAUNCH_AS ("chunk_kernel",
                    (tiles ? tile_kernel<E, false> : chunk_kernel<E, false>),
                    grid, THREADS, 0, shape, x, to, totals);
      GE_TRY (scan (ctx, r, chunks, totals, totals));
    }
  GE_LAUNCH_AS ("chunk_kernel",
                (tiles ? tile_kernel<E, true> : chunk_kernel<E, true>), grid,
                THREADS, 0, shape, x, to, totals);
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
scan_typed (gpueig_context *ctx, const ge_scan *s)
{
  typedef typename element_of<T>::type E;
  const int mark = ge_mark (ctx);
  GE_TRY (scan (ctx, s, s->n, (const E *) s->x, (E *) s->to));
  return ge_close_frame (ctx, mark);
}

gpueig_status
ge_cuda_scan (gpueig_context *ctx, const ge_scan *s)
{
  return GE_CUDA_BY_TYPE (s->type, scan_typed, (ctx, s));
}
