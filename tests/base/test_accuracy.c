/* Claims about the solvers and methods of the table, on the backend under test, on both sides of
   every order at which another kernel is used, for matrices that are known to be hard and all
   types. Stacks: test_mixed.c. GPUEIG_TEST_LONG: larger orders, more kinds of each.
   results_are_accurate: errors are below the limits, of random matrices and of hard general ones
     below the "usual" ones too; Schur forms, conjugate pairs and phases are as documented; the
     same call gives the same bits, after other calls too; results without vectors agree with
     those that come with them, on the CPU bit for bit where the table says so; random matrices
     are solved by the named method, at the first attempt, and powers of 2 change no bit of their
     vectors
   limited_sweeps_are_followed: where the sweeps are limited another method finishes
   parts_are_those_of_the_whole: selected eigenpairs are those of the whole
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   test_accuracy [SOLVER [METHOD [ORDER]]]  */

#include "backend_test.h"
#include "matrices.h"
#include "solvers.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int on_gpu, is_long;

enum
{
  ALONE = 1,   /* values alone: the bits of those with vectors, on the CPU */
  SCALES = 2,  /* powers of 2 change no bit */
  WIDENED = 4, /* complex forms of real matrices */
  QUALITY = 8, /* as good as LAPACK, and no other solver follows */
  MOST = 24    /* orders */
};

typedef struct
{
  int solver;
  const char *method;
  int traits, rarely; /* of the hard kinds every so many */
  const usual_errors *usual, *hard;
  int64_t orders[MOST], on_gpu[MOST]; /* on a GPU, too, or in the long run */
} row;

/* Of general matrices only residuals are claimed.  */
#define RESIDUAL(x) ((usual_errors){ .residual = x })

/* --- matrices --- */

static any_problem
begin (const row *r, gpueig_type type, int64_t n)
{
  any_problem p = make_problem (&solvers[r->solver], type, n, 1, 3);
  if (r->traits & WIDENED)
    widen_problem (&p);
  return p;
}

/* The kinds of matrices for R; those from HARD on are accurate to the usual limits.  */
static int
kinds_of (const row *r)
{
  return solvers[r->solver].kind == SYMMETRIC_MATRIX ? HARD_KINDS : GENERAL_ALL;
}

static const char *
fill (any_problem *p, int kind)
{
  if (p->solver->kind != SYMMETRIC_MATRIX)
    return general_any ((uint64_t) (1000 * p->n + kind), kind, p->type, p->n,
                        p->a);
  hard_matrix (kind, p->type, p->n, p->a);
  return page_kind_name[kind];
}

/* --- claims --- */

static double
frobenius (gpueig_type type, int64_t count, const char *x, double unit)
{
  double sum = 0;
  for (int64_t i = 0; i < count; i++)
    {
      const double size = cabs (measure_get (type, x, i)) / unit;
      sum += size * size;
    }
  return sqrt (sum);
}

static double
residual_of (const any_problem *p)
{
  const measure_pairs m = page_errors (p, 0, p->n);
  return worst_of (m.right, m.left);
}

/* Residuals are below 1 n eps, 2 below order 16, where LAPACK's may be 0, 3 below order 4,
   where a single rounding counts, or below 3 times LAPACK's.  */
static void
check_quality (const any_problem *p, const char *name)
{
  const double residual = residual_of (p), usual = p->n < 4    ? 3
                                                   : p->n < 16 ? 2
                                                               : 1;
  double limit = usual;
  CHECK (! p->info.fallback[0], "%s: by %s", p->what, p->info.fallback);
  if (residual > usual)
    {
      CLEANUP (free_problem) any_problem q = copy_problem (p);
      gpueig_options lapack = options;
      lapack.backend = GPUEIG_CPU;
      check_solve (ctx, &q, &lapack, "geev", "%s", name);
      limit = fmax (3 * residual_of (&q), usual);
    }
  CHECK_RATIO (residual, limit, "residual beside LAPACK's, %s", p->what);
}

