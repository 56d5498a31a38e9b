/* One-sided Jacobi, one page, column by column: all methods.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   M. R. Hestenes, J. SIAM 6 (1958) 51; C.-C. Sun and Y.-S. Hu, "One-Sided Jacobi
   Algorithm based on CUDA Computer for Parallel Eigenvalue Decomposition"
   (2016), figure 4, which rotates the columns of A itself with A V = W.  Its
   columns are orthogonal when V diagonalises A^2, so if +lambda and -lambda are both
   eigenvalues, or lambda is zero, the columns of V are linear combinations of
   eigenvectors.  Here the sweeps are continued on W + shift V = (A + shift) V, whose
   singular values shift + lambda are different for +lambda and -lambda; the normalized
   columns then are the eigenvectors.
   "cholesky": J. Demmel and K. Veselic, SIMAX 13 (1992) 1204.  */

#include "onesided/onesided_typed.h"

#include <stdatomic.h>
#include <string.h>

/* Below this order a round of rotations takes less time than waking a thread.  */
enum
{
  PARALLEL_ORDER = 128,
  PAIRS = 16 /* of a piece */
};

GE_CLONES_OF (VECTOR, extern, onesided_scaling, onesided_scale,
              (int64_t n, const scalar_t *a, scalar_t *f), (n, a, f))
{
  onesided_scaling scaling = { 0, 0 };
  const real_t *from = (const real_t *) a;
  real_t *to = (real_t *) f;
  int64_t reals = n * n * (1 + GE_COMPLEX);
  real_t largest = 0, lower = GE_REAL_MAX, norm = 0;
  for (int64_t i = 0; i < reals; i++)
    largest = fabs_ (from[i]) > largest ? fabs_ (from[i]) : largest;
  (void) GE_MATH (frexp) (largest, &scaling.exponent);
  /* Two factors: one alone can overflow for subnormal matrices.  */
  int half = -scaling.exponent / 2;
  real_t p = GE_MATH (ldexp) (1, half),
         q = GE_MATH (ldexp) (1, -scaling.exponent - half);
  for (int64_t i = 0; i < reals; i++)
    to[i] = from[i] * p * q;
  for (int64_t j = 0; j < n; j++)
    {
      const real_t *column = to + j * n * (1 + GE_COMPLEX);
      real_t sum = 0, diagonal = re_ (f[j + n * j]);
#pragma omp simd reduction(+ : sum)
      for (int64_t i = 0; i < n * (1 + GE_COMPLEX); i++)
        sum += fabs_ (column[i]);
      norm = fmax_ (norm, sum);
      lower = fmin_ (lower, diagonal + fabs_ (diagonal) - sum);
    }
  scaling.shift = ge_onesided_shift (lower, norm);
  return scaling;
}

/* --- one pair of columns --- */

/* a = x'x, b = y'y, d = x'y over N rows.  */
static inline void
products (int64_t n, const scalar_t *x, const scalar_t *y, real_t *a, real_t *b,
          real_t *dre, real_t *dim)
{
  const real_t *u = (const real_t *) x, *v = (const real_t *) y;
  real_t sa = 0, sb = 0, sr = 0, si = 0;
#if GE_COMPLEX
#  pragma omp simd reduction(+ : sa, sb, sr, si)
  for (int64_t i = 0; i < n; i++)
    {
      real_t ur = u[2 * i], ui = u[2 * i + 1];
      real_t vr = v[2 * i], vi = v[2 * i + 1];
      sa += ur * ur + ui * ui;
      sb += vr * vr + vi * vi;
      sr += ur * vr + ui * vi;
      si += ur * vi - ui * vr;
    }
#else
#  pragma omp simd reduction(+ : sa, sb, sr)
  for (int64_t i = 0; i < n; i++)
    {
      sa += u[i] * u[i];
      sb += v[i] * v[i];
      sr += u[i] * v[i];
    }
#endif
  *a = sa;
  *b = sb;
  *dre = sr;
  *dim = si;
}

/* (x, y) <- (x - (conj (z) y + m x), y + (z x - m y)), all rows; SWAP: with the results
   exchanged.  In this form rounding errors are proportional to the rotation.  */
