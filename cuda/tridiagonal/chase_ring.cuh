/* Consecutive sweeps of the bulge chasing in the blocks of a cluster: what a sweep hands to
   the next one, in the shared memory of the block that has it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A task fills a slot of the next block: the b-by-b block below the diagonal and the diagonal
   block, both whole, as the threads have them (bulge_chasing.cu).  The next sweep waits longest
   for the first element of either, for its task before: beta, which goes before the blocks, and
   the corner.  Every slot is announced by mbarriers in the memory of its reader; that it has
   been read, by one in the memory of its writer.  */

#ifndef GE_TRIDIAGONAL_CHASE_RING_CUH
#define GE_TRIDIAGONAL_CHASE_RING_CUH 1

#include "base/cluster.cuh"
#include "tridiagonal/tridiagonal.cuh"

enum
{
  B = GE_BAND,
  WARPS = 8,           /* of a block */
  COLUMNS = B / WARPS, /* of a warp */
  RING = 4             /* slots */
};

/* A thread's elements of a block, in units of 16 bytes.  */
template <typename T> union chase_part
{
  T x[COLUMNS];
  double2 unit[COLUMNS * sizeof (T) / sizeof (double2)];
};

enum chase_block_name
{
  BELOW,
  DIAGONAL
};

template <typename T> struct chase_slot
{
  enum
  {
    UNITS = COLUMNS * sizeof (T) / sizeof (double2)
  };
  double2 block[2][WARPS][UNITS][B];
  double2 beta, corner;
};

/* Slots are counted from 0; number I is in place I mod RING.  */
template <typename T> struct chase_ring
{
  chase_slot<T> slot[RING];
  arrival begun[RING]; /* beta */
  /* The block below with the corner, the diagonal block.  */
  arrival come[2][RING];
  arrival read[RING]; /* by the next block, of its slots */
  double2 token;      /* stored to tell that */
};

/* Bytes that announce block NAME.  */
template <typename T>
GE_DEVICE_INLINE unsigned
bytes_of_block (const chase_ring<T> &ring, int name)
{
  return (unsigned) (sizeof ring.slot[0].block[0]
                     + (name == BELOW ? sizeof (double2) : 0));
}

template <typename T>
GE_DEVICE_INLINE void
open_ring (chase_ring<T> &ring)
{
  if (threadIdx.x == 0)
    for (int i = 0; i < RING; i++)
      {
        begin_arrivals (&ring.begun[i], 1);
        for (int name = BELOW; name <= DIAGONAL; name++)
          {
            begin_arrivals (&ring.come[name][i], 1);
            expect_bytes (&ring.come[name][i], bytes_of_block (ring, name));
          }
        begin_arrivals (&ring.read[i], 1);
        expect_bytes (&ring.begun[i], sizeof (double2));
        expect_bytes (&ring.read[i], sizeof (double2));
      }
  cluster_barrier ();
}

/* Wait until number I has arrived at A, which thread FIRST prepares for the next one.  */
GE_DEVICE_INLINE void
pass_arrival (arrival *a, int i, unsigned bytes, int first)
{
  wait_for_phase (&a[i % RING], (unsigned) (i / RING) & 1);
  if ((int) threadIdx.x == first)
    expect_bytes (&a[i % RING], bytes);
}

/* --- the writer: RANK has the next sweep --- */

/* Before slot I is written; called by thread CALLER alone, before a barrier of the block.  */
template <typename T>
GE_DEVICE_INLINE void
wait_for_slot (chase_ring<T> &ring, int i, int caller)
{
  if (i >= RING)
    pass_arrival (ring.read, i - RING, sizeof (double2), caller);
}

template <typename T>
GE_DEVICE_INLINE void
hand_beta (chase_ring<T> &ring, int i, T beta, int rank)
{
  chase_part<T> part;
#pragma unroll
  for (int e = 0; e < COLUMNS; e++)
    part.x[e] = beta;
  store_counted (&ring.slot[i % RING].beta, part.unit[0], &ring.begun[i % RING],
                 rank);
}

/* The block NAME; with the diagonal one its corner, before all else.  */
template <typename T>
GE_DEVICE_INLINE void
hand_part (chase_ring<T> &ring, int i, int name, const chase_part<T> &part,
           int rank)
{
  const int lane = (int) threadIdx.x % 32, wid = (int) threadIdx.x / 32;
  if (name == DIAGONAL && threadIdx.x == 0)
    store_counted (&ring.slot[i % RING].corner, part.unit[0],
                   &ring.come[BELOW][i % RING], rank);
#pragma unroll
  for (int u = 0; u < chase_slot<T>::UNITS; u++)
    store_counted (&ring.slot[i % RING].block[name][wid][u][lane], part.unit[u],
                   &ring.come[name][i % RING], rank);
}

/* No store to this block is in flight after it: COUNT slots of the next block were
   written.  */
