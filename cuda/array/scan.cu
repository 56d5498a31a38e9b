/* Sums, products and extremes up to each element along one dimension.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The dimension is cut into chunks of fixed length: the totals of the chunks, their scan in
   the same way, and then every chunk from the total before it.  The order of a sum
   depends on the size of the array alone.  */

#include "array/combine.cuh"

enum
{
  THREADS = 256,
  CHUNK = 32
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
static __global__ void
__launch_bounds__ (THREADS)
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

template <typename E>
static gpueig_status
scan (gpueig_context *ctx, const ge_scan *r, int64_t n, const E *x, E *to)
{
  const cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const int64_t chunks = (n + CHUNK - 1) / CHUNK;
  const chunk_shape shape
      = { r->op, r->left, n, chunks, r->left * chunks * r->right };
  const int64_t blocks = (shape.count + THREADS - 1) / THREADS;
  const unsigned grid = (unsigned) (blocks < 65535 ? blocks : 65535);
  E *totals = NULL;
  if (chunks > 1)
    {
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, shape.count, &totals));
      GE_LAUNCH_AS ("chunk_kernel", (chunk_kernel<E, false>), grid, THREADS, 0,
                    stream)
      (shape, x, to, totals);
      LAUNCHED ();
      GE_TRY (scan (ctx, r, chunks, totals, totals));
    }
  GE_LAUNCH_AS ("chunk_kernel", (chunk_kernel<E, true>), grid, THREADS, 0,
                stream)
  (shape, x, to, totals);
  LAUNCHED ();
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
scan_typed (gpueig_context *ctx, const ge_scan *s)
{
  typedef typename element_of<T>::type E;
  const int mark = ge_mark (ctx);
  GE_TRY (scan (ctx, s, s->n, (const E *) s->x, (E *) s->to));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_scan (gpueig_context *ctx, const ge_scan *s)
{
  return GE_CUDA_BY_TYPE (s->type, scan_typed, (ctx, s));
}
