/* State of one_stage_kernel, and the exchange of the pairs of a column between
   its blocks; see one_stage.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_TRIDIAGONAL_ONE_STAGE_EXCHANGE_CUH
#define GE_TRIDIAGONAL_ONE_STAGE_EXCHANGE_CUH 1

#include "tridiagonal/column_step.cuh"
#include "base/cluster.cuh"
#include "tridiagonal/exchange.cuh"

template <typename T> struct one_stage_packet
{
  packet<T> y, column;
};

template <typename T> struct one_stage
{
  int n;
  int cluster;        /* blocks per cluster */
  int most_columns;   /* per block: n / blocks, rounded up */
  int shared_columns; /* per block, at most */
  T *a;               /* n-by-n; with VECTORS reflector j replaces column j */
  const T *first;     /* copy of column 0 of A */
  int vectors;
  ge_real<T> *d, *e; /* n and n - 1 */
  T *tau;            /* n - 1 */
  /* two buffers of blocks * one_stage_places, cleared */
  one_stage_packet<T> *messages;
};

enum
{
  ONE_STAGE_KEPT = 8 /* the most columns in registers */
};

/* Pairs of a block in a buffer; odd, so that reading the pairs of different
   rows is free of bank conflicts.  */
static __host__ __device__ inline int
one_stage_places (int most_columns)
{
  return (most_columns + 1) | 1;
}

/* Distance of columns in shared memory, odd for the same reason.  */
static __host__ __device__ inline size_t
one_stage_ld (int n)
{
  return (size_t) (n | 1);
}

/* Bytes of shared memory before the columns.  */
template <typename T, int THREADS>
static __host__ __device__ inline size_t
one_stage_bytes (int blocks, int most_columns)
{
  const size_t warps = THREADS / 32,
               padded = (size_t) most_columns + ONE_STAGE_KEPT;
  return 2 * (size_t) (blocks * one_stage_places (most_columns))
             * sizeof (column_pair<T>)
         + 2 * sizeof (arrival) + sizeof (column_shared<T, THREADS>)
         + (3 * padded + padded * warps) * sizeof (T);
}

/* State of a thread.  */
template <typename T, int THREADS, int ROWS, int KEPT> struct one_stage_state
{
  one_stage<T> p;
  int blocks, block, rank;
  /* Columns of this block; local column L is column block + L blocks of A.  */
  int own, first_shared, first_kept;
  int done;              /* number of columns already reduced */
  int places;            /* of a block in a buffer */
  column_pair<T> *pairs; /* two buffers */
  arrival *arrivals;     /* two */
  column_shared<T, THREADS> *shared;
  T *v_own, *w_own; /* v0 and w0 in the rows that are own columns' numbers */
  T *sums;          /* [warp][column] */
  T *next_row;      /* row j + 1 of the own columns */
  T *columns;
  int place[ROWS]; /* of the thread's rows in a buffer */
  column_step<T, THREADS, ROWS> c;
  T kept[KEPT > 0 ? KEPT : 1][ROWS];
};

/* Execute BODY for the thread's rows i below row J, k being their number.  */
#define FOR_ROWS(J, BODY)                                                      \
  _Pragma ("unroll") for (int k = 0; k < ROWS; k++)                            \
  {                                                                            \
    const int i = (int) threadIdx.x + k * THREADS;                             \
    if (i > (J) && i < s.p.n)                                                  \
      BODY                                                                     \
  }

#define ONE_STAGE_TEMPLATE                                                     \
  template <typename T, int THREADS, int ROWS, int KEPT>
#define ONE_STAGE_STATE one_stage_state<T, THREADS, ROWS, KEPT>

/* The address of local column L, which is not in registers, and the distance to
   the next one.  */
ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE T *
stored_column (const ONE_STAGE_STATE &s, int l, size_t *stride)
{
  const size_t n = (size_t) s.p.n, ld = one_stage_ld (s.p.n);
  if (l < s.first_shared)
    {
      *stride = n * s.blocks;
      return s.p.a + n * (size_t) (s.block + l * s.blocks);
    }
  *stride = ld;
  return s.columns + ld * (size_t) (l - s.first_shared);
}

/* Call FUNCTION (address of the first column, stride, its local number, COUNT)
   for the columns not in registers from DONE on, in groups of at most four that
   lie in the same memory.  */
template <typename STATE, typename FUNCTION>
GE_DEVICE_INLINE void
for_stored_columns (const STATE &s, FUNCTION function)
{
  for (int l = s.done; l < s.first_kept;)
    {
      const int stop = l < s.first_shared ? s.first_shared : s.first_kept;
      size_t stride;
      auto *x = stored_column (s, l, &stride);
      const int count = stop - l < 4 ? stop - l : 4;
      function (x, stride, l, count);
      l += count;
    }
}

/* --- exchange --- */

