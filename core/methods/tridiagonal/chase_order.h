/* Order of the tasks in the reduction of a band matrix to tridiagonal form (bulge
   chasing) and in its back-transformation, for C and CUDA.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Band matrix of order n, b subdiagonals.  Sweep s = 0 .. n - 2 annihilates
   column s below its first subdiagonal and chases the bulge down: task k = 0,
   1, ... makes reflector (s, k), which acts on rows s + 1 + k b .. and is at
   most b long (Bischof, Lang and Sun 2000; pipelined as in Haidar, Ltaief and
   Dongarra 2011: task k of sweep s may begin when sweep s - 1 has completed k + 2
   tasks or has ended).  */

#ifndef GE_CHASE_ORDER_H
#define GE_CHASE_ORDER_H 1

#include <stdint.h>

#ifdef __CUDACC__
#  define GE_SCHEDULE_INLINE static __host__ __device__ __forceinline__
#else
#  define GE_SCHEDULE_INLINE static inline
#endif

/* The number of sweeps for order N; the last one has a reflector of length 1, which
   makes the last off-diagonal element real.  */
GE_SCHEDULE_INLINE int64_t
ge_chase_sweeps (int64_t n)
{
  return n - 1;
}

/* The number of tasks of sweep S.  */
GE_SCHEDULE_INLINE int64_t
ge_chase_tasks (int64_t n, int64_t b, int64_t s)
{
  return (n - 1 - s + b - 1) / b;
}

/* The largest number of tasks of a sweep.  */
GE_SCHEDULE_INLINE int64_t
ge_chase_most_tasks (int64_t n, int64_t b)
{
  return ge_chase_tasks (n, b, 0);
}

/* First row of reflector (S, K).  */
GE_SCHEDULE_INLINE int64_t
ge_chase_row (int64_t b, int64_t s, int64_t k)
{
  return s + 1 + k * b;
}

/* The reflectors of all sweeps are in one array, sweep after sweep; the offset of
   sweep S, whose row i is at ge_chase_offset (n, s) + i - s - 1.  */
GE_SCHEDULE_INLINE int64_t
ge_chase_offset (int64_t n, int64_t s)
{
  return s * (n - 1) - s * (s - 1) / 2;
}

#endif
