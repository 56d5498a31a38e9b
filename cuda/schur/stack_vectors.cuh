/* A page of a stack: eigenvectors of its Schur form, normalization and residuals.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Elements 0 .. k - 1 of right vector k of the Schur form are stored in row k of H,
   left of the diagonal; elements k + 1 .. n - 1 of left vector k in column k, below
   the diagonal.  For a conjugate pair of a real matrix the place of its first vector
   has the real part and that of the second one the imaginary part, without the
   elements in the rows of the pair itself; the subdiagonal element of its block is
   kept.  FACTOR k is element k, or the factor of the pair's own elements.  */

#ifndef GE_SCHUR_STACK_VECTORS_CUH
#define GE_SCHUR_STACK_VECTORS_CUH 1

#include "base/verify_by_sampling.h"
#include "schur/stack.cuh"
#include "schur/triangle.cuh"

/* --- eigenvalues --- */

template <typename T>
GE_DEVICE_INLINE ge_complex<T>
eigenvalue_at (const window<T> &w, int i)
{
  if constexpr (is_complex<T>::value)
    return element (w, i, i);
  else
    {
      const int second = i > 0 && element (w, i, i - 1) != 0, k = i - second;
      auto value = make_number<ge_complex<T>> (element (w, i, i), 0);
      if (k + 1 < w.n && element (w, k + 1, k) != 0)
        value.y = sqrt (fabs (element (w, k + 1, k)))
                  * sqrt (fabs (element (w, k, k + 1))) * (second ? -1 : 1);
      return value;
    }
}

/* Nonzero if X, eigenvalue I, comes before Y, eigenvalue J: by real part, |imaginary part|,
   the positive one first.  */
template <typename C>
GE_DEVICE_INLINE int
comes_before (C x, int i, C y, int j)
{
  return x.x != y.x                 ? x.x < y.x
         : fabs (x.y) != fabs (y.y) ? fabs (x.y) < fabs (y.y)
         : x.y != y.y               ? x.y > y.y
                                    : i < j;
}

/* Set the eigenvalues and their ranks, and copy them to OUT; nonzero if all are finite.  */
template <int TEAM, typename T>
static __device__ int
team_values (const page_team<T> &s, int hermitian, int ordered,
             ge_complex<T> *out, int t)
{
  const int n = s.w.n;
  int bad = 0;
  for (int i = t; i < n; i += TEAM)
    {
      s.lambda[i] = eigenvalue_at (s.w, i);
      if (hermitian)
        s.lambda[i].y = 0;
      bad |= ! (isfinite (s.lambda[i].x) && isfinite (s.lambda[i].y));
    }
  bad = team_max<TEAM> (bad, s.count);
  team_sync<TEAM> ();
  for (int i = t; i < n; i += TEAM)
    {
      const ge_complex<T> x = s.lambda[i];
      int rank = ordered && ! bad ? 0 : i;
      for (int j = 0; ordered && ! bad && j < n; j++)
        rank += comes_before (s.lambda[j], j, x, i);
      s.rank[i] = rank;
      out[rank] = x;
    }
  team_sync<TEAM> ();
  return ! bad;
}

/* Nonzero if the eigenvalues have the moments of the page A, as ge_are_eigenvalues
   (core/base/verify_by_sampling.h).  */
template <int TEAM, typename T>
static __device__ int
team_moments_agree (const page_team<T> &s, const T *a, int t)
{
  typedef ge_real<T> R;
  const int n = s.w.n;
  R trace[2] = { 0, 0 }, squares[2] = { 0, 0 }, sum = 0;
  for (int e = t; e < n * n; e += TEAM)
    {
      const T x = a[e], product = times (x, a[e / n + e % n * n]);
      sum += abs2 (x);
      squares[0] += real_part (product);
      squares[1] += imaginary_part (product);
      if (e % n == e / n)
        {
          trace[0] += real_part (x);
          trace[1] += imaginary_part (x);
        }
    }
  for (int i = t; i < n; i += TEAM)
    {
      const ge_complex<T> x = s.lambda[i], product = times (x, x);
      trace[0] -= x.x;
      trace[1] -= x.y;
      squares[0] -= product.x;
      squares[1] -= product.y;
    }
  const R norm = sqrt (team_sum<TEAM> (sum, s.space));
  const R limit = GE_MOMENTS_LIMIT (n) * limits_of<R>::eps () * norm;
  int agree = 1;
  /* The eigenvalues of a real page are real or conjugate.  */
  for (int part = 0; part < 1 + is_complex<T>::value; part++)
    agree &= fabs (team_sum<TEAM> (trace[part], s.space)) <= limit
             && fabs (team_sum<TEAM> (squares[part], s.space))
                    <= 2 * norm * limit;
  return agree;
}

