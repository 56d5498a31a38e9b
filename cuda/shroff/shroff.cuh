/* Kernels of the Jacobi-like method for general pages in global memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   shroff.cu   choice of the solver, sweeps, refinement

   Every kernel serves one matrix of any order as well as a stack: threads or warps are
   numbered through all pages.  The pairs of a round are disjoint, so that A <- J^-1 A J is
   computed in place: one thread has the 2-by-2 tile of a pair of rows and a pair of
   columns.  Beside V, Y = V^-H is transformed: left eigenvectors, by which the refinement
   needs no system of equations.  The bits of a page do not depend on the others.  */

#ifndef GE_SHROFF_CUH
#define GE_SHROFF_CUH 1

#include "base/numbers.cuh"
#include "base/round_robin.h"
#include "base/scalar.cuh"
#include "shroff/shroff.h"

#define GE_SHARED_MATH "shroff/transformation.h"
#include "base/precisions.cuh"

enum
{
  THREADS = 256,
  WARP = 32,
  SHROFF_HISTORY = 8 /* sweeps, a power of 2 */
};

/* Complex numbers of precision R; their arithmetic is that of base/numbers.cuh.  */
template <typename R> using cpx = ge_complex<R>;

/* The state of a page.  */
struct shroff_page
{
  int exponent;  /* A was scaled by 2^-exponent */
  int running;   /* another sweep, or step of the refinement, follows */
  int converged; /* the sweeps have */
  int better;    /* by the last step the residual has decreased */
  double off2;   /* |off (A)|_F^2 */
  double history[SHROFF_HISTORY]; /* |off (A)|_F / |A|_F after sweeps */
  unsigned long long worst, norm; /* bits of max_j |r_j|_1, |A|_1 */
  double ratio[2]; /* |A V - V D|_1 / (n eps |A|_1); of left vectors */
};

/* Totals of all pages: how many run, and bits of the largest |off (A)|_F / |A|_F of those that
   did in the last sweep.  */
struct shroff_total
{
  unsigned long long off;
  int running;
};

template <typename R> struct shroff_stack
{
  int n, m, count; /* m pairs; count pages */
  cpx<R> *a0, *a, *v, *y,
      *z;               /* the matrix, scaled; its transform, ... scratch */
  cpx<R> *j;            /* 4 a pair */
  cpx<R> *lambda, *old; /* n a page; before a step of the refinement */
  R *t;                 /* n a page: squares of norms of rows, of columns */
  shroff_page *page;
  shroff_total *total;
};

/* The number of this thread, or of its warp.  */
GE_DEVICE_INLINE int
thread_number (void)
{
  return (int) (blockIdx.x * THREADS + threadIdx.x);
}
GE_DEVICE_INLINE int
warp_number (void)
{
  return thread_number () / WARP;
}
GE_DEVICE_INLINE int
lane_number (void)
{
  return (int) threadIdx.x % WARP;
}

template <typename R>
GE_DEVICE_INLINE cpx<R>
make_cpx (R x, R y)
{
  return make_number<cpx<R>> (x, y);
}

GE_DEVICE_INLINE unsigned long long
bits_of (double x)
{
  return (unsigned long long) __double_as_longlong (x);
}

/* --- load --- */

/* REALS numbers a page IN.  Exponents below 0, which ge_scale_general leaves to few pages,
   are close to it.  */
template <typename R>
GE_KERNEL (THREADS)
shroff_exponents (shroff_stack<R> s, int reals, const R *in)
{
  const int e = thread_number ();
  if (e / reals < s.count && in[e] != 0)
    atomicMax (&s.page[e / reals].exponent, exponent_of (in[e]));
}

/* A0 = A = the matrix, V = Y = I.  */
template <typename R>
GE_KERNEL (THREADS)
shroff_load (shroff_stack<R> s, int complex_in, const R *in)
{
  const int e = thread_number (), square = s.n * s.n;
  if (e / square >= s.count)
    return;
  const R f = scale_by ((R) 1, -s.page[e / square].exponent);
  const R re = in[(size_t) e << complex_in];
  const R im = complex_in ? in[2 * (size_t) e + 1] : 0;
  s.a[e] = s.a0[e] = make_cpx (re * f, im * f);
  s.v[e] = s.y[e] = make_cpx<R> (e % square % (s.n + 1) == 0, 0);
}

