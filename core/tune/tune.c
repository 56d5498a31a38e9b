/* Which measurements are made, and in which order.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A row is a method on a backend, for a type, with vectors or without, one matrix or a
   stack; it is measured at rising orders.  It ends where the next order would take longer
   than a share of the time that is left.  */

#include "tune/tune.h"
#include "run/plan.h"
#include "run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum
{
  /* Elements of the largest problem.  */
  MOST_ELEMENTS = 1 << 24,
  RUNS = 3
};

static const int64_t orders_of_one[]
    = { 4, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096 };
static const int64_t orders_of_stacks[] = { 4, 8, 16, 32, 64, 128, 256 };

/* The methods that have times of their own; the others are the same solvers under other
   names.  */
static const ge_method methods[]
    = { GE_METHOD_EIG_MRRR,         GE_METHOD_EIG_SYEVD,
        GE_METHOD_EIG_DC,           GE_METHOD_EIG_QL,
        GE_METHOD_GENERAL_QR,       GE_METHOD_GENERAL_GEEV,
        GE_METHOD_COMPLEX_SHROFF,   GE_METHOD_ONESIDED_SHIFTED,
        GE_METHOD_MRRR_MRRR,        GE_METHOD_MRRR_STEVD,
        GE_METHOD_JACOBI_BLOCK,     GE_METHOD_JACOBI_PRECONDITIONED,
        GE_METHOD_TDINV_GENERATORS, GE_METHOD_SCHUR_QR,
        GE_METHOD_SCHUR_GEES };

typedef struct
{
  gpueig_context *ctx;
  ge_tune_room room;
  double start, seconds;
  ge_take_time *take;
  void *data;
} measuring;

static double
time_left (const measuring *m)
{
  return m->seconds - (ge_now () - m->start);
}

/* Pages of a stack: enough to fill a GPU, or all threads for some milliseconds.  */
static int64_t
pages_of (gpueig_backend backend, int64_t n)
{
  const double work = (double) (n * n) * (backend == GPUEIG_CUDA ? 1 : 2);
  const int64_t pages = (int64_t) ((backend == GPUEIG_CUDA ? 2e6 : 1e6) / work);
  return pages < 16 ? 16 : pages > 4096 ? 4096 : pages;
}

/* The shortest of several calls, after one more.  */
static gpueig_status
measure (const measuring *m, ge_time *t)
{
  ge_time one = *t;
  ge_tune_fill (&m->room, t->method, t->type, t->n, t->pages);
  GE_TRY (ge_tune_call (m->ctx, &m->room, &one));
  *t = one;
  for (int i = 0; i < RUNS && one.seconds < 0.05; i++)
    {
      GE_TRY (ge_tune_call (m->ctx, &m->room, &one));
      if (i == 0 || one.seconds < t->seconds)
        *t = one;
    }
  return GPUEIG_OK;
}

/* Nonzero for a status after which nothing more can be measured.  */
static int
ends_all (const measuring *m, gpueig_status status)
{
  return status == GPUEIG_INTERRUPTED || ge_device_is_lost (m->ctx);
}

static gpueig_status
measure_row (const measuring *m, ge_time t, int stack)
{
  const int64_t *orders = stack ? orders_of_stacks : orders_of_one;
  const int count = stack ? (int) (sizeof orders_of_stacks / sizeof *orders)
                          : (int) (sizeof orders_of_one / sizeof *orders);
  const int64_t largest = ge_method_table[t.method].largest;
  for (int i = 0; i < count; i++)
    {
      t.n = orders[i];
      t.pages = stack ? pages_of (t.backend, t.n) : 1;
      if (t.n * t.n * t.pages > MOST_ELEMENTS || (largest > 0 && t.n > largest))
        break;
      gpueig_status status = ge_check_interrupt (m->ctx);
      if (status == GPUEIG_OK)
        status = measure (m, &t);
      if (ends_all (m, status))
        return status;
      if (status != GPUEIG_OK)
        break;
      m->take (m->data, &t);
      /* The next order takes about eight times as long, and is called twice.  */
      if (16 * (t.seconds + t.transfer) > time_left (m) / 20)
        break;
    }
  return GPUEIG_OK;
}

/* All methods of a backend, for one type, with vectors or without.  */
static gpueig_status
measure_group (const measuring *m, gpueig_backend backend, gpueig_type type,
               int vectors)
{
  const unsigned place = backend == GPUEIG_CUDA ? GE_ON_CUDA : GE_ON_CPU;
  for (size_t k = 0; k < sizeof methods / sizeof methods[0]; k++)
    for (int stack = 0; stack < 2; stack++)
      {
        const ge_method_row *row = &ge_method_table[methods[k]];
        if (! (row->places & place)
            || (row->solver == GE_MRRR && gpueig_is_complex (type))
            || (row->solver == GE_TDINV && (stack || ! vectors)))
          continue;
        if (time_left (m) <= 0)
          return GPUEIG_OK;
        GE_TRY (measure_row (m,
                             (ge_time){ .method = methods[k],
                                        .backend = backend,
                                        .type = type,
                                        .vectors = vectors },
                             stack));
      }
  return GPUEIG_OK;
}

