/* Whether a call is taken; the engine; the report at exit.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "preload.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* Nonzero if this machine has a driver of NVIDIA, which is not initialised for this.  */
static int gpu;

/* Set while this thread is in the engine.  */
static _Thread_local int busy;

/* GPUEIG_LAPACK_VERBOSE: counts that process OWNER, which has loaded this file, reports
   when it ends.  They include those of forked children, which often end without a
   report.  */
typedef struct
{
  atomic_llong calls, least, most, nanoseconds;
} calls_of_driver;

static pid_t owner;
static struct
{
  calls_of_driver taken[GE_DRIVER_COUNT][4];
  atomic_llong calls, forked; /* taken by all, by children */
  atomic_llong left, small;   /* to LAPACK; of too small an order */
} * counts;

__attribute__ ((constructor)) static void
begin (void)
{
  const char *text = getenv ("GPUEIG_LAPACK_VERBOSE");
  owner = getpid ();
  gpu = access ("/dev/nvidiactl", F_OK) == 0 || access ("/dev/dxg", F_OK) == 0;
  if (! text || ! *text || strcmp (text, "0") == 0)
    return;
  void *shared = mmap (NULL, sizeof *counts, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  counts = shared == MAP_FAILED ? NULL : shared;
}

/* gpueig-run's own program is reported in any case, others if they have called LAPACK.  */
__attribute__ ((destructor)) static void
report (void)
{
  static const char *const names[][2] = {
#define DRIVER_NAMES(id, real, complex, function, like) { real, complex },
    GE_DRIVERS (DRIVER_NAMES)
#undef DRIVER_NAMES
  };
  const char *first = getenv ("GPUEIG_RUN_PROCESS");
  if (! counts || owner != getpid ()
      || (counts->calls + counts->left + counts->small == 0
          && ! (first && strtoll (first, NULL, 10) == owner)))
    return;
  fprintf (
      stderr,
      "gpueig: %s, process %ld: %lld taken (%lld in forked children), %lld "
      "calls left to LAPACK, %lld of orders below %lld\n",
      program_invocation_short_name, (long) owner, (long long) counts->calls,
      (long long) counts->forked, (long long) counts->left,
      (long long) counts->small, (long long) ge_plan_least ());
  for (int d = 0; d < GE_DRIVER_COUNT; d++)
    for (int t = 0; t < 4; t++)
      {
        const calls_of_driver *c = &counts->taken[d][t];
        if (c->calls > 0)
          fprintf (stderr,
                   "gpueig: %c%s, %lld calls taken, orders %lld to %lld, %.3g "
                   "s\n",
                   "sdcz"[t], names[d][t > 1], (long long) c -> calls,
                   (long long) c -> least, (long long) c -> most,
                   1e-9 * (double) c -> nanoseconds);
      }
}

static void
note_call (const ge_request *r, double seconds)
{
  calls_of_driver *c = &counts->taken[r->driver][r->type];
  long long least = 0, most = 0;
  /* 0: none yet.  */
  while ((least == 0 || r->n < least)
         && ! atomic_compare_exchange_weak (&c->least, &least, r->n))
    ;
  while (r->n > most && ! atomic_compare_exchange_weak (&c->most, &most, r->n))
    ;
  c->calls++;
  c->nanoseconds += (long long) (1e9 * seconds);
  counts->calls++;
  counts->forked += owner != getpid ();
}

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* --- the engine --- */

static ge_engine_function *engine;

/* Load gpueig_engine.so from the folder of this file or from the subfolder gpueig.  */
static void
load_engine (void)
{
  static const char *const places[]
      = { "gpueig_engine.so", "gpueig/gpueig_engine.so" };
  Dl_info self;
  char file[4096];
  void *handle = NULL;
  if (! dladdr (&engine, &self) || ! self.dli_fname)
    return;
  const char *slash = strrchr (self.dli_fname, '/');
  const int length = slash ? (int) (slash - self.dli_fname) + 1 : 0;
  for (int i = 0; i < 2 && ! handle; i++)
    if (snprintf (file, sizeof file, "%.*s%s", length, self.dli_fname,
                  places[i])
            < (int) sizeof file
        && access (file, R_OK) == 0)
      {
        handle = dlopen (file, RTLD_LAZY | RTLD_LOCAL);
        if (! handle && counts)
          fprintf (stderr, "gpueig: %s\n", dlerror ());
      }
  if (handle)
    *(void **) &engine = dlsym (handle, "ge_engine_solve");
}

static int
take (ge_request *request, int names, const void *address)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (! ge_plan_takes (request, gpu) || ge_caller_is_excluded (address, names))
    return 0;
  pthread_once (&once, load_engine);
  if (! engine)
    return 0;
  const double start = counts ? now () : 0;
  busy = 1;
  const int done = engine (request);
  busy = 0;
  if (done && counts)
    note_call (request, now () - start);
  return done;
}

int
ge_take_call (ge_request *request, int names, const void *address)
{
  if (busy || request->unsolved)
    return 0;
  const int small = request->n < ge_plan_least ();
  const int done = ! small && take (request, names, address);
  if (counts && small)
    counts->small++;
  else if (counts && ! done)
    counts->left++;
  return done;
}
