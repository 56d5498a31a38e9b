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

enum
{
  LARGE = 1 << 29, /* an order that no matrix has */
  GPU_LEAST = 64,  /* no GPU is faster below this order */
  /* The engine is loaded when the sum of n^3 of the calls so far and the next one is this:
     where the CPU backend solves them in a fraction of LAPACK's time, where the driver is
     one of LAPACK's faster ones, and where a GPU may be faster.  */
  LOAD_CPU = 2500000,
  LOAD_CPU_FASTER = 250000000,
  LOAD_GPU = 16000000
};

/* The orders, first and last, at which the CPU backend is faster than LAPACK's driver with
   vectors, of real and of complex matrices; without vectors it is not, and general
   matrices it solves by LAPACK.  Table unmodified_calls of tests/bench.  */
static const struct
{
  int first, last;
} cpu_orders[GE_DRIVER_COUNT][2] = {
  [GE_SYEV] = { { 48, LARGE }, { 48, LARGE } },
  [GE_SYEVD] = { { 48, LARGE }, { 128, 384 } },
  [GE_SYEVR] = { { 48, LARGE }, { 48, 384 } },
  [GE_SYEVX] = { { 48, LARGE }, { 48, LARGE } },
  [GE_SYGV] = { { 48, LARGE }, { 48, LARGE } },
  [GE_SYGVD] = { { 64, LARGE }, { LARGE, 0 } },
  [GE_SYGVX] = { { 64, LARGE }, { 64, LARGE } },
  [GE_STEV] = { { 64, LARGE }, { LARGE, 0 } },
  [GE_STEVD] = { { LARGE, 0 }, { LARGE, 0 } },
  [GE_STEVR] = { { 48, LARGE }, { LARGE, 0 } },
  [GE_STEMR] = { { 48, LARGE }, { 48, LARGE } },
  [GE_STEDC] = { { LARGE, 0 }, { LARGE, 0 } },
  [GE_GEEV] = { { LARGE, 0 }, { LARGE, 0 } },
  [GE_GEEVX] = { { LARGE, 0 }, { LARGE, 0 } },
  [GE_GEES] = { { LARGE, 0 }, { LARGE, 0 } },
  [GE_GEESX] = { { LARGE, 0 }, { LARGE, 0 } },
};

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
  for (int d = 0; d < GE_DRIVER_COUNT; d++)
    for (int complex = 0; complex < 2; complex++)
      if (cpu_orders[d][complex].first < least)
        least = cpu_orders[d][complex].first;
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

/* Nonzero if the engine is loaded, or is to be loaded for R.  */
static int
is_worth_loading (const ge_request *r)
{
  static atomic_llong work;
  const int faster = r->driver == GE_SYEVD || r->driver == GE_SYEVR
                     || r->driver == GE_SYGVD || r->driver == GE_STEVR;
  const int64_t limit = r->on_cpu && faster ? LOAD_CPU_FASTER
                        : r->on_cpu         ? LOAD_CPU
                                            : LOAD_GPU;
  const int64_t n = r->n < 1000 ? r->n : 1000;
  return work >= limit
         || atomic_fetch_add (&work, n * n * n) + n * n * n >= limit;
}

int
ge_plan_takes (ge_request *r, int gpu)
{
  /* LAPACK computes a part of a spectrum in less time than all of it.  */
  const int part = r->range == 'I' || r->range == 'V';
  const int complex = gpueig_is_complex (r->type);
  const int first = (part ? 2 : 1) * cpu_orders[r->driver][complex].first;
  r->asked = asked;
  r->on_cpu = asked != GPUEIG_CUDA
              && (forced
                  || (r->vectors && r->n >= first
                      && r->n <= cpu_orders[r->driver][complex].last));
  r->on_gpu = asked == GPUEIG_CUDA
              || (asked == GPUEIG_AUTO && gpu && (forced || r->n >= GPU_LEAST));
  return (r->on_cpu || r->on_gpu)
         && (forced || asked == GPUEIG_CUDA || is_worth_loading (r));
}
