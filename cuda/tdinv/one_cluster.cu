/* The generators of a tridiagonal inverse and its norms by one thread block
   cluster, in one launch, for orders that fit in its shared memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The recurrences are those of generators.cu, with the same bits (tdinv/scan.cuh);
   a block has one or two spans of rows.  The elements are fetched once, all
   intermediate results stay in shared memory, and blocks exchange theirs through
   distributed shared memory, so that no step waits for device memory.

   The kernel that writes X begins before this one has ended (programmatic
   dependent launch): its blocks are resident and have written zeros when the
   generators are ready, which the counter READY of tdinv_result signals.  The test
   of the Wronskian and the norms follow after the signal, while X is being
   written.  */

#include "base/launch.cuh"
#include "tdinv/one_cluster.cuh"
#include "tdinv/cluster_norms.cuh"

enum
{
  BLOCKS = 16,             /* of the cluster, at most */
  WORKERS = 8,             /* warps of a block that scan */
  STATIC_SHARED = 20 << 10 /* bytes of a block, at most */
};

/* --- elements --- */

/* The rows of a chunk, see scan.cuh.  */
template <typename T> struct shared_rows
{
  const T *c, *a, *b;

  __device__ __forceinline__ T
  diagonal (int r) const
  {
    return a[r];
  }
  __device__ __forceinline__ T
  above (int r) const
  {
    return b[r];
  }
  __device__ __forceinline__ T
  below (int r) const
  {
    return c[r];
  }
};

template <typename T>
GE_DEVICE_INLINE shared_rows<T>
rows_from (const block_rows<T> *m, int backward, int slot)
{
  const int off = slot + backward;
  const shared_rows<T> rows = { m->c + off, m->a + slot + 1, m->b + off };
  return rows;
}

/* Called by the first WORKERS warps.  Elements outside the matrix are zero.
   Nonzero if those that this thread has fetched are moderate.  */
template <typename T>
GE_DEVICE_INLINE int
fetch_rows (const cluster_data<T> *d, const block_rows<T> *m, int first)
{
  int moderate = 1;
#pragma unroll 3
  for (int k = threadIdx.x; k < d->slots; k += WORKERS * TDINV_WARP)
    {
      const int at = first + k - quotient (k, d->by_slots) - 1;
      T a = T (), b = a, c = a;
      if (at >= 0 && at < d->n)
        a = d->a[at];
      if (at >= 0 && at < d->n - 1)
        {
          b = d->b[at];
          c = d->c[at];
        }
      m->a[k] = a;
      m->b[k] = b;
      m->c[k] = c;
      moderate &= is_moderate (wide_raw (c)) & is_moderate (wide_raw (b))
                  & is_moderate (wide_raw (a));
    }
  return moderate;
}

/* --- the scans --- */

/* The part of a warp: the span HALF of its block in task TASK, 0 leading minors,
   1 trailing minors, 2 products of -b, 3 products of -c; none if TASK is -1.
   SPAN is its position in the scan; its lane has the chunk at SLOT, COUNT rows
   from row ROW on.  The first warps, one per scheduler, have the minors, which
   take longer.  */
typedef struct
{
  int task, half, span, slot, row, count;
} warp_part;

template <typename T>
GE_DEVICE_INLINE warp_part
part_of_warp (const cluster_data<T> *d)
{
  const int warp = threadIdx.x / TDINV_WARP, lane = threadIdx.x % TDINV_WARP;
  const int half = warp / 2 % 2, span = cluster_rank () * d->per_block + half;
  warp_part w = { -1, half, span, 0, 0, 0 };
  if (warp >= WORKERS || half >= d->per_block || span >= d->spans)
    return w;
  w.task = warp / 4 * 2 + warp % 2;
  const int backward = w.task == 1;
  const int chunk
      = half * TDINV_WARP + (backward ? TDINV_WARP - 1 - lane : lane);
  w.slot = chunk * (d->chunk + 1);
  w.row = cluster_rank () * d->rows + chunk * d->chunk;
  w.count = max (min (d->chunk, d->n - w.row), 0);
  if (backward)
    w.span = d->spans - 1 - span;
  return w;
}

