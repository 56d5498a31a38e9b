/* Claims: whichever poll of the interrupt callback returns nonzero, and be it the only
   one, the call returns GPUEIG_INTERRUPTED, or GPUEIG_OK with complete results; a
   callback that never does leaves them complete.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"

#include <math.h>
#include <stdlib.h>

enum
{
  MOST_POLLS = 300 /* tested one by one */
};

static gpueig_context *ctx;
static gpueig_options options;

static struct
{
  int64_t count,
      at; /* polls so far, and the one that returns nonzero; 0: none */
} polls;

static int
interrupted (void *data)
{
  (void) data;
  return ++polls.count == polls.at;
}

/* --- the calls: results are copied in pieces, while the callback is polled --- */

static int64_t order;
static double *input, *output, *values;

static gpueig_status
invert (gpueig_info *info)
{
  const gpueig_tdinv_problem p = { .type = GPUEIG_DOUBLE,
                                   .n = order,
                                   .c = input,
                                   .a = input + order,
                                   .b = input,
                                   .band = -1,
                                   .x = output };
  return gpueig_tdinv (ctx, &p, &options, info);
}

/* As a stack of small pages; the input is large, too.  */
static gpueig_status
solve_stack (gpueig_info *info)
{
  enum
  {
    N = 16
  };
  const gpueig_symmetric s = symmetric_problem (
      GPUEIG_DOUBLE, N, order * order / (N * N), input, values, output);
  return gpueig_eig_symmetric (ctx, &s, &options, info);
}

static void
prefill (double *x, int64_t count)
{
  for (int64_t i = 0; i < count; i++)
    x[i] = NAN;
}

static int
all_finite (const double *x, int64_t count)
{
  int finite = 1;
  for (int64_t i = 0; i < count; i++)
    finite &= isfinite (x[i]) != 0;
  return finite;
}

/* The pages of COUNT values that SOLVE writes beside the results.  */
static void
test_call (const char *name, gpueig_status (*solve) (gpueig_info *),
           int64_t count)
{
  gpueig_info info;
  int64_t total = 0, interrupts = 0;
  for (int64_t k = 0; k <= MOST_POLLS && k <= total; k++)
    {
      prefill (output, order * order);
      prefill (values, count);
      polls.count = 0;
      polls.at = k;
      const gpueig_status status = solve (&info);
      if (k == 0)
        total = polls.count;
      const int complete
          = all_finite (output, order * order) && all_finite (values, count);
      interrupts += status == GPUEIG_INTERRUPTED;
      CHECK (status == GPUEIG_OK ? complete
                                 : k > 0 && status == GPUEIG_INTERRUPTED,
             "%s, interrupted at poll %d of %d: status %d, results %s", name,
             (int) k, (int) total, (int) status,
             complete ? "complete" : "not complete");
    }
  CHECK (interrupts > 0, "%s: %d polls, %d of them interrupted the call", name,
         (int) total, (int) interrupts);
}

int
main (void)
{
  measure_random r = { 7 };
  check_begin ("polls");
  ctx = check_context (&options);
  const gpueig_callbacks callbacks = { .interrupted = interrupted };
  gpueig_set_callbacks (ctx, &callbacks);
  /* copies to and from a GPU are divided into pieces from 8 MB on */
  order = options.backend == GPUEIG_CUDA ? 2400 : 400;
  const int64_t square = order * order, count = square / 16;
  input = check_array (GPUEIG_DOUBLE, square);
  output = check_array (GPUEIG_DOUBLE, square);
  values = check_array (GPUEIG_DOUBLE, count);
  for (int64_t p = 0; p < square / 256; p++)
    measure_random_symmetric (&r, GPUEIG_DOUBLE, 16, input + 256 * p);
  test_call ("eig of a stack", solve_stack, count);
  for (int64_t i = 0; i < order; i++)
    {
      input[i] = measure_uniform (&r);
      input[order + i] = 3 + measure_uniform (&r);
    }
  test_call ("tdinv", invert, 0);
  free (input);
  free (output);
  free (values);
  gpueig_destroy (ctx);
  return check_end ();
}
