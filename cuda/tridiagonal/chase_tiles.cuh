/* The kernel that applies the block reflectors of the bulge chasing to vectors
   on tensor cores.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A warp owns 16 columns of Z, or 8 complex ones as 8 columns of real and 8 of
   imaginary parts, and works on their transpose: the rows of the current
   windows are in its registers, as accumulators of the tensor cores, one tile
   per 8 rows of Z.  The windows k of CHAIN consecutive groups have b + 32 CHAIN
   rows; from k to k + 1 they advance by b rows: b new ones are loaded, b
   finished ones stored.  So Z is read and written once per 32 CHAIN sweeps.
   For every eight reflectors of a record, from the last ones to the first,

     W = Z' conj (V),  Z' <- Z' - W (V T)'

   (' being the plain transpose) in tiles of 8: the columns 8 m .. 8 m + 7 of V and of V T
   involve the tiles m .. m + b / 8 only.  Records are fetched to shared memory
   by bulk copies, AHEAD ahead, which leaves the warps RECORDS - AHEAD - 1 records
   apart; new rows one task ahead.

   Where there are so few columns that a block has few warps, it has two or three
   SETS of warps for the same columns, which take chains in turn: the next chain
   begins 32 CHAIN rows above, and its task t + 1 reads rows that task t + 1 of
   the chain before has finished.  A warp publishes its progress to the warp of
   the next set with the same columns one task late, when its stores have been
   in flight for long (publish_progress).  */

#ifndef GE_TRIDIAGONAL_CHASE_TILES_CUH
#define GE_TRIDIAGONAL_CHASE_TILES_CUH 1

#include "base/cluster.cuh"
#include "base/tensor.cuh"
#include "tridiagonal/chase_halves.cuh"
#include "tridiagonal/chase_records.cuh"

enum
{
  TILE_COLUMNS = 16 /* per warp, real ones */
};

/* Shared memory of a set of WARPS warps: records being fetched or used, two
   sets of new rows per warp, and the mbarriers at which they arrive.  */
template <typename R, int PARTS, int WARPS, int RECORDS>
struct __align__ (16) tiles_memory
{
  enum
  {
    LD = GE_BAND + 8, /* free of bank conflicts */
    AHEAD = RECORDS > 2 ? RECORDS - 2 : 1
  };
  chase_record<R, PARTS> record[RECORDS];
  R rows[WARPS][2][TILE_COLUMNS * LD];
  arrival record_came[RECORDS], record_used[RECORDS], rows_came[WARPS][2];
  /* the next record to fetch, the number left of its chain, and that chain */
  const chase_record<R, PARTS> *next;
  int64_t left;
  int fetched_chain;
  int progress[WARPS]; /* see chain_progress */
};

/* One record, on GPUs without bulk copies or with less shared memory: all threads of
   the block copy it, and new rows are read from device memory when they are needed.  */
template <typename R, int PARTS, int WARPS>
struct __align__ (16) tiles_memory<R, PARTS, WARPS, 1>
{
  chase_record<R, PARTS> record;
};

/* State of a warp.  Its 16 columns: column c < 8 at Z + c ldz, column 8 + c at
   the distance FAR from it.  */
template <typename R, int PARTS, int WARPS, int RECORDS> struct tiles_state
{
  tiles_memory<R, PARTS, WARPS, RECORDS> *memory;
  /* progress of the set before's warp for these columns, NULL for one set */
  const volatile int *ahead;
  int turn;     /* records used */
  int row_turn; /* sets of new rows used */
  R *z;
  size_t far;
  int ldz, lane, set, sets, wid;
};

#define TILES_TEMPLATE template <typename R, int PARTS, int WARPS, int RECORDS>
#define TILES_STATE tiles_state<R, PARTS, WARPS, RECORDS>

/* Start to fetch the record that will be used as number NUMBER, when all warps
   have finished the one in its place; done by one thread of the set.  */
