/* The QR algorithm for the pages of a stack: a team of T threads executes all steps for
   one page, in shared memory as far as it suffices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   T <= 32: the team is a tile of a warp and synchronizes its own lanes only; T > 32:
   the team is the block.  Functions named team_... are called by all threads of a
   team and return the same bits to each.  A page has two square arrays, the matrix H
   and the basis Z.  When H has become the Schur form, its strictly lower triangle is
   used for the eigenvectors of the Schur form; Z is then replaced by its products
   with them.

     stack_form.cuh      loading, balancing, Hessenberg form
     stack_iterate.cuh   QR iteration
     stack_vectors.cuh   eigenvectors, normalization, residuals
     stack_page.cuh      all steps for one page
     stack_launch.cuh    the kernel and its launch; stack_real.cu, stack_complex.cu
     stack.cu            choice of the team, launches for all pages  */

#ifndef GE_SCHUR_STACK_CUH
#define GE_SCHUR_STACK_CUH 1

#include "base/teams.cuh"
#include "schur/window.cuh"

/* --- a problem --- */

/* State of a page that is doubtful (base/balancing.h) where not both kinds of vectors are
   computed; other values: 0, or 1 where the results are not accurate.  */
#define GE_STACK_DOUBTFUL 2

/* Arguments of the kernel.  V and W have n^2 numbers per page.  */
template <typename T> struct page_stack
{
  typedef ge_complex<T> C;
  const T *a;
  int n, count;
  int balance;
  int limit;   /* sweeps per page */
  int ordered; /* as gpueig_complex_eig's, up to rounding errors */
  C *lambda;   /* n per page */
  C *v, *w;    /* right and left vectors, or NULL */
  /* NULL, or COUNT pages to solve; V or W then is for these alone if it is spare.  */
  const int *list;
  int spare_v, spare_w;
  T *outside; /* NULL, or global memory, STRIDE numbers per page, for Z, or for Z
                     and H behind it */
  int64_t stride;
  unsigned char *state; /* of each page; nonzero: not accurate */
  int *sweeps;          /* maximum over all pages */
};

/* The arrays of a team; all but H and Z have n elements unless noted.  */
template <typename T> struct page_team
{
  typedef ge_real<T> R;
  typedef ge_complex<T> C;
  window<T> w; /* H, and Z or NULL */
  C *lambda;   /* eigenvalues in the order of the diagonal */
  T *below;    /* subdiagonal elements */
  R *scale;    /* factors of balancing */
  R *factor;   /* scale factors of vectors, see stack_vectors.cuh */
  R *space;    /* 8, for reductions */
  int *order;  /* of balancing: row i is row order[i] of A */
  int *rank,
      *more; /* of balancing, see team_deactivate; later RANK: the column of the
                       results that an eigenvalue has */
  int *count; /* 8, for reductions */
};

static __host__ __device__ __forceinline__ constexpr int
page_ld (int n)
{
  return n | 1; /* odd against bank conflicts */
}

/* The number of elements that H or Z occupies.  */
static __host__ __device__ __forceinline__ constexpr size_t
page_square (int n)
{
  return (size_t) page_ld (n) * n;
}

static __host__ __device__ __forceinline__ constexpr size_t
aligned (size_t bytes)
{
  return (bytes + 15) & ~(size_t) 15;
}

/* Bytes of a team's shared memory if SQUARES of the arrays H and Z are in it.  */
template <typename T>
static __host__ __device__ __forceinline__ constexpr size_t
page_bytes (int n, int squares)
{
  typedef ge_real<T> R;
  return squares * aligned (page_square (n) * sizeof (T))
         + aligned (2 * sizeof (R) * n) + aligned (sizeof (T) * n)
         + 2 * aligned (sizeof (R) * n) + aligned (8 * sizeof (R))
         + 3 * aligned (sizeof (int) * n) + aligned (8 * sizeof (int));
}

template <typename P>
GE_DEVICE_INLINE P *
take (char *&at, size_t count)
{
  P *p = (P *) at;
  at += aligned (count * sizeof (P));
  return p;
}

/* OUTSIDE: how many of Z and H are in p.outside.  */
template <typename T, int OUTSIDE>
GE_DEVICE_INLINE page_team<T>
lay_out_page (const page_stack<T> &p, int64_t slot, char *at)
{
  typedef ge_real<T> R;
  const int n = p.n, vectors = p.v || p.w;
  T *out = OUTSIDE ? p.outside + slot * p.stride : NULL;
  page_team<T> s;
  s.w.n = n;
  s.w.ld = page_ld (n);
  s.w.v = NULL;
  s.w.h = OUTSIDE > 1 ? out + page_square (n) : take<T> (at, page_square (n));
  if (vectors)
    s.w.v = OUTSIDE ? out : take<T> (at, page_square (n));
  s.lambda = take<ge_complex<T>> (at, n);
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

enum
{
  /* If a team has several warps and scalars have at least this size, Z is outside of
     shared memory: a multiprocessor then solves twice as many pages at once, and Z
     stays in the cache.  */
  GE_OUTSIDE_SIZE = 8
};

/* Solve the pages of P by teams of TEAM threads, 32, 64 or 128.  OUTSIDE: how many of Z
   and H are outside of shared memory.  All GPUs have room for both of the pages of
   teams of 32, and of 64 if scalars are smaller than GE_OUTSIDE_SIZE; 2 is for teams
   of 128, but not if scalars are smaller.  */
template <typename T>
gpueig_status ge_launch_pages (gpueig_context *ctx, const page_stack<T> &p,
                               int team, int outside);

#endif
