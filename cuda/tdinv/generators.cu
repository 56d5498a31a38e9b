/* The generators of a tridiagonal inverse on the GPU: the recurrences of
   core/methods/tdinv/generators_typed.c as parallel scans (tdinv/scan.cuh), for matrices
   of any order.  one_cluster.cu does the same in one launch for orders that fit
   in shared memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Kernel scan_chunks multiplies the steps of chunks and scans within spans;
   kernel run_chunks scans the products of the spans and repeats the steps.

   The product of matrices loses accuracy where the required solution of the
   recurrence decays relative to the other one.  Then the Wronskian t(j) s(j+1)
   - b c t(j-1) s(j+2), which equals the determinant for every j, is not
   constant.  It is tested for every j; where it deviates, one thread repeats
   the recurrence step by step.  */

#include "tdinv/scan.cuh"

/* Arguments of the kernels.  */
template <typename T> struct scan_data
{
  typedef typename wide_type<T>::type W;
  int64_t n, chunk;
  int spans;
  const T *c, *a, *b;
  run_of_steps<W>
      *steps; /* 2 tasks: by chunk, inclusive scan within its span */
  run_of_steps<W> *step_ends; /* 2 tasks: products of whole spans */
  run_of_factors<W> *factors, *factor_ends;
  W *t, *s;         /* leading and trailing minors, n + 1 */
  W *above, *below; /* cumulative products of -b and -c, n */
  int64_t *above_begin, *below_begin;
  tdinv_result *result;
};

enum
{
  CHUNKS = TDINV_WARP * TDINV_SPANS /* of a task, at most */
};

/* --- the rows of a chunk --- */

/* Rows FROM on in device memory, see scan.cuh; N and pointers are those of the
   matrix.  */
template <typename T> struct device_rows
{
  const T *c, *a, *b;
  int64_t n, from;
  int backward;

  __device__ __forceinline__ T
  off_diagonal (const T *e, int64_t r) const
  {
    const int64_t at = from + r - ! backward;
    return at >= 0 && at < n - 1 ? e[at] : T ();
  }
  __device__ __forceinline__ T
  diagonal (int64_t r) const
  {
    return a[from + r];
  }
  __device__ __forceinline__ T
  above (int64_t r) const
  {
    return off_diagonal (b, r);
  }
  __device__ __forceinline__ T
  below (int64_t r) const
  {
    return off_diagonal (c, r);
  }
};

/* The chunk of scan position K of a task: its first row and the number of its
   rows, maybe 0.  */
template <typename T>
GE_DEVICE_INLINE device_rows<T>
rows_of_chunk (const scan_data<T> *d, int backward, int k, int *count)
{
  const int64_t at = backward ? d->spans * TDINV_WARP - 1 - k : k;
  const int64_t from = at * d->chunk, left = d->n - from;
  const device_rows<T> rows = { d->c, d->a, d->b, d->n, from, backward };
  *count = (int) (left < 0 ? 0 : left < d->chunk ? left : d->chunk);
  return rows;
}

/* --- the two kernels of the scan ---

   Grid: (spans, 4), blocks of one warp.  blockIdx.y is the task: 0 leading
   minors, 1 trailing minors, 2 products of -b, 3 products of -c.  Thread k of a
   task has the chunk of scan position k.  */

