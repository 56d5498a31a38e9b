/* Claims about factors and transforms of arrays, for all types and shapes:
   lu_multiplies_to_the_rows: L U is the matrix with its rows in the order of the permutation
   qr_multiplies_to_the_matrix: Q R is the matrix, and the columns of Q are orthonormal
   fft_is_its_definition: transforms, of cut and filled dimensions too, are those of the
     definition; inverses bring the array back
   picked_elements_are_those_of_a_loop: elements at positions are those of a loop
   failing_allocations_leak_nothing: a failing allocation, whichever it is, leaks nothing
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array_tests.h"

/* As large as uniform numbers in (-1, 1).  */
static pair
make_small (gpueig_type type, int64_t m, int64_t n)
{
  pair x = make (type, m, n, 1);
  measure_scale (type, x.count, x.host, sqrt (1.0 / 3));
  send (&x);
  return x;
}

static void
lu_multiplies_to_the_rows (gpueig_type type, int64_t m, int64_t n)
{
  FREED double *rows = check_array (GPUEIG_DOUBLE, m);
  double worst = 0;
  int sign = 0;
  const int64_t least = m < n ? m : n;
  CLEANUP (drop) pair a = make_small (type, m, n);
  gpueig_array factors = 0;
  OK (gpueig_array_lu (ctx, a.array, &factors, rows, &sign));
  CLEANUP (drop) pair f = take (factors, type, m, n, 1, "lu");
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < m; i++)
      {
        double complex sum = -at (&a, (int64_t) rows[i] - 1, j, 0);
        for (int64_t k = 0; k <= i && k <= j && k < least; k++)
          sum += (k == i ? 1 : at (&f, i, k, 0)) * at (&f, k, j, 0);
        worst = worst_of (worst, cabs (sum));
      }
  CHECK (worst < (double) least * 10 * measure_eps (type)
             && (sign == 1 || sign == -1),
         "type %d, %lld by %lld: L U differs by %g", (int) type, (long long) m,
         (long long) n, worst);
}

static void
qr_multiplies_to_the_matrix (gpueig_type type, int64_t m, int64_t n,
                             int economy)
{
  double worst = 0, skew = 0, below = 0;
  const int64_t k = economy && n < m ? n : m;
  CLEANUP (drop) pair a = make_small (type, m, n);
  gpueig_array q = 0, r = 0;
  OK (gpueig_array_qr (ctx, a.array, economy, &q, &r));
  CLEANUP (drop) pair left = take (q, type, m, k, 1, "q");
  CLEANUP (drop) pair right = take (r, type, k, n, 1, "r");
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < m; i++)
      {
        double complex sum = -at (&a, i, j, 0);
        for (int64_t l = 0; l < k; l++)
          sum += at (&left, i, l, 0) * at (&right, l, j, 0);
        worst = worst_of (worst, cabs (sum));
        if (i < k && i > j)
          below = worst_of (below, cabs (at (&right, i, j, 0)));
      }
  CHECK (below == 0, "R has elements below its diagonal");
  for (int64_t j = 0; j < k; j++)
    for (int64_t i = 0; i < k; i++)
      {
        double complex sum = -(i == j);
        for (int64_t l = 0; l < m; l++)
          sum += conj (at (&left, l, i, 0)) * at (&left, l, j, 0);
        skew = worst_of (skew, cabs (sum));
      }
  const double limit = (double) m * 10 * measure_eps (type);
  CHECK (worst < limit && skew < limit,
         "type %d, %lld by %lld: Q R differs by %g, Q'Q by %g", (int) type,
         (long long) m, (long long) n, worst, skew);
}

