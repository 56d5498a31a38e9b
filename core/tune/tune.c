/* Which measurements are made, and in which order.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A row is a method on a backend, for a type and a kind; it is measured at rising orders,
   one matrix and stacks.  Rows share the time: a row ends where the next order would take
   longer than what is left of its share; what it leaves is shared by those that follow.  */

#include "tune/tune.h"
#include "plan/plan.h"
#include "run/run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
  /* The most elements of a problem, of a stack on a GPU and of one on the CPU; the largest
     order of a stack, and of any problem.  */
  MOST_ELEMENTS = 1 << 24,
  GPU_ELEMENTS = 1 << 22,
  CPU_ELEMENTS = 1 << 18,
  STACK_ORDER = 256,
  LARGEST_ORDER = 4096,
  RUNS = 9,
  MOST_RUNS = 1000
};

/* A problem is called again until the calls took LEAST_SECONDS, MOST_RUNS times at most, and
   not after LONG_ENOUGH.  A first call, which gets new memory, counts from FIRST_COUNTS
   on.  */
#define LEAST_SECONDS 2e-3
#define LONG_ENOUGH 0.4
#define FIRST_COUNTS 1.0

/* The larger ones are no powers of two, with which the elements of a row share few places
   of the cache.  */
static const int64_t orders[]
    = { 4, 8, 16, 32, 64, 125, 250, 500, 1000, 2000, 4000 };

/* Pages of stacks, and so many elements.  */
static const int64_t pages_of_stacks[] = { 1, 16, 256, 4096 };

/* The methods that have times; all others are one of these solvers under another name.  */
static const ge_method methods[]
    = { GE_METHOD_EIG_MRRR,         GE_METHOD_EIG_SYEVD,
        GE_METHOD_EIG_DC,           GE_METHOD_EIG_QL,
        GE_METHOD_GENERAL_QR,       GE_METHOD_GENERAL_GEEV,
        GE_METHOD_COMPLEX_SHROFF,   GE_METHOD_ONESIDED_SHIFTED,
        GE_METHOD_EIG_ONESIDED,     GE_METHOD_MRRR_MRRR,
        GE_METHOD_MRRR_STEVD,       GE_METHOD_JACOBI_PRECONDITIONED,
        GE_METHOD_TDINV_GENERATORS, GE_METHOD_SCHUR_QR,
        GE_METHOD_SCHUR_GEES,       GE_METHOD_SVD_JACOBI,
        GE_METHOD_SVD_GESDD,        GE_METHOD_SVD_GRAM };

enum
{
  SPREAD = GE_WITH_VECTORS | GE_OF_SPECTRUM * GE_SPREAD,
  CLUSTERED = GE_WITH_VECTORS | GE_OF_SPECTRUM * GE_CLUSTERED,
  GUESS = GE_WITH_VECTORS | GE_FROM_GUESS,
  PAIRS = GE_WITH_VECTORS | GE_OF_PAIRS
};

/* Types and kinds, those that are used most first, and their shares of the time.  */
static const struct
{
  gpueig_type type;
  int kind, weight;
} groups[] = { { GPUEIG_DOUBLE, GE_WITH_VECTORS, 6 },
               { GPUEIG_DOUBLE, 0, 3 },
               { GPUEIG_COMPLEX_DOUBLE, GE_WITH_VECTORS, 4 },
               { GPUEIG_FLOAT, GE_WITH_VECTORS, 3 },
               { GPUEIG_DOUBLE, PAIRS, 1 },
               { GPUEIG_COMPLEX_FLOAT, GE_WITH_VECTORS, 3 },
               { GPUEIG_COMPLEX_DOUBLE, 0, 2 },
               { GPUEIG_FLOAT, 0, 1 },
               { GPUEIG_COMPLEX_FLOAT, 0, 1 },
               { GPUEIG_COMPLEX_DOUBLE, PAIRS, 1 },
               { GPUEIG_FLOAT, PAIRS, 1 },
               { GPUEIG_COMPLEX_FLOAT, PAIRS, 1 },
               { GPUEIG_DOUBLE, SPREAD, 1 },
               { GPUEIG_DOUBLE, CLUSTERED, 1 },
               { GPUEIG_FLOAT, SPREAD, 1 },
               { GPUEIG_FLOAT, CLUSTERED, 1 },
               { GPUEIG_DOUBLE, GUESS, 1 },
               { GPUEIG_FLOAT, GUESS, 1 },
               { GPUEIG_COMPLEX_DOUBLE, GUESS, 1 },
               { GPUEIG_COMPLEX_FLOAT, GUESS, 1 } };

