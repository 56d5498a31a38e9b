/* Claims: sorting is stable in both directions, with NaN as the largest, -0 equal to 0 and
   complex numbers by modulus, then by argument; medians, positions of extremes and of
   elements that are not zero, products, any, all and scans are those of loops over the
   elements; for all types, dimensions and lengths around the sizes of blocks; a failing
   allocation, whichever it is, leaks nothing.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "gpueig_array.h"

#include <complex.h>
#include <stdlib.h>
#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;
static measure_random seed = { 441 };

#define OK(call)                                                               \
  CHECK ((call) == GPUEIG_OK, "%s: %s", #call, gpueig_message (ctx))

/* An array left-by-n-by-right, along whose second dimension things are done.  */
typedef struct
{
  gpueig_type type;
  int64_t left, n, right, count;
  void *host;
  gpueig_array array;
} sample;

static double complex
value_at (const sample *s, int64_t i, int64_t k, int64_t j)
{
  return measure_get (s->type, s->host, i + s->left * (k + s->n * j));
}

/* Numbers with many ties, zeros of both signs, Inf and, with NANS, NaN.  */
static double
random_part (int nans)
{
  const int64_t k = measure_integer (&seed, -9, 9);
  switch (k)
    {
    case 7:
      return -0.0;
    case 8:
      return measure_integer (&seed, 0, 1) ? INFINITY : -INFINITY;
    case 9:
      return nans ? (measure_integer (&seed, 0, 1) ? NAN : -NAN) : 5;
    default:
      return (double) k;
    }
}

static sample
make (gpueig_type type, int64_t left, int64_t n, int64_t right, int nans)
{
  sample s = { .type = type,
               .left = left,
               .n = n,
               .right = right,
               .count = left * n * right };
  const int64_t dims[3] = { left, n, right };
  s.host = check_array (type, s.count);
  for (int64_t i = 0; i < s.count; i++)
    {
      const double re = random_part (nans);
      double complex z = re;
      if (gpueig_is_complex (type))
        ((double *) &z)[1] = random_part (nans);
      measure_set (type, s.host, i, z);
    }
  OK (gpueig_array_new (ctx, type, 3, dims, &options, &s.array));
  OK (gpueig_array_upload (ctx, s.array, s.host));
  return s;
}

static void
drop (sample *s)
{
  OK (gpueig_array_free (ctx, s->array));
  free (s->host);
}

/* The elements of ARRAY, which is freed; its count must be COUNT.  */
static void *
take (gpueig_array array, gpueig_type type, int64_t count, const char *what)
{
  gpueig_array_info info = { 0 };
  void *x = check_array (type, count + 1);
  OK (gpueig_array_describe (ctx, array, &info));
  CHECK (info.shape.type == type && info.shape.count == count,
         "%s: type %d, %lld elements, wanted %d, %lld", what,
         (int) info.shape.type, (long long) info.shape.count, (int) type,
         (long long) count);
  if (info.shape.type == type && info.shape.count == count)
    OK (gpueig_array_download (ctx, array, x));
  OK (gpueig_array_free (ctx, array));
  return x;
}

static int
is_nan (double complex x)
{
  return creal (x) != creal (x) || cimag (x) != cimag (x);
}

static int
is_same (double complex x, double complex y)
{
  return (is_nan (x) && is_nan (y))
         || (x == y && signbit (creal (x)) == signbit (creal (y)));
}

static double
argument (double complex z)
{
  const double arg = atan2 (cimag (z), creal (z));
  return arg == -acos (-1) ? -arg : arg;
}

/* -1, 0 or 1 as X is before, beside or behind Y; NaN is the largest.  */
static int
compare (gpueig_type type, double complex x, double complex y)
{
  if (is_nan (x) || is_nan (y))
    return is_nan (x) - is_nan (y);
  if (! gpueig_is_complex (type))
    return (creal (x) > creal (y)) - (creal (x) < creal (y));
  if (cabs (x) != cabs (y))
    return cabs (x) > cabs (y) ? 1 : -1;
  return (argument (x) > argument (y)) - (argument (x) < argument (y));
}

/* --- sorting --- */

/* LIST: the positions in column I, J of S in order.  */
static void
order (const sample *s, int64_t i, int64_t j, int descending, int64_t *list)
{
  for (int64_t k = 0; k < s->n; k++)
    {
      int64_t m = k;
      for (; m > 0; m--)
        {
          const int c = compare (s->type, value_at (s, i, list[m - 1], j),
                                 value_at (s, i, k, j));
          if (! (descending ? c < 0 : c > 0))
            break;
          list[m] = list[m - 1];
        }
      list[m] = k;
    }
}