/* Of LAPACK's matrices with rows and columns of zeros permutations find four eigenvalues 0,
   of which two defective ones come back in the size of sqrt (eps) without them.  cuSOLVER and
   the solver for large matrices on a GPU do not permute.  */
static void
check_zeros (const any_problem *p)
{
  const double limit = LIMIT_GENERAL * (double) p->n * measure_eps (p->type)
                       * measure_norm (p->type, p->n, p->n, p->a);
  int zeros = 0;
  for (int64_t i = 0; i < p->n; i++)
    zeros += cabs (measure_get (p->values, p->lambda, i)) <= limit;
  CHECK (zeros >= 4
             || (on_gpu && (p->solver->id != GE_COMPLEX_EIG || p->n > 20)),
         "%d eigenvalues are 0, %s", zeros, p->what);
}

/* Values, or the form, without vectors; ZEROS: some are known to be 0.  */
static void
check_without (const row *r, const any_problem *p, usual_errors usual,
               int zeros)
{
  const int64_t n = p->n;
  const solver_kind kind = p->solver->kind;
  CLEANUP (free_problem) any_problem q = copy_problem (p);
  any_problem alone = q;
  alone.v = NULL;
  alone.w = kind == SCHUR_FORM ? q.w : NULL;
  if (! check_solve (ctx, &alone, &options, NULL, "%s, alone", p->what))
    return;
  check_errors (&alone, USUAL_NONE);
  if (kind == SCHUR_FORM)
    {
      const double norm = measure_norm (p->type, n, n, p->a);
      const double unit = norm > 0 ? norm : 1;
      CHECK_RATIO (fabs (frobenius (p->vectors, n * n, q.w, unit)
                         - frobenius (p->type, n * n, p->a, unit))
                       / ((double) n * measure_eps (p->type)),
                   LIMIT_GENERAL, "the norm of S, %s", alone.what);
      return;
    }
  check_values (&alone, p, usual);
  if (zeros)
    check_zeros (&alone);
  if (r->traits & ALONE && ! on_gpu && n > 32 && n <= 512)
    CHECK (strcmp (p->info.method, "qr") == 0 && same_values (p, &q),
           "the bits of values alone, by %s, %s", p->info.method, p->what);
}

static void
check_scaled (const any_problem *p, int exponent)
{
  CLEANUP (free_problem) any_problem q = copy_problem (p);
  measure_scale (q.type, q.n * q.n, q.a, ldexp (1, exponent));
  check_solve (ctx, &q, &options, NULL, "times 2^%d", exponent);
  int same = same_vectors (p, &q);
  for (int64_t i = 0; i < p->n; i++)
    same &= measure_get (p->values, p->lambda, i) * ldexp (1, exponent)
            == measure_get (p->values, q.lambda, i);
  CHECK (same, "the bits of %s", q.what);
}

static void
a_matrix_is_solved (const row *r, gpueig_type type, int64_t n, int kind)
{
  const int symmetric = solvers[r->solver].kind == SYMMETRIC_MATRIX,
            random = kind == (symmetric ? PAGE_RANDOM : GENERAL_RANDOM),
            big = gpueig_is_double (type) ? 500 : 50;
  CLEANUP (free_problem) any_problem p = begin (r, type, n);
  const char *name = fill (&p, kind);
  if (! name || ! check_solve (ctx, &p, &options, r->method, "%s", name))
    return;
  const usual_errors usual = random                                ? *r->usual
                             : symmetric || kind >= GENERAL_RANDOM ? *r->hard
                                                                   : USUAL_NONE;
  check_errors (&p, usual.residual > 0 ? usual : USUAL_NONE);
  CHECK (! p.info.fallback[0] || ! random, "%s: by %s", p.what,
         p.info.fallback);
  const int zeros = p.solver->kind == GENERAL_MATRIX && n >= 4
                    && kind >= GENERAL_ZEROS && kind < GENERAL_TYPES;
  if (zeros)
    check_zeros (&p);
  if (r->traits & QUALITY)
    check_quality (&p, name);
  options.method = r->method;
  check_without (r, &p, usual, zeros);
  CLEANUP (free_problem)
  any_problem again = copy_problem (&p), other = begin (r, type, n + 7);
  int same = 1;
  const int repeats = ! random || n > 600 ? 1 : is_long ? 100 : on_gpu ? 4 : 1;
  for (int k = repeats; k > 0; k--)
    {
      if (k % 3 == 2)
        solve_problem (ctx, &other, &options, &other.info);
      check_solve (ctx, &again, &options, NULL, "%s again", name);
      same &= same_values (&p, &again) && same_vectors (&p, &again);
    }
  CHECK (same, "the same bits, %s", p.what);
  if (random && r->traits & SCALES)
    for (int sign = -1; sign < 2; sign += 2)
      check_scaled (&p, sign * big);
  options.method = "auto";
}

