/* Claims about several GPUs: results are those of one of them, bit for bit; every failing
   call is reported, or with "auto" costs what that GPU had not solved; one matrix that does
   not fit in the memory of one GPU is solved by all; contexts share the access of GPUs to
   each other.  On the devices of GPUEIG_DEVICE, "all" by default; a single GPU counts as two.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   test_gpus [quick [symmetric | general | tridiagonal | errors | large]]  */

#include "gpueig_array.h"
#include "solvers.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options one, all;
static int quick;

/* --- stacks, and tridiagonal inverses --- */

/* X on one device and Y, the same problem, on all.  */
static void
compare (any_problem *x, any_problem *y, const char *method)
{
  const gpueig_info *info = &x->info, *info_all = &y->info;
  check_solve (ctx, x, &one, method, "one device, %d outputs", x->outputs);
  check_solve (ctx, y, &all, method, "all devices, %d outputs", y->outputs);
  CHECK (info_all->n_devices > 1, "%d devices, %s", info_all->n_devices,
         y->what);
  CHECK (same_values (x, y) && same_vectors (x, y),
         "the bits of one device, %s", y->what);
  const size_t history = (size_t) info->n_off * sizeof *info->off;
  CHECK (info->sweeps == info_all->sweeps && info->n_off == info_all->n_off
             && (x->solver->kind != GENERAL_MATRIX
                 || memcmp (info->off, info_all->off, history) == 0)
             && strcmp (info->method, info_all->method) == 0,
         "info of one device, %s", y->what);
}

static void
check (int which, const char *method, gpueig_type type, int64_t n,
       int64_t pages, int outputs)
{
  const any_solver *solver = &solvers[which];
  CLEANUP (free_problem)
  any_problem x = make_problem (solver, type, n, pages, outputs),
              y = make_problem (solver, type, n, pages, outputs);
  fill_problem (&x, 13);
  fill_problem (&y, 13);
  compare (&x, &y, method);
}

static void
test_symmetric (void)
{
  static const struct
  {
    int64_t n, pages;
  } sizes[] = { { 8, 1601 }, { 24, 300 }, { 64, 90 },   { 97, 31 },
                { 128, 17 }, { 200, 21 }, { 256, 45 },  { 300, 19 },
                { 383, 16 }, { 500, 3 },  { 64, 2100 }, { 256, 1000 } };
  const int count = quick ? 3 : 12;
  for (int i = 0; i < count; i++)
    {
      const int64_t n = sizes[i].n, pages = sizes[i].pages;
      check (SOLVE_ONESIDED, "auto", GPUEIG_DOUBLE, n, pages, 2);
      check (SOLVE_EIG, "auto", GPUEIG_DOUBLE, n, pages, 2);
      if (i < 6)
        check (SOLVE_JACOBI, "auto", GPUEIG_DOUBLE, n, pages, 2);
      if (i < 9 && ! quick)
        {
          check (SOLVE_ONESIDED, "auto", GPUEIG_COMPLEX_DOUBLE, n, pages, 2);
          check (SOLVE_ONESIDED, "auto", GPUEIG_FLOAT, n, pages, 2);
          check (SOLVE_ONESIDED, "auto", GPUEIG_COMPLEX_FLOAT, n, pages, 2);
          check (SOLVE_ONESIDED, "auto", GPUEIG_DOUBLE, n, pages, 1);
        }
    }
  check (SOLVE_ONESIDED, "cholesky", GPUEIG_DOUBLE, 24, 300, 2);
  check (SOLVE_ONESIDED, "hestenes", GPUEIG_DOUBLE, 24, 300, 2);
  if (quick)
    return;
  check (SOLVE_EIG, "dc", GPUEIG_DOUBLE, 64, 90, 2);
  check (SOLVE_EIG, "ql", GPUEIG_DOUBLE, 24, 300, 2);
  check (SOLVE_EIG, "syevd", GPUEIG_COMPLEX_DOUBLE, 64, 40, 2);
}

static void
test_general (void)
{
  check (SOLVE_COMPLEX, "auto", GPUEIG_COMPLEX_DOUBLE, 8, 1601, 3);
  check (SOLVE_COMPLEX, "auto", GPUEIG_DOUBLE, 16, 400, 1);
  if (quick)
    return;
  for (int type = 0; type < 4; type++)
    {
      check (SOLVE_COMPLEX, "auto", (gpueig_type) type, 32, 301, 3);
      check (SOLVE_COMPLEX, "auto", (gpueig_type) type, 100, 23, 3);
    }
  check (SOLVE_COMPLEX, "auto", GPUEIG_COMPLEX_DOUBLE, 150, 17, 3);
  check (SOLVE_EIG_GENERAL, "auto", GPUEIG_DOUBLE, 64, 30, 3);
}