/* The place of block B's pairs of step J in shared and in device memory.  */
ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE column_pair<T> *
pairs_of_block (const ONE_STAGE_STATE &s, int j, int b)
{
  return s.pairs + ((j & 1) * s.blocks + b) * s.places;
}

ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE one_stage_packet<T> *
messages_of_block (const ONE_STAGE_STATE &s, int j, int b)
{
  return s.p.messages + ((j & 1) * s.blocks + b) * s.places;
}

/* Nonzero if block B sends its pair L in step J.  */
ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE bool
is_sent (const ONE_STAGE_STATE &s, int j, int b, int l)
{
  const int columns = (s.p.n - b + s.blocks - 1) / s.blocks;
  return l < columns
             ? b + l * s.blocks > j
             : l == s.p.most_columns && b + (columns - 1) * s.blocks <= j;
}

/* Two reals by one store.  */
template <typename T>
GE_DEVICE_INLINE void
store_pair (column_pair<T> *to, column_pair<T> x, int rank)
{
  typedef ge_complex<T> C;
  if constexpr (is_complex<T>::value)
    {
      store_to_block (&to->y, x.y, rank);
      store_to_block (&to->column, x.column, rank);
    }
  else
    store_to_block ((C *) to, make_number<C> (x.y, x.column), rank);
}

/* Number of warps of a block that receive messages for its cluster.  */
ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE int
forwarding_warps (const ONE_STAGE_STATE &s)
{
  const int warps = (s.blocks / s.p.cluster * s.places + 31) / 32;
  return warps < THREADS / 32 ? warps : THREADS / 32;
}

/* Arrivals per step at a block's mbarrier: one from every forwarding warp of the
   cluster.  */
ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE int
arrivals_of_step (const ONE_STAGE_STATE &s)
{
  return s.p.cluster * forwarding_warps (s);
}

/* Send the block's pairs of step J: y from the partial sums of the warps, and
   row j + 1 of its columns, which is the conjugate of column j + 1 since S is
   Hermitian.  One lane of the first warp per column.  */
ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE void
send_pairs (const ONE_STAGE_STATE &s, int j)
{
  const int warps = THREADS / 32, padded = s.p.most_columns + ONE_STAGE_KEPT;
  const int last = s.done == s.own ? s.own + 1 : s.own;
  if (threadIdx.x >= 32)
    return;
  for (int l = s.done + (int) threadIdx.x; l < last; l += 32)
    {
      T y = zero<T> (), column = zero<T> ();
      int at = s.p.most_columns;
      if (l < s.own)
        {
          T sum[THREADS / 32];
          at = l;
#pragma unroll
          for (int w = 0; w < warps; w++)
            sum[w] = s.sums[w * padded + l];
#pragma unroll
          for (int step = 1; step < warps; step *= 2)
#pragma unroll
            for (int w = 0; w < warps; w += 2 * step)
              sum[w] = plus (sum[w], sum[w + step]);
          y = sum[0];
          column = conjugate (s.next_row[l]);
        }
      one_stage_packet<T> *to = messages_of_block (s, j, s.block) + at;
      send_number (&to->y, y, (unsigned) j + 1);
      send_number (&to->column, column, (unsigned) j + 1);
    }
}

/* Receive this block's part of the messages of step J, those of the RANK-th run
   of blocks, and store them into all blocks of its cluster.  */
ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE void
forward_pairs (const ONE_STAGE_STATE &s, const ge_warp &warp, int j)
{
  const unsigned step = (unsigned) j + 1;
  const int run = s.blocks / s.p.cluster;
  for (int e = (int) threadIdx.x; e < run * s.places; e += THREADS)
    {
      const int b = s.rank * run + e / s.places, l = e % s.places;
      if (! is_sent (s, j, b, l))
        continue;
      const one_stage_packet<T> *from = messages_of_block (s, j, b) + l;
      column_pair<T> *to = pairs_of_block (s, j, b) + l, x;
      const packet<T> y = look_up_packet (&from->y);
      const packet<T> c = look_up_packet (&from->column);
      x.y = receive_number (&from->y, y, step);
      x.column = receive_number (&from->column, c, step);
      if (s.p.cluster == 1)
        *to = x;
      else
        for (int rank = 0; rank < s.p.cluster; rank++)
          store_pair (to, x, rank);
    }
  if (s.p.cluster == 1 || (int) threadIdx.x / 32 >= forwarding_warps (s))
    return;
  warp.sync ();
  if ((int) warp.thread_rank () < s.p.cluster)
    arrive_at_block (s.arrivals + (j & 1), (int) warp.thread_rank ());
}

ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE void
wait_for_pairs (const ONE_STAGE_STATE &s, int j)
{
  if (s.p.cluster > 1)
    wait_for_phase (s.arrivals + (j & 1), (unsigned) (j >> 1) & 1);
}

#endif
