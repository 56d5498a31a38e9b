/* Claims about several GPUs: results are those of one of them, bit for bit, wherever the data
   is. On the devices of GPUEIG_DEVICE, "all" by default; a single GPU counts as two.
   Without a GPU the plugin is place_plugin, which has two whose solvers are those of the
   CPU.
   symmetric_stacks_have_one_gpus_bits: stacks of symmetric matrices and pairs
   chunks_have_one_gpus_bits: in several chunks on each GPU
   general_stacks_have_one_gpus_bits: stacks of general matrices
   overflowing_exponentials_are_computed: exponentials of which one overflows however its page
     is scaled
   spectra_have_one_gpus_bits: parts of the spectrum of a tridiagonal matrix
   inverses_have_one_gpus_bits: columns of tridiagonal inverses
   the_gpu_with_the_data_gets_more: the share whose GPU has the data gets a part more, the
     others equal parts less
   contexts_share_peer_access: contexts share the access of GPUs to each other
   test_gpus [quick [symmetric | general | tridiagonal | contexts]]
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gpueig_array.h"
#include "run/solvers.h"
#include "solvers.h"
#include "tridiagonal_matrices.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options one, all;
static int quick, simulated;

/* --- problems on one device and on all --- */

/* X on one device and Y, the same problem, on all; PARTS: it can be divided.  */
static void
compare (any_problem *x, any_problem *y, const char *method, int parts)
{
  const gpueig_info *info = &x->info, *info_all = &y->info;
  check_solve (ctx, x, &one, method, "one device, %d outputs", x->outputs);
  check_solve (ctx, y, &all, method, "all devices, %d outputs", y->outputs);
  CHECK (parts == (info_all->n_devices > 1), "%d devices, %s",
         info_all->n_devices, y->what);
  CHECK (same_values (x, y), "the values of one device, %s", y->what);
  CHECK (same_vectors (x, y), "the vectors of one device, %s", y->what);
  const size_t history = (size_t) info->n_off * sizeof *info->off;
  CHECK (info->sweeps == info_all->sweeps && info->n_off == info_all->n_off
             && (x->solver->kind != GENERAL_MATRIX
                 || memcmp (info->off, info_all->off, history) == 0)
             && strcmp (info->method, info_all->method) == 0,
         "info of one device, %s", y->what);
}

/* All devices solve X again, whose A is in memory of the first.  */
static void
check_placed (const any_problem *x)
{
  gpueig_array array[PARTS];
  CLEANUP (free_problem) any_problem y = copy_problem (x);
  any_problem z;
  CHECK (place_problem (ctx, one.device, &y, &z, array) == GPUEIG_OK,
         "memory of a GPU: %s", gpueig_message (ctx));
  check_solve (ctx, &z, &all, x->method, "data on the first of all");
  fetch_outputs (ctx, &y, array);
  free_arrays (ctx, array);
  CHECK (z.info.n_devices > 1, "%d devices, %s", z.info.n_devices, z.what);
  CHECK (same_values (x, &y), "the values of one device, %s", z.what);
  CHECK (same_vectors (x, &y), "the vectors of one device, %s", z.what);
}

/* X, which has been filled, on one device and on all.  */
static void
check_problem (any_problem *x, const char *method)
{
  CLEANUP (free_problem) any_problem y = copy_problem (x);
  compare (x, &y, method, 1);
  if (x->solver->kind == SYMMETRIC_MATRIX)
    check_placed (x);
}

static void
check (int which, const char *method, gpueig_type type, int64_t n,
       int64_t pages, int outputs)
{
  CLEANUP (free_problem)
  any_problem x = make_problem (&solvers[which], type, n, pages, outputs);
  fill_problem (&x, 13);
  check_problem (&x, method);
}

/* Eigenvalues 3 to 9 of 20, of matrices or of pairs.  */
static void
check_part (int pair)
{
  enum
  {
    N = 20,
    PAGES = 400
  };
  CLEANUP (free_problem)
  any_problem x
      = make_problem (&solvers[SOLVE_EIG], GPUEIG_DOUBLE, N, PAGES, 2);
  fill_problem (&x, 9);
  x.first = 3;
  x.last = 9;
  if (pair)
    x.b = check_array (GPUEIG_DOUBLE, N * N * PAGES);
  for (int64_t i = 0; pair && i < N * PAGES; i++)
    measure_set (GPUEIG_DOUBLE, x.b, i / N * N * N + i % N * (N + 1),
                 (double) (1 + i % N + i / N % 7));
  check_problem (&x, "auto");
}

