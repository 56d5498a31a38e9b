/* Claims: a fault that makes the GPU unusable is reported once, with its cause; then
   "auto" uses the CPU and sets info->device_lost once, "cuda" and the query report that
   the GPU was lost; the lost GPU is not used again, and the process exits normally.
   After an error that leaves the GPU usable the next call succeeds.  With a plugin that
   simulates faults, and on backend cuda with real faults, each in a separate process.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solvers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum
{
  N = 24,
  APART = 7000 /* order from which Xsyevd runs on a thread of its own */
};

static any_problem
make (int i, int64_t n, int64_t pages)
{
  any_problem p = make_problem (&solvers[i], GPUEIG_DOUBLE, n, pages, 2);
  fill_problem (&p, 3);
  return p;
}

/* Solve a problem of solver I with PAGES pages of order N.  */
static gpueig_status
solve (gpueig_context *ctx, int i, int64_t pages, const gpueig_options *options,
       gpueig_info *info)
{
  CLEANUP (free_problem) any_problem p = make (i, N, pages);
  return solve_problem (ctx, &p, options, info);
}

static int
says (const char *text, const char *part)
{
  return strstr (text, part) != NULL;
}

/* --- the state of a context, before and after --- */

static gpueig_options
backend (gpueig_backend which)
{
  gpueig_options options = gpueig_default_options ();
  options.backend = which;
  return options;
}

/* Solver I on "auto", after NAME; DEVICE_LOST: is to be set.  */
static void
check_cpu (gpueig_context *ctx, int i, int device_lost, const char *name)
{
  const gpueig_options automatic = backend (GPUEIG_AUTO);
  gpueig_info info;
  CLEANUP (free_problem) any_problem p = make (i, N, 3);
  const gpueig_status status = solve_problem (ctx, &p, &automatic, &info);
  CHECK (status == GPUEIG_OK && strcmp (info.backend, "cpu") == 0
             && info.fallback[0] == '\0',
         "%s, then %s on auto: %s", name, solvers[i].name,
         gpueig_message (ctx));
  CHECK (info.device_lost == device_lost, "%s, then %s on auto: said %d", name,
         solvers[i].name, info.device_lost);
  CHECK_RATIO (problem_ratio (&p), 1, "%s, then %s on auto", name,
               solvers[i].name);
}

/* Check the claims after FAULT was reported.  */
static void
check_lost (gpueig_context *ctx, const char *fault, const char *name)
{
  const gpueig_options cuda = backend (GPUEIG_CUDA);
  gpueig_machine machine;
  gpueig_info info;
  CHECK (says (gpueig_device_fault (ctx), fault), "%s: the fault is \"%s\"",
         name, gpueig_device_fault (ctx));
  for (int i = 0; i < SOLVERS; i++)
    CHECK (solve (ctx, i, 3, &cuda, &info) == GPUEIG_NO_DEVICE
               && says (gpueig_message (ctx), fault)
               && says (gpueig_message (ctx), "lost by an earlier fault")
               && says (gpueig_message (ctx), "restarted"),
           "%s, then %s on cuda: %s", name, solvers[i].name,
           gpueig_message (ctx));
  for (int i = 0; i < SOLVERS; i++)
    check_cpu (ctx, i, i == 0, name);
  gpueig_options on_gpu = backend (GPUEIG_AUTO);
  on_gpu.method = "ql";
  CHECK (solve (ctx, SOLVE_EIG, 3, &on_gpu, &info) == GPUEIG_NO_DEVICE
             && says (gpueig_message (ctx), "lost by an earlier fault"),
         "%s, then a method of the GPU: %s", name, gpueig_message (ctx));
  gpueig_query (ctx, &machine);
  CHECK (! machine.cuda && machine.n_devices == 0
             && says (machine.reason, fault) && says (machine.reason, "lost"),
         "%s: the query says \"%s\"", name, machine.reason);
  gpueig_trim (ctx);
  CHECK (gpueig_memory (ctx) == 0, "%s: %d bytes of memory are left", name,
         (int) gpueig_memory (ctx));
}

/* --- with a plugin that simulates faults --- */

static char plugin[4096];

