/* Claims about results and operands that are not yet what they seem, on the backend under test
   and, without a GPU, by the plugin place_plugin:
   dot_products_along_a_dimension: products of matrices of one size along a dimension; two sizes
     are refused
   roots_of_negatives_become_complex: roots of numbers of which one is negative are complex,
     whatever happens before they are looked at
   more_open_results_than_places: more results than can be open are right, also if some are
     freed and operands change
   operands_given_away_may_change: an operand whose address a caller has may change at any time
     after an operation
   masks_and_indices_are_checked_again: bytes become numbers; an index of a longer array is
     checked for a shorter one, and after a change
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array_tests.h"

/* Of matrices of one size along a dimension; of two sizes it is refused.  */
static void
dot_products_along_a_dimension (gpueig_type type)
{
  const int64_t m = random_int (2, 30), n = m + random_int (1, 30);
  CLEANUP (drop) pair a = make (type, m, n, 1), b = make (type, m, n, 1);
  CLEANUP (drop) pair turned = make (type, n, m, 1);
  gpueig_array r = 0;
  double worst = 0;
  OK (gpueig_array_dot (ctx, a.array, b.array, 1, &r));
  CLEANUP (drop) pair d = take (r, type, m, 1, 1, "dot");
  for (int64_t i = 0; i < m; i++)
    {
      double complex sum = 0;
      for (int64_t j = 0; j < n; j++)
        sum += conj (at (&a, i, j, 0)) * at (&b, i, j, 0);
      check_close (at (&d, i, 0, 0), sum, 1 + cabs (sum), type, &worst);
    }
  CHECK_RATIO (worst, 20 * sqrt ((double) n), "dot of %s",
               check_type_name[type]);
  CHECK (gpueig_array_dot (ctx, a.array, turned.array, 1, &r)
             == GPUEIG_NONCONFORMANT,
         "dot of m-by-n and n-by-m");
}

/* Roots of numbers of which one is negative are complex, whatever happens to them before they
   are looked at.  */
static void
roots_of_negatives_become_complex (void)
{
  enum
  {
    N = 500,
    NEGATIVE = 321,
    CASES = 6
  };
  const gpueig_operand half = { .type = GPUEIG_DOUBLE, .re = 0.5 };
  for (int k = 0; k < 2 * CASES; k++)
    {
      CLEANUP (drop)
      pair x = make_zeros (GPUEIG_DOUBLE, N, 1, 1),
           y = make (GPUEIG_DOUBLE, N, 1, 1);
      const int is_complex = k < CASES;
      gpueig_array r = 0, other = 0;
      gpueig_array_info info;
      for (int64_t i = 0; i < N; i++)
        measure_set (x.type, x.host, i, i == NEGATIVE && is_complex ? -4 : 9);
      send (&x);
      const gpueig_operand base = { .array = x.array };
      if (k % 2)
        OK (gpueig_array_binary (ctx, GPUEIG_POWER, base, half, &r));
      else
        OK (gpueig_array_unary (ctx, GPUEIG_SQRT, x.array, &r));
      OK (gpueig_array_peek (ctx, r, &info));
      CHECK (info.shape.count == N
                 && info.open == (options.backend == GPUEIG_CUDA)
                 && (info.open
                     || gpueig_is_complex (info.shape.type) == is_complex),
             "peek does not wait");
      switch (k % CASES)
        {
        case 1: /* the operand is freed, its memory used again */
          OK (gpueig_array_free (ctx, x.array));
          x.array = 0;
          OK (gpueig_array_unary (ctx, GPUEIG_ABS, y.array, &other));
          break;
        case 2: /* or changed */
          OK (gpueig_array_upload (ctx, x.array, y.host));
          break;
        case 3: /* a second result */
          OK (gpueig_array_unary (ctx, GPUEIG_LOG, x.array, &other));
          break;
        case 4: /* another operation */
          OK (gpueig_array_unary (ctx, GPUEIG_ABS, y.array, &other));
          break;
        case 5: /* another result that is freed */
          OK (gpueig_array_unary (ctx, GPUEIG_LOG, y.array, &other));
          OK (gpueig_array_free (ctx, other));
          other = 0;
          break;
        default:
          break;
        }
      OK (gpueig_array_describe (ctx, r, &info));
      CHECK (! info.open, "describe waits");
      CLEANUP (drop)
      pair root = take (r, is_complex ? GPUEIG_COMPLEX_DOUBLE : GPUEIG_DOUBLE,
                        N, 1, 1, "roots");
      const double complex z = at (&root, NEGATIVE, 0, 0);
      CHECK (cabs (at (&root, 0, 0, 0) - 3) < 1e-15
                 && cabs (z - (is_complex ? 2 * I : 3)) < 1e-15,
             "case %d: root %g + %g i", k, creal (z), cimag (z));
      if (other)
        OK (gpueig_array_free (ctx, other));
    }
}