/* --- a round --- */

/* The parts of c and G (shroff/transformation.h) of the pair (p, q) from element I
   of two rows, or, conjugated and with the sign reversed, of two columns: U and W.  */
template <typename R>
GE_DEVICE_INLINE void
add_part (cpx<R> u, cpx<R> w, cpx<R> *c, R *g)
{
  *c = conj_mul_add (w, u, *c);
  *g += abs2 (u) + abs2 (w);
}

/* The transformations of ROUND, each by a warp.  */
template <typename R>
GE_KERNEL (THREADS)
shroff_transformations (shroff_stack<R> s, int round)
{
  const int pair = warp_number (), n = s.n;
  if (pair >= s.m * s.count || ! s.page[pair / s.m].running)
    return;
  const size_t ld = (size_t) n;
  const cpx<R> *a = s.a + pair / s.m * ld * ld;
  cpx<R> c = make_cpx<R> (0, 0);
  R g = 0;
  int p, q;
  ge_round_pair (2 * s.m, round, pair % s.m, &p, &q);
  for (int i = lane_number (); i < n && q < n; i += WARP)
    if (i != p && i != q)
      {
        add_part (a[p + ld * i], a[q + ld * i], &c, &g);
        add_part (negate (conjugate (a[i + ld * p])), conjugate (a[i + ld * q]),
                  &c, &g);
      }
  c.x = tile_sum<WARP> (c.x);
  c.y = tile_sum<WARP> (c.y);
  g = tile_sum<WARP> (g);
  if (lane_number () > 0)
    return;
  R j[8] = { 1, 0, 0, 0, 0, 0, 1, 0 };
  if (q < n)
    {
      const cpx<R> pp = a[p + ld * p], pq = a[p + ld * q];
      const cpx<R> qp = a[q + ld * p], qq = a[q + ld * q];
      ge_shroff_pair (pp.x, pp.y, pq.x, pq.y, qp.x, qp.y, qq.x, qq.y, c.x, c.y,
                      g, (R) 1, j, (int64_t) 1);
    }
  for (int e = 0; e < 4; e++)
    s.j[4 * (size_t) pair + e] = make_cpx (j[2 * e], j[2 * e + 1]);
}

/* (X, Y) <- (X, Y) J.  */
template <typename C>
GE_DEVICE_INLINE void
times_transformation (const C *j, C *x, C *y)
{
  const C zero = make_number<C> (0, 0), a = *x, b = *y;
  *x = mul_add (b, j[2], mul_add (a, j[0], zero));
  *y = mul_add (b, j[3], mul_add (a, j[1], zero));
}

/* A <- J^-1 A J, V <- V J, Y <- Y J^-H.  Of each page and pair of columns: a thread for each
   pair of rows of A, then for each row of V and of Y.  */
