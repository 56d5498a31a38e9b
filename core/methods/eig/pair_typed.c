/* One definite pair: reduction to a standard problem, and its solution where B is
   ill-conditioned.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Solvers of the reduced problem C Y = Y D, C = L^-1 A L^-H, B = L L^H, have errors of
   eps |C|: small for the eigenvalues near |C|, whose vectors V = L^-H Y are large, and
   too much for small eigenvalues if |C| is far beyond |A| / |B|.  So the eigenvectors V1
   of the largest eigenvalues D1 are kept, and the others are separated from them,

     V2 - V1 D1^-1 V1^H A V2,    V1 - V2 V2^H B V1,

   where D1^-1 makes the errors of the first product small.  Then the others span the pair
   (V2^H A V2, V2^H B V2), of smaller order and norm, which is solved in the same way, level
   by level.  (G. Fix, R. Heiberger, SIAM J. Numer. Anal. 9, 1972, deflate from the other
   end, by the small eigenvalues of B.)

   With r = max |lambda| |B| / |A|, 1-norms, a level keeps the eigenvalues beyond
   r^(7/10) |A| / |B|: as parts of other vectors, whose eigenvalues are smaller, those have
   errors of eps r^(3/10).  The last level is the one whose r is what |C| may be.  */

#include "base/products.h"
#include "eig/pair.h"
#include "eig/symmetric.h"
#include "lapack/lapack.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

enum
{
  /* r of the last level, relative to the root of the order.  */
  LEVEL_GROWTH = 10
};

/* --- reduction --- */

/* The Frobenius norm of a Hermitian matrix, from its lower triangle.  */
static double
lower_norm (int64_t n, const scalar_t *a)
{
  double diagonal = 0, below = 0;
  for (int64_t j = 0; j < n; j++)
    {
      const double d = re_ (a[j + n * j]);
      diagonal += d * d;
      for (int64_t i = j + 1; i < n; i++)
        {
          const double re = re_ (a[i + n * j]), im = im_ (a[i + n * j]);
          below += re * re + im * im;
        }
    }
  return sqrt (diagonal + 2 * below);
}

/* L <- the factor of L, zeros above its diagonal, C <- L^-1 C L^-H.  */
static lapack_int
reduce (lapack_int n, scalar_t *c, scalar_t *l)
{
  const lapack_int itype = 1;
  lapack_int info = 0;
  potrf_ ("L", &n, l, &n, &info, 1);
  if (info != 0)
    return -info;
  hegst_ (&itype, "L", &n, c, &n, l, &n, &info, 1);
  FN (ge_mirror_lower) (n, c);
  for (int64_t j = 1; j < n; j++)
    memset (l + n * j, 0, (size_t) j * sizeof *l);
  return 0;
}

int
FN (ge_pair_reduce) (int64_t order, const void *a, const void *b, void *c,
                     void *l)
{
  const size_t bytes = (size_t) (order * order) * sizeof (scalar_t);
  memcpy (l, b, bytes);
  memcpy (c, a, bytes);
  const lapack_int info = reduce ((lapack_int) order, c, l);
  if (info != 0)
    return info;
  return lower_norm (order, b) * lower_norm (order, c)
                 > LEVEL_GROWTH * sqrt ((double) order) * lower_norm (order, a)
             ? GE_PAIR_GRADED
             : GE_PAIR_USUAL;
}

void
FN (ge_pair_back) (int64_t order, int64_t from, int64_t to, const void *l,
                   void *v)
{
  solve_lower_ ("C", order, to - from, l, (scalar_t *) v + order * from);
}

/* --- graded pages --- */

typedef struct
{
  lapack_int n;
  const scalar_t *a, *b;
  double norm_a, norm_b;   /* 1-norms */
  scalar_t *v, *l, *c, *q; /* n-by-n; V: the vectors */
  real_t *lambda;          /* n */
  scalar_t *work;
  real_t *rwork;     /* 3 n */
  lapack_int *pivot; /* n */
  void *syevd;       /* workspace */
  const ge_pair_sizes *sizes;
} graded;