static inline void
combine (int64_t rows, scalar_t *x, scalar_t *y, real_t zr, real_t zi, real_t m,
         int swap)
{
  real_t *u = (real_t *) (swap ? y : x), *v = (real_t *) (swap ? x : y);
  const real_t *p = (const real_t *) x, *q = (const real_t *) y;
#if GE_COMPLEX
#  pragma omp simd
  for (int64_t i = 0; i < rows; i++)
    {
      real_t xr = p[2 * i], xi = p[2 * i + 1];
      real_t yr = q[2 * i], yi = q[2 * i + 1];
      u[2 * i] = xr - (zr * yr + zi * yi + m * xr);
      u[2 * i + 1] = xi - (zr * yi - zi * yr + m * xi);
      v[2 * i] = yr + (zr * xr - zi * xi - m * yr);
      v[2 * i + 1] = yi + (zr * xi + zi * xr - m * yi);
    }
#else
  (void) zi;
#  pragma omp simd
  for (int64_t i = 0; i < rows; i++)
    {
      real_t xr = p[i], yr = q[i];
      u[i] = xr - (zr * yr + m * xr);
      v[i] = yr + (zr * xr - m * yr);
    }
#endif
}

typedef struct
{
  int64_t n;
  const onesided_plan *plan;
  int rounds;
  int *order; /* scratch for n integers */
  onesided_result *result;
} page_run;

typedef struct
{
  int64_t dot, rows;
  real_t tol, floor;
  real_t cosine, sine; /* largest of the sweep so far */
  gpueig_context *ctx;
} sweep_state;

/* Make x and y orthogonal and leave the longer one in x.  */
static inline void
rotate_pair (sweep_state *s, scalar_t *x, scalar_t *y)
{
  real_t a, b, dre, dim, d, t, zr, zi, m, sine;
  products (s->dot, x, y, &a, &b, &dre, &dim);
  d = GE_COMPLEX ? ge_hypot (dre, dim) : dre;
  real_t root_a = sqrt_ (a), root_b = sqrt_ (b), size = fabs_ (d);
  real_t longer = fmax_ (root_a, root_b), shorter = fmin_ (root_a, root_b);
  if (! (size > s->tol * root_a * root_b && size > s->floor * longer))
    return;
  t = ge_onesided_tangent (a, b, d);
  ge_onesided_sine (t, &sine, &m);
  zr = GE_COMPLEX ? sine * (dre / d) : sine;
  zi = GE_COMPLEX ? sine * (dim / d) : 0;
  int swap = a - t * d < b + t * d;
  s->cosine = fmax_ (s->cosine, size / root_a / root_b);
  s->sine = fmax_ (s->sine, swap ? 1 : fabs_ (sine) * (longer / shorter));
  combine (s->rows, x, y, zr, zi, m, swap);
}

/* Round STEP of the odd-even transposition ordering: positions 2 g and 2 g + 1,
   or 2 g + 1 and 2 g + 2, are paired and exchange positions; after n rounds every pair
   has occurred once.  Track k is the path that starts at position k; the longer of two
   rotated columns continues on the lower track, which sorts the columns.  */
GE_CLONES (VECTOR, static, void, round_pairs,
           (sweep_state * s, scalar_t *f, const int *track, int64_t first,
            int64_t from, int64_t to),
           (s, f, track, first, from, to))
{
  for (int64_t g = from; g < to; g++)
    {
      int k = track[first + 2 * g], l = track[first + 2 * g + 1];
      int low = k < l ? k : l, high = k < l ? l : k;
      rotate_pair (s, f + low * s->rows, f + high * s->rows);
    }
}

/* Rotate column I with all following columns.  */
GE_CLONES (VECTOR, static, void, row_pairs,
           (sweep_state * s, int64_t n, scalar_t *f, int64_t i), (s, n, f, i))
{
  for (int64_t j = i + 1; j < n; j++)
    rotate_pair (s, f + i * s->rows, f + j * s->rows);
}

static int
interrupted (gpueig_context *ctx)
{
  return ctx && ge_check_interrupt (ctx) != GPUEIG_OK;
}

