/* Claims about failures of several GPUs, real ones only. On the devices of GPUEIG_DEVICE,
   "all" by default; a single GPU counts as two. Failing calls of stacks: test_place,
   faults.tst.
   auto_solves_what_a_failing_gpu_left: with "auto" a failing call costs what that GPU, and
     after a fault any GPU, had not solved
   all_gpus_solve_one_large_matrix: one matrix that does not fit in the memory of one GPU is
     solved by all, or a failing call is reported
   too_large_is_known_before_the_work: which that is, is known before the work and with little
     memory to spare
   test_gpus_errors [quick [rest | large | memory]]
   test_gpus_errors fault K  with "auto" call K of 12 loses its GPU, see
                             auto_solves_what_a_failing_gpu_left
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solvers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static gpueig_context *ctx;
static gpueig_options one, all;

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

enum
{
  CALLS = 12
};

/* With "auto" call K of CALLS, of either share, fails, and all pages of the other shares are
   kept, or with FAULT it loses all GPUs; the CPU solves the rest.  Q: P as GPUs solve it,
   in CALLS_OF_ALL calls.  A fault also takes what was asked for and has not come back,
   perhaps all.  */
static void
check_rest (any_problem *p, const any_problem *q, int64_t calls_of_all, int k,
            int fault)
{
  gpueig_options options = all;
  int64_t kept = 0;
  options.backend = GPUEIG_AUTO;
  memset (p->v, 0, (size_t) (p->n * p->n * p->pages) * sizeof (double));
  if (fault)
    gpueig_fault_device_call (ctx, calls_of_all * k / CALLS,
                              GPUEIG_FAULT_ADDRESS);
  else
    gpueig_fail_device_call (ctx, calls_of_all * k / CALLS);
  const gpueig_status status = solve_problem (ctx, p, &options, &p->info);
  gpueig_fail_device_call (ctx, 0);
  for (int64_t page = 0; page < p->pages; page++)
    kept += same_page (p, page, q, page);
  CHECK (status == GPUEIG_OK && strcmp (p->info.fallback, "cpu") == 0
             && p->info.device_lost == fault
             && (fault || kept >= p->pages - p->pages / q->info.n_devices - 1),
         "call %d of %d %s with \"auto\", %lld of %lld pages are kept: %s, %s",
         k, CALLS, fault ? "loses its GPU" : "fails", (long long) kept,
         (long long) p->pages, p->info.fallback, gpueig_message (ctx));
  CHECK_RATIO (problem_ratio (p), 1, "call %d of %d %s with \"auto\"", k, CALLS,
               fault ? "loses its GPU" : "fails");
}

/* SELF: the name of this program, which is started for each fault, as it ends all use of
   GPUs.  FAULT: the call that it has to meet, or 0.  */
static void
auto_solves_what_a_failing_gpu_left (const char *self, int fault)
{
  gpueig_options options = all;
  CLEANUP (free_problem)
  any_problem p
      = make_problem (&solvers[SOLVE_ONESIDED], GPUEIG_DOUBLE, 64, 1500, 2);
  fill_problem (&p, 5);
  CLEANUP (free_problem) any_problem q = copy_problem (&p);
  options.backend = GPUEIG_AUTO;
  gpueig_limit_chunk (ctx, 100);
  /* The first call opens devices and allocates.  */
  solve_problem (ctx, &q, &options, &q.info);
  gpueig_fail_device_call (ctx, 0);
  solve_problem (ctx, &q, &options, &q.info);
  const int64_t calls = gpueig_fail_device_call (ctx, 0);
  if (q.info.n_devices < 2)
    check_skip ("\"auto\" takes the CPU");
  else if (fault)
    check_rest (&p, &q, calls, fault, 1);
  for (int k = 1; q.info.n_devices > 1 && ! fault && k <= CALLS; k++)
    check_rest (&p, &q, calls, k, 0);
  for (int k = 3; q.info.n_devices > 1 && ! fault && k <= CALLS; k += 4)
    {
      char command[4200];
      snprintf (command, sizeof command, "'%s' fault %d", self, k);
      fflush (stdout);
      const int status = system (command);
      CHECK (WIFEXITED (status) && WEXITSTATUS (status) == 0,
             "%s: the process ends with status %d", command, status);
    }
  gpueig_limit_chunk (ctx, 0);
}

/* --- one matrix on all --- */

static gpueig_status
run_shared (const any_problem *p)
{
  gpueig_share_matrix (ctx, 1);
  const gpueig_status status = solve_problem (ctx, p, &all, NULL);
  gpueig_share_matrix (ctx, 0);
  return status;
}

/* Bytes that the engine wants of each device, from the message that they are not
   there; the matrix has room, its work space has not.  */
