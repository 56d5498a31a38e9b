/* Claims, for dense symmetric and Hermitian matrices through tridiagonal form
   (method "mrrr" of gpueig_eig_symmetric, and gpueig_mrrr): results meet the limits,
   and the "usual" limits, for all kinds of matrices and all types, on both sides of
   every order at which another kernel is used, random ones at the first attempt;
   selected eigenpairs agree with those of
   the whole, and values alone with them; pairs (A, B); the same input gives the
   same bits; also on a GPU with few multiprocessors, and after other calls in the same
   process.  Orders of thousands only with GPUEIG_TEST_LONG.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "hard_matrices.h"
#include "limits.h"

#include <stdio.h>
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

/* A problem and its answer.  */
typedef struct
{
  gpueig_type type, real;
  int64_t n;
  char *a, *lambda, *v;
} matrix;

static matrix
new_matrix (gpueig_type type, int64_t n, int kind)
{
  matrix m = { .type = type, .real = real_type (type), .n = n };
  m.a = check_array (type, n * n);
  m.lambda = check_array (m.real, n);
  m.v = check_array (type, n * n);
  make_matrix (kind, type, n, m.a);
  return m;
}

static void
free_matrix (matrix *m)
{
  free (m->a);
  free (m->lambda);
  free (m->v);
}

static gpueig_status
solve (const matrix *m, const void *b, int vectors, void *lambda)
{
  gpueig_options o = options;
  o.method = "mrrr";
  const gpueig_symmetric s = { .type = m->type,
                               .n = m->n,
                               .pages = 1,
                               .a = m->a,
                               .b = b,
                               .lambda = lambda,
                               .v = vectors ? m->v : NULL };
  return gpueig_eig_symmetric (ctx, &s, &o, NULL);
}

static void
check_matrix (gpueig_type type, int64_t n, int kind)
{
  char what[100];
  CLEANUP (free_matrix) matrix m = new_matrix (type, n, kind);
  FREED char *only = check_array (m.real, n);
  (void) snprintf (what, sizeof what, "%s, %s n=%d", kind_name[kind],
                   check_type_name[type], (int) n);
  reductions = 0;
  CHECK (solve (&m, NULL, 1, m.lambda) == GPUEIG_OK, "%s: %s", what,
         gpueig_message (ctx));
  CHECK (reductions <= 1 || kind != RANDOM, "%d reductions, %s", reductions,
         what);
  CHECK_BOTH (measure_residual (type, n, n, m.a, m.v, m.lambda), LIMIT_RESIDUAL,
              n, USUAL_DENSE_RESIDUAL, "residual, %s", what);
  CHECK_BOTH (measure_orthogonality (type, n, n, m.v), LIMIT_ORTHOGONALITY, n,
              USUAL_DENSE_ORTHOGONALITY, "orthogonality, %s", what);
  int ascending = 1;
  for (int64_t j = 1; j < n; j++)
    ascending &= creal (measure_get (m.real, m.lambda, j))
                 >= creal (measure_get (m.real, m.lambda, j - 1));
  CHECK (ascending, "ascending, %s", what);
  CHECK (solve (&m, NULL, 0, only) == GPUEIG_OK, "values alone, %s: %s", what,
         gpueig_message (ctx));
  const double norm = measure_norm (type, n, n, m.a);
  CHECK_BOTH (
      measure_eigenvalues (type, n, m.lambda, only, norm > 0 ? norm : 1),
      LIMIT_EIGENVALUES, n, USUAL_MRRR_EIGENVALUES, "values alone, %s", what);
}