template <typename T>
GE_DEVICE_INLINE void
close_ring (chase_ring<T> &ring, int count)
{
  for (int i = count > RING ? count - RING : 0; i < count; i++)
    wait_for_phase (&ring.read[i % RING], (unsigned) (i / RING) & 1);
  cluster_barrier ();
}

/* --- the reader --- */

template <typename T>
GE_DEVICE_INLINE void
wait_for_block (chase_ring<T> &ring, int i, int name)
{
  pass_arrival (ring.come[name], i, bytes_of_block (ring, name), 0);
}

/* By warp WID alone.  */
template <typename T>
GE_DEVICE_INLINE T
take_beta (chase_ring<T> &ring, int i, int wid)
{
  pass_arrival (ring.begun, i, sizeof (double2), 32 * wid);
  return *(const T *) &ring.slot[i % RING].beta;
}

template <typename T>
GE_DEVICE_INLINE void
leave_slot (chase_ring<T> &ring, int i, int rank)
{
  store_counted (&ring.token, make_double2 (0, 0), &ring.read[i % RING], rank);
}

/* The elements of row R of the columns of warp WID.  */
template <typename T>
GE_DEVICE_INLINE void
load_part (const chase_slot<T> &slot, int block, int wid, int r,
           chase_part<T> &part)
{
#pragma unroll
  for (int u = 0; u < chase_slot<T>::UNITS; u++)
    part.unit[u] = slot.block[block][wid][u][r];
}

/* Element (R, 0) of a block.  */
template <typename T>
GE_DEVICE_INLINE T
first_of_row (const chase_slot<T> &slot, int block, int r)
{
  return *(const T *) &slot.block[block][0][0][r];
}

/* Element (0, Q) of a block.  */
template <typename T>
GE_DEVICE_INLINE T
of_first_row (const chase_slot<T> &slot, int block, int q)
{
  constexpr int EACH = sizeof (double2) / sizeof (T);
  const int m = q / WARPS;
  return ((const T *) &slot.block[block][q % WARPS][m / EACH][0])[m % EACH];
}

/* The columns of this warp, one column further than it has them: those of the next warp, or
   of the first one from the second column on, with LAST as the last.  */
template <typename T>
GE_DEVICE_INLINE void
shift_columns (const chase_part<T> &part, int wid, T last, T (&block)[COLUMNS])
{
#pragma unroll
  for (int e = 0; e < COLUMNS; e++)
    block[e] = wid < WARPS - 1   ? part.x[e]
               : e < COLUMNS - 1 ? part.x[e + 1]
                                 : last;
}

/* The block below the diagonal of a task from slot I, which is one row and one column ahead:
   the first task's is the sweep's column alone.  MORE: slot I + 1 will be written.  */
template <typename T>
GE_DEVICE_INLINE void
take_below (chase_ring<T> &ring, int i, bool first, bool more,
            T (&block)[COLUMNS])
{
  const int lane = (int) threadIdx.x % 32, wid = (int) threadIdx.x / 32,
            owner = first ? 0 : WARPS - 1;
  const chase_slot<T> &slot = ring.slot[i % RING];
  T last = zero<T> ();
  chase_part<T> part;
  if (wid == owner)
    {
      const T beta = more ? take_beta (ring, i + 1, wid) : zero<T> ();
      last = lane < B - 1 ? first_of_row (slot, DIAGONAL, lane + 1) : beta;
    }
#pragma unroll
  for (int e = 0; e < COLUMNS; e++)
    block[e] = zero<T> ();
  if (first)
    block[0] = last;
  else
    {
      load_part (slot, BELOW, (wid + 1) % WARPS, (lane + 1) % B, part);
      if (lane < B - 1)
        shift_columns (part, wid, last, block);
      else
        block[COLUMNS - 1] = last;
    }
}

/* The diagonal block.  */
template <typename T>
GE_DEVICE_INLINE void
take_diagonal (chase_ring<T> &ring, int i, bool more, T (&block)[COLUMNS])
{
  const int lane = (int) threadIdx.x % 32, wid = (int) threadIdx.x / 32;
  const chase_slot<T> &slot = ring.slot[i % RING],
                      &next = ring.slot[(i + 1) % RING];
  const bool inside = lane < B - 1;
  T last = zero<T> ();
  chase_part<T> part;
  if (more && wid == WARPS - 1)
    last = inside ? conjugate (of_first_row (next, BELOW, lane + 1))
                  : *(const T *) &next.corner;
  load_part (inside ? slot : next, inside ? DIAGONAL : BELOW, (wid + 1) % WARPS,
             (lane + 1) % B, part);
  shift_columns (part, wid, last, block);
  if (! inside && ! more)
#pragma unroll
    for (int e = 0; e < COLUMNS; e++)
      block[e] = zero<T> ();
}

#endif