static void
symmetric_stacks_have_one_gpus_bits (void)
{
  static const struct
  {
    int64_t n, pages;
  } sizes[] = { { 8, 1601 }, { 24, 300 }, { 97, 31 },  { 128, 17 },
                { 256, 45 }, { 500, 5 },  { 64, 2100 } };
  const int count = quick ? 3 : 7;
  for (int i = 0; i < count; i++)
    {
      const int64_t n = sizes[i].n, pages = sizes[i].pages;
      for (int type = quick ? 1 : 0; type < (quick ? 2 : 4); type++)
        check (SOLVE_ONESIDED, "auto", (gpueig_type) type, n, pages, 2);
      check (SOLVE_ONESIDED, "auto", GPUEIG_DOUBLE, n, pages, 1);
      check (SOLVE_EIG, "auto", GPUEIG_DOUBLE, n, pages, 2);
      check (SOLVE_JACOBI, "auto", GPUEIG_DOUBLE, n, pages, 2);
    }
  check_part (0);
  check_part (1);
  check (SOLVE_ONESIDED, "cholesky", GPUEIG_DOUBLE, 24, 300, 2);
  check (SOLVE_ONESIDED, "hestenes", GPUEIG_DOUBLE, 24, 300, 2);
  if (quick)
    return;
  check (SOLVE_EIG, "dc", GPUEIG_DOUBLE, 64, 90, 2);
  check (SOLVE_EIG, "ql", GPUEIG_DOUBLE, 24, 300, 2);
  check (SOLVE_EIG, "syevd", GPUEIG_COMPLEX_DOUBLE, 64, 40, 2);
}

/* Five chunks on one device and three on each of two, the first and the last one of them
   smaller; three, and two of which the first one is.  */
static void
chunks_have_one_gpus_bits (void)
{
  gpueig_limit_chunk (ctx, 800);
  check (SOLVE_COMPLEX, "auto", GPUEIG_COMPLEX_DOUBLE, 8, 3201, 2);
  check (SOLVE_ONESIDED, "auto", GPUEIG_DOUBLE, 8, 3201, 2);
  check (SOLVE_ONESIDED, "auto", GPUEIG_DOUBLE, 8, 2001, 2);
  gpueig_limit_chunk (ctx, 0);
}

static void
general_stacks_have_one_gpus_bits (void)
{
  check (SOLVE_COMPLEX, "auto", GPUEIG_COMPLEX_DOUBLE, 8, 1601, 3);
  check (SOLVE_COMPLEX, "auto", GPUEIG_DOUBLE, 16, 400, 1);
  chunks_have_one_gpus_bits ();
  if (quick)
    return;
  /* Two chunks on each, without a limit.  */
  check (SOLVE_COMPLEX, "auto", GPUEIG_COMPLEX_DOUBLE, 32, 9000, 2);
  for (int type = 0; type < 4; type++)
    {
      check (SOLVE_COMPLEX, "auto", (gpueig_type) type, 32, 301, 3);
      check (SOLVE_COMPLEX, "auto", (gpueig_type) type, 100, 23, 3);
    }
  check (SOLVE_COMPLEX, "auto", GPUEIG_COMPLEX_DOUBLE, 150, 17, 3);
  check (SOLVE_EIG_GENERAL, "auto", GPUEIG_DOUBLE, 64, 30, 3);
}

/* Exponentials of which one overflows however its page is scaled: a page is scaled once,
   before or after it is copied to a GPU.  */
static void
overflowing_exponentials_are_computed (void)
{
  enum
  {
    N = 9,
    PAGES = 3
  };
  float a[N * N * PAGES], x[N * N * PAGES] = { 0 };
  measure_random r = { 12 };
  const gpueig_funm_problem p = { .kind = GPUEIG_EXPM,
                                  .type = GPUEIG_FLOAT,
                                  .n = N,
                                  .pages = PAGES,
                                  .a = a,
                                  .x = x };
  for (int64_t i = 0; i < N * N * PAGES; i++)
    a[i] = (float) (measure_normal (&r) * (i / (N * N) == 1 ? 1e33 : 0.1));
  CHECK (gpueig_funm (ctx, &p, &one, NULL) == GPUEIG_OK && x[0] > 0
             && x[N * N * PAGES - 1] > 0,
         "exponentials of which one overflows: %s", gpueig_message (ctx));
}

