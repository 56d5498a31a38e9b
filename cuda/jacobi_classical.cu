/* Classical Jacobi, the whole iteration in one kernel, after T. Wang et al.,
   "Implementing the Jacobi algorithm for solving eigenvalues of symmetric
   matrices with CUDA", IEEE NAS 2012, section IV C.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   As in the paper: storage with the diagonal first, then the strict upper
   triangle row by row; the pivot is the largest element; the kernel iterates.
   What differs: the paper searches all n (n - 1) / 2 elements for every pivot;
   here the largest element of every row is kept, so a rotation costs O(n).  Row
   k belongs to thread block k mod G, which keeps its maximum and does the
   rotation of elements (k, p), (k, q); rows p and q change as a whole, their
   maxima come from all blocks.  Blocks meet once per rotation: each publishes its
   candidates with a stamp, and reads those of all others.  The kernel runs at
   most CHUNK rotations, so that an interrupt is seen.  */

#include "jacobi.cuh"

#include <stdio.h>

enum
{
  THREADS = 256,
  CHUNK = 20000,
  ROWS_PER_BLOCK = 32 /* at least, while there are blocks enough */
};

/* An off-diagonal element; weight is |value| (squared for complex types), below
   0 for none.  */
template <typename T> struct candidate
{
  typename real_of<T>::type weight;
  int row, column;
  T value;
};

/* What a block tells the others: its best outside rows p and q, and its best
   in row p and in row q.  */
template <typename T> struct message
{
  candidate<T> own, in_p, in_q;
};

typedef struct
{
  int64_t rotations;
  double pivot;
  int finished;
} outcome;

GE_DEVICE_FN float
weight_of (float x)
{
  return fabsf (x);
}
GE_DEVICE_FN double
weight_of (double x)
{
  return fabs (x);
}
GE_DEVICE_FN float
weight_of (cuComplex x)
{
  return square_of (x);
}
GE_DEVICE_FN double
weight_of (cuDoubleComplex x)
{
  return square_of (x);
}

/* Loads that see what other blocks have written.  */
GE_DEVICE_FN float
fresh (const float *x)
{
  return __ldcg (x);
}
GE_DEVICE_FN double
fresh (const double *x)
{
  return __ldcg (x);
}
GE_DEVICE_FN cuComplex
fresh (const cuComplex *x)
{
  return __ldcg (x);
}
GE_DEVICE_FN cuDoubleComplex
fresh (const cuDoubleComplex *x)
{
  return __ldcg (x);
}

/* Element (i, j), i < j, is at [row_start (n, i) + j].  */
static __host__ __device__ __forceinline__ int64_t
row_start (int64_t n, int64_t i)
{
  return n + i * (2 * n - i - 1) / 2 - i - 1;
}

template <typename T>
GE_DEVICE_FN candidate<T>
nothing (void)
{
  candidate<T> c;
  c.weight = -1;
  c.row = 0;
  c.column = 1;
  c.value = make_of<T> (0, 0);
  return c;
}

/* The heavier; of equals the first in the storage.  */
template <typename T>
GE_DEVICE_FN void
better (candidate<T> *x, const candidate<T> &y)
{
  if (y.weight > x->weight
      || (y.weight == x->weight
          && (y.row < x->row || (y.row == x->row && y.column < x->column))))
    *x = y;
}

GE_DEVICE_FN float
shuffled (float x, int step)
{
  return __shfl_xor_sync (0xffffffffu, x, step);
}
GE_DEVICE_FN double
shuffled (double x, int step)
{
  return __shfl_xor_sync (0xffffffffu, x, step);
}
GE_DEVICE_FN cuComplex
shuffled (cuComplex x, int step)
{
  return make_cuComplex (shuffled (x.x, step), shuffled (x.y, step));
}
GE_DEVICE_FN cuDoubleComplex
shuffled (cuDoubleComplex x, int step)
{
  return make_cuDoubleComplex (shuffled (x.x, step), shuffled (x.y, step));
}