/* Copy PRODUCT, that of a span of this block, which the last lane has stored in OWN, to
   the same place of ALL[rank of this block] in all blocks.  A warp writes consecutive
   words of one block, since stores to different blocks are served one after the
   other.  To read the products after the barrier took longer.  */
template <typename E, typename W>
GE_DEVICE_INLINE void
send_to_blocks (const E *product, span_ends<W> *own, span_ends<W> *all)
{
  const int lane = threadIdx.x % TDINV_WARP;
  const int words = (int) (sizeof *product / sizeof (uint64_t));
  uint64_t *to = (uint64_t *) ((char *) (all + cluster_rank ())
                               + ((const char *) product - (const char *) own));
  this_warp ().sync ();
  if (lane < words)
    {
      const uint64_t word = ((const uint64_t *) product)[lane];
#pragma unroll 4
      for (int k = 0; k < cluster_size (); k++)
        *in_block (to + lane, k) = word;
    }
}

/* The span of scan position LANE; nonzero if there is one.  */
template <typename T>
GE_DEVICE_INLINE int
span_of_lane (const cluster_data<T> *d, int backward, int *block, int *half)
{
  const int lane = threadIdx.x % TDINV_WARP;
  const int span = backward ? d->spans - 1 - lane : lane;
  *block = span >> (d->per_block - 1);
  *half = span & (d->per_block - 1);
  return lane < d->spans;
}

template <typename T>
GE_DEVICE_INLINE run_of_steps<typename wide_type<T>::type>
multiply_chunk (const cluster_data<T> *d, const block_rows<T> *m,
                span_ends<typename wide_type<T>::type> *ends,
                span_ends<typename wide_type<T>::type> *all, warp_part w,
                int moderate)
{
  typedef typename wide_type<T>::type W;
  const shared_rows<T> rows = rows_from (m, w.task, w.slot);
  const run_of_steps<W> run
      = scan_warp (multiply_steps<W> (rows, w.task, w.count, moderate));
  if (threadIdx.x % TDINV_WARP == TDINV_WARP - 1)
    ends->steps[w.task][w.half] = run;
  send_to_blocks (&ends->steps[w.task][w.half], ends, all);
  return run;
}

template <typename T>
GE_DEVICE_INLINE void
repeat_chunk (const cluster_data<T> *d, const block_rows<T> *m,
              const span_ends<typename wide_type<T>::type> *all, warp_part w,
              int moderate, run_of_steps<typename wide_type<T>::type> run)
{
  typedef typename wide_type<T>::type W;
  const shared_rows<T> rows = rows_from (m, w.task, w.slot);
  run_of_steps<W> end;
  int block, half;
  make_identity (&end);
  if (span_of_lane (d, w.task, &block, &half))
    end = all[block].steps[w.task][half];
  repeat_steps (rows, w.task, w.count, moderate, run_before (w.span, end, run),
                (w.task == 0 ? m->t : m->s) + w.slot);
}

/* The element of row I of a chunk, in task 2 or 3.  */
template <typename T, typename W>
GE_DEVICE_INLINE run_of_factors<W>
factor_at (const block_rows<T> *m, warp_part w, int i, W like)
{
  const T *e = w.task == 2 ? m->b : m->c;
  return factor (e[w.slot + i], w.row + i, like);
}

template <typename T>
GE_DEVICE_INLINE run_of_factors<typename wide_type<T>::type>
multiply_factors (const block_rows<T> *m,
                  span_ends<typename wide_type<T>::type> *ends,
                  span_ends<typename wide_type<T>::type> *all, warp_part w)
{
  typedef typename wide_type<T>::type W;
  run_of_factors<W> run;
  make_identity (&run);
#pragma unroll 1
  for (int i = 0; i < w.count; i++)
    run = join (factor_at (m, w, i, run.product), run);
  run = scan_warp (run);
  if (threadIdx.x % TDINV_WARP == TDINV_WARP - 1)
    ends->factors[w.task - 2][w.half] = run;
  send_to_blocks (&ends->factors[w.task - 2][w.half], ends, all);
  return run;
}