/* --- tridiagonal matrices --- */

/* Eigenvalues FIRST to LAST of tridiagonal matrices.  */
static void
check_mrrr (gpueig_type type, int64_t n, int64_t pages, int64_t first,
            int64_t last)
{
  measure_random r = { 11 };
  int64_t found[2] = { 0, 0 };
  any_problem p[2];
  for (int k = 0; k < 2; k++)
    {
      /* A is not needed.  */
      p[k] = make_problem (&solvers[SOLVE_MRRR], type, n, pages, 2);
      p[k].d = check_array (type, n * pages);
      p[k].e = check_array (type, n * pages);
      p[k].first = first;
      p[k].last = last;
      p[k].found = pages == 1 ? &found[k] : NULL;
    }
  for (int64_t i = 0; i < 2 * n * pages; i++)
    {
      const double x = measure_normal (&r);
      for (int k = 0; k < 2; k++)
        measure_set (type, i % 2 ? p[k].e : p[k].d, i / 2, x);
    }
  compare (&p[0], &p[1], "auto");
  CHECK (pages > 1 || found[1] == last - first + 1, "all are found, %s",
         p[1].what);
  free_problem (&p[0]);
  free_problem (&p[1]);
}

static void
test_tridiagonal (void)
{
  check_mrrr (GPUEIG_DOUBLE, 60, 5, 1, 60);
  check (SOLVE_TDINV, "generators", GPUEIG_DOUBLE, quick ? 1500 : 3001, 1, 2);
  if (quick)
    return;
  check_mrrr (GPUEIG_DOUBLE, 1500, 1, 1, 1500);
  check_mrrr (GPUEIG_FLOAT, 2000, 1, 1, 2000);
  check_mrrr (GPUEIG_DOUBLE, 6000, 1, 101, 5900);
  check (SOLVE_TDINV, "generators", GPUEIG_COMPLEX_DOUBLE, 2000, 1, 2);
}

static void
limit_memory (double bytes)
{
  char text[40];
  snprintf (text, sizeof text, "%.0f", bytes);
  setenv ("GPUEIG_DEVICE_MEMORY", text, 1);
  gpueig_trim (ctx);
}

static void
unlimit_memory (void)
{
  unsetenv ("GPUEIG_DEVICE_MEMORY");
  gpueig_trim (ctx);
}

/* --- errors --- */

/* The number of the CUDA calls FIRST .. LAST of SOLVE whose failure is reported;
   *MISSED is the first whose failure is not.  COLD: every time in a new context,
   which opens the devices.  */
typedef gpueig_status trial (gpueig_context *c, const void *problem,
                             const gpueig_options *options);

static int64_t
count_told (trial *run, const void *problem, int cold, int64_t first,
            int64_t last, int64_t step, int64_t *missed)
{
  int64_t told = 0;
  *missed = 0;
  for (int64_t k = first; k <= last; k += step)
    {
      gpueig_options unused;
      gpueig_context *c = cold ? check_context (&unused) : ctx;
      gpueig_fail_device_call (c, k);
      const int found = run (c, problem, &all) == GPUEIG_DEVICE_ERROR
                        && strstr (gpueig_message (c), "simulated") != NULL;
      gpueig_fail_device_call (c, 0);
      told += found;
      if (! found && *missed == 0)
        *missed = k;
      if (cold)
        gpueig_destroy (c);
    }
  return told;
}

/* The number of CUDA calls of RUN in a new context and, *AGAIN, in one whose devices
   are open.  */
static int64_t
count_calls (trial *run, const void *problem, int64_t *again)
{
  gpueig_options unused;
  gpueig_context *c = check_context (&unused);
  gpueig_fail_device_call (c, 0);
  run (c, problem, &all);
  const int64_t calls = gpueig_fail_device_call (c, 0);
  run (c, problem, &all);
  *again = gpueig_fail_device_call (c, 0);
  gpueig_destroy (c);
  return calls;
}

/* Every checked call that fails is reported: those that open the devices in a new
   context, the others in one that has them open.  Shares have the same number of
   calls, so each is met.  */
