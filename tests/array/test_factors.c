/* Claims: LU and QR factors multiply to the matrix, L U to the rows in the order of the
   permutation; Q has orthonormal columns; transforms are those of the definition, and their
   inverses bring the array back; elements at positions are those of a loop; for all types and
   shapes; a failing allocation, whichever it is, leaks nothing.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "gpueig_array.h"

#include <complex.h>
#include <stdlib.h>

static gpueig_context *ctx;
static gpueig_options options;
static measure_random seed = { 5 };

#define OK(call)                                                               \
  CHECK ((call) == GPUEIG_OK, "%s: %s", #call, gpueig_message (ctx))

static gpueig_array
random_array (gpueig_type type, int64_t m, int64_t n, void **host)
{
  gpueig_array array = 0;
  const int64_t dims[2] = { m, n };
  *host = check_array (type, m * n);
  for (int64_t i = 0; i < m * n; i++)
    {
      double complex z = measure_uniform (&seed);
      if (gpueig_is_complex (type))
        z += measure_uniform (&seed) * I;
      measure_set (type, *host, i, z);
    }
  OK (gpueig_array_new (ctx, type, 2, dims, &options, &array));
  OK (gpueig_array_upload (ctx, array, *host));
  return array;
}

/* The elements of ARRAY, which is freed.  */
static void *
take (gpueig_array array, gpueig_type type, int64_t count)
{
  gpueig_array_info info = { 0 };
  void *x = check_array (type, count + 1);
  OK (gpueig_array_describe (ctx, array, &info));
  CHECK (info.shape.type == type && info.shape.count == count,
         "type %d, %lld elements, wanted %d, %lld", (int) info.shape.type,
         (long long) info.shape.count, (int) type, (long long) count);
  if (info.shape.type == type && info.shape.count == count)
    OK (gpueig_array_download (ctx, array, x));
  OK (gpueig_array_free (ctx, array));
  return x;
}

static void
test_lu (gpueig_type type, int64_t m, int64_t n)
{
  void *a;
  double *rows = check_array (GPUEIG_DOUBLE, m), worst = 0;
  int sign = 0;
  const int64_t least = m < n ? m : n;
  gpueig_array array = random_array (type, m, n, &a), factors = 0;
  OK (gpueig_array_lu (ctx, array, &factors, rows, &sign));
  void *f = take (factors, type, m * n);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < m; i++)
      {
        double complex sum = 0;
        for (int64_t k = 0; k <= i && k <= j && k < least; k++)
          sum += (k == i ? 1 : measure_get (type, f, i + m * k))
                 * measure_get (type, f, k + m * j);
        const int64_t row = (int64_t) rows[i] - 1;
        worst = fmax (worst, cabs (sum - measure_get (type, a, row + m * j)));
      }
  CHECK (worst < (double) least * 10 * measure_eps (type)
             && (sign == 1 || sign == -1),
         "type %d, %lld by %lld: L U differs by %g", (int) type, (long long) m,
         (long long) n, worst);
  OK (gpueig_array_free (ctx, array));
  free (a);
  free (f);
  free (rows);
}

static void
test_qr (gpueig_type type, int64_t m, int64_t n, int economy)
{
  void *a;
  double worst = 0, skew = 0;
  const int64_t k = economy && n < m ? n : m;
  gpueig_array array = random_array (type, m, n, &a), q = 0, r = 0;
  OK (gpueig_array_qr (ctx, array, economy, &q, &r));
  void *left = take (q, type, m * k), *right = take (r, type, k * n);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < m; i++)
      {
        double complex sum = 0;
        for (int64_t l = 0; l < k; l++)
          sum += measure_get (type, left, i + m * l)
                 * measure_get (type, right, l + k * j);
        worst = fmax (worst, cabs (sum - measure_get (type, a, i + m * j)));
        if (i < k && i > j)
          skew = fmax (skew, cabs (measure_get (type, right, i + k * j)));
      }
  CHECK (skew == 0, "R has elements below its diagonal");
  for (int64_t j = 0; j < k; j++)
    for (int64_t i = 0; i < k; i++)
      {
        double complex sum = -(i == j);
        for (int64_t l = 0; l < m; l++)
          sum += conj (measure_get (type, left, l + m * i))
                 * measure_get (type, left, l + m * j);
        skew = fmax (skew, cabs (sum));
      }
  const double limit = (double) m * 10 * measure_eps (type);
  CHECK (worst < limit && skew < limit,
         "type %d, %lld by %lld: Q R differs by %g, Q'Q by %g", (int) type,
         (long long) m, (long long) n, worst, skew);
  OK (gpueig_array_free (ctx, array));
  free (a);
  free (left);
  free (right);
}

