/* Teams of T threads, one page in shared memory each: complex arithmetic, barriers,
   reductions, and the layout of a team's shared memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   T <= 32: several teams share a warp or a block; each branches independently and
   synchronises its own lanes only (base/teams.cuh).  T > 32: the team is the block, with
   one matrix in global memory (large.cuh).  Functions named team_... are called by all
   threads of a team.  */

#ifndef GE_COMPLEX_TEAM_CUH
#define GE_COMPLEX_TEAM_CUH 1

#include "base/numbers.cuh"
#include "base/scalar.cuh"
#include "base/round_robin.h"
#include "base/teams.cuh"

#define GE_SHARED_MATH "shroff/transformation.h"
#include "base/precisions.cuh"

/* True if off (A) has not decreased enough over five sweeps, from THEN to NOW;
   see has_stalled in core/shroff/block_typed.c.  */
template <typename R>
static __host__ __device__ bool
no_progress (R now, R then, int sweep, int n)
{
  int bits = 1;
  while ((2 << bits) <= n)
    bits++;
  return sweep >= 5 + bits && ! (now < then * (1 - 1 / (R) (bits + 1)));
}

/* Complex numbers of precision R; their arithmetic is that of base/numbers.cuh.  */
template <typename R> using cpx = ge_complex<R>;

template <typename R>
GE_DEVICE_INLINE cpx<R>
make_cpx (R x, R y)
{
  return make_number<cpx<R>> (x, y);
}

/* 1 / a, 0 for a = 0.  */
template <typename C>
GE_DEVICE_INLINE C
reciprocal (C a)
{
  const auto d = abs2 (a), f = d > 0 ? 1 / d : 0;
  return make_number<C> (a.x * f, -a.y * f);
}

/* The largest order that teams of T threads are used for.  */
template <int T>
static __host__ __device__ __forceinline__ constexpr int
team_order (void)
{
  return T == 4 ? 4 : T == 8 ? 8 : 16;
}

/* Arguments of the kernel; see shroff.cu.  */
template <typename R> struct page_problem
{
  const R *a;     /* n n numbers per page, complex or real */
  int complex_in; /* a is complex */
  int n, count;
  int balance, left;
  int max_sweeps, limited;
  R tol;
  cpx<R> *lambda, *v, *w; /* W: only if LEFT */
  unsigned char *state;
  int *sweeps;             /* largest of all pages */
  unsigned long long *off; /* bits of the largest off after each sweep */
};

/* A team's shared memory.  */
template <typename R> struct team_memory
{
  cpx<R> *a, *v;  /* n columns of LD, odd against bank conflicts */
  cpx<R> *j;      /* 4 of every pair */
  cpx<R> *c, *z;  /* c of every pair; n numbers */
  cpx<R> *lambda; /* n */
  R *g, *t, *space;
  int *exponent, *pivot;
  int ld;
};

/* Sizes in bytes, each part aligned to 16; used on both sides.  */
static __host__ __device__ inline size_t
team_bytes (int n, int real)
{
  size_t ld = (size_t) (n | 1), m = (size_t) (n + 1) / 2;
  size_t c = 2 * (size_t) real, square = (ld * (size_t) n * c + 15) & ~15ul;
  size_t bytes = 2 * square;
  bytes += 4 * m * c + 16 + m * c + 16 + (size_t) n * c + 16;
  bytes += (size_t) n * c + 16 + (m + (size_t) n + 32) * (size_t) real + 48;
  bytes += 4 * (size_t) n * sizeof (int) + 32;
  return (bytes + 15) & ~15ul;
}

template <typename P>
GE_DEVICE_INLINE P *
take (char *&at, size_t count)
{
  P *p = (P *) at;
  at += (count * sizeof (P) + 15) & ~15ul;
  return p;
}

template <typename R>
static __device__ team_memory<R>
lay_out (char *at, int n)
{
  team_memory<R> s;
  int m = (n + 1) / 2;
  s.ld = n | 1;
  s.a = take<cpx<R>> (at, (size_t) s.ld * n);
  s.v = take<cpx<R>> (at, (size_t) s.ld * n);
  s.j = take<cpx<R>> (at, 4 * m);
  s.c = take<cpx<R>> (at, m);
  s.z = take<cpx<R>> (at, n);
  s.lambda = take<cpx<R>> (at, n);
  s.g = take<R> (at, m);
  s.t = take<R> (at, n);
  s.space = take<R> (at, 32);
  s.exponent = take<int> (at, n);
  s.pivot = take<int> (at, 3 * n);
  return s;
}

#endif
