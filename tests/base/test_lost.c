/* Claims: a fault that makes the GPU unusable is reported once, with its cause; then
   "auto" uses the CPU and sets info->device_lost once, "cuda" and the query report that
   the GPU was lost; the lost GPU is not used again, and the process exits normally.
   After an error that leaves the GPU usable the next call succeeds.  With a plugin that
   simulates faults, and on backend cuda with real faults, each in a separate process.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "limits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- a problem of every solver --- */

enum
{
  N = 24, /* order; PAGES of them are worth a GPU in "auto" */
  PAGES = 400,
  APART = 450 /* order from which Xgeev runs on a thread of its own */
};

typedef struct
{
  int64_t n, pages;
  double *a, *d, *e; /* symmetric pages, diagonally dominant (d, e) */
  double *lambda, *v;
} data;

typedef gpueig_status solver (gpueig_context *ctx, const data *p,
                              const gpueig_options *options, gpueig_info *info);

static gpueig_symmetric
symmetric (const data *p)
{
  return (gpueig_symmetric){ .type = GPUEIG_DOUBLE,
                             .n = p->n,
                             .pages = p->pages,
                             .a = p->a,
                             .lambda = p->lambda,
                             .v = p->v };
}

static gpueig_general
general (const data *p)
{
  return (gpueig_general){ .type = GPUEIG_DOUBLE,
                           .n = p->n,
                           .pages = p->pages,
                           .a = p->a,
                           .lambda = p->lambda,
                           .v = p->v };
}

static gpueig_status
run_eig (gpueig_context *ctx, const data *p, const gpueig_options *options,
         gpueig_info *info)
{
  const gpueig_symmetric s = symmetric (p);
  return gpueig_eig_symmetric (ctx, &s, options, info);
}

static gpueig_status
run_jacobi (gpueig_context *ctx, const data *p, const gpueig_options *options,
            gpueig_info *info)
{
  const gpueig_symmetric s = symmetric (p);
  return gpueig_jacobi_eig (ctx, &s, options, info);
}

static gpueig_status
run_onesided (gpueig_context *ctx, const data *p, const gpueig_options *options,
              gpueig_info *info)
{
  const gpueig_symmetric s = symmetric (p);
  return gpueig_onesided_eig (ctx, &s, options, info);
}

static gpueig_status
run_mrrr (gpueig_context *ctx, const data *p, const gpueig_options *options,
          gpueig_info *info)
{
  const gpueig_mrrr_problem m = { .type = GPUEIG_DOUBLE,
                                  .n = p->n,
                                  .pages = p->pages,
                                  .a = p->a,
                                  .lambda = p->lambda,
                                  .v = p->v };
  return gpueig_mrrr (ctx, &m, options, info);
}

static gpueig_status
run_general (gpueig_context *ctx, const data *p, const gpueig_options *options,
             gpueig_info *info)
{
  const gpueig_general g = general (p);
  return gpueig_eig_general (ctx, &g, options, info);
}

static gpueig_status
run_complex (gpueig_context *ctx, const data *p, const gpueig_options *options,
             gpueig_info *info)
{
  const gpueig_general g = general (p);
  return gpueig_complex_eig (ctx, &g, options, info);
}

static gpueig_status
run_tdinv (gpueig_context *ctx, const data *p, const gpueig_options *options,
           gpueig_info *info)
{
  const gpueig_tdinv_problem t = { .type = GPUEIG_DOUBLE,
                                   .n = p->n,
                                   .c = p->e,
                                   .a = p->d,
                                   .b = p->e,
                                   .band = -1,
                                   .x = p->v };
  return gpueig_tdinv (ctx, &t, options, info);
}

static const struct
{
  const char *name;
  solver *run;
} table[] = {
  { "eig", run_eig },
  { "jacobi_eig", run_jacobi },
  { "onesided_eig", run_onesided },
  { "mrrr", run_mrrr },
  { "complex_eig", run_complex },
  { "eig_general", run_general },
  { "tdinv", run_tdinv },
};

enum
{
  SOLVERS = sizeof table / sizeof table[0],
  GENERAL = 5 /* eig_general */
};

static data
make (int64_t n, int64_t pages)
{
  data p = { .n = n, .pages = pages };
  measure_random r = { 3 };
  p.a = check_array (GPUEIG_DOUBLE, n * n * pages);
  p.d = check_array (GPUEIG_DOUBLE, n);
  p.e = check_array (GPUEIG_DOUBLE, n);
  p.lambda = check_array (GPUEIG_COMPLEX_DOUBLE, n * pages);
  p.v = check_array (GPUEIG_COMPLEX_DOUBLE, n * n * pages);
  for (int64_t i = 0; i < pages; i++)
    measure_random_symmetric (&r, GPUEIG_DOUBLE, n, p.a + i * n * n);
  for (int64_t i = 0; i < n; i++)
    {
      p.d[i] = 4;
      p.e[i] = 1;
    }
  return p;
}