static int
cyclic_rows (sweep_state *s, int64_t n, scalar_t *f)
{
  for (int64_t i = 0; i < n; i++)
    {
      row_pairs (s, n, f, i);
      if (i % 8 == 0 && interrupted (s->ctx))
        return 1;
    }
  return 0;
}

/* A round, divided into pieces of PAIRS pairs.  */
typedef struct
{
  const sweep_state *s;
  scalar_t *f;
  const int *track;
  int64_t first, pairs;
  _Atomic (real_t) cosine, sine;
} one_round;

static void
keep_larger (_Atomic (real_t) *largest, real_t x)
{
  real_t old = *largest;
  while (! (x <= old || old != old)
         && ! atomic_compare_exchange_weak (largest, &old, x))
    ;
}

static void
round_piece (void *data, int64_t i, int thread)
{
  one_round *r = data;
  sweep_state mine = *r->s;
  const int64_t from = i * PAIRS;
  (void) thread;
  round_pairs (&mine, r->f, r->track, r->first, from,
               from + PAIRS < r->pairs ? from + PAIRS : r->pairs);
  keep_larger (&r->cosine, mine.cosine);
  keep_larger (&r->sine, mine.sine);
}

static int
parallel_rounds (sweep_state *s, int64_t n, scalar_t *f, int *track)
{
  one_round r = { .s = s, .f = f, .track = track };
  int stop = 0;
  for (int64_t i = 0; i < n; i++)
    track[i] = (int) i;
  for (int64_t step = 0; step < n && ! stop; step++)
    {
      r.first = step & 1;
      r.pairs = (n - r.first) / 2;
      ge_share_pass (s->ctx, (r.pairs + PAIRS - 1) / PAIRS, GE_MANY_OPERATIONS,
                     round_piece, &r);
      for (int64_t g = 0; g < r.pairs; g++)
        {
          int k = track[r.first + 2 * g];
          track[r.first + 2 * g] = track[r.first + 2 * g + 1];
          track[r.first + 2 * g + 1] = k;
        }
      stop = interrupted (s->ctx);
    }
  s->cosine = r.cosine;
  s->sine = r.sine;
  return stop;
}

/* One sweep over the columns of F (ROWS-by-n); inner products are of the first n rows.
   Pairs whose inner product is at most FLOOR times the length of the longer column count
   as orthogonal.  *COSINE: the largest of the rotated pairs, *SINE: the largest of a
   rotation, times the quotient of the lengths.  Returns 1 after an interrupt.  */
static int
sweep (const page_run *run, int64_t rows, scalar_t *f, double floor,
       real_t *cosine, real_t *sine)
{
  const int64_t n = run->n;
  sweep_state s = { .dot = n,
                    .rows = rows,
                    .tol = (real_t) run->plan->tol,
                    .floor = (real_t) floor,
                    .ctx = run->plan->ctx };
  const int stop = run->rounds && n >= PARALLEL_ORDER
                       ? parallel_rounds (&s, n, f, run->order)
                       : cyclic_rows (&s, n, f);
  *cosine = s.cosine;
  *sine = s.sine;
  return stop;
}

/* --- results --- */

/* LAMBDA holds the lengths of the columns until the vectors have been computed, since
   with a negative shift length - shift + shift would lose digits.  */
void
onesided_finish (int64_t n, int64_t ld, const scalar_t *f, int square,
                 onesided_scaling scaling, real_t *lambda, scalar_t *v,
                 int *order)
{
  for (int64_t j = n - 1; j >= 0; j--)
    {
      const real_t *x = (const real_t *) (f + ld * j);
      real_t sum = 0;
#pragma omp simd reduction(+ : sum)
      for (int64_t i = 0; i < n * (1 + GE_COMPLEX); i++)
        sum += x[i] * x[i];
      real_t value = square ? sum : sqrt_ (sum);
      int64_t at = n - 1 - j;
      /* The columns are almost in descending order: insertion is cheap.  */
      for (; at > 0 && lambda[at - 1] > value; at--)
        {
          lambda[at] = lambda[at - 1];
          order[at] = order[at - 1];
        }
      lambda[at] = value;
      order[at] = (int) j;
    }
  for (int64_t j = 0; j < n; j++)
    {
      real_t inverse = 1 / (square ? sqrt_ (lambda[j]) : lambda[j]);
      const real_t *x = (const real_t *) (f + ld * order[j]);
      lambda[j] = GE_MATH (ldexp) (lambda[j] - scaling.shift, scaling.exponent);
      if (! v)
        continue;
      real_t *to = (real_t *) (v + n * j);
      for (int64_t i = 0; i < n * (1 + GE_COMPLEX); i++)
        to[i] = x[i] * inverse;
    }
}

