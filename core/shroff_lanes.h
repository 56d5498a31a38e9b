/* Sweeps of the Jacobi-like method on GE_LANES pages side by side, or on one
   page alone.  Only for typed files.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Layout.  Matrices are split into a plane of real and a plane of imaginary
   parts.  Element (i, j) of lane x is at (i + size j) L + x of its plane, L
   lanes innermost: with L = GE_LANES one vector register holds an element of
   all pages, with L = 1 columns are contiguous.  Columns of A have SIZE = 2 M
   rows, the order rounded up to even, columns of V have N rows.

   Order.  Rows and columns sit on seats.  The pairs of every round are the
   seats (k, m + k); after a round all move on by ge_seat_after, which a round's
   update does while it writes; after 2 M - 1 rounds, a sweep, every pair has met
   once and all sit where they began (chess tournament, Brent and Luk 1985).  For
   odd N seat 0 is empty: its zeros give the identity.  */

#ifndef GE_SHROFF_LANES_H
#define GE_SHROFF_LANES_H 1

#include "core.h"
#include "scalar.h"

/* One 64-byte register of reals.  */
#define GE_LANES (64 / (int) sizeof (real_t))

/* Asks, on the calling thread, whether to stop; once it said so, all work left
   ends as soon as it can, and its results mean nothing.  */
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
  int vectors;
  real_t *a, *next_a; /* 2 planes of 4 m m each */
  real_t *v, *next_v; /* 2 planes of n 2m each, NULL without vectors */
  real_t *j;          /* 8 parts of m each: J of every pair */
  real_t *c;          /* 3 parts of m each: c (re, im) and G of every pair */
  real_t *t;          /* 4 m: row and column norms, diagonal scaling */
  real_t *z;          /* without vectors: V' x and V^-1 x, 4 parts of 2 m */
  real_t *next_z;
  /* per lane */
  real_t shear[GE_LANES];  /* 0 for Hermitian pages, else 1 */
  real_t active[GE_LANES]; /* 0 for pages that have converged */
  real_t off2[GE_LANES];   /* off-diagonal part of |A|_F^2, |A|_F^2 */
  real_t norm2[GE_LANES];
  ge_stop *stop; /* asked in every round; may be NULL */
} ge_shroff;

/* Reals of workspace for ge_shroff_place.  */
int64_t FN (ge_shroff_reals) (int64_t n, int lanes, int vectors);

/* Lay S out in SPACE.  */
void FN (ge_shroff_place) (ge_shroff *s, int n, int lanes, int vectors,
                           real_t *space);

/* Without vectors: an estimate of |V|_F |V^-1|_F / n for every lane, from what
   the transformations made of one random vector.  */
void FN (ge_shroff_condition) (const ge_shroff *s, real_t *condition);

/* After A was filled: V = I, and off2, norm2 of every lane.  */
void FN (ge_shroff_start) (ge_shroff *s);

/* One diagonal scaling, then all pairs once; off2 and norm2 as they are
   afterwards.  */
void FN (ge_shroff_sweep) (ge_shroff *s);

#endif