/* --- tridiagonal matrices --- */

/* Pairs of eigenvalues that agree to working precision (wilkinson); clusters of as many
   eigenvalues as there are copies, 41; an element of the off-diagonal that is taken for zero;
   all eigenvalues close to 1 or to 2.  */
DEFINE_TRIDIAGONAL (glued_41, , fabs (i % 41 - 20.0), i % 41 == 40 ? 1e-11 : 1)
DEFINE_TRIDIAGONAL (one_split, , rndn (), i == n / 3 ? 1e-17 : rndn ())
DEFINE_TRIDIAGONAL (one_or_two, , i < n / 8 ? 1 : 2, 1e-9)

/* Eigenvalues FIRST to LAST by MRRR; PARTS: the spectrum can be divided.  */
static void
check_spectrum (tridiagonal_matrix *fill, gpueig_type type, int64_t n,
                int64_t first, int64_t last, int vectors, int parts)
{
  int64_t found[2] = { 0, 0 };
  FREED double *d = check_array (GPUEIG_DOUBLE, n);
  FREED double *e = check_array (GPUEIG_DOUBLE, n);
  CLEANUP (free_problem)
  any_problem x = make_problem (&solvers[SOLVE_MRRR], type, n, 1, 1 + vectors);
  dice.state = 7;
  fill ((int) n, d, e);
  fill_tridiagonal (&x, 0, d, e);
  take_diagonals (&x);
  x.first = first;
  x.last = last;
  CLEANUP (free_problem) any_problem y = copy_problem (&x);
  x.found = &found[0];
  y.found = &found[1];
  compare (&x, &y, "mrrr", parts);
  const double clusters = ge_info_value (&x.info, "clusters"),
               of_all = ge_info_value (&y.info, "clusters");
  CHECK (found[1] == last - first + 1 && clusters == of_all
             && ge_info_value (&y.info, "fallbacks") == 0,
         "%g clusters, %g, %s", clusters, of_all, y.what);
}

static void
spectra_have_one_gpus_bits (void)
{
  static const struct
  {
    tridiagonal_matrix *fill;
    int64_t n;
    int parts;
  } matrices[] = { { one_four_one, 1500, 1 }, { normal, 1500, 1 },
                   { wilkinson, 1601, 1 },    { glued_41, 1435, 1 },
                   { one_split, 1500, 0 },    { one_or_two, 1500, 0 } };
  for (int i = 0; i < (quick && ! simulated ? 2 : 6); i++)
    for (int vectors = 0; vectors < 2; vectors++)
      check_spectrum (matrices[i].fill, GPUEIG_DOUBLE, matrices[i].n, 1,
                      matrices[i].n, vectors, matrices[i].parts);
  check_spectrum (normal, GPUEIG_FLOAT, 1500, 1, 1500, 1, 1);
  check_spectrum (normal, GPUEIG_DOUBLE, 2400, 101, 2300, 1, 1);
  check_spectrum (normal, GPUEIG_DOUBLE, 600, 1, 600, 1, 0);
  if (! quick)
    check_spectrum (normal, GPUEIG_DOUBLE, 6000, 101, 5900, 1, 1);
}

/* An inverse, or some of its columns; complex ones with real and imaginary parts apart.  */
static void
check_inverse (gpueig_type type, int listed)
{
  enum
  {
    N = 1501,
    LISTED = 1400
  };
  int64_t list[LISTED];
  CLEANUP (free_problem)
  any_problem x = make_problem (&solvers[SOLVE_TDINV], type, N, 1, 2);
  fill_problem (&x, 3);
  for (int64_t i = 0; listed && i < LISTED; i++)
    list[i] = 7 * i % N;
  x.columns = listed ? list : NULL;
  x.n_columns = listed ? LISTED : 0;
  if (gpueig_is_complex (type))
    {
      x.vectors = real_type (type);
      x.w = check_array (type, N * N);
    }
  CLEANUP (free_problem) any_problem y = copy_problem (&x);
  compare (&x, &y, "generators", 1);
}

static void
inverses_have_one_gpus_bits (void)
{
  for (int type = 0; type < 4; type++)
    check_inverse ((gpueig_type) type, 0);
  check_inverse (GPUEIG_DOUBLE, 1);
}

