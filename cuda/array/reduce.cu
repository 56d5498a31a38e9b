/* Sums, largest and smallest elements, and their positions, along one dimension.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Every pass combines chunks of fixed length, so that the order of a sum depends on the
   size of the array alone.  Of one column the last block that has combined a chunk combines
   the results of all: a launch more would take longer than many a sum.  */

#include "array/combine.cuh"

#include <cub/block/block_reduce.cuh>

#include <type_traits>

enum
{
  THREADS = 256,
  WIDE = 1024,    /* threads of a block for columns that it alone combines */
  ROW_CHUNK = 64, /* elements that one thread combines, LEFT apart */
  EACH = 16, /* contiguous elements that one block combines, for each thread */
  AHEAD = 8, /* of them a thread loads before it combines the first */
  ANY_OPERATION = -1 /* OPERATION of the kernel that reads it at run time */
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

/* The elements of R or, with FACTORS, of one column, their products with these: X[i] FACTORS[i], or
   conj (X[i]) FACTORS[i].  */
typedef struct
{
  ge_reduction r;
  const void *factors;
  int conjugates;
} reduction_terms;

/* X or conj (X), times FACTOR.  */
template <typename E>
GE_DEVICE_INLINE E
multiplied (E x, E factor, int conjugates)
{
  if constexpr (is_pair<E>::value)
    x.im = conjugates ? -x.im : x.im;
  return co_combine (GE_PRODUCT, x, factor);
}

/* The term that is summed or compared, of type O: real for operations that do not keep
   elements.  TO: the place of the result of the element, which is the one at position AT, with
   FACTOR if there are factors.  */
template <typename O, typename E>
GE_DEVICE_INLINE O
term_of (const reduction_terms &t, E x, E factor, int64_t to, int64_t at)
{
  const ge_reduction &r = t.r;
  if constexpr (std::is_same<O, placed<E>>::value)
    return { x, at };
  else if constexpr (std::is_same<O, E>::value && ! std::is_arithmetic<E>::value
                     && ! is_pair<E>::value)
    return x;
  else
    {
      if (r.center)
        x = co_minus (x, ((const E *) r.center)[to]);
      if (t.factors)
        x = multiplied (x, factor, t.conjugates);
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
reduce_rows_kernel (reduction_terms t, int64_t chunks)
{
  const ge_reduction &r = t.r;
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
              const O term = term_of<O> (t, next[u], next[u], at, k + u);
              s = k + u == from ? term : both (s, term);
            }
        }
      set_result (r, i, s);
    }
}

/* The combination of chunk I, of EACH * WIDTH elements, of CHUNKS in each column, for thread 0 of a
   block.  */
template <typename E, typename O, int WIDTH>
GE_DEVICE_INLINE O
combine_chunk (const reduction_terms &t, int64_t i, int64_t chunks,
               typename cub::BlockReduce<O, WIDTH>::TempStorage &storage)
{
  const ge_reduction &r = t.r;
  const combination<O> both = { r.op };
  const int64_t from = i % chunks * EACH * WIDTH;
  const int64_t left = r.n - from;
  const int count = (int) (left < EACH * WIDTH ? left : EACH * WIDTH);
  const E *x = (const E *) r.x + r.n * (i / chunks) + from,
          *factors = (const E *) t.factors + (t.factors ? from : 0);
  O s = O ();
  for (int k = threadIdx.x; k < count; k += AHEAD * WIDTH)
    {
      E next[AHEAD], factor[AHEAD];
#pragma unroll
      for (int u = 0; u < AHEAD && k + u * WIDTH < count; u++)
        {
          next[u] = x[k + u * WIDTH];
          factor[u] = t.factors ? factors[k + u * WIDTH] : next[u];
        }
#pragma unroll
      for (int u = 0; u < AHEAD && k + u * WIDTH < count; u++)
        {
          const O term = term_of<O> (t, next[u], factor[u], i / chunks,
                                     from + k + u * WIDTH);
          s = k + u == (int) threadIdx.x ? term : both (s, term);
        }
    }
  return cub::BlockReduce<O, WIDTH> (storage).Reduce (
      s, both, count < WIDTH ? count : WIDTH);
}

/* Combine chunks of EACH * WIDTH elements, one block each; LEFT = 1.  ARRIVED, if it is not NULL, is
   zero: the block that is the last to add one to it combines the results in one chunk, REST, and
   makes it zero again.  OPERATION: that of T, or ANY_OPERATION.  */
template <typename E, typename O, int WIDTH, int OPERATION>
GE_KERNEL (WIDTH)
reduce_columns_kernel (reduction_terms t, int64_t chunks, reduction_terms rest,
                       unsigned *arrived)
{
  if (OPERATION != ANY_OPERATION)
    {
      t.r.op = (ge_reduce_op) OPERATION;
      rest.r.op = GE_SUM;
    }
  __shared__ typename cub::BlockReduce<O, WIDTH>::TempStorage storage;
  __shared__ int is_last;
  for (int64_t i = blockIdx.x; i < chunks * t.r.right; i += gridDim.x)
    {
      const O s = combine_chunk<E, O, WIDTH> (t, i, chunks, storage);
      if (threadIdx.x == 0)
        set_result (t.r, i, s);
      __syncthreads (); /* STORAGE is used again */
    }
  if (! arrived)
    return;
  if (threadIdx.x == 0)
    {
      __threadfence ();
      is_last = atomicAdd (arrived, 1) == gridDim.x - 1;
      __threadfence ();
    }
  __syncthreads ();
  if (! is_last)
    return;
  const O s = combine_chunk<O, O, WIDTH> (rest, 0, 1, storage);
  if (threadIdx.x == 0)
    {
      set_result (rest.r, 0, s);
      *arrived = 0;
    }
}

