/* A claim about the scalar math of divide and conquer that C and CUDA share
   (core/methods/tridiagonal/divide.h):
   divide_and_conquer_solves: assembled to an eigensolver, as in
     cuda/tridiagonal/stack_divide.cu, it finds ascending eigenvalues and orthogonal vectors
     with small residuals, for matrices that deflate not at all, in part or completely; and no
     root needs many evaluations
   rough_roots_have_orthogonal_vectors: roots to an error that does not matter in single
     precision take fewer evaluations, change residuals by no more, and vectors are as orthogonal
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solvers.h"
#include "tridiagonal_matrices.h"
#include "tridiagonal/divide.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  MOST = 256,
  SQUARE = MOST * MOST
};

/* Errors of roots that do not matter.  */
static double eps = DBL_EPSILON;

/* Evaluations of all roots, and of the worst one.  */
static int64_t evaluations, roots;
static int most_evaluations;

/* --- the solver --- */

void dsteqr_ (const char *compz, const int *n, double *d, double *e, double *z,
              const int *ldz, double *work, int *info, size_t);

/* Eigenvalues D, ascending, and vectors V (column-major, leading dimension N) of a leaf.  */
static void
solve_leaf (int m, int n, double *d, const double *e, double *v)
{
  double off[GE_DIVIDE_LEAF], work[2 * GE_DIVIDE_LEAF];
  int info;
  memcpy (off, e, (size_t) m * sizeof *e);
  dsteqr_ ("I", &m, d, off, v, &n, work, &info, 1);
}

/* The merge of rows 0 .. LEFT - 1 and LEFT .. M - 1 with the element E between
   them: eigenvalues D; V, block diagonal, times the new vectors.  */
static void
merge (int m, int left, int n, double *d, double e, double tol, double *v)
{
  static double u[SQUARE], w[SQUARE];
  double sorted[MOST], z[MOST], c[MOST] = { 0 }, s[MOST] = { 0 }, pole[MOST];
  double live_z[MOST], square[MOST], base[MOST], tau[MOST], exact[MOST];
  double value[MOST] = { 0 }, total = 0;
  int place[MOST], rank[MOST], number[MOST] = { 0 };
  short live[MOST];
  unsigned char kind[MOST];
  const double root = sqrt (fabs (e));
  for (int i = 0; i < m; i++)
    {
      const int first = i < left;
      const int at = first ? i + ge_divide_below (m - left, d + left, d[i], 0)
                           : i - left + ge_divide_below (left, d, d[i], 1);
      sorted[at] = d[i];
      place[at] = i;
      z[at] = first ? root * v[left - 1 + n * i]
                    : copysign (root, e) * v[left + n * i];
    }
  const ge_divide_entries entries = { kind, c, s, pole, live_z, live };
  const int k
      = ge_divide_deflate (m, sorted, z, sqrt (2.0) * root, tol, &entries);
  for (int i = 0; i < k; i++)
    total += square[i] = live_z[i] * live_z[i];
  for (int i = 0; i < m; i++)
    value[i] = sorted[i];
  for (int j = 0; j < k; j++)
    {
      int origin;
      const int count
          = ge_divide_root (k, j, eps, pole, square, total, &origin, tau + j);
      base[j] = pole[origin];
      value[live[j]] = base[j] + tau[j];
      number[live[j]] = j;
      evaluations += count;
      roots++;
      most_evaluations = count > most_evaluations ? count : most_evaluations;
    }
  for (int i = 0; i < k; i++)
    exact[i] = copysign (ge_divide_weight (k, i, pole, base, tau), live_z[i]);
  for (int i = 0; i < m; i++)
    {
      rank[i] = 0;
      for (int j = 0; j < m; j++)
        rank[i] += value[j] < value[i] || (value[j] == value[i] && j < i);
    }
  memset (u, 0, sizeof u);
  for (int i = 0; i < m; i++)
    {
      /* column rank[i] */
      double *column = u + MOST * rank[i], held = 0;
      const int is_live = kind[i] == GE_DIVIDE_LIVE;
      const int j = is_live ? number[i] : 0;
      const double scale
          = is_live ? ge_divide_scale (k, pole, exact, base[j], tau[j]) : 0;
      int pending = -1;
      for (int r = m - 1; r >= 0; r--)
        {
          const double unit = r == i;
          if (kind[r] == GE_DIVIDE_ZERO)
            column[place[r]] = unit;
          else if (kind[r] == GE_DIVIDE_LIVE)
            {
              if (pending >= 0)
                column[pending] = held;
              held = is_live ? exact[number[r]] * scale
                                   / ((sorted[r] - base[j]) - tau[j])
                             : 0;
              pending = place[r];
            }
          else
            {
              column[pending] = s[r] * unit + c[r] * held;
              held = c[r] * unit - s[r] * held;
              pending = place[r];
            }
        }
      if (pending >= 0)
        column[pending] = held;
    }
  memset (w, 0, sizeof w);
  for (int j = 0; j < m; j++)
    for (int p = 0; p < m; p++)
      for (int i = p < left ? 0 : left; i < (p < left ? left : m); i++)
        w[i + MOST * j] += v[i + n * p] * u[p + MOST * j];
  for (int j = 0; j < m; j++)
    {
      d[rank[j]] = value[j];
      for (int i = 0; i < m; i++)
        v[i + n * j] = w[i + MOST * j];
    }
}