/* --- division --- */

/* The share whose GPU has the data gets a part more, the others equal parts less.  */
static void
the_gpu_with_the_data_gets_more (void)
{
  for (int n = 2; n <= 4; n++)
    for (int own = 0; own < n; own++)
      {
        ge_division d = { .shares = n, .units = 3840 * n };
        int right = 1;
        for (int i = 0; i <= n; i++)
          d.begin[i] = 3840 * i;
        ge_favour_share (&d, own, 160);
        for (int i = 0; i < n; i++)
          right &= d.begin[i + 1] - d.begin[i]
                   == (i == own ? 3840 + 144 : 3840 - 144 / (n - 1));
        CHECK (right && d.begin[0] == 0 && d.begin[n] == d.units,
               "%d shares, of which %d has the data", n, own);
      }
}

/* --- peer access, used by two contexts --- */

typedef struct
{
  any_problem p, wanted;
  int right;
} caller;

enum
{
  ROUNDS = 4
};

/* Matrices on all GPUs, or stacks in memory of the first one that are shared with the
   others, ROUNDS times in a context of its own.  */
static void *
call_often (void *data)
{
  caller *c = data;
  gpueig_options unused;
  gpueig_context *own = check_context (&unused);
  const int stack = c->p.pages > 1;
  gpueig_array array[PARTS] = { 0 };
  any_problem q = c->p;
  if (stack)
    place_problem (own, one.device, &c->p, &q, array);
  for (int k = 0; k < ROUNDS; k++)
    {
      gpueig_share_matrix (own, ! stack);
      const gpueig_status status = solve_problem (own, &q, &all, &q.info);
      fetch_outputs (own, &c->p, array);
      c->right += status == GPUEIG_OK && q.info.n_devices > 1
                  && measure_eigenvalues (GPUEIG_DOUBLE, q.n * q.pages,
                                          c->p.lambda, c->wanted.lambda, 30)
                         < LIMIT_EIGENVALUES;
    }
  free_arrays (own, array);
  gpueig_destroy (own);
  return NULL;
}

/* The second caller ends and enables again what the first one uses.  */
static void
contexts_share_peer_access (void)
{
  static const int64_t n[3] = { 400, 128, 300 }, pages[3] = { 1, 500, 1 };
  pthread_t thread[3];
  caller c[3];
  for (int i = 0; i < 3; i++)
    {
      const any_solver *solver
          = &solvers[pages[i] > 1 ? SOLVE_ONESIDED : SOLVE_EIG];
      c[i].right = 0;
      c[i].p = make_problem (solver, GPUEIG_DOUBLE, n[i], pages[i], 1);
      fill_problem (&c[i].p, 8);
      c[i].wanted = copy_problem (&c[i].p);
      check_solve (ctx, &c[i].wanted, &one, "auto", "reference");
      pthread_create (&thread[i], NULL, call_often, &c[i]);
    }
  for (int i = 0; i < 3; i++)
    {
      pthread_join (thread[i], NULL);
      CHECK (c[i].right == ROUNDS,
             "%d of %d results of %s are right, beside two other contexts",
             c[i].right, ROUNDS, pages[i] > 1 ? "stacks" : "matrices");
      free_problem (&c[i].p);
      free_problem (&c[i].wanted);
    }
}

int
main (int argc, char **argv)
{
  gpueig_machine machine;
  const char *part = argc > 2 ? argv[2] : "";
  quick = argc > 1 && strcmp (argv[1], "quick") == 0;
  check_begin ("gpus");
  simulated = check_simulate_gpu (argv[0]);
  quick |= simulated;
  ctx = check_gpus (&one, &all, &machine);
  if (! ctx)
    return check_end ();
  the_gpu_with_the_data_gets_more ();
  if (! *part || strcmp (part, "symmetric") == 0)
    symmetric_stacks_have_one_gpus_bits ();
  if (! *part || strcmp (part, "general") == 0)
    {
      general_stacks_have_one_gpus_bits ();
      overflowing_exponentials_are_computed ();
    }
  if (! *part || strcmp (part, "tridiagonal") == 0)
    {
      spectra_have_one_gpus_bits ();
      inverses_have_one_gpus_bits ();
    }
  if (machine.engines[0] && (! *part || strcmp (part, "contexts") == 0))
    contexts_share_peer_access ();
  gpueig_destroy (ctx);
  return check_end ();
}
