/* The reflectors of the bulge chasing as block reflectors I - V T V', packed
   for tensor cores.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Sweeps are taken in groups of 32; a group's reflectors (s, k) with the same k
   form one record.  V is a parallelogram in b + 32 rows: reflector r is zero
   except in rows r to r + b - 1.  Groups are taken in chains of a few, from the
   last sweeps to the first.  Records are stored in the order of their use:
   chain by chain, within a chain task by task, within a task from the chain's
   last group to its first (core/tridiagonal/schedule.h states which orders are
   correct).  They are in double precision for all types.  */

#ifndef GE_TRIDIAGONAL_CHASE_RECORDS_CUH
#define GE_TRIDIAGONAL_CHASE_RECORDS_CUH 1

#include "base/cuda.cuh"
#include "tridiagonal/schedule.h"

enum
{
  CHASE_SWEEPS = 32, /* per group */
  CHASE_CHAINS = 8,  /* chains whose records are computed at once */
  CHASE_LD_T = 8     /* reflectors applied at a time */
};

/* Leading dimension of V', stored by rows.  */
template <int B> struct chase_ld_v
{
  enum
  {
    value = B + CHASE_SWEEPS + 8
  };
};

/* A record: V' by rows, and -T' of every eight reflectors, row i holding -T (j, i),
   both as separate real and, for complex matrices, imaginary parts.  In V' the two halves of 16
   numbers are exchanged in every second group of four rows against bank
   conflicts, see chase_place.  */
template <int B, int PARTS> struct chase_record
{
  double v[PARTS][CHASE_SWEEPS * chase_ld_v<B>::value];
  double t[PARTS][CHASE_SWEEPS * CHASE_LD_T];
};

/* The index of element (r, i) of V'.  */
template <int B>
static __host__ __device__ __forceinline__ int
chase_place (int r, int i)
{
  return r * chase_ld_v<B>::value + (i ^ ((r & 4) << 1));
}

/* CHAINS chains of CHAIN groups, the first chain beginning with group FIRST,
   the next with FIRST - CHAIN, ...; OFFSET: the index of each chain's first
   record, and the number of all records.  */
typedef struct
{
  int64_t n, most_tasks;
  int64_t first, chains, chain;
  int64_t offset[CHASE_CHAINS + 1];
} chase_plan;

/* Number of tasks of group S, 0 for groups past the last one.  */
static __host__ __device__ inline int64_t
chase_group_tasks (int64_t n, int64_t b, int64_t s)
{
  const int64_t s0 = s * CHASE_SWEEPS;
  return s0 < ge_chase_sweeps (n) ? ge_chase_tasks (n, b, s0) : 0;
}

/* Compute the records of plan P from V and TAU of ge_cuda_chase_bulges.  */
template <typename T, int B>
gpueig_status
ge_cuda_make_records (gpueig_context *ctx, const chase_plan *p, const T *v,
                      const T *tau,
                      chase_record<B, 1 + is_complex<T>::value> *records);

#endif
