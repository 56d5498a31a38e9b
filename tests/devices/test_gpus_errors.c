/* Claims about several GPUs: every failing call is reported, or with "auto" costs what that
   GPU had not solved, and one matrix that does
   not fit in the memory of one GPU is solved by all.  On the devices of GPUEIG_DEVICE,
   "all" by default; a single GPU counts as two.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "gpueig_array.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options one, all;
static int quick;

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
run_onesided (gpueig_context *c, const void *problem,
              const gpueig_options *options)
{
  return gpueig_onesided_eig (c, problem, options, NULL);
}

static void
test_errors (void)
{
  enum
  {
    N = 24,
    PAGES = 400
  };
  FREED double *a = check_array (GPUEIG_DOUBLE, N * N * PAGES);
  FREED double *lambda = check_array (GPUEIG_DOUBLE, N * PAGES);
  measure_random r = { 1 };
  for (int k = 0; k < PAGES; k++)
    measure_random_symmetric (&r, GPUEIG_DOUBLE, N, a + k * N * N);
  gpueig_symmetric s
      = symmetric_problem (GPUEIG_DOUBLE, N, PAGES, a, lambda, NULL);
  gpueig_options options = all;
  check_failures ("onesided_eig", run_onesided, &s);
  CHECK (gpueig_onesided_eig (ctx, &s, &all, NULL) == GPUEIG_OK,
         "then all is well: %s", gpueig_message (ctx));
  options.n_devices = 2;
  options.devices[0] = 0;
  options.devices[1] = 15;
  CHECK (gpueig_onesided_eig (ctx, &s, &options, NULL) == GPUEIG_NO_DEVICE,
         "a device that is missing: %s", gpueig_message (ctx));
  setenv ("GPUEIG_DEVICE_MEMORY", "2000", 1);
  gpueig_trim (ctx);
  CHECK (gpueig_onesided_eig (ctx, &s, &all, NULL) == GPUEIG_OUT_OF_MEMORY
             && strstr (gpueig_message (ctx), "(GPU ") != NULL,
         "no memory: %s", gpueig_message (ctx));
  unsetenv ("GPUEIG_DEVICE_MEMORY");
  gpueig_trim (ctx);
}

/* With "auto" a failing call, of either share, costs pages that are solved again by the CPU:
   all results are right.  */
static void
test_rest (void)
{
  enum
  {
    N = 64,
    PAGES = 1500,
    CALLS = 12
  };
  FREED double *a = check_array (GPUEIG_DOUBLE, N * N * PAGES);
  FREED double *v = check_array (GPUEIG_DOUBLE, N * N * PAGES);
  FREED double *lambda = check_array (GPUEIG_DOUBLE, N * PAGES);
  measure_random r = { 5 };
  gpueig_options options = all;
  gpueig_info info;
  options.backend = GPUEIG_AUTO;
  for (int k = 0; k < PAGES; k++)
    measure_random_symmetric (&r, GPUEIG_DOUBLE, N, a + k * N * N);
  const gpueig_symmetric s
      = symmetric_problem (GPUEIG_DOUBLE, N, PAGES, a, lambda, v);
  gpueig_limit_chunk (ctx, 100);
  gpueig_fail_device_call (ctx, 0);
  gpueig_onesided_eig (ctx, &s, &options, &info);
  const int64_t calls = gpueig_fail_device_call (ctx, 0);
  if (info.n_devices < 2)
    check_skip ("\"auto\" takes the CPU");
  for (int k = 1; info.n_devices > 1 && k <= CALLS; k++)
    {
      gpueig_info failed;
      double worst = 0;
      memset (v, 0, N * N * PAGES * sizeof *v);
      gpueig_fail_device_call (ctx, calls * k / CALLS);
      const gpueig_status status
          = gpueig_onesided_eig (ctx, &s, &options, &failed);
      gpueig_fail_device_call (ctx, 0);
      for (int64_t p = 0; p < PAGES; p++)
        {
          double *x = v + p * N * N;
          worst = fmax (worst,
                        measure_residual (GPUEIG_DOUBLE, N, N, a + p * N * N, x,
                                          lambda + p * N));
          worst = fmax (worst, measure_orthogonality (GPUEIG_DOUBLE, N, N, x));
        }
      CHECK (status == GPUEIG_OK && strcmp (failed.fallback, "cpu") == 0,
             "call %d of %d fails with \"auto\": %s, %s", k, CALLS,
             failed.fallback, gpueig_message (ctx));
      CHECK_RATIO (worst, 10, "call %d of %d fails with \"auto\"", k, CALLS);
    }
  gpueig_limit_chunk (ctx, 0);
}

/* --- one matrix on all --- */

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

/* Bytes that the engine wants of each device, from the message that they are not
   there; the matrix has room, its work space has not.  */
