/* Classical Jacobi, the whole iteration in one kernel, after T.  Wang et al.,
   "Implementing the Jacobi algorithm for solving eigenvalues of symmetric
   matrices with CUDA", IEEE NAS 2012, section IV C.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   As in the paper: the diagonal is stored first, then the strict upper triangle
   row by row; the pivot is the largest off-diagonal element; the kernel
   iterates.

   Different from it: the paper searches all n (n - 1) / 2 elements for every
   pivot; here the maximum of every row is maintained, so a rotation costs O(n).
   Row k belongs to thread block k mod G, which maintains its maximum and
   rotates the elements (k, p) and (k, q).  All elements of rows p and q change;
   their maxima are reduced over all blocks.  Blocks synchronise once per
   rotation: each publishes three candidates, each with a stamp in the same 16
   bytes, and polls those of all others until they carry the stamp, which is
   barrier and exchange in one.  The cooperative launch guarantees that all
   blocks are resident.  A launch makes at most CHUNK rotations, so that
   interrupts are polled.  */

#include "jacobi/published/classical.cuh"

#include <stdio.h>

enum
{
  THREADS = 512,
  WARPS = THREADS / 32,
  CHUNK = 50000,
  MAX_ORDER = 32767,  /* rows and columns in 15 bits */
  ROWS_PER_BLOCK = 32 /* at least, while there are blocks enough */
};

/* --- the packed matrix --- */

/* The best candidate among the elements FIRST, FIRST + STRIDE ... of row K.  */
template <typename T>
static __device__ choice<typename real_of<T>::type>
scan_row (int64_t n, const T *a, int k, int first, int stride)
{
  choice<typename real_of<T>::type> best = none<typename real_of<T>::type> ();
  const T *row = a + row_start (n, k);
#pragma unroll 8
  for (int j = k + 1 + first; j < (int) n; j += stride)
    better (&best, choice_of (load_uncached (row + j), k, j));
  return best;
}

/* Elements (k, p) and (k, q) and their addresses; stored as conjugates for k >
   p, k > q.  */
template <typename T> struct element_pair
{
  T *at_p, *at_q;
  T p, q;
};

template <typename T>
GE_DEVICE_INLINE element_pair<T>
load_elements (int64_t n, T *a, int k, int p, int q)
{
  element_pair<T> e;
  e.at_p = k < p ? a + row_start (n, k) + p : a + row_start (n, p) + k;
  e.at_q = k < q ? a + row_start (n, k) + q : a + row_start (n, q) + k;
  e.p = load_uncached (e.at_p);
  e.q = load_uncached (e.at_q);
  return e;
}

template <typename T>
GE_DEVICE_INLINE void
rotate_elements (element_pair<T> *e, int k, int p, int q,
                 typename real_of<T>::type c, T w)
{
  e->p = k < p ? e->p : conjugate (e->p);
  e->q = k < q ? e->q : conjugate (e->q);
  rotate_elements (c, w, &e->p, &e->q);
  *e->at_p = k < p ? e->p : conjugate (e->p);
  *e->at_q = k < q ? e->q : conjugate (e->q);
}

/* Update row K's maximum after its elements in columns p and q have changed (K
   < q).  Returns 1 if the row must be searched, because the old maximum was one
   of them and has become smaller.  */
template <typename T, typename R>
GE_DEVICE_INLINE int
refresh (choice<R> *best, int k, int p, int q, const element_pair<T> &e)
{
  int lost = column_of (*best) == q || (k < p && column_of (*best) == p);
  R old = best->weight;
  choice<R> now = choice_of (e.q, k, q);
  if (k < p)
    better (&now, choice_of (e.p, k, p));
  if (! lost)
    {
      better (best, now);
      return 0;
    }
  *best = now;
  return now.weight < old;
}

/* Rotate row K, which has index SLOT in ROW_BEST and LIST, and update the
   thread's candidates MINE outside of rows p and q and in them.  Rows that must
   be searched are appended to LIST.  */