static void
check_failures (const char *name, trial *run, const void *problem)
{
  int64_t again, missed;
  const int64_t calls = count_calls (run, problem, &again);
  const int64_t opening = calls - again, step = quick ? 11 : 1;
  CHECK (opening >= 0 && again > 10, "%s: %lld CUDA calls, then %lld", name,
         (long long) calls, (long long) again);
  int64_t told = count_told (run, problem, 1, 1, opening, step, &missed);
  CHECK (told == (opening + step - 1) / step,
         "%s, opening: %lld failing calls of %lld are told; the first that is "
         "not: %lld",
         name, (long long) told, (long long) opening, (long long) missed);
  run (ctx, problem, &all);
  told = count_told (run, problem, 0, 1, again, step, &missed);
  CHECK (told == (again + step - 1) / step,
         "%s: %lld failing calls of %lld are told; the first that is not: %lld",
         name, (long long) told, (long long) again, (long long) missed);
}

static gpueig_status
run_problem (gpueig_context *c, const void *problem,
             const gpueig_options *options)
{
  return solve_problem (c, problem, options, NULL);
}

static gpueig_status
run_shared (gpueig_context *c, const void *problem,
            const gpueig_options *options)
{
  gpueig_share_matrix (c, 1);
  const gpueig_status status = run_problem (c, problem, options);
  gpueig_share_matrix (c, 0);
  return status;
}

static void
test_errors (void)
{
  gpueig_options options = all;
  CLEANUP (free_problem)
  any_problem p
      = make_problem (&solvers[SOLVE_ONESIDED], GPUEIG_DOUBLE, 24, 400, 1);
  fill_problem (&p, 1);
  check_failures ("onesided_eig", run_problem, &p);
  CHECK (run_problem (ctx, &p, &all) == GPUEIG_OK, "then all is well: %s",
         gpueig_message (ctx));
  options.n_devices = 2;
  options.devices[0] = 0;
  options.devices[1] = 15;
  CHECK (run_problem (ctx, &p, &options) == GPUEIG_NO_DEVICE,
         "a device that is missing: %s", gpueig_message (ctx));
  limit_memory (2000);
  CHECK (run_problem (ctx, &p, &all) == GPUEIG_OUT_OF_MEMORY
             && strstr (gpueig_message (ctx), "(GPU ") != NULL,
         "no memory: %s", gpueig_message (ctx));
  unlimit_memory ();
}

/* With "auto" a failing call, of either share, costs pages that are solved again by the CPU:
   all results are right.  */
static void
test_rest (void)
{
  enum
  {
    CALLS = 12
  };
  gpueig_options options = all;
  CLEANUP (free_problem)
  any_problem p
      = make_problem (&solvers[SOLVE_ONESIDED], GPUEIG_DOUBLE, 64, 1500, 2);
  fill_problem (&p, 5);
  options.backend = GPUEIG_AUTO;
  gpueig_limit_chunk (ctx, 100);
  /* The first call opens devices and allocates.  */
  solve_problem (ctx, &p, &options, &p.info);
  gpueig_fail_device_call (ctx, 0);
  solve_problem (ctx, &p, &options, &p.info);
  const int64_t calls = gpueig_fail_device_call (ctx, 0);
  const int shared = p.info.n_devices > 1;
  if (! shared)
    check_skip ("\"auto\" takes the CPU");
  for (int k = 1; shared && k <= CALLS; k++)
    {
      memset (p.v, 0, (size_t) (p.n * p.n * p.pages) * sizeof (double));
      gpueig_fail_device_call (ctx, calls * k / CALLS);
      const gpueig_status status = solve_problem (ctx, &p, &options, &p.info);
      gpueig_fail_device_call (ctx, 0);
      CHECK (status == GPUEIG_OK && strcmp (p.info.fallback, "cpu") == 0,
             "call %d of %d fails with \"auto\": %s, %s", k, CALLS,
             p.info.fallback, gpueig_message (ctx));
      CHECK_RATIO (problem_ratio (&p), 1, "call %d of %d fails with \"auto\"",
                   k, CALLS);
    }
  gpueig_limit_chunk (ctx, 0);
}

/* --- one matrix on all --- */

/* Bytes that the engine wants of each device, from the message that they are not
   there; the matrix has room, its work space has not.  */