static void
discard (data *p)
{
  free (p->a);
  free (p->d);
  free (p->e);
  free (p->lambda);
  free (p->v);
}

/* The error of the eigenvalues of the first page, for a symmetric solver.  */
static double
ratio (const data *p)
{
  return worst_of (
      measure_residual (GPUEIG_DOUBLE, p->n, p->n, p->a, p->v, p->lambda),
      measure_orthogonality (GPUEIG_DOUBLE, p->n, p->n, p->v));
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

/* Check the claims after FAULT was reported.  REPORTED: by a call with "auto".  */
static void
check_lost (gpueig_context *ctx, const char *fault, int reported,
            const char *name)
{
  const gpueig_options automatic = backend (GPUEIG_AUTO);
  const gpueig_options cuda = backend (GPUEIG_CUDA);
  gpueig_machine machine;
  gpueig_info info;
  data p = make (N, 3);
  CHECK (says (gpueig_device_fault (ctx), fault), "%s: the fault is \"%s\"",
         name, gpueig_device_fault (ctx));
  for (int i = 0; i < SOLVERS; i++)
    CHECK (table[i].run (ctx, &p, &cuda, &info) == GPUEIG_NO_DEVICE
               && says (gpueig_message (ctx), fault)
               && says (gpueig_message (ctx), "lost by an earlier fault")
               && says (gpueig_message (ctx), "restarted"),
           "%s, then %s on cuda: %s", name, table[i].name,
           gpueig_message (ctx));
  for (int i = 0; i < SOLVERS; i++)
    {
      const gpueig_status status = table[i].run (ctx, &p, &automatic, &info);
      CHECK (status == GPUEIG_OK && strcmp (info.backend, "cpu") == 0
                 && info.fallback[0] == '\0',
             "%s, then %s on auto: %s", name, table[i].name,
             gpueig_message (ctx));
      CHECK (info.device_lost == (i == 0 && ! reported),
             "%s, then %s on auto: said %d", name, table[i].name,
             info.device_lost);
      if (i < 4)
        CHECK_RATIO (ratio (&p), LIMIT_RESIDUAL, "%s, then %s on auto", name,
                     table[i].name);
    }
  gpueig_options on_gpu = automatic;
  on_gpu.method = "ql";
  CHECK (run_eig (ctx, &p, &on_gpu, &info) == GPUEIG_NO_DEVICE
             && says (gpueig_message (ctx), "lost by an earlier fault"),
         "%s, then a method of the GPU: %s", name, gpueig_message (ctx));
  gpueig_query (ctx, &machine);
  CHECK (! machine.cuda && machine.n_devices == 0
             && says (machine.reason, fault) && says (machine.reason, "lost"),
         "%s: the query says \"%s\"", name, machine.reason);
  gpueig_trim (ctx);
  CHECK (gpueig_memory (ctx) == 0, "%s: %d bytes of memory are left", name,
         (int) gpueig_memory (ctx));
  discard (&p);
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

/* The GPU is lost at each checked call of solver I: with backend "cuda" the call
   returns the fault, with "auto" it continues on the CPU.  */
static void
test_each_call (int i)
{
  const gpueig_options cuda = backend (GPUEIG_CUDA);
  const gpueig_options automatic = backend (GPUEIG_AUTO);
  char name[80];
  gpueig_info info;
  data p = make (N, PAGES);
  gpueig_context *ctx = pretending ();
  gpueig_fault_device_call (ctx, 0, GPUEIG_FAULT_TRAP);
  CHECK (table[i].run (ctx, &p, &cuda, &info) == GPUEIG_OK
             && strcmp (info.backend, "cuda") == 0,
         "%s: %s", table[i].name, gpueig_message (ctx));
  const int calls = (int) gpueig_fault_device_call (ctx, 0, GPUEIG_FAULT_TRAP);
  CHECK (calls > 5, "%s makes %d calls", table[i].name, calls);
  gpueig_destroy (ctx);
  for (int k = 1; k <= calls; k++)
    {
      ctx = pretending ();
      snprintf (name, sizeof name, "%s, call %d", table[i].name, k);
      gpueig_fault_device_call (ctx, k, GPUEIG_FAULT_ADDRESS);
      CHECK (table[i].run (ctx, &p, &cuda, &info) == GPUEIG_DEVICE_ERROR
                 && says (gpueig_message (ctx), "cudaErrorIllegalAddress")
                 && says (gpueig_message (ctx), "wild_address_kernel")
                 && says (gpueig_message (ctx), "restarted"),
             "%s: %s", name, gpueig_message (ctx));
      check_lost (ctx, "cudaErrorIllegalAddress in wild_address_kernel", 0,
                  name);
      gpueig_destroy (ctx);
    }
  /* A solver for which "auto" never uses the GPU does not reach the fault.  */
  ctx = pretending ();
  gpueig_fault_device_call (ctx, 3, GPUEIG_FAULT_TRAP);
  CHECK (table[i].run (ctx, &p, &automatic, &info) == GPUEIG_OK
             && strcmp (info.backend, "cpu") == 0,
         "%s on auto: %s", table[i].name, gpueig_message (ctx));
  if (gpueig_device_fault (ctx)[0])
    {
      CHECK (info.device_lost && strcmp (info.fallback, "cpu") == 0,
             "%s on auto says that the GPU is lost", table[i].name);
      check_lost (ctx, "cudaErrorLaunchFailure in trap_kernel", 1,
                  table[i].name);
    }
  gpueig_destroy (ctx);
  discard (&p);
}

/* Transient errors, simulated and real: the call reports the error, the next one
   succeeds.  */
static void
test_passing_errors (gpueig_context *ctx, int real)
{
  const gpueig_options cuda = backend (GPUEIG_CUDA);
  gpueig_machine machine;
  gpueig_info info;
  data p = make (N, 3);
  for (int i = 0; i < SOLVERS; i++)
    for (int k = 1; k <= 4; k++)
      {
        if (real)
          gpueig_fault_device_call (ctx, k, GPUEIG_FAULT_LAUNCH);
        else
          gpueig_fail_device_call (ctx, k);
        CHECK (table[i].run (ctx, &p, &cuda, &info) == GPUEIG_DEVICE_ERROR
                   && says (gpueig_message (ctx), "cudaError")
                   && ! says (gpueig_message (ctx), "lost"),
               "%s, call %d: %s", table[i].name, k, gpueig_message (ctx));
        gpueig_fail_device_call (ctx, 0);
        CHECK (table[i].run (ctx, &p, &cuda, &info) == GPUEIG_OK
                   && strcmp (info.backend, "cuda") == 0 && ! info.device_lost,
               "%s after an error that passes: %s", table[i].name,
               gpueig_message (ctx));
      }
  gpueig_query (ctx, &machine);
  CHECK (machine.cuda && gpueig_device_fault (ctx)[0] == '\0',
         "the GPU is usable after errors that pass");
  discard (&p);
}

/* gpueig_set_plugin resets the loss; a failing call does not count as the one warning;
   cached memory of a lost GPU is not freed.  */
static void
test_sequence (void)
{
  const gpueig_options cuda = backend (GPUEIG_CUDA);
  const gpueig_options automatic = backend (GPUEIG_AUTO);
  gpueig_machine machine;
  gpueig_info info;
  data p = make (N, 2);
  gpueig_context *ctx = pretending ();
  run_eig (ctx, &p, &cuda, &info);
  const int64_t cached = gpueig_memory (ctx);
  CHECK (cached > 0, "blocks are cached");
  gpueig_fault_device_call (ctx, 1, GPUEIG_FAULT_TRAP);
  CHECK (run_eig (ctx, &p, &cuda, &info) == GPUEIG_DEVICE_ERROR, "fault");
  CHECK (gpueig_memory (ctx) < cached, "blocks of the lost GPU are forgotten");
  p.a[0] = NAN;
  CHECK (run_eig (ctx, &p, &automatic, &info) == GPUEIG_NONFINITE
             && ! info.device_lost,
         "a failing call does not warn");
  p.a[0] = 1;
  CHECK (run_eig (ctx, &p, &automatic, &info) == GPUEIG_OK && info.device_lost,
         "the first that succeeds does");
  CHECK (gpueig_set_plugin (ctx, plugin) == GPUEIG_OK, "set again");
  gpueig_fail_device_call (ctx, 0);
  gpueig_query (ctx, &machine);
  CHECK (machine.cuda && machine.n_devices == 1, "a new plugin, a new GPU");
  CHECK (run_eig (ctx, &p, &cuda, &info) == GPUEIG_OK, "%s",
         gpueig_message (ctx));
  gpueig_destroy (ctx);
  discard (&p);
}

/* --- real faults --- */

static int polls;

static int
interrupted (void *unused)
{
  (void) unused;
  return polls-- == 0;
}

static gpueig_options
with_xgeev (void)
{
  gpueig_options options = backend (GPUEIG_CUDA);
  options.method = "geev";
  return options;
}

/* An Xgeev on a thread of its own, and the call that asked for it is
   interrupted, so that it still runs when the GPU is lost.  */
static void
leave_alone (gpueig_context *ctx)
{
  const gpueig_options cuda = with_xgeev ();
  const gpueig_callbacks callbacks = { .interrupted = interrupted };
  gpueig_info info;
  data p = make (4 * APART, 1);
  /* The eighth poll is during Xgeev, which takes seconds.  */
  polls = 8;
  gpueig_set_callbacks (ctx, &callbacks);
  const gpueig_status status = run_general (ctx, &p, &cuda, &info);
  CHECK (status == GPUEIG_INTERRUPTED, "left alone: %s", gpueig_message (ctx));
  gpueig_set_callbacks (ctx, NULL);
  discard (&p);
}

/* WHERE: the first, a middle or the last checked call of solver I meets the
   fault ('f', 'm', 'l'), the first allocation of one whose GPU is open ('o'), a
   call of cuSOLVER apart ('a'), or another call while one of cuSOLVER is left
   alone ('i').  */
static void
real_fault (int i, char where, gpueig_fault kind)
{
  const gpueig_options cuda
      = where == 'a' ? with_xgeev () : backend (GPUEIG_CUDA);
  const char *fault
      = kind == GPUEIG_FAULT_TRAP ? "trap_kernel" : "wild_address_kernel";
  gpueig_options options;
  gpueig_info info;
  char name[80];
  gpueig_context *ctx = check_context (&options);
  data p = make (where == 'a' ? APART : N, where == 'a' ? 1 : 3);
  int64_t k = 1;
  snprintf (name, sizeof name, "%s, %c, kind %d", table[i].name, where, kind);
  if (where == 'i')
    leave_alone (ctx);
  if (where == 'o')
    {
      table[i].run (ctx, &p, &cuda, &info);
      gpueig_trim (ctx);
    }
  if (where == 'm' || where == 'l')
    {
      /* The first call opens the GPU, too.  */
      table[i].run (ctx, &p, &cuda, &info);
      gpueig_fail_device_call (ctx, 0);
      CHECK (table[i].run (ctx, &p, &cuda, &info) == GPUEIG_OK, "%s: %s", name,
             gpueig_message (ctx));
      k = gpueig_fail_device_call (ctx, 0);
      k = where == 'm' ? k / 2 : k;
    }
  gpueig_fault_device_call (ctx, where == 'a' ? -1 : k, kind);
  gpueig_status status = table[i].run (ctx, &p, &cuda, &info);
  /* After the last checked call the next one meets it.  */
  if (status == GPUEIG_OK && where == 'l')
    status = table[i].run (ctx, &p, &cuda, &info);
  CHECK (status == GPUEIG_DEVICE_ERROR
             && says (gpueig_message (ctx), "cudaError")
             && says (gpueig_message (ctx), "restarted"),
         "%s: %s", name, gpueig_message (ctx));
  if (where == 'a')
    fault = "cusolverDnXgeev";
  printf ("%s: %s\n", name, gpueig_device_fault (ctx));
  check_lost (ctx, fault, 0, name);
  discard (&p);
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
  static const char places[] = { 'f', 'm', 'l' };
  gpueig_options options;
  for (int i = 0; i < SOLVERS; i++)
    for (int j = 0; j < 3; j++)
      in_a_child (self, i, places[j],
                  (i + j) % 2 ? GPUEIG_FAULT_TRAP : GPUEIG_FAULT_ADDRESS);
  for (int i = 0; i < SOLVERS; i += 3)
    in_a_child (self, i, 'o', GPUEIG_FAULT_ADDRESS);
  in_a_child (self, GENERAL, 'a', GPUEIG_FAULT_TRAP);
  in_a_child (self, GENERAL, 'a', GPUEIG_FAULT_ADDRESS);
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
      real_fault (atoi (argv[1]), argv[2][0], (gpueig_fault) atoi (argv[3]));
      return check_end ();
    }
  snprintf (plugin, sizeof plugin, "%.*s/lost_plugin.so",
            (int) (strrchr (self, '/') - self), self);
  for (int i = 0; i < SOLVERS; i++)
    test_each_call (i);
  gpueig_context *ctx = pretending ();
  test_passing_errors (ctx, 0);
  test_passing_errors (ctx, 1);
  gpueig_destroy (ctx);
  test_sequence ();
  if (wanted && strcmp (wanted, "cuda") == 0)
    test_real_faults (self);
  return check_end ();
}
