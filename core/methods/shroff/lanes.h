/* General pages side by side in SIMD lanes, or one page: the matrix, its transform, the
   vectors.  Only for typed files.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Layout.  The real part of element (i, j) of lane x is at 2 (i + ld j) L + x, its imaginary
   part L further, with L lanes: with L = GE_LANES a vector register holds the parts of an
   element of all pages, with L = 1 these are usual complex matrices.  */

#ifndef GE_LANES_H
#define GE_LANES_H 1

#include "base/scalar.h"
#include "shroff/block.h"

#if GE_HAVE_CLONES
#  define INLINE GE_ALWAYS_INLINE
#else
#  define INLINE static inline
#endif

#define GE_LANES GE_BLOCK_LANES (sizeof (real_t))

typedef struct
{
  int n, lanes;
  int64_t
      ld; /* odd for large n, since rows at a power of 2 share places in caches */
  real_t *a0;           /* the matrix */
  real_t *a;            /* the transform of A; then scratch of the refinement */
  real_t *v, *w;        /* right vectors; left ones, or NULL */
  real_t *y, *z, *next; /* scratch of the refinement */
  real_t *lambda, *old; /* n numbers; those before a step of the refinement */
  real_t *row,
      *col; /* n reals per lane: squares of norms without the diagonal */
  /* per lane */
  real_t active[GE_LANES]; /* 0 for pages whose sweeps have ended */
  real_t off2[GE_LANES];   /* off-diagonal part of |A|_F^2, |A|_F^2 */
  real_t norm2[GE_LANES];
  real_t norm[GE_LANES]; /* |A0|_1 */
  /* in units of n eps |A0|_1: |A0 V - V D|_1 and |A0' W - W D'|_1 */
  real_t ratio[2][GE_LANES];
  gpueig_context *ctx; /* whose interrupts are polled, or NULL */
  gpueig_status status;
} ge_lanes;

/* Nonzero after an interrupt: the results are undefined.  */
static inline int
ge_lanes_stop (ge_lanes *s)
{
  if (s->ctx && s->status == GPUEIG_OK)
    s->status = ge_check_interrupt (s->ctx);
  return s->status != GPUEIG_OK;
}

/* Start sweeps, after A0 and active were set: A = A0, V = I, with BALANCE scaled by powers
   of 2; compute the norms.  */
void FN (ge_sweep_start) (ge_lanes *s, int balance);

/* One sweep: diagonal scaling, then all pairs once; the norms.  */
void FN (ge_sweep) (ge_lanes *s);

/* LAMBDA, V and, unless it is NULL, W after the last sweep, refined.  A0 is overwritten.  */
void FN (ge_refine) (ge_lanes *s);

#endif