/* --- factors --- */

/* F = H of A = D H D, see rotate.h, and the exponents E of D; *MOST: the largest.  0 if
   a diagonal element is not positive.  */
static int
scale_rows (int64_t n, const scalar_t *a, scalar_t *f, int *e, int *most)
{
  *most = -32768;
  for (int64_t i = 0; i < n; i++)
    {
      int exponent;
      if (! (re_ (a[i + n * i]) > 0))
        return 0;
      (void) GE_MATH (frexp) (re_ (a[i + n * i]), &exponent);
      e[i] = ge_onesided_row_exponent (exponent);
      *most = e[i] > *most ? e[i] : *most;
    }
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      f[i + n * j] = times_power_ (a[i + n * j], -e[i] - e[j]);
  return 1;
}

/* F F' = 4^s A: the Cholesky factor of A with complete pivoting, rows in the original
   order, scaled as in rotate.h; *EXPONENT = -2 s.  0 if A is not positive definite, or
   has pivots so different that no s fits.  ORDER: scratch for 2 n integers.  */
static int
factor_pivoted (int64_t n, const scalar_t *a, scalar_t *f, scalar_t *work,
                int *order, int *exponent)
{
  int *e = order + n, most;
  if (! scale_rows (n, a, f, e, &most))
    return 0;
  const int shift = ge_onesided_factor_exponent (GE_DOUBLE, (int) n, most);
  *exponent = -2 * shift;
  for (int64_t i = 0; i < n; i++)
    order[i] = (int) i;
  for (int64_t k = 0; k < n; k++)
    {
      int64_t p = k;
      real_t largest = 0;
      for (int64_t i = k; i < n; i++)
        {
          /* A pivot of 4^s A.  */
          real_t d = re_ (f[order[i] + n * order[i]]);
          d = GE_MATH (ldexp) (d, 2 * (e[order[i]] + shift));
          p = d > largest ? i : p;
          largest = d > largest ? d : largest;
        }
      int pivot = order[p];
      order[p] = order[k];
      order[k] = pivot;
      if (! (largest >= (real_t) ge_onesided_least_square (GE_DOUBLE)))
        return 0;
      real_t root = sqrt_ (re_ (f[pivot + n * pivot]));
      scalar_t *column = f + n * pivot;
      for (int64_t i = k; i < n; i++)
        column[order[i]] = column[order[i]] / root;
      column[pivot] = root;
      for (int64_t j = k + 1; j < n; j++)
        {
          scalar_t *x = f + n * order[j], m = conj_ (column[order[j]]);
          for (int64_t i = j; i < n; i++)
            x[order[i]] -= column[order[i]] * m;
          /* Later pivots read the part above: mirror it.  */
          for (int64_t i = j + 1; i < n; i++)
            f[order[j] + n * order[i]] = conj_ (x[order[i]]);
        }
    }
  /* Column k of the factor is in column order[k]; rows of earlier pivots are zero.  */
  for (int64_t k = 0; k < n; k++)
    {
      scalar_t *to = work + n * k;
      memset (to, 0, (size_t) n * sizeof *to);
      for (int64_t i = k; i < n; i++)
        to[order[i]] = f[order[i] + n * order[k]]
                       * GE_MATH (ldexp) (1, e[order[i]] + shift);
    }
  memcpy (f, work, (size_t) (n * n) * sizeof *f);
  return 1;
}

