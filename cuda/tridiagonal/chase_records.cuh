/* The reflectors of the bulge chasing as block reflectors I - V T V', packed for the
   tensor cores.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Sweeps are taken in groups of 32; a group's reflectors (s, k) of one k are one
   record: V is a parallelogram in b + 32 rows, reflector r is zero but in rows
   r .. r + b - 1.  Groups are taken in chains of a few, from the last sweeps to
   the first; records lie in the order in which they are used: chain by chain, in it
   task by task, in a task from the chain's last group to its first (core/
   tridiagonal/schedule.h says which order is right).  All are in double
   precision, whatever the matrix is.  */

#ifndef GE_TRIDIAGONAL_CHASE_RECORDS_CUH
#define GE_TRIDIAGONAL_CHASE_RECORDS_CUH 1

#include "base/cuda.cuh"
#include "tridiagonal/schedule.h"

enum
{
  CHASE_SWEEPS = 32,            /* of a group */
  CHASE_CHAINS = 8,             /* whose records are made at once */
  CHASE_LD_T = CHASE_SWEEPS + 8 /* no bank conflicts */
};

/* Distance of the rows of V'.  */
template <int B> struct chase_ld_v
{
  enum
  {
    value = B + CHASE_SWEEPS + 8
  };
};

/* Numbers of a record: V', row after row, and -T', row i holding -T (j, i), both as
   planes of real and, for complex matrices, imaginary parts.  In V', halves of 16
   numbers are exchanged in every second four rows, see chase_place.  */
template <int B, int PARTS> struct chase_record
{
  double v[PARTS][CHASE_SWEEPS * chase_ld_v<B>::value];
  double t[PARTS][CHASE_SWEEPS * CHASE_LD_T];
};

/* Where element (r, i) of V' lies.  */
template <int B>
static __host__ __device__ __forceinline__ int
chase_place (int r, int i)
{
  return r * chase_ld_v<B>::value + (i ^ ((r & 4) << 1));
}

/* CHAINS chains of CHAIN groups, the first from group FIRST on, the next from FIRST -
   CHAIN, ...; OFFSET: their first records, and the number of all.  */
typedef struct
{
  int64_t n, most_tasks;
  int64_t first, chains, chain;
  int64_t offset[CHASE_CHAINS + 1];
} chase_plan;

/* Tasks of group S, 0 behind the last one.  */
static __host__ __device__ inline int64_t
chase_group_tasks (int64_t n, int64_t b, int64_t s)
{
  const int64_t s0 = s * CHASE_SWEEPS;
  return s0 < ge_chase_sweeps (n) ? ge_chase_tasks (n, b, s0) : 0;
}

/* The records of P from V and TAU of ge_cuda_chase_bulges.  */
template <typename T, int B>
gpueig_status
ge_cuda_make_records (gpueig_context *ctx, const chase_plan *p, const T *v,
                      const T *tau,
                      chase_record<B, 1 + is_complex<T>::value> *records);

#endif