static void
test_sort (const sample *s, int descending, int positions)
{
  gpueig_array array;
  double *at = check_array (GPUEIG_DOUBLE, s->count);
  int64_t *list = malloc ((size_t) s->n * sizeof *list), bad = 0;
  OK (gpueig_array_sort (ctx, s->array, 1, descending, &array,
                         positions ? at : NULL));
  sample sorted = *s;
  sorted.host = take (array, s->type, s->count, "sort");
  for (int64_t j = 0; j < s->right; j++)
    for (int64_t i = 0; i < s->left; i++)
      {
        order (s, i, j, descending, list);
        for (int64_t k = 0; k < s->n; k++)
          bad += ! is_same (value_at (&sorted, i, k, j),
                            value_at (s, i, list[k], j))
                 || (positions
                     && at[i + s->left * (k + s->n * j)]
                            != (double) (list[k] + 1));
      }
  CHECK (bad == 0,
         "type %d, %lld by %lld by %lld: %lld elements are not sorted",
         (int) s->type, (long long) s->left, (long long) s->n,
         (long long) s->right, (long long) bad);
  free (list);
  free (at);
  free (sorted.host);
}

static void
test_median (const sample *s)
{
  gpueig_array array;
  int64_t *list = malloc ((size_t) s->n * sizeof *list), bad = 0;
  OK (gpueig_array_median (ctx, s->array, 1, &array));
  void *got = take (array, s->type, s->left * s->right, "median");
  for (int64_t j = 0; j < s->right; j++)
    for (int64_t i = 0; i < s->left; i++)
      {
        order (s, i, j, 0, list);
        const double low = creal (value_at (s, i, list[(s->n - 1) / 2], j)),
                     high = creal (value_at (s, i, list[s->n / 2], j)),
                     last = creal (value_at (s, i, list[s->n - 1], j));
        const double wanted = last != last ? last
                              : s->n % 2   ? low
                                           : (low + high) / 2;
        /* of either zero */
        bad += ! is_same (measure_get (s->type, got, i + s->left * j) + 0.0,
                          wanted + 0.0);
      }
  CHECK (bad == 0, "type %d, length %lld: %lld medians", (int) s->type,
         (long long) s->n, (long long) bad);
  free (list);
  free (got);
}

/* --- reductions and scans --- */

static void
test_extremes (const sample *s, gpueig_reduction op)
{
  gpueig_array array;
  const int64_t columns = s->left * s->right;
  double *at = check_array (GPUEIG_DOUBLE, columns);
  int64_t bad = 0;
  OK (gpueig_array_reduce (ctx, op, s->array, 1, &array));
  OK (gpueig_array_locate (ctx, s->array, 1, array, at));
  void *got = take (array, s->type, columns, "extreme");
  for (int64_t j = 0; j < s->right; j++)
    for (int64_t i = 0; i < s->left; i++)
      {
        int64_t best = 0;
        for (int64_t k = 1; k < s->n; k++)
          {
            const double complex x = value_at (s, i, k, j),
                                 y = value_at (s, i, best, j);
            const int c = compare (s->type, x, y);
            if (! is_nan (x)
                && (is_nan (y) || c == (op == GPUEIG_LARGEST ? 1 : -1)))
              best = k;
          }
        const double complex wanted = value_at (s, i, best, j),
                             x = measure_get (s->type, got, i + s->left * j);
        bad += compare (s->type, x, wanted) != 0
               || at[i + s->left * j] != (double) (best + 1);
      }
  CHECK (bad == 0, "type %d, length %lld: %lld extremes or positions",
         (int) s->type, (long long) s->n, (long long) bad);
  free (got);
  free (at);
}

static void
test_any_all (const sample *s, gpueig_reduction op)
{
  gpueig_array array;
  int64_t bad = 0;
  OK (gpueig_array_reduce (ctx, op, s->array, 1, &array));
  void *got = take (array, real_type (s->type), s->left * s->right, "any, all");
  for (int64_t j = 0; j < s->right; j++)
    for (int64_t i = 0; i < s->left; i++)
      {
        int64_t count = 0;
        for (int64_t k = 0; k < s->n; k++)
          count += value_at (s, i, k, j) != 0;
        const int wanted = op == GPUEIG_ANY ? count > 0 : count == s->n;
        bad += measure_get (real_type (s->type), got, i + s->left * j)
               != wanted;
      }
  CHECK (bad == 0, "type %d, length %lld: %lld of any or all", (int) s->type,
         (long long) s->n, (long long) bad);
  free (got);
}

