/* Sums, largest and smallest elements, and their positions, along one dimension.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Every pass combines chunks of fixed length, so that the order of a sum depends on the
   size of the array alone.  */

#include "array/combine.cuh"

#include <cub/block/block_reduce.cuh>

#include <type_traits>

enum
{
  THREADS = 256,
  WIDE = 1024,    /* threads of a block for columns that it alone combines */
  ROW_CHUNK = 64, /* elements that one thread combines, LEFT apart */
  EACH = 16, /* contiguous elements that one block combines, for each thread */
  AHEAD = 8  /* of them a thread loads before it combines the first */
};

/* --- one element --- */

/* An element and its position, from 0.  */
template <typename E> struct placed
{
  E value;
  int64_t at;
};

/* Where no element precedes the other, the first in memory is taken.  */
template <typename E> struct combination<placed<E>>
{
  ge_reduce_op op;
  __device__ __forceinline__ placed<E>
  operator() (placed<E> x, placed<E> y) const
  {
    const int smallest = op == GE_SMALLEST;
    if (co_precedes (y.value, x.value, smallest))
      return y;
    return x.at < y.at || co_precedes (x.value, y.value, smallest) ? x : y;
  }
};

/* The term that is summed or compared, of type O: real for operations that do not keep
   elements.  TO: the place of the result of the element, which is the one at position AT.  */
template <typename O, typename E>
GE_DEVICE_INLINE O
term_of (const ge_reduction &r, E x, int64_t to, int64_t at)
{
  if constexpr (std::is_same<O, placed<E>>::value)
    return { x, at };
  else if constexpr (std::is_same<O, E>::value && ! std::is_arithmetic<E>::value
                     && ! is_pair<E>::value)
    return x;
  else
    {
      if (r.center)
        x = co_minus (x, ((const E *) r.center)[to]);
      const E term = co_term (r.op, x);
      if constexpr (is_pair<E>::value && ! is_pair<O>::value)
        return term.re;
      else
        return term;
    }
}

/* Set result I.  */
template <typename O>
GE_DEVICE_INLINE void
set_result (const ge_reduction &r, int64_t i, O s)
{
  ((O *) r.to)[i] = co_finish (r.divisor, r.root, s);
}

template <typename E>
GE_DEVICE_INLINE void
set_result (const ge_reduction &r, int64_t i, placed<E> s)
{
  if (r.at)
    {
      ((E *) r.to)[i] = s.value;
      r.at[i] = (double) (s.at + 1);
    }
  else
    ((placed<E> *) r.to)[i] = s;
}

/* --- kernels --- */

/* TO (left-by-chunks-by-right): the combinations of ROW_CHUNK elements of X each.  */
template <typename E, typename O>
GE_KERNEL (THREADS)
reduce_rows_kernel (ge_reduction r, int64_t chunks)
{
  const combination<O> both = { r.op };
  const int64_t count = r.left * chunks * r.right;
  const int64_t step = (int64_t) gridDim.x * THREADS;
  for (int64_t i = (int64_t) blockIdx.x * THREADS + threadIdx.x; i < count;
       i += step)
    {
      const int64_t row = i % r.left, chunk = i / r.left % chunks,
                    page = i / r.left / chunks;
      const int64_t from = chunk * ROW_CHUNK;
      const int64_t stop = from + ROW_CHUNK < r.n ? from + ROW_CHUNK : r.n;
      const int64_t at = row + r.left * page;
      const E *x = (const E *) r.x + row + r.left * r.n * page;
      O s = O ();
      for (int64_t k = from; k < stop; k += AHEAD)
        {
          E next[AHEAD];
#pragma unroll
          for (int u = 0; u < AHEAD && k + u < stop; u++)
            next[u] = x[r.left * (k + u)];
#pragma unroll
          for (int u = 0; u < AHEAD && k + u < stop; u++)
            {
              const O term = term_of<O> (r, next[u], at, k + u);
              s = k + u == from ? term : both (s, term);
            }
        }
      set_result (r, i, s);
    }
}