/* 1: the first of a pair, -1: the second one.  */
template <typename T>
GE_DEVICE_INLINE int
pair_at (const page_team<T> &s, int k)
{
  if constexpr (is_complex<T>::value)
    return 0;
  else
    return (s.lambda[k].y > 0) - (s.lambda[k].y < 0);
}

/* --- vectors of the Schur form --- */

/* Element I of vector K.  */
template <int LEFT, typename T>
GE_DEVICE_INLINE T &
vector_element (const window<T> &w, int i, int k)
{
  return LEFT ? w.h[i + k * w.ld] : w.h[k + i * w.ld];
}

/* Element (I, J) of H, or of H'.  */
template <int LEFT, typename T>
GE_DEVICE_INLINE T
form_element (const window<T> &w, int i, int j)
{
  return LEFT ? conjugate (w.h[j + i * w.ld]) : w.h[i + j * w.ld];
}

/* The elements of a pair's vector in the two rows of its block, without FACTOR.  */
template <int LEFT, typename T, typename C>
GE_DEVICE_INLINE void
own_elements (const page_team<T> &s, int k, int pair, C *x, C *y)
{
  *x = make_number<C> (1, 0);
  *y = zero<C> ();
  if (pair == 0)
    return;
  const auto im = LEFT ? -s.lambda[k].y : s.lambda[k].y;
  const auto b = real_part (form_element<LEFT> (s.w, k, k + 1));
  const auto c = real_part (form_element<LEFT> (s.w, k + 1, k));
  if (fabs (b) >= fabs (c))
    *y = make_number<C> (0, im / b);
  else
    {
      *x = make_number<C> (-im / c, 0);
      *y = make_number<C> (0, 1);
    }
}

/* The substitution for vector K, the first one of a pair or that of a real
   eigenvalue of a real matrix, or any one of a complex matrix.  */
template <int LEFT, typename T> struct vector_solve
{
  typedef ge_real<T> R;
  typedef ge_complex<T> C;
  int k, paired, edge; /* the last element that is known */
  C value, x, y;       /* (H - value) (.., x, y, ..) = 0 */
  R least, factor;

  __device__ __forceinline__ C
  get (const window<T> &w, int i) const
  {
    const T re = vector_element<LEFT> (w, i, k);
    if constexpr (is_complex<T>::value)
      return re;
    else
      return make_number<C> (re,
                             paired ? vector_element<LEFT> (w, i, k + 1) : 0);
  }

  __device__ __forceinline__ void
  put (const window<T> &w, int i, C z) const
  {
    if constexpr (is_complex<T>::value)
      vector_element<LEFT> (w, i, k) = z;
    else
      {
        vector_element<LEFT> (w, i, k) = z.x;
        if (paired)
          vector_element<LEFT> (w, i, k + 1) = z.y;
      }
  }

  /* The right-hand side of row I: minus the sum over the known elements, K and those
     from FROM to the edge.  */
  __device__ __forceinline__ C
  rest (const window<T> &w, int i, int from) const
  {
    C sum = mul_sub (form_element<LEFT> (w, i, k), x, zero<C> ());
    if (paired)
      sum = mul_sub (form_element<LEFT> (w, i, k + 1), y, sum);
    if constexpr (LEFT)
      for (int j = from; j > edge; j--)
        sum = mul_sub (form_element<LEFT> (w, i, j), get (w, j), sum);
    else
      for (int j = from; j < edge; j++)
        sum = mul_sub (form_element<LEFT> (w, i, j), get (w, j), sum);
    return sum;
  }

  /* Multiply the known elements, from FROM to the edge, by F.  */
  __device__ void
  shrink (const window<T> &w, int from, R f)
  {
    factor *= f;
    x = times (f, x);
    y = times (f, y);
    for (int j = from; LEFT ? j > edge : j < edge; j += LEFT ? -1 : 1)
      put (w, j, times (f, get (w, j)));
  }

  /* Solve for element I, or, with TWO, for elements I and I + 1 of a 2-by-2 block.  */
  __device__ __forceinline__ void
  step (const window<T> &w, int i, int two)
  {
    const int from = LEFT ? i - 1 : i + 1 + two;
    C p = rest (w, i, from), q = zero<C> ();
    const C a = minus (as_pair (form_element<LEFT> (w, i, i)), value);
    int e; /* by which the vector is scaled */
    if (two)
      {
        q = rest (w, i + 1, from);
        e = solve_pair (
            a, real_part (form_element<LEFT> (w, i, i + 1)),
            real_part (form_element<LEFT> (w, i + 1, i)),
            minus (as_pair (form_element<LEFT> (w, i + 1, i + 1)), value), p, q,
            least, &p, &q);
      }
    else
      {
        const C pivot = pivot_of (a, least);
        e = quotient_excess (abs1 (p), abs1 (pivot));
        p = divide (e ? shrunk (p, e) : p, pivot);
      }
    if (e)
      shrink (w, from, ldexp ((R) 1, -e));
    put (w, i, p);
    if (two)
      put (w, i + 1, q);
  }
};