TILES_TEMPLATE
GE_DEVICE_INLINE void
fetch_record (const TILES_STATE &s, const chase_plan &p,
              const chase_record<R, PARTS> *records, int number)
{
  if (s.wid > 0 || s.lane > 0)
    return;
  auto *m = s.memory;
  while (m->left == 0)
    {
      const int chain = m->fetched_chain += s.sets;
      if (chain >= p.chains)
        {
          m->fetched_chain = (int) p.chains;
          return;
        }
      m->next = records + p.offset[chain];
      m->left = p.offset[chain + 1] - p.offset[chain];
    }
  if (number >= RECORDS)
    wait_for_phase (m->record_used + number % RECORDS,
                    (unsigned) (number / RECORDS - 1) & 1);
  arrival *a = m->record_came + number % RECORDS;
  expect_bytes (a, sizeof *records);
  copy_in_bulk (m->record + number % RECORDS, m->next, sizeof *records, a);
  m->next++;
  m->left--;
}

/* Progress as one number that only grows: TASKS tasks of chain Q are done and
   their rows stored; CHAIN_DONE: all of them.  */
enum
{
  CHAIN_DONE = 0xffff
};

GE_DEVICE_INLINE int
chain_progress (int q, int tasks)
{
  return (q << 16) + tasks;
}

TILES_TEMPLATE
GE_DEVICE_INLINE void
publish_progress (const TILES_STATE &s, const ge_warp &warp, int progress)
{
  if constexpr (RECORDS > 1)
    {
      if (! s.ahead)
        return;
      __threadfence ();
      publish_for_bulk_copies ();
      warp.sync ();
      if (s.lane == 0)
        *(volatile int *) (s.memory->progress + s.wid) = progress;
    }
}

/* Wait until the set before has finished TASKS of the MOST tasks of chain Q.
   The fence orders the following reads; the proxy fence also those of bulk
   copies.  */
TILES_TEMPLATE
GE_DEVICE_INLINE void
wait_for_progress (const TILES_STATE &s, const ge_warp &warp, int q, int tasks,
                   int most)
{
  if (! s.ahead || q < 0)
    return;
  const int needs = chain_progress (q, tasks < most ? tasks : CHAIN_DONE);
  while (*s.ahead < needs)
    ;
  warp.sync ();
  __threadfence_block ();
  publish_for_bulk_copies ();
}

/* Start to fetch b rows of the warp's columns from ROW on, as set NUMBER of new
   rows.  */
TILES_TEMPLATE
GE_DEVICE_INLINE void
fetch_rows (const TILES_STATE &s, int row, int number)
{
  constexpr int LD = tiles_memory<R, PARTS, WARPS, RECORDS>::LD;
  arrival *a = &s.memory->rows_came[s.wid][number & 1];
  R *to = s.memory->rows[s.wid][number & 1];
  if (s.lane == 0)
    expect_bytes (a, TILE_COLUMNS * GE_BAND * sizeof (R));
  if (s.lane < TILE_COLUMNS)
    copy_in_bulk (to + s.lane * LD,
                  s.z + (s.lane & 7) * s.ldz + (s.lane < 8 ? 0 : s.far) + row,
                  GE_BAND * sizeof (R), a);
}

/* Load and store a tile, 8 rows of the warp's columns, from shared or device
   memory and to device memory.  FAR: distance from column c to column 8 +
   c.  */
template <bool SHARED, typename R>
GE_DEVICE_INLINE void
load_tile (R (&tile)[4], const R *z, int ld, size_t far, int lane)
{
  typedef ge_complex<R> pair;
  const R *from = z + lane / 4 * ld + lane % 4 * 2;
  const pair *x = (const pair *) from, *y = (const pair *) (from + far);
  const pair a = SHARED ? *x : __ldcg (x), b = SHARED ? *y : __ldcg (y);
  tile[0] = a.x;
  tile[1] = a.y;
  tile[2] = b.x;
  tile[3] = b.y;
}
template <typename R>
GE_DEVICE_INLINE void
store_tile (const R (&tile)[4], R *z, int ld, size_t far, int lane)
{
  typedef ge_complex<R> pair;
  R *to = z + lane / 4 * ld + lane % 4 * 2;
  __stcg ((pair *) to, pair{ tile[0], tile[1] });
  __stcg ((pair *) (to + far), pair{ tile[2], tile[3] });
}

/* 32-bit addresses in shared memory, so that constant offsets are part of the
   load instruction; the loads are volatile so that the compiler does not move
   them to where more registers would be needed than there are.  */