/* Combine chunks of EACH * WIDTH elements, one block each; LEFT = 1.  */
template <typename E, typename O, int WIDTH>
GE_KERNEL (WIDTH)
reduce_columns_kernel (ge_reduction r, int64_t chunks)
{
  typedef cub::BlockReduce<O, WIDTH> block_reduce;
  __shared__ typename block_reduce::TempStorage storage;
  const combination<O> both = { r.op };
  for (int64_t i = blockIdx.x; i < chunks * r.right; i += gridDim.x)
    {
      const int64_t from = i % chunks * EACH * WIDTH;
      const int64_t left = r.n - from;
      const int count = (int) (left < EACH * WIDTH ? left : EACH * WIDTH);
      const E *x = (const E *) r.x + r.n * (i / chunks) + from;
      O s = O ();
      for (int k = threadIdx.x; k < count; k += AHEAD * WIDTH)
        {
          E next[AHEAD];
#pragma unroll
          for (int u = 0; u < AHEAD && k + u * WIDTH < count; u++)
            next[u] = x[k + u * WIDTH];
#pragma unroll
          for (int u = 0; u < AHEAD && k + u * WIDTH < count; u++)
            {
              const O term
                  = term_of<O> (r, next[u], i / chunks, from + k + u * WIDTH);
              s = k + u == (int) threadIdx.x ? term : both (s, term);
            }
        }
      s = block_reduce (storage).Reduce (s, both,
                                         count < WIDTH ? count : WIDTH);
      if (threadIdx.x == 0)
        set_result (r, i, s);
      __syncthreads (); /* STORAGE is used again */
    }
}

/* --- passes --- */

static int
width_of (const ge_reduction &r)
{
  return r.left == 1 && r.n > EACH * THREADS && r.n <= EACH * WIDE ? WIDE
                                                                   : THREADS;
}

/* One pass of R with results of type O in r.to.  */
template <typename E, typename O>
static gpueig_status
run_pass (gpueig_context *ctx, const ge_reduction &r, int64_t chunks)
{
  int64_t blocks = chunks * r.right;
  if (r.left > 1)
    blocks = (r.left * blocks + THREADS - 1) / THREADS;
  blocks = blocks < INT32_MAX ? blocks : INT32_MAX;
  if (r.left > 1)
    GE_LAUNCH ((reduce_rows_kernel<E, O>), (unsigned) blocks, THREADS, 0, r,
               chunks);
  else if (width_of (r) == WIDE)
    GE_LAUNCH ((reduce_columns_kernel<E, O, WIDE>), (unsigned) blocks, WIDE, 0,
               r, chunks);
  else
    GE_LAUNCH ((reduce_columns_kernel<E, O, THREADS>), (unsigned) blocks,
               THREADS, 0, r, chunks);
  return GPUEIG_OK;
}

template <typename E, typename O>
static gpueig_status
run_passes (gpueig_context *ctx, ge_reduction r)
{
  const int mark = ge_mark (ctx);
  const ge_reduction whole = r;
  int first = 1;
  for (;;)
    {
      const int64_t chunk = r.left > 1 ? ROW_CHUNK : EACH * width_of (r);
      const int64_t chunks = (r.n + chunk - 1) / chunk;
      O *partial = (O *) whole.to;
      if (chunks > 1)
        GE_TRY (GE_ALLOC (ctx, GE_DEVICE, r.left * chunks * r.right, &partial));
      r.to = partial;
      r.divisor = chunks > 1 ? 0 : whole.divisor;
      r.root = chunks > 1 ? 0 : whole.root;
      r.at = chunks > 1 ? NULL : whole.at;
      if (first)
        GE_TRY ((run_pass<E, O> (ctx, r, chunks)));
      else
        GE_TRY ((run_pass<O, O> (ctx, r, chunks)));
      if (chunks == 1)
        break;
      /* partial sums of moduli and squares are added */
      if (r.op == GE_SUM_ABS || r.op == GE_SUM_SQUARES)
        r.op = GE_SUM;
      r.x = partial;
      r.center = NULL;
      r.n = chunks;
      first = 0;
    }
  return ge_close_frame (ctx, mark);
}

template <typename T>
static gpueig_status
reduce (gpueig_context *ctx, const ge_reduction *r)
{
  typedef typename element_of<T>::type E;
  if (r->at)
    return run_passes<E, placed<E>> (ctx, *r);
  if (ge_keeps_elements (r->op))
    return run_passes<E, E> (ctx, *r);
  return run_passes<E, ge_real<T>> (ctx, *r);
}

gpueig_status
ge_cuda_reduce (gpueig_context *ctx, const ge_reduction *r)
{
  return GE_CUDA_BY_TYPE (r->type, reduce, (ctx, r));
}