/* One thread per vector; all threads process the rows of H in the same order, so that
   its elements are read once.  */
template <int TEAM, int LEFT, typename T>
static __device__ void
team_solve (const page_team<T> &s, int t)
{
  typedef ge_real<T> R;
  const window<T> &w = s.w;
  const int n = w.n;
  for (int k = t; k < n; k += TEAM)
    {
      vector_solve<LEFT, T> v;
      v.k = k;
      v.paired = pair_at (s, k);
      if (v.paired < 0)
        continue; /* solved with the first one of the pair */
      v.value = LEFT ? conjugate (s.lambda[k]) : s.lambda[k];
      v.edge = LEFT ? k + v.paired : k;
      v.least = least_pivot<R> (n, v.value);
      v.factor = 1;
      own_elements<LEFT> (s, k, v.paired, &v.x, &v.y);
      for (int step = 0; step < n; step++)
        {
          const int i = LEFT ? step : n - 1 - step, at = pair_at (s, i);
          if (LEFT ? at < 0 || i <= v.edge : at > 0 || i >= k)
            continue;
          v.step (w, at < 0 ? i - 1 : i, at != 0);
        }
      s.factor[k] = v.factor;
    }
  team_sync<TEAM> ();
}

/* Z <- Z times the vectors, one thread per row.  */
template <int TEAM, int LEFT, typename T>
static __device__ void
team_multiply (const page_team<T> &s, int t)
{
  const window<T> &w = s.w;
  const int n = w.n, ld = w.ld;
  for (int r = t; r < n; r += TEAM)
    {
      T *z = w.v + r;
      for (int step = 0; step < n; step++)
        {
          const int k = LEFT ? step : n - 1 - step, pair = pair_at (s, k);
          if (pair < 0)
            continue;
          const ge_real<T> f = s.factor[k];
          const int from = LEFT ? k + pair + 1 : 0, to = LEFT ? n : k;
          ge_complex<T> own, other;
          own_elements<LEFT> (s, k, pair, &own, &other);
          T re = times (real_part (own) * f, z[k * ld]), im = zero<T> ();
          if (pair)
            {
              const T second = z[(k + 1) * ld];
              re = mul_add (second, make_number<T> (other.x * f, 0), re);
              im = mul_add (second, make_number<T> (other.y * f, 0),
                            times (own.y * f, z[k * ld]));
#pragma unroll 2
              for (int j = from; j < to; j++)
                {
                  re = mul_add (z[j * ld], vector_element<LEFT> (w, j, k), re);
                  im = mul_add (z[j * ld], vector_element<LEFT> (w, j, k + 1),
                                im);
                }
              z[(k + 1) * ld] = im;
            }
          else
            {
              int j = from;
              for (; j + 1 < to; j += 2)
                {
                  re = mul_add (z[j * ld], vector_element<LEFT> (w, j, k), re);
                  im = mul_add (z[(j + 1) * ld],
                                vector_element<LEFT> (w, j + 1, k), im);
                }
              if (j < to)
                re = mul_add (z[j * ld], vector_element<LEFT> (w, j, k), re);
              re = plus (re, im);
            }
          z[k * ld] = re;
        }
    }
  team_sync<TEAM> ();
}

/* --- normalization --- */