template <typename T, typename R>
GE_DEVICE_INLINE void
rotate_row (int slot, int k, int p, int q, R c, T w, element_pair<T> e,
            choice<R> *row_best, int *list, int *listed, choice<R> mine[KINDS])
{
  rotate_elements (&e, k, p, q, c, w);
  if (k < q && refresh (&row_best[slot], k, p, q, e))
    list[atomicAdd (listed, 1)] = slot;
  else
    better (&mine[OWN], row_best[slot]);
  if (k > p)
    better (&mine[IN_P], choice_of (conjugate (e.p), p, k));
  if (k > q)
    better (&mine[IN_Q], choice_of (conjugate (e.q), q, k));
}

/* --- the kernel --- */

typedef struct
{
  int64_t rotations;
  double pivot;
  int finished;
} outcome;

/* Search the LISTED rows, one after the other by the whole block; the results
   go to ROW_BEST.  SCRATCH holds one candidate per warp, between two
   barriers.  */
template <typename T, typename R>
static __device__ void
search_rows (int64_t n, const T *a, const int *list, int listed,
             choice<R> *row_best, choice<R> *scratch)
{
  int t = threadIdx.x;
  for (int i = 0; i < listed; i++)
    {
      int k = (int) (blockIdx.x + gridDim.x * (unsigned) list[i]);
      choice<R> best = warp_best (scan_row (n, a, k, t, THREADS));
      if (t % 32 == 0)
        scratch[t / 32] = best;
      __syncthreads ();
      if (t < 32)
        {
          best = warp_best (t < WARPS ? scratch[t] : none<R> ());
          if (t == 0)
            row_best[list[i]] = best;
        }
      __syncthreads ();
    }
}

/* The iteration.  Cooperative launch of at most one block per multiprocessor; block
   b has rows b, b + gridDim.x, ..., one per thread as far as there are enough
   threads, and a strip of rows of V.  Shared memory: the maxima of the block's rows,
   the whole diagonal (every block updates its copy), the list of rows to search.
   Per rotation: a barrier before warp 0 merges the candidates of the warps, one
   after the exchange, one before the next rotation.  */