static gpueig_context *
pretending (void)
{
  gpueig_context *ctx;
  if (gpueig_create (&ctx) != GPUEIG_OK
      || gpueig_set_plugin (ctx, plugin) != GPUEIG_OK)
    exit (2);
  return ctx;
}

/* Transient errors, simulated and real: the call reports the error, the next one
   succeeds.  */
static void
test_passing_errors (gpueig_context *ctx, int real)
{
  const gpueig_options cuda = backend (GPUEIG_CUDA);
  gpueig_machine machine;
  gpueig_info info;
  for (int i = 0; i < SOLVERS; i++)
    for (int k = 1; k <= 4; k++)
      {
        if (real)
          gpueig_fault_device_call (ctx, k, GPUEIG_FAULT_LAUNCH);
        else
          gpueig_fail_device_call (ctx, k);
        CHECK (solve (ctx, i, 3, &cuda, &info) == GPUEIG_DEVICE_ERROR
                   && says (gpueig_message (ctx), "cudaError")
                   && ! says (gpueig_message (ctx), "lost"),
               "%s, call %d: %s", solvers[i].name, k, gpueig_message (ctx));
        gpueig_fail_device_call (ctx, 0);
        CHECK (solve (ctx, i, 3, &cuda, &info) == GPUEIG_OK
                   && strcmp (info.backend, "cuda") == 0 && ! info.device_lost,
               "%s after an error that passes: %s", solvers[i].name,
               gpueig_message (ctx));
      }
  gpueig_query (ctx, &machine);
  CHECK (machine.cuda && gpueig_device_fault (ctx)[0] == '\0',
         "the GPU is usable after errors that pass");
}

/* --- faults --- */

static int polls, stop_at;

static int
interrupted (void *unused)
{
  (void) unused;
  return ++polls == stop_at;
}

static gpueig_options
with_xsyevd (void)
{
  gpueig_options options = backend (GPUEIG_CUDA);
  options.method = "syevd";
  return options;
}

/* An Xsyevd on a thread of its own, and the call that asked for it is
   interrupted, so that it still runs when the GPU is lost.  */
static void
leave_alone (gpueig_context *ctx)
{
  const gpueig_options cuda = with_xsyevd ();
  const gpueig_callbacks callbacks = { .interrupted = interrupted };
  gpueig_info info;
  gpueig_set_callbacks (ctx, &callbacks);
  /* The first one has no thread of its own: about as many polls as before an Xsyevd that
     has, which polls while it waits.  On a busy machine waits before it poll, too: later
     then.  */
  for (int64_t n = APART - 1, tries = 0; n <= APART; n++, tries++)
    {
      CLEANUP (free_problem)
      any_problem p
          = make_problem (&solvers[SOLVE_EIG], GPUEIG_DOUBLE, n, 1, 0);
      fill_problem (&p, 3);
      stop_at = n < APART ? 0 : polls + 2;
      polls = 0;
      const gpueig_status status = solve_problem (ctx, &p, &cuda, &info);
      if (n == APART && status == GPUEIG_INTERRUPTED && tries < 20
          && ! gpueig_detached (ctx))
        n--;
      else
        CHECK (status == (n < APART ? GPUEIG_OK : GPUEIG_INTERRUPTED)
                   && gpueig_detached (ctx) == (n == APART),
               "order %d left alone: %s", (int) n, gpueig_message (ctx));
    }
  gpueig_set_callbacks (ctx, NULL);
}

/* WHERE: the first, a middle or the last checked call of solver I meets the
   fault ('f', 'm', 'l'), the first allocation of one whose GPU is open ('o'), a
   call of cuSOLVER apart ('a'), or another call while one of cuSOLVER is left
   alone ('i').  */
