/* Which calls gpueig may solve faster than LAPACK.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Environment: GPUEIG_LAPACK_MIN, an order: every call of this order or a larger one is
   taken, of all drivers; GPUEIG_BACKEND: "cpu" or "cuda" in place of the choice.

   A call that gpueig may solve faster is given to the engine, which asks the library's
   planner about the GPU.  Loading the engine takes as long as small problems do, so it
   is loaded by a process that has larger or many of them.  */

#include "preload/preload.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* Calls with vectors of random matrices, by the CPU backend and by LAPACK: seconds, as
   tests/bench/bench_unmodified.sh measured them; of each driver and type by rising
   order.  */
typedef struct
{
  ge_driver driver;
  int complex;
  int64_t n;
  double ours, lapack;
} call_time;

static const call_time calls[] = {
#define CALL(driver, complex, n, ours, lapack)                                 \
  { GE_##driver, complex, n, ours, lapack },
#include "preload/calls.h"
#undef CALL
};

enum
{
  CALLS = sizeof calls / sizeof calls[0],
  GPU_LEAST = 64 /* no GPU is faster below this order */
};

/* A call is taken if LAPACK takes so many times as long.  */
#define MARGIN 1.2

/* Seconds until the engine is loaded, where the program has a BLAS of its own the second
   one: a risk that is taken where LAPACK takes MUCH_LONGER.  */
#define LOAD 0.004
#define LOAD_BLAS 0.015
#define MUCH_LONGER 2.5

/* Seconds of LAPACK's after which a GPU is asked for.  */
#define LOAD_GPU 0.02

/* Drivers without measurements, and what takes about as long.  */
static ge_driver
measured (ge_driver driver)
{
  switch (driver)
    {
    case GE_SYEVX:
      return GE_SYEV;
    case GE_SYGVX:
      return GE_SYGV;
    case GE_STEMR:
      return GE_STEVR;
    case GE_STEDC:
      return GE_STEVD;
    case GE_GEEVX:
      return GE_GEEV;
    case GE_GEESX:
      return GE_GEES;
    default:
      return driver;
    }
}

/* What is expected of a call of order N; N is 0 in what is returned if that is less than
   the least order that was measured.  */
static call_time
expected (ge_driver driver, gpueig_type type, int64_t n)
{
  const ge_driver known = measured (driver);
  const int complex
      = gpueig_is_complex (type) && (known < GE_STEV || known > GE_STEDC);
  call_time below = { .n = 0 };
  for (int i = 0; i < CALLS; i++)
    {
      const call_time *c = &calls[i];
      if (c->driver != known || c->complex != complex)
        continue;
      if (c->n > n && below.n > 0)
        {
          const double t = (double) (n - below.n) / (double) (c->n - below.n);
          below.ours += t * (c->ours - below.ours);
          below.lapack += t * (c->lapack - below.lapack);
          return below;
        }
      if (c->n <= n)
        below = *c;
    }
  const double more = below.n > 0 ? (double) n / (double) below.n : 0;
  below.ours *= more * more * more;
  below.lapack *= more * more * more;
  return below;
}

/* --- environment --- */

static int64_t forced; /* GPUEIG_LAPACK_MIN, or 0 */
static int64_t least;  /* no call of a smaller order is taken */
static gpueig_backend asked;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Without regard to case, in any locale.  */
static int
is_word (const char *text, const char *word)
{
  while (*word && (*text == *word || *text == *word - ('a' - 'A')))
    text++, word++;
  return *word == '\0' && *text == '\0';
}

static void
read_environment (void)
{
  const char *text = getenv ("GPUEIG_LAPACK_MIN");
  forced = text ? strtoll (text, NULL, 10) : 0;
  forced = forced > 0 ? forced : 0;
  least = GPU_LEAST;
  for (int i = 0; i < CALLS; i++)
    if (calls[i].n < least)
      least = calls[i].n;
  if (forced > 0)
    least = forced;
  text = getenv ("GPUEIG_BACKEND");
  if (text && is_word (text, "cpu"))
    asked = GPUEIG_CPU;
  if (text && is_word (text, "cuda"))
    asked = GPUEIG_CUDA;
}

int64_t
ge_plan_least (void)
{
  pthread_once (&once, read_environment);
  return least;
}

/* --- the choice --- */

/* Nonzero if the engine is loaded, or is to be loaded for R: when what it would have saved
   so far, or LAPACK's time where a GPU is to be asked for, is as long as loading takes.
   Both are kept in nanoseconds.  */
static int
is_worth_loading (const ge_request *r, const call_time *t)
{
  static atomic_llong saved, spent;
  const double limit = t->lapack >= MUCH_LONGER * t->ours ? LOAD : LOAD_BLAS;
  const long long more
      = r->on_cpu ? (long long) (1e9 * (t->lapack - t->ours)) : 0;
  const long long by_lapack = r->on_gpu ? (long long) (1e9 * t->lapack) : 0;
  const long long gain = atomic_fetch_add (&saved, more) + more;
  const long long time = atomic_fetch_add (&spent, by_lapack) + by_lapack;
  return (r->on_cpu && (double) gain >= 1e9 * limit)
         || (r->on_gpu && (double) time >= 1e9 * LOAD_GPU);
}

int
ge_plan_takes (ge_request *r, int gpu)
{
  /* LAPACK computes a part of a spectrum in less time than all of it.  */
  const int part = r->range == 'I' || r->range == 'V';
  const call_time t
      = expected (r->driver, r->type, part ? (r->n + 1) / 2 : r->n);
  r->asked = asked;
  r->on_cpu
      = asked != GPUEIG_CUDA
        && (forced || (r->vectors && t.n > 0 && MARGIN * t.ours <= t.lapack));
  r->on_gpu = asked == GPUEIG_CUDA
              || (asked == GPUEIG_AUTO && gpu && (forced || r->n >= GPU_LEAST));
  return (r->on_cpu || r->on_gpu)
         && (forced || asked == GPUEIG_CUDA || is_worth_loading (r, &t));
}