static void
solve (int n, double *d, const double *e, double *v)
{
  double norm = 0;
  const int levels = ge_divide_levels (n);
  memset (v, 0, (size_t) (n * n) * sizeof *v);
  for (int i = 0; i < n; i++)
    norm = fmax (norm, fabs (d[i]) + (i > 0 ? fabs (e[i - 1]) : 0)
                           + (i < n - 1 ? fabs (e[i]) : 0));
  for (int i = 1; i < 1 << levels; i++)
    {
      const int cut = ge_divide_start (n, levels, i);
      d[cut - 1] -= fabs (e[cut - 1]);
      d[cut] -= fabs (e[cut - 1]);
    }
  for (int i = 0; i < 1 << levels; i++)
    {
      const int at = ge_divide_start (n, levels, i);
      solve_leaf (ge_divide_start (n, levels, i + 1) - at, n, d + at, e + at,
                  v + at + n * at);
    }
  for (int level = levels - 1; level >= 0; level--)
    for (int i = 0; i < 1 << level; i++)
      {
        const int at = ge_divide_start (n, level, i),
                  cut = ge_divide_start (n, level + 1, 2 * i + 1),
                  end = ge_divide_start (n, level, i + 1);
        merge (end - at, cut - at, n, d + at, e[cut - 1],
               4 * DBL_EPSILON * norm, v + at + n * at);
      }
}

/* Make (D, E) of KIND, N rows, scaled to elements of 1 at most.  */
static void
make_scaled (int kind, int n, double *d, double *e)
{
  double norm = 0;
  tridiagonals[kind].make (n, d, e);
  for (int i = 0; i < n; i++)
    norm = fmax (norm, fmax (fabs (d[i]), fabs (e[i])));
  norm = norm > 0 ? ldexp (1, -ilogb (norm) - 1) : 1;
  for (int i = 0; i < n; i++)
    {
      d[i] *= norm;
      e[i] *= norm;
    }
}

static void
divide_and_conquer_solves (int kind, int n)
{
  double d[MOST], e[MOST];
  CLEANUP (free_problem)
  any_problem p = make_problem (&solvers[SOLVE_MRRR], GPUEIG_DOUBLE, n, 1, 2);
  p.method = "divide";
  snprintf (p.what, sizeof p.what, "%s, n=%d", tridiagonals[kind].name, n);
  make_scaled (kind, n, d, e);
  fill_tridiagonal (&p, 0, d, e);
  memcpy (p.lambda, d, (size_t) n * sizeof *d);
  solve (n, (double *) (void *) p.lambda, e, (double *) (void *) p.v);
  check_errors (&p, USUAL_DIVIDE);
}

static void
rough_roots_have_orthogonal_vectors (int kind, int n)
{
  static double v[SQUARE];
  double d[MOST], e[MOST], lambda[MOST], norm = 0, residual = 0, lost = 0;
  const int64_t before = evaluations;
  make_scaled (kind, n, d, e);
  memcpy (lambda, d, sizeof d);
  eps = FLT_EPSILON / 64;
  solve (n, lambda, e, v);
  eps = DBL_EPSILON;
  const int64_t rough = evaluations - before;
  static double again[SQUARE];
  double exact[MOST];
  memcpy (exact, d, sizeof d);
  solve (n, exact, e, again);
  for (int j = 0; j < n; j++)
    {
      const double *const x = v + n * j;
      norm = fmax (norm, fabs (exact[j]));
      for (int i = 0; i < n; i++)
        {
          const double y = d[i] * x[i] + (i > 0 ? e[i - 1] * x[i - 1] : 0)
                           + (i < n - 1 ? e[i] * x[i + 1] : 0);
          residual = fmax (residual, fabs (y - lambda[j] * x[i]));
        }
      for (int k = 0; k <= j; k++)
        {
          double sum = k == j ? -1 : 0;
          for (int i = 0; i < n; i++)
            sum += x[i] * v[i + n * k];
          lost = fmax (lost, fabs (sum));
        }
    }
  residual /= norm > 0 ? n * FLT_EPSILON * norm : 1;
  lost /= n * DBL_EPSILON;
  CHECK (residual < 0.01 && lost < 2 && rough <= evaluations - before - rough,
         "%s, n=%d: %.3f n eps of single precision, %.2f of double, %.2f of "
         "the evaluations",
         tridiagonals[kind].name, n, residual, lost,
         (double) rough / fmax (1, (double) (evaluations - before - rough)));
}

int
main (void)
{
  static const int orders[] = { 33, 34, 47, 64, 65, 70, 100, 127, 128, 129 },
                   large[] = { 200, 255, 256 };
  const int is_long = getenv ("GPUEIG_TEST_LONG") != NULL;
  check_begin ("divide");
  dice.state = 5;
  for (int kind = 0; kind < TRIDIAGONALS; kind++)
    {
      for (size_t i = 0; i < COUNT (orders); i++)
        divide_and_conquer_solves (kind, orders[i]);
      for (size_t i = 0; is_long && i < COUNT (large); i++)
        divide_and_conquer_solves (kind, large[i]);
    }
  CHECK (most_evaluations < 32 && (double) evaluations < 4.0 * (double) roots,
         "%.2f evaluations a root, at most %d",
         (double) evaluations / (double) roots, most_evaluations);
  for (int kind = 0; kind < TRIDIAGONALS; kind++)
    for (size_t i = 0; i < COUNT (orders); i++)
      rough_roots_have_orthogonal_vectors (kind, orders[i]);
  return check_end ();
}