/* Along DIM of an m-by-n matrix, cut or filled to LENGTH.  */
static void
fft_is_its_definition (gpueig_type type, int64_t m, int64_t n, int dim,
                       int64_t length)
{
  double worst = 0;
  const gpueig_type wide = complex_type (type);
  const int64_t given = dim ? n : m, others = dim ? m : n;
  CLEANUP (drop) pair a = make_small (type, m, n);
  gpueig_array f = 0, back = 0;
  OK (gpueig_array_fft (ctx, a.array, dim, length, 0, &f));
  if (! f) /* the CPU has no library for it */
    return;
  OK (gpueig_array_fft (ctx, f, dim, -1, 1, &back));
  CLEANUP (drop)
  pair got = take (f, wide, dim ? m : length, dim ? length : n, 1, "fft"),
       again = take (back, type, dim ? m : length, dim ? length : n, 1, "ifft");
  for (int64_t o = 0; o < others; o++)
    for (int64_t i = 0; i < length; i++)
      {
        const int64_t row = dim ? o : i, column = dim ? i : o;
        double complex sum = -at (&got, row, column, 0),
                       old = -at (&again, row, column, 0);
        for (int64_t k = 0; k < length && k < given; k++)
          sum += at (&a, dim ? o : k, dim ? k : o, 0)
                 * cexp (-2 * acos (-1) * I * (double) (i * k % length)
                         / (double) length);
        if (i < given)
          old += at (&a, row, column, 0);
        worst = worst_of (worst, worst_of (cabs (sum), cabs (old)));
      }
  CHECK (worst < (double) length * 4 * measure_eps (type),
         "type %d, %lld by %lld, length %lld: transform differs by %g",
         (int) type, (long long) m, (long long) n, (long long) length, worst);
}

static void
picked_elements_are_those_of_a_loop (gpueig_type type, int64_t n)
{
  static const double wrong[] = { 0, -3, 1.5, 1e300, NAN };
  int64_t bad = 0;
  CLEANUP (drop)
  pair a = make (type, 5, n, 1), list = make_zeros (GPUEIG_DOUBLE, 3, n, 1);
  gpueig_array r = 0;
  double *p = list.host;
  for (int64_t i = 0; i < 3 * n; i++)
    p[i] = (double) measure_integer (&seed, 1, (int) (5 * n));
  send (&list);
  OK (gpueig_array_pick (ctx, a.array, list.array, 2, list.dims, &r));
  CLEANUP (drop) pair got = take (r, type, 3, n, 1, "elements");
  for (int64_t i = 0; i < 3 * n; i++)
    bad += measure_get (type, got.host, i)
           != measure_get (type, a.host, (int64_t) p[i] - 1);
  CHECK (bad == 0, "%lld elements are not those at the positions",
         (long long) bad);
  for (size_t k = 0; k <= COUNT (wrong); k++)
    {
      p[k] = k < 5 ? wrong[k] : (double) (5 * n + 1);
      send (&list);
      OK (gpueig_array_pick (ctx, a.array, list.array, 2, list.dims, &r));
      CHECK (r == 0, "%g is no position", p[k]);
      p[k] = 1;
    }
}

static gpueig_array failing;

static gpueig_status
factor_and_transform (int64_t k, gpueig_array made[4])
{
  double rows[40];
  int sign;
  gpueig_status status[3];
  status[0] = gpueig_array_lu (ctx, failing, &made[0], rows, &sign);
  gpueig_fail_allocation (ctx, k);
  status[1] = gpueig_array_qr (ctx, failing, 0, &made[1], &made[2]);
  gpueig_fail_allocation (ctx, k);
  status[2] = gpueig_array_fft (ctx, failing, 0, 50, 1, &made[3]);
  return status[0] ? status[0] : status[1] ? status[1] : status[2];
}

static void
failing_allocations_leak_nothing (void)
{
  CLEANUP (drop) pair a = make (GPUEIG_COMPLEX_DOUBLE, 40, 30, 1);
  failing = a.array;
  check_leaks (factor_and_transform);
}

int
main (void)
{
  static const int64_t shapes[][2]
      = { { 1, 1 }, { 7, 7 }, { 40, 17 }, { 17, 40 }, { 1, 9 }, { 130, 64 } };
  begin_test ("factors");
  seed.state = 5;
  failing_allocations_leak_nothing ();
  for (gpueig_type type = 0; type < 4; type++)
    for (size_t i = 0; i < COUNT (shapes); i++)
      {
        const int64_t m = shapes[i][0], n = shapes[i][1];
        lu_multiplies_to_the_rows (type, m, n);
        qr_multiplies_to_the_matrix (type, m, n, 0);
        qr_multiplies_to_the_matrix (type, m, n, 1);
        fft_is_its_definition (type, m, n, 0, m);
        fft_is_its_definition (type, m, n, 0, m + 3);
        fft_is_its_definition (type, m, n, 1, n);
        fft_is_its_definition (type, m, n, 1, n + 2);
        if (n > 4)
          picked_elements_are_those_of_a_loop (type, n);
      }
  end_arrays ();
  return check_end ();
}