enum
{
  METHODS = sizeof methods / sizeof methods[0],
  GROUPS = sizeof groups / sizeof groups[0]
};

typedef struct
{
  gpueig_context *ctx;
  ge_tune_room room;
  double end; /* of the time, by ge_now */
  ge_tune_wants *wants;
  ge_time *row;
  int count, most;
  int backends;     /* 2: with a GPU */
  int tables, done; /* tables of all groups, and those that were begun */
} measuring;

/* --- one measurement --- */

/* Measure the shortest of several calls after a first one.  The first one counts only if it
   is long, since other programs and a processor that wakes up lengthen some calls.  */
static gpueig_status
measure (const measuring *m, ge_time *t)
{
  ge_time one = *t;
  GE_TRY (ge_tune_fill (m->ctx, &m->room, &one));
  GE_TRY (ge_tune_call (m->ctx, &m->room, &one));
  *t = one;
  double all = one.seconds < FIRST_COUNTS ? 0 : one.seconds;
  for (int i = 0;
       i < RUNS ? all < LONG_ENOUGH : i < MOST_RUNS && all < LEAST_SECONDS; i++)
    {
      GE_TRY (ge_tune_call (m->ctx, &m->room, &one));
      all += one.seconds + one.transfer;
      if (i == 0 || one.seconds < t->seconds)
        *t = one;
    }
  return GPUEIG_OK;
}

static gpueig_status
keep (measuring *m, const ge_time *t)
{
  if (m->count == m->most)
    {
      const int most = 2 * m->most + 256;
      ge_time *row = realloc (m->row, (size_t) most * sizeof *row);
      if (! row)
        return gpueig_fail (m->ctx, GPUEIG_OUT_OF_MEMORY, "out of host memory");
      m->row = row;
      m->most = most;
    }
  m->row[m->count++] = *t;
  return GPUEIG_OK;
}

/* Nonzero for a status after which nothing more can be measured.  */
static int
ends_all (const measuring *m, gpueig_status status)
{
  return status == GPUEIG_INTERRUPTED || status == GPUEIG_OUT_OF_MEMORY
         || ge_device_is_lost (m->ctx);
}

/* Measure T; *SECONDS becomes the time of a call, negative if the method failed.  */
static gpueig_status
measure_and_keep (measuring *m, ge_time t, double *seconds)
{
  gpueig_status status = ge_check_interrupt (m->ctx);
  if (status == GPUEIG_OK)
    status = measure (m, &t);
  *seconds = status == GPUEIG_OK ? t.seconds + t.transfer : -1;
  if (status == GPUEIG_OK)
    return keep (m, &t);
  return ends_all (m, status) ? status : GPUEIG_OK;
}

/* --- rows --- */

/* The stack after one of PAGES pages of order N; 0: none.  */
static int64_t
next_pages (const ge_time *t, int64_t pages)
{
  const ge_method_row *row = &ge_method_table[t->method];
  const int cuda = t->backend == GPUEIG_CUDA;
  const int64_t most = (cuda ? GPU_ELEMENTS : CPU_ELEMENTS) / (t->n * t->n);
  if (t->n > STACK_ORDER || (cuda && ! (row->traits & GE_AT_ONCE))
      || row->solver == GE_TDINV)
    return 0;
  for (size_t i = 0; i < sizeof pages_of_stacks / sizeof *pages_of_stacks; i++)
    if (pages_of_stacks[i] > pages && pages_of_stacks[i] <= most)
      return pages_of_stacks[i];
  return most >= 2 * pages ? most : 0;
}

/* The largest order at which a method is measured.  */
static int64_t
largest_order (ge_method method)
{
  const int64_t largest = ge_method_table[method].largest;
  return largest > 0 && largest < LARGEST_ORDER ? largest : LARGEST_ORDER;
}