gpueig_status
ge_measure_times (gpueig_context *ctx, double seconds, ge_take_time *take,
                  void *data)
{
  static const gpueig_type types[] = { GPUEIG_DOUBLE, GPUEIG_COMPLEX_DOUBLE,
                                       GPUEIG_FLOAT, GPUEIG_COMPLEX_FLOAT };
  gpueig_machine machine;
  measuring m = { .ctx = ctx,
                  .start = ge_now (),
                  .seconds = seconds,
                  .take = take,
                  .data = data };
  gpueig_status status = GPUEIG_OK;
  const size_t bytes = (size_t) MOST_ELEMENTS * 2 * sizeof (double);
  gpueig_query (ctx, &machine);
  m.room.a = malloc (bytes);
  m.room.v = malloc (bytes);
  m.room.lambda = malloc (bytes);
  if (! m.room.a || ! m.room.v || ! m.room.lambda)
    status = gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY, "out of host memory");
  for (int i = 0; i < 8 && status == GPUEIG_OK; i++)
    for (int gpu = 0; gpu <= machine.cuda && status == GPUEIG_OK; gpu++)
      status = measure_group (&m, gpu ? GPUEIG_CUDA : GPUEIG_CPU, types[i / 2],
                              ! (i % 2));
  free (m.room.a);
  free (m.room.v);
  free (m.room.lambda);
  return status;
}

/* --- gpueig_tune --- */

typedef struct
{
  gpueig_context *ctx;
  ge_time *row;
  int count, room;
} collection;

/* Keep T, and report each method once.  */
static void
collect (void *data, const ge_time *t)
{
  static const char *const types[]
      = { "single", "double", "complex single", "complex double" };
  collection *c = data;
  const ge_time *before = c->count > 0 ? &c->row[c->count - 1] : NULL;
  if (! before || before->method != t->method || before->backend != t->backend
      || before->type != t->type || before->vectors != t->vectors)
    ge_notice (c->ctx, "%s on %s, %s, %s", ge_method_name (t->method),
               t->backend == GPUEIG_CUDA ? "the GPU" : "the CPU",
               types[t->type], t->vectors ? "with vectors" : "values");
  if (c->count == c->room)
    {
      const int room = 2 * c->room + 256;
      ge_time *row = realloc (c->row, (size_t) room * sizeof *row);
      if (! row)
        return;
      c->row = row;
      c->room = room;
    }
  /* NOLINTNEXTLINE: the status before says so */
  c->row[c->count++] = *t;
}

static gpueig_status
own_file (gpueig_context *ctx, char *gpu, size_t gpu_size, char *file,
          size_t size)
{
  ge_gpu_name (gpu, gpu_size);
  return ge_times_file (gpu, ge_threads (), file, size)
             ? GPUEIG_OK
             : gpueig_fail (ctx, GPUEIG_IO,
                            "there is no file for times: GPUEIG_TIMES is "
                            "\"builtin\", or HOME is not set");
}

gpueig_status
gpueig_tune (gpueig_context *ctx, double seconds)
{
  char gpu[128], file[4096], machine[300];
  collection c = { .ctx = ctx };
  ctx->message[0] = '\0';
  if (! (seconds > 0 && seconds < 1e6))
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "a budget of %g seconds: must be positive", seconds);
  GE_TRY (own_file (ctx, gpu, sizeof gpu, file, sizeof file));
  gpueig_status status = ge_measure_times (ctx, seconds, collect, &c);
  const gpueig_status kept = status;
  if (c.count > 0 && (status == GPUEIG_OK || status == GPUEIG_INTERRUPTED))
    {
      const ge_time_table table
          = { .threads = ge_threads (), .count = c.count, .row = c.row };
      qsort (c.row, (size_t) c.count, sizeof *c.row, ge_order_times);
      snprintf (machine, sizeof machine, "gpueig %s, GPU %s, BLAS %.100s",
                GPUEIG_VERSION, *gpu ? gpu : "none", ge_blas_description ());
      status = ge_write_times (ctx, file, machine, &table);
      ge_forget_machine (ctx);
    }
  free (c.row);
  if (status != GPUEIG_OK || kept == GPUEIG_OK)
    return status;
  return gpueig_fail (ctx, kept,
                      "interrupted by the user; what was measured "
                      "is kept");
}

gpueig_status
gpueig_forget_times (gpueig_context *ctx)
{
  char gpu[128], file[4096];
  ctx->message[0] = '\0';
  GE_TRY (own_file (ctx, gpu, sizeof gpu, file, sizeof file));
  ge_forget_machine (ctx);
  if (unlink (file) == 0 || access (file, F_OK) != 0)
    return GPUEIG_OK;
  return gpueig_fail (ctx, GPUEIG_IO, "%.300s cannot be removed", file);
}
