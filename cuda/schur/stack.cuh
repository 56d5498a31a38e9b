/* A page of a stack by the QR algorithm: a team of T threads has it in shared
   memory from the first step to the last.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   T <= 32: several teams may share a warp, each waits for its own lanes only; T > 32:
   the team is the block.  Every thread of a team calls what is named team_... and
   gets the same bits from it.  Two arrays that the whole page needs, the matrix H
   and the basis Z; when H is the Schur form, what is strictly below it has the
   eigenvectors of H, then Z their products with Z.

     stack_form.cuh      load, balance, Hessenberg form
     stack_iterate.cuh   QR iteration
     stack_vectors.cuh   eigenvectors, their form, residuals  */

#ifndef GE_SCHUR_STACK_CUH
#define GE_SCHUR_STACK_CUH 1

#include "base/teams.cuh"
#include "schur/window.cuh"

/* --- teams --- */

template <int T>
static __device__ __forceinline__ void
team_sync (void)
{
  if constexpr (T <= 32)
    this_tile<T> ().sync ();
  else
    __syncthreads ();
}

/* SPACE: a number for each warp of the team.  */
template <int T, typename R>
static __device__ __forceinline__ R
team_sum (R x, R *space)
{
  if constexpr (T <= 32)
    return tile_sum<T> (x);
  else
    return block_sum (x, space, T / 32);
}

template <int T>
static __device__ __forceinline__ int
team_max (int x, int *space)
{
  if constexpr (T <= 32)
    return tile_max<T> (x);
  else
    return block_reduce<cooperative_groups::greater<int>> (x, space, T / 32);
}

/* NaN stays.  */
template <int T, typename R>
static __device__ __forceinline__ R
team_max (R x, R *space)
{
  if constexpr (T <= 32)
    return tile_max<T> (x);
  else
    return block_max (x, space, T / 32);
}

/* --- a problem --- */

/* What the kernel gets.  V and W: n n numbers a page.  */
template <typename T> struct page_stack
{
  typedef typename complex_of<T>::type C;
  const T *a;
  int n, count;
  int balance;
  int limit;  /* sweeps of a page */
  C *lambda;  /* n a page */
  C *v, *w;   /* right and left vectors, or NULL */
  T *outside; /* NULL, or STRIDE numbers a page: its Z, and H behind it, where
                     shared memory has no room */
  int64_t stride;
  unsigned char *state; /* nonzero: not accurate */
  int *sweeps;          /* the most of all pages */
};

/* What a team keeps beside H and Z, n numbers each unless said.  */
template <typename T> struct page_team
{
  typedef typename real_of<T>::type R;
  typedef typename complex_of<T>::type C;
  window<T> w;      /* H and Z, or NULL */
  C *lambda;        /* eigenvalues as on the diagonal */
  T *below;         /* elements below the diagonal */
  R *scale;         /* of balancing */
  R *factor;        /* what the last element of a vector is */
  R *space;         /* 8 */
  int *order;       /* of balancing: row i is row order[i] of A */
  int *rank, *more; /* of an eigenvalue in the result */
  int *count;       /* 8 */
};

static __host__ __device__ __forceinline__ int
page_ld (int n)
{
  return n | 1; /* odd against bank conflicts */
}

/* Numbers of H or Z.  */
static __host__ __device__ __forceinline__ size_t
page_square (int n)
{
  return (size_t) page_ld (n) * n;
}

static __host__ __device__ __forceinline__ size_t
aligned (size_t bytes)
{
  return (bytes + 15) & ~(size_t) 15;
}

/* Bytes of a team's shared memory with SQUARES of H and Z in it.  */
template <typename T>
static __host__ __device__ __forceinline__ size_t
page_bytes (int n, int squares)
{
  typedef typename real_of<T>::type R;
  return squares * aligned (page_square (n) * sizeof (T))
         + aligned (2 * sizeof (R) * n) + aligned (sizeof (T) * n)
         + 2 * aligned (sizeof (R) * n) + aligned (8 * sizeof (R))
         + 3 * aligned (sizeof (int) * n) + aligned (8 * sizeof (int));
}

template <typename P>
static __device__ __forceinline__ P *
take (char *&at, size_t count)
{
  P *p = (P *) at;
  at += aligned (count * sizeof (P));
  return p;
}

/* OUTSIDE: how many of Z and H lie there.  */
template <typename T, int OUTSIDE>
static __device__ __forceinline__ page_team<T>
lay_out_page (const page_stack<T> &p, int64_t slot, char *at)
{
  typedef typename real_of<T>::type R;
  typedef typename complex_of<T>::type C;
  const int n = p.n, vectors = p.v || p.w;
  T *out = OUTSIDE ? p.outside + slot * p.stride : NULL;
  page_team<T> s;
  s.w.n = n;
  s.w.ld = page_ld (n);
  s.w.r = NULL;
  s.w.v = NULL;
  s.w.h = OUTSIDE > 1 ? out + page_square (n) : take<T> (at, page_square (n));
  if (vectors)
    s.w.v = OUTSIDE ? out : take<T> (at, page_square (n));
  s.lambda = take<C> (at, n);
  s.below = take<T> (at, n);
  s.scale = take<R> (at, n);
  s.factor = take<R> (at, n);
  s.space = take<R> (at, 8);
  s.order = take<int> (at, n);
  s.rank = take<int> (at, n);
  s.more = take<int> (at, n);
  s.count = take<int> (at, 8);
  return s;
}

/* The pages of P by teams of TEAM threads, 32, 64 or 128; OUTSIDE: how many of Z and H
   lie outside of shared memory (then 64 or 128; 2: 128).  */
template <typename T>
gpueig_status ge_launch_pages (gpueig_context *ctx, const page_stack<T> &p,
                               int team, int outside);

#endif
