/* Claims about early deflation of windows on the host.  The form, its errors and its bits:
   test_accuracy.c.
   what_can_deflates: without spike all rows deflate; where nothing deflates nothing changes;
     shifts, exceptional ones too, are finite and of an even number, for real types in conjugate
     or real pairs
   shifts_are_eigenvalues: shifts without deflation are eigenvalues of the Schur form, at least
     those that do not deflate, and all of a small random window with a large spike
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "base/scalar.h"
#include "schur/window.h"

#include <stdlib.h>
#include <string.h>

void FN (test_window) (void);

#define LIMIT 20.0 /* LAPACK's own, xCHKHS */

enum
{
  LARGEST = 130
};

static real_t
size_of (scalar_t x)
{
  return fabs_ (re_ (x)) + fabs_ (im_ (x));
}

/* X (KIND, name, element (I, J), I <= J + 1, of order N): X is random, BELOW and CORNER are true
   below the diagonal and at the end of the first row.  */
#define EACH_KIND(X)                                                           \
  X (RANDOM, "random", x)                                                      \
  X (SMALL_AT_END, "small at the end",                                         \
     below &&i > n - n / 3 ? x * (real_t) 1e-6 : x)                            \
  X (GRADED, "graded", x *(real_t) pow (10, -grade *(i + j) / order))          \
  X (CYCLIC, "cyclic", make_ (below || corner, 0))                             \
  X (SIGNED_CYCLIC, "signed cyclic", make_ (below ? 1 : corner ? -1 : 0, 0))   \
  X (FOUR_VALUES, "four values",                                               \
     i == j ? make_ ((real_t) (i % 4), 0) : x * (GE_EPS * 64))                 \
  X (NILPOTENT, "nilpotent", make_ (below, 0))                                 \
  X (COMPANION, "companion", below ? make_ (1, 0) : i == 0 ? x : make_ (0, 0)) \
  X (ZERO, "zero", make_ (0, 0))                                               \
  X (BLOCKS, "blocks", below &&i % 7 == 0 ? make_ (0, 0) : x)                  \
  X (UPSIDE_DOWN, "upside down",                                               \
     x *(real_t) pow (10, grade *(i + j - 2 * order) / order))
#define KIND(kind, name, element) kind,
#define NAME(kind, name, element) name,
#define CASE(kind, name, element)                                              \
  case kind:                                                                   \
    return element;

enum
{
  EACH_KIND (KIND) KINDS
};

static const char *const names[KINDS] = { EACH_KIND (NAME) };

static scalar_t
element (int kind, int n, int i, int j, scalar_t x)
{
  const double grade = GE_DOUBLE ? 8 : 3, order = n;
  const int below = i == j + 1, corner = i == 0 && j == n - 1;
  switch (kind)
    {
      EACH_KIND (CASE)
    default:
      return x;
    }
}

typedef struct
{
  int n;
  scalar_t *a, *h, *u, spike;
  real_t *shifts, *space;
  ge_window_result r;
} window;

static void
deflate (window *w, int exceptional)
{
  const size_t bytes = (size_t) (w->n * w->n) * sizeof *w->a;
  memcpy (w->h, w->a, bytes);
  memset (w->u, 0, bytes);
  FN (ge_deflate_window)
  (w->n, w->h, w->u, &w->spike, exceptional, w->shifts, w->space, &w->r);
}

static int
good_shifts (const window *w)
{
  const int count = w->r.shifts;
  int good = count % 2 == 0 && count <= w->n;
  for (int i = 0; i < 2 * count; i++)
    good &= isfinite (w->shifts[i]) != 0;
  for (int i = 0; ! GE_COMPLEX && i < count; i += 2)
    good &= w->shifts[2 * i + 1] == -w->shifts[2 * i + 3]
            && (w->shifts[2 * i + 1] == 0
                || w->shifts[2 * i] == w->shifts[2 * i + 2]);
  return good;
}

/* The eigenvalue of the Schur form H whose row is I.  */
static void
eigenvalue (const window *w, int i, real_t *re, real_t *im)
{
  const int n = w->n;
  const scalar_t x = w->h[i * (n + 1)];
  *re = re_ (x);
  *im = im_ (x);
  for (int second = 0; ! GE_COMPLEX && second < 2; second++)
    {
      const int k = i - second;
      if (k < 0 || k + 1 >= n || size_of (w->h[k * (n + 1) + 1]) == 0)
        continue;
      const real_t low = size_of (w->h[k * (n + 1) + 1]);
      const real_t up = size_of (w->h[(k + 1) * (n + 1) - 1]);
      *im = (real_t) (sqrt ((double) low) * sqrt ((double) up));
      *im = second ? -*im : *im;
    }
}