/* More results than can be open, of which some are freed before and some operands changed.  */
static void
more_open_results_than_places (void)
{
  enum
  {
    COUNT = 60,
    KEPT
    = 20, /* so many of them and their operands stay as they are at first */
    N = 3
  };
  const gpueig_index all = { .step = 1, .count = N };
  const gpueig_operand one = { .type = GPUEIG_DOUBLE, .re = 1 };
  gpueig_array x[COUNT], r[COUNT], other;
  for (int k = 0; k < COUNT; k++)
    {
      const double host[N] = { k, k % 3 ? 4 : -4, 9 };
      const int64_t dims[2] = { N, 1 };
      OK (gpueig_array_new (ctx, GPUEIG_DOUBLE, 2, dims, &options, &x[k]));
      OK (gpueig_array_upload (ctx, x[k], host));
      OK (gpueig_array_unary (ctx, GPUEIG_SQRT, x[k], &r[k]));
      if (k % 7 == 2)
        OK (gpueig_array_free (ctx, r[k]));
      if (k >= KEPT && k % 5 == 1)
        OK (gpueig_array_assign (ctx, x[k], 1, 1, &all, one, &other));
      if (k >= KEPT && k % 11 == 3)
        OK (gpueig_array_free (ctx, x[k]));
    }
  for (int k = 0; k < COUNT; k++)
    {
      if (k % 7 != 2)
        {
          OK (gpueig_array_unary (ctx, GPUEIG_ABS, r[k], &other));
          CLEANUP (drop)
          pair size = take (other, GPUEIG_DOUBLE, N, 1, 1, "moduli");
          CHECK (fabs (creal (at (&size, 1, 0, 0)) - 2) < 1e-15,
                 "result %d: modulus %g", k, creal (at (&size, 1, 0, 0)));
        }
      if (k < KEPT || k % 11 != 3)
        OK (gpueig_array_free (ctx, x[k]));
      if (k % 7 == 2)
        continue;
      CLEANUP (drop)
      pair root = take (r[k], k % 3 ? GPUEIG_DOUBLE : GPUEIG_COMPLEX_DOUBLE, N,
                        1, 1, "roots");
      const double complex z = at (&root, 1, 0, 0);
      CHECK (cabs (z - (k % 3 ? 2 : 2 * I)) < 1e-15
                 && fabs (creal (at (&root, 0, 0, 0)) - sqrt (k)) < 1e-14,
             "result %d: %g + %g i", k, creal (z), cimag (z));
    }
}

/* An operand whose address a caller has can change at any time after an operation.  */
static void
operands_given_away_may_change (void)
{
  CLEANUP (drop) pair x = make (GPUEIG_DOUBLE, 9, 1, 1);
  const gpueig_operand base = { .array = x.array },
                       half = { .type = GPUEIG_DOUBLE, .re = 0.5 };
  gpueig_array_info info;
  gpueig_array r;
  void *address;
  OK (gpueig_array_data (ctx, x.array, &address));
  for (int k = 0; k < 2; k++)
    {
      OK (k ? gpueig_array_unary (ctx, GPUEIG_LOG, x.array, &r)
            : gpueig_array_binary (ctx, GPUEIG_POWER, half, base, &r));
      OK (gpueig_array_peek (ctx, r, &info));
      CHECK (! info.open, "a result of such an operand is not open");
      OK (gpueig_array_free (ctx, r));
    }
}