/* --- passes --- */

static int
width_of (const ge_reduction &r)
{
  return r.left == 1 && r.n > EACH * THREADS && r.n <= EACH * WIDE ? WIDE
                                                                   : THREADS;
}

/* The kernel for T; sums and sums of squares, which programs wait for in each step of an
   iteration, have their own.  */
template <typename E, typename O>
static auto
columns_kernel_for (const reduction_terms &t)
{
  if constexpr (std::is_same<E, O>::value
                && (std::is_arithmetic<E>::value || is_pair<E>::value))
    if (t.r.op == GE_SUM)
      return reduce_columns_kernel<E, O, THREADS, GE_SUM>;
  if constexpr (std::is_arithmetic<O>::value)
    if (t.r.op == GE_SUM_SQUARES)
      return reduce_columns_kernel<E, O, THREADS, GE_SUM_SQUARES>;
  return reduce_columns_kernel<E, O, THREADS, ANY_OPERATION>;
}

/* One pass of T with results of type O in t.r.to and, if REST is not NULL, the pass REST of these.  */
template <typename E, typename O>
static gpueig_status
run_pass (gpueig_context *ctx, const reduction_terms &t, int64_t chunks,
          const reduction_terms *rest)
{
  const ge_reduction &r = t.r;
  unsigned *const arrived = rest ? ge_cuda_of (ctx)->arrived : NULL;
  int64_t blocks = chunks * r.right;
  if (r.left > 1)
    blocks = (r.left * blocks + THREADS - 1) / THREADS;
  blocks = blocks < INT32_MAX ? blocks : INT32_MAX;
  if (r.left > 1)
    GE_LAUNCH ((reduce_rows_kernel<E, O>), (unsigned) blocks, THREADS, 0, t,
               chunks);
  else if (width_of (r) == WIDE)
    GE_LAUNCH ((reduce_columns_kernel<E, O, WIDE, ANY_OPERATION>),
               (unsigned) blocks, WIDE, 0, t, chunks, t, NULL);
  else
    GE_LAUNCH_AS ("reduce_columns_kernel", (columns_kernel_for<E, O> (t)),
                  (unsigned) blocks, THREADS, 0, t, chunks, rest ? *rest : t,
                  arrived);
  return GPUEIG_OK;
}

/* The reduction of COUNT results of a pass, which are elements of R.  */
static reduction_terms
terms_of_results (ge_reduction r, int64_t count, const void *results)
{
  /* partial sums of moduli and squares are added */
  if (r.op == GE_SUM_ABS || r.op == GE_SUM_SQUARES)
    r.op = GE_SUM;
  r.x = results;
  r.center = NULL;
  r.n = count;
  return { r, NULL, 0 };
}

template <typename E, typename O>
static gpueig_status
run_passes (gpueig_context *ctx, reduction_terms t)
{
  const int mark = ge_mark (ctx);
  int first = 1;
  for (;;)
    {
      const ge_reduction whole = t.r;
      const int64_t chunk
          = whole.left > 1 ? ROW_CHUNK : EACH * width_of (whole);
      const int64_t chunks = (whole.n + chunk - 1) / chunk;
      const int is_last = chunks == 1;
      const int ends = ! is_last && whole.left == 1 && whole.right == 1
                       && chunks <= EACH * THREADS;
      O *partial = (O *) whole.to;
      if (! is_last)
        {
          GE_TRY (GE_ALLOC (ctx, GE_DEVICE, whole.left * chunks * whole.right,
                            &partial));
          t.r.to = partial;
          t.r.divisor = t.r.root = 0;
          t.r.at = NULL;
        }
      const reduction_terms rest = terms_of_results (whole, chunks, partial);
      if (first)
        GE_TRY ((run_pass<E, O> (ctx, t, chunks, ends ? &rest : NULL)));
      else
        GE_TRY ((run_pass<O, O> (ctx, t, chunks, ends ? &rest : NULL)));
      if (is_last || ends)
        return ge_close_frame (ctx, mark);
      t = rest;
      first = 0;
    }
}

template <typename T>
static gpueig_status
reduce (gpueig_context *ctx, const ge_reduction *r)
{
  typedef typename element_of<T>::type E;
  if (r->at)
    return run_passes<E, placed<E>> (ctx, { *r, NULL, 0 });
  if (ge_keeps_elements (r->op))
    return run_passes<E, E> (ctx, { *r, NULL, 0 });
  return run_passes<E, ge_real<T>> (ctx, { *r, NULL, 0 });
}

gpueig_status
ge_cuda_reduce (gpueig_context *ctx, const ge_reduction *r)
{
  return GE_CUDA_BY_TYPE (r->type, reduce, (ctx, r));
}

template <typename T>
static gpueig_status
dot (gpueig_context *ctx, const ge_reduction &sum, int conjugates,
     const void *factors)
{
  typedef typename element_of<T>::type E;
  return run_passes<E, E> (ctx, { sum, factors, conjugates });
}

gpueig_status
ge_cuda_dot (gpueig_context *ctx, gpueig_type type, int64_t n, int conjugates,
             const void *x, const void *y, void *to)
{
  ge_reduction sum = {};
  sum.op = GE_SUM;
  sum.type = type;
  sum.left = sum.right = 1;
  sum.n = n;
  sum.x = x;
  sum.to = to;
  return GE_CUDA_BY_TYPE (type, dot, (ctx, sum, conjugates, y));
}