/* The best of a warp, in all its lanes.  */
template <typename T>
GE_DEVICE_FN void
warp_best (candidate<T> *x)
{
  for (int step = 16; step > 0; step /= 2)
    {
      candidate<T> y;
      y.weight = shuffled (x->weight, step);
      y.row = __shfl_xor_sync (0xffffffffu, x->row, step);
      y.column = __shfl_xor_sync (0xffffffffu, x->column, step);
      y.value = shuffled (x->value, step);
      better (x, y);
    }
}

/* The best of row K, by one warp.  */
template <typename T>
static __device__ candidate<T>
scan_row (int64_t n, const T *a, int k)
{
  candidate<T> best = nothing<T> ();
  const T *row = a + row_start (n, k);
  for (int64_t j = k + 1 + threadIdx.x % 32; j < n; j += 32)
    {
      candidate<T> c;
      c.value = fresh (row + j);
      c.weight = weight_of (c.value);
      c.row = k;
      c.column = (int) j;
      better (&best, c);
    }
  warp_best (&best);
  return best;
}

/* The same by the whole block, in all threads.  */
template <typename T>
static __device__ candidate<T>
scan_row_together (int64_t n, const T *a, int k, candidate<T> *scratch)
{
  candidate<T> best = nothing<T> ();
  const T *row = a + row_start (n, k);
  for (int64_t j = k + 1 + threadIdx.x; j < n; j += THREADS)
    {
      candidate<T> c;
      c.value = fresh (row + j);
      c.weight = weight_of (c.value);
      c.row = k;
      c.column = (int) j;
      better (&best, c);
    }
  warp_best (&best);
  __syncthreads ();
  if (threadIdx.x % 32 == 0)
    scratch[threadIdx.x / 32] = best;
  __syncthreads ();
  best = scratch[0];
  for (int w = 1; w < THREADS / 32; w++)
    better (&best, scratch[w]);
  return best;
}

/* Publish M as message number STAMP, and read the best of all blocks.  Called
   by all threads; what they wrote before is seen by all blocks afterwards.  */
template <typename T>
static __device__ message<T>
exchange (const message<T> &mine, int stamp, message<T> *messages,
          volatile int *stamps, message<T> *result)
{
  message<T> *box = messages + (stamp & 1) * (int) gridDim.x;
  __syncthreads ();
  if (threadIdx.x == 0)
    {
      box[blockIdx.x] = mine;
      __threadfence ();
      stamps[blockIdx.x] = stamp;
    }
  if (threadIdx.x < 32)
    {
      message<T> best;
      best.own = best.in_p = best.in_q = nothing<T> ();
      for (unsigned b = threadIdx.x; b < gridDim.x; b += 32)
        {
          while (stamps[b] < stamp)
            ;
          __threadfence ();
          message<T> other;
          const int *from = (const int *) (box + b);
          int *to = (int *) &other;
#pragma unroll
          for (unsigned i = 0; i < sizeof other / sizeof (int); i++)
            to[i] = __ldcg (from + i);
          better (&best.own, other.own);
          better (&best.in_p, other.in_p);
          better (&best.in_q, other.in_q);
        }
      warp_best (&best.own);
      warp_best (&best.in_p);
      warp_best (&best.in_q);
      if (threadIdx.x == 0)
        *result = best;
    }
  __syncthreads ();
  return *result;
}

/* Elements (k, p) and (k, q) of the packed matrix: where they are, and whether
   the stored one is the conjugate.  */
template <typename T>
static __device__ void
rotate_elements (int64_t n, T *a, int k, int p, int q,
                 typename real_of<T>::type c, T w, T *x, T *y)
{
  T *ax = k < p ? a + row_start (n, k) + p : a + row_start (n, p) + k;
  T *ay = k < q ? a + row_start (n, k) + q : a + row_start (n, q) + k;
  T u = fresh (ax), v = fresh (ay);
  u = k < p ? u : conj_of (u);
  v = k < q ? v : conj_of (v);
  turn (c, w, &u, &v);
  *x = u;
  *y = v;
  *ax = k < p ? u : conj_of (u);
  *ay = k < q ? v : conj_of (v);
}

/* Row k's maximum after its elements in columns p and q became X and Y; 1 when
   it must be searched for.  */