/* Products of every chunk, scanned within spans.  */
template <typename T> GE_KERNEL (TDINV_WARP) scan_chunks (scan_data<T> d)
{
  typedef typename wide_type<T>::type W;
  const int task = blockIdx.y, k = blockIdx.x * TDINV_WARP + threadIdx.x;
  int count;
  if (k == 0 && task == 0)
    {
      tdinv_result none = { 0 };
      *d.result = none;
    }
  if (task < 2)
    {
      const device_rows<T> rows = rows_of_chunk (&d, task, k, &count);
      const run_of_steps<W> r = scan_warp (
          multiply_steps<W> (rows, task, count, is_moderate (rows, count)));
      d.steps[task * CHUNKS + k] = r;
      if (threadIdx.x == TDINV_WARP - 1)
        d.step_ends[task * TDINV_SPANS + blockIdx.x] = r;
    }
  else
    {
      const device_rows<T> rows = rows_of_chunk (&d, 0, k, &count);
      run_of_factors<W> r;
      make_identity (&r);
      for (int i = 0; i < count; i++)
        r = join (factor (task == 2 ? rows.above (i) : rows.below (i),
                          rows.from + i, r.product),
                  r);
      r = scan_warp (r);
      d.factors[(task - 2) * CHUNKS + k] = r;
      if (threadIdx.x == TDINV_WARP - 1)
        d.factor_ends[(task - 2) * TDINV_SPANS + blockIdx.x] = r;
    }
}

/* The element of the end of span LANE.  */
template <typename E>
GE_DEVICE_INLINE E
end_of_span (const E *ends, int spans)
{
  E end;
  make_identity (&end);
  return (int) threadIdx.x < spans ? ends[threadIdx.x] : end;
}

/* The recurrence within every chunk, from the state at its beginning.  The
   kernel boundary orders it after scan_chunks.  */
template <typename T> GE_KERNEL (TDINV_WARP) run_chunks (scan_data<T> d)
{
  typedef typename wide_type<T>::type W;
  const int task = blockIdx.y, k = blockIdx.x * TDINV_WARP + threadIdx.x;
  int count;
  if (task < 2)
    {
      const device_rows<T> rows = rows_of_chunk (&d, task, k, &count);
      const run_of_steps<W> before
          = run_before ((int) blockIdx.x,
                        end_of_span (d.step_ends + task * TDINV_SPANS, d.spans),
                        d.steps[task * CHUNKS + k]);
      if (k == 0)
        (task == 0 ? d.t[0] : d.s[d.n]) = wide_whole (1, W ());
      repeat_steps (rows, task, count, is_moderate (rows, count), before,
                    (task == 0 ? d.t + 1 : d.s) + rows.from);
    }
  else
    {
      const device_rows<T> rows = rows_of_chunk (&d, 0, k, &count);
      W *product = task == 2 ? d.above : d.below;
      int64_t *begin = task == 2 ? d.above_begin : d.below_begin;
      run_of_factors<W> r = run_before (
          (int) blockIdx.x,
          end_of_span (d.factor_ends + (task - 2) * TDINV_SPANS, d.spans),
          d.factors[(task - 2) * CHUNKS + k]);
      for (int i = 0; i < count; i++)
        {
          const int64_t j = rows.from + i;
          r = join (factor (task == 2 ? rows.above (i) : rows.below (i), j,
                            r.product),
                    r);
          product[j] = r.product;
          begin[j] = r.begin;
        }
    }
}

/* The minors by the sequential recurrence: two blocks of one thread, leading
   and trailing minors.  */
template <typename T>
static __global__ void
run_sequential (scan_data<T> d)
{
  typedef typename wide_type<T>::type W;
  const int backward = blockIdx.x;
  const device_rows<T> rows = { d.c, d.a, d.b, d.n, 0, backward };
  W x = wide_whole (1, W ()), y = wide_whole (0, W ());
  W *minor = backward ? d.s : d.t;
  minor[backward ? d.n : 0] = x;
  for (int64_t i = 0; i < d.n; i++)
    {
      const int64_t at = backward ? d.n - 1 - i : i;
      const W g = wide_mul (wide_entry (rows.above (at)),
                            wide_entry (rows.below (at)));
      const W next = wide_step (wide_entry (rows.diagonal (at)), x, g, y);
      y = x;
      x = next;
      minor[backward ? at : i + 1] = x;
    }
}

/* --- factors --- */

/* The largest exponent over the block of TDINV_GROUP threads, by a tree in
   shared memory.  */