/* The QR iteration of the upper triangle of C.  */
static lapack_int
call_heev (graded *g, lapack_int size)
{
  lapack_int info = 0;
  heev_ ("V", "U", &g->n, g->c, &g->n, g->lambda, g->work, &size,
#if GE_COMPLEX
         g->rwork,
#endif
         &info, 1, 1);
  return info;
}

/* Lay out the workspace from AT on; returns where that of ge_syevd begins.  */
static char *
lay_out (char *at, int64_t n, graded *g)
{
  const int64_t square = n * n;
  g->v = ge_take (&at, square, sizeof (scalar_t));
  g->l = ge_take (&at, square, sizeof (scalar_t));
  g->c = ge_take (&at, square, sizeof (scalar_t));
  g->q = ge_take (&at, square, sizeof (scalar_t));
  g->lambda = ge_take (&at, n, sizeof (real_t));
  g->work = ge_take (&at, g->sizes->scalars, sizeof (scalar_t));
  g->rwork = ge_take (&at, 3 * n, sizeof (real_t));
  g->pivot = ge_take (&at, n, sizeof (lapack_int));
  g->syevd = at;
  return at;
}

gpueig_status
FN (ge_pair_graded_size) (gpueig_context *ctx, int64_t order,
                          ge_pair_sizes *sizes)
{
  scalar_t a = 0, optimal = 0;
  real_t w, rwork = 0;
  int64_t of_syevd;
  graded g = {
    .c = &a, .lambda = &w, .work = &optimal, .rwork = &rwork, .sizes = sizes
  };
  GE_TRY (FN (ge_syevd_size) (ctx, order, 1, &of_syevd, sizes->syevd));
  g.n = (lapack_int) order;
  (void) call_heev (&g, -1);
  /* The size is returned as floating point: round up for single precision.  */
  sizes->scalars = (int) (re_ (optimal) * (1 + GE_EPS)) + 1;
  sizes->bytes = lay_out (GE_NOWHERE, order, &g) - GE_NOWHERE + of_syevd;
  return GPUEIG_OK;
}

/* V2 - V1 D1^-1 V1^H A V2, V2: columns FROM to TO - 1 of V.  */
static void
free_inside (graded *g, int64_t from, int64_t to)
{
  const lapack_int n = g->n, m = (lapack_int) (to - from);
  scalar_t *const inside = g->v + from * n;
  multiply_ ("N", "N", n, m, n, 1, g->a, n, inside, n, 0, g->q, n);
  multiply_ ("C", "N", n, m, n, 1, g->v, n, g->q, n, 0, g->c, n);
  for (int64_t j = 0; j < m; j++)
    for (int64_t i = 0; i < n; i++)
      {
        scalar_t *x = g->c + i + n * j;
        *x = i >= from && i < to ? make_ (i == from + j, 0)
                                 : *x * (-1 / g->lambda[i]);
      }
  multiply_ ("N", "N", n, m, n, 1, g->v, n, g->c, n, 0, g->q, n);
  memcpy (inside, g->q, (size_t) n * (size_t) m * sizeof (scalar_t));
}

/* V1 - V2 V2^H B V1.  */
static void
free_outside (graded *g, int64_t from, int64_t to)
{
  const lapack_int n = g->n, m = (lapack_int) (to - from);
  const scalar_t *inside = g->v + from * n;
  const int64_t sides[2][2] = { { 0, from }, { to, n } };
  multiply_ ("N", "N", n, m, n, 1, g->b, n, inside, n, 0, g->q, n);
  for (int64_t i = 0; i < (int64_t) n * m; i++)
    g->q[i] = -g->q[i];
  for (int k = 0; k < 2; k++)
    {
      scalar_t *const side = g->v + sides[k][0] * n;
      const lapack_int columns = (lapack_int) (sides[k][1] - sides[k][0]);
      multiply_ ("C", "N", m, columns, n, 1, g->q, n, side, n, 0, g->c, m);
      multiply_ ("N", "N", n, columns, m, 1, inside, n, g->c, m, 1, side, n);
    }
}

/* The eigenpairs of (V2^H A V2, V2^H B V2), V2: columns FROM to TO - 1 of V, or of (A, B)
   if they are all; V2 times the vectors in their place.  */
