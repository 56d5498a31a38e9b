/* Conjugate pairs, phases and order of a page's result, as in
   core/shroff/normalize_typed.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_COMPLEX_NORMALIZE_CUH
#define GE_COMPLEX_NORMALIZE_CUH 1

#include "shroff/team.cuh"

/* Conjugate pairs of a real matrix: source[j] = j for an eigenvalue that keeps
   its vector, i for one that becomes the conjugate of number i. lambda is made
   exactly real or conjugate; s.t[j] is the imaginary part that was dropped from
   number j.  Eigenvalues form a conjugate pair if they are farther from the
   real axis than rounding.  The two eigenvalues of a perturbed double
   eigenvalue are close to the axis as well, and there the conjugate of one
   vector must not replace the other: the result is nonzero if there is such a
   pair (are_conjugates in shroff/normalize_typed.c examines the vectors).
   TAKEN: n flags.  */
template <typename R, int T>
static __device__ R
team_pair_up (const team_memory<R> &s, int n, int t, int *source, int *taken)
{
  const R eps = sizeof (R) == 8 ? (R) DBL_EPSILON : (R) FLT_EPSILON;
  const lane_tile<T> tile = this_tile<T> ();
  R size = 0, doubtful = 0;
  for (int j = t; j < n; j += T)
    {
      taken[j] = 0;
      s.t[j] = 0;
      const R here = fabs (s.lambda[j].x) + fabs (s.lambda[j].y);
      size = here > size ? here : size;
    }
  size = team_max<T> (size, s.space);
  team_sync<T> ();
  for (int step = 0; step < n; step++)
    {
      /* the one farthest from the real axis, the first of equals */
      ranked<R> far = { -1, n };
      for (int i = t; i < n; i += T)
        if (! taken[i])
          far = first_largest () (far, ranked<R>{ fabs (s.lambda[i].y), i });
      const int j = cooperative_groups::reduce (tile, far, first_largest ()).at;
      const bool found = j < n;
      const cpx<R> x = found ? s.lambda[j] : make_cpx<R> (0, 0);
      ranked<R> near = { 4 * x.y * x.y, j };
      for (int k = t; k < n; k += T)
        {
          const R dx = s.lambda[k].x - x.x, dy = s.lambda[k].y + x.y;
          const R d = dx * dx + dy * dy;
          if (k != j && ! taken[k] && d < near.value)
            near = ranked<R>{ d, k };
        }
      const int partner
          = cooperative_groups::reduce (tile, near, first_smallest ()).at;
      tile.sync ();
      const R far_away = fabs (x.y);
      const bool pair = partner != j && far_away > n * eps * size;
      if (pair && far_away <= sqrt (eps) * size)
        doubtful = 1;
      if (t == 0 && found)
        {
          taken[j] = 1;
          source[j] = j;
          if (pair)
            {
              taken[partner] = 1;
              source[partner] = j;
              s.lambda[partner] = make_cpx (x.x, -x.y);
            }
          else
            {
              s.t[j] = far_away;
              s.lambda[j].y = 0;
            }
        }
      tile.sync ();
    }
  team_sync<T> ();
  return doubtful;
}

/* Multiply a vector by PHASE, of modulus 1, and normalize it.  */
template <typename R>
static __device__ void
rotate_phase (cpx<R> *v, int n, cpx<R> phase)
{
  R sum = 0;
  for (int i = 0; i < n; i++)
    sum += abs2 (v[i]);
  sum = sum > 0 ? 1 / sqrt (sum) : 1;
  phase = make_cpx (phase.x * sum, phase.y * sum);
  for (int i = 0; i < n; i++)
    {
      const cpx<R> x = times_unfused (v[i], phase);
      v[i] = make_cpx (x.x + 0, x.y + 0);
    }
}

/* Make a vector real by the best phase; returns the square of the imaginary
   part that no phase removes.  */
template <typename R>
static __device__ R
make_vector_real (cpx<R> *v, int n)
{
  R re = 0, im = 0, rest = 0;
  for (int i = 0; i < n; i++)
    {
      const cpx<R> x = v[i];
      re += x.x * x.x - x.y * x.y;
      im += 2 * x.x * x.y;
    }
  const R size = sqrt (re * re + im * im);
  if (size > 0)
    {
      const R c = sqrt ((1 + re / size) / 2);
      const R d = copysign (sqrt ((1 - re / size) / 2), im);
      rotate_phase<R> (v, n, make_cpx (c, -d));
    }
  for (int i = 0; i < n; i++)
    {
      rest += v[i].y * v[i].y;
      v[i].y = 0;
    }
  rotate_phase<R> (v, n, make_cpx<R> (1, 0));
  return rest;
}

/* Make the element of largest modulus, the first of equals, real.  */
template <typename R>
static __device__ void
fix_vector_phase (cpx<R> *v, int n)
{
  R largest = -1;
  int at = 0;
  for (int i = 0; i < n; i++)
    {
      const R size = abs2 (v[i]);
      if (size > largest)
        {
          largest = size;
          at = i;
        }
    }
  const R size = largest > 0 ? sqrt (largest) : 1;
  const cpx<R> x = v[at];
  rotate_phase<R> (v, n,
                   largest > 0 ? make_cpx (x.x / size, -x.y / size)
                               : make_cpx<R> (1, 0));
  v[at].y = 0;
}

/* Vectors V into form and to OUT in order.  Nonzero if a real eigenvalue has no real
   vector: from (A - lambda) (x + i y) = r follows A x - Re (lambda) x = Re (r) -
   Im (lambda) y, and the last term must be below UNIT.  */
template <typename R, int T>
static __device__ R
team_store_vectors (const team_memory<R> &s, int n, int t, cpx<R> *v, bool real,
                    R unit, const int *source, const int *rank, cpx<R> *out)
{
  R lost = 0;
  for (int j = t; j < n; j += T)
    {
      cpx<R> *x = v + s.ld * j;
      if (real && s.lambda[j].y == 0)
        {
          const R rest = make_vector_real<R> (x, n);
          if (! (rest <= (R) 1e-4 && s.t[j] * sqrt (rest) <= unit))
            lost = 1;
        }
      fix_vector_phase<R> (x, n);
    }
  team_sync<T> ();
  for (int e = t; out && e < n * n; e += T)
    {
      const int i = e % n, j = e / n;
      const cpx<R> x = v[i + s.ld * source[j]];
      out[i + n * rank[j]] = make_cpx (x.x, source[j] != j ? -x.y + 0 : x.y);
    }
  team_sync<T> ();
  return lost;
}

#endif
