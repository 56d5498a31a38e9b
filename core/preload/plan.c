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
  NEVER = 1 << 29,
  GPU_LEAST = 64, /* no GPU is faster below this order */
  /* The engine is loaded when the sum of n^3 of the calls so far and the next one is this:
     where the CPU backend solves them faster, and where a GPU may.  */
  LOAD_CPU = 2500000,
  LOAD_GPU = 16000000
};

/* The least order from which the CPU backend is faster than LAPACK's driver with vectors,
   of real and of complex matrices; without vectors it is not, and general matrices it
   solves by LAPACK.  Table unmodified_calls of tests/bench.  */
static const int cpu_order[GE_DRIVER_COUNT][2] = {
  [GE_SYEV] = { 48, 48 },        [GE_SYEVD] = { 48, 128 },
  [GE_SYEVR] = { 48, 48 },       [GE_SYEVX] = { 48, 48 },
  [GE_SYGV] = { 48, 48 },        [GE_SYGVD] = { 64, 128 },
  [GE_SYGVX] = { 64, 64 },       [GE_STEV] = { 64, NEVER },
  [GE_STEVD] = { NEVER, NEVER }, [GE_STEVR] = { 48, NEVER },
  [GE_STEMR] = { 48, 48 },       [GE_STEDC] = { NEVER, NEVER },
  [GE_GEEV] = { NEVER, NEVER },  [GE_GEEVX] = { NEVER, NEVER },
  [GE_GEES] = { NEVER, NEVER },  [GE_GEESX] = { NEVER, NEVER },
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
      if (cpu_order[d][complex] < least)
        least = cpu_order[d][complex];
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
  const int64_t limit = r->on_cpu ? LOAD_CPU : LOAD_GPU;
  const int64_t n = r->n < 1000 ? r->n : 1000;
  return work >= limit
         || atomic_fetch_add (&work, n * n * n) + n * n * n >= limit;
}

int
ge_plan_takes (ge_request *r, int gpu)
{
  /* LAPACK computes a part of a spectrum in less time than all of it.  */
  const int part = r->range == 'I' || r->range == 'V';
  const int order = cpu_order[r->driver][gpueig_is_complex (r->type)];
  r->asked = asked;
  r->on_cpu = asked != GPUEIG_CUDA
              && (forced || (r->vectors && r->n >= (part ? 2 : 1) * order));
  r->on_gpu = asked == GPUEIG_CUDA
              || (asked == GPUEIG_AUTO && gpu && (forced || r->n >= GPU_LEAST));
  return (r->on_cpu || r->on_gpu)
         && (forced || asked == GPUEIG_CUDA || is_worth_loading (r));
}