static lapack_int
solve_level (graded *g, int64_t from, int64_t to)
{
  const lapack_int n = g->n, m = (lapack_int) (to - from);
  const int whole = m == n;
  scalar_t *const inside = g->v + from * n;
  const size_t bytes = (size_t) n * (size_t) m * sizeof (scalar_t);
  if (whole)
    {
      memcpy (g->c, g->a, bytes);
      memcpy (g->l, g->b, bytes);
    }
  else
    {
      multiply_ ("N", "N", n, m, n, 1, g->a, n, inside, n, 0, g->q, n);
      multiply_ ("C", "N", m, m, n, 1, inside, n, g->q, n, 0, g->c, m);
      multiply_ ("N", "N", n, m, n, 1, g->b, n, inside, n, 0, g->q, n);
      multiply_ ("C", "N", m, m, n, 1, inside, n, g->q, n, 0, g->l, m);
    }
  lapack_int info = reduce (m, g->c, g->l);
  if (info == 0)
    info = FN (ge_syevd) (m, g->c, g->lambda + from, g->c, g->syevd,
                          g->sizes->syevd);
  if (info != 0)
    return info;
  FN (ge_pair_back) (m, 0, m, g->l, g->c);
  if (whole)
    memcpy (g->v, g->c, bytes);
  else
    {
      multiply_ ("N", "N", n, m, m, 1, inside, n, g->c, m, 0, g->q, n);
      memcpy (inside, g->q, bytes);
    }
  return 0;
}

/* Eigenvalues near the end of a level may have passed each other: ascending again.  */
static void
sort_pairs (graded *g)
{
  const int64_t n = g->n;
  for (int64_t j = 1; j < n; j++)
    for (int64_t i = j; i > 0 && g->lambda[i] < g->lambda[i - 1]; i--)
      {
        const real_t value = g->lambda[i];
        g->lambda[i] = g->lambda[i - 1];
        g->lambda[i - 1] = value;
        for (int64_t k = 0; k < n; k++)
          {
            scalar_t *x = g->v + k + n * i, *y = x - n;
            const scalar_t element = *x;
            *x = *y;
            *y = element;
          }
      }
}

/* The modulus up to which eigenvalues, at most MOST now, are solved again in a pair of
   order N; 0: none are.  */
static double
level_bound (int64_t n, double most, double norm_a, double norm_b)
{
  const double unit = norm_a / norm_b, r = most / unit;
  int exponent;
  if (! (r > LEVEL_GROWTH * sqrt ((double) n)))
    return 0;
  (void) frexp (r, &exponent);
  return ldexp (unit, 7 * exponent / 10);
}

/* The next level of FROM to TO - 1 eigenvalues; 0 if there is none.  */
static int
next_level (const graded *g, int64_t *from, int64_t *to)
{
  const real_t *x = g->lambda;
  const double most = ge_larger (-x[*from], x[*to - 1]);
  const double bound = level_bound (g->n, most, g->norm_a, g->norm_b);
  while (*from < *to && fabs ((double) x[*from]) > bound)
    ++*from;
  while (*from < *to && fabs ((double) x[*to - 1]) > bound)
    --*to;
  return bound > 0 && *from < *to;
}

static lapack_int
solve_by_levels (graded *g)
{
  int64_t from = 0, to = g->n;
  lapack_int info = solve_level (g, from, to);
  while (info == 0 && next_level (g, &from, &to))
    {
      free_inside (g, from, to);
      free_outside (g, from, to);
      info = solve_level (g, from, to);
      /* V2^H B V2 is close to the identity but for a B of no correct digit.  */
      info = info < 0 ? 1 : info;
    }
  if (info == 0)
    sort_pairs (g);
  return info;
}

/* With a pivoted factor C is graded: its large elements are at the end, and the reduction
   of its upper triangle, which begins there, and the QR iteration keep small errors where
   C is small, also where A has a null space near that of B (P. I. Davies, N. J. Higham,
   F. Tisseur, SIAM J. Matrix Anal. Appl. 23, 2001, use Jacobi's method in this place).  */
