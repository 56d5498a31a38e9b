/* Whether a call is taken; the engine; the report at exit.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "preload/preload.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The process that loaded this file.  A forked child has its memory, but none of its
   threads and no GPU.  */
static pid_t owner;

/* Nonzero if this machine has a driver of NVIDIA; asked without initialising it.  */
static int gpu;

/* Set while this thread is in the engine.  */
static _Thread_local int busy;

/* GPUEIG_LAPACK_VERBOSE: calls that were taken, by driver and type, and how many were
   not.  */
static int verbose;
static atomic_llong left;
static struct
{
  int64_t calls, least, most;
  double seconds;
} taken[GE_DRIVER_COUNT][4];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

__attribute__ ((constructor)) static void
begin (void)
{
  const char *text = getenv ("GPUEIG_LAPACK_VERBOSE");
  owner = getpid ();
  gpu = access ("/dev/nvidiactl", F_OK) == 0 || access ("/dev/dxg", F_OK) == 0;
  verbose = text && *text && strcmp (text, "0") != 0;
}

__attribute__ ((destructor)) static void
report (void)
{
  static const char *const names[][2] = {
#define DRIVER_NAMES(id, real, complex) { real, complex },
    GE_DRIVERS (DRIVER_NAMES)
#undef DRIVER_NAMES
  };
  if (! verbose || owner != getpid ())
    return;
  for (int d = 0; d < GE_DRIVER_COUNT; d++)
    for (int t = 0; t < 4; t++)
      if (taken[d][t].calls > 0)
        fprintf (
            stderr,
            "gpueig: %c%s, %lld calls taken, orders %lld to %lld, %.3g s\n",
            "sdcz"[t], names[d][t > 1], (long long) taken[d][t].calls,
            (long long) taken[d][t].least, (long long) taken[d][t].most,
            taken[d][t].seconds);
  if (left > 0)
    fprintf (stderr, "gpueig: %lld calls left to LAPACK\n", (long long) left);
}

static void
note (const ge_request *r, double seconds)
{
  pthread_mutex_lock (&lock);
  const int64_t calls = taken[r->driver][r->type].calls++;
  if (calls == 0 || r->n < taken[r->driver][r->type].least)
    taken[r->driver][r->type].least = r->n;
  if (r->n > taken[r->driver][r->type].most)
    taken[r->driver][r->type].most = r->n;
  taken[r->driver][r->type].seconds += seconds;
  pthread_mutex_unlock (&lock);
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

/* gpueig_engine.so lies beside this file or in the folder gpueig beside it.  */
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
        if (! handle && verbose)
          fprintf (stderr, "gpueig: %s\n", dlerror ());
      }
  if (handle)
    *(void **) &engine = dlsym (handle, "ge_engine_solve");
}

static int
take (ge_request *request, int wide, const void *address)
{
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (owner != getpid () || ! ge_plan_takes (request, gpu)
      || ge_caller_is_excluded (address, wide))
    return 0;
  pthread_once (&once, load_engine);
  if (! engine)
    return 0;
  const double start = verbose ? now () : 0;
  busy = 1;
  const int done = engine (request);
  busy = 0;
  if (done && verbose)
    note (request, now () - start);
  return done;
}

int
ge_take_call (ge_request *request, int wide, const void *address)
{
  if (busy)
    return 0;
  const int done = take (request, wide, address);
  if (verbose && ! done)
    left++;
  return done;
}
