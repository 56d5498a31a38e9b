/* For test_place: arrays that are in host memory and in that of a GPU, and the comparison
   of a call in both places.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef PLACE_ARRAYS_H
#define PLACE_ARRAYS_H 1

#include "solvers.h"
#include "gpueig_array.h"

#include <complex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;
static measure_random rng = { 20260 };
static int simulated, is_auto;

static int64_t
pick (int64_t count)
{
  return measure_integer (&rng, 0, count - 1);
}

/* --- arrays in both places --- */

typedef struct
{
  void *host, *device;
  size_t bytes, compared; /* what is set by both calls */
  gpueig_array array;
} both;

enum
{
  ARRAYS = 10
};
static both *live[ARRAYS];
static int n_live;

/* COUNT elements of TYPE, the bits of NaN, in both places.  */
static void
new_array (both *b, gpueig_type type, int64_t count)
{
  const gpueig_options place
      = { .backend = GPUEIG_CUDA, .device = options.device, .method = "auto" };
  b->bytes = b->compared = (size_t) count * gpueig_scalar_size (type);
  b->host = malloc (b->bytes + 16);
  if (! b->host
      || gpueig_array_new (ctx, type, 1, &count, &place, &b->array) != GPUEIG_OK
      || gpueig_array_data (ctx, b->array, &b->device) != GPUEIG_OK)
    {
      printf ("FAIL: place: no memory: %s\n", gpueig_message (ctx));
      exit (2);
    }
  memset (b->host, 0xff, b->bytes + 16);
  gpueig_array_upload (ctx, b->array, b->host);
  live[n_live++] = b;
}

static void
send (const both *b)
{
  gpueig_array_upload (ctx, b->array, b->host);
}

/* Whether both places have the same bits.  */
static int
same (const both *b)
{
  FREED void *copy = malloc (b->bytes + 1);
  gpueig_status status = gpueig_array_download (ctx, b->array, copy);
  return status == GPUEIG_OK && memcmp (copy, b->host, b->compared) == 0;
}

static void
free_arrays (void)
{
  while (n_live > 0)
    {
      both *b = live[--n_live];
      gpueig_array_free (ctx, b->array);
      free (b->host);
      memset (b, 0, sizeof *b);
    }
}

static void *
at (const both *b, gpueig_place place)
{
  return place == GPUEIG_HOST ? b->host : b->device;
}

/* --- matrices --- */

static void
fill_random (gpueig_type type, const both *b, double scale)
{
  const size_t size = gpueig_scalar_size (type);
  for (int64_t i = 0; i < (int64_t) (b->bytes / size); i++)
    measure_set (type, b->host, i,
                 scale * measure_normal (&rng)
                     + (gpueig_is_complex (type)
                            ? scale * I * measure_normal (&rng)
                            : 0));
}

/* Pages of a positive definite matrix where SHIFT is large.  */
static void
fill_symmetric_pages (gpueig_type type, const both *b, int64_t n, int64_t pages,
                      double shift)
{
  const size_t page = (size_t) (n * n) * gpueig_scalar_size (type);
  for (int64_t p = 0; p < pages; p++)
    {
      char *a = (char *) b->host + (size_t) p * page;
      measure_random_symmetric (&rng, type, n, a);
      for (int64_t i = 0; i < n; i++)
        measure_set (type, a, i * (n + 1),
                     measure_get (type, a, i * (n + 1)) + shift);
    }
}

/* A random symmetric problem of double precision, its arrays in both places; V may be
   NULL.  */
static gpueig_symmetric
new_symmetric (int64_t n, int64_t pages, both *a, both *lambda, both *v)
{
  new_array (a, GPUEIG_DOUBLE, pages * n * n);
  new_array (lambda, GPUEIG_DOUBLE, pages * n);
  if (v)
    new_array (v, GPUEIG_DOUBLE, pages * n * n);
  fill_symmetric_pages (GPUEIG_DOUBLE, a, n, pages, 0);
  send (a);
  return symmetric_problem (GPUEIG_DOUBLE, n, pages, a->host, lambda->host,
                            v ? v->host : NULL);
}