template <typename T>
GE_DEVICE_INLINE void
repeat_factors (const cluster_data<T> *d, const block_rows<T> *m,
                const span_ends<typename wide_type<T>::type> *all, warp_part w,
                run_of_factors<typename wide_type<T>::type> run)
{
  typedef typename wide_type<T>::type W;
  W *product = (w.task == 2 ? m->above : m->below) + w.slot;
  int *begin = (w.task == 2 ? m->above_begin : m->below_begin) + w.slot;
  run_of_factors<W> end;
  int block, half;
  make_identity (&end);
  if (span_of_lane (d, 0, &block, &half))
    end = all[block].factors[w.task - 2][half];
  run = run_before (w.span, end, run);
#pragma unroll 1
  for (int i = 0; i < w.count; i++)
    {
      run = join (factor_at (m, w, i, run.product), run);
      product[i] = run.product;
      begin[i] = (int) run.begin;
    }
}

/* --- factors --- */

/* t(i+1) or s(i) of row I of the matrix, the row R of this block, which may be one
   or two rows outside of it; 1 outside of the matrix.  */
template <typename W, typename T>
GE_DEVICE_INLINE W
minor_at (const cluster_data<T> *d, const W *minors, int i, int r)
{
  int rank = cluster_rank ();
  if (i < 0 || i >= d->n)
    return wide_whole (1, W ());
  if (r < 0 || r >= d->rows)
    {
      rank += r < 0 ? -1 : 1;
      r += r < 0 ? d->rows : -d->rows;
      return in_block (minors, rank)[slot_of (d, r)];
    }
  return minors[slot_of (d, r)];
}

/* The modulus of a factor as it is stored, its mantissa maybe larger than 2.  */
template <typename R>
GE_DEVICE_INLINE ge_size
size_of_factor (ge_wide x, R)
{
  return { fabs ((double) (R) x.re.hi), x.e };
}
template <typename R>
GE_DEVICE_INLINE ge_size
size_of_factor (ge_wide_pair x, R)
{
  const double re = (R) x.re.hi, im = (R) x.im.hi;
  return { sqrt (re * re + im * im), x.e };
}

/* The exponent for a maximum of 32 bits; of orders that fit in shared memory
   only WIDE_ZERO exceeds them.  */
GE_DEVICE_INLINE int
short_exponent (int64_t e)
{
  return e == WIDE_ZERO ? INT32_MIN : (int) e;
}
GE_DEVICE_INLINE int64_t
long_exponent (int e)
{
  return e == INT32_MIN ? WIDE_ZERO : e;
}

/* The factors of the rows of this block, to device memory, and their moduli.  A
   thread has one row at a time; the maximum of the exponents is that of the
   warps of a group of rows.  */
template <typename T>
GE_DEVICE_INLINE void
find_factors (const cluster_data<T> *d, const block_rows<T> *m,
              typename wide_type<T>::type det)
{
  typedef typename wide_type<T>::type W;
  typedef ge_real<T> R;
  const int WARPS = block_of<T>::warps, GROUP = TDINV_GROUP / TDINV_WARP;
  __shared__ int tops[2][block_of<T>::warps];
  const int warp = threadIdx.x / TDINV_WARP, first = cluster_rank () * d->rows;
  const tdinv_factors<R> *f = &d->f;
#pragma unroll 1
  for (int begin = 0; begin < d->rows; begin += TDINV_WARP * WARPS)
    {
      const int r = begin + threadIdx.x;
      const int j = first + r, slot = slot_of (d, r);
      const int here = r < d->rows && j < d->n;
      W u = wide_whole (0, W ()), p = u, v, q;
      if (here)
        {
          /* here, so that the three inverses are interleaved */
          const W one_over_det = inverse_of (det);
          make_factors (minor_at (d, m->t, j - 1, r - 1),
                        minor_at (d, m->s, j + 1, r + 1), m->above[slot],
                        m->below[slot], one_over_det, &u, &p, &v, &q);
          store_column (&f->v, j, v);
          store_column (&f->q, j, q);
          f->above[j] = m->above_begin[slot];
          f->below[j] = m->below_begin[slot];
          m->u[r] = size_of_factor (u, R ());
          m->p[r] = size_of_factor (p, R ());
          m->v[r] = size_of_factor (v, R ());
          m->q[r] = size_of_factor (q, R ());
        }
      const int u_top = tile_max<TDINV_WARP> (short_exponent (u.e));
      const int p_top = tile_max<TDINV_WARP> (short_exponent (p.e));
      if (begin > 0)
        __syncthreads (); /* tops have been read */
      if (threadIdx.x % TDINV_WARP == 0)
        {
          tops[0][warp] = u_top;
          tops[1][warp] = p_top;
        }
      __syncthreads ();
      if (here)
        {
          const int *group = tops[0] + warp / GROUP * GROUP;
          const int64_t top = long_exponent (
              max (max (group[0], group[1]), max (group[2], group[3])));
          group += WARPS;
          const int64_t other = long_exponent (
              max (max (group[0], group[1]), max (group[2], group[3])));
          store_row (&f->u, j, u, top);
          store_row (&f->p, j, p, other);
          if (j % TDINV_GROUP == 0)
            {
              f->u.top[j / TDINV_GROUP] = top;
              f->p.top[j / TDINV_GROUP] = other;
            }
        }
    }
}