typedef unsigned shared_place;
GE_DEVICE_INLINE shared_place
place_of (const double *p)
{
  return (unsigned) __cvta_generic_to_shared (p);
}
GE_DEVICE_INLINE shared_place
move_place (shared_place p, int numbers)
{
  return p + (unsigned) (numbers * (int) sizeof (double));
}
GE_DEVICE_INLINE double2
shared_pair (shared_place p)
{
  double2 x;
  asm volatile("ld.shared.v2.f64 {%0, %1}, [%2];"
               : "=d"(x.x), "=d"(x.y)
               : "r"(p));
  return x;
}
GE_DEVICE_INLINE double
shared_one (shared_place p)
{
  double x;
  asm volatile("ld.shared.f64 %0, [%1];" : "=d"(x) : "r"(p));
  return x;
}

/* C += X Y with an accumulator X: its fragment is that of a left operand if the
   rows of the right operand are permuted to 0, 2, 4, 6, 1, 3, 5, 7 (sigma).  */
GE_DEVICE_INLINE void
multiply_accumulator (double c[4], const double x[4], double y0, double y1)
{
  multiply_tiles (c, x[0], x[2], x[1], x[3], y0, y1);
}

/* C += (i X) Y for complex X with real parts in rows 0 to 7 and imaginary ones in
   rows 8 to 15: (-im, re).  */
GE_DEVICE_INLINE void
multiply_turned (double c[4], const double x[4], double y0, double y1)
{
  multiply_tiles (c, -x[2], x[0], -x[3], x[1], y0, y1);
}

/* The addresses from which a lane reads a record: its row sigma of the first
   eight rows of V', for tiles of even and of odd number and for the last one (see
   chase_place), and its row c of -(V T)'.  */
typedef struct
{
  shared_place even, odd, last, vt;
} record_places;

template <int PARTS>
GE_DEVICE_INLINE record_places
places_of_record (const chase_record<double, PARTS> *record, int lane)
{
  const int r = lane / 4, c = lane % 4, sigma = r / 2 + 4 * (r & 1);
  const shared_place v = place_of (record->v[0]);
  record_places p;
  p.even = move_place (v, chase_place (sigma, 2 * c));
  p.odd = move_place (v, chase_place (sigma, 8 + 2 * c) - 8);
  p.last = move_place (v, chase_place (sigma, GE_BAND + 2 * c) - GE_BAND);
  p.vt = move_place (place_of (record->vt[0]), chase_place (c, r));
  return p;
}

/* Load block K of the rows 8 M ... of V' as the right operand of W, and of -(V T)' as that
   of the update.  */
template <int PARTS>
GE_DEVICE_INLINE void
load_products (const record_places &p, int m, int k, double2 (&x)[PARTS],
               double2 (&y)[PARTS])
{
  constexpr int LD = CHASE_LD, IMAG = CHASE_SWEEPS * LD;
  const int at = 8 * m * LD + 8 * k;
  const shared_place v = move_place (8 * k == GE_BAND ? p.last
                                     : k % 2 == 0     ? p.even
                                                      : p.odd,
                                     at);
  /* rows 8 m + c and 8 m + c + 4 */
  const shared_place one = move_place (p.vt, at);
  const shared_place other
      = move_place (p.vt, at - 8 * k + chase_place (4, 8 * k));
#pragma unroll
  for (int i = 0; i < PARTS; i++)
    {
      x[i] = shared_pair (move_place (v, i * IMAG));
      y[i] = make_double2 (shared_one (move_place (one, i * IMAG)),
                           shared_one (move_place (other, i * IMAG)));
    }
}

/* Apply the block reflector RECORD to the windows' tiles from Z on.  Because
   V's columns are taken in the order sigma, those of W are in natural
   order.  */