/* Let S have its arrays in PLACE.  */
static void
go_to (gpueig_symmetric *s, gpueig_place place, const both *a,
       const both *lambda, const both *v)
{
  s->place = place;
  s->a = at (a, place);
  s->lambda = at (lambda, place);
  s->v = v ? at (v, place) : NULL;
}

/* Solve it in memory of the GPU and in that of the host.  */
static void
solve_in_both (gpueig_symmetric *s, const gpueig_options *o, const both *a,
               const both *lambda, const both *v, const char *what)
{
  for (int twice = 0; twice < 2; twice++)
    {
      go_to (s, twice ? GPUEIG_HOST : GPUEIG_DEVICE, a, lambda, v);
      CHECK (gpueig_eig_symmetric (ctx, s, o, NULL) == GPUEIG_OK, "%s: %s",
             what, gpueig_message (ctx));
    }
  CHECK (same (a) && same (lambda) && same (v),
         "%s: the results of both places", what);
}

static int64_t
pick_order (void)
{
  static const int64_t orders[]
      = { 0, 1, 2, 3, 4, 5, 7, 8, 16, 17, 31, 33, 40 };
  if (! simulated && pick (8) == 0)
    return 65 + pick (300);
  return orders[pick ((int64_t) (sizeof orders / sizeof orders[0]))];
}

static int64_t
pick_pages (void)
{
  static const int64_t pages[] = { 1, 1, 1, 2, 3, 9, 0 };
  return pages[pick ((int64_t) (sizeof pages / sizeof pages[0]))];
}

/* --- a call in both places --- */

static int
is_fake (const char *what)
{
  return simulated && strcmp (getenv ("GPUEIG_FAKE"), what) == 0;
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

typedef struct
{
  gpueig_status status;
  gpueig_info info;
  char message[512];
} outcome;

static outcome
note (gpueig_status status, const gpueig_info *info)
{
  outcome o = { .status = status, .info = *info };
  snprintf (o.message, sizeof o.message, "%s", gpueig_message (ctx));
  return o;
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
compare (const outcome *host, const outcome *device, const both *const *in,
         const both *const *out, const char *what, gpueig_type type, int64_t n,
         int64_t pages)
{
  char text[160];
  snprintf (text, sizeof text, "%s %s n %lld pages %lld %s", what,
            check_type_name[type], (long long) n, (long long) pages,
            simulated ? getenv ("GPUEIG_FAKE") : "");
  CHECK (host->status == device->status, "%s: status %d is %d (%s | %s)", text,
         (int) host->status, (int) device->status, host->message,
         device->message);
  /* What did not converge is told of a chunk.  */
  const int of_chunk = host->status == GPUEIG_NO_CONVERGENCE && pages > 1;
  CHECK (of_chunk ? strncmp (host->message, device->message, 12) == 0
                  : same_message (host->message, device->message),
         "%s: message %s is %s", text, host->message, device->message);
  CHECK (host->status != GPUEIG_OUT_OF_MEMORY || ! is_fake ("pages"),
         "%s: pages that fit are solved", text);
  /* GPUEIG_AUTO may take another backend without the time of transfers.  */
  const int alike = strcmp (host->info.backend, device->info.backend) == 0;
  CHECK (alike || is_auto, "%s: backend %s is %s", text, host->info.backend,
         device->info.backend);
  CHECK (! alike
             || (strcmp (host->info.method, device->info.method) == 0
                 && strcmp (host->info.fallback, device->info.fallback) == 0
                 && host->info.converged == device->info.converged),
         "%s: info %s %s is %s %s", text, host->info.method,
         host->info.fallback, device->info.method, device->info.fallback);
  for (int i = 0; in[i]; i++)
    CHECK (same (in[i]), "%s: input %d is not changed", text, i);
  const int done
      = host->status == GPUEIG_OK || host->status == GPUEIG_NO_CONVERGENCE;
  for (int i = 0; out[i] && done && alike; i++)
    CHECK (same (out[i]), "%s: output %d has the bits of the host's", text, i);
}

#endif
