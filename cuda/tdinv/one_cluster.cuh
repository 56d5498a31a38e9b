/* The rows of a tridiagonal matrix in the blocks of a cluster.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_TDINV_ONE_CLUSTER_CUH
#define GE_TDINV_ONE_CLUSTER_CUH 1

#include "tdinv/sums.cuh"
#include "tdinv/scan.cuh"
#include "base/cluster.cuh"

enum
{
  TDINV_PER_BLOCK = 2 /* spans of a block, at most */
};

/* The threads of a block: complex types need more registers.  */
template <typename T> struct block_of
{
  static const int threads = is_complex<T>::value ? 256 : 512;
  static const int warps = threads / TDINV_WARP;
};

template <typename T> struct cluster_data
{
  int n, chunk, spans, per_block;
  int rows, slots;        /* of a block */
  int by_chunk, by_slots; /* reciprocals of the rows and the slots of a chunk */
  const T *c, *a, *b;
  tdinv_factors<ge_real<T>> f;
  tdinv_result *result;
};

/* Rows that a block keeps for all phases, in dynamic shared memory.  A chunk has one
   more slot than it has rows, which avoids bank conflicts; its off-diagonal
   elements begin with the one before its first row, its diagonal ones in its
   second slot.  */
template <typename T> struct block_rows
{
  typedef typename wide_type<T>::type W;
  W *t, *s;                       /* by slot: t(j+1) and s(j) of row j */
  W *above, *below;               /* cumulative products of -b and -c */
  T *c, *a, *b;                   /* by slot */
  ge_size *u, *v, *p, *q;         /* by row: moduli of the factors */
  int *above_begin, *below_begin; /* by slot */
};

/* The products of the spans of a block.  */
template <typename W> struct span_ends
{
  run_of_steps<W> steps[2][TDINV_PER_BLOCK]; /* by task and span */
  run_of_factors<W> factors[2][TDINV_PER_BLOCK];
  int64_t pad; /* against bank conflicts in an array */
};

/* Results of a block for the others.  */
template <typename W> struct block_ends
{
  span_ends<W> spans;
  run_of_sums down, up;
  partial_norms norms;
};

/* The dynamic shared memory.  */
template <typename T>
GE_DEVICE_INLINE block_rows<T>
rows_of_block (const cluster_data<T> *d)
{
  typedef typename wide_type<T>::type W;
  extern __shared__ __align__ (16) char memory[];
  const int rows = d->rows, slots = d->slots;
  block_rows<T> m;
  m.u = (ge_size *) memory;
  m.v = m.u + rows;
  m.p = m.v + rows;
  m.q = m.p + rows;
  m.c = (T *) (m.q + rows);
  m.a = m.c + slots;
  m.b = m.a + slots;
  m.t = (W *) (m.b + slots);
  m.s = m.t + slots;
  m.above = m.s + slots;
  m.below = m.above + slots;
  m.above_begin = (int *) (m.below + slots);
  m.below_begin = m.above_begin + slots;
  return m;
}

/* K / DIVISOR for 0 <= k < 2048 and a divisor from 4 to 17, of which RECIPROCAL is
   that of reciprocal_of.  */
static inline int
reciprocal_of (int divisor)
{
  return 65536 / divisor + 1;
}
GE_DEVICE_INLINE int
quotient (int k, int reciprocal)
{
  return k * reciprocal >> 16;
}

template <typename T>
GE_DEVICE_INLINE int
slot_of (const cluster_data<T> *d, int row)
{
  return row + quotient (row, d->by_chunk);
}

#endif