/* F = 2^s A for columns A that are to be rotated as they are; *EXPONENT = -2 s.  */
static void
scale_columns (int64_t n, const scalar_t *a, scalar_t *f, int *exponent)
{
  int most;
  (void) GE_MATH (frexp) (FN (ge_largest_part) (NULL, n * n, a), &most);
  const int shift = ge_onesided_factor_exponent (GE_DOUBLE, (int) n, most);
  *exponent = -2 * shift;
  for (int64_t i = 0; i < n * n; i++)
    f[i] = times_power_ (a[i], shift);
}

/* --- a page --- */

/* Sweeps until the columns of F are orthogonal.  */
static int
converge (const page_run *run, int64_t rows, scalar_t *f, double floor,
          int sweeps)
{
  const onesided_plan *plan = run->plan;
  real_t cosine = 1, sine = 1, n = (real_t) run->n, tol = (real_t) plan->tol;
  while (sweeps < plan->max_sweeps)
    {
      if (sweep (run, rows, f, floor, &cosine, &sine))
        {
          run->result->interrupted = 1;
          return sweeps;
        }
      sweeps++;
      if (plan->ctx)
        {
          ge_onesided_note (plan, cosine);
          ge_report (plan->ctx, "sweep %2d  largest cosine %9.2e", sweeps,
                     (double) cosine);
        }
      if (cosine <= tol || ge_onesided_done (n, sine, cosine, tol))
        {
          run->result->off = fmax (run->result->off, cosine);
          return sweeps;
        }
    }
  run->result->converged = 0;
  run->result->off = fmax (run->result->off, cosine);
  return sweeps;
}

static void
add_shift (int64_t n, scalar_t *f, real_t shift)
{
  for (int64_t i = 0; i < n; i++)
    f[i + n * i] += shift;
}

/* The paper's method: F = [A; I] becomes [W; V] with W = A V, then sweeps on
   W + shift V.  */
static int
hestenes (const page_run *run, scalar_t *f, scalar_t *work, real_t shift)
{
  int64_t n = run->n;
  real_t square = 0;
  for (int64_t i = 0; i < n * n; i++)
    square += abs2_ (f[i]);
  for (int64_t j = 0; j < n; j++)
    {
      memcpy (work + 2 * n * j, f + n * j, (size_t) n * sizeof *f);
      memset (work + 2 * n * j + n, 0, (size_t) n * sizeof *f);
      work[2 * n * j + n + j] = 1;
    }
  /* Columns that are zero up to rounding errors are not rotated.  */
  double floor = GE_EPS * sqrt_ (square);
  int sweeps = converge (run, 2 * n, work, floor, 0);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      f[i + n * j] = work[i + 2 * n * j] + shift * work[i + n + 2 * n * j];
  return converge (run, n, f, 0, sweeps);
}

void
onesided_page (int64_t n, const scalar_t *a, const onesided_plan *plan,
               int rounds, real_t *lambda, scalar_t *v, scalar_t *work,
               onesided_result *result)
{
  scalar_t *f = work, *more = work + n * n;
  onesided_scaling scaling = { 0, 0 };
  page_run run = { .n = n,
                   .plan = plan,
                   .rounds = rounds,
                   .order = (int *) (more + 2 * n * n),
                   .result = result };
  int square = 0, sweeps = 0;
  onesided_method method = plan->method;
  if (method != ONESIDED_CHOLESKY && method != ONESIDED_COLUMNS)
    scaling = onesided_scale (n, a, f);
  if (method == ONESIDED_CHOLESKY)
    {
      square = factor_pivoted (n, a, f, more, run.order, &scaling.exponent);
      if (! square)
        {
          result->normal++;
          scaling = onesided_scale (n, a, f);
          method = ONESIDED_SHIFTED;
        }
      else
        scaling.shift = 0;
    }
  if (method == ONESIDED_COLUMNS)
    {
      scale_columns (n, a, f, &scaling.exponent);
      scaling.shift = 0;
      square = 1;
    }
  if (method == ONESIDED_SHIFTED)
    add_shift (n, f, scaling.shift);
  if (method == ONESIDED_HESTENES)
    sweeps = hestenes (&run, f, more, scaling.shift);
  else
    sweeps = converge (&run, n, f, 0, 0);
  onesided_finish (n, n, f, square, scaling, lambda, v, run.order);
  result->sweeps = sweeps > result->sweeps ? sweeps : result->sweeps;
}
