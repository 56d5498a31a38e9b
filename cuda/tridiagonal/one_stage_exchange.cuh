/* State of one_stage_kernel, and the exchange of the pairs of a column between
   its blocks; see one_stage.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_TRIDIAGONAL_ONE_STAGE_EXCHANGE_CUH
#define GE_TRIDIAGONAL_ONE_STAGE_EXCHANGE_CUH 1

#include "tridiagonal/column_step.cuh"
#include "base/cluster.cuh"
#include "base/exchange.cuh"

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
  ge_real<T> *d, *e;             /* n and n - 1 */
  T *tau;                        /* n - 1 */
  one_stage_packet<T> *messages; /* two buffers of n, cleared */
};

enum
{
  ONE_STAGE_KEPT = 8 /* the most columns in registers */
};

/* Distance of columns in shared memory, odd so that reads of a row are free of bank
   conflicts.  */
static __host__ __device__ inline size_t
one_stage_ld (int n)
{
  return (size_t) (n | 1);
}

/* Bytes of shared memory before the columns.  */
template <typename T, int THREADS>
static __host__ __device__ inline size_t
one_stage_bytes (int n, int most_columns)
{
  const size_t warps = THREADS / 32,
               padded = (size_t) most_columns + ONE_STAGE_KEPT;
  return 2 * (size_t) n * sizeof (column_pair<T>) + 2 * sizeof (arrival)
         + sizeof (column_shared<T, THREADS>)
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
  unsigned inverse;      /* of the number of blocks, see owned_column */
  column_pair<T> *pairs; /* two buffers */
  arrival *arrivals;     /* two */
  column_shared<T, THREADS> *shared;
  T *v_own, *w_own; /* v0 and w0 in the rows that are own columns' numbers */
  T *sums;          /* [warp][column] */
  T *next_row;      /* row j + 1 of the own columns */
  T *columns;
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

/* Rows number k to k + BATCH - 1 of the thread, for all k for which some thread has one
   below row J.  */
#define FOR_BATCHES(BATCH, J)                                                  \
  _Pragma ("unroll") for (int k = 0; k < ROWS;                                 \
                          k += BATCH) if ((k + BATCH) * THREADS > (J) + 1)

#define ONE_STAGE_TEMPLATE                                                     \
  template <typename T, int THREADS, int ROWS, int KEPT>
#define ONE_STAGE_STATE one_stage_state<T, THREADS, ROWS, KEPT>

/* Row I of local column L in device and in shared memory.  */
ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE T *
global_column (const ONE_STAGE_STATE &s, int l, int i)
{
  return s.p.a + (size_t) s.p.n * (size_t) (s.block + l * s.blocks) + i;
}
ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE T *
shared_column (const ONE_STAGE_STATE &s, int l, int i)
{
  return s.columns + one_stage_ld (s.p.n) * (size_t) (l - s.first_shared) + i;
}

/* Call FUNCTION (rows to read at once as an integral_constant, address of the first
   column, stride, its local number, COUNT) for the columns not in registers from DONE on,
   in groups of at most four, first those in device memory, whose latency is longer.  */
template <typename STATE, typename FUNCTION>
GE_DEVICE_INLINE void
for_stored_columns (const STATE &s, FUNCTION function)
{
  int l = s.done;
  for (; l < s.first_shared; l += 4)
    function (std::integral_constant<int, 2> (), global_column (s, l, 0),
              (size_t) s.p.n * s.blocks, l, min (s.first_shared - l, 4));
  for (l = max (s.done, s.first_shared); l < s.first_kept; l += 4)
    function (std::integral_constant<int, 1> (), shared_column (s, l, 0),
              one_stage_ld (s.p.n), l, min (s.first_kept - l, 4));
}

/* --- exchange --- */

/* Nonzero if row I is sent in step J: also after its column is reduced if it is the last
   one of its block.  */
ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE bool
is_sent (const ONE_STAGE_STATE &s, int j, int i)
{
  return i > j || i >= s.p.n - s.blocks;
}

/* The local number of column I if it belongs to this block, otherwise -1.  The quotient
   is exact for I times the number of blocks below 2^20.  */
ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE int
owned_column (const ONE_STAGE_STATE &s, int i)
{
  const int l = (int) ((unsigned) i * s.inverse >> 20);
  return i - l * s.blocks == s.block ? l : -1;
}

/* The number of rows that are sent in step J.  */
ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE int
rows_sent (const ONE_STAGE_STATE &s, int j)
{
  return s.p.n - min (j + 1, s.p.n - s.blocks);
}

/* Send the block's pairs of step J: the products from the partial sums of the warps, and
   row J + 1 of its columns, which is the conjugate of column J + 1 since S is Hermitian.
   One lane of the first warp per column.  */
ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE void
send_pairs (const ONE_STAGE_STATE &s, int j)
{
  const int warps = THREADS / 32, padded = s.p.most_columns + ONE_STAGE_KEPT;
  const int first = s.done < s.own ? s.done : s.own - 1;
  if (threadIdx.x >= 32)
    return;
  for (int l = first + (int) threadIdx.x; l < s.own; l += 32)
    {
      T sum[THREADS / 32];
#pragma unroll
      for (int w = 0; w < warps; w++)
        sum[w] = s.sums[w * padded + l];
#pragma unroll
      for (int step = 1; step < warps; step *= 2)
#pragma unroll
        for (int w = 0; w < warps; w += 2 * step)
          sum[w] = plus (sum[w], sum[w + step]);
      one_stage_packet<T> *to
          = s.p.messages + (j & 1) * s.p.n + s.block + l * s.blocks;
      send_number (&to->y, sum[0], (unsigned) j + 1);
      send_number (&to->column, conjugate (s.next_row[l]), (unsigned) j + 1);
    }
}

/* Receive this block's part of the messages of step J and store them into all blocks of
   its cluster.  They are dealt to the blocks by 64, and to each lane of a warp by two,
   which it stores at once: both numbers of a row, or a double complex one.  */
ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE void
forward_pairs (const ONE_STAGE_STATE &s, const ge_warp &warp, int j)
{
  typedef typename packet<T>::number number;
  typedef ge_complex<number> two;
  constexpr int EACH = packet<T>::PARTS; /* lanes for a row */
  const int lane = (int) warp.thread_rank (), wid = (int) threadIdx.x / 32;
  const unsigned step = (unsigned) j + 1;
  const message<number> *from = s.p.messages[(j & 1) * s.p.n].y.part;
  two *const to = (two *) (s.pairs + (j & 1) * s.p.n);
  if (s.p.cluster > 1 && threadIdx.x == 0)
    expect_bytes (s.arrivals + (j & 1),
                  (unsigned) rows_sent (s, j)
                      * (unsigned) sizeof (column_pair<T>));
  for (int e = 32 * (s.rank + s.p.cluster * wid) + lane; e < EACH * s.p.n;
       e += s.p.cluster * THREADS)
    {
      if (! is_sent (s, j, e / EACH))
        continue;
      message<number> x = look_up (from + 2 * e),
                      y = look_up (from + 2 * e + 1);
      while (x.step != step)
        x = look_up (from + 2 * e);
      while (y.step != step)
        y = look_up (from + 2 * e + 1);
      const two both = make_number<two> (x.value, y.value);
      if (s.p.cluster == 1)
        to[e] = both;
      else
        for (int rank = 0; rank < s.p.cluster; rank++)
          store_counted (to + e, both, s.arrivals + (j & 1), rank);
    }
}

ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE void
wait_for_pairs (const ONE_STAGE_STATE &s, int j)
{
  if (s.p.cluster > 1)
    wait_for_phase (s.arrivals + (j & 1), (unsigned) (j >> 1) & 1);
}

#endif