/* Numbers whose products and sums are exact.  */
static void
test_scan (gpueig_type type, int64_t left, int64_t n, int64_t right,
           gpueig_reduction op)
{
  static const double factors[] = { 1, -1, 2, 0.5, -1, 1 };
  sample s = make (type, left, n, right, 0);
  gpueig_array array, total = 0;
  int64_t bad = 0;
  for (int64_t i = 0; i < s.count; i++)
    measure_set (type, s.host, i,
                 op == GPUEIG_PRODUCT
                     ? factors[measure_integer (&seed, 0, 5)]
                     : (double) measure_integer (&seed, -9, 9)
                           + (gpueig_is_complex (type) ? I : 0));
  OK (gpueig_array_upload (ctx, s.array, s.host));
  OK (gpueig_array_scan (ctx, op, s.array, 1, &array));
  OK (gpueig_array_reduce (ctx, op, s.array, 1, &total));
  sample got = s;
  got.host = take (array, type, s.count, "scan");
  void *last = take (total, type, left * right, "reduction");
  for (int64_t j = 0; j < right; j++)
    for (int64_t i = 0; i < left; i++)
      {
        double complex wanted = value_at (&s, i, 0, j);
        for (int64_t k = 0; k < n; k++)
          {
            const double complex x = value_at (&s, i, k, j);
            if (k > 0 && op == GPUEIG_SUM)
              wanted += x;
            else if (k > 0 && op == GPUEIG_PRODUCT)
              wanted *= x;
            else if (compare (type, x, wanted)
                     == (op == GPUEIG_LARGEST ? 1 : -1))
              wanted = x;
            bad += value_at (&got, i, k, j) != wanted;
          }
        bad += measure_get (type, last, i + left * j) != wanted;
      }
  CHECK (bad == 0, "type %d, operation %d, length %lld: %lld of a scan",
         (int) type, (int) op, (long long) n, (long long) bad);
  free (got.host);
  free (last);
  drop (&s);
}

static void
test_nonzero (const sample *s)
{
  gpueig_array array;
  int64_t n = 0, bad = 0;
  for (int64_t i = 0; i < s->count; i++)
    n += measure_get (s->type, s->host, i) != 0;
  OK (gpueig_array_nonzero (ctx, s->array, &array));
  double *got = take (array, GPUEIG_DOUBLE, n, "find");
  n = 0;
  for (int64_t i = 0; i < s->count; i++)
    if (measure_get (s->type, s->host, i) != 0)
      bad += got[n++] != (double) (i + 1);
  CHECK (bad == 0, "type %d: %lld positions of find", (int) s->type,
         (long long) bad);
  free (got);
}

static void
test_shape (gpueig_type type, int64_t left, int64_t n, int64_t right, int nans)
{
  sample s = make (type, left, n, right, nans);
  for (int k = 0; k < 4; k++)
    test_sort (&s, k % 2, k / 2);
  if (! gpueig_is_complex (type))
    test_median (&s);
  test_extremes (&s, GPUEIG_LARGEST);
  test_extremes (&s, GPUEIG_SMALLEST);
  test_any_all (&s, GPUEIG_ANY);
  test_any_all (&s, GPUEIG_ALL);
  test_nonzero (&s);
  drop (&s);
  test_scan (type, left, n, right, GPUEIG_SUM);
  test_scan (type, left, n, right, GPUEIG_PRODUCT);
  test_scan (type, left, n, right, GPUEIG_LARGEST);
  test_scan (type, left, n, right, GPUEIG_SMALLEST);
}

static void
test_failing_allocations (void)
{
  sample s = make (GPUEIG_COMPLEX_DOUBLE, 3, 50, 2, 1);
  double *at = check_array (GPUEIG_DOUBLE, s.count);
  const gpueig_array_usage before = gpueig_array_memory (ctx);
  gpueig_status status = GPUEIG_OUT_OF_MEMORY;
  int64_t k;
  for (k = 1; status != GPUEIG_OK && k < 100; k++)
    {
      gpueig_array x = 0;
      gpueig_fail_allocation (ctx, k);
      status = gpueig_array_sort (ctx, s.array, 1, 0, &x, at);
      CHECK (status == GPUEIG_OK || status == GPUEIG_OUT_OF_MEMORY,
             "allocation %lld: %s", (long long) k, gpueig_message (ctx));
      if (x)
        OK (gpueig_array_free (ctx, x));
    }
  gpueig_fail_allocation (ctx, 0);
  const gpueig_array_usage after = gpueig_array_memory (ctx);
  CHECK (k > 3 && k < 100 && after.arrays == before.arrays
             && after.host_bytes == before.host_bytes
             && after.device_bytes == before.device_bytes,
         "%lld failing allocations leak nothing", (long long) k);
  free (at);
  drop (&s);
}

int
main (void)
{
  static const int64_t lengths[] = { 1, 2, 31, 40, 41, 257, 2049, 5000 };
  check_begin ("sorting");
  ctx = check_context (&options);
  test_failing_allocations ();
  for (int t = 0; t < 4; t++)
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++)
      {
        const int64_t n = lengths[i];
        test_shape ((gpueig_type) t, 1, n, 1, i % 2 == 0);
        if (n < 300)
          {
            test_shape ((gpueig_type) t, 1, n, 7, 1);
            test_shape ((gpueig_type) t, 5, n, 3, i % 2 == 1);
          }
      }
  OK (gpueig_array_wait (ctx));
  CHECK (gpueig_array_memory (ctx).arrays == 0, "no array is left");
  gpueig_destroy (ctx);
  return check_end ();
}
