/* Reduction of a band matrix to tridiagonal form by bulge chasing.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   One thread block performs a sweep (core/methods/tridiagonal/chase_order.h); consecutive
   sweeps run at a distance of two tasks, so about n / 2b are in progress at
   once.  Task k applies the reflector of task k - 1 from the right to the
   b-by-b block below the diagonal, computes the reflector of that block's first
   column, applies it from the left, and then from both sides to the diagonal
   block.  b: GE_BAND.  */

#ifndef GE_TRIDIAGONAL_BULGE_CHASING_CUH
#define GE_TRIDIAGONAL_BULGE_CHASING_CUH 1

#include "base/exchange.cuh"

/* Reduce BAND (see band_reduction.cuh) to tridiagonal form: D (n), E (n - 1).
   V, or NULL: the reflectors, n (n - 1) / 2 numbers, see ge_chase_offset; TAU:
   of reflector (s, k) at tau[k + ge_chase_most_tasks (n, GE_BAND) s].  Interrupts are
   polled between groups of sweeps.  O(n^2 b).  */
template <typename T>
gpueig_status ge_cuda_chase_bulges (gpueig_context *ctx, int64_t n,
                                    packet_planes<T> band, ge_real<T> *d,
                                    ge_real<T> *e, T *v, T *tau);

#endif