template <typename T>
__global__ void
__launch_bounds__ (THREADS, 1)
    classical_kernel (int64_t n, T *a, T *v, int64_t ldv, double least,
                      int64_t limit, pivot_message *messages, T *values,
                      outcome *out)
{
  typedef typename real_of<T>::type R;
  extern __shared__ __align__ (16) char memory[];
  __shared__ choice<R> result[KINDS], scratch[KINDS][WARPS];
  __shared__ int listed;
  int blocks = (int) gridDim.x, mine = (int) blockIdx.x, t = threadIdx.x;
  int slots = ((int) n - mine + blocks - 1) / blocks;
  int warps = slots < THREADS ? (slots + 31) / 32 : WARPS;
  choice<R> *row_best = (choice<R> *) memory;
  R *diagonal = (R *) (row_best + (n + blocks - 1) / blocks);
  int *list = (int *) (diagonal + n);
  int64_t strip = (n + blocks - 1) / blocks, v0 = strip * mine;
  int64_t v1 = v0 + strip < n ? v0 + strip : n;
  choice<R> found[KINDS], received[KINDS];
  unsigned stamp = 1;
  T value;

  for (int64_t j = t; j < n; j += THREADS)
    diagonal[j] = real_part (load_uncached (a + j));
  for (int slot = t / 32; slot < slots; slot += WARPS)
    {
      choice<R> best = warp_best (
          scan_row (n, (const T *) a, mine + blocks * slot, t % 32, 32));
      if (t % 32 == 0)
        row_best[slot] = best;
    }
  if (t == 0)
    listed = 0;
  __syncthreads ();
  if (t < 32)
    {
      found[OWN] = none<R> ();
      for (int slot = t; slot < slots; slot += 32)
        better (&found[OWN], row_best[slot]);
      received[OWN] = warp_best (found[OWN]);
      received[IN_P] = received[IN_Q] = none<R> ();
      exchange (n, (const T *) a, received, stamp, messages, values, result);
    }
  __syncthreads ();
  choice<R> pivot = choose_pivot (result, stamp, (const T *) values, &value);

  int64_t rotations = 0;
  while ((double) pivot.weight > least && rotations < limit)
    {
      int p = row_of (pivot), q = column_of (pivot), k = mine + blocks * t;
      int works = t < slots && k != p && k != q;
      element_pair<T> e;
      if (works)
        e = load_elements (n, a, k, p, q);
      R c, tg, dp = diagonal[p], dq = diagonal[q];
      T w;
      rotation_of (dp, dq, value, 0, &c, &w, &tg);
      for (int kind = 0; kind < KINDS; kind++)
        found[kind] = none<R> ();
      if (works)
        rotate_row (t, k, p, q, c, w, e, row_best, list, &listed, found);
      else if (t < slots && k == p)
        a[row_start (n, p) + q] = make_number<T> (0, 0);
      /* With few multiprocessors a thread has several rows.  */
      for (int slot = t + THREADS; slot < slots; slot += THREADS)
        {
          k = mine + blocks * slot;
          if (k != p && k != q)
            rotate_row (slot, k, p, q, c, w, load_elements (n, a, k, p, q),
                        row_best, list, &listed, found);
          else if (k == p)
            a[row_start (n, p) + q] = make_number<T> (0, 0);
        }
      for (int64_t i = v0 + t; i < v1 && v; i += THREADS)
        rotate_elements (c, w, &v[i + ldv * p], &v[i + ldv * q]);
      if (t / 32 < warps)
        {
          for (int kind = 0; kind < KINDS; kind++)
            {
              const choice<R> best = warp_best (found[kind]);
              if (t % 32 == 0)
                scratch[kind][t / 32] = best;
            }
        }
      __syncthreads ();
      int count = listed;
      if (t < 32)
        for (int kind = 0; kind < KINDS; kind++)
          received[kind]
              = warp_best (t < warps ? scratch[kind][t] : none<R> ());
      if (count > 0)
        {
          __syncthreads ();
          search_rows (n, (const T *) a, list, count, row_best, scratch[0]);
          if (t < 32)
            for (int i = 0; i < count; i++)
              better (&received[OWN], row_best[list[i]]);
        }
      if (t == 0)
        {
          if (count > 0)
            listed = 0;
          diagonal[p] = dp - tg;
          diagonal[q] = dq + tg;
        }
      stamp++;
      if (t < 32)
        exchange (n, (const T *) a, received, stamp, messages, values, result);
      __syncthreads ();
      if (t == 0 && p % blocks == mine)
        row_best[p / blocks] = result[IN_P];
      if (t == 0 && q % blocks == mine)
        row_best[q / blocks] = result[IN_Q];
      pivot = choose_pivot (result, stamp, (const T *) values, &value);
      rotations++;
      /* row_best is read by the thread of its row next.  */
      __syncthreads ();
    }
  if (mine == 0)
    for (int64_t j = t; j < n; j += THREADS)
      a[j] = make_number<T> (diagonal[j], 0);
  if (mine == 0 && t == 0)
    {
      out->rotations = rotations;
      out->pivot = (double) pivot.weight;
      out->finished = ! ((double) pivot.weight > least);
    }
}

/* --- packing --- */

template <typename T>
__global__ void
__launch_bounds__ (THREADS)
    pack_kernel (int64_t n, const T *a, int64_t ld, T *packed)
{
  int64_t i = blockIdx.y, j = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  if (j >= n || j < i)
    return;
  /* Column i of the lower triangle is read, which is contiguous.  */
  T x = conjugate (a[j + ld * i]);
  packed[j == i ? i : row_start (n, i) + j] = x;
}

template <typename T>
__global__ void
__launch_bounds__ (THREADS) values_kernel (int64_t n, const T *packed,
                                           typename real_of<T>::type *lambda)
{
  int64_t j = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  if (j < n)
    lambda[j] = real_part (packed[j]);
}

/* --- on the host --- */

