/* The kernel that applies the block reflectors of the bulge chasing to vectors
   on tensor cores.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A warp owns 16 columns of Z, or 8 complex ones as 8 columns of real and 8 of imaginary
   parts, or twice as many, and works on their transpose: the rows of the current windows
   are in its registers, as accumulators of the tensor cores, a tile per 8 rows and 16
   columns.  The windows k of CHAIN consecutive groups have b + 32 CHAIN rows; from k to
   k + 1 they advance by b rows: b new ones come, b finished ones go.  For every eight
   reflectors of a record, from the last ones to the first,

     W = Z' conj (V),  Z' <- Z' - W (V T)'

   (' being the plain transpose) in tiles of 8: the columns 8 m .. 8 m + 7 of V and of V T
   involve the tiles m .. m + b / 8 only.

   A block has SETS sets of warps for the same columns, which take chains in turn: the
   next chain begins 32 CHAIN rows above, and the new rows of its task t are those that
   task t of the chain before has finished.  A warp hands them to the warp of the next set
   with the same columns in shared memory; only the first set reads them from device memory
   and only the last one writes them there.  So Z is read and written once per 32 CHAIN SETS
   sweeps.  The last set tells its progress to the first one, for the next round.

   Records are fetched to shared memory in pieces, by bulk copies, which leaves the warps of a
   set less than RING pieces apart.  */

#ifndef GE_TRIDIAGONAL_CHASE_TILES_CUH
#define GE_TRIDIAGONAL_CHASE_TILES_CUH 1

#include <cuda_pipeline.h>

#include "base/cluster.cuh"
#include "tridiagonal/chase_doubles.cuh"
#include "tridiagonal/chase_halves.cuh"
#include "tridiagonal/chase_records.cuh"

enum
{
  TILE_COLUMNS = 16,      /* real ones */
  TILE_ROWS = GE_BAND / 8 /* tiles of the rows that come and go */
};

/* Tiles that a warp has side by side: two where products take most of the time, so that it
   reads a record half as often; groups of a chain, limited by registers; pieces of a record,
   and how many of them are fetched together: as many as there is room for.  */
template <typename R, int PARTS, int WARPS> struct tiles_shape
{
  static constexpr bool DOUBLE = sizeof (R) == sizeof (double);
  static constexpr int WIDE = DOUBLE && WARPS <= 2 ? 2 : 1;
  static constexpr int CHAIN = WIDE == 2 ? 1 : DOUBLE ? 5 - PARTS : 4;
  static constexpr int PIECES = DOUBLE ? CHASE_SWEEPS / 8 : 1;
  static constexpr int TOGETHER = DOUBLE && PARTS == 1 && WARPS == 2 ? 2 : 1;
};

template <typename R, int PARTS, int WARPS>
using tile = R[tiles_shape<R, PARTS, WARPS>::WIDE][4];

/* Shared memory of a set of WARPS warps: pieces of records being fetched or used, the next
   rows of each warp, and the mbarriers at which both arrive and are given back.  */
template <typename R, int PARTS, int WARPS, int RING>
struct __align__ (16) tiles_memory
{
  typedef typename chase_record<R, PARTS>::piece piece_type;
  enum
  {
    TOGETHER = tiles_shape<R, PARTS, WARPS>::TOGETHER,
    AHEAD = WARPS > 1 && RING > 2 ? RING - 2 : RING - 1
  };
  piece_type piece[RING][TOGETHER];
  R rows[WARPS][tiles_shape<R, PARTS, WARPS>::WIDE * TILE_COLUMNS * GE_BAND];
  arrival piece_came[RING], piece_used[RING], rows_came[WARPS],
      rows_taken[WARPS];
  int progress[WARPS]; /* see chain_progress */
};

/* One record, on GPUs without bulk copies or with less shared memory: all threads of
   the block copy it, and new rows are read from device memory when they are needed.  */
template <typename R, int PARTS, int WARPS>
struct __align__ (16) tiles_memory<R, PARTS, WARPS, 1>
{
  chase_record<R, PARTS> record;
};

