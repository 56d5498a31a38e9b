/* Stacks: a pass over the columns of a page in the reduction on chip (stack_reduce.cuh), and
   the state of a warp.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_STACK_REDUCE_PASS_CUH
#define GE_STACK_REDUCE_PASS_CUH 1

#include "tridiagonal/stack.cuh"

#include "base/cluster.cuh"
#include "base/numbers.cuh"

/* Elements of the three vectors that belong to a column.  */
template <typename T> struct alignas (16) reduce_column
{
  T v, w, next;
};

/* K: blocks of 32 rows, the last LEFT of which are left to another shape, WARPS of a thread block,
   CLUSTER thread blocks; HELD: columns of a warp in registers.  */
template <typename NUMBER, int K_, int LEFT_, int WARPS_, int CLUSTER_,
          int HELD_>
struct reduce_state
{
  typedef NUMBER T;
  enum
  {
    K = K_,
    LEFT = LEFT_,
    WARPS = WARPS_,
    CLUSTER = CLUSTER_,
    HELD = HELD_,
    ALL = WARPS * CLUSTER,
    ROWS = 32 * K,
    THREADS = 32 * WARPS,
    EACH = 32 / ALL, /* columns of a warp in a block of columns */
    COLUMNS = EACH * K,
    EARLY = COLUMNS - HELD, /* in shared memory */
    TWICE = ALL > 4, /* sums of a block's warps are added before they meet */
    MEETING = TWICE ? CLUSTER : WARPS,
    /* sums that have met are added once for all warps */
    ADDED = TWICE && CLUSTER > 2,
    /* Where registers are few, v and the reflector are in shared memory, and a pass has
       half of the rows at a time.  */
    LEAN = K * sizeof (T) > 64,
    CHUNK = LEAN ? (K + 1) / 2 : K
  };
  static_assert (EARLY >= 0 && EACH > 0, "columns of a warp");

  /* Shared memory but the early columns; two buffers for what a fast warp may write while a
     slow one reads.  */
  struct alignas (16) memory
  {
    alignas (16) T sums[2][MEETING][ROWS];
    alignas (16) T part[TWICE ? WARPS : 1][TWICE ? ROWS : 1];
    alignas (16) T total[ADDED ? ROWS : 1];
    alignas (16) T column[2][ROWS];
    alignas (16) T given[CLUSTER > 1 ? ROWS : 1]; /* to the other blocks */
    alignas (16) T reflector[LEAN ? 2 : 1][LEAN ? ROWS : 1];
    reduce_column<T> own[WARPS][COLUMNS];
    ge_real<T> largest[WARPS + CLUSTER];
    arrival arrivals[2];
  };

  memory *m;
  reduce_column<T> *own;      /* of this warp's columns */
  T *early;                   /* this lane's elements of them, 32 apart */
  int ld, before;             /* BEFORE: ROWS less the order */
  int lane, warp, rank, mine; /* MINE: the warp among those of all blocks */
  T *a, *tau;
  double *d, *e;
  T held[HELD][K];
  /* elements of this lane's rows, and tau of the reflector NEXT */
  T v[LEAN ? 1 : K], w[K], next[LEAN ? 1 : K], next_tau;
};

/* --- a pass --- */

/* Blocks FROM to END of rows of a column, X: update and products.  */
template <int FROM, int END, typename T, int K>
GE_DEVICE_INLINE void
pass_column (const reduce_column<T> &c, const T (&v)[K], const T (&w)[K],
             T (&x)[K], T (&sum)[K])
{
#pragma unroll
  for (int k = FROM; k < END; k++)
    x[k] = mul_conj_sub (v[k], c.w, x[k]);
#pragma unroll
  for (int k = FROM; k < END; k++)
    x[k] = mul_conj_sub (w[k], c.v, x[k]);
#pragma unroll
  for (int k = FROM; k < END; k++)
    sum[k] = mul_add (x[k], c.next, sum[k]);
}

template <int FROM, int END, typename T, int K>
GE_DEVICE_INLINE void
store_rows (T *to, int lane, const T (&x)[K])
{
#pragma unroll
  for (int k = FROM; k < END; k++)
    to[32 * k + lane] = x[k];
}

/* The early columns from DONE on; of each all is loaded before the one before is
   computed.  GIVEN becomes COLUMN.  */
template <int FROM, int END, typename S, typename T, int K>
GE_DEVICE_INLINE void
pass_early (const S &s, int done, int given, T *column, const T (&v)[K],
            T (&sum)[K])
{
  T ahead[K];
  reduce_column<T> own_ahead;
  const auto load = [&] (int c) {
    own_ahead = s.own[c];
#pragma unroll
    for (int k = FROM; k < END; k++)
      ahead[k] = s.early[32 * (K * c + k)];
  };
  if (done < S::EARLY)
    load (done);
#pragma unroll 1
  for (int c = done; c < S::EARLY; c++)
    {
      const reduce_column<T> own = own_ahead;
      T x[K];
#pragma unroll
      for (int k = FROM; k < END; k++)
        x[k] = ahead[k];
      if (c + 1 < S::EARLY)
        load (c + 1);
      pass_column<FROM, END> (own, v, s.w, x, sum);
      store_rows<FROM, END> (s.early + 32 * K * c, 0, x);
      if (c == given)
        store_rows<FROM, END> (column, s.lane, x);
    }
}

/* Blocks FROM to END of rows in phase P.  Columns of its block that are done may be
   updated: their elements of the vectors are zero.  */
template <int P, int FROM, int END, typename S>
GE_DEVICE_INLINE void
pass_rows (S &s, int step, int done, int given)
{
  typedef typename S::T T;
  T *const column = S::CLUSTER > 1 ? s.m->given : s.m->column[step & 1];
  T sum[S::K], v[S::K];
#pragma unroll
  for (int k = FROM; k < END; k++)
    {
      sum[k] = zero<T> ();
      if constexpr (S::LEAN)
        v[k] = s.m->reflector[step & 1][32 * k + s.lane];
      else
        v[k] = s.v[k];
    }
  if constexpr (S::EACH * P < S::EARLY)
    pass_early<FROM, END> (s, done, given, column, v, sum);
#pragma unroll
  for (int h = 0; h < S::HELD; h++)
    if (S::EARLY + h >= S::EACH * P)
      {
        pass_column<FROM, END> (s.own[S::EARLY + h], v, s.w, s.held[h], sum);
        if (S::EARLY + h < S::EACH * (P + 1) && S::EARLY + h == given)
          store_rows<FROM, END> (column, s.lane, s.held[h]);
      }
  store_rows<FROM, END> (
      S::TWICE ? s.m->part[s.warp] : s.m->sums[step & 1][s.warp], s.lane, sum);
}

/* All columns from FIRST on: update by the reflector before the last one, product with the
   last one, and column STEP.  */
template <int P, typename S>
GE_DEVICE_INLINE void
pass (S &s, int step, int first)
{
  const int done = (first - 1 + S::ALL - s.mine) / S::ALL;
  const int given = step % S::ALL == s.mine ? step / S::ALL : -1;
  if constexpr (P < S::CHUNK)
    pass_rows<P, P, S::CHUNK> (s, step, done, given);
  if constexpr (S::CHUNK < S::K)
    pass_rows<P, (P > S::CHUNK ? P : S::CHUNK), S::K> (s, step, done, given);
}

#endif