static void
test_fault (gpueig_context *ctx, int i, char where, gpueig_fault kind)
{
  const gpueig_options cuda
      = where == 'a' ? with_xsyevd () : backend (GPUEIG_CUDA);
  const char *fault
      = kind == GPUEIG_FAULT_TRAP ? "trap_kernel" : "wild_address_kernel";
  gpueig_info info;
  char name[80];
  CLEANUP (free_problem)
  any_problem p = make (i, where == 'a' ? APART : N, where == 'a' ? 1 : 3);
  int64_t k = 1;
  snprintf (name, sizeof name, "%s, %c, kind %d", solvers[i].name, where, kind);
  if (where == 'i')
    leave_alone (ctx);
  if (where == 'o')
    {
      solve_problem (ctx, &p, &cuda, &info);
      gpueig_trim (ctx);
    }
  if (where == 'm' || where == 'l')
    {
      /* The first call opens the GPU, too.  */
      solve_problem (ctx, &p, &cuda, &info);
      gpueig_fail_device_call (ctx, 0);
      CHECK (solve_problem (ctx, &p, &cuda, &info) == GPUEIG_OK, "%s: %s", name,
             gpueig_message (ctx));
      k = gpueig_fail_device_call (ctx, 0);
      k = where == 'm' ? k / 2 : k;
    }
  gpueig_fault_device_call (ctx, where == 'a' ? -1 : k, kind);
  gpueig_status status = solve_problem (ctx, &p, &cuda, &info);
  /* After the last checked call the next one meets it.  */
  if (status == GPUEIG_OK && where == 'l')
    status = solve_problem (ctx, &p, &cuda, &info);
  CHECK (status == GPUEIG_DEVICE_ERROR
             && says (gpueig_message (ctx), "cudaError")
             && says (gpueig_message (ctx), "restarted"),
         "%s: %s", name, gpueig_message (ctx));
  if (where == 'a')
    fault = "cusolverDnXsyevd";
  check_lost (ctx, fault, name);
  gpueig_destroy (ctx);
}

/* The same in a process of its own, which must end well.  */
static void
in_a_child (const char *self, int i, char where, gpueig_fault kind)
{
  char command[4200];
  snprintf (command, sizeof command, "'%s' %d %c %d", self, i, where, kind);
  fflush (stdout);
  const int status = system (command);
  CHECK (WIFEXITED (status) && WEXITSTATUS (status) == 0,
         "%s: the process ends with status %d", command, status);
}

static void
test_real_faults (const char *self)
{
  gpueig_options options;
  for (int i = 0; i < SOLVERS; i++)
    for (int j = 0; j < 3; j++)
      in_a_child (self, i, "fml"[j],
                  (i + j) % 2 ? GPUEIG_FAULT_TRAP : GPUEIG_FAULT_ADDRESS);
  for (int i = 0; i < SOLVERS; i += 3)
    in_a_child (self, i, 'o', GPUEIG_FAULT_ADDRESS);
  in_a_child (self, SOLVE_EIG, 'a', GPUEIG_FAULT_TRAP);
  in_a_child (self, SOLVE_EIG, 'a', GPUEIG_FAULT_ADDRESS);
  in_a_child (self, 0, 'i', GPUEIG_FAULT_TRAP);
  gpueig_context *ctx = check_context (&options);
  test_passing_errors (ctx, 0);
  test_passing_errors (ctx, 1);
  gpueig_destroy (ctx);
}

int
main (int argc, char **argv)
{
  char self[4000];
  const char *wanted = getenv ("GPUEIG_TEST_BACKEND");
  const ssize_t length = readlink ("/proc/self/exe", self, sizeof self - 1);
  check_begin ("lost");
  if (length <= 0)
    exit (2);
  self[length] = '\0';
  if (argc > 3)
    {
      gpueig_options options;
      test_fault (check_context (&options), atoi (argv[1]), argv[2][0],
                  (gpueig_fault) atoi (argv[3]));
      return check_end ();
    }
  snprintf (plugin, sizeof plugin, "%.*s/devices_plugin.so",
            (int) (strrchr (self, '/') - self), self);
  setenv ("GPUEIG_FAKE_DEVICES", "1", 1);
  for (int i = 0; i < SOLVERS; i++)
    for (int j = 0; j < 3; j++)
      test_fault (pretending (), i, "fml"[j],
                  j % 2 ? GPUEIG_FAULT_TRAP : GPUEIG_FAULT_ADDRESS);
  gpueig_context *ctx = pretending ();
  test_passing_errors (ctx, 0);
  test_passing_errors (ctx, 1);
  gpueig_destroy (ctx);
  if (wanted && strcmp (wanted, "cuda") == 0)
    test_real_faults (self);
  return check_end ();
}