/* --- what may run during the kernel that writes X --- */

template <typename T>
GE_DEVICE_INLINE void
test_wronskians (const cluster_data<T> *d, const block_rows<T> *m,
                 typename wide_type<T>::type one_over_det)
{
  const int first = cluster_rank () * d->rows;
#pragma unroll 1
  for (int r = threadIdx.x; r < d->rows && first + r < d->n;
       r += block_of<T>::threads)
    {
      const int j = first + r, next = slot_of (d, r) + 1;
      if (wronskian_deviates (minor_at (d, m->t, j - 1, r - 1),
                              minor_at (d, m->t, j, r),
                              minor_at (d, m->s, j + 1, r + 1),
                              minor_at (d, m->s, j + 2, r + 2), m->b[next],
                              m->c[next], one_over_det))
        d->result->deviates = 1;
    }
}

/* --- the kernel --- */

/* The determinant: t(n).  */
template <typename T>
GE_DEVICE_INLINE typename wide_type<T>::type
determinant (const cluster_data<T> *d, const block_rows<T> *m)
{
  const int last = d->n - 1, block = last / d->rows;
  return in_block (m->t, block)[slot_of (d, last - block * d->rows)];
}

/* Grid: one cluster.  The first barrier of the cluster, in two halves, is before the
   stores to other blocks, which have begun then; the second one orders these before
   they are read, the third one the minors.  The next kernel begins when the elements
   have been fetched, so that its stores do not delay that.  */
template <typename T>
GE_KERNEL (block_of<T>::threads)
generate_in_cluster (const __grid_constant__ cluster_data<T> d)
{
  typedef typename wide_type<T>::type W;
  __shared__ block_ends<W> ends;
  __shared__ span_ends<W> all[BLOCKS];
  __shared__ int moderate[WORKERS];
  const int first = cluster_rank () * d.rows;
  const int warp = threadIdx.x / TDINV_WARP;
  const block_rows<T> m = rows_of_block (&d);
  const warp_part w = part_of_warp (&d);
  run_of_steps<W> steps;
  run_of_factors<W> factors;
  int all_moderate = 1;
  make_identity (&steps);
  make_identity (&factors);
  cluster_arrive ();
  if (warp < WORKERS)
    {
      const int whole = this_warp ().all (fetch_rows (&d, &m, first));
      if (threadIdx.x % TDINV_WARP == 0)
        moderate[warp] = whole;
    }
  __syncthreads ();
  allow_next_kernel ();
  if (warp < WORKERS)
    for (int k = 0; k < WORKERS; k++)
      all_moderate &= moderate[k];
  cluster_wait ();
  if (w.task >= 2)
    factors = multiply_factors (&m, &ends.spans, all, w);
  else if (w.task >= 0)
    steps = multiply_chunk (&d, &m, &ends.spans, all, w, all_moderate);
  cluster_barrier ();
  if (w.task >= 2)
    repeat_factors (&d, &m, all, w, factors);
  else if (w.task >= 0)
    repeat_chunk (&d, &m, all, w, all_moderate, steps);
  cluster_barrier ();
  const W det = determinant (&d, &m);
  const int zero = det.e == WIDE_ZERO;
  if (! zero)
    find_factors (&d, &m, det);
  /* The fence orders the stores of the whole block before the signal.  */
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      __threadfence ();
      atomicAdd (&d.result->ready, 1);
      if (zero)
        d.result->zero = 1;
    }
  if (! zero)
    {
      test_wronskians (&d, &m, inverse_of (det));
      find_norms (&d, &m, first, &ends);
    }
  else
    cluster_barrier (); /* all blocks have read the determinant */
}

