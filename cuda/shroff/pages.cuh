/* The kernel for stacks of small general pages.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_COMPLEX_PAGES_CUH
#define GE_COMPLEX_PAGES_CUH 1

#include "shroff/normalize.cuh"
#include "shroff/refine.cuh"
#include "shroff/shroff.cuh"
#include "shroff/sweep.cuh"

/* Nonzero if eigenvalue I precedes J in the result.  As compare in
   core/shroff/normalize_typed.c: by real part, then by the absolute value of the
   imaginary part, then the positive imaginary part first.  */
template <typename C>
GE_DEVICE_INLINE bool
comes_before (const C *lambda, int i, int j)
{
  const C x = lambda[i], y = lambda[j];
  if (x.x != y.x)
    return x.x < y.x;
  if (fabs (x.y) != fabs (y.y))
    return fabs (x.y) < fabs (y.y);
  if (x.y != y.y)
    return x.y > y.y;
  return i < j;
}

/* Scale a page and copy it to shared memory.  */
template <typename R, int T>
static __device__ void
team_load (const page_problem<R> &p, int64_t page, int t,
           const team_memory<R> &s, page_input<R> *in, int *exponent)
{
  const int n = p.n, reals = 1 + p.complex_in;
  R largest = 0;
  int e = 0;
  *in = page_input<R>{ p.a + page * n * n * reals, p.complex_in, n, 1, 1, 0 };
  for (int i = t; i < n * n * reals; i += T)
    largest = fabs (in->a[i]) > largest ? fabs (in->a[i]) : largest;
  largest = team_max<T> (largest, s.space);
  if (largest > 0)
    (void) frexp (largest, &e);
  in->f1 = ldexp ((R) 1, -e / 2);
  in->f2 = ldexp ((R) 1, -(e - e / 2));
  *exponent = e;
  for (int k = t; k < n * n; k += T)
    {
      const int i = k % n, j = k / n;
      s.a[i + s.ld * j] = load_input (*in, i, j);
      s.v[i + s.ld * j] = make_cpx<R> (i == j, 0);
    }
}

/* Sweeps until the page has converged, stalls or reaches the limit.  */
template <typename R, int T>
static __device__ void
team_iterate (const page_problem<R> &p, const team_memory<R> &s, int t,
              bool *converged)
{
  const int n = p.n;
  R history[8], off2, norm2;
  bool stalled = false;
  team_measure<R, T> (s, n, t, &off2, &norm2);
  *converged = off2 <= p.tol * p.tol * norm2;
  for (int sweep = 0; sweep < p.max_sweeps && ! *converged && ! stalled;
       sweep++)
    {
      team_sweep<R, T> (s, n, t, off2);
      team_measure<R, T> (s, n, t, &off2, &norm2);
      const R off = norm2 == 0 ? 0 : sqrt (off2 / norm2); /* NaN stays */
      history[sweep % 8] = off;
      if (t == 0)
        {
          atomicMax (p.sweeps, sweep + 1);
          if (sweep < GPUEIG_MAX_HISTORY)
            atomicMax (
                &p.off[sweep],
                (unsigned long long) __double_as_longlong ((double) off));
        }
      *converged = off <= p.tol;
      stalled = ! *converged && ! p.limited
                && no_progress (history[sweep % 8], history[(sweep + 3) % 8],
                                sweep, n);
    }
}

template <typename R, int T>
static __device__ void
team_store_values (const page_problem<R> &p, const team_memory<R> &s, int t,
                   int64_t page, int exponent, int *rank)
{
  const int n = p.n;
  for (int j = t; j < n; j += T)
    {
      int r = 0;
      for (int i = 0; i < n; i++)
        r += comes_before (s.lambda, i, j);
      rank[j] = r;
      p.lambda[page * n + r] = make_cpx (ldexp (s.lambda[j].x, exponent),
                                         ldexp (s.lambda[j].y, exponent));
    }
  team_sync<T> ();
}

/* One page per team of T threads, TEAMS of them per block: load, balance, sweeps,
   refinement, normalization, verification.  The page and its vectors are in shared
   memory.  Teams use tile collectives and barriers only, so that those of a block may
   exit or branch independently.  */
template <typename R, int T, int TEAMS>
GE_KERNEL (T *TEAMS, 512 / (T * TEAMS))
complex_pages (page_problem<R> p)
{
  extern __shared__ __align__ (16) char shared[];
  const int n = p.n, team = threadIdx.x / T, t = threadIdx.x % T;
  const int64_t page = (int64_t) blockIdx.x * TEAMS + team;
  /* No __syncthreads follows.  */
  if (page >= p.count)
    return;
  team_memory<R> s = lay_out<R> (shared + team * team_bytes (n, sizeof (R)), n);
  page_input<R> in;
  int exponent;
  bool converged;

  team_load<R, T> (p, page, t, s, &in, &exponent);
  team_sync<T> ();
  const R norm = team_norm<R, T> (in, s, n, t);
  for (int i = t; i < n; i += T)
    s.exponent[i] = 0;
  if (p.balance)
    team_balance<R, T> (s, n, t);
  team_iterate<R, T> (p, s, t, &converged);
  for (int j = t; j < n; j += T)
    s.lambda[j] = s.a[j + s.ld * j];
  team_sync<T> ();

  R left_ratio = 0;
  const R eps = sizeof (R) == 8 ? (R) DBL_EPSILON : (R) FLT_EPSILON;
  cpx<R> *v = p.v + page * n * n, *w = p.left ? p.w + page * n * n : NULL;
  for (int e = t; e < n * n; e += T)
    {
      const int i = e % n, at = i + s.ld * (e / n);
      const R f = ldexp ((R) 1, s.exponent[i]);
      s.v[at] = make_cpx (s.v[at].x * f, s.v[at].y * f);
    }
  team_sync<T> ();
  team_normalize<R, T> (s, n, t);
  const R ratio = team_refine<R, T> (in, s, n, t, norm, v);
  if (p.left)
    left_ratio = team_left<R, T> (in, s, n, t, norm, w);
  team_sync<T> ();

  /* normalize the result; left vectors are in s.v, right ones are read from
     v */
  int *source = s.pivot, *rank = s.pivot + n, *taken = s.pivot + 2 * n;
  const bool real = ! p.complex_in;
  const R unit = n * eps * norm;
  R lost = 0;
  for (int j = t; j < n; j += T)
    source[j] = j;
  team_sync<T> ();
  if (real)
    lost = team_pair_up<R, T> (s, n, t, source, taken);
  team_store_values<R, T> (p, s, t, page, exponent, rank);
  for (int e = t; e < n * n; e += T)
    s.a[e % n + s.ld * (e / n)] = v[e];
  team_sync<T> ();
  for (int left = 0; left <= p.left; left++)
    lost += team_store_vectors<R, T> (s, n, t, left ? s.v : s.a, real, unit,
                                      source, rank, left ? w : v);
  lost = team_max<T> (lost, s.space);
  if (t == 0)
    {
      const R bad = 5;
      const bool good
          = converged && ratio < bad && left_ratio < bad && lost == 0;
      const int state = ! converged && p.limited ? GE_PAGE_LIMITED
                        : good                   ? GE_PAGE_DONE
                                                 : GE_PAGE_STALLED;
      p.state[page] = (unsigned char) state;
    }
}

#endif