/* Measure the orders of a row, of one matrix or (STACKS) of several, until END.  */
static gpueig_status
measure_orders (measuring *m, ge_time t, int stacks, double end)
{
  const int64_t largest = largest_order (t.method);
  double seconds = 0;
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
    {
      t.n = orders[i];
      if (t.n > largest)
        break;
      t.pages = stacks ? next_pages (&t, 1) : 1;
      for (; t.pages > 0; t.pages = stacks ? next_pages (&t, t.pages) : 0)
        {
          GE_TRY (measure_and_keep (m, t, &seconds));
          if (seconds < 0 || ge_now () + 5 * seconds > end)
            return GPUEIG_OK;
        }
      /* One matrix of the next order takes about eight times as long, and is called
         twice.  */
      if (! stacks && ge_now () + 16 * seconds > end)
        return GPUEIG_OK;
    }
  return GPUEIG_OK;
}

static gpueig_status
measure_row (measuring *m, ge_time t, double end)
{
  const double now = ge_now ();
  GE_TRY (measure_orders (m, t, 0, now + 0.6 * (end - now)));
  return measure_orders (m, t, 1, end);
}

static int
has_row (const ge_time *t)
{
  const ge_method_row *row = &ge_method_table[t->method];
  const int kind = t->kind, cuda = t->backend == GPUEIG_CUDA;
  if (t->method == GE_METHOD_EIG_ONESIDED)
    return ! cuda && (kind & GE_OF_PAIRS);
  if ((kind >= GE_OF_SPECTRUM && row->solver != GE_MRRR)
      || (kind & GE_FROM_GUESS && t->method != GE_METHOD_JACOBI_PRECONDITIONED)
      || (kind >= GE_FROM_GUESS && cuda)
      || (! (kind & GE_WITH_VECTORS) && ge_values_with_vectors (row->solver))
      || (cuda
          && (t->method == GE_METHOD_COMPLEX_SHROFF
              || t->method == GE_METHOD_EIG_SYEVD)))
    return 0;
  return (row->places & (cuda ? GE_ON_CUDA : GE_ON_CPU))
         && ! (row->solver == GE_MRRR && gpueig_is_complex (t->type))
         && ! (row->solver == GE_TDINV && ! (kind & GE_WITH_VECTORS))
         && ! (kind & GE_OF_PAIRS && ! (row->traits & GE_TAKES_PAIR));
}

/* Set *ROW to number K of group G, of all methods on all backends.  Zero if it is not
   measured.  */
static int
is_measured (const measuring *m, int g, int k, ge_time *row)
{
  *row = (ge_time){ .method = methods[k / m->backends],
                    .backend = k % m->backends ? GPUEIG_CUDA : GPUEIG_CPU,
                    .type = groups[g].type,
                    .kind = groups[g].kind };
  return has_row (row) && m->wants (row);
}

static int
rows_of_group (const measuring *m, int g)
{
  ge_time row;
  int count = 0;
  for (int k = 0; k < METHODS * m->backends; k++)
    count += is_measured (m, g, k, &row);
  return count;
}

static void
report_row (const measuring *m, const ge_time *row)
{
#define FUNCTION(solver, name) #name,
  static const char *const functions[] = { GE_SOLVER_LIST (FUNCTION) };
#undef FUNCTION
  static const char *const types[]
      = { "single", "double", "complex single", "complex double" };
  const int kind = row->kind;
  ge_notice (m->ctx, "%d of %d, %.0f s left: %s by %s on %s, %s, %s%s", m->done,
             m->tables, fmax (m->end - ge_now (), 0),
             functions[ge_method_table[row->method].solver],
             ge_method_name (row->method),
             row->backend == GPUEIG_CUDA ? "the GPU" : "the CPU",
             types[row->type],
             kind & GE_OF_PAIRS       ? "pairs, "
             : kind & GE_FROM_GUESS   ? "from a guess, "
             : kind >= GE_OF_SPECTRUM ? "other spectra, "
                                      : "",
             kind & GE_WITH_VECTORS ? "with vectors" : "values");
}

