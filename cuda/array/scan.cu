/* Sums and products up to each element along one dimension.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The dimension is cut into chunks of fixed length: the totals of the chunks, their scan in
   the same way, and then every chunk from the total before it.  The order of a sum
   depends on the size of the array alone.  */

#include "array/array.cuh"

enum
{
  THREADS = 256,
  CHUNK = 32
};

template <bool PRODUCT, typename R>
GE_DEVICE_INLINE R
combine (R x, R y)
{
  return PRODUCT ? x * y : x + y;
}
template <bool PRODUCT>
GE_DEVICE_INLINE ge_number_s
combine (ge_number_s x, ge_number_s y)
{
  return PRODUCT ? el_times (x, y) : el_number (x.re + y.re, x.im + y.im);
}
template <bool PRODUCT>
GE_DEVICE_INLINE ge_number_d
combine (ge_number_d x, ge_number_d y)
{
  return PRODUCT ? el_times (x, y) : el_number (x.re + y.re, x.im + y.im);
}

/* X and TO, left-by-n-by-right, in CHUNKS chunks along n.  A thread has one chunk, threads
   that follow each other the same chunk of the rows that follow.  TOTALS are
   left-by-chunks-by-right.  */
typedef struct
{
  int64_t left, n, chunks, count;
} chunk_shape;

/* WRITE: the scan of each chunk, from TOTALS of the chunk before it, if there are any;
   otherwise the totals of all chunks.  */
template <typename E, bool PRODUCT, bool WRITE>
static __global__ void
__launch_bounds__ (THREADS)
    chunk_kernel (chunk_shape s, const E *x, E *to, E *totals)
{
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
        sum = combine<PRODUCT> (totals[t - s.left], sum);
      if (WRITE)
        to[base + s.left * first] = sum;
      for (int64_t k = first + 1; k < end; k++)
        {
          sum = combine<PRODUCT> (sum, x[base + s.left * k]);
          if (WRITE)
            to[base + s.left * k] = sum;
        }
      if (! WRITE)
        totals[t] = sum;
    }
}

template <typename E, bool PRODUCT>
static gpueig_status
scan (gpueig_context *ctx, int64_t left, int64_t n, int64_t right, const E *x,
      E *to)
{
  const cudaStream_t stream = ge_cuda_of (ctx)->stream;
  const int64_t chunks = (n + CHUNK - 1) / CHUNK;
  const chunk_shape shape = { left, n, chunks, left * chunks * right };
  const int64_t blocks = (shape.count + THREADS - 1) / THREADS;
  const unsigned grid = (unsigned) (blocks < 65535 ? blocks : 65535);
  E *totals = NULL;
  if (chunks > 1)
    {
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, shape.count, &totals));
      GE_LAUNCH_AS ("chunk_kernel", (chunk_kernel<E, PRODUCT, false>), grid,
                    THREADS, 0, stream)
      (shape, x, to, totals);
      LAUNCHED ();
      GE_TRY ((scan<E, PRODUCT> (ctx, left, chunks, right, totals, totals)));
    }
  GE_LAUNCH_AS ("chunk_kernel", (chunk_kernel<E, PRODUCT, true>), grid, THREADS,
                0, stream)
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
  const E *x = (const E *) s->x;
  E *to = (E *) s->to;
  GE_TRY (s->product ? (scan<E, true> (ctx, s->left, s->n, s->right, x, to))
                     : (scan<E, false> (ctx, s->left, s->n, s->right, x, to)));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_scan (gpueig_context *ctx, const ge_scan *s)
{
  return GE_CUDA_BY_TYPE (s->type, scan_typed, (ctx, s));
}