static double
wanted_memory (const any_problem *p)
{
  const double matrix
      = (double) (p->n * p->n) * (double) gpueig_scalar_size (p->type);
  double wanted = 0;
  limit_memory (1.2 * matrix);
  const gpueig_status status = run_shared (ctx, p, &all);
  const char *text = strstr (gpueig_message (ctx), "memory: ");
  CHECK (status == GPUEIG_OUT_OF_MEMORY && text
             && sscanf (text, "memory: %lf MiB", &wanted) == 1,
         "the engine tells what it wants for n = %lld: %s", (long long) p->n,
         gpueig_message (ctx));
  unlimit_memory ();
  return 1048576 * wanted;
}

/* With as much memory of a device as the engine wants.  Where one device alone can
   do with that, too, the matrix is shared because the test wants it.  *LIMITED: it
   was shared because one device has no room.  */
static gpueig_status
solve_limited (any_problem *p, int *limited)
{
  limit_memory (1.02 * wanted_memory (p) + 1e5);
  *limited = run_problem (ctx, p, &one) == GPUEIG_OUT_OF_MEMORY;
  gpueig_trim (ctx);
  gpueig_share_matrix (ctx, ! *limited);
  const gpueig_status status = solve_problem (ctx, p, &all, &p->info);
  gpueig_share_matrix (ctx, 0);
  unsetenv ("GPUEIG_DEVICE_MEMORY");
  return status;
}

/* Failing calls of the thread that prepares the engine and copies.  */
static void
check_large_failures (const any_problem *p)
{
  int64_t again, missed;
  count_calls (run_shared, p, &again);
  const int64_t step = again / 12 + 1;
  const int64_t told = count_told (run_shared, p, 0, 1, again, step, &missed);
  CHECK (again > 10 && told == (again + step - 1) / step,
         "one matrix on all: %lld failing calls of %lld are told; the first "
         "that is not: %lld",
         (long long) told, (long long) again, (long long) missed);
  CHECK (run_shared (ctx, p, &all) == GPUEIG_OK, "then all is well: %s",
         gpueig_message (ctx));
}

/* LIMIT: one device has no room for what several do.  The library itself samples residual
   and orthogonality.  */
static void
check_large (gpueig_type type, int64_t n, int vectors, int exponent, int limit)
{
  int limited;
  const any_solver *eig = &solvers[SOLVE_EIG];
  CLEANUP (free_problem)
  any_problem p = make_problem (eig, type, n, 1, 1 + vectors),
              q = make_problem (eig, type, n, 1, 1);
  fill_problem (&q, 17);
  for (int64_t i = 0; i < n * n; i++)
    measure_set (type, q.a, i,
                 measure_get (type, q.a, i) * ldexp (1, exponent));
  copy_page (&p, 0, &q, 0);
  check_solve (ctx, &q, &one, NULL, "one device");
  p.method = "syevd";
  snprintf (p.what, sizeof p.what, "all devices, %s n=%d",
            check_type_name[type], (int) n);
  const gpueig_status status = solve_limited (&p, &limited);
  CHECK (limited || ! limit, "one device has no room, %s", p.what);
  CHECK (status == GPUEIG_OK && p.info.n_devices > 1
             && strcmp (p.info.method, p.method) == 0,
         "%s: %d by %s: %s", p.what, p.info.n_devices, p.info.method,
         gpueig_message (ctx));
  if (status != GPUEIG_OK)
    return;
  CHECK_RATIO (measure_eigenvalues (type, n, p.lambda, q.lambda,
                                    measure_norm (type, n, n, p.a)),
               LIMIT_EIGENVALUES, "eigenvalues, %s", p.what);
  if (vectors && n <= 600)
    check_errors (&p, USUAL_NONE);
  if (type == GPUEIG_DOUBLE && n <= 600)
    check_large_failures (&p);
}

/* --- peer access, used by two contexts --- */