template <typename R>
GE_KERNEL (THREADS)
shroff_update (shroff_stack<R> s, int round)
{
  const int n = s.n, m = s.m, rows = m + 2 * n;
  const int pair = thread_number () / rows, e = thread_number () % rows;
  if (pair >= m * s.count || ! s.page[pair / m].running)
    return;
  const size_t ld = (size_t) n, first = pair / m * ld * ld;
  const cpx<R> zero = make_cpx<R> (0, 0), *J = s.j + 4 * (size_t) pair;
  int p, q, u, w;
  ge_round_pair (2 * m, round, pair % m, &u, &w);
  if (e >= m)
    {
      const bool left = e - m >= n;
      const cpx<R> adjoint[4] = { conjugate (J[3]), negate (conjugate (J[2])),
                                  negate (conjugate (J[1])), conjugate (J[0]) };
      cpx<R> *x = (left ? s.y - n : s.v) + first + e - m;
      if (w < n)
        times_transformation (left ? adjoint : J, x + ld * u, x + ld * w);
      return;
    }
  ge_round_pair (2 * m, round, e, &p, &q);
  cpx<R> *a = s.a + first;
  cpx<R> *const at[4]
      = { &a[p + ld * u], &a[q + ld * u], &a[p + ld * w], &a[q + ld * w] };
  const bool there[4] = { true, q < n, w < n, q < n && w < n };
  cpx<R> z[4];
  for (int i = 0; i < 4; i++)
    z[i] = there[i] ? *at[i] : zero;
  times_transformation (J, &z[0], &z[2]);
  times_transformation (J, &z[1], &z[3]);
  /* J^-1 = [J22, -J12; -J21, J11] from the left is [J22, -J21; -J12, J11] from the
     right of the transpose.  */
  J += 4 * (e - pair % m);
  const cpx<R> inverse[4] = { J[3], negate (J[2]), negate (J[1]), J[0] };
  times_transformation (inverse, &z[0], &z[1]);
  times_transformation (inverse, &z[2], &z[3]);
  for (int i = 0; i < 4; i++)
    if (there[i])
      *at[i] = z[i];
}

/* --- once per sweep --- */

/* Squares of the norms of rows and columns without the diagonal, each by a warp.  */
template <typename R> GE_KERNEL (THREADS) shroff_norms (shroff_stack<R> s)
{
  const int line = warp_number (), n = s.n;
  if (line / (2 * n) >= s.count)
    return;
  const size_t ld = (size_t) n;
  const cpx<R> *a = s.a + line / (2 * n) * ld * ld;
  const int j = line % n, by_row = line / n % 2 == 0;
  R sum = 0;
  for (int i = lane_number (); i < n; i += WARP)
    if (i != j)
      sum += abs2 (by_row ? a[j + ld * i] : a[i + ld * j]);
  sum = tile_sum<WARP> (sum);
  if (lane_number () == 0)
    s.t[line] = sum;
}

/* Whether the pages run on after SWEEPS sweeps; each by a warp.  Those with the user's limit
   do not stall.  */
template <typename R>
GE_KERNEL (THREADS)
shroff_measure (shroff_stack<R> s, int sweeps, double tol, int limited)
{
  const int n = s.n, k = warp_number ();
  if (k >= s.count || (sweeps > 0 && ! s.page[k].running))
    return;
  const cpx<R> *a = s.a + (size_t) k * n * n;
  shroff_page *page = &s.page[k];
  double off2 = 0, diagonal2 = 0;
  for (int j = lane_number (); j < n; j += WARP)
    {
      off2 += (double) s.t[(2 * (size_t) k + 1) * n + j];
      diagonal2 += (double) abs2 (a[j + (size_t) n * j]);
    }
  off2 = tile_sum<WARP> (off2);
  diagonal2 = tile_sum<WARP> (diagonal2);
  if (lane_number () > 0)
    return;
  const double norm2 = off2 + diagonal2;
  const double off = norm2 == 0 ? 0 : sqrt (off2 / norm2); /* NaN stays */
  page->off2 = off2;
  page->history[sweeps % SHROFF_HISTORY] = off;
  page->converged = off <= tol;
  page->running
      = ! page->converged
        && (limited
            || ! ge_shroff_stalls (
                n, sweeps, page->history[(sweeps + 3) % SHROFF_HISTORY], off));
  atomicMax (&s.total->off, bits_of (off));
  atomicAdd (&s.total->running, page->running);
}

/* The scaling of line J of page K from the norms; POWERS: by powers of 2, half of the
   exponents (balancing).  */
template <typename R>
GE_DEVICE_INLINE R
scaling_of (const shroff_stack<R> &s, int k, int j, int powers)
{
  const R *t = s.t + 2 * (size_t) k * s.n + j, row = t[0], col = t[s.n];
  /* see shroff/sweep_typed.c */
  const R mu = (R) (s.page[k].off2 / s.n * 0.01);
  if (powers)
    return row > 0 && col > 0
               ? scale_by ((R) 1, (ilogb (row) - ilogb (col)) / 8)
               : 1;
  return mu > 0 ? sqrt (sqrt ((row + mu) / (col + mu))) : 1;
}