static __device__ int64_t
top_of_group (int64_t e, int64_t *shared)
{
  __syncthreads ();
  shared[threadIdx.x] = e;
  __syncthreads ();
  for (int half = TDINV_GROUP / 2; half > 0; half /= 2)
    {
      if ((int) threadIdx.x < half
          && shared[threadIdx.x + half] > shared[threadIdx.x])
        shared[threadIdx.x] = shared[threadIdx.x + half];
      __syncthreads ();
    }
  return shared[0];
}

/* The factors of the inverse and the test of the Wronskian.  One block per
   group of TDINV_GROUP rows, one thread per row; shared memory is for the
   maximum of the exponents.  */
template <typename T>
GE_KERNEL (TDINV_GROUP)
find_factors (scan_data<T> d, tdinv_factors<ge_real<T>> f, tdinv_result *result)
{
  typedef typename wide_type<T>::type W;
  __shared__ int64_t shared[TDINV_GROUP];
  const int64_t n = d.n;
  const int64_t j = (int64_t) blockIdx.x * TDINV_GROUP + threadIdx.x;
  const W det = d.t[n];
  W u = wide_whole (0, W ()), p = u;
  if (det.e == WIDE_ZERO)
    {
      if (threadIdx.x == 0)
        result->zero = 1;
      return;
    }
  if (j < n)
    {
      const W one_over_det = inverse_of (det), t = d.t[j], s = d.s[j + 1];
      W v, q;
      make_factors (t, s, d.above[j], d.below[j], one_over_det, &u, &p, &v, &q);
      store_column (&f.v, j, v);
      store_column (&f.q, j, q);
      const int last = j == n - 1;
      if (wronskian_deviates (t, d.t[j + 1], s, last ? t : d.s[j + 2],
                              last ? T () : d.b[j], last ? T () : d.c[j],
                              one_over_det))
        result->deviates = 1;
    }
  const int64_t u_top = top_of_group (u.e, shared);
  const int64_t p_top = top_of_group (p.e, shared);
  if (threadIdx.x == 0)
    {
      f.u.top[blockIdx.x] = u_top;
      f.p.top[blockIdx.x] = p_top;
    }
  if (j >= n)
    return;
  store_row (&f.u, j, u, u_top);
  store_row (&f.p, j, p, p_top);
}

/* --- host --- */

template <typename T>
static gpueig_status
alloc_scan (gpueig_context *ctx, int64_t n, scan_data<T> *d)
{
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * CHUNKS, &d->steps));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * TDINV_SPANS, &d->step_ends));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * CHUNKS, &d->factors));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * TDINV_SPANS, &d->factor_ends));
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, n + 1, &d->t, &d->s));
  return ge_alloc_each (ctx, GE_DEVICE, n, &d->above, &d->below);
}

template <typename T>
gpueig_status
tdinv_cuda_generate (gpueig_context *ctx, int64_t n, const T *c, const T *a,
                     const T *b, int sequential, tdinv_factors<ge_real<T>> *f,
                     tdinv_result *result)
{
  scan_data<T> d;
  int mark = ge_mark (ctx);
  GE_TRY (alloc_scan (ctx, n, &d));
  d.n = n;
  d.c = c;
  d.a = a;
  d.b = b;
  d.chunk = tdinv_chunk (n);
  d.spans = tdinv_spans (n);
  d.above_begin = f->above;
  d.below_begin = f->below;
  d.result = result;
  f->ready = NULL;
  dim3 grid ((unsigned) d.spans, 4);
  GE_LAUNCH (scan_chunks<T>, grid, TDINV_WARP, 0, d);
  GE_LAUNCH (run_chunks<T>, grid, TDINV_WARP, 0, d);
  if (sequential)
    GE_LAUNCH (run_sequential<T>, 2, 1, 0, d);
  unsigned groups = ge_blocks (n, TDINV_GROUP);
  GE_LAUNCH (find_factors<T>, groups, TDINV_GROUP, 0, d, *f, result);
  /* Memory released here is reused in stream order only, also by the side
     stream, which waits for an event recorded after these kernels.  */
  return ge_close_frame (ctx, mark);
}

GE_INSTANTIATE (tdinv_cuda_generate)
