/* Which calls gpueig may solve faster than LAPACK.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Environment: GPUEIG_LAPACK_MIN, an order: every call of this order or a larger one is
   taken, of all drivers; GPUEIG_BACKEND: "cpu" or "cuda" in place of the choice.

   A call that gpueig may solve faster is given to the engine, which asks the library's
   planner about the GPU if LAPACK takes long.  */

#include "preload/preload.h"

#include "gpueig_methods.h"
#include "run/times/rows.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

/* Calls with vectors of random matrices: the orders FIRST .. LAST (0: and all larger ones)
   at which LAPACK takes MARGIN times as long as the CPU backend, and SLOW, from which on it
   takes GPU_FROM.  By bench_unmodified.sh of 2026-11-23, gpueig 0.2.0, commit 3ff1ac7, 2 CPU
   threads; GESVD 2026-11-24, on a busy machine.  */
typedef struct
{
  ge_driver driver;
  int complex;
  int64_t first, last, slow;
} call_orders;

static const call_orders calls[] = {
  { GE_SYEV, 0, 32, 0, 304 },  { GE_SYEV, 1, 32, 0, 250 },
  { GE_SYEVD, 0, 32, 0, 606 }, { GE_SYEVD, 1, 32, 0, 460 },
  { GE_SYEVR, 0, 32, 0, 607 }, { GE_SYEVR, 1, 32, 0, 451 },
  { GE_SYGV, 0, 32, 0, 348 },  { GE_SYGV, 1, 32, 0, 243 },
  { GE_SYGVD, 0, 32, 0, 550 }, { GE_SYGVD, 1, 32, 185, 359 },
  { GE_STEV, 0, 32, 0, 384 },  { GE_STEVD, 0, 74, 113, 1744 },
  { GE_STEVR, 0, 34, 0, 668 }, { GE_GESVD, 0, 39, 0, 186 },
  { GE_GESVD, 1, 32, 0, 127 },
};

/* General matrices: the library's own times of our QR iteration and of LAPACK's.  */
typedef struct
{
  int method, backend;
  gpueig_type type;
  int kind;
  int64_t n, pages;
  double seconds;
} method_time;

#define MACHINE(threads, vector_bytes, single, twice, bandwidth)
#define TIME(method, backend, type, kind, n, pages, time, copies)              \
  { GE_METHOD_##method, GPUEIG_##backend, GPUEIG_##type, kind, n, pages,       \
    1e-6 * (time) },
static const method_time methods[] = {
#include "run/times/two-cores.h"
};

enum
{
  CALLS = sizeof calls / sizeof calls[0],
  METHODS = sizeof methods / sizeof methods[0],
  GPU_LEAST = 64, /* no GPU is faster below this order */
  LEAST = 32 /* LAPACK's: people know the order of its general eigenvalues */
};

/* A call is taken if LAPACK takes so many times as long.  */
#define MARGIN 1.2

/* Seconds of LAPACK's from which on the planner is asked about a GPU: creating a CUDA
   context takes about twenty times as long, once in a process.  */
#define GPU_FROM 0.05

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

/* Seconds at order N between two measurements or, with N1 = 0, beyond the last one: cubic
   in the order.  */
static double
between (int64_t n, int64_t n0, double t0, int64_t n1, double t1)
{
  const double x = (double) n, x0 = (double) n0, x1 = (double) n1;
  if (n1 == 0)
    return t0 * (x / x0) * (x / x0) * (x / x0);
  return t0
         + (t1 - t0) * (x * x * x - x0 * x0 * x0)
               / (x1 * x1 * x1 - x0 * x0 * x0);
}

/* Seconds of METHOD on the CPU for one matrix with vectors; 0 below the least order that
   was measured.  */
static double
time_of (ge_method method, gpueig_type type, int64_t n)
{
  const method_time *below = NULL;
  for (int i = 0; i < METHODS; i++)
    {
      const method_time *m = &methods[i];
      if (m->method != (int) method || m->backend != GPUEIG_CPU
          || m->type != type || m->kind != 1 || m->pages != 1)
        continue;
      if (m->n > n)
        return below ? between (n, below->n, below->seconds, m->n, m->seconds)
                     : 0;
      below = m;
    }
  return below ? between (n, below->n, below->seconds, 0, 0) : 0;
}

/* Of a call of order N: whether the CPU backend is faster, and *SLOW, whether LAPACK takes
   GPU_FROM.  */
static int
is_faster (ge_driver driver, gpueig_type type, int64_t n, int *slow)
{
  const ge_driver known = measured (driver);
  const int complex
      = gpueig_is_complex (type) && (known < GE_STEV || known > GE_STEDC);
  double lapack = 0, ours = 0;
  for (int i = 0; i < CALLS; i++)
    if (calls[i].driver == known && calls[i].complex == complex)
      {
        *slow = n >= calls[i].slow;
        return n >= calls[i].first && (! calls[i].last || n <= calls[i].last);
      }
  if (known == GE_GESDD) /* ours on the CPU */
    ours = lapack = time_of (GE_METHOD_SVD_GESDD, type, n);
  else
    {
      const int schur = known == GE_GEES;
      ours = time_of (schur ? GE_METHOD_SCHUR_QR : GE_METHOD_GENERAL_QR, type,
                      n);
      lapack = time_of (schur ? GE_METHOD_SCHUR_GEES : GE_METHOD_GENERAL_GEEV,
                        type, n);
    }
  *slow = lapack >= GPU_FROM;
  return n >= LEAST && MARGIN * ours <= lapack;
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
  /* LAPACK computes a part of a spectrum in less time than all of it.  */
  const int part = r->range == 'I' || r->range == 'V';
  int slow;
  const int faster
      = is_faster (r->driver, r->type, part ? (r->n + 1) / 2 : r->n, &slow);
  r->asked = asked;
  r->on_cpu = asked != GPUEIG_CUDA && (forced || (r->vectors && faster));
  r->on_gpu = asked == GPUEIG_CUDA
              || (asked == GPUEIG_AUTO && gpu
                  && (forced || (r->n >= GPU_LEAST && slow)));
  return r->on_cpu || r->on_gpu;
}