typedef struct
{
  gpueig_symmetric s;
  double *wanted;
  int is_stack, right;
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
  gpueig_array array[2] = { 0, 0 };
  const gpueig_symmetric *host = &c->s;
  gpueig_symmetric s = *host;
  const int64_t sizes[2][2]
      = { { s.n * s.n * s.pages, 1 }, { s.n * s.pages, 1 } };
  const int stack = c->is_stack;
  int ready = 1;
  for (int i = 0; stack && i < 2; i++)
    {
      void *memory = NULL;
      ready &= gpueig_array_new (own, s.type, 2, sizes[i], &one, &array[i])
                   == GPUEIG_OK
               && (i == 1
                   || gpueig_array_upload (own, array[i], s.a) == GPUEIG_OK)
               && gpueig_array_data (own, array[i], &memory) == GPUEIG_OK;
      *(i == 0 ? (void **) &s.a : &s.lambda) = memory;
      s.place = GPUEIG_DEVICE;
    }
  for (int k = 0; ready && k < ROUNDS; k++)
    {
      gpueig_info info = { .n_devices = 0 };
      gpueig_share_matrix (own, ! stack);
      const gpueig_status status
          = stack ? gpueig_onesided_eig (own, &s, &all, &info)
                  : gpueig_eig_symmetric (own, &s, &all, &info);
      if (status == GPUEIG_OK && stack)
        gpueig_array_download (own, array[1], host->lambda);
      double worst = 0;
      for (int64_t i = 0; i < s.n * s.pages; i++)
        worst
            = fmax (worst, fabs (((double *) host->lambda)[i] - c->wanted[i]));
      c->right += status == GPUEIG_OK && info.n_devices > 1
                  && worst < 1e-12 * (double) s.n;
    }
  for (int i = 0; i < 2; i++)
    gpueig_array_free (own, array[i]);
  gpueig_destroy (own);
  return NULL;
}

/* The second caller ends and enables again what the first one uses.  */
static void
test_two_contexts (void)
{
  static const int64_t n[3] = { 400, 128, 300 }, pages[3] = { 1, 500, 1 };
  pthread_t thread[3];
  caller c[3];
  measure_random r = { 8 };
  for (int i = 0; i < 3; i++)
    {
      double *a = check_array (GPUEIG_DOUBLE, n[i] * n[i] * pages[i]);
      c[i] = (caller){ .is_stack = pages[i] > 1,
                       .wanted = check_array (GPUEIG_DOUBLE, n[i] * pages[i]) };
      for (int64_t p = 0; p < pages[i]; p++)
        measure_random_symmetric (&r, GPUEIG_DOUBLE, n[i], a + p * n[i] * n[i]);
      c[i].s = symmetric_problem (GPUEIG_DOUBLE, n[i], pages[i], a, c[i].wanted,
                                  NULL);
      CHECK (gpueig_onesided_eig (ctx, &c[i].s, &one, NULL) == GPUEIG_OK,
             "reference: %s", gpueig_message (ctx));
      c[i].s.lambda = check_array (GPUEIG_DOUBLE, n[i] * pages[i]);
      pthread_create (&thread[i], NULL, call_often, &c[i]);
    }
  for (int i = 0; i < 3; i++)
    {
      pthread_join (thread[i], NULL);
      CHECK (c[i].right == ROUNDS,
             "%d of %d results of %s are right, beside two other contexts",
             c[i].right, ROUNDS, c[i].is_stack ? "stacks" : "matrices");
      free ((void *) c[i].s.a);
      free (c[i].s.lambda);
      free (c[i].wanted);
    }
}

static void
test_large (const gpueig_machine *machine)
{
  if (! machine->engines[0] || getenv ("GPUEIG_DEVICE_COPIES"))
    {
      check_skip ("no library for one matrix on several GPUs");
      return;
    }
  check_large (GPUEIG_DOUBLE, 2000, 1, 0, 1);
  check_large (GPUEIG_DOUBLE, 2000, 0, 0, 0);
  check_large (GPUEIG_DOUBLE, 600, 1, 0, 0);
  check_large (GPUEIG_FLOAT, 2001, 1, 0, 0);
  check_large (GPUEIG_COMPLEX_DOUBLE, 600, 1, -300, 0);
  test_two_contexts ();
}

int
main (int argc, char **argv)
{
  gpueig_machine machine;
  check_begin ("gpus");
  ctx = check_gpus (&one, &all, &machine);
  if (! ctx)
    return check_end ();
  quick = argc > 1 && strcmp (argv[1], "quick") == 0;
  const char *part = argc > 2 ? argv[2] : "";
  if (! *part || strcmp (part, "symmetric") == 0)
    test_symmetric ();
  if (! *part || strcmp (part, "general") == 0)
    test_general ();
  if (! *part || strcmp (part, "tridiagonal") == 0)
    test_tridiagonal ();
  if (! *part || strcmp (part, "errors") == 0)
    {
      test_errors ();
      test_rest ();
    }
  if (! *part || strcmp (part, "large") == 0)
    test_large (&machine);
  gpueig_destroy (ctx);
  return check_end ();
}
