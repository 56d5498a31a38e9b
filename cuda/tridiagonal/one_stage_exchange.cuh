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

/* Whether a lane receives both numbers of a row and stores them at once, or one message;
   by measurement.  */
template <typename T, int THREADS> struct one_stage_rows
{
  enum
  {
    AT_ONCE = std::is_same_v<T, double> && THREADS == 512,
    EACH = AT_ONCE ? 1 : 2 * packet<T>::PARTS /* lanes for a row */
  };
};

/* Number of warps of a block that receive messages for its cluster.  */
ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE int
forwarding_warps (const ONE_STAGE_STATE &s)
{
  const int all = one_stage_rows<T, THREADS>::EACH * s.p.n,
            each = 32 * s.p.cluster;
  return min ((all + each - 1) / each, THREADS / 32);
}

/* Arrivals per step at a block's mbarrier: one from every forwarding warp of the
   cluster.  */
ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE int
arrivals_of_step (const ONE_STAGE_STATE &s)
{
  return s.p.cluster * forwarding_warps (s);
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

/* Receive message E of step J, in the order of the rows, and store its number.  */
ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE void
forward_message (const ONE_STAGE_STATE &s, int j, int e)
{
  typedef typename packet<T>::number number;
  const message<number> *from = s.p.messages[(j & 1) * s.p.n].y.part + e;
  number *to = (number *) (s.pairs + (j & 1) * s.p.n) + e;
  message<number> m = look_up (from);
  while (m.step != (unsigned) j + 1)
    m = look_up (from);
  if (s.p.cluster == 1)
    *to = m.value;
  else
    for (int rank = 0; rank < s.p.cluster; rank++)
      store_to_block (to, m.value, rank);
}

/* Forward both numbers of row I, which are reals.  */
ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE void
forward_row (const ONE_STAGE_STATE &s, int j, int i)
{
  const unsigned step = (unsigned) j + 1;
  const one_stage_packet<T> *from = s.p.messages + (j & 1) * s.p.n + i;
  column_pair<T> *to = s.pairs + (j & 1) * s.p.n + i, x;
  const packet<T> y = look_up_packet (&from->y);
  const packet<T> c = look_up_packet (&from->column);
  x.y = receive_number (&from->y, y, step);
  x.column = receive_number (&from->column, c, step);
  if (s.p.cluster == 1)
    *to = x;
  else
    for (int rank = 0; rank < s.p.cluster; rank++)
      store_to_block ((ge_complex<T> *) to,
                      make_number<ge_complex<T>> (x.y, x.column), rank);
}

/* Receive this block's part of the messages of step J and store them into all blocks of
   its cluster.  They are dealt to the blocks by 32, one or a row to each lane of a
   warp.  */
ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE void
forward_pairs (const ONE_STAGE_STATE &s, const ge_warp &warp, int j)
{
  typedef one_stage_rows<T, THREADS> rows;
  const int lane = (int) warp.thread_rank (), wid = (int) threadIdx.x / 32;
  for (int e = 32 * (s.rank + s.p.cluster * wid) + lane; e < rows::EACH * s.p.n;
       e += s.p.cluster * THREADS)
    {
      if (! is_sent (s, j, e / rows::EACH))
        continue;
      if constexpr (rows::AT_ONCE)
        forward_row (s, j, e);
      else
        forward_message (s, j, e);
    }
  if (s.p.cluster == 1 || wid >= forwarding_warps (s))
    return;
  warp.sync ();
  if (lane < s.p.cluster)
    arrive_at_block (s.arrivals + (j & 1), lane);
}

ONE_STAGE_TEMPLATE
GE_DEVICE_INLINE void
wait_for_pairs (const ONE_STAGE_STATE &s, int j)
{
  if (s.p.cluster > 1)
    wait_for_phase (s.arrivals + (j & 1), (unsigned) (j >> 1) & 1);
}

#endif
