/* Claims about sparse matrices, for all types and their mixtures, on the backend under test
   and, without a GPU, by the plugin place_plugin:
   products_are_loops: S X is that of loops over the elements, with the same bits each time and
     for both widths of indices, also for matrices without rows, columns or elements, and with
     full rows
   wrong_patterns_are_refused: a pattern is refused where numbers are wanted, and so are wrong
     patterns and sizes
   failing_allocations_leak_nothing: a failing allocation, whichever it is, leaks nothing
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array_tests.h"
#include "gpueig_testing.h"

#include <stdio.h>

typedef struct
{
  gpueig_sparse s;
  int64_t *starts, *indices;
  void *values;
  gpueig_array pattern, numbers;
} sparse;

static void
drop_sparse (sparse *a)
{
  if (a->pattern)
    OK (gpueig_array_free (ctx, a->pattern));
  if (a->numbers)
    OK (gpueig_array_free (ctx, a->numbers));
  free (a->starts);
  free (a->indices);
  free (a->values);
}

/* M-by-N, of a row as many elements as MOST, but none of each third row and all of each 50th.  */
static sparse
make_sparse (gpueig_type type, int64_t m, int64_t n, int64_t most)
{
  sparse a = { .s = { .type = type, .rows = m, .columns = n } };
  a.starts = check_array (GPUEIG_DOUBLE, m + 1);
  a.starts[0] = 0;
  for (int64_t i = 0; i < m; i++)
    {
      const int64_t count = i % 3 == 2 ? 0 : i % 50 == 1 ? n : most;
      a.starts[i + 1] = a.starts[i] + (count < n ? count : n);
    }
  const int64_t elements = a.starts[m];
  a.indices = check_array (GPUEIG_DOUBLE, elements + 1);
  a.values = check_array (type, elements + 1);
  for (int64_t i = 0; i < m; i++)
    for (int64_t e = a.starts[i]; e < a.starts[i + 1]; e++)
      {
        const int64_t count = a.starts[i + 1] - a.starts[i];
        const double re = measure_normal (&seed), im = measure_normal (&seed);
        a.indices[e] = (e - a.starts[i]) * n / count;
        measure_set (type, a.values, e,
                     gpueig_is_complex (type) ? re + I * im : re);
      }
  a.s.starts = a.starts;
  a.s.indices = a.indices;
  a.s.values = a.values;
  return a;
}

/* One number, in the place of the test.  */
static pair
make_place (void)
{
  return make (GPUEIG_DOUBLE, 1, 1, 1);
}

static gpueig_type
common (gpueig_type x, gpueig_type y)
{
  const int is_double = gpueig_is_double (x) && gpueig_is_double (y);
  const int is_complex = gpueig_is_complex (x) || gpueig_is_complex (y);
  return (gpueig_type) (is_double + 2 * is_complex);
}

/* The product of A and X in host memory.  */
static pair
multiply (const sparse *a, const pair *x, gpueig_type type)
{
  gpueig_array result = 0;
  OK (gpueig_array_multiply_sparse (ctx, a->pattern, a->numbers, x->array,
                                    &result));
  return take (result, type, a->s.rows, x->dims[1], 1, "product");
}

static void
products_are_loops (gpueig_type ta, gpueig_type tx, int64_t m, int64_t n,
                    int64_t k, int64_t most)
{
  const gpueig_type type = common (ta, tx);
  double worst = 0;
  CLEANUP (drop) pair place = make_place (), x = make (tx, n, k, 1);
  CLEANUP (drop_sparse) sparse a = make_sparse (ta, m, n, most);
  OK (gpueig_array_new_sparse (ctx, place.array, &a.s, &a.pattern, &a.numbers));
  CLEANUP (drop) pair y = multiply (&a, &x, type);
  for (int64_t j = 0; j < k; j++)
    for (int64_t i = 0; i < m; i++)
      {
        double complex sum = 0;
        double scale = 0;
        for (int64_t e = a.starts[i]; e < a.starts[i + 1]; e++)
          {
            const double complex term
                = measure_get (ta, a.values, e) * at (&x, a.indices[e], j, 0);
            sum += term;
            scale += cabs (term);
          }
        check_close (at (&y, i, j, 0), sum, scale, type, &worst);
      }
  CHECK_RATIO (worst, 4 + (double) n / 8, "%s %lld-by-%lld times %s of %lld",
               check_type_name[ta], (long long) m, (long long) n,
               check_type_name[tx], (long long) k);
  CLEANUP (drop) pair again = multiply (&a, &x, type);
  OK (gpueig_array_free (ctx, a.pattern));
  OK (gpueig_array_free (ctx, a.numbers));
  a.pattern = a.numbers = 0;
  gpueig_widen_indices (ctx, 1);
  OK (gpueig_array_new_sparse (ctx, place.array, &a.s, &a.pattern, &a.numbers));
  gpueig_widen_indices (ctx, 0);
  CLEANUP (drop) pair wide = multiply (&a, &x, type);
  const size_t bytes = (size_t) y.count * gpueig_scalar_size (type);
  CHECK (bytes == 0 || memcmp (y.host, again.host, bytes) == 0,
         "the product again is the same bits");
  CHECK (bytes == 0 || memcmp (y.host, wide.host, bytes) == 0,
         "with wide indices it is the same bits");
}