static double
wanted_memory (const any_problem *p)
{
  const double matrix
      = (double) (p->n * p->n) * (double) gpueig_scalar_size (p->type);
  double wanted = 0;
  limit_memory (1.2 * matrix);
  const gpueig_status status = run_shared (p);
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
  *limited = solve_problem (ctx, p, &one, NULL) == GPUEIG_OUT_OF_MEMORY;
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
  int64_t missed = 0;
  run_shared (p);
  gpueig_fail_device_call (ctx, 0);
  run_shared (p);
  const int64_t calls = gpueig_fail_device_call (ctx, 0);
  for (int64_t k = 1; k <= calls; k += calls / 12 + 1)
    {
      gpueig_fail_device_call (ctx, k);
      if (run_shared (p) != GPUEIG_DEVICE_ERROR
          || ! strstr (gpueig_message (ctx), "simulated"))
        missed = missed ? missed : k;
      gpueig_fail_device_call (ctx, 0);
    }
  CHECK (calls > 10 && missed == 0,
         "one matrix on all: of %lld failing calls number %lld is not told",
         (long long) calls, (long long) missed);
  CHECK (run_shared (p) == GPUEIG_OK, "then all is well: %s",
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
  measure_scale (type, n * n, q.a, ldexp (1, exponent));
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

static void
all_gpus_solve_one_large_matrix (const gpueig_machine *machine)
{
  if (! machine->engines[0])
    {
      check_skip ("no library for one matrix on several GPUs");
      return;
    }
  check_large (GPUEIG_DOUBLE, 2000, 1, 0, 1);
  check_large (GPUEIG_DOUBLE, 2000, 0, 0, 0);
  check_large (GPUEIG_DOUBLE, 600, 1, 0, 0);
  check_large (GPUEIG_FLOAT, 2001, 1, 0, 0);
  check_large (GPUEIG_COMPLEX_DOUBLE, 600, 1, -300, 0);
}

/* --- when one matrix is for all --- */

static gpueig_status
solve_within (any_problem *p, double bytes, const gpueig_options *options)
{
  limit_memory (bytes);
  const gpueig_status status = solve_problem (ctx, p, options, &p->info);
  unlimit_memory ();
  return status;
}

/* One device solves the matrix within HIGH bytes, but not within LOW.  With less than LOW
   all are to be taken, and not one that runs out of memory, though they may need more each;
   with somewhat more than HIGH one.  */
static void
check_estimate (gpueig_type type, int64_t n, int vectors)
{
  CLEANUP (free_problem)
  any_problem p = make_problem (&solvers[SOLVE_EIG], type, n, 1, 1 + vectors);
  fill_problem (&p, 18);
  double low = (double) (n * n) * (double) gpueig_scalar_size (type),
         high = 12 * low;
  solve_within (&p, high, &one);
  while (high > 1.01 * low)
    {
      const double bytes = sqrt (low * high);
      if (solve_within (&p, bytes, &one) == GPUEIG_OK)
        high = bytes;
      else
        low = bytes;
    }
  const gpueig_status less = solve_within (&p, 0.99 * low, &all);
  CHECK (less != GPUEIG_OUT_OF_MEMORY
             || strstr (gpueig_message (ctx), "needed on each of"),
         "%s: one device needs %.4g MiB, and has 1 per cent less: %s", p.what,
         high / 1048576, gpueig_message (ctx));
  const gpueig_status more = solve_within (&p, 1.12 * high, &all);
  CHECK (more == GPUEIG_OK && p.info.n_devices < 2,
         "%s: one device needs %.4g MiB, and has 12 per cent more: %s", p.what,
         high / 1048576, gpueig_message (ctx));
}

static void
too_large_is_known_before_the_work (void)
{
  check_estimate (GPUEIG_DOUBLE, 2600, 1);
  check_estimate (GPUEIG_DOUBLE, 3100, 0);
  check_estimate (GPUEIG_FLOAT, 3500, 1);
  check_estimate (GPUEIG_COMPLEX_DOUBLE, 2200, 1);
}

int
main (int argc, char **argv)
{
  gpueig_machine machine;
  const char *part = argc > 2 ? argv[2] : "";
  check_begin ("gpus_errors");
  ctx = check_gpus (&one, &all, &machine);
  if (! ctx)
    return check_end ();
  if (argc > 2 && strcmp (argv[1], "fault") == 0)
    auto_solves_what_a_failing_gpu_left (argv[0], atoi (part));
  if (! *part || strcmp (part, "rest") == 0)
    auto_solves_what_a_failing_gpu_left (argv[0], 0);
  if (! *part || strcmp (part, "large") == 0)
    all_gpus_solve_one_large_matrix (&machine);
  if (! *part || strcmp (part, "memory") == 0)
    too_large_is_known_before_the_work ();
  gpueig_destroy (ctx);
  return check_end ();
}