template <typename R>
GE_KERNEL (THREADS)
shroff_scale (shroff_stack<R> s, int powers)
{
  const int e = thread_number (), n = s.n, k = e / (n * n);
  if (k >= s.count || ! s.page[k].running)
    return;
  const int i = e % n, j = e / n % n;
  const R t = scaling_of (s, k, j, powers), inverse = 1 / t;
  const R f = i == j ? 1 : t * (1 / scaling_of (s, k, i, powers));
  s.a[e] = times (f, s.a[e]);
  s.v[e] = times (t, s.v[e]);
  s.y[e] = times (inverse, s.y[e]);
}

/* --- refinement --- */

/* lambda = the diagonal of A; or, with Z, old = lambda, lambda += that of Z.  */
template <typename R>
GE_KERNEL (THREADS)
shroff_values (shroff_stack<R> s, const cpx<R> *z)
{
  const int e = thread_number (), n = s.n;
  if (e / n >= s.count)
    return;
  const size_t at = (size_t) e * n + e % n;
  if (z)
    s.old[e] = s.lambda[e];
  s.lambda[e] = z ? plus (s.lambda[e], z[at]) : s.a[at];
}

/* Columns of V to norm 1 and, if Y is not NULL, those of Y such that Y^H V has the diagonal
   1.  Each by a warp.  */
template <typename R>
GE_KERNEL (THREADS)
shroff_normalize (shroff_stack<R> s, cpx<R> *v, cpx<R> *y)
{
  const int column = warp_number (), n = s.n;
  if (column / n >= s.count)
    return;
  R sum = 0;
  cpx<R> dot = make_cpx<R> (0, 0);
  v += (size_t) column * n;
  y = y ? y + (size_t) column * n : v;
  for (int i = lane_number (); i < n; i += WARP)
    {
      sum += abs2 (v[i]);
      dot = conj_mul_add (v[i], y[i], dot);
    }
  sum = tile_sum<WARP> (sum);
  dot.x = tile_sum<WARP> (dot.x);
  dot.y = tile_sum<WARP> (dot.y);
  const R f = sum > 0 ? 1 / sqrt (sum) : 1;
  /* Y <- Y / (conj (V^H Y) f) */
  const R d = abs2 (dot) * f;
  const cpx<R> g
      = d > 0 ? make_cpx (dot.x / d, -dot.y / d) : make_cpx<R> (1, 0);
  for (int i = lane_number (); i < n; i += WARP)
    {
      if (y != v)
        y[i] = times (y[i], g);
      v[i] = times (f, v[i]);
    }
}

/* C = A B, with ADJOINT A^H B; with PLUS, C = PLUS + A B.  */
template <typename R>
GE_KERNEL (THREADS)
shroff_product (shroff_stack<R> s, const cpx<R> *a, int adjoint,
                const cpx<R> *b, const cpx<R> *plus, cpx<R> *c)
{
  const int e = thread_number (), n = s.n, i = e % n;
  const size_t first = e / (n * n) * (size_t) n * n;
  if (e / (n * n) >= s.count)
    return;
  cpx<R> sum = plus ? plus[e] : make_cpx<R> (0, 0);
  a += first + (adjoint ? (size_t) n * i : i);
  b += e - i;
  for (int k = 0; k < n; k++)
    sum = adjoint ? conj_mul_add (a[k], b[k], sum)
                  : mul_add (a[(size_t) n * k], b[k], sum);
  c[e] = sum;
}