/* Eigenpairs FIRST to LAST of all.  */
static void
check_part (gpueig_type type, int64_t n, int64_t first, int64_t last)
{
  const int64_t count = last - first + 1;
  int64_t found = 0;
  CLEANUP (free_matrix) matrix m = new_matrix (type, n, RANDOM);
  FREED char *values = check_array (m.real, count),
             *vectors = check_array (type, n * count);
  CHECK (solve (&m, NULL, 1, m.lambda) == GPUEIG_OK, "all of n=%d: %s", (int) n,
         gpueig_message (ctx));
  const gpueig_mrrr_problem p = { .type = type,
                                  .n = n,
                                  .pages = 1,
                                  .a = m.a,
                                  .select = GPUEIG_SELECT_INDEX,
                                  .first = first,
                                  .last = last,
                                  .found = &found,
                                  .lambda = values,
                                  .v = vectors };
  CHECK (gpueig_mrrr (ctx, &p, &options, NULL) == GPUEIG_OK && found == count,
         "%d to %d of n=%d, %s: %s", (int) first, (int) last, (int) n,
         check_type_name[type], gpueig_message (ctx));
  const size_t skip = (size_t) (first - 1) * gpueig_scalar_size (m.real);
  CHECK_RATIO (measure_eigenvalues (type, count, m.lambda + skip, values,
                                    measure_norm (type, n, n, m.a)),
               LIMIT_EIGENVALUES, "values %d to %d of n=%d, %s", (int) first,
               (int) last, (int) n, check_type_name[type]);
  CHECK_RATIO (measure_residual (type, n, count, m.a, vectors, values),
               LIMIT_RESIDUAL, "residual of a part, n=%d, %s", (int) n,
               check_type_name[type]);
  CHECK_RATIO (measure_orthogonality (type, n, count, vectors),
               LIMIT_ORTHOGONALITY, "orthogonality of a part, n=%d, %s",
               (int) n, check_type_name[type]);
}

static void
check_pair (gpueig_type type, int64_t n)
{
  measure_random r = { 5 };
  CLEANUP (free_matrix) matrix m = new_matrix (type, n, RANDOM);
  FREED char *b = check_array (type, n * n);
  measure_random_symmetric (&r, type, n, b);
  for (int64_t i = 0; i < n; i++)
    measure_set (type, b, i + n * i, 4.0 * (double) n);
  CHECK (solve (&m, b, 1, m.lambda) == GPUEIG_OK, "pair, %s: %s",
         check_type_name[type], gpueig_message (ctx));
  CHECK_RATIO (measure_b_orthogonality (type, n, b, m.v), LIMIT_ORTHOGONALITY,
               "V' B V = I, %s n=%d", check_type_name[type], (int) n);
}

/* TIMES solves give the same bits, with solves of other orders between them.  */
static void
check_bits (gpueig_type type, int64_t n, int times)
{
  CLEANUP (free_matrix)
  matrix m = new_matrix (type, n, RANDOM),
         other = new_matrix (type, n + 7, EYE);
  const size_t bytes = (size_t) (n * n) * gpueig_scalar_size (type);
  FREED char *first = check_array (type, n * n);
  int same = 1;
  for (int k = 0; k < times; k++)
    {
      CHECK (solve (&m, NULL, 1, m.lambda) == GPUEIG_OK, "repeat %d: %s", k,
             gpueig_message (ctx));
      if (k == 0)
        memcpy (first, m.v, bytes);
      same &= memcmp (first, m.v, bytes) == 0;
      if (k % 3 == 0)
        same &= solve (&other, NULL, 1, other.lambda) == GPUEIG_OK;
    }
  CHECK (same, "%d times the same bits, %s n=%d", times, check_type_name[type],
         (int) n);
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
        check_matrix ((gpueig_type) type, orders[i], RANDOM);
      for (int kind = 0; kind < KINDS; kind++)
        {
          check_matrix ((gpueig_type) type, 70, kind);
          if (cuda || is_long)
            check_matrix ((gpueig_type) type, 300, kind);
          if (cuda && kind != RANDOM && type == GPUEIG_DOUBLE)
            {
              check_matrix ((gpueig_type) type, 600, kind);
              check_matrix ((gpueig_type) type, 2100, kind);
            }
        }
      for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++)
        if (cuda || is_long)
          check_matrix ((gpueig_type) type, switches[i], RANDOM);
      for (size_t i = 0; i < sizeof large / sizeof large[0]; i++)
        if (is_long || (cuda && (type == GPUEIG_DOUBLE || large[i] == 2049)))
          check_matrix ((gpueig_type) type, large[i], RANDOM);
      if (is_long)
        check_matrix ((gpueig_type) type, 2100, CLUSTER);
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
      check_bits (GPUEIG_DOUBLE, 2300, 4);
      /* Eight blocks can be on the GPU at once, without clusters.  */
      gpueig_limit_device (ctx, 8, 0, 1);
      for (int type = 0; type < 4; type++)
        {
          check_matrix ((gpueig_type) type, 300, RANDOM);
          check_matrix ((gpueig_type) type, 600, GRADED);
        }
      check_matrix (GPUEIG_DOUBLE, 2200, RANDOM);
    }
  gpueig_destroy (ctx);
  return check_end ();
}
