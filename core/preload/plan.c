/* Which calls gpueig solves faster than LAPACK, and on which backend.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Environment: GPUEIG_LAPACK_MIN, an order: every call of this order or a larger one is
   taken, of all drivers; GPUEIG_BACKEND: "cpu" or "cuda" in place of the choice.

   To create a CUDA context takes as long as large problems do.  It is created when
   what gpueig saved so far, together with what the GPU saves in the next call, covers
   that; or at once with GPUEIG_BACKEND=cuda.  */

#include "preload/preload.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum
{
  NEVER = 1 << 29
};

/* CPU: the least order from which the CPU backend is faster than LAPACK's driver with
   vectors, of real and of complex matrices (table unmodified_calls of tests/bench, two
   cores); without vectors it is not, and general matrices it solves by LAPACK.  GPU:
   the same for a GPU whose context exists, [0] without and [1] with vectors.  LAPACK,
   OURS, DEVICE: nanoseconds per n^3, double precision, of LAPACK, the CPU backend and a
   GPU, without and with vectors (16 threads and an H200; tables eig_symmetric,
   eig_general, mrrr_dense and mrrr_random_double).  */
typedef struct
{
  int cpu[2], gpu[2][2];
  double lapack[2], ours[2], device[2];
} row;

/* clang-format off */
static const row plan[GE_DRIVER_COUNT] = {
  [GE_SYEV] = { { 48, 48 }, { { 256, 256 }, { 128, 100 } }, { 0.1, 1.2 }, { 0.1, 0.1 }, { 0.01, 0.012 } },
  [GE_SYEVD] = { { 48, 128 }, { { 256, 256 }, { 192, 192 } }, { 0.1, 0.2 }, { 0.1, 0.1 }, { 0.01, 0.012 } },
  [GE_SYEVR] = { { 48, 48 }, { { 256, 256 }, { 128, 128 } }, { 0.1, 0.3 }, { 0.1, 0.1 }, { 0.01, 0.012 } },
  [GE_SYEVX] = { { 48, 48 }, { { 256, 256 }, { 128, 128 } }, { 0.1, 0.3 }, { 0.1, 0.1 }, { 0.01, 0.012 } },
  [GE_SYGV] = { { 48, 48 }, { { 512, 512 }, { 192, 192 } }, { 0.15, 1.3 }, { 0.15, 0.15 }, { 0.06, 0.062 } },
  [GE_SYGVD] = { { 64, 128 }, { { 512, 512 }, { 256, 256 } }, { 0.15, 0.25 }, { 0.15, 0.15 }, { 0.06, 0.062 } },
  [GE_SYGVX] = { { 64, 64 }, { { 512, 512 }, { 192, 192 } }, { 0.15, 0.35 }, { 0.15, 0.15 }, { 0.06, 0.062 } },
  [GE_STEV] = { { 64, NEVER }, { { NEVER, NEVER }, { 128, NEVER } }, { 0, 0.5 }, { 0, 0.02 }, { 0, 0.01 } },
  [GE_STEVD] = { { NEVER, NEVER }, { { NEVER, NEVER }, { 1024, NEVER } }, { 0, 0.02 }, { 0, 0.02 }, { 0, 0.01 } },
  [GE_STEVR] = { { 48, NEVER }, { { NEVER, NEVER }, { 128, NEVER } }, { 0, 0.1 }, { 0, 0.02 }, { 0, 0.01 } },
  [GE_STEMR] = { { 48, 48 }, { { NEVER, NEVER }, { 128, 128 } }, { 0, 0.1 }, { 0, 0.02 }, { 0, 0.01 } },
  [GE_STEDC] = { { NEVER, NEVER }, { { NEVER, NEVER }, { 1024, 1024 } }, { 0, 0.02 }, { 0, 0.02 }, { 0, 0.01 } },
  [GE_GEEV] = { { NEVER, NEVER }, { { 128, 96 }, { 128, 96 } }, { 1, 1.6 }, { 1, 1.6 }, { 0.1, 0.1 } },
  [GE_GEEVX] = { { NEVER, NEVER }, { { 128, 96 }, { 160, 128 } }, { 1, 1.6 }, { 1, 1.6 }, { 0.1, 0.2 } },
  [GE_GEES] = { { NEVER, NEVER }, { { 128, 96 }, { 128, 96 } }, { 1, 1.2 }, { 1, 1.2 }, { 0.1, 0.1 } },
  [GE_GEESX] = { { NEVER, NEVER }, { { 128, 96 }, { 128, 96 } }, { 1, 1.2 }, { 1, 1.2 }, { 0.1, 0.1 } },
};
/* clang-format on */

/* Seconds until a process has a CUDA context and the libraries.  */
#define START 1.0

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
  least = NEVER;
  for (int d = 0; d < GE_DRIVER_COUNT; d++)
    for (int complex = 0; complex < 2; complex++)
      {
        const row *p = &plan[d];
        least = p->cpu[complex] < least ? p->cpu[complex] : least;
        for (int vectors = 0; vectors < 2; vectors++)
          if (p->gpu[vectors][complex] < least)
            least = p->gpu[vectors][complex];
      }
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

/* Seconds saved by the calls that were taken; LOCK protects it.  */
static double saved;
static int started;         /* the GPU's context exists or is being created */
static atomic_int unusable; /* there is no GPU, or it was lost */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Seconds of a call at RATE nanoseconds per n^3, double precision and real.  A part of
   the spectrum counts as all of it.  */
static double
seconds (const ge_request *r, double rate)
{
  const double n = (double) r->n, cubes = rate * 1e-9 * n * n * n;
  return cubes * (gpueig_is_complex (r->type) ? 3 : 1)
         * (gpueig_is_double (r->type) ? 1 : 0.5);
}

/* Nonzero if the GPU is to solve this call, which it does faster.  */
static int
start_gpu (const ge_request *r, const row *p, int on_cpu)
{
  const double other = on_cpu ? p->ours[r->vectors] : p->lapack[r->vectors];
  pthread_mutex_lock (&lock);
  if (! started
      && saved + seconds (r, other) - seconds (r, p->device[r->vectors])
             >= START)
    started = 1;
  const int now = started;
  if (! now && on_cpu)
    saved += seconds (r, p->lapack[r->vectors]) - seconds (r, other);
  pthread_mutex_unlock (&lock);
  return now;
}

/* LAPACK computes a part of a spectrum in less time than all of it.  */
static int
from_order (const ge_request *r, int order)
{
  return forced || r->n >= (r->range == 'I' || r->range == 'V' ? 2 : 1) * order;
}

int
ge_plan_takes (ge_request *r, int gpu)
{
  const row *p = &plan[r->driver];
  const int complex = gpueig_is_complex (r->type);
  const int on_cpu = (r->vectors || forced) && from_order (r, p->cpu[complex]);
  const int on_gpu = from_order (r, p->gpu[r->vectors][complex]);
  r->backend = GPUEIG_CUDA;
  if (asked == GPUEIG_CUDA)
    return on_gpu;
  if (asked == GPUEIG_AUTO && gpu && ! unusable && on_gpu
      && start_gpu (r, p, on_cpu))
    return 1;
  r->backend = GPUEIG_CPU;
  return on_cpu;
}

int
ge_plan_again (ge_request *r)
{
  if (r->backend != GPUEIG_CUDA || asked == GPUEIG_CUDA
      || r->status == GPUEIG_OK || r->status == GPUEIG_NONFINITE)
    return 0;
  if (r->status == GPUEIG_NO_DEVICE || r->status == GPUEIG_DEVICE_ERROR)
    unusable = 1;
  return ge_plan_takes (r, 0);
}