template <typename R, int PARTS> struct tiles_arguments
{
  /* row 1 of the first column, 16-byte aligned, as is LDZ; behind the n - 1 rows there is
     room for a chain's windows */
  R *z;
  int ldz;
  size_t far; /* from a tile's column c < 8 to its column 8 + c */
  chase_plan plan;
  const chase_record<R, PARTS> *records;
};

/* State of a warp.  */
template <typename R, int PARTS, int WARPS, int RING> struct tiles_state
{
  tiles_memory<R, PARTS, WARPS, RING> *memory;
  R *z; /* the first column of the warp */
  size_t far;
  int ldz, lane, set, sets, wid;
  int place; /* of the piece in use */
  unsigned phase;
  unsigned taken, given; /* blocks of rows */
  /* the next piece to fetch, the number left of its chain, and that chain */
  const typename chase_record<R, PARTS>::piece *next;
  int left, chain;
};

#define TILES_TEMPLATE template <typename R, int PARTS, int WARPS, int RING>
#define TILES_STATE tiles_state<R, PARTS, WARPS, RING>
#define TILES_ARGUMENTS tiles_arguments<R, PARTS>
#define TILES_SHAPE tiles_shape<R, PARTS, WARPS>
#define TILE tile<R, PARTS, WARPS>

/* --- pieces of records --- */

/* Start to fetch the next pieces to PLACE, when all warps of the set have finished those
   there, in the phase of parity PARITY; the warps do so in turn.  */
TILES_TEMPLATE
GE_DEVICE_INLINE void
fetch_piece (TILES_STATE &s, const TILES_ARGUMENTS &p, int place,
             unsigned parity)
{
  typedef typename chase_record<R, PARTS>::piece piece;
  constexpr int TOGETHER = TILES_SHAPE::TOGETHER;
  auto *m = s.memory;
  while (s.left == 0)
    {
      if (s.chain + s.sets >= p.plan.chains)
        return;
      s.chain += s.sets;
      s.next = (const piece *) (p.records + p.plan.offset[s.chain]);
      s.left = (int) (p.plan.offset[s.chain + 1] - p.plan.offset[s.chain])
               * TILES_SHAPE::PIECES / TOGETHER;
    }
  if (s.lane == 0 && (s.left & (WARPS - 1)) == s.wid)
    {
      arrival *a = m->piece_came + place;
      if (WARPS > 1)
        wait_for_phase (m->piece_used + place, parity);
      expect_bytes (a, TOGETHER * sizeof (piece));
      copy_in_bulk (m->piece[place], s.next, TOGETHER * sizeof (piece), a);
    }
  s.next += TOGETHER;
  s.left--;
}

/* --- progress --- */

/* Progress as one number that only grows: TASKS tasks of chain Q are done and
   their rows stored; CHAIN_DONE: all of them.  */
enum
{
  CHAIN_DONE = 0xffff,
  PUBLISHED = 4 /* tasks between two times, which take a fence each */
};

GE_DEVICE_INLINE int
chain_progress (int q, int tasks)
{
  return (q << 16) + tasks;
}

/* By warps of the last set.  */
TILES_TEMPLATE
GE_DEVICE_INLINE void
publish_progress (const TILES_STATE &s, const ge_warp &warp, int progress)
{
  if constexpr (RING > 1)
    {
      if (s.sets == 1 || s.set < s.sets - 1)
        return;
      __threadfence ();
      warp.sync ();
      if (s.lane == 0)
        *(volatile int *) (s.memory->progress + s.wid) = progress;
    }
}

/* By warps of the first set: wait until the last one has finished TASKS of the MOST tasks of
   chain Q.  The fence orders the following reads.  */
TILES_TEMPLATE
GE_DEVICE_INLINE void
wait_for_progress (const TILES_STATE &s, const ge_warp &warp, int q, int tasks,
                   int most)
{
  if (s.sets == 1 || q < 0)
    return;
  const volatile int *last = s.memory[s.sets - 1].progress + s.wid;
  const int needs = chain_progress (q, tasks < most ? tasks : CHAIN_DONE);
  while (*last < needs)
    ;
  warp.sync ();
  __threadfence_block ();
}

/* --- rows --- */

/* Start to fetch b rows of the warp's columns from ROW on, in the order in which the lanes
   take them.  */
