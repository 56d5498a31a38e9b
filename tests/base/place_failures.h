/* For test_place: failing allocations and copies, a lost GPU, and one with little memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef PLACE_FAILURES_H
#define PLACE_FAILURES_H 1

#include "place_arrays.h"

/* Every allocation of a call fails once: the call fails with OUT_OF_MEMORY, or it is
   repeated with smaller chunks or host memory and has the right result.  */
static void
test_failing_allocations (gpueig_place place)
{
  both a, lambda, v;
  gpueig_symmetric s = new_symmetric (12, 5, &a, &lambda, &v);
  solve_in_both (&s, &options, &a, &lambda, &v, "the call");
  go_to (&s, place, &a, &lambda, &v);
  gpueig_limit_chunk (ctx, 2);
  for (int64_t k = 1; k < 200; k++)
    {
      if (place == GPUEIG_HOST)
        memset (v.host, 0, v.bytes);
      gpueig_trim (ctx);
      gpueig_fail_allocation (ctx, k);
      const gpueig_status status
          = gpueig_eig_symmetric (ctx, &s, &options, NULL);
      const int64_t allocations = gpueig_fail_allocation (ctx, 0);
      CHECK (status == GPUEIG_OK || status == GPUEIG_OUT_OF_MEMORY,
             "allocation %lld fails: status %d, %s", (long long) k,
             (int) status, gpueig_message (ctx));
      if (status == GPUEIG_OK)
        CHECK (same (&lambda) && same (&v), "allocation %lld fails: the result",
               (long long) k);
      if (allocations < k)
        break;
    }
  gpueig_limit_chunk (ctx, 0);
  free_arrays ();
}

/* Chunks that are copied in several pieces.  */
static void
test_pieces (void)
{
  both a, lambda, v;
  gpueig_symmetric s = new_symmetric (64, 150, &a, &lambda, &v);
  gpueig_limit_chunk (ctx, 100);
  solve_in_both (&s, &options, &a, &lambda, &v, "several pieces");
  gpueig_limit_chunk (ctx, 0);
  free_arrays ();
}

/* Copies beside the computation fail: so does the call.  */
static void
test_failing_copies (void)
{
  both a, lambda;
  const gpueig_symmetric s = new_symmetric (7, 6, &a, &lambda, NULL);
  setenv ("GPUEIG_FAKE", "copies", 1);
  gpueig_limit_chunk (ctx, 2);
  CHECK (gpueig_eig_symmetric (ctx, &s, &options, NULL) == GPUEIG_DEVICE_ERROR,
         "a copy fails: %s", gpueig_message (ctx));
  setenv ("GPUEIG_FAKE", "", 1);
  CHECK (gpueig_eig_symmetric (ctx, &s, &options, NULL) == GPUEIG_OK,
         "the next call: %s", gpueig_message (ctx));
  gpueig_limit_chunk (ctx, 0);
  free_arrays ();
}

static int copied; /* problems, to host memory */

static void
look_for_copies (void *data, const char *line)
{
  (void) data;
  copied += strstr (line, "copied to host memory") != NULL;
}

/* Pages that are left to the CPU are copied, and not the whole stack; all are right.  */
static void
test_left_pages (void)
{
  both a, b, lambda, v;
  const gpueig_callbacks callbacks = { .report = look_for_copies };
  gpueig_options o = options;
  gpueig_symmetric s = new_symmetric (7, 6, &a, &lambda, &v);
  new_array (&b, GPUEIG_DOUBLE, 6 * 7 * 7);
  fill_symmetric_pages (GPUEIG_DOUBLE, &b, 7, 6, 20);
  send (&b);
  o.display = 1;
  gpueig_set_callbacks (ctx, &callbacks);
  setenv ("GPUEIG_FAKE", "left", 1);
  for (int place = 0; place < 2; place++)
    {
      go_to (&s, (gpueig_place) place, &a, &lambda, &v);
      s.b = at (&b, s.place);
      CHECK (gpueig_eig_symmetric (ctx, &s, &o, NULL) == GPUEIG_OK,
             "a page that is left: %s", gpueig_message (ctx));
    }
  setenv ("GPUEIG_FAKE", "", 1);
  gpueig_set_callbacks (ctx, NULL);
  CHECK (same (&lambda) && same (&v), "a page that is left: its results");
  CHECK (copied == 0, "a page that is left: %d stacks are copied", copied);
  for (int p = 0; p < 6; p++)
    CHECK_RATIO (measure_pair (GPUEIG_DOUBLE, 7, (double *) a.host + 49 * p,
                               (double *) b.host + 49 * p,
                               (double *) v.host + 49 * p,
                               (double *) lambda.host + 7 * p),
                 LIMIT_RESIDUAL, "page %d where some are left", p);
  free_arrays ();
}

