/* For test_place: a problem in host memory and in that of a GPU, and the comparison of a call
   in both places.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef PLACE_TWINS_H
#define PLACE_TWINS_H 1

#include "backend_test.h"
#include "solvers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static measure_random rng = { 20260 };
static int simulated, is_auto;

static int64_t
pick (int64_t count)
{
  return measure_integer (&rng, 0, count - 1);
}

static int
is_fake (const char *what)
{
  return simulated && strcmp (getenv ("GPUEIG_FAKE"), what) == 0;
}

/* --- a problem in both places --- */

/* Of every array, COMPARED bytes are to be the same after a call of each; no outputs
   where they are DIFFERENT.  */
typedef struct
{
  any_problem place[2];
  gpueig_array array[PARTS];
  size_t compared[PARTS];
  int different;
  gpueig_status status[2];
  gpueig_info info[2];
  char message[2][512];
} twins;

/* P, which is freed with them, and a copy of its arrays in memory of a GPU; outputs have the
   bits of NaN.  */
static twins
make_twins (any_problem p)
{
  twins t = { .place = { p } };
  for (int k = FIRST_OUTPUT; k < PARTS; k++)
    if (*problem_part (&p, k)
        && (p.solver->kind != INVERSE || k > FIRST_OUTPUT))
      memset (*problem_part (&p, k), 0xff, problem_bytes (&p, k));
  if (place_problem (ctx, options.device, &p, &t.place[1], t.array)
      != GPUEIG_OK)
    {
      printf ("FAIL: place: no memory: %s\n", gpueig_message (ctx));
      exit (2);
    }
  for (int k = 0; k < PARTS; k++)
    t.compared[k] = t.array[k] ? problem_bytes (&p, k) : 0;
  return t;
}

static void
free_twins (twins *t)
{
  free_arrays (ctx, t->array);
  free_problem (&t->place[0]);
}

/* Whether both places have the same bits of array K.  */
static int
same (twins *t, int k)
{
  const char *host = *problem_part (&t->place[0], k);
  if (t->compared[k] == 0)
    return 1;
  FREED char *copy = check_memory ((int64_t) problem_bytes (t->place, k), 1);
  return gpueig_array_download (ctx, t->array[k], copy) == GPUEIG_OK
         && memcmp (copy, host, t->compared[k]) == 0;
}

static int
all_same (twins *t)
{
  int good = 1;
  for (int k = 0; k < PARTS; k++)
    good &= same (t, k);
  return good;
}

/* A random symmetric problem of double precision.  */
static twins
symmetric_twins (int64_t n, int64_t pages)
{
  any_problem p
      = make_problem (&solvers[SOLVE_EIG], GPUEIG_DOUBLE, n, pages, 2);
  fill_symmetric (&p, &rng);
  return make_twins (p);
}

static void
solve_both (twins *t, const char *what)
{
  for (int place = 1; place >= 0; place--)
    CHECK (solve_problem (ctx, &t->place[place], &options, NULL) == GPUEIG_OK,
           "%s: %s", what, gpueig_message (ctx));
  CHECK (all_same (t), "%s: the results of both places", what);
}

/* --- the comparison of two calls --- */

static int64_t
pick_order (void)
{
  static const int64_t orders[]
      = { 0, 1, 2, 3, 4, 5, 7, 8, 16, 17, 31, 33, 40 };
  if (! simulated && pick (8) == 0)
    return 65 + pick (300);
  return orders[pick ((int64_t) (COUNT (orders)))];
}

static int64_t
pick_pages (void)
{
  static const int64_t pages[] = { 1, 1, 1, 2, 3, 9, 0 };
  return pages[pick ((int64_t) (COUNT (pages)))];
}

/* The next call's stacks are in chunks of 1 to 3 pages, or as the library likes; where
   there are several GPUs, on one or all, whichever has the data.  */
static void
vary_call (gpueig_options *o)
{
  gpueig_machine machine;
  gpueig_query (ctx, &machine);
  const int64_t where = machine.n_devices > 1 ? pick (4) : 0;
  gpueig_limit_chunk (ctx, pick (4));
  o->device = where == 1;
  o->n_devices = where == 2 ? GPUEIG_ALL_DEVICES : 0;
}

static void
note (twins *t, int place, gpueig_status status)
{
  t->status[place] = status;
  snprintf (t->message[place], sizeof t->message[place], "%s",
            gpueig_message (ctx));
}

/* Equal but for the number of the GPU whose share failed.  */
static int
same_message (const char *x, const char *y)
{
  const char *end_x = strstr (x, " (GPU "), *end_y = strstr (y, " (GPU ");
  const size_t size = end_x ? (size_t) (end_x - x) : strlen (x);
  return size == (end_y ? (size_t) (end_y - y) : strlen (y))
         && strncmp (x, y, size) == 0;
}

/* Compare both calls; outputs where they succeeded.  */
static void
compare (twins *t, const char *what)
{
  const any_problem *p = t->place;
  const gpueig_status status = t->status[0];
  const gpueig_info *host = &t->info[0], *device = &t->info[1];
  char text[160];
  snprintf (text, sizeof text, "%s %s n %lld pages %lld %s", what,
            check_type_name[p->type], (long long) p->n, (long long) p->pages,
            simulated ? getenv ("GPUEIG_FAKE") : "");
  /* What did not converge is told of a chunk.  */
  const int of_chunk = status == GPUEIG_NO_CONVERGENCE && p->pages > 1;
  CHECK (status == t->status[1]
             && (of_chunk ? strncmp (t->message[0], t->message[1], 12) == 0
                          : same_message (t->message[0], t->message[1])),
         "%s: status %d is %d (%s | %s)", text, (int) status,
         (int) t->status[1], t->message[0], t->message[1]);
  CHECK (status != GPUEIG_OUT_OF_MEMORY || ! is_fake ("pages"),
         "%s: pages that fit are solved", text);
  /* GPUEIG_AUTO may take another backend without the time of transfers.  */
  const int alike = strcmp (host->backend, device->backend) == 0;
  CHECK (alike ? strcmp (host->method, device->method) == 0
                     && strcmp (host->fallback, device->fallback) == 0
                     && host->converged == device->converged
               : is_auto,
         "%s: info %s %s %s is %s %s %s", text, host->backend, host->method,
         host->fallback, device->backend, device->method, device->fallback);
  const int done = status == GPUEIG_OK || status == GPUEIG_NO_CONVERGENCE;
  for (int k = 0; k < PARTS; k++)
    if (k < FIRST_OUTPUT || (done && alike && ! t->different))
      CHECK (same (t, k), "%s: array %d has the bits of the host's", text, k);
}

#endif
