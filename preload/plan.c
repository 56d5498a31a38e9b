/* Which calls gpueig may solve faster than LAPACK.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Environment: GPUEIG_LAPACK_MIN, an order: every call of this order or a larger one is
   taken, of all drivers; GPUEIG_BACKEND: "cpu" or "cuda" in place of the choice.

   A call that gpueig may solve faster is given to the engine, which asks the library's
   planner about the GPU if LAPACK takes long.  */

#include "preload.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Types for which an entry holds.  */
enum
{
  S = 1 << GPUEIG_FLOAT,
  D = 1 << GPUEIG_DOUBLE,
  C = 1 << GPUEIG_COMPLEX_FLOAT,
  Z = 1 << GPUEIG_COMPLEX_DOUBLE,
  NEVER = INT32_MAX
};

/* Calls with vectors, by times of random matrices: the orders FIRST .. LAST (0: and all larger
   ones) at which LAPACK takes clearly longer than the CPU backend, and SLOW, from which on
   LAPACK takes so long that the planner considers a GPU, since creating a CUDA context, once
   in a process, takes a multiple of that time.  */
typedef struct
{
  ge_driver driver;
  int types;
  int64_t first, last, slow;
} call_orders;

static const call_orders calls[] = {
  { GE_SYEV, S | D, 32, 0, 304 },
  { GE_SYEV, C | Z, 32, 0, 250 },
  { GE_SYEVD, S | D, 32, 0, 606 },
  { GE_SYEVD, C | Z, 32, 0, 460 },
  { GE_SYEVR, S | D, 32, 0, 607 },
  { GE_SYEVR, C | Z, 32, 0, 451 },
  { GE_SYGV, S | D, 32, 0, 348 },
  { GE_SYGV, C | Z, 32, 0, 243 },
  { GE_SYGVD, S | D, 32, 0, 550 },
  { GE_SYGVD, C | Z, 32, 185, 359 },
  { GE_STEV, S | D, 32, 0, 384 },
  { GE_STEVD, S | D, 74, 113, 1744 },
  { GE_STEVR, S | D | C | Z, 34, 0, 668 },
  { GE_GEEV, S, 32, 0, 376 },
  { GE_GEEV, D, 32, 0, 293 },
  { GE_GEEV, C, 32, 679, 269 },
  { GE_GEEV, Z, 32, 0, 209 },
  { GE_GEES, S, 32, 0, 375 },
  { GE_GEES, D, 32, 1826, 301 },
  { GE_GEES, C, 32, 1668, 285 },
  { GE_GEES, Z, 32, 919, 216 },
  { GE_GESVD, S | D, 39, 0, 186 },
  { GE_GESVD, C | Z, 32, 0, 127 },
  { GE_GESDD, S, NEVER, 0, 546 },
  { GE_GESDD, D, NEVER, 0, 463 },
  { GE_GESDD, C, NEVER, 0, 434 },
  { GE_GESDD, Z, NEVER, 0, 371 },
};

enum
{
  CALLS = sizeof calls / sizeof calls[0],
  LEAST
  = 32 /* not taken: people rely on the order of LAPACK's general eigenvalues */
};

/* Nonzero if the CPU backend is faster for a call of order N; *SLOW becomes nonzero if
   LAPACK takes long.  */
static int
is_faster (ge_driver driver, gpueig_type type, int64_t n, int *slow)
{
  static const ge_driver likes[] = {
#define DRIVER_LIKE(id, real, complex, function, like) GE_##like,
    GE_DRIVERS (DRIVER_LIKE)
#undef DRIVER_LIKE
  };
  const ge_driver known = likes[driver];
  *slow = 0;
  for (int i = 0; i < CALLS; i++)
    if (calls[i].driver == known && (calls[i].types & 1 << type))
      {
        *slow = n >= calls[i].slow;
        return n >= calls[i].first && (! calls[i].last || n <= calls[i].last);
      }
  return 0;
}

/* --- environment --- */

static int64_t forced; /* GPUEIG_LAPACK_MIN, or 0 */
static int64_t least;  /* no call of a smaller order is taken */
static gpueig_backend asked;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* Compare TEXT with WORD without regard to case, in any locale.  */
static int
is_word (const char *text, const char *word)
{
  while (*word && (*text == *word || *text == *word - ('a' - 'A')))
    text++, word++;
  return *word == '\0' && *text == '\0';
}

/* Say that the environment variable NAME has a value of no meaning, and is ignored.  */
static void
refuse (const char *name, const char *text, const char *wanted)
{
  fprintf (stderr, "gpueig: %s is \"%s\" and ignored; it can be %s\n", name,
           text, wanted);
}

static void
read_environment (void)
{
  const char *text = getenv ("GPUEIG_LAPACK_MIN");
  char *end = NULL;
  forced = text && *text ? strtoll (text, &end, 10) : 0;
  if (forced < 0 || (end && *end))
    {
      refuse ("GPUEIG_LAPACK_MIN", text, "an order");
      forced = 0;
    }
  least = forced > 0 ? forced : LEAST;
  text = getenv ("GPUEIG_BACKEND");
  if (text && is_word (text, "cpu"))
    asked = GPUEIG_CPU;
  else if (text && is_word (text, "cuda"))
    asked = GPUEIG_CUDA;
  else if (text && *text && ! is_word (text, "auto"))
    refuse ("GPUEIG_BACKEND", text, "auto, cpu or cuda");
}

int64_t
ge_plan_least (void)
{
  pthread_once (&once, read_environment);
  return least;
}

/* --- the choice --- */

int
ge_plan_takes (ge_request *r, int gpu)
{
  int slow;
  const int faster = is_faster (r->driver, r->type, ge_plan_order (r), &slow);
  r->asked = asked;
  r->on_cpu = asked != GPUEIG_CUDA && (forced || (r->vectors && faster));
  r->on_gpu = asked == GPUEIG_CUDA
              || (asked == GPUEIG_AUTO && gpu && (forced || slow));
  return r->on_cpu || r->on_gpu;
}