template <typename T>
GE_DEVICE_FN int
refresh (candidate<T> *row_best, int k, int p, int q, T x, T y)
{
  int lost = row_best->column == q || (k < p && row_best->column == p);
  candidate<T> cx = nothing<T> (), cy;
  typename real_of<T>::type old = row_best->weight;
  cy.weight = weight_of (y);
  cy.row = k;
  cy.column = q;
  cy.value = y;
  if (k < p)
    {
      cx = cy;
      cx.weight = weight_of (x);
      cx.column = p;
      cx.value = x;
    }
  better (&cx, cy);
  if (lost)
    {
      *row_best = cx;
      return cx.weight < old;
    }
  better (row_best, cx);
  return 0;
}

template <typename T>
__global__ void
__launch_bounds__ (THREADS, 1)
    classical_kernel (int64_t n, T *a, T *v, int64_t ldv, double least,
                      int64_t limit, message<T> *messages, int *stamps,
                      outcome *out)
{
  typedef typename real_of<T>::type R;
  extern __shared__ __align__ (16) char memory[];
  __shared__ message<T> result;
  __shared__ candidate<T> scratch[3][THREADS / 32];
  __shared__ int list[THREADS], listed;
  int blocks = (int) gridDim.x, mine = (int) blockIdx.x, t = threadIdx.x;
  int slots = ((int) n - mine + blocks - 1) / blocks;
  candidate<T> *row_best = (candidate<T> *) memory;
  R *diagonal = (R *) (row_best + (n + blocks - 1) / blocks);
  int64_t strip = (n + blocks - 1) / blocks, v0 = strip * mine;
  int64_t v1 = v0 + strip < n ? v0 + strip : n;
  int stamp = 0;

  for (int64_t j = t; j < n; j += THREADS)
    diagonal[j] = re_of (fresh (a + j));
  for (int slot = t / 32; slot < slots; slot += THREADS / 32)
    {
      candidate<T> best = scan_row (n, a, mine + blocks * slot);
      if (t % 32 == 0)
        row_best[slot] = best;
    }
  __syncthreads ();
  message<T> m;
  m.in_p = m.in_q = m.own = nothing<T> ();
  for (int slot = 0; slot < slots; slot++)
    better (&m.own, row_best[slot]);
  m = exchange (m, ++stamp, messages, stamps, &result);
  candidate<T> pivot = m.own;

  int64_t rotations = 0;
  while ((double) pivot.weight > least && rotations < limit)
    {
      int p = pivot.row, q = pivot.column;
      R c, tg;
      T w;
      rotation_of (diagonal[p], diagonal[q], pivot.value, 0, &c, &w, &tg);
      candidate<T> own = nothing<T> (), in_p = own, in_q = own;
      __syncthreads ();
      if (t == 0)
        {
          listed = 0;
          diagonal[p] -= tg;
          diagonal[q] += tg;
        }
      __syncthreads ();
      for (int base = 0; base < slots; base += THREADS)
        {
          int slot = base + t, k = mine + blocks * slot;
          if (slot < slots && k == p)
            a[row_start (n, p) + q] = make_of<T> (0, 0);
          else if (slot < slots && k != q)
            {
              T x, y;
              rotate_elements (n, a, k, p, q, c, w, &x, &y);
              if (k < q && refresh (&row_best[slot], k, p, q, x, y))
                list[atomicAdd (&listed, 1)] = slot;
              else
                better (&own, row_best[slot]);
              candidate<T> e = nothing<T> ();
              if (k > p)
                {
                  e.weight = weight_of (x);
                  e.row = p;
                  e.column = k;
                  e.value = conj_of (x);
                  better (&in_p, e);
                }
              if (k > q)
                {
                  e.weight = weight_of (y);
                  e.row = q;
                  e.column = k;
                  e.value = conj_of (y);
                  better (&in_q, e);
                }
            }
          /* Rows that lost their maximum.  */
          __syncthreads ();
          for (int i = 0; i < listed; i++)
            {
              candidate<T> best = scan_row_together (
                  n, (const T *) a, mine + blocks * list[i], scratch[0]);
              if (t == 0)
                {
                  row_best[list[i]] = best;
                  better (&own, best);
                }
            }
          __syncthreads ();
          if (t == 0)
            listed = 0;
          __syncthreads ();
        }
      if (v)
        for (int64_t i = v0 + t; i < v1; i += THREADS)
          turn (c, w, &v[i + ldv * p], &v[i + ldv * q]);

      warp_best (&own);
      warp_best (&in_p);
      warp_best (&in_q);
      if (t % 32 == 0)
        {
          scratch[0][t / 32] = own;
          scratch[1][t / 32] = in_p;
          scratch[2][t / 32] = in_q;
        }
      __syncthreads ();
      for (int i = 1; i < THREADS / 32 && t == 0; i++)
        {
          better (&own, scratch[0][i]);
          better (&in_p, scratch[1][i]);
          better (&in_q, scratch[2][i]);
        }
      m.own = own;
      m.in_p = in_p;
      m.in_q = in_q;
      m = exchange (m, ++stamp, messages, stamps, &result);
      if (t == 0 && p % blocks == mine)
        row_best[p / blocks] = m.in_p;
      if (t == 0 && q % blocks == mine)
        row_best[q / blocks] = m.in_q;
      pivot = m.own;
      better (&pivot, m.in_p);
      better (&pivot, m.in_q);
      rotations++;
    }
  __syncthreads ();
  if (mine == 0)
    for (int64_t j = t; j < n; j += THREADS)
      a[j] = make_of<T> (diagonal[j], 0);
  if (mine == 0 && t == 0)
    {
      out->rotations = rotations;
      out->pivot = pivot.weight > 0 ? (double) pivot.weight : 0;
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
  /* The lower triangle's column is read, which is contiguous.  */
  T x = conj_of (a[j + ld * i]);
  packed[j == i ? i : row_start (n, i) + j] = x;
}

template <typename T>
__global__ void
__launch_bounds__ (THREADS) values_kernel (int64_t n, const T *packed,
                                           typename real_of<T>::type *lambda)
{
  int64_t j = (int64_t) blockIdx.x * THREADS + threadIdx.x;
  if (j < n)
    lambda[j] = re_of (packed[j]);
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
  size_t bytes = (size_t) ((n + blocks - 1) / blocks) * sizeof (candidate<T>)
                 + (size_t) n * sizeof (R);
  message<T> *messages;
  int *stamps;
  outcome *out, one;
  if (bytes + 8192 > cuda->shared_per_block)
    return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                        "classical Jacobi of order %lld needs %lld bytes of "
                        "shared memory, this GPU has %lld",
                        (long long) n, (long long) bytes,
                        (long long) cuda->shared_per_block);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * blocks, &messages));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, blocks, &stamps));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &out));
  GE_ALLOW_SHARED (classical_kernel<T>, bytes);
  total->rotations = 0;
  total->finished = 0;
  while (! total->finished && total->rotations < limit)
    {
      int64_t rest = limit - total->rotations, ldv = ld;
      int64_t part = rest < CHUNK ? rest : (int64_t) CHUNK;
      void *args[]
          = { &n, &packed, &v, &ldv, &least, &part, &messages, &stamps, &out };
      GE_TRY (ge_check_interrupt (ctx));
      CU (cudaMemsetAsync (stamps, 0, (size_t) blocks * sizeof *stamps,
                           cuda->stream));
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
  GE_TRY (
      ge_cuda_jacobi_measure (ctx, n, a, ld, control->tol, 0, 0, &off2, &left));
  ge_jacobi_note (ctx, info, "start", norm > 0 ? sqrt (off2) / norm : 0);
  pack_kernel<T>
      <<<dim3 (columns, (unsigned) n), THREADS, 0, stream>>> (n, a, ld, packed);
  LAUNCHED ();
  if (n > 1)
    GE_TRY (iterate (ctx, n, packed, v,
                     is_complex<T>::value ? least * least : least, limit,
                     &total));
  values_kernel<T><<<columns, THREADS, 0, stream>>> (n, packed, lambda);
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