/* The largest distance of a shift from all eigenvalues of the Schur form H, relative to
   eps NORM.  */
static double
shift_error (const window *w, double norm)
{
  double worst = 0;
  for (int k = 0; k < w->r.shifts; k++)
    {
      double least = INFINITY;
      for (int i = 0; i < w->n; i++)
        {
          real_t re, im;
          eigenvalue (w, i, &re, &im);
          const double distance = hypot ((double) (w->shifts[2 * k] - re),
                                         (double) (w->shifts[2 * k + 1] - im));
          least = distance < least ? distance : least;
        }
      worst = worst_of (worst, least);
    }
  return worst == 0 ? 0 : worst / ((double) GE_EPS * norm);
}

/* ge_window_shifts with SPIKE, at least LEAST of them.  */
static void
try_shifts (window *w, scalar_t spike, int exceptional, int least,
            const char *name)
{
  w->r.shifts = FN (ge_window_shifts) (w->n, w->a, w->n, &spike, w->shifts,
                                       w->space, exceptional);
  CHECK (good_shifts (w) && w->r.shifts >= least && w->r.shifts <= w->n,
         "%s %d: %d shifts without deflation of %d", name, w->n, w->r.shifts,
         least);
}

/* Of W, of which LEFT rows do not deflate.  */
static void
shifts_are_eigenvalues (window *w, int kind, int left)
{
  const char *name = names[kind];
  const int n = w->n, has_spike = re_ (w->spike) != 0;
  double norm = 0;
  for (int e = 0; e < n * n; e++)
    norm = worst_of (norm, (double) size_of (w->a[e]));
  if (left < n)
    try_shifts (w, w->spike, 1, n - 1, name);
  if (left < n && ! has_spike)
    {
      try_shifts (w, make_ ((real_t) 1e30, 0), 0,
                  kind == RANDOM && n <= 64 ? n - 1 : 0, name);
      CHECK_RATIO (shift_error (w, norm), LIMIT,
                   "shifts without deflation of %s %d", name, n);
    }
  if (has_spike)
    try_shifts (w, w->spike, 0, left - 1, name);
}

static void
what_can_deflates (window *w, int kind)
{
  const int n = w->n;
  const char *name = names[kind];
  deflate (w, 0);
  CHECK (! w->r.failed, "%s %d converges", name, n);
  if (w->r.failed)
    return;
  CHECK (re_ (w->spike) != 0 || w->r.undeflated == 0, "%s %d: all deflate",
         name, n);
  CHECK (good_shifts (w), "%s %d: shifts", name, n);
  if (w->r.undeflated == n)
    CHECK (memcmp (w->h, w->a, (size_t) (n * n) * sizeof *w->a) == 0,
           "%s %d: nothing deflates, nothing changes", name, n);
  shifts_are_eigenvalues (w, kind, w->r.undeflated);
  deflate (w, 1);
  CHECK (good_shifts (w), "%s %d: exceptional shifts", name, n);
}

void
FN (test_window) (void)
{
  static const int orders[]
      = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 33, 48, 64, 65, 96, 128 };
  const size_t square = (size_t) (LARGEST * LARGEST);
  measure_random random = { 1 };
  window w = { 0 };
  w.a = check_memory (3 * (int64_t) square, sizeof *w.a);
  w.shifts = check_memory (2 * LARGEST, sizeof *w.shifts);
  w.space = check_memory (FN (ge_window_reals) (LARGEST), sizeof *w.space);
  w.h = w.a + square;
  w.u = w.h + square;
  for (size_t o = 0; o < COUNT (orders); o++)
    for (int kind = 0; kind < KINDS; kind++)
      for (int s = 0; s < 3; s++)
        {
          const int n = w.n = orders[o];
          w.spike = make_ (s == 0 ? 0 : s == 1 ? 1 : (real_t) 1e-5, 0);
          for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
              {
                const double x = measure_normal (&random);
                const double y = measure_normal (&random);
                w.a[i + j * n] = i > j + 1
                                     ? make_ (0, 0)
                                     : element (kind, n, i, j,
                                                make_ ((real_t) x, (real_t) y));
              }
          what_can_deflates (&w, kind);
        }
  free (w.a);
  free (w.shifts);
  free (w.space);
}