static double
wanted_memory (const gpueig_symmetric *s)
{
  const double matrix
      = (double) (s->n * s->n) * (double) gpueig_scalar_size (s->type);
  double wanted = 0;
  gpueig_share_matrix (ctx, 1);
  limit_memory (1.2 * matrix);
  const gpueig_status status = gpueig_eig_symmetric (ctx, s, &all, NULL);
  const char *text = strstr (gpueig_message (ctx), "memory: ");
  CHECK (status == GPUEIG_OUT_OF_MEMORY && text
             && sscanf (text, "memory: %lf MiB", &wanted) == 1,
         "the engine tells what it wants for n = %lld: %s", (long long) s->n,
         gpueig_message (ctx));
  gpueig_share_matrix (ctx, 0);
  unlimit_memory ();
  return 1048576 * wanted;
}

/* With as much memory of a device as the engine wants.  Where one device alone can
   do with that, too, the matrix is shared because the test wants it.  *LIMITED: it
   was shared because one device has no room.  */
static gpueig_status
solve_limited (const gpueig_symmetric *s, gpueig_info *info, int *limited)
{
  limit_memory (1.02 * wanted_memory (s) + 1e5);
  *limited = gpueig_eig_symmetric (ctx, s, &one, info) == GPUEIG_OUT_OF_MEMORY;
  gpueig_trim (ctx);
  gpueig_share_matrix (ctx, ! *limited);
  const gpueig_status status = gpueig_eig_symmetric (ctx, s, &all, info);
  gpueig_share_matrix (ctx, 0);
  unsetenv ("GPUEIG_DEVICE_MEMORY");
  return status;
}

static gpueig_status
run_shared (gpueig_context *c, const void *problem,
            const gpueig_options *options)
{
  gpueig_share_matrix (c, 1);
  const gpueig_status status = gpueig_eig_symmetric (c, problem, options, NULL);
  gpueig_share_matrix (c, 0);
  return status;
}

/* Failing calls of the thread that prepares the engine and copies.  */
static void
check_large_failures (const gpueig_symmetric *s)
{
  int64_t again, missed;
  count_calls (run_shared, s, &again);
  const int64_t step = again / 12 + 1;
  const int64_t told = count_told (run_shared, s, 0, 1, again, step, &missed);
  CHECK (again > 10 && told == (again + step - 1) / step,
         "one matrix on all: %lld failing calls of %lld are told; the first "
         "that is not: %lld",
         (long long) told, (long long) again, (long long) missed);
  CHECK (run_shared (ctx, s, &all) == GPUEIG_OK, "then all is well: %s",
         gpueig_message (ctx));
}

/* LIMIT: one device has no room for what several do.  */
static void
check_large (gpueig_type type, int64_t n, int vectors, int exponent, int limit)
{
  FREED void *a = check_array (type, n * n), *lambda = check_array (type, n);
  FREED void *reference = check_array (type, n), *v = NULL;
  measure_random r = { 17 };
  gpueig_info info;
  measure_random_symmetric (&r, type, n, a);
  for (int64_t i = 0; exponent != 0 && i < n * n; i++)
    measure_set (type, a, i, measure_get (type, a, i) * ldexp (1, exponent));
  gpueig_symmetric s = symmetric_problem (type, n, 1, a, reference, NULL);
  CHECK (gpueig_eig_symmetric (ctx, &s, &one, &info) == GPUEIG_OK,
         "reference: %s", gpueig_message (ctx));
  if (vectors)
    v = check_array (type, n * n);
  s.lambda = lambda;
  s.v = v;
  /* The library itself samples residual and orthogonality.  */
  int limited;
  const gpueig_status status = solve_limited (&s, &info, &limited);
  CHECK (limited || ! limit, "one device has no room for n = %lld",
         (long long) n);
  CHECK (status == GPUEIG_OK && info.n_devices > 1
             && strcmp (info.method, "syevd") == 0,
         "%s, n = %lld on %d devices by %s: %.3f s: %s", check_type_name[type],
         (long long) n, info.n_devices, info.method, info.time_total,
         gpueig_message (ctx));
  if (status == GPUEIG_OK)
    CHECK_RATIO (measure_eigenvalues (type, n, lambda, reference,
                                      measure_norm (type, n, n, a)),
                 10, "eigenvalues of %s, n = %lld", check_type_name[type],
                 (long long) n);
  if (status == GPUEIG_OK && v && n <= 600)
    {
      CHECK_RATIO (measure_residual (type, n, n, a, v, lambda), 10,
                   "residual of %s", check_type_name[type]);
      CHECK_RATIO (measure_orthogonality (type, n, n, v), 10,
                   "orthogonality of %s", check_type_name[type]);
    }
  if (status == GPUEIG_OK && type == GPUEIG_DOUBLE && n <= 600)
    check_large_failures (&s);
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
  check_begin ("gpus_errors");
  ctx = check_gpus (&one, &all, &machine);
  if (! ctx)
    return check_end ();
  quick = argc > 1 && strcmp (argv[1], "quick") == 0;
  const char *part = argc > 2 ? argv[2] : "";
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