static void
results_are_accurate (const row *r, gpueig_type type, int64_t n, int number)
{
  const int kinds = kinds_of (r);
  const int step = r->rarely
                   * (n <= 8    ? 1
                      : n <= 33 ? 2
                      : n <= 70 ? 4
                      : n < 300 ? 11
                                : 22)
                   / (is_long && n > 8 ? 2 : 1);
  const int random = solvers[r->solver].kind == SYMMETRIC_MATRIX
                         ? PAGE_RANDOM
                         : GENERAL_RANDOM;
  /* Eigenvalues alone of large defective matrices take singular values of each.  */
  if (on_gpu && ! is_long && n > 160
      && solvers[r->solver].kind == GENERAL_MATRIX)
    {
      a_matrix_is_solved (r, type, n, random);
      return;
    }
  /* Of large ones a type, and where two stages begin all.  */
  if (! is_long && n > 600 && type != GPUEIG_DOUBLE && n != 830 && n != 2049
      && n != 1281 && n != 1100)
    return;
  for (int kind = 0; kind < kinds; kind++)
    if (kind == random
        || ((kind + number + (int) type) % step == 0 && check_turn (3)))
      a_matrix_is_solved (r, type, n, kind);
}

/* --- limits of sweeps: another method finishes --- */

static void
limited_sweeps_are_followed (void)
{
  static const struct
  {
    int solver;
    const char *method;
    int64_t n, pages;
    const char *cpu, *gpu; /* what finishes; NULL: whatever */
  } all[] = { { SOLVE_SCHUR, "auto", 97, 1, "", "gees" },
              { SOLVE_EIG_GENERAL, "qr", 97, 1, "", "geev" },
              { SOLVE_COMPLEX, "qr", 12, 40, "", "geev" },
              { SOLVE_EIG, "shifted", 40, 1, NULL, NULL },
              { SOLVE_EIG, "shifted", 20, 5, NULL, NULL },
              { SOLVE_EIG, "ql", 24, 19, NULL, "shifted" },
              { SOLVE_EIG, "dc", 97, 19, NULL, "shifted" } };
  options.max_sweeps = 1;
  for (size_t i = 0; i < COUNT (all); i++)
    for (gpueig_type type = 0; type < 4; type++)
      {
        const any_solver *solver = &solvers[all[i].solver];
        const char *expected = on_gpu ? all[i].gpu : all[i].cpu;
        if (! has_method (solver->id, options.backend,
                          ge_find_method (solver->id, all[i].method), 1))
          continue;
        CLEANUP (free_problem)
        any_problem p = make_problem (solver, type, all[i].n, all[i].pages, 3);
        fill_problem (&p, 3);
        check_solve (ctx, &p, &options, all[i].method, "one sweep");
        CHECK (! expected || strcmp (p.info.fallback, expected) == 0,
               "\"%s\" finishes, wanted \"%s\", %s", p.info.fallback,
               expected ? expected : "any", p.what);
        check_errors (&p, USUAL_NONE);
      }
  options.max_sweeps = 0;
}

/* --- parts of the spectrum --- */

