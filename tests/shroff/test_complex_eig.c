/* Claims about gpueig_complex_eig on the backend under test, method "shroff". Accuracy at all
   orders: test_accuracy.c; Hermitian input, Jordan blocks: gpu_complex_eig.m, fuzz.m.
   blocks_are_annihilated: the element below the diagonal of a block is annihilated, unless the
     angle is capped
   multiple_eigenvalues_get_a_real_basis: complex vectors of a multiple eigenvalue of a real
     matrix become a real basis
   histories_are_the_largest_of_pages: the history of a stack is the largest of its pages',
     which need no more sweeps than usual
   limits_of_sweeps_are_reported: limits of sweeps are reported, and no wrong result as
     converged
   a_page_of_another_kind_changes_no_others: a page that is Hermitian, badly scaled or not
     finite leaves the bits of the others in a large stack
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "gpueig_testing.h"
#include "solvers.h"
#include "shroff/order.h"
#define GE_SCALAR 1
#include "base/scalar.h"
#include "shroff/transformation.h"

#include <complex.h>
#include <math.h>
#include <string.h>

static any_problem
begin (gpueig_type type, int64_t n, int64_t pages)
{
  return make_problem (&solvers[SOLVE_COMPLEX], type, n, pages, 3);
}

static any_problem
begin_random (gpueig_type type, int64_t n, int64_t pages, uint64_t seed)
{
  any_problem p = begin (type, n, pages);
  fill_problem (&p, seed);
  return p;
}

static int
solve (any_problem *p, const char *what)
{
  return check_solve (ctx, p, &options, "shroff", "%s", what);
}

/* Complex vectors of a multiple eigenvalue of a real matrix become a real basis.  */
static void
multiple_eigenvalues_get_a_real_basis (void)
{
  enum
  {
    N = 4 /* 1 three times, -2 */
  };
  measure_random r = { 8 };
  double a[N * N] = { 0 }, imaginary = 0;
  double complex lambda[N], v[N * N] = { 0 };
  FREED void *scratch
      = check_memory (ge_normalize_bytes (N, sizeof (double)), 1);
  for (int j = 0; j < N; j++)
    lambda[j] = a[j * (N + 1)] = j < 3 ? 1 : -2;
  for (int k = 0; k < 9; k++)
    v[k % 3 + N * (k / 3)]
        = (k % 4 == 0) + 0.4 * cexp (3.14 * I * measure_uniform (&r));
  v[N * N - 1] = I;
  ge_normalize_z (N, 1, scratch, (double *) lambda, (double *) v, NULL);
  for (int k = 0; k < N * N; k++)
    imaginary = worst_of (imaginary, fabs (cimag (v[k])));
  CHECK (imaginary == 0, "a real basis: %g", imaginary);
  CHECK_RATIO (measure_orthogonality (GPUEIG_COMPLEX_DOUBLE, N, N, v),
               LIMIT_ORTHOGONALITY, "a real basis is orthonormal");
  CHECK_RATIO (measure_general (GPUEIG_DOUBLE, N, a, v, NULL, lambda).right,
               LIMIT_GENERAL, "residual of a real basis");
}

/* The element below the diagonal of a block is annihilated, unless the angle is capped.  */
static void
blocks_are_annihilated (void)
{
  measure_random r = { 3 };
  int left = 0;
  for (int k = 0; k < 500; k++)
    {
      double a[8], j[8];
      for (int i = 0; i < 8; i++)
        a[i] = measure_normal (&r);
      ge_shroff_pair (a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], 0, 0, 0,
                      1, j, 1);
      const double complex c = j[0] + I * j[1], s = j[4] + I * j[5],
                           x = (a[0] + I * a[1]) * c + (a[2] + I * a[3]) * s,
                           y = (a[4] + I * a[5]) * c + (a[6] + I * a[7]) * s;
      left += ! (cabs (c * y - s * x) < 1e-14 * (cabs (x) + cabs (y)));
    }
  CHECK (left < 100, "%d of 500 elements are not annihilated", left);
  double j[8];
  ge_shroff_pair (0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, j, 1);
  CHECK (fabs (j[4] * j[4] + j[5] * j[5] - 0.5) < 1e-15,
         "a nilpotent block is turned by 45 degrees");
}

/* The history of a stack is the largest of its pages' after each sweep.  */
static void
histories_are_the_largest_of_pages (gpueig_type type, int64_t n)
{
  CLEANUP (free_problem)
  any_problem s = begin_random (type, n, 3, 16), one = begin (type, n, 1);
  double off[GPUEIG_MAX_HISTORY] = { 0 };
  int longest = 0;
  for (int p = 0; p < 3; p++)
    {
      copy_page (&one, 0, &s, p);
      solve (&one, "a page");
      for (int i = 0; i < one.info.n_off; i++)
        off[i] = fmax (off[i], one.info.off[i]);
      longest = one.info.n_off > longest ? one.info.n_off : longest;
    }
  solve (&s, "a stack");
  CHECK (longest > 0 && s.info.n_off == longest && s.info.sweeps == longest
             && memcmp (s.info.off, off, (size_t) longest * sizeof *off) == 0,
         "history, %s: %d sweeps, %d numbers, wanted %d", s.what,
         (int) s.info.sweeps, s.info.n_off, longest);
  CHECK (longest <= (options.backend == GPUEIG_CPU ? 10 : 13) + n / 10,
         "%d sweeps of random matrices, %s", longest, s.what);
}

