/* Claims, for dense symmetric and Hermitian matrices through tridiagonal form
   (method "mrrr" of gpueig_eig_symmetric, and gpueig_mrrr): results meet the limits,
   and the "usual" limits, for all kinds of matrices and all types, on both sides of
   every order at which another kernel is used, random ones at the first attempt;
   selected eigenpairs agree with those of
   the whole, and values alone with them; pairs (A, B); the same input gives the
   same bits; also on a GPU with few multiprocessors, and after other calls in the same
   process.  Orders of thousands only with GPUEIG_TEST_LONG.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "mixed_pages.h"
#include "solvers.h"

#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;
static int reductions; /* begun since it was set to zero */

static void
count_reductions (void *data, const char *line)
{
  (void) data;
  reductions += strncmp (line, "reduction to tridiagonal form", 29) == 0;
}

static any_problem
begin (int solver, gpueig_type type, int64_t n, int kind)
{
  any_problem p = make_problem (&solvers[solver], type, n, 1, 2);
  hard_matrix (kind, type, n, p.a);
  return p;
}

static void
check_matrix (gpueig_type type, int64_t n, int kind)
{
  CLEANUP (free_problem) any_problem p = begin (SOLVE_EIG, type, n, kind);
  reductions = 0;
  check_solve (ctx, &p, &options, "mrrr", "%s", page_kind_name[kind]);
  CHECK (reductions <= 1 || kind != PAGE_RANDOM, "%d reductions, %s",
         reductions, p.what);
  const usual_errors usual
      = kind == PAGE_RANDOM ? USUAL_DENSE : USUAL_DENSE_HARD;
  check_errors (&p, usual);
  check_alone (ctx, &p, &options, usual, 0);
}

/* Eigenpairs FIRST to LAST of all.  */
static void
check_part (gpueig_type type, int64_t n, int64_t first, int64_t last)
{
  int64_t found = 0;
  CLEANUP (free_problem)
  any_problem p = begin (SOLVE_EIG, type, n, PAGE_RANDOM),
              part = begin (SOLVE_MRRR, type, n, PAGE_RANDOM);
  part.first = first;
  part.last = last;
  part.found = &found;
  check_solve (ctx, &p, &options, "mrrr", "all");
  check_solve (ctx, &part, &options, NULL, "%d to %d", (int) first, (int) last);
  CHECK (found == last - first + 1, "all are found, %s", part.what);
  CHECK_RATIO (measure_eigenvalues (
                   type, found, page_of (p.values, p.lambda, 1, first - 1),
                   part.lambda, measure_norm (type, n, n, p.a)),
               LIMIT_EIGENVALUES, "values, %s", part.what);
  check_errors (&part, USUAL_NONE);
}

static void
check_pair (gpueig_type type, int64_t n)
{
  measure_random r = { 5 };
  CLEANUP (free_problem)
  any_problem p = begin (SOLVE_EIG, type, n, PAGE_RANDOM);
  p.b = check_array (type, n * n);
  measure_random_symmetric (&r, type, n, p.b);
  for (int64_t i = 0; i < n; i++)
    measure_set (type, p.b, i + n * i, 4.0 * (double) n);
  check_solve (ctx, &p, &options, "mrrr", "pair");
  CHECK_RATIO (measure_b_orthogonality (type, n, p.b, p.v), LIMIT_ORTHOGONALITY,
               "V' B V = I, %s", p.what);
}

/* TIMES solves give the same bits, with solves of other orders between them.  */
static void
check_bits (gpueig_type type, int64_t n, int times)
{
  CLEANUP (free_problem)
  any_problem p = begin (SOLVE_EIG, type, n, PAGE_RANDOM),
              again = begin (SOLVE_EIG, type, n, PAGE_RANDOM),
              other = begin (SOLVE_EIG, type, n + 7, PAGE_IDENTITY);
  int same = 1;
  check_solve (ctx, &p, &options, "mrrr", "first");
  for (int k = 1; k < times; k++)
    {
      if (k % 3 == 1)
        check_solve (ctx, &other, &options, "mrrr", "another order");
      check_solve (ctx, &again, &options, "mrrr", "repeat %d", k);
      same &= same_vectors (&p, &again);
    }
  CHECK (same, "%d times the same bits, %s", times, p.what);
}

int
main (void)
{
  /* one cluster up to 512; then rows of a thread change at 1024 and 2048; two
     stages begin above 2048, complex double above 1280; panels of hard matrices
     of two stages are nearly dependent */
  static const int64_t orders[]
      = { 1, 2, 3, 5, 16, 31, 33, 64, 100, 127, 129, 255, 256, 257 };
  static const int64_t switches[] = { 511, 512, 513, 1024, 1025, 1281 };
  static const int64_t large[] = { 2047, 2048, 2049, 2111, 3000 };
  const int is_long = getenv ("GPUEIG_TEST_LONG") != NULL;
  check_begin ("tridiagonal");
  ctx = check_context (&options);
  const gpueig_callbacks lines = { NULL, count_reductions, NULL };
  gpueig_set_callbacks (ctx, &lines);
  options.display = 1;
  const int cuda = options.backend == GPUEIG_CUDA;
  for (int type = 0; type < 4; type++)
    {
      for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        check_matrix ((gpueig_type) type, orders[i], PAGE_RANDOM);
      for (int kind = 0; kind < HARD_KINDS; kind++)
        {
          check_matrix ((gpueig_type) type, 70, kind);
          if (cuda || is_long)
            check_matrix ((gpueig_type) type, 300, kind);
          if (cuda && kind != PAGE_RANDOM && type == GPUEIG_DOUBLE)
            {
              check_matrix ((gpueig_type) type, 600, kind);
              check_matrix ((gpueig_type) type, 2100, kind);
            }
        }
      for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++)
        if (cuda || is_long)
          check_matrix ((gpueig_type) type, switches[i], PAGE_RANDOM);
      for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
        if (is_long || (cuda && (type == GPUEIG_DOUBLE || large[i] == 2049)))
          check_matrix ((gpueig_type) type, large[i], PAGE_RANDOM);
      if (is_long)
        check_matrix ((gpueig_type) type, 2100, PAGE_CLUSTER);
      check_part ((gpueig_type) type, 130, 40, 47);
      if (cuda)
        {
          check_part ((gpueig_type) type, 700, 1, 1);
          check_part ((gpueig_type) type, 2100, 1000, 1063);
          check_pair ((gpueig_type) type, 200);
        }
      check_bits ((gpueig_type) type, 140, is_long ? 1000 : 20);
      if (cuda)
        check_bits ((gpueig_type) type, 530, is_long ? 200 : 10);
    }
  if (cuda)
    {
      for (int type = 0; type < 4; type++)
        check_bits ((gpueig_type) type, 2300, 4);
      /* Eight blocks can be on the GPU at once, without clusters.  */
      gpueig_limit_device (ctx, 8, 0, 1);
      for (int type = 0; type < 4; type++)
        {
          check_matrix ((gpueig_type) type, 300, PAGE_RANDOM);
          check_matrix ((gpueig_type) type, 600, PAGE_GRADED);
          /* two stages, whose panels have 2048 rows of complex double at most */
          check_matrix ((gpueig_type) type,
                        type == GPUEIG_COMPLEX_DOUBLE ? 2040 : 2200,
                        PAGE_RANDOM);
        }
    }
  gpueig_destroy (ctx);
  return check_end ();
}