/* After a fault of the GPU its data is lost, and calls with host memory go on.  */
static void
test_lost (void)
{
  both a, lambda;
  gpueig_options o = options;
  gpueig_symmetric s = new_symmetric (4, 1, &a, &lambda, NULL);
  go_to (&s, GPUEIG_DEVICE, &a, &lambda, NULL);
  setenv ("GPUEIG_FAKE", "lost", 1);
  CHECK (gpueig_eig_symmetric (ctx, &s, &o, NULL) == GPUEIG_DEVICE_ERROR,
         "the call with the fault: %s", gpueig_message (ctx));
  setenv ("GPUEIG_FAKE", "", 1);
  for (int b = 0; b < 2; b++)
    {
      o.backend = b ? GPUEIG_AUTO : GPUEIG_CUDA;
      CHECK (gpueig_eig_symmetric (ctx, &s, &o, NULL) == GPUEIG_DEVICE_LOST,
             "data of a lost GPU: %s", gpueig_message (ctx));
    }
  go_to (&s, GPUEIG_HOST, &a, &lambda, NULL);
  CHECK (gpueig_eig_symmetric (ctx, &s, &o, NULL) == GPUEIG_OK,
         "data in host memory: %s", gpueig_message (ctx));
  free_arrays ();
}

/* What exceeds the GPU's memory is refused before the solver runs; "auto" uses the CPU.  */
static void
test_little_memory (void)
{
  const int64_t n = 200;
  both a, lambda, v;
  gpueig_info info;
  gpueig_options o = options;
  gpueig_context *other;
  new_array (&a, GPUEIG_DOUBLE, n * n);
  new_array (&lambda, GPUEIG_COMPLEX_DOUBLE, n);
  new_array (&v, GPUEIG_COMPLEX_DOUBLE, n * n);
  fill_symmetric_pages (GPUEIG_DOUBLE, &a, n, 1, 0);
  const gpueig_symmetric s
      = symmetric_problem (GPUEIG_DOUBLE, n, 1, a.host, lambda.host, v.host);
  const gpueig_general g = { .type = GPUEIG_DOUBLE,
                             .n = n,
                             .pages = 1,
                             .a = a.host,
                             .lambda = lambda.host,
                             .v = v.host };
  setenv ("GPUEIG_FAKE", "small", 1);
  CHECK (gpueig_create (&other) == GPUEIG_OK
             && gpueig_set_plugin (other, getenv ("GPUEIG_TEST_PLUGIN"))
                    == GPUEIG_OK,
         "a context");
  for (int b = 0; b < 2; b++)
    for (int k = 0; k < 5; k++)
      {
        o.backend = b ? GPUEIG_AUTO : GPUEIG_CUDA;
        const gpueig_status status
            = k == 0   ? gpueig_eig_symmetric (other, &s, &o, &info)
              : k == 1 ? gpueig_jacobi_eig (other, &s, &o, &info)
              : k == 2 ? gpueig_onesided_eig (other, &s, &o, &info)
              : k == 3 ? gpueig_eig_general (other, &g, &o, &info)
                       : gpueig_complex_eig (other, &g, &o, &info);
        CHECK (b ? status == GPUEIG_OK && strcmp (info.backend, "cpu") == 0
                       && ! info.fallback[0]
                 : status == GPUEIG_OUT_OF_MEMORY
                       && strstr (gpueig_message (other), "at least"),
               "solver %d, %s: %s", k, b ? "auto" : "cuda",
               gpueig_message (other));
      }
  gpueig_destroy (other);
  setenv ("GPUEIG_FAKE", "", 1);
  free_arrays ();
}

#endif
