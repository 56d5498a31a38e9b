/* Sweeps of the Jacobi-like method on GE_LANES pages at once in SIMD lanes, or on one
   page.  Only for typed files.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Layout.  Matrices are split into a plane of real and a plane of imaginary
   parts.  Element (i, j) of lane x is at (i + size j) L + x of its plane, L
   lanes innermost: with L = GE_LANES one vector register holds an element of
   all pages, with L = 1 columns are contiguous.  Columns of A have SIZE = 2 M
   rows, the order rounded up to even, columns of V have N rows.

   Order.  The pairs of every round are the positions (k, m + k); after a round rows
   and columns are permuted by ge_next_position (base/round_robin.h), as part of the update;
   after 2 M - 1 rounds, a sweep, every pair has occurred once and all rows and columns
   are at their initial positions (tournament ordering, Brent and Luk 1985).  For odd N
   row and column 0 are zero, and their transformations the identity.  */

#ifndef GE_SWEEP_H
#define GE_SWEEP_H 1

#include "base/solver.h"
#include "base/scalar.h"

/* Wide registers with fused multiply-add; "fma" is AVX with FMA3.  */
#if GE_HAVE_CLONES
#  define CLONES __attribute__ ((target_clones ("avx512f", "fma", "default")))
#  define INLINE static inline __attribute__ ((always_inline))
#else
#  define CLONES
#  define INLINE static inline
#endif

/* One 64-byte register of reals.  */
#define GE_LANES (64 / (int) sizeof (real_t))

/* Callback that returns nonzero to stop; to be called by the calling thread.  After
   that the computation ends as soon as possible, and its results are undefined.  */
typedef struct
{
  int (*ask) (void *data);
  void *data;
  int stopped;
} ge_stop;

static inline int
ge_stops (ge_stop *stop)
{
  if (stop && ! stop->stopped)
    stop->stopped = stop->ask (stop->data);
  return stop && stop->stopped;
}

typedef struct
{
  int n, m, lanes;
  real_t *a, *next_a; /* 2 planes of 4 m m each */
  real_t *v, *next_v; /* 2 planes of n 2m each */
  real_t *j;          /* 8 parts of m each: J of every pair */
  real_t *c;          /* 3 parts of m each: c (re, im) and G of every pair */
  real_t *t;          /* 4 m: row and column norms, diagonal scaling */
  /* per lane */
  real_t active[GE_LANES]; /* 0 for pages that have converged */
  real_t off2[GE_LANES];   /* off-diagonal part of |A|_F^2, |A|_F^2 */
  real_t norm2[GE_LANES];
  ge_stop *stop; /* polled in every round; may be NULL */
} ge_shroff;

/* Lay S out AT an aligned address; returns the end.  */
char *FN (ge_shroff_lay_out) (ge_shroff *s, int n, int lanes, char *at);

/* To be called after A was set: V = I; off2 and norm2 of every lane.  */
void FN (ge_shroff_start) (ge_shroff *s);

/* One sweep: diagonal scaling, then all pairs once.  Updates off2 and norm2.  */
void FN (ge_shroff_sweep) (ge_shroff *s);

#endif