template <int PARTS>
GE_DEVICE_INLINE void
apply_record (double (*z)[4], const chase_record<double, PARTS> *record,
              int lane)
{
  constexpr int NEAR = GE_BAND / 8 + 1;
  const record_places p = places_of_record (record, lane);
#pragma unroll
  for (int m = CHASE_SWEEPS / 8 - 1; m >= 0; m--)
    {
      /* two chains of sums: the products with real and imaginary parts, or with every
         second tile */
      double w[4] = { 0, 0, 0, 0 }, other[4] = { 0, 0, 0, 0 };
      double2 x[NEAR][PARTS], y[NEAR][PARTS];
#pragma unroll
      for (int k = 0; k < NEAR; k++)
        load_products<PARTS> (p, m, k, x[k], y[k]);
#pragma unroll
      for (int k = 0; k < NEAR; k++)
        {
          multiply_accumulator (PARTS == 1 && k % 2 == 1 ? other : w, z[m + k],
                                x[k][0].x, x[k][0].y);
          if (PARTS == 2)
            multiply_accumulator (other, z[m + k], x[k][PARTS - 1].x,
                                  x[k][PARTS - 1].y);
        }
#pragma unroll
      for (int q = 0; q < 4; q++)
        w[q] += PARTS == 1 ? other[q] : q < 2 ? other[q ^ 2] : -other[q ^ 2];
#pragma unroll
      for (int k = 0; k < NEAR; k++)
        {
          multiply_accumulator (z[m + k], w, y[k][0].x, y[k][0].y);
          if (PARTS == 2)
            multiply_turned (z[m + k], w, y[k][PARTS - 1].x, y[k][PARTS - 1].y);
        }
    }
}

/* Begin chain Q at row ROW0: fetch its first new rows, which follow OLD tiles.  */
TILES_TEMPLATE
GE_DEVICE_INLINE void
begin_chain (const TILES_STATE &s, const ge_warp &warp, int q, int row,
             int before)
{
  if constexpr (RECORDS > 1)
    {
      wait_for_progress (s, warp, q - 1, 1, before);
      fetch_rows (s, row, s.row_turn);
    }
}

/* The new rows of task TASK, from row ROW on, to X; those of the next task are fetched if
   MORE.  */
TILES_TEMPLATE
GE_DEVICE_INLINE void
take_rows (TILES_STATE &s, const ge_warp &warp, R (*x)[4], int row, bool more,
           int q, int task, int before)
{
  if constexpr (RECORDS > 1)
    {
      constexpr int LD = tiles_memory<R, PARTS, WARPS, RECORDS>::LD;
      const int set = s.row_turn & 1;
      wait_for_phase (&s.memory->rows_came[s.wid][set],
                      (unsigned) (s.row_turn >> 1) & 1);
#pragma unroll
      for (int k = 0; k < GE_BAND / 8; k++)
        load_tile<true> (x[k], s.memory->rows[s.wid][set] + 8 * k, LD, 8 * LD,
                         s.lane);
      s.row_turn++;
      warp.sync ();
      if (more)
        {
          wait_for_progress (s, warp, q - 1, task + 2, before);
          fetch_rows (s, row + GE_BAND, s.row_turn);
        }
    }
  else
#pragma unroll
    for (int k = 0; k < GE_BAND / 8; k++)
      load_tile<false> (x[k], s.z + row + 8 * k, s.ldz, s.far, s.lane);
}

/* Apply the next record to the tiles from X on.  */
TILES_TEMPLATE
GE_DEVICE_INLINE void
apply_next (TILES_STATE &s, const ge_warp &warp, const chase_plan &p,
            const chase_record<R, PARTS> *records, R (*x)[4])
{
  if constexpr (RECORDS > 1)
    {
      fetch_record (s, p, records,
                    s.turn + tiles_memory<R, PARTS, WARPS, RECORDS>::AHEAD);
      const int place = s.turn % RECORDS;
      wait_for_phase (s.memory->record_came + place,
                      (unsigned) (s.turn / RECORDS) & 1);
      warp.sync ();
      apply_record<PARTS> (x, s.memory->record + place, s.lane);
      warp.sync ();
      if (s.lane == 0)
        expect_bytes (s.memory->record_used + place, 0);
    }
  else
    {
      const uint4 *from = (const uint4 *) (records + s.turn);
      uint4 *to = (uint4 *) &s.memory->record;
      __syncthreads ();
      for (unsigned i = threadIdx.x; i < sizeof *records / sizeof *to;
           i += WARPS * 32)
        to[i] = from[i];
      __syncthreads ();
      apply_record<PARTS> (x, &s.memory->record, s.lane);
    }
  s.turn++;
}

