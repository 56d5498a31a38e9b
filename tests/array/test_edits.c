/* Claims: an assignment that keeps shape and type takes no memory for a second array, and
   is done in place once the array before it is freed; whatever the order of assignments,
   uses and deletions, every array has the values of its own assignments; a failing
   allocation, whichever it is, changes no array and leaks nothing.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "gpueig_array.h"

#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;
static measure_random seed = { 44 };

#define OK(call)                                                               \
  CHECK ((call) == GPUEIG_OK, "%s: %s", #call, gpueig_message (ctx))

enum
{
  N = 12,
  VARIABLES = 6
};

static const int64_t dims[2] = { N, N };

static int
random_int (int low, int high)
{
  const double u = (measure_uniform (&seed) + 1) / 2;
  const int k = low + (int) (u * (high - low + 1));
  return k < high ? k : high;
}

static int64_t
bytes_held (void)
{
  const gpueig_array_usage use = gpueig_array_memory (ctx);
  return use.host_bytes + use.device_bytes;
}

/* RESULT = A with the COUNT elements (or columns, with a colon first) LIST set to VALUE.  */
static gpueig_status
set (gpueig_array a, int columns, int64_t count, const int64_t *list,
     gpueig_operand value, gpueig_array *result)
{
  const gpueig_index index[2]
      = { { .count = N, .step = 1 }, { .count = count, .list = list } };
  return gpueig_array_assign (ctx, a, 1 + columns, index + ! columns, value,
                              result);
}

static void
test_memory (void)
{
  const int64_t large[2] = { 1000, 1000 }, at = 7;
  static double host[1000 * 1000];
  gpueig_array a = 0, b = 0, c = 0;
  void *before, *after;
  OK (gpueig_array_new (ctx, GPUEIG_DOUBLE, 2, large, &options, &a));
  OK (gpueig_array_upload (ctx, a, host));
  OK (gpueig_array_data (ctx, a, &before));
  const int64_t held = bytes_held ();
  const gpueig_index index = { .count = 1, .list = &at };
  const gpueig_operand one = { .type = GPUEIG_DOUBLE, .re = 1 };
  OK (gpueig_array_assign (ctx, a, 1, &index, one, &b));
  CHECK (bytes_held () < held + 100000, "an assignment copies no array");
  OK (gpueig_array_assign (ctx, a, 1, &index, one, &c));
  CHECK (bytes_held () >= held + 8000000, "a second one of the same does");
  OK (gpueig_array_free (ctx, a));
  OK (gpueig_array_data (ctx, b, &after));
  CHECK (before == after, "done in place");
  OK (gpueig_array_download (ctx, b, host));
  CHECK (host[7] == 1 && host[8] == 0, "its value");
  OK (gpueig_array_free (ctx, b));
  OK (gpueig_array_free (ctx, c));
}

/* Whether the array A has the VALUES.  */
static int
has_values (gpueig_array a, const double *values)
{
  double now[N * N];
  return gpueig_array_download (ctx, a, now) == GPUEIG_OK
         && memcmp (now, values, sizeof now) == 0;
}

/* Random assignments from one variable to another, copies and uses; with FAIL now and
   then an allocation fails.  */
static void
test_session (int steps, int fail)
{
  static double values[VARIABLES][N * N];
  gpueig_array variable[VARIABLES];
  int wrong = 0;
  memset (values, 0, sizeof values);
  for (int i = 0; i < VARIABLES; i++)
    {
      OK (gpueig_array_new (ctx, GPUEIG_DOUBLE, 2, dims, &options,
                            &variable[i]));
      OK (gpueig_array_upload (ctx, variable[i], values[i]));
    }
  for (int step = 0; step < steps; step++)
    {
      const int from = random_int (0, VARIABLES - 1),
                to = random_int (0, VARIABLES - 1), column = random_int (0, 3);
      int64_t list[3], count = random_int (1, 3);
      double next[N * N];
      gpueig_array result = 0, part = 0;
      gpueig_operand x = { .type = GPUEIG_DOUBLE, .re = step };
      memcpy (next, values[from], sizeof next);
      if (column == 0)
        {
          count = 1;
          const gpueig_index i[2] = { { .count = N, .step = 1 },
                                      { .count = 1, .start = step % N } };
          OK (gpueig_array_index (ctx, variable[to], 2, i, 0, NULL, &part));
          x.array = part;
        }
      for (int k = 0; k < count; k++)
        list[k] = random_int (0, column == 0 ? N - 1 : N * N - 1);
      for (int k = 0; k < count; k++)
        if (column == 0)
          memcpy (next + N * list[k], values[to] + N * (step % N),
                  N * sizeof *next);
        else
          next[list[k]] = step;
      if (fail)
        gpueig_fail_allocation (ctx, random_int (1, 6));
      const gpueig_status status
          = set (variable[from], column == 0, count, list, x, &result);
      gpueig_fail_allocation (ctx, 0);
      wrong += status != GPUEIG_OK && ! (fail && result == 0);
      if (part)
        OK (gpueig_array_free (ctx, part));
      if (result)
        {
          OK (gpueig_array_free (ctx, variable[to]));
          variable[to] = result;
          memcpy (values[to], next, sizeof next);
        }
      const int look = random_int (0, 2 * VARIABLES);
      if (look < VARIABLES)
        {
          double now[N * N];
          gpueig_fail_allocation (ctx, fail ? random_int (1, 2) : 0);
          const gpueig_status used
              = gpueig_array_download (ctx, variable[look], now);
          gpueig_fail_allocation (ctx, 0);
          wrong
              += used != GPUEIG_OK && ! (fail && used == GPUEIG_OUT_OF_MEMORY);
          wrong += ! has_values (variable[look], values[look]);
        }
    }
  for (int i = 0; i < VARIABLES; i++)
    {
      wrong += ! has_values (variable[i], values[i]);
      OK (gpueig_array_free (ctx, variable[i]));
    }
  CHECK (wrong == 0, "%d wrong values or statuses in %d steps", wrong, steps);
}

int
main (void)
{
  check_begin ("edits");
  ctx = check_context (&options);
  const int64_t held = bytes_held ();
  test_memory ();
  test_session (3000, 0);
  test_session (3000, 1);
  CHECK (gpueig_array_memory (ctx).arrays == 0 && bytes_held () == held,
         "nothing is left");
  gpueig_destroy (ctx);
  return check_end ();
}