TILES_TEMPLATE
GE_DEVICE_INLINE void
fetch_rows (const TILES_STATE &s, int row)
{
  constexpr int WIDE = TILES_SHAPE::WIDE, EACH = 16 / sizeof (R);
  R *to = s.memory->rows[s.wid];
#pragma unroll
  for (int k = 0; k < TILE_ROWS; k++)
#pragma unroll
    for (int t = 0; t < WIDE; t++)
#pragma unroll
      for (int i = s.lane * EACH; i < 8 * TILE_COLUMNS; i += 32 * EACH)
        __pipeline_memcpy_async (
            to + (k * WIDE + t) * 8 * TILE_COLUMNS + i,
            s.z + (t * (TILE_COLUMNS / PARTS) + i % 64 / 8) * s.ldz
                + (i < 64 ? 0 : s.far) + row + 8 * k + i % 8,
            16);
  __pipeline_commit ();
}

/* Load and store a tile, 8 rows of 16 columns, from shared or device memory and to either.
   FAR: distance from column c to column 8 + c.  */
template <bool SHARED, typename R>
GE_DEVICE_INLINE void
load_tile (R (&x)[4], const R *z, int ld, size_t far, int lane)
{
  typedef ge_complex<R> pair;
  const R *from = z + lane / 4 * ld + lane % 4 * 2;
  const pair *one = (const pair *) from, *other = (const pair *) (from + far);
  const pair a = SHARED ? *one : __ldcg (one),
             b = SHARED ? *other : __ldcg (other);
  x[0] = a.x;
  x[1] = a.y;
  x[2] = b.x;
  x[3] = b.y;
}
template <bool SHARED, typename R>
GE_DEVICE_INLINE void
store_tile (const R (&x)[4], R *z, int ld, size_t far, int lane)
{
  typedef ge_complex<R> pair;
  R *to = z + lane / 4 * ld + lane % 4 * 2;
  const pair a = { x[0], x[1] }, b = { x[2], x[3] };
  if (SHARED)
    {
      *(pair *) to = a;
      *(pair *) (to + far) = b;
    }
  else
    {
      __stcg ((pair *) to, a);
      __stcg ((pair *) (to + far), b);
    }
}

/* Load and store all tiles of a warp in 8 rows from ROW on, in device memory.  */
TILES_TEMPLATE
GE_DEVICE_INLINE void
load_rows (const TILES_STATE &s, int row, TILE &x)
{
#pragma unroll
  for (int t = 0; t < TILES_SHAPE::WIDE; t++)
    load_tile<false> (x[t], s.z + t * (TILE_COLUMNS / PARTS) * s.ldz + row,
                      s.ldz, s.far, s.lane);
}
TILES_TEMPLATE
GE_DEVICE_INLINE void
store_rows (const TILES_STATE &s, int row, const TILE &x)
{
#pragma unroll
  for (int t = 0; t < TILES_SHAPE::WIDE; t++)
    store_tile<false> (x[t], s.z + t * (TILE_COLUMNS / PARTS) * s.ldz + row,
                       s.ldz, s.far, s.lane);
}

/* Begin chain Q at row ROW0: fetch its first new rows.  */
TILES_TEMPLATE
GE_DEVICE_INLINE void
begin_chain (const TILES_STATE &s, const ge_warp &warp, int q, int row,
             int before)
{
  if constexpr (RING > 1)
    if (s.set == 0)
      {
        wait_for_progress (s, warp, q - 1, 1, before);
        fetch_rows (s, row);
      }
}

/* The new rows of task TASK, from row ROW on, to X; if they are fetched, start to fetch
   those of the next task, unless it is the last one.  */
