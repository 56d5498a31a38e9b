/* Newton refinement of a page's eigenpairs in shared memory, as in
   core/shroff/refine_typed.c; the best vectors so far are in global memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_COMPLEX_REFINE_CUH
#define GE_COMPLEX_REFINE_CUH 1

#include "shroff/team.cuh"

/* A page's input with its scaling to largest element near 1.  */
template <typename R> struct page_input
{
  const R *a;
  int complex_in, n;
  R f1, f2;
  int adjoint; /* elements are those of the adjoint matrix */
};

template <typename R>
GE_DEVICE_INLINE cpx<R>
load_input (const page_input<R> &in, int i, int j)
{
  const size_t at = in.adjoint ? (size_t) j + (size_t) in.n * i
                               : (size_t) i + (size_t) in.n * j;
  if (in.complex_in)
    {
      const R im = in.a[2 * at + 1] * in.f1 * in.f2;
      return make_cpx (in.a[2 * at] * in.f1 * in.f2, in.adjoint ? -im : im);
    }
  return make_cpx<R> (in.a[at] * in.f1 * in.f2, 0);
}

/* Columns of V to 2-norm 1.  */
template <typename R, int T>
static __device__ void
team_normalize (const team_memory<R> &s, int n, int t)
{
  for (int j = t; j < n; j += T)
    {
      cpx<R> *v = s.v + s.ld * j;
      R sum = 0;
      for (int i = 0; i < n; i++)
        sum += abs2 (v[i]);
      sum = 1 / sqrt (sum > 0 ? sum : 1);
      for (int i = 0; i < n; i++)
        v[i] = make_cpx (v[i].x * sum, v[i].y * sum);
    }
  team_sync<T> ();
}

/* |A|_1 */
template <typename R, int T>
static __device__ R
team_norm (const page_input<R> &in, const team_memory<R> &s, int n, int t)
{
  R norm = 0;
  for (int j = t; j < n; j += T)
    {
      R sum = 0;
      for (int i = 0; i < n; i++)
        sum += sqrt (abs2 (load_input (in, i, j)));
      norm = sum > norm ? sum : norm;
    }
  return team_max<T> (norm, s.space);
}

/* R = A V - V D into s.a; max_j |r_j|_1.  */
template <typename R, int T>
static __device__ R
team_residual (const page_input<R> &in, const team_memory<R> &s, int n, int t)
{
  const int ld = s.ld, groups = (n + 3) / 4;
  for (int e = t; e < n * groups; e += T)
    {
      const int i = e % n, j = e / n * 4;
      cpx<R> sum[4];
      for (int c = 0; c < 4; c++)
        {
          sum[c] = make_cpx<R> (0, 0);
          if (j + c < n)
            sum[c] = mul_add (negate (s.lambda[j + c]), s.v[i + ld * (j + c)],
                              sum[c]);
        }
      for (int k = 0; k < n; k++)
        {
          const cpx<R> a = load_input (in, i, k);
          for (int c = 0; c < 4; c++)
            if (j + c < n)
              sum[c] = mul_add (a, s.v[k + ld * (j + c)], sum[c]);
        }
      for (int c = 0; c < 4; c++)
        if (j + c < n)
          s.a[i + ld * (j + c)] = sum[c];
    }
  team_sync<T> ();
  R worst = 0;
  for (int j = t; j < n; j += T)
    {
      R sum = 0;
      for (int i = 0; i < n; i++)
        sum += sqrt (abs2 (s.a[i + ld * j]));
      /* NaN becomes Inf, since comparisons would drop it */
      sum = sum == sum ? sum : (R) INFINITY;
      worst = sum > worst ? sum : worst;
    }
  return team_max<T> (worst, s.space);
}

/* Gauss-Jordan elimination with partial pivoting: V is overwritten, B becomes V^-1 B except that row k of the result is at row pivot[k]
   and is still to be divided by its pivot, whose reciprocal is in s.z[k].  */
template <typename R, int T>
static __device__ void
team_solve (const team_memory<R> &s, int n, int t, cpx<R> *v, cpx<R> *b)
{
  const int ld = s.ld;
  int *pivot = s.pivot, *used = s.pivot + n;
  for (int i = t; i < n; i += T)
    used[i] = 0;
  team_sync<T> ();
  for (int k = 0; k < n; k++)
    {
      ranked<R> best = { -1, n };
      for (int i = t; i < n; i += T)
        {
          R size = abs2 (v[i + ld * k]);
          /* NaN compares false with all rows */
          size = size == size ? size : 0;
          if (! used[i])
            best = first_largest () (best, ranked<R>{ size, i });
        }
      const int row
          = cooperative_groups::reduce (this_tile<T> (), best, first_largest ())
                .at;
      if (t == 0)
        {
          pivot[k] = row;
          used[row] = 1;
          s.z[k] = reciprocal (v[row + ld * k]);
        }
      team_sync<T> ();
      const cpx<R> inverse = s.z[k];
      /* columns k + 1 .. n - 1 of V, then all of B */
      const int left = n - 1 - k;
      for (int e = t; e < n * (left + n); e += T)
        {
          const int i = e % n, c = e / n;
          cpx<R> *to = c < left ? v + ld * (k + 1 + c) : b + ld * (c - left);
          if (i == row)
            continue;
          const cpx<R> f = times_unfused (v[i + ld * k], inverse);
          to[i] = mul_add (negate (f), to[row], to[i]);
        }
      team_sync<T> ();
    }
}