template <typename T>
static gpueig_status
iterate (gpueig_context *ctx, int64_t n, T *packed, T *v, double least,
         int64_t limit, outcome *total)
{
  typedef typename real_of<T>::type R;
  ge_cuda *cuda = ge_cuda_of (ctx);
  int64_t ld = ge_jacobi_padded (n), most = cuda->multiprocessors;
  int64_t blocks = (n + ROWS_PER_BLOCK - 1) / ROWS_PER_BLOCK;
  blocks = blocks > most ? most : blocks;
  size_t rows = (size_t) ((n + blocks - 1) / blocks);
  size_t bytes
      = rows * (sizeof (choice<R>) + sizeof (int)) + (size_t) n * sizeof (R);
  pivot_message *messages;
  T *values;
  size_t box_bytes = (size_t) (2 * KINDS * blocks) * sizeof *messages;
  outcome *out, one;
  if (n > MAX_ORDER || ! ge_shared_fits (ctx, bytes))
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                        "classical Jacobi of order %lld needs %lld bytes of "
                        "shared memory, this GPU has %lld",
                        (long long) n, (long long) bytes,
                        (long long) cuda->shared_per_block);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * KINDS * blocks, &messages));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * KINDS * blocks, &values));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &out));
  GE_ALLOW_SHARED (classical_kernel<T>, bytes);
  total->rotations = 0;
  total->finished = 0;
  while (! total->finished && total->rotations < limit)
    {
      int64_t rest = limit - total->rotations, ldv = ld;
      int64_t part = rest < CHUNK ? rest : (int64_t) CHUNK;
      void *args[]
          = { &n, &packed, &v, &ldv, &least, &part, &messages, &values, &out };
      GE_TRY (ge_check_interrupt (ctx));
      CU (cudaMemsetAsync (messages, 0, box_bytes, cuda->stream));
      ge_cuda_note (ctx, "classical_kernel");
      CU (cudaLaunchCooperativeKernel ((const void *) classical_kernel<T>,
                                       dim3 ((unsigned) blocks), dim3 (THREADS),
                                       args, bytes, cuda->stream));
      CU (cudaMemcpyAsync (&one, out, sizeof one, cudaMemcpyDeviceToHost,
                           cuda->stream));
      CU (cudaStreamSynchronize (cuda->stream));
      total->rotations += one.rotations;
      total->pivot = one.pivot;
      total->finished = one.finished;
      if (limit == 0)
        break;
    }
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_jacobi_classical (gpueig_context *ctx, int64_t n, const T *a, T *v,
                          typename real_of<T>::type *lambda, double norm,
                          const ge_jacobi_control *control, gpueig_info *info)
{
  cudaStream_t stream = ge_cuda_of (ctx)->stream;
  int64_t ld = ge_jacobi_padded (n), pairs = n * (n - 1) / 2;
  int64_t limit = control->max_rotations;
  int mark = ge_mark (ctx);
  unsigned columns = (unsigned) ((n + THREADS - 1) / THREADS);
  double off2, least = control->tol * norm / sqrt ((double) n);
  int64_t left;
  outcome total = { 0, 0, 1 };
  gpueig_status status = GPUEIG_OK;
  T *packed;

  if (limit == 0)
    limit = control->max_sweeps > INT64_MAX / (n * n)
                ? INT64_MAX
                : control->max_sweeps * pairs;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n + pairs, &packed));
  GE_TRY (ge_cuda_jacobi_measure (ctx, n, a, ld, control->tol, 0, 0, 1, &off2,
                                  &left));
  ge_jacobi_note (ctx, info, "start", norm > 0 ? sqrt (off2) / norm : 0);
  GE_LAUNCH (pack_kernel<T>, dim3 (columns, (unsigned) n), THREADS, 0, stream)
  (n, a, ld, packed);
  LAUNCHED ();
  if (n > 1)
    GE_TRY (iterate (ctx, n, packed, v,
                     is_complex<T>::value ? least * least : least, limit,
                     &total));
  GE_LAUNCH (values_kernel<T>, columns, THREADS, 0, stream) (n, packed, lambda);
  LAUNCHED ();
  double pivot = is_complex<T>::value ? sqrt (total.pivot) : total.pivot;
  info->sweeps = pairs > 0 ? (total.rotations + pairs - 1) / pairs : 0;
  ge_jacobi_note (ctx, info, "end", norm > 0 ? pivot / norm : 0);
  ge_info_extra (info, "rotations", (double) total.rotations);
  if (! total.finished)
    status = gpueig_fail (ctx, GPUEIG_NO_CONVERGENCE,
                          "no convergence in %lld rotations",
                          (long long) total.rotations);
  CU (cudaStreamSynchronize (stream));
  ge_release (ctx, mark);
  return status;
}

#define INSTANCE(T)                                                            \
  template gpueig_status ge_cuda_jacobi_classical (                            \
      gpueig_context *, int64_t, const T *, T *, real_of<T>::type *, double,   \
      const ge_jacobi_control *, gpueig_info *);
INSTANCE (float)
INSTANCE (double)
INSTANCE (cuComplex)
INSTANCE (cuDoubleComplex)