/* Element I of vector K in Z, rows in the order of balancing.  */
template <typename T>
GE_DEVICE_INLINE ge_complex<T>
get_vector (const window<T> &w, int i, int k, int pair)
{
  const T x = w.v[i + k * w.ld];
  return make_number<ge_complex<T>> (real_part (x),
                                     pair ? real_part (w.v[i + (k + 1) * w.ld])
                                          : imaginary_part (x));
}
template <typename T>
GE_DEVICE_INLINE void
put_vector (const window<T> &w, int i, int k, int pair, ge_complex<T> x)
{
  w.v[i + k * w.ld] = make_number<T> (x.x, x.y);
  if (pair)
    w.v[i + (k + 1) * w.ld] = make_number<T> (x.y, 0);
}

/* Undo the scaling of balancing, but not its permutation, and scale the columns of Z to
   2-norm 1 with a positive element of largest modulus, the first one of equals.  */
template <int TEAM, int LEFT, typename T>
static __device__ void
team_normalize (const page_team<T> &s, int balanced, int t)
{
  typedef ge_real<T> R;
  typedef ge_complex<T> C;
  const window<T> &w = s.w;
  const int n = w.n;
  for (int k = t; k < n; k += TEAM)
    {
      const int pair = pair_at (s, k);
      if (pair < 0)
        continue;
      /* Scaled by the largest element before and after SCALE: no overflow.  */
      for (int pass = 0; pass <= balanced; pass++)
        {
          R size = 0;
          for (int i = 0; i < n; i++)
            size = larger_of<R> () (abs1 (get_vector (w, i, k, pair)), size);
          const R f = size > 0 ? 1 / size : 0;
          for (int i = 0; i < n; i++)
            {
              C x = times (f, get_vector (w, i, k, pair));
              if (balanced && pass == 0)
                x = times (LEFT ? 1 / s.scale[i] : s.scale[i], x);
              put_vector (w, i, k, pair, x);
            }
        }
      R sum = 0, best = -1;
      C top = zero<C> ();
      int at = 0;
      for (int i = 0; i < n; i++)
        {
          const C x = get_vector (w, i, k, pair);
          const R square = abs2 (x);
          const int first = square == best && s.order[i] < s.order[at];
          sum += square;
          if (square > best || first)
            {
              best = square;
              at = i;
              top = x;
            }
        }
      const C turn = times (1 / (sqrt (sum) * sqrt (best)), conjugate (top));
      for (int i = 0; i < n; i++)
        {
          C x = times (get_vector (w, i, k, pair), turn);
          if (i == at)
            x.y = 0;
          put_vector (w, i, k, pair, make_number<C> (x.x + 0, x.y + 0));
        }
    }
  team_sync<TEAM> ();
}

/* The largest |A v - lambda v|_1 of all vectors v in Z; with LEFT, of A' and the
   conjugate eigenvalues.  A is the user's matrix.  */
template <int TEAM, int LEFT, typename T>
static __device__ ge_real<T>
team_residual (const page_team<T> &s, const T *a, int t)
{
  typedef ge_real<T> R;
  typedef ge_complex<T> C;
  const window<T> &w = s.w;
  const int n = w.n;
  R worst = 0;
  for (int k = t; k < n; k += TEAM)
    {
      const int pair = pair_at (s, k);
      if (pair < 0)
        continue;
      const C value = LEFT ? conjugate (s.lambda[k]) : s.lambda[k];
      R error = 0;
      for (int i = 0; i < n; i++)
        {
          C sum = times (value, get_vector (w, i, k, pair));
          const T *row = a + s.order[i] * (LEFT ? n : 1);
#pragma unroll 4
          for (int j = 0; j < n; j++)
            {
              const T x = row[s.order[j] * (LEFT ? 1 : n)];
              sum = mul_sub (LEFT ? conjugate (x) : x,
                             get_vector (w, j, k, pair), sum);
            }
          error += abs1 (sum);
        }
      worst = larger_of<R> () (error, worst);
    }
  return team_max<TEAM> (worst, s.space);
}

/* Copy the vectors in Z to OUT, in the order of the ranks.  */
template <int TEAM, typename T>
static __device__ __noinline__ void
team_store (page_team<T> s, ge_complex<T> *out, int t)
{
  const int n = s.w.n;
  for (int e = t; e < n * n; e += TEAM)
    {
      const int i = e % n, k = e / n, pair = pair_at (s, k);
      ge_complex<T> x = get_vector (s.w, i, pair < 0 ? k - 1 : k, pair != 0);
      if (pair < 0)
        x.y = -x.y;
      out[s.order[i] + s.rank[k] * n] = x;
    }
  team_sync<TEAM> ();
}

#endif