static void
parts_are_those_of_the_whole (int solver, const char *method, gpueig_type type,
                              int64_t n, int64_t first, int64_t last)
{
  int64_t found = 0;
  const size_t real = gpueig_real_size (type);
  CLEANUP (free_problem)
  any_problem all = make_problem (&solvers[solver], type, n, 1, 2);
  fill_problem (&all, 7);
  CLEANUP (free_problem) any_problem part = copy_problem (&all);
  part.first = first;
  part.last = last;
  part.found = &found;
  if (! check_solve (ctx, &all, &options, method, "all")
      || ! check_solve (ctx, &part, &options, method, "%d to %d", (int) first,
                        (int) last))
    return;
  CHECK (found == last - first + 1, "all are found, %s", part.what);
  CHECK_RATIO (measure_eigenvalues (
                   type, found, all.lambda + (size_t) (first - 1) * real,
                   part.lambda, measure_norm (type, n, n, all.a)),
               LIMIT_EIGENVALUES, "values, %s", part.what);
  check_errors (&part, USUAL_NONE);
}

/* Orders of the usual run, and of a GPU and the long run.  */
/* clang-format off */
static const row rows[] = {
  { SOLVE_EIG, "auto", 0, 4, &USUAL_EIG, &USUAL_NONE,
    { 1, 2, 5, 40, 46, 300, 830 }, { 1030 } },
  /* On a GPU another kernel reduces each 32 orders.  */
  { SOLVE_EIG, "dc", 0, 1, &USUAL_NONE, &USUAL_NONE,
    { 2, 49, 97 }, { 36, 50, 63, 64, 65, 72, 76, 95, 96, 99, 127, 128, 129, 138, 160, 161, 191, 193, 224, 225, 250, 256 } },
  { SOLVE_EIG, "syevd", 0, 1, &USUAL_NONE, &USUAL_NONE,
    { 1, 2, 3, 20, 46, 70 }, { 0 } },
  /* One cluster up to 512; then rows of a thread change at 1024 and 1536; two stages begin
     above 2048, complex double above 1536.  */
  { SOLVE_EIG, "mrrr", SCALES, 2, &USUAL_DENSE, &USUAL_DENSE_HARD,
    { 1, 2, 3, 5, 16, 31, 33, 64, 70, 100, 127, 129, 255, 256, 257 },
    { 300, 511, 512, 513, 600, 1024, 1025, 1537, 2047, 2048, 2049, 2111 } },
  { SOLVE_MRRR, "mrrr", SCALES, 4, &USUAL_DENSE, &USUAL_DENSE_HARD,
    { 1, 2, 3, 33, 130, 300 }, { 1030 } },
  { SOLVE_JACOBI, "auto", 0, 3, &USUAL_JACOBI, &USUAL_JACOBI,
    { 1, 2, 3, 5, 20, 31, 33, 64, 65, 128, 200 }, { 300 } },
  { SOLVE_JACOBI, "preconditioned", 0, 1, &USUAL_JACOBI, &USUAL_JACOBI,
    { 1, 2, 3, 5, 20, 31, 32, 33, 63, 64, 65, 127, 128, 129, 150 }, { 200 } },
  { SOLVE_JACOBI, "classical", 0, 2, &USUAL_JACOBI, &USUAL_JACOBI,
    { 1, 2, 3, 5, 20, 33, 64, 65 }, { 0 } },
  { SOLVE_JACOBI, "block", 0, 1, &USUAL_JACOBI, &USUAL_JACOBI,
    { 1, 2, 3, 5, 20, 31, 32, 33, 63, 64, 65, 127, 129, 150 }, { 200 } },
  { SOLVE_ONESIDED, "auto", 0, 1, &USUAL_ONESIDED, &USUAL_NONE,
    { 1, 2, 3, 5, 8, 9, 10, 13, 16, 17, 31, 32, 33, 63, 64, 65, 130, 161 }, { 200, 260 } },
  { SOLVE_ONESIDED, "hestenes", 0, 2, &USUAL_ONESIDED, &USUAL_NONE,
    { 1, 2, 3, 5, 8, 13, 31, 33, 64, 100 }, { 161 } },
  { SOLVE_ONESIDED, "shifted", 0, 2, &USUAL_ONESIDED, &USUAL_NONE,
    { 1, 2, 3, 5, 8, 13, 31, 33, 64, 100 }, { 161 } },
  { SOLVE_EIG_GENERAL, "auto", ALONE, 1, &RESIDUAL (USUAL_QR), &RESIDUAL (USUAL_QR),
    { 1, 2, 3, 5, 8, 16, 31, 33, 64, 65, 97, 129, 160 }, { 300, 513 } },
  { SOLVE_EIG_GENERAL, "qr", QUALITY, 2, &RESIDUAL (USUAL_QR), &RESIDUAL (USUAL_QR),
    { 1, 2, 3, 4, 7, 16, 33, 63, 64, 65, 66, 97, 128, 140, 257 }, { 330, 1100 } },
  { SOLVE_COMPLEX, "auto", 0, 2, &RESIDUAL (USUAL_COMPLEX), &RESIDUAL (USUAL_QR),
    { 1, 2, 3, 5, 8, 16, 31, 33, 64, 65, 97 }, { 129, 160 } },
  { SOLVE_COMPLEX, "shroff", SCALES, 3, &RESIDUAL (USUAL_COMPLEX), &RESIDUAL (USUAL_QR),
    { 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32, 33, 63, 64, 65 }, { 100, 129 } },
  { SOLVE_COMPLEX, "qr", 0, 3, &RESIDUAL (USUAL_QR), &RESIDUAL (USUAL_QR),
    { 1, 2, 3, 4, 5, 8, 11, 16, 31, 32, 33, 48 }, { 64, 65, 96, 97, 128 } },
  { SOLVE_SCHUR, "auto", 0, 1, &USUAL_NONE, &USUAL_NONE,
    { 1, 2, 3, 4, 5, 7, 16, 33, 63, 64, 65, 66, 97, 128, 140, 257 }, { 330 } },
  { SOLVE_SCHUR, "auto", WIDENED, 2, &USUAL_NONE, &USUAL_NONE,
    { 2, 12, 33 }, { 70 } },
};
/* clang-format on */