/* Apply chain Q of the plan.  */
template <int CHAIN, typename R, int PARTS, int WARPS, int RECORDS>
GE_DEVICE_INLINE void
apply_chain (TILES_STATE &s, const ge_warp &warp, const chase_plan &p,
             const chase_record<R, PARTS> *records, int q)
{
  constexpr int NEW = GE_BAND / 8, OLD = 4 * CHAIN;
  const int low = (int) p.first - q * CHAIN, row0 = low * CHASE_SWEEPS;
  const int before = (int) chase_group_tasks (p.n, low + CHAIN);
  const int tasks = (int) chase_group_tasks (p.n, low);
  R x[NEW + OLD][4];
  /* the rows read now were written by this warp for the chain before */
  publish_for_bulk_copies ();
  warp.sync ();
#pragma unroll
  for (int k = 0; k < OLD; k++)
    load_tile<false> (x[k], s.z + row0 + 8 * k, s.ldz, s.far, s.lane);
  begin_chain (s, warp, q, row0 + 8 * OLD, before);
  for (int task = 0; task < tasks; task++)
    {
      const int row = row0 + GE_BAND * task;
      take_rows (s, warp, x + OLD, row + 8 * OLD, task + 1 < tasks, q, task,
                 before);
#pragma unroll
      for (int c = CHAIN - 1; c >= 0; c--)
        {
          if (c == 0 && task > 0)
            publish_progress (s, warp, chain_progress (q, task));
          apply_next (s, warp, p, records, x + 4 * c);
        }
#pragma unroll
      for (int k = 0; k < NEW; k++)
        store_tile (x[k], s.z + row + 8 * k, s.ldz, s.far, s.lane);
#pragma unroll
      for (int k = 0; k < OLD; k++)
#pragma unroll
        for (int q = 0; q < 4; q++)
          x[k][q] = x[k + NEW][q];
    }
#pragma unroll
  for (int k = 0; k < OLD; k++)
    store_tile (x[k], s.z + row0 + GE_BAND * tasks + 8 * k, s.ldz, s.far,
                s.lane);
  publish_progress (s, warp, chain_progress (q, CHAIN_DONE));
}

/* Apply the chains of P, with their RECORDS, to Z.  Grid: one block per SETS
   WARPS / SETS groups of columns; a warp has 16 columns, or 8 complex ones
   whose imaginary parts are at the distance FAR, see tiles_state.  Z: row 1 of
   the first column, 16-byte aligned, as is LDZ; behind the n - 1 rows there is
   room for a chain's windows.  */
template <typename R, int PARTS, int WARPS, int RECORDS, int CHAIN, int SETS>
GE_KERNEL (SETS *WARPS * 32, 1)
chase_tiles_kernel (R *z, int ldz, size_t far, chase_plan p,
                    const chase_record<R, PARTS> *records)
{
  extern __shared__ __align__ (16) unsigned char tiles_bytes[];
  const ge_warp warp = this_warp ();
  auto *memory = (tiles_memory<R, PARTS, WARPS, RECORDS> *) tiles_bytes;
  TILES_STATE s;
  s.turn = s.row_turn = 0;
  s.lane = (int) warp.thread_rank ();
  s.set = (int) threadIdx.x / (32 * WARPS);
  s.wid = (int) threadIdx.x / 32 % WARPS;
  s.memory = memory + s.set;
  s.sets = SETS;
  s.ahead = NULL;
  s.ldz = ldz;
  s.far = far;
  s.z = z
        + (size_t) (blockIdx.x * WARPS + s.wid) * (TILE_COLUMNS / PARTS)
              * (size_t) ldz;
  if constexpr (RECORDS > 1)
    {
      if (SETS > 1)
        s.ahead = memory[(s.set + SETS - 1) % SETS].progress + s.wid;
      if (s.lane == 0)
        {
          for (int i = 0; i < 2; i++)
            begin_arrivals (&s.memory->rows_came[s.wid][i], 1);
          s.memory->progress[s.wid] = -1;
          if (s.wid == 0)
            {
              for (int i = 0; i < RECORDS; i++)
                {
                  begin_arrivals (s.memory->record_came + i, 1);
                  begin_arrivals (s.memory->record_used + i, WARPS);
                }
              s.memory->left = 0;
              s.memory->fetched_chain = s.set - SETS;
            }
        }
      __syncthreads ();
      for (int i = 0; i < tiles_memory<R, PARTS, WARPS, RECORDS>::AHEAD; i++)
        fetch_record (s, p, records, i);
    }
  for (int q = s.set; q < p.chains; q += SETS)
    apply_chain<CHAIN> (s, warp, p, records, q);
}

#undef TILES_TEMPLATE
#undef TILES_STATE

#endif