/* --- host --- */

/* Bytes of dynamic shared memory.  */
template <typename T>
static size_t
bytes_of_rows (const cluster_data<T> *d)
{
  typedef typename wide_type<T>::type W;
  const size_t rows = (size_t) d->rows, slots = (size_t) d->slots;
  return slots * (4 * sizeof (W) + 3 * sizeof (T) + 2 * sizeof (int))
         + rows * 4 * sizeof (ge_size);
}

template <typename T>
static int
blocks_of_cluster (const cluster_data<T> *d)
{
  const int needed = (d->spans + d->per_block - 1) / d->per_block;
  int blocks = 1;
  while (blocks < needed)
    blocks *= 2;
  return blocks;
}

template <typename T>
static cluster_data<T>
divide_rows (int64_t n)
{
  cluster_data<T> d;
  memset (&d, 0, sizeof d);
  d.n = (int) n;
  d.chunk = (int) tdinv_chunk (n);
  d.spans = tdinv_spans (n);
  d.per_block = d.spans > BLOCKS ? TDINV_PER_BLOCK : 1;
  d.rows = d.per_block * TDINV_WARP * d.chunk;
  d.slots = d.rows + d.per_block * TDINV_WARP;
  d.by_chunk = reciprocal_of (d.chunk);
  d.by_slots = reciprocal_of (d.chunk + 1);
  return d;
}

template <typename T>
gpueig_status
tdinv_cuda_cluster_fits (gpueig_context *ctx, int64_t n, int *fits)
{
  const ge_cuda *cuda = ge_cuda_of (ctx);
  cudaLaunchAttribute attribute = {};
  cudaLaunchConfig_t c = {};
  int count = 0;
  *fits = 0;
  /* the moduli of 32 rows per warp, at most 32 of them */
  if (! cuda->clusters || n > TDINV_MOST_IN_CLUSTER)
    return GPUEIG_OK;
  const cluster_data<T> d = divide_rows<T> (n);
  const int blocks = blocks_of_cluster (&d);
  const size_t shared = bytes_of_rows (&d);
  if (blocks > cuda->multiprocessors
      || ! ge_shared_fits (ctx, shared + STATIC_SHARED))
    return GPUEIG_OK;
  GE_ALLOW_SHARED (generate_in_cluster<T>, shared);
  GE_TRY (
      ge_allow_cluster (ctx, (const void *) generate_in_cluster<T>, blocks));
  c.gridDim = dim3 ((unsigned) blocks);
  c.blockDim = dim3 (block_of<T>::threads);
  c.dynamicSmemBytes = shared;
  c.attrs = &attribute;
  c.numAttrs = 1;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = (unsigned) blocks;
  attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  /* an error means that this cluster size is not supported */
  if (cudaOccupancyMaxActiveClusters (&count, generate_in_cluster<T>, &c)
      != cudaSuccess)
    {
      cudaGetLastError ();
      count = 0;
    }
  *fits = count > 0;
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
tdinv_cuda_generate_in_cluster (gpueig_context *ctx, int64_t n, const T *c,
                                const T *a, const T *b,
                                tdinv_factors<ge_real<T>> *f,
                                tdinv_result *result)
{
  cluster_data<T> d = divide_rows<T> (n);
  d.c = c;
  d.a = a;
  d.b = b;
  d.f = *f;
  d.result = result;
  f->blocks = blocks_of_cluster (&d);
  f->ready = &result->ready;
  return ge_launch_with (ctx, "generate_in_cluster<T>", generate_in_cluster<T>,
                         f->blocks, block_of<T>::threads, bytes_of_rows (&d),
                         f->blocks, 0, d);
}

GE_INSTANTIATE (tdinv_cuda_cluster_fits)
GE_INSTANTIATE (tdinv_cuda_generate_in_cluster)