TILES_TEMPLATE
GE_DEVICE_INLINE void
take_rows (TILES_STATE &s, const ge_warp &warp, TILE *x, int row, bool more,
           int q, int task, int before)
{
  constexpr int WIDE = TILES_SHAPE::WIDE;
  if constexpr (RING > 1)
    {
      const R *from = s.memory->rows[s.wid];
      if (s.set == 0)
        __pipeline_wait_prior (0);
      else
        wait_for_phase (s.memory->rows_came + s.wid, s.taken++ & 1);
      warp.sync ();
#pragma unroll
      for (int k = 0; k < TILE_ROWS; k++)
#pragma unroll
        for (int t = 0; t < WIDE; t++)
          load_tile<true> (x[k][t], from + (k * WIDE + t) * 8 * TILE_COLUMNS, 8,
                           64, s.lane);
      warp.sync ();
      if (s.set > 0)
        {
          if (s.lane == 0)
            expect_bytes (s.memory->rows_taken + s.wid, 0);
        }
      else if (more)
        {
          wait_for_progress (s, warp, q - 1, task + 2, before);
          fetch_rows (s, row + GE_BAND);
        }
    }
  else
#pragma unroll
    for (int k = 0; k < TILE_ROWS; k++)
      load_rows (s, row + 8 * k, x[k]);
}

/* The finished rows X, from row ROW on, to the next set, or to device memory if LAST.  */
TILES_TEMPLATE
GE_DEVICE_INLINE void
give_rows (TILES_STATE &s, const ge_warp &warp, const TILE *x, int row,
           bool last)
{
  constexpr int WIDE = TILES_SHAPE::WIDE;
  if (last)
    {
#pragma unroll
      for (int k = 0; k < TILE_ROWS; k++)
        store_rows (s, row + 8 * k, x[k]);
      return;
    }
  if constexpr (RING > 1)
    {
      auto *next = s.memory + 1;
      R *to = next->rows[s.wid];
      wait_for_phase (next->rows_taken + s.wid, s.given++ & 1 ^ 1);
#pragma unroll
      for (int k = 0; k < TILE_ROWS; k++)
#pragma unroll
        for (int t = 0; t < WIDE; t++)
          store_tile<true> (x[k][t], to + (k * WIDE + t) * 8 * TILE_COLUMNS, 8,
                            64, s.lane);
      warp.sync ();
      if (s.lane == 0)
        expect_bytes (next->rows_came + s.wid, 0);
    }
}

/* --- chains --- */

/* Apply record NUMBER, the next one, to the tiles from X on.  */
TILES_TEMPLATE
GE_DEVICE_INLINE void
apply_next (TILES_STATE &s, const ge_warp &warp, const TILES_ARGUMENTS &p,
            int64_t number, TILE *x)
{
  constexpr int LAST = TILES_SHAPE::PIECES - 1,
                TOGETHER = TILES_SHAPE::TOGETHER;
  if constexpr (RING == 1)
    {
      typedef const typename chase_record<R, PARTS>::piece *pieces;
      const uint4 *from = (const uint4 *) (p.records + number);
      uint4 *to = (uint4 *) &s.memory->record;
      __syncthreads ();
      for (unsigned i = threadIdx.x; i < sizeof *p.records / sizeof *to;
           i += WARPS * 32)
        to[i] = from[i];
      __syncthreads ();
#pragma unroll
      for (int k = 0; k <= LAST; k++)
        apply_piece<PARTS> (x, (pieces) &s.memory->record + k, LAST - k,
                            s.lane);
    }
  else
#pragma unroll
    for (int k = 0; k <= LAST; k += TOGETHER)
      {
        auto *m = s.memory;
        const int ahead = s.place + m->AHEAD;
        if (ahead < RING)
          fetch_piece (s, p, ahead, s.phase ^ 1);
        else
          fetch_piece (s, p, ahead - RING, s.phase);
        wait_for_phase (m->piece_came + s.place, s.phase);
#pragma unroll
        for (int i = 0; i < TOGETHER; i++)
          apply_piece<PARTS> (x, m->piece[s.place] + i, LAST - k - i, s.lane);
        finish_reads ();
        warp.sync ();
        if (WARPS > 1 && s.lane == 0)
          expect_bytes (m->piece_used + s.place, 0);
        if (++s.place == RING)
          {
            s.place = 0;
            s.phase ^= 1;
          }
      }
}