static lapack_int
solve_pivoted (graded *g)
{
  const lapack_int n = g->n, itype = 1, *const pivot = g->pivot;
  const real_t none = 0;
  lapack_int info = 0, rank;
  memcpy (g->l, g->b, (size_t) n * (size_t) n * sizeof (scalar_t));
  pstrf_ ("L", &n, g->l, &n, g->pivot, &rank, &none, g->rwork, &info, 1);
  if (info != 0)
    return info;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      g->c[i + n * j] = g->a[pivot[i] - 1 + n * (int64_t) (pivot[j] - 1)];
  hegst_ (&itype, "L", &n, g->c, &n, g->l, &n, &info, 1);
  FN (ge_mirror_lower) (n, g->c);
  info = call_heev (g, g->sizes->scalars);
  if (info != 0)
    return info;
  FN (ge_pair_back) (n, 0, n, g->l, g->c);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      g->v[pivot[i] - 1 + n * j] = g->c[i + n * j];
  return 0;
}

static double
one_norm (int64_t n, const scalar_t *x)
{
  double sum = 0;
  for (int64_t i = 0; i < n; i++)
    sum += abs_ (x[i]);
  return sum;
}

/* The largest |A v - lambda B v| / ((|A| + |lambda| |B|) |v|), 1-norms, in units of
   n eps.  */
static double
column_error (graded *g)
{
  const lapack_int n = g->n;
  double worst = 0;
  multiply_ ("N", "N", n, n, n, 1, g->a, n, g->v, n, 0, g->c, n);
  multiply_ ("N", "N", n, n, n, 1, g->b, n, g->v, n, 0, g->q, n);
  for (int64_t j = 0; j < n; j++)
    {
      const real_t lambda = g->lambda[j];
      const double scale = (g->norm_a + fabs ((double) lambda) * g->norm_b)
                           * one_norm (n, g->v + n * j);
      for (int64_t i = n * j; i < n * (j + 1); i++)
        g->c[i] -= lambda * g->q[i];
      const double sum = one_norm (n, g->c + n * j);
      worst = ge_larger (scale > 0 ? sum / scale : sum, worst);
    }
  return worst / ((double) n * (double) GE_EPS);
}

/* Errors up to this one end the attempts.  */
#define SMALL_ERROR 1

/* Nonzero if LAMBDA with ERROR can be those of G: more than the error of other B where B is nearly
   singular to rounding errors.  */
static int
is_result (const graded *g, const real_t *lambda, double error)
{
  const double most
      = ge_larger (-(double) lambda[0], (double) lambda[g->n - 1]);
  const double growth
      = most > 0 ? most * g->norm_b * (double) GE_EPS / g->norm_a : 0;
  return error <= 20 + fmin (1e5 * growth, 1e4);
}

int
FN (ge_pair_graded) (int64_t order, const void *a, const void *b, void *lambda,
                     void *v, void *space, const ge_pair_sizes *sizes)
{
  const size_t square = (size_t) (order * order) * sizeof (scalar_t);
  const size_t column = (size_t) order * sizeof (real_t);
  graded g = { .n = (lapack_int) order, .a = a, .b = b, .sizes = sizes };
  lay_out (space, order, &g);
  for (int64_t j = 0; j < order; j++)
    {
      g.norm_a = ge_larger (one_norm (order, g.a + order * j), g.norm_a);
      g.norm_b = ge_larger (one_norm (order, g.b + order * j), g.norm_b);
    }
  double least = INFINITY;
  lapack_int info = 0, found = 0;
  for (int pivoted = 0; pivoted <= 1 && least > SMALL_ERROR; pivoted++)
    {
      const lapack_int failed
          = pivoted ? solve_pivoted (&g) : solve_by_levels (&g);
      info = info < 0 ? info : failed;
      const double error = failed ? INFINITY : column_error (&g);
      if (failed || (found && ! (error < least)))
        continue;
      memcpy (lambda, g.lambda, column);
      if (v)
        memcpy (v, g.v, square);
      least = error;
      found = 1;
    }
  return found ? ! is_result (&g, lambda, least) : info;
}