/* Along DIM of an m-by-n matrix, cut or filled to LENGTH.  */
static void
test_fft (gpueig_type type, int64_t m, int64_t n, int dim, int64_t length)
{
  void *a;
  double worst = 0;
  const gpueig_type complex_type
      = gpueig_is_double (type) ? GPUEIG_COMPLEX_DOUBLE : GPUEIG_COMPLEX_FLOAT;
  const int64_t given = dim ? n : m, others = dim ? m : n, step = dim ? m : 1,
                other_step = dim ? 1 : m;
  gpueig_array array = random_array (type, m, n, &a), f = 0, back = 0;
  OK (gpueig_array_fft (ctx, array, dim, length, 0, &f));
  OK (gpueig_array_free (ctx, array));
  if (f) /* the CPU has no library for it */
    {
      OK (gpueig_array_fft (ctx, f, dim, -1, 1, &back));
      void *got = take (f, complex_type, others * length),
           *again = take (back, type, others * length);
      for (int64_t o = 0; o < others; o++)
        for (int64_t i = 0; i < length; i++)
          {
            double complex sum = 0, old = 0;
            for (int64_t k = 0; k < length && k < given; k++)
              sum += measure_get (type, a, k * step + o * other_step)
                     * cexp (-2 * acos (-1) * I * (double) (i * k % length)
                             / (double) length);
            if (i < given)
              old = measure_get (type, a, i * step + o * other_step);
            const int64_t at = dim ? o + m * i : i + length * o;
            worst = fmax (worst,
                          cabs (measure_get (complex_type, got, at) - sum));
            worst = fmax (worst, cabs (measure_get (type, again, at) - old));
          }
      free (got);
      free (again);
    }
  CHECK (worst < (double) length * 4 * measure_eps (type),
         "type %d, %lld by %lld, length %lld: transform differs by %g",
         (int) type, (long long) m, (long long) n, (long long) length, worst);
  free (a);
}

static void
test_pick (gpueig_type type, int64_t n)
{
  void *a, *positions;
  int64_t bad = 0;
  gpueig_array array = random_array (type, 5, n, &a), r = 0,
               list = random_array (GPUEIG_DOUBLE, 3, n, &positions);
  const int64_t dims[2] = { 3, n };
  double *p = positions;
  for (int64_t i = 0; i < 3 * n; i++)
    p[i] = (double) measure_integer (&seed, 1, (int) (5 * n));
  OK (gpueig_array_upload (ctx, list, p));
  OK (gpueig_array_pick (ctx, array, list, 2, dims, &r));
  void *got = take (r, type, 3 * n);
  for (int64_t i = 0; i < 3 * n; i++)
    bad += measure_get (type, got, i)
           != measure_get (type, a, (int64_t) p[i] - 1);
  CHECK (bad == 0, "%lld elements are not those at the positions",
         (long long) bad);
  static const double wrong[] = { 0, -3, 1.5, 1e300, NAN };
  for (size_t k = 0; k <= sizeof wrong / sizeof *wrong; k++)
    {
      p[k] = k < 5 ? wrong[k] : (double) (5 * n + 1);
      OK (gpueig_array_upload (ctx, list, p));
      OK (gpueig_array_pick (ctx, array, list, 2, dims, &r));
      CHECK (r == 0, "%g is no position", p[k]);
      p[k] = 1;
    }
  OK (gpueig_array_free (ctx, array));
  OK (gpueig_array_free (ctx, list));
  free (a);
  free (positions);
  free (got);
}

static void
test_failing_allocations (void)
{
  void *a;
  double rows[40];
  int sign;
  gpueig_array array = random_array (GPUEIG_COMPLEX_DOUBLE, 40, 30, &a);
  const gpueig_array_usage before = gpueig_array_memory (ctx);
  gpueig_status status[3] = { GPUEIG_OUT_OF_MEMORY };
  int64_t k;
  for (k = 1; (status[0] || status[1] || status[2]) && k < 100; k++)
    {
      gpueig_array x = 0, q = 0, r = 0, f = 0;
      gpueig_fail_allocation (ctx, k);
      status[0] = gpueig_array_lu (ctx, array, &x, rows, &sign);
      gpueig_fail_allocation (ctx, k);
      status[1] = gpueig_array_qr (ctx, array, 0, &q, &r);
      gpueig_fail_allocation (ctx, k);
      status[2] = gpueig_array_fft (ctx, array, 0, 50, 1, &f);
      gpueig_fail_allocation (ctx, 0);
      const gpueig_array made[] = { x, q, r, f };
      for (int i = 0; i < 4; i++)
        if (made[i])
          OK (gpueig_array_free (ctx, made[i]));
    }
  const gpueig_array_usage after = gpueig_array_memory (ctx);
  CHECK (k > 3 && k < 100 && after.arrays == before.arrays
             && after.host_bytes == before.host_bytes
             && after.device_bytes == before.device_bytes,
         "%lld failing allocations leak nothing", (long long) k);
  OK (gpueig_array_free (ctx, array));
  free (a);
}

int
main (void)
{
  static const int64_t shapes[][2]
      = { { 1, 1 }, { 7, 7 }, { 40, 17 }, { 17, 40 }, { 1, 9 }, { 130, 64 } };
  check_begin ("factors");
  ctx = check_context (&options);
  test_failing_allocations ();
  for (int t = 0; t < 4; t++)
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
      {
        const gpueig_type type = (gpueig_type) t;
        const int64_t m = shapes[i][0], n = shapes[i][1];
        test_lu (type, m, n);
        test_qr (type, m, n, 0);
        test_qr (type, m, n, 1);
        test_fft (type, m, n, 0, m);
        test_fft (type, m, n, 0, m + 3);
        test_fft (type, m, n, 1, n);
        test_fft (type, m, n, 1, n + 2);
        if (n > 4)
          test_pick (type, n);
      }
  CHECK (gpueig_array_memory (ctx).arrays == 0, "no array is left");
  gpueig_destroy (ctx);
  return check_end ();
}