#define REFUSED(status, call)                                                  \
  CHECK ((call) == (status) && made[0] == 0 && made[1] == 0, "%s: %s", #call,  \
         gpueig_message (ctx))

static void
wrong_patterns_are_refused (void)
{
  CLEANUP (drop) pair place = make_place (), x = make (GPUEIG_DOUBLE, 7, 2, 1);
  CLEANUP (drop) pair pages = make (GPUEIG_DOUBLE, 5, 2, 2);
  CLEANUP (drop_sparse) sparse a = make_sparse (GPUEIG_DOUBLE, 4, 5, 2);
  gpueig_array made[2] = { 0 };
  double host[64];
  OK (gpueig_array_new_sparse (ctx, place.array, &a.s, &a.pattern, &a.numbers));
  REFUSED (GPUEIG_BAD_ARGUMENT,
           gpueig_array_unary (ctx, GPUEIG_ABS, a.pattern, &made[0]));
  REFUSED (GPUEIG_BAD_ARGUMENT, gpueig_array_download (ctx, a.pattern, host));
  REFUSED (GPUEIG_BAD_ARGUMENT,
           gpueig_array_multiply_sparse (ctx, a.numbers, a.numbers, x.array,
                                         &made[0]));
  REFUSED (GPUEIG_BAD_ARGUMENT,
           gpueig_array_multiply_sparse (ctx, a.pattern, x.array, x.array,
                                         &made[0]));
  REFUSED (GPUEIG_NONCONFORMANT,
           gpueig_array_multiply_sparse (ctx, a.pattern, a.numbers, x.array,
                                         &made[0]));
  REFUSED (GPUEIG_NONCONFORMANT,
           gpueig_array_multiply_sparse (ctx, a.pattern, a.numbers, pages.array,
                                         &made[0]));
#define WRONG(change)                                                          \
  {                                                                            \
    CLEANUP (drop_sparse) sparse b = make_sparse (GPUEIG_DOUBLE, 4, 5, 2);     \
    change;                                                                    \
    REFUSED (                                                                  \
        GPUEIG_BAD_ARGUMENT,                                                   \
        gpueig_array_new_sparse (ctx, place.array, &b.s, &made[0], &made[1])); \
  }
  WRONG (b.starts[0] = 1)
  WRONG (b.starts[1] = 50)
  WRONG (b.indices[3] = 5)
  WRONG (b.indices[0] = -1)
  WRONG (b.s.rows = -1)
  WRONG (b.s.columns = -1)
}

static const pair *factor;
static const sparse *matrix;

static gpueig_status
make_and_multiply (int64_t k, gpueig_array made[4])
{
  gpueig_status status = gpueig_array_new_sparse (
      ctx, factor->array, &matrix->s, &made[0], &made[1]);
  (void) k;
  CHECK ((status == GPUEIG_OK) == (made[0] && made[1])
             && ! made[0] == ! made[1],
         "both or none");
  return status == GPUEIG_OK ? gpueig_array_multiply_sparse (
             ctx, made[0], made[1], factor->array, &made[2])
                             : status;
}

static void
failing_allocations_leak_nothing (void)
{
  CLEANUP (drop) pair x = make (GPUEIG_COMPLEX_DOUBLE, 30, 2, 1);
  CLEANUP (drop_sparse) sparse a = make_sparse (GPUEIG_DOUBLE, 40, 30, 3);
  factor = &x;
  matrix = &a;
  check_leaks (make_and_multiply);
}

static void
test_backend (void)
{
  static const int64_t shapes[][4]
      = { { 0, 0, 1, 0 },     { 0, 5, 1, 2 },     { 5, 0, 3, 0 },
          { 5, 5, 0, 2 },     { 6, 4, 2, 0 },     { 1, 1, 1, 1 },
          { 1, 300, 1, 300 }, { 300, 1, 4, 1 },   { 1, 300, 2, 7 },
          { 60, 60, 1, 5 },   { 700, 400, 1, 9 }, { 90, 1300, 3, 4 } };
  seed.state = 72;
  for (gpueig_type t = 0; t < 4; t++)
    for (gpueig_type u = 0; u < 4; u++)
      for (size_t i = 0; i < COUNT (shapes); i++)
        products_are_loops (t, u, shapes[i][0], shapes[i][1], shapes[i][2],
                            shapes[i][3]);
  /* shared out among threads */
  products_are_loops (GPUEIG_DOUBLE, GPUEIG_DOUBLE, 30000, 400, 2, 9);
  wrong_patterns_are_refused ();
  failing_allocations_leak_nothing ();
}

int
main (int argc, char **argv)
{
  (void) argc;
  return test_with_a_gpu ("sparse", argv[0], test_backend);
}