/* Bytes become numbers; what was an index of a longer array is checked for a shorter one, and
   after a change.  */
static void
masks_and_indices_are_checked_again (void)
{
  enum
  {
    N = 1000
  };
  const int64_t dims[2] = { N, 1 };
  CLEANUP (drop) pair x = make (GPUEIG_DOUBLE, N, 1, 1);
  CLEANUP (drop) pair y = make (GPUEIG_DOUBLE, N - 1, 1, 1);
  CLEANUP (drop) pair is = make (GPUEIG_DOUBLE, N, 1, 1);
  unsigned char bytes[N];
  gpueig_array at_all, picked;
  const gpueig_index last = { .start = N - 1, .step = 1, .count = 1 };
  const gpueig_operand huge = { .type = GPUEIG_DOUBLE, .re = N + 1 };
  gpueig_array same;
  for (int i = 0; i < N; i++)
    bytes[i] = (unsigned char) (i % 3 != 1);
  OK (gpueig_array_upload_bytes (ctx, is.array, bytes));
  OK (gpueig_array_download (ctx, is.array, is.host));
  int differ = 0;
  for (int i = 0; i < N; i++)
    differ += measure_get (is.type, is.host, i) != bytes[i];
  CHECK (differ == 0, "%d bytes differ", differ);
  memset (bytes, 1, N);
  OK (gpueig_array_upload_bytes (ctx, is.array, bytes));
  OK (gpueig_array_nonzero (ctx, is.array, &at_all));
  for (int k = 0; k < 2; k++)
    {
      OK (gpueig_array_pick (ctx, x.array, at_all, 2, dims, &picked));
      CLEANUP (drop) pair all = take (picked, x.type, N, 1, 1, "all");
      CHECK (memcmp (all.host, x.host, N * sizeof (double)) == 0, "picked");
    }
  OK (gpueig_array_pick (ctx, y.array, at_all, 2, dims, &picked));
  CHECK (picked == 0, "a position beyond the end");
  OK (gpueig_array_assign (ctx, at_all, 1, 1, &last, huge, &same));
  CHECK (same == at_all, "in place");
  OK (gpueig_array_pick (ctx, x.array, at_all, 2, dims, &picked));
  CHECK (picked == 0, "a position that was changed");
  OK (gpueig_array_free (ctx, at_all));
}

static gpueig_array operand;

static gpueig_status
take_root (int64_t k, gpueig_array made[4])
{
  gpueig_array x;
  gpueig_status status = gpueig_array_unary (ctx, GPUEIG_NEGATE, operand, &x);
  (void) k;
  if (status != GPUEIG_OK)
    return status;
  status = gpueig_array_unary (ctx, GPUEIG_SQRT, x, &made[0]);
  OK (gpueig_array_free (ctx, x));
  if (status == GPUEIG_OK)
    status = gpueig_array_unary (ctx, GPUEIG_ABS, made[0], &made[1]);
  return status == GPUEIG_DEVICE_LOST ? GPUEIG_OUT_OF_MEMORY : status;
}

/* All of it where results are.  */
static void
test_backend (void)
{
  seed.state = 44;
  roots_of_negatives_become_complex ();
  more_open_results_than_places ();
  operands_given_away_may_change ();
  masks_and_indices_are_checked_again ();
  for (int round = 0; round < 3; round++)
    for (gpueig_type t = 0; t < 4; t++)
      dot_products_along_a_dimension (t);
  CLEANUP (drop) pair a = make (GPUEIG_DOUBLE, 20, 3, 1);
  operand = a.array;
  check_leaks (take_root);
}

/* Without a GPU of the CPU, whose results are never open, and of test_place's plugin.  */
int
main (int argc, char **argv)
{
  (void) argc;
  return test_with_a_gpu ("open results", argv[0], test_backend);
}