/* Measure all rows of group G until END.  */
static gpueig_status
measure_group (measuring *m, int g, double end)
{
  ge_time row;
  int left = rows_of_group (m, g);
  for (int k = 0; k < METHODS * m->backends; k++)
    if (is_measured (m, g, k, &row))
      {
        m->done++;
        if (ge_now () >= m->end)
          continue;
        report_row (m, &row);
        GE_TRY (measure_row (m, row, ge_now () + (end - ge_now ()) / left));
        left--;
      }
  return GPUEIG_OK;
}

static gpueig_status
measure_groups (measuring *m)
{
  int weights = 0;
  for (int g = 0; g < GROUPS; g++)
    {
      weights += groups[g].weight;
      m->tables += rows_of_group (m, g);
    }
  for (int g = 0; g < GROUPS; weights -= groups[g++].weight)
    GE_TRY (measure_group (
        m, g, ge_now () + (m->end - ge_now ()) * groups[g].weight / weights));
  return GPUEIG_OK;
}

gpueig_status
ge_measure_times (gpueig_context *ctx, double seconds, ge_tune_wants *wants,
                  ge_measured_times *table)
{
  gpueig_machine machine;
  measuring m = { .ctx = ctx, .wants = wants, .end = ge_now () + seconds };
  gpueig_status status = GPUEIG_OK;
  const size_t bytes = (size_t) MOST_ELEMENTS * 2 * sizeof (double);
  gpueig_query (ctx, &machine);
  m.room.a = malloc (bytes);
  m.room.b = malloc (bytes);
  m.room.v = malloc (bytes);
  m.room.lambda = malloc (bytes);
  if (! m.room.a || ! m.room.b || ! m.room.v || ! m.room.lambda)
    status = gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY, "out of host memory");
  else
    {
      m.backends = 1 + machine.cuda;
      status = measure_groups (&m);
    }
  free (m.room.a);
  free (m.room.b);
  free (m.room.v);
  free (m.room.lambda);
  if (m.count > 0)
    qsort (m.row, (size_t) m.count, sizeof *m.row, ge_order_times);
  *table = (ge_measured_times){ .count = m.count, .row = m.row };
  ge_find_cpu (&table->hardware);
  if (machine.cuda)
    {
      table->hardware.rate[0] = machine.device[0].rate[0];
      table->hardware.rate[1] = machine.device[0].rate[1];
      table->hardware.bandwidth = machine.device[0].bandwidth;
    }
  return status;
}

/* --- gpueig_tune --- */

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

/* Nonzero for the rows that a user's table has; the others are in the library's tables
   only.  */
static int
is_usual (const ge_time *row)
{
  return row->kind < GE_FROM_GUESS;
}

gpueig_status
gpueig_tune (gpueig_context *ctx, double seconds)
{
  char gpu[128], file[4096], machine[300];
  ge_measured_times times;
  ge_time_table table;
  gpueig_forecast before[GE_TUNE_TASKS];
  ctx->message[0] = '\0';
  if (! (seconds > 0 && seconds < 1e6))
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "a budget of %g seconds: must be positive", seconds);
  GE_TRY (own_file (ctx, gpu, sizeof gpu, file, sizeof file));
  GE_TRY (ge_tune_plans (ctx, before));
  const gpueig_status kept = ge_measure_times (ctx, seconds, is_usual, &times);
  gpueig_status status = kept;
  ge_fit_table (&times, &table);
  if (times.count > 0 && ! table.line)
    status = gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY, "out of host memory");
  else if (times.count > 0 && (kept == GPUEIG_OK || kept == GPUEIG_INTERRUPTED))
    {
      snprintf (machine, sizeof machine, "gpueig %s, GPU %s, BLAS %.100s",
                GPUEIG_VERSION, *gpu ? gpu : "none", ge_blas_description ());
      status = ge_write_times (ctx, file, machine, &table);
      ge_forget_machine (ctx);
      if (status == GPUEIG_OK)
        {
          status = ge_report_changes (ctx, before);
          ge_notice (ctx, "the times are in %.180s", file);
        }
    }
  free ((void *) times.row);
  free ((void *) table.line);
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
  if (ge_remove_file (file) == 0 || errno == ENOENT || errno == ENOTDIR)
    return GPUEIG_OK;
  return gpueig_fail (ctx, GPUEIG_IO, "%.300s cannot be removed", file);
}
