/* The reflectors of the bulge chasing as block reflectors I - V T V', packed
   for tensor cores.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Sweeps are taken in groups of 32; a group's reflectors (s, k) with the same k
   form one record.  V is a parallelogram in b + 32 rows: reflector r is zero
   except in rows r to r + b - 1, b = GE_BAND.  Groups are taken in chains of a
   few, from the last sweeps to the first.  Records are stored in the order of their use:
   chain by chain, within a chain task by task, within a task from the chain's
   last group to its first (core/methods/tridiagonal/chase_order.h states which orders are
   correct); all groups of a chain have as many tasks as its first.  They are in
   double precision, or in pairs of halves for single precision
   (chase_halves.cuh).  */

#ifndef GE_TRIDIAGONAL_CHASE_RECORDS_CUH
#define GE_TRIDIAGONAL_CHASE_RECORDS_CUH 1

#include "base/cuda.cuh"
#include "tridiagonal/chase_order.h"
#include "tridiagonal/tridiagonal.cuh"

enum
{
  CHASE_SWEEPS = 32, /* per group */
  CHASE_GROUPS = 32  /* groups whose records are computed at once, at most */
};

/* A record: of as many reflectors as are applied at a time the rows of V' and of -(V T)',
   both as separate real and, for complex matrices, imaginary parts.  In double precision
   these are eight, and the last eight of the group come first.  Rows have b + 8 numbers
   from the first row of Z on that eight reflectors change, and a distance that is free of
   bank conflicts, see chase_place.  */
enum
{
  CHASE_LD = GE_BAND + 12
};
template <int PARTS> struct chase_eight
{
  double v[PARTS][8 * CHASE_LD];
  double vt[PARTS][8 * CHASE_LD];
};
template <typename R, int PARTS> struct chase_record
{
  typedef chase_eight<PARTS> piece; /* fetched and applied at a time */
  piece eight[CHASE_SWEEPS / 8];
};

/* In single precision every number x is h + l, h being x rounded to half precision and l
   the remainder rounded so, in blocks of 8 by 8, rows of 8 halves: the blocks of eight
   rows of V', and of 16 rows of -(V T)' in pairs of blocks of the same columns.  */
template <int PARTS> struct chase_block
{
  unsigned short at[PARTS][2][8][8]; /* of each part h and l */
};
template <int PARTS> struct chase_record<float, PARTS>
{
  typedef chase_record piece;
  chase_block<PARTS> v[CHASE_SWEEPS / 8][GE_BAND / 8 + 1];
  chase_block<PARTS> vt[CHASE_SWEEPS / 16][GE_BAND / 8 + 2][2];
};

/* The index of number I of row R of eight reflectors.  The two halves of 16 numbers are exchanged
   in every second group of four rows.  */
static __host__ __device__ __forceinline__ int
chase_place (int r, int i)
{
  return r * CHASE_LD + (i < GE_BAND ? i ^ ((r & 4) << 1) : i);
}

/* CHAINS chains of CHAIN groups, the first chain beginning with group FIRST,
   the next with FIRST - CHAIN, ...; OFFSET: the index of each chain's first
   record, and the number of all records.  */
typedef struct
{
  int64_t n, most_tasks;
  int64_t first, chains, chain;
  int64_t offset[CHASE_GROUPS + 1];
} chase_plan;

/* Number of tasks of group S, 0 for groups past the last one.  */
static __host__ __device__ inline int64_t
chase_group_tasks (int64_t n, int64_t s)
{
  const int64_t s0 = s * CHASE_SWEEPS;
  return s0 < ge_chase_sweeps (n) ? ge_chase_tasks (n, GE_BAND, s0) : 0;
}

template <typename T>
using chase_record_of = chase_record<ge_real<T>, 1 + is_complex<T>::value>;

/* Compute the records of plan P from V and TAU of ge_cuda_chase_bulges.  */
template <typename T>
gpueig_status ge_cuda_make_records (gpueig_context *ctx, const chase_plan *p,
                                    const T *v, const T *tau,
                                    chase_record_of<T> *records);

#endif