/* Two sweeps are not enough.  With a limit that is not reached, a wrong result is not
   reported as converged: the sweeps end, but the vectors are nearly dependent.  */
static void
limits_of_sweeps_are_reported (gpueig_type type)
{
  CLEANUP (free_problem) any_problem s = begin_random (type, 12, 1, 14);
  gpueig_options o = options;
  measure_random r = { 16 };
  double worst = 0;
  int converged = 0;
  o.method = "shroff";
  o.max_sweeps = 2;
  CHECK (solve_problem (ctx, &s, &o, &s.info) == GPUEIG_NO_CONVERGENCE
             && s.info.sweeps == 2 && ! s.info.converged,
         "two sweeps are not enough, and that is reported");
  o.max_sweeps = 60;
  for (int k = 0; k < 100; k++)
    {
      /* A Jordan block with two eigenvalues 1 and 1 + gap, reflected.  */
      enum
      {
        N = 6
      };
      CLEANUP (free_problem) any_problem p = begin (type, N, 1);
      double complex a[N * N] = { 0 };
      for (int i = 0; i + 1 < N; i++)
        a[i + N * (i + 1)] = 1;
      a[0] = 1;
      a[N + 1] = 1 + pow (10, -8.0 * k / 99);
      measure_reflect (&r, 0, N, a, 1);
      for (int i = 0; i < N * N; i++)
        measure_set (type, p.a, i, a[i]);
      const gpueig_status status = solve_problem (ctx, &p, &o, &p.info);
      if (status == GPUEIG_OK)
        worst = worst_of (
            worst, measure_general (type, N, p.a, p.v, p.w, p.lambda).right);
      else
        CHECK (status == GPUEIG_NO_CONVERGENCE, "%s", gpueig_message (ctx));
      converged += status == GPUEIG_OK;
    }
  CHECK (converged > 0, "%d of 100 converged", converged);
  CHECK_RATIO (worst, LIMIT_GENERAL,
               "nearly defective with a limit of sweeps, %s, %d converged",
               check_type_name[type], converged);
}

/* One page of a large stack, whose pages are looked at where they are solved, is Hermitian,
   must be scaled, needs more passes of balancing than others or is not finite: the others keep
   their bits.  */
static void
a_page_of_another_kind_changes_no_others (void)
{
  enum
  {
    N = 12,
    PAGES = 8000,
    ODD = PAGES - 3,
    SQUARE = N * N
  };
  const gpueig_type type = GPUEIG_COMPLEX_DOUBLE;
  CLEANUP (free_problem) any_problem s = begin_random (type, N, PAGES, 21);
  FREED double complex *usual
      = check_memory (PAGES * N, sizeof (double complex));
  double complex *a = (double complex *) a_page (&s, ODD);
  for (int kind = 0; kind < 5; kind++)
    {
      static const char *const names[]
          = { "as others", "Hermitian", "scaled", "graded", "not finite" };
      double imaginary = 0;
      for (int i = 0; kind > 0 && i < SQUARE; i++)
        a[i] = kind == 1   ? cexp (I * (i % N - i / N)) / (1 + i % N + i / N)
               : kind == 2 ? ldexp (cos (i * i), 300)
               : kind == 3 ? ldexp (1, 500 - 100 * (i / N)) * cexp (I * i * i)
                           : NAN;
      const gpueig_status status = solve_problem (ctx, &s, &options, &s.info);
      if (kind == 4)
        {
          CHECK (status == GPUEIG_NONFINITE
                     && strstr (gpueig_message (ctx), "(1, 1) of page 7998"),
                 "a page is %s: %s", names[kind], gpueig_message (ctx));
          break;
        }
      const double complex *lambda = (const double complex *) s.lambda;
      if (kind == 0)
        memcpy (usual, lambda, PAGES * N * sizeof *usual);
      for (int i = 0; i < N; i++)
        imaginary = fmax (imaginary, fabs (cimag (lambda[ODD * N + i])));
      CHECK (status == GPUEIG_OK && (kind == 1) == (imaginary == 0)
                 && memcmp (usual, lambda, ODD * N * sizeof *usual) == 0,
             "a page is %s: status %d, |imaginary part| %g", names[kind],
             (int) status, imaginary);
      CHECK_RATIO (
          measure_general (type, N, a, v_page (&s, ODD), NULL, lambda + ODD * N)
              .right,
          LIMIT_GENERAL, "a page is %s", names[kind]);
    }
}

int
main (void)
{
  begin_test ("complex_eig");
  for (gpueig_type type = 0; type < 4; type++)
    {
      histories_are_the_largest_of_pages (type, 40);
      histories_are_the_largest_of_pages (type, 70);
      if (type > 0 && type < 3)
        limits_of_sweeps_are_reported (type);
    }
  blocks_are_annihilated ();
  a_page_of_another_kind_changes_no_others ();
  multiple_eigenvalues_get_a_real_basis ();
  return end_test ();
}