/* R <- R - V D, with LEFT conj (D), and its norm; each column by a warp.  */
template <typename R>
GE_KERNEL (THREADS)
shroff_residual (shroff_stack<R> s, const cpx<R> *v, int left, cpx<R> *r)
{
  const int column = warp_number (), n = s.n;
  if (column / n >= s.count)
    return;
  const size_t first = (size_t) column * n;
  const cpx<R> d = s.lambda[column];
  R sum = 0, norm = 0;
  for (int i = lane_number (); i < n; i += WARP)
    {
      const cpx<R> x
          = mul_sub (left ? conjugate (d) : d, v[first + i], r[first + i]);
      r[first + i] = x;
      sum += sqrt (abs2 (x));
      norm += sqrt (abs2 (s.a0[first + i]));
    }
  sum = tile_sum<WARP> (sum);
  norm = tile_sum<WARP> (norm);
  if (lane_number () > 0)
    return;
  /* NaN becomes Inf, since comparisons would drop it */
  atomicMax (&s.page[column / n].worst,
             bits_of (sum == sum ? (double) sum : INFINITY));
  atomicMax (&s.page[column / n].norm, bits_of ((double) norm));
}

/* Whether step STEP has made the residual smaller, and another follows.  */
template <typename R>
GE_KERNEL (THREADS)
shroff_judge (shroff_stack<R> s, int step, int last, int left)
{
  const int k = thread_number ();
  if (k >= s.count)
    return;
  shroff_page *page = &s.page[k];
  const double eps = sizeof (R) == 8 ? DBL_EPSILON : (double) FLT_EPSILON;
  const double worst = __longlong_as_double ((long long) page->worst);
  const double norm = __longlong_as_double ((long long) page->norm);
  const double now = worst == 0 ? 0 : worst / (norm * s.n * eps), good = 0.3;
  const double before = step == 0 ? INFINITY : page->ratio[left];
  page->better = step == 0 || (page->running && now < before);
  page->running
      = page->better && step < last && now > good && ! (now >= before / 4);
  page->ratio[left] = page->better ? now : before;
  page->worst = 0;
  atomicAdd (&s.total->running, page->running);
}

/* Z <- F, of X = Y^H R: x_ij / (lambda_j - lambda_i) where that is small, with LEFT the
   conjugate eigenvalues; 0 elsewhere and on the diagonal.  */
template <typename R>
GE_KERNEL (THREADS)
shroff_correct (shroff_stack<R> s, int left)
{
  const int e = thread_number (), n = s.n, k = e / (n * n);
  if (k >= s.count)
    return;
  const int i = k * n + e % n, j = e / n;
  const cpx<R> x = s.z[e], difference = minus (s.lambda[j], s.lambda[i]);
  const cpx<R> gap = left ? conjugate (difference) : difference;
  const R g2 = abs2 (gap);
  s.z[e] = i == j || ! (abs2 (x) * 16 < g2)
               ? make_cpx<R> (0, 0)
               : make_cpx ((x.x * gap.x + x.y * gap.y) / g2,
                           (x.y * gap.x - x.x * gap.y) / g2);
}

/* V becomes A where that is better; elsewhere the eigenvalues become the old ones.  */
template <typename R>
GE_KERNEL (THREADS)
shroff_keep (shroff_stack<R> s, cpx<R> *v, int left)
{
  const int e = thread_number (), n = s.n, k = e / (n * n);
  if (k >= s.count)
    return;
  if (s.page[k].better)
    v[e] = s.a[e];
  else if (e % n == 0 && ! left)
    s.lambda[e / n] = s.old[e / n];
}

/* The eigenvalues, scaled back, and the states of the pages.  */
template <typename R>
GE_KERNEL (THREADS)
shroff_finish (shroff_stack<R> s, int limited, unsigned char *state)
{
  const int e = thread_number (), k = e / s.n;
  if (k >= s.count)
    return;
  const shroff_page *page = &s.page[k];
  const bool good = page->ratio[0] < 5 && page->ratio[1] < 5;
  s.lambda[e] = make_cpx (scale_by (s.lambda[e].x, page->exponent),
                          scale_by (s.lambda[e].y, page->exponent));
  if (e % s.n == 0)
    state[k] = ! page->converged && limited ? GE_PAGE_LIMITED
               : page->converged && good    ? GE_PAGE_UNNORMALIZED
                                            : GE_PAGE_STALLED;
}

#endif
