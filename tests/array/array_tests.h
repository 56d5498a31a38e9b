/* For tests of operations on arrays: arrays in host memory and in the place of the test.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef ARRAY_TESTS_H
#define ARRAY_TESTS_H 1

#include "backend_test.h"
#include "gpueig_array.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

static measure_random seed;

#define OK(call)                                                               \
  CHECK ((call) == GPUEIG_OK, "%s: %s", #call, gpueig_message (ctx))

static inline int64_t
random_int (int64_t low, int64_t high)
{
  return measure_integer (&seed, low, high);
}

/* *WORST: at least the error of GOT in eps (|WANTED| + SCALE).  */
static inline void
check_close (double complex got, double complex wanted, double scale,
             gpueig_type type, double *worst)
{
  const double error
      = cabs (got - wanted)
        / ((cabs (wanted) + scale) * measure_eps (type) + 1e-300);
  *worst = worst_of (*worst, error);
}

typedef struct
{
  gpueig_type type;
  int64_t dims[3], count;
  void *host;
  gpueig_array array;
} pair;

/* Zeros.  */
static pair
make_zeros (gpueig_type type, int64_t m, int64_t n, int64_t p)
{
  pair x = { .type = type, .dims = { m, n, p }, .count = m * n * p };
  x.host = check_array (type, x.count);
  OK (gpueig_array_new (ctx, type, 3, x.dims, &options, &x.array));
  return x;
}

static void
send (const pair *x)
{
  OK (gpueig_array_upload (ctx, x->array, x->host));
}

static inline pair
make (gpueig_type type, int64_t m, int64_t n, int64_t p)
{
  pair x = make_zeros (type, m, n, p);
  for (int64_t i = 0; i < x.count; i++)
    measure_set (type, x.host, i, measure_number (&seed, type));
  send (&x);
  return x;
}

static void
drop (pair *x)
{
  if (x->array)
    OK (gpueig_array_free (ctx, x->array));
  free (x->host);
}

/* Element I, J, P, of dimensions of 1 the only one.  */
static double complex
at (const pair *x, int64_t i, int64_t j, int64_t p)
{
  return measure_get (
      x->type, x->host,
      i % x->dims[0]
          + x->dims[0] * (j % x->dims[1] + x->dims[1] * (p % x->dims[2])));
}

/* The elements of RESULT, which is freed, and must have this type and size.  */
static pair
take (gpueig_array result, gpueig_type type, int64_t m, int64_t n, int64_t p,
      const char *what)
{
  gpueig_array_info info = { 0 };
  pair x = { .type = type, .dims = { m, n, p }, .count = m * n * p };
  x.host = check_array (type, x.count);
  OK (gpueig_array_describe (ctx, result, &info));
  const int64_t pages = info.shape.n_dims > 2 ? info.shape.dims[2] : 1;
  CHECK (info.shape.type == type && info.shape.dims[0] == m
             && info.shape.dims[1] == n && pages == p,
         "%s: type %d and size %lld-by-%lld-by-%lld, not %d and %lld %lld %lld",
         what, (int) info.shape.type, (long long) info.shape.dims[0],
         (long long) info.shape.dims[1], (long long) pages, (int) type,
         (long long) m, (long long) n, (long long) p);
  if (info.shape.count == x.count && info.shape.type == type)
    OK (gpueig_array_download (ctx, result, x.host));
  OK (gpueig_array_free (ctx, result));
  return x;
}

/* The type of an operation with elements of two types.  */
static inline gpueig_type
common_type (gpueig_type x, gpueig_type y)
{
  const int is_double = gpueig_is_double (x) && gpueig_is_double (y);
  const int is_complex = gpueig_is_complex (x) || gpueig_is_complex (y);
  return (gpueig_type) (is_double + 2 * is_complex);
}

static inline int
is_nan (double complex x)
{
  return creal (x) != creal (x) || cimag (x) != cimag (x);
}

/* Destroy the context, which has no array any more.  */
static void
end_arrays (void)
{
  OK (gpueig_array_wait (ctx));
  CHECK (gpueig_array_memory (ctx).arrays == 0, "no array is left");
  gpueig_destroy (ctx);
}

/* TEST on the backend under test and, without a GPU, also with the simulated one; the exit
   status.  */
static inline int
test_with_a_gpu (const char *name, const char *program, void (*test) (void))
{
  check_begin (name);
  do
    {
      ctx = check_context (&options);
      test ();
      end_arrays ();
    }
  while (check_simulate_gpu (program));
  return check_end ();
}

/* The next allocations fail one after another until TRY, which makes results of which those
   that are not 0 are freed, succeeds: nothing leaks.  */
static void
check_leaks (gpueig_status (*try_calls) (int64_t k, gpueig_array made[4]))
{
  const gpueig_array_usage before = gpueig_array_memory (ctx);
  gpueig_status status = GPUEIG_OUT_OF_MEMORY;
  int64_t k = 0;
  while (status != GPUEIG_OK && ++k < 100)
    {
      gpueig_array made[4] = { 0 };
      gpueig_fail_allocation (ctx, k);
      status = try_calls (k, made);
      gpueig_fail_allocation (ctx, 0);
      CHECK (status == GPUEIG_OK || status == GPUEIG_OUT_OF_MEMORY,
             "allocation %lld: %s", (long long) k, gpueig_message (ctx));
      for (int i = 0; i < 4; i++)
        if (made[i])
          OK (gpueig_array_free (ctx, made[i]));
    }
  const gpueig_array_usage after = gpueig_array_memory (ctx);
  CHECK (k > 3 && k < 100 && after.arrays == before.arrays
             && after.host_bytes == before.host_bytes
             && after.device_bytes == before.device_bytes,
         "%lld failing allocations leak nothing", (long long) k);
}

#endif