/* The orders of R, or ONLY one of them.  */
static void
orders_of_a_row (const row *r, int64_t only)
{
  for (gpueig_type type = 0; type < 4; type++)
    for (int k = 0; k < (on_gpu || is_long ? 2 : 1) * MOST; k++)
      {
        const int64_t n = k < MOST ? r->orders[k] : r->on_gpu[k - MOST];
        if (n > 0 && (! only || n == only)
            && ! (r->traits & WIDENED && gpueig_is_complex (type)))
          results_are_accurate (r, type, n, k);
      }
}

static void
parts_of_a_type (int solver, gpueig_type type)
{
  parts_are_those_of_the_whole (solver, "mrrr", type, 130, 40, 47);
  parts_are_those_of_the_whole (solver, "auto", type, 33, 3, 30);
  if (on_gpu)
    {
      parts_are_those_of_the_whole (solver, "mrrr", type, 700, 1, 1);
      parts_are_those_of_the_whole (solver, "mrrr", type, 2100, 1000, 1063);
    }
}

int
main (int argc, char **argv)
{
  begin_test ("accuracy");
  on_gpu = options.backend == GPUEIG_CUDA;
  is_long = getenv ("GPUEIG_TEST_LONG") != NULL;
  for (size_t i = 0; i < COUNT (rows); i++)
    {
      const any_solver *solver = &solvers[rows[i].solver];
      if ((argc < 2 || strcmp (argv[1], solver->name) == 0)
          && (argc < 3 || strcmp (argv[2], rows[i].method) == 0)
          && has_method (solver->id, options.backend,
                         ge_find_method (solver->id, rows[i].method), 1))
        orders_of_a_row (&rows[i], argc > 3 ? atoi (argv[3]) : 0);
    }
  if (argc == 1)
    {
      limited_sweeps_are_followed ();
      for (gpueig_type type = 0; type < 4; type++)
        {
          parts_of_a_type (SOLVE_EIG, type);
          parts_of_a_type (SOLVE_MRRR, type);
        }
    }
  return end_test ();
}