/* x / (lambda_j - lambda_i) where that is small, else 0.  */
template <typename R>
GE_DEVICE_INLINE cpx<R>
over_gap (cpx<R> x, cpx<R> lambda_i, cpx<R> lambda_j)
{
  const cpx<R> gap
      = make_cpx (lambda_j.x - lambda_i.x, lambda_j.y - lambda_i.y);
  const R g2 = abs2 (gap);
  if (! (abs2 (x) * 16 < g2))
    return make_cpx<R> (0, 0);
  return make_cpx ((x.x * gap.x + x.y * gap.y) / g2,
                   (x.y * gap.x - x.x * gap.y) / g2);
}

/* One Newton step from the vectors BEST in global memory with the residual in
   s.a; the new vectors are in s.v, the old eigenvalues, which stay if FIXED, in s.z.  */
template <typename R, int T>
static __device__ void
team_newton (const team_memory<R> &s, int n, int t, const cpx<R> *best,
             int fixed)
{
  const int ld = s.ld;
  team_solve<R, T> (s, n, t, s.v, s.a);
  for (int e = t; e < n * n; e += T)
    {
      const int k = e % n, j = e / n;
      cpx<R> *x = &s.a[s.pivot[k] + ld * j];
      *x = times_unfused (*x, s.z[k]);
    }
  team_sync<T> ();
  for (int j = t; j < n; j += T)
    {
      const cpx<R> x = s.a[s.pivot[j] + ld * j];
      s.z[j] = s.lambda[j];
      if (! fixed)
        s.lambda[j] = make_cpx (s.lambda[j].x + x.x, s.lambda[j].y + x.y);
    }
  team_sync<T> ();
  for (int e = t; e < n * n; e += T)
    {
      const int k = e % n, j = e / n;
      cpx<R> *x = &s.a[s.pivot[k] + ld * j];
      *x = k == j ? make_cpx<R> (0, 0)
                  : over_gap<R> (*x, s.lambda[k], s.lambda[j]);
    }
  team_sync<T> ();
  for (int e = t; e < n * n; e += T)
    {
      const int i = e % n, j = e / n;
      cpx<R> sum = best[e];
      for (int k = 0; k < n; k++)
        sum = mul_add (best[i + n * k], s.a[s.pivot[k] + ld * j], sum);
      s.v[i + ld * j] = sum;
    }
  team_sync<T> ();
  team_normalize<R, T> (s, n, t);
}

/* Refine V (s.v, normalized) and lambda by up to three Newton steps; BEST is the result.
   Returns the ratio |A V - V D|_1 / (n eps |A|_1).  Of an adjoint page lambda stays.  */
template <typename R, int T>
static __device__ R
team_refine (const page_input<R> &in, const team_memory<R> &s, int n, int t,
             R norm, cpx<R> *best)
{
  const R eps = sizeof (R) == 8 ? (R) DBL_EPSILON : (R) FLT_EPSILON;
  const R unit = norm > 0 ? norm * n * eps : 1, good = (R) 0.3;
  R ratio = 0;
  bool wanted = true;
  /* s.a is the residual of the best vectors at the begin of a step.  */
  for (int step = 0; wanted; step++)
    {
      if (step > 0)
        team_newton<R, T> (s, n, t, best, in.adjoint);
      const R now = team_residual<R, T> (in, s, n, t) / unit;
      const bool better = step == 0 || now < ratio;
      for (int e = t; better && e < n * n; e += T)
        best[e] = s.v[e % n + s.ld * (e / n)];
      for (int j = t; ! better && j < n; j += T)
        s.lambda[j] = s.z[j];
      wanted
          = better && now > good && step < 3 && (step == 0 || now < ratio / 4);
      ratio = better ? now : ratio;
      team_sync<T> ();
      for (int e = t; ! better && e < n * n; e += T)
        s.v[e % n + s.ld * (e / n)] = best[e];
      team_sync<T> ();
    }
  return ratio;
}

/* Left vectors BEST, also in s.v: those of the adjoint of the page, W' = V^-1, refined as the
   right ones, V, which are in s.v.  */
template <typename R, int T>
static __device__ R
team_left (page_input<R> in, const team_memory<R> &s, int n, int t, R norm,
           cpx<R> *best)
{
  const int ld = s.ld;
  for (int e = t; e < n * n; e += T)
    s.a[e % n + ld * (e / n)] = make_cpx<R> (e % n == e / n, 0);
  team_sync<T> ();
  team_solve<R, T> (s, n, t, s.v, s.a);
  for (int e = t; e < n * n; e += T)
    {
      const int k = e % n, j = e / n;
      s.v[j + ld * k]
          = conjugate (times_unfused (s.a[s.pivot[k] + ld * j], s.z[k]));
    }
  for (int j = t; j < n; j += T)
    s.lambda[j] = conjugate (s.lambda[j]);
  team_sync<T> ();
  team_normalize<R, T> (s, n, t);
  in.adjoint = 1;
  const R ratio = team_refine<R, T> (in, s, n, t, norm, best);
  for (int j = t; j < n; j += T)
    s.lambda[j] = conjugate (s.lambda[j]);
  team_sync<T> ();
  return ratio;
}

#endif
