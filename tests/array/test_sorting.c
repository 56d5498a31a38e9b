/* Claims about order in arrays, for all types, dimensions and lengths around the sizes of
   blocks:
   sorting_is_stable: sorting is stable in both directions: NaN is the largest, -0 equals 0,
     complex numbers go by modulus, then by argument
   medians_are_those_of_loops: medians are those of sorted elements
   extremes_have_first_positions: maxima and minima are at their first positions
   any_and_all_are_loops: any and all are those of loops
   scans_are_loops: sums and products that accumulate are exactly those of loops
   long_columns_are_loops: sums, products of a row and a column, extremes and their positions of long
     columns are exactly those of loops, again and again
   nonzero_elements_are_found: positions of elements that are not zero
   every_operation_of_a_shape: all of these for one shape, with and without NaN
   failing_allocations_leak_nothing: a failing allocation, whichever it is, leaks nothing
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array_tests.h"

/* Arrays left-by-n-by-right, along whose second dimension things are done.  */
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

/* A complex one stays complex.  */
static pair
make_ties (gpueig_type type, int64_t left, int64_t n, int64_t right, int nans)
{
  pair s = make_zeros (type, left, n, right);
  for (int64_t i = 0; i < s.count; i++)
    {
      double complex z = random_part (nans);
      if (gpueig_is_complex (type))
        ((double *) &z)[1] = i == 0 ? 1 : random_part (nans);
      measure_set (type, s.host, i, z);
    }
  send (&s);
  return s;
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

/* LIST: the positions in column I, J of S in order, by merging.  */
static void
order (const pair *s, int64_t i, int64_t j, int descending, int64_t *list)
{
  const int64_t n = s->dims[1];
  FREED int64_t *merged = check_memory (n, sizeof *merged);
  for (int64_t k = 0; k < n; k++)
    list[k] = k;
  for (int64_t half = 1; half < n; half *= 2)
    {
      for (int64_t from = 0; from < n; from += 2 * half)
        {
          const int64_t middle = from + half < n ? from + half : n,
                        to = middle + half < n ? middle + half : n;
          int64_t x = from, y = middle;
          for (int64_t k = from; k < to; k++)
            {
              int first = x < middle;
              if (first && y < to)
                {
                  const int c = compare (s->type, at (s, i, list[x], j),
                                         at (s, i, list[y], j));
                  first = ! (descending ? c < 0 : c > 0);
                }
              merged[k] = list[first ? x++ : y++];
            }
        }
      memcpy (list, merged, (size_t) n * sizeof *list);
    }
}

/* Download ARRAY, and free it.  */
static void
fetch (gpueig_array array, void *host)
{
  OK (gpueig_array_download (ctx, array, host));
  OK (gpueig_array_free (ctx, array));
}

static void
sorting_is_stable (const pair *s, int descending, int positions)
{
  gpueig_array array, found;
  FREED double *place = check_array (GPUEIG_DOUBLE, s->count);
  FREED int64_t *list = check_memory (s->dims[1], sizeof *list);
  int64_t bad = 0, e = 0;
  OK (gpueig_array_sort (ctx, s->array, 1, descending, &array,
                         positions ? &found : NULL));
  if (positions)
    fetch (found, place);
  CLEANUP (drop)
  pair sorted
      = take (array, s->type, s->dims[0], s->dims[1], s->dims[2], "sort");
  for (int64_t j = 0; j < s->dims[2]; j++)
    for (int64_t i = 0; i < s->dims[0]; i++)
      {
        order (s, i, j, descending, list);
        for (int64_t k = 0; k < s->dims[1]; k++)
          {
            e = i + s->dims[0] * (k + s->dims[1] * j);
            const double complex x = at (&sorted, i, k, j),
                                 wanted = at (s, i, list[k], j);
            bad += ! is_same (x, wanted)
                   || signbit (creal (x)) != signbit (creal (wanted))
                   || (positions && place[e] != (double) (list[k] + 1));
          }
      }
  CHECK (bad == 0,
         "type %d, %lld by %lld by %lld: %lld elements are not sorted",
         (int) s->type, (long long) s->dims[0], (long long) s->dims[1],
         (long long) s->dims[2], (long long) bad);
}

/* --- reductions and scans --- */

/* The result of a reduction of S along its second dimension, of TYPE.  */
static pair
take_reduced (gpueig_array array, gpueig_type type, const pair *s)
{
  return take (array, type, s->dims[0], 1, s->dims[2], "reduction");
}

static void
check_none (int64_t bad, const pair *s, const char *what)
{
  CHECK (bad == 0, "type %d, length %lld: %lld of %s", (int) s->type,
         (long long) s->dims[1], (long long) bad, what);
}

static void
medians_are_those_of_loops (const pair *s)
{
  gpueig_array array;
  const int64_t n = s->dims[1];
  FREED int64_t *list = check_memory (n, sizeof *list);
  int64_t bad = 0;
  OK (gpueig_array_median (ctx, s->array, 1, &array));
  CLEANUP (drop) pair got = take_reduced (array, s->type, s);
  for (int64_t j = 0; j < s->dims[2]; j++)
    for (int64_t i = 0; i < s->dims[0]; i++)
      {
        order (s, i, j, 0, list);
        const double low = creal (at (s, i, list[(n - 1) / 2], j)),
                     high = creal (at (s, i, list[n / 2], j)),
                     last = creal (at (s, i, list[n - 1], j));
        const double wanted = last != last ? last
                              : n % 2      ? low
                                           : (low + high) / 2;
        /* of either zero */
        bad += ! is_same (at (&got, i, 0, j) + 0.0, wanted + 0.0);
      }
  check_none (bad, s, "medians");
}

static void
extremes_have_first_positions (const pair *s, gpueig_reduction op)
{
  gpueig_array array, found;
  FREED double *place = check_array (GPUEIG_DOUBLE, s->dims[0] * s->dims[2]);
  int64_t bad = 0;
  OK (gpueig_array_extreme (ctx, op, s->array, 1, &array, &found));
  fetch (found, place);
  CLEANUP (drop) pair got = take_reduced (array, s->type, s);
  for (int64_t j = 0; j < s->dims[2]; j++)
    for (int64_t i = 0; i < s->dims[0]; i++)
      {
        int64_t best = 0;
        for (int64_t k = 1; k < s->dims[1]; k++)
          {
            const double complex x = at (s, i, k, j), y = at (s, i, best, j);
            const int c = compare (s->type, x, y);
            if (! is_nan (x)
                && (is_nan (y) || c == (op == GPUEIG_LARGEST ? 1 : -1)))
              best = k;
          }
        bad += compare (s->type, at (&got, i, 0, j), at (s, i, best, j)) != 0
               || place[i + s->dims[0] * j] != (double) (best + 1);
      }
  check_none (bad, s, "extremes or positions");
}

static void
any_and_all_are_loops (const pair *s, gpueig_reduction op)
{
  gpueig_array array;
  int64_t bad = 0;
  OK (gpueig_array_reduce (ctx, op, s->array, 1, &array));
  CLEANUP (drop) pair got = take_reduced (array, real_type (s->type), s);
  for (int64_t j = 0; j < s->dims[2]; j++)
    for (int64_t i = 0; i < s->dims[0]; i++)
      {
        /* NaN is not zero, but alone it is not "any" either.  */
        int64_t count = 0;
        for (int64_t k = 0; k < s->dims[1]; k++)
          count += at (s, i, k, j) != 0
                   && (op == GPUEIG_ALL || ! is_nan (at (s, i, k, j)));
        const int wanted = op == GPUEIG_ANY ? count > 0 : count == s->dims[1];
        bad += at (&got, i, 0, j) != wanted;
      }
  check_none (bad, s, "any or all");
}

/* Numbers whose products and sums are exact, complex ones with imaginary parts: products
   take others as real.  */
static void
scans_are_loops (gpueig_type type, int64_t left, int64_t n, int64_t right,
                 gpueig_reduction op)
{
  static const double factors[] = { 1, -1, 2, 0.5, -1, 1 };
  CLEANUP (drop) pair s = make_zeros (type, left, n, right);
  gpueig_array array, total = 0;
  int64_t bad = 0;
  for (int64_t i = 0; i < s.count; i++)
    measure_set (type, s.host, i,
                 op == GPUEIG_PRODUCT
                     ? factors[measure_integer (&seed, 0, 5)]
                           * (gpueig_is_complex (type) ? I : 1)
                     : (double) measure_integer (&seed, -9, 9)
                           + (gpueig_is_complex (type) ? I : 0));
  send (&s);
  OK (gpueig_array_scan (ctx, op, s.array, 1, &array));
  OK (gpueig_array_reduce (ctx, op, s.array, 1, &total));
  CLEANUP (drop) pair got = take (array, type, left, n, right, "scan");
  CLEANUP (drop) pair last = take_reduced (total, type, &s);
  for (int64_t j = 0; j < right; j++)
    for (int64_t i = 0; i < left; i++)
      {
        double complex wanted = at (&s, i, 0, j);
        for (int64_t k = 0; k < n; k++)
          {
            const double complex x = at (&s, i, k, j);
            if (k > 0 && op == GPUEIG_SUM)
              wanted += x;
            else if (k > 0 && op == GPUEIG_PRODUCT)
              wanted *= x;
            else if (compare (type, x, wanted)
                     == (op == GPUEIG_LARGEST ? 1 : -1))
              wanted = x;
            bad += at (&got, i, k, j) != wanted;
          }
        bad += at (&last, i, 0, j) != wanted;
      }
  check_none (bad, &s, "a scan");
}

static void
nonzero_elements_are_found (const pair *s)
{
  gpueig_array array;
  gpueig_array_info info = { 0 };
  int64_t n = 0, bad = 0;
  OK (gpueig_array_nonzero (ctx, s->array, &array));
  OK (gpueig_array_describe (ctx, array, &info));
  CLEANUP (drop)
  pair got = take (array, GPUEIG_DOUBLE, info.shape.dims[0], info.shape.dims[1],
                   1, "find");
  for (int64_t i = 0; i < s->count; i++)
    if (measure_get (s->type, s->host, i) != 0)
      bad += n >= got.count || ((double *) got.host)[n++] != (double) (i + 1);
  check_none (bad + (n != got.count), s, "positions of find");
}

static void
every_operation_of_a_shape (gpueig_type type, int64_t left, int64_t n,
                            int64_t right, int nans)
{
  CLEANUP (drop) pair s = make_ties (type, left, n, right, nans);
  for (int k = 0; k < 4; k++)
    sorting_is_stable (&s, k % 2, k / 2);
  if (! gpueig_is_complex (type))
    medians_are_those_of_loops (&s);
  extremes_have_first_positions (&s, GPUEIG_LARGEST);
  extremes_have_first_positions (&s, GPUEIG_SMALLEST);
  any_and_all_are_loops (&s, GPUEIG_ANY);
  any_and_all_are_loops (&s, GPUEIG_ALL);
  nonzero_elements_are_found (&s);
  scans_are_loops (type, left, n, right, GPUEIG_SUM);
  scans_are_loops (type, left, n, right, GPUEIG_PRODUCT);
  scans_are_loops (type, left, n, right, GPUEIG_LARGEST);
  scans_are_loops (type, left, n, right, GPUEIG_SMALLEST);
}

static gpueig_array failing;

/* Of small integers, with the column Y in reverse order, both with imaginary parts.  */
static void
long_columns_are_loops (gpueig_type type, int64_t n)
{
  CLEANUP (drop) pair x = make_zeros (type, 1, n, 1);
  CLEANUP (drop) pair y = make_zeros (type, n, 1, 1);
  double complex sums[4] = { 0 };
  const double complex unit = gpueig_is_complex (type) ? I : 0;
  for (int64_t i = 0; i < n; i++)
    {
      const double complex z
          = (double) random_int (-3, 3) + (double) random_int (-3, 3) * unit;
      measure_set (type, x.host, i, z);
      measure_set (type, y.host, n - 1 - i, z);
    }
  for (int64_t i = 0; i < n; i++)
    {
      const double complex a = measure_get (type, x.host, i),
                           b = measure_get (type, y.host, i);
      sums[0] += a;
      sums[1] += a * b;
      sums[2] += a * conj (b);
      sums[3] += conj (a) * b;
    }
  send (&x);
  send (&y);
  for (int again = 0; again < 3; again++)
    {
      gpueig_array r[4];
      OK (gpueig_array_reduce (ctx, GPUEIG_SUM, x.array, 1, &r[0]));
      OK (gpueig_array_multiply (ctx, 'N', x.array, 'N', y.array, &r[1]));
      gpueig_array row, column;
      OK (gpueig_array_transpose (ctx, y.array, 0, &row));
      OK (gpueig_array_transpose (ctx, x.array, 0, &column));
      OK (gpueig_array_multiply (ctx, 'N', x.array, 'C', row, &r[2]));
      OK (gpueig_array_multiply (ctx, 'C', column, 'N', y.array, &r[3]));
      OK (gpueig_array_free (ctx, row));
      OK (gpueig_array_free (ctx, column));
      for (int k = 0; k < 4; k++)
        {
          CLEANUP (drop) pair got = take (r[k], type, 1, 1, 1, "long column");
          CHECK (at (&got, 0, 0, 0) == sums[k],
                 "sum %d of %lld of %s: %g%+gi, not %g%+gi", k, (long long) n,
                 check_type_name[type], creal (at (&got, 0, 0, 0)),
                 cimag (at (&got, 0, 0, 0)), creal (sums[k]), cimag (sums[k]));
        }
    }
  extremes_have_first_positions (&x, GPUEIG_LARGEST);
  extremes_have_first_positions (&x, GPUEIG_SMALLEST);
}

static gpueig_status
sort_once (int64_t k, gpueig_array made[4])
{
  (void) k;
  return gpueig_array_sort (ctx, failing, 1, 0, &made[0], &made[1]);
}

static void
failing_allocations_leak_nothing (void)
{
  CLEANUP (drop) pair s = make_ties (GPUEIG_COMPLEX_DOUBLE, 3, 50, 2, 1);
  failing = s.array;
  check_leaks (sort_once);
}

int
main (void)
{
  static const int64_t lengths[] = { 1, 2, 31, 40, 41, 257, 2049, 5000 };
  begin_test ("sorting");
  seed.state = 441;
  failing_allocations_leak_nothing ();
  for (gpueig_type t = 0; t < 4; t++)
    for (size_t i = 0; i < COUNT (lengths); i++)
      {
        const int64_t n = lengths[i];
        every_operation_of_a_shape (t, 1, n, 1, i % 2 == 0);
        if (n < 300)
          {
            every_operation_of_a_shape (t, 1, n, 7, 1);
            every_operation_of_a_shape (t, 5, n, 3, i % 2 == 1);
          }
      }
  /* Sorted by a GPU in pieces, and at once.  */
  for (gpueig_type t = GPUEIG_FLOAT; t <= GPUEIG_DOUBLE; t++)
    for (int k = 0; k < 4; k++)
      {
        CLEANUP (drop) pair some = make_ties (t, 1, 4099, 3, 1);
        CLEANUP (drop) pair many = make_ties (t, 1, 300000, 1, 1);
        sorting_is_stable (&some, k % 2, k / 2);
        sorting_is_stable (&many, k % 2, k / 2);
      }
  /* Summed by a GPU in one launch of many blocks, and in two.  */
  for (gpueig_type t = 0; t < 4; t++)
    for (int64_t n = 16385; n < 1 << 19; n = 4 * n + 1)
      long_columns_are_loops (t, n);
  long_columns_are_loops (GPUEIG_FLOAT, (1 << 24) + 5000);
  {
    /* In two parts on a GPU.  */
    CLEANUP (drop)
    pair many = make_ties (GPUEIG_FLOAT, 1, (1 << 24) + 3, 1, 0);
    nonzero_elements_are_found (&many);
  }
  end_arrays ();
  return check_end ();
}