/* Apply chain Q of the plan.  */
TILES_TEMPLATE
GE_DEVICE_INLINE void
apply_chain (TILES_STATE &s, const ge_warp &warp, const TILES_ARGUMENTS &p,
             int q)
{
  constexpr int CHAIN = TILES_SHAPE::CHAIN, OLD = TILE_ROWS * CHAIN;
  const int64_t n = p.plan.n;
  const int low = (int) p.plan.first - q * CHAIN, row0 = low * CHASE_SWEEPS;
  const int before = (int) chase_group_tasks (n, low + CHAIN);
  const int tasks = (int) chase_group_tasks (n, low);
  const bool last = s.set == s.sets - 1 || q == p.plan.chains - 1;
  int64_t number = p.plan.offset[q];
  TILE x[OLD + TILE_ROWS];
#pragma unroll
  for (int k = 0; k < OLD; k++)
    load_rows (s, row0 + 8 * k, x[k]);
  begin_chain (s, warp, q, row0 + 8 * OLD, before);
  for (int task = 0; task < tasks; task++)
    {
      const int row = row0 + GE_BAND * task;
      take_rows (s, warp, x + OLD, row + 8 * OLD, task + 1 < tasks, q, task,
                 before);
#pragma unroll
      for (int c = CHAIN - 1; c >= 0; c--)
        {
          if (c == 0 && task > 0 && task % PUBLISHED == 0)
            publish_progress (s, warp, chain_progress (q, task));
          apply_next (s, warp, p, number++, x + TILE_ROWS * c);
        }
      give_rows (s, warp, x, row, last);
#pragma unroll
      for (int k = 0; k < OLD; k++)
#pragma unroll
        for (int t = 0; t < TILES_SHAPE::WIDE; t++)
#pragma unroll
          for (int i = 0; i < 4; i++)
            x[k][t][i] = x[k + TILE_ROWS][t][i];
    }
#pragma unroll
  for (int c = 0; c < CHAIN; c++)
    give_rows (s, warp, x + TILE_ROWS * c, row0 + GE_BAND * (tasks + c), last);
  publish_progress (s, warp, chain_progress (q, CHAIN_DONE));
}

/* Apply the chains of P to Z.  Grid: one block per WARPS groups of columns.  */
template <typename R, int PARTS, int WARPS, int RING, int SETS>
GE_KERNEL (SETS *WARPS * 32, 1)
chase_tiles_kernel (tiles_arguments<R, PARTS> p)
{
  extern __shared__ __align__ (16) unsigned char tiles_bytes[];
  const ge_warp warp = this_warp ();
  auto *memory = (tiles_memory<R, PARTS, WARPS, RING> *) tiles_bytes;
  TILES_STATE s;
  s.taken = s.given = s.phase = 0;
  s.place = s.left = 0;
  s.lane = (int) warp.thread_rank ();
  s.set = SETS > 1 ? (int) threadIdx.x / (32 * WARPS) : 0;
  s.wid = (int) threadIdx.x / 32 % WARPS;
  s.memory = memory + s.set;
  s.sets = SETS;
  s.chain = s.set - SETS;
  s.ldz = p.ldz;
  s.far = p.far;
  s.z = p.z
        + (size_t) (blockIdx.x * WARPS + s.wid)
              * (TILES_SHAPE::WIDE * TILE_COLUMNS / PARTS) * (size_t) p.ldz;
  if constexpr (RING > 1)
    {
      if (s.lane == 0)
        {
          begin_arrivals (s.memory->rows_came + s.wid, 1);
          begin_arrivals (s.memory->rows_taken + s.wid, 1);
          s.memory->progress[s.wid] = -1;
          if (s.wid == 0)
            {
              for (int i = 0; i < RING; i++)
                {
                  begin_arrivals (s.memory->piece_came + i, 1);
                  begin_arrivals (s.memory->piece_used + i, WARPS);
                }
            }
        }
      __syncthreads ();
      for (int i = 0; i < tiles_memory<R, PARTS, WARPS, RING>::AHEAD; i++)
        fetch_piece (s, p, i, 1);
    }
  for (int q = s.set; q < p.plan.chains; q += SETS)
    apply_chain (s, warp, p, q);
}

#undef TILES_TEMPLATE
#undef TILES_STATE
#undef TILES_ARGUMENTS
#undef TILES_SHAPE
#undef TILE

#endif
