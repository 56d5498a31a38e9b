/* Claims about arrays, for all four types, random sizes and operands:
   arrays_are_found_until_freed
   binary_operations_are_loops: of mixed types, with dimensions of 1 at random
   unary_operations_are_loops
   scaled_sums_have_two_steps_bits: X + F Y; other shapes and types are refused
   lists_read_and_assign_elements
   reductions_and_shapes_are_loops: with norms, transposes and concatenations
   linear_algebra_has_small_residuals
   extreme_and_singular_matrices: near overflow and underflow
   one_element_lives_anywhere: in whatever memory its result is
   failing_allocations_leak_nothing
   singular_values_can_be_interrupted: on a GPU, and solutions by them
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array_tests.h"
#include "limits.h"

static gpueig_operand
operand (const pair *x)
{
  return (gpueig_operand){ .array = x->array };
}

static double complex
apply (gpueig_binary op, double complex x, double complex y)
{
  switch (op)
    {
    case GPUEIG_PLUS:
      return x + y;
    case GPUEIG_MINUS:
      return x - y;
    case GPUEIG_TIMES:
      return x * y;
    case GPUEIG_DIVIDE:
      return x / y;
    case GPUEIG_MAX:
      return cimag (x) != 0 || cimag (y) != 0 ? (cabs (x) >= cabs (y) ? x : y)
             : creal (x) >= creal (y)         ? x
                                              : y;
    default:
      return cpow (x, y);
    }
}

static void
binary_operations_are_loops (gpueig_type tx, gpueig_type ty)
{
  static const gpueig_binary ops[]
      = { GPUEIG_PLUS, GPUEIG_MINUS, GPUEIG_TIMES, GPUEIG_DIVIDE };
  int64_t dims[3], other[3];
  gpueig_array result = 0;
  for (int d = 0; d < 3; d++)
    {
      dims[d] = random_int (1, d == 0 ? 700 : 5);
      other[d] = random_int (0, 2) ? dims[d] : 1;
      dims[d] = random_int (0, 3) ? dims[d] : 1;
    }
  CLEANUP (drop) pair x = make (tx, dims[0], dims[1], dims[2]);
  CLEANUP (drop) pair y = make (ty, other[0], other[1], other[2]);
  for (int d = 0; d < 3; d++)
    dims[d] = dims[d] > other[d] ? dims[d] : other[d];
  const gpueig_type type = common_type (tx, ty);
  for (size_t k = 0; k < COUNT (ops); k++)
    {
      double worst = 0;
      OK (gpueig_array_binary (ctx, ops[k], operand (&x), operand (&y),
                               &result));
      CLEANUP (drop)
      pair r = take (result, type, dims[0], dims[1], dims[2], "binary");
      for (int64_t p = 0; p < dims[2]; p++)
        for (int64_t j = 0; j < dims[1]; j++)
          for (int64_t i = 0; i < dims[0]; i++)
            {
              const double complex a = at (&x, i, j, p), b = at (&y, i, j, p);
              const double complex z = apply (ops[k], a, b);
              check_close (at (&r, i, j, p), z,
                           ops[k] < GPUEIG_TIMES ? cabs (a) + cabs (b) : 0,
                           type, &worst);
            }
      CHECK_RATIO (worst, 4, "operation %d of %s and %s", (int) ops[k],
                   check_type_name[tx], check_type_name[ty]);
    }
}

static void
scaled_sums_have_two_steps_bits (void)
{
  const int64_t m = random_int (1, 70000), n = random_int (1, 3);
  CLEANUP (drop) pair x = make (GPUEIG_DOUBLE, m, n, 1);
  CLEANUP (drop) pair y = make (GPUEIG_DOUBLE, m, n, 1);
  CLEANUP (drop) pair longer = make (GPUEIG_DOUBLE, m + 1, n, 1);
  CLEANUP (drop) pair single = make (GPUEIG_FLOAT, m, n, 1);
  const double f = measure_normal (&seed);
  gpueig_array result = 0;
  for (int form = 0; form < 3; form++)
    {
      int64_t wrong = 0;
      OK (gpueig_array_add_scaled (ctx, x.array, f, y.array, form == 2,
                                   form == 1, &result));
      CLEANUP (drop) pair r = take (result, GPUEIG_DOUBLE, m, n, 1, "sum");
      for (int64_t i = 0; i < x.count; i++)
        {
          const double a = ((double *) x.host)[i];
          volatile double product = f * ((double *) y.host)[i];
          const double sum = form == 0   ? a + product
                             : form == 1 ? a - product
                                         : product - a;
          wrong += ((double *) r.host)[i] != sum;
        }
      CHECK (wrong == 0, "scaled sum %d: %lld of %lld numbers differ", form,
             (long long) wrong, (long long) x.count);
    }
  CHECK (gpueig_array_add_scaled (ctx, x.array, f, longer.array, 0, 0, &result)
                 == GPUEIG_NONCONFORMANT
             && result == 0,
         "of two sizes: %s", gpueig_message (ctx));
  CHECK (gpueig_array_add_scaled (ctx, x.array, f, single.array, 0, 0, &result)
                 == GPUEIG_BAD_ARGUMENT
             && result == 0,
         "of two types: %s", gpueig_message (ctx));
}

static void
unary_operations_are_loops (gpueig_type type)
{
  static const gpueig_unary ops[] = { GPUEIG_NEGATE, GPUEIG_ABS, GPUEIG_CONJ,
                                      GPUEIG_SQRT,   GPUEIG_EXP, GPUEIG_LOG };
  CLEANUP (drop)
  pair x = make (type, random_int (1, 300), random_int (1, 4), 2);
  gpueig_array result = 0;
  for (size_t k = 0; k < COUNT (ops); k++)
    {
      const int root = ops[k] == GPUEIG_SQRT || ops[k] == GPUEIG_LOG;
      gpueig_type wanted = type;
      double worst = 0;
      if (ops[k] == GPUEIG_ABS)
        wanted = real_type (type);
      if (root)
        wanted = complex_type (type);
      if (root) /* so that a real array has a negative element */
        measure_set (type, x.host, 0, -2);
      send (&x);
      OK (gpueig_array_unary (ctx, ops[k], x.array, &result));
      CLEANUP (drop)
      pair r = take (result, wanted, x.dims[0], x.dims[1], 2, "unary");
      for (int64_t i = 0; i < x.count; i++)
        {
          const double complex a = measure_get (type, x.host, i);
          const double complex z = ops[k] == GPUEIG_NEGATE ? -a
                                   : ops[k] == GPUEIG_ABS  ? cabs (a)
                                   : ops[k] == GPUEIG_CONJ ? conj (a)
                                   : ops[k] == GPUEIG_SQRT ? csqrt (a)
                                   : ops[k] == GPUEIG_EXP  ? cexp (a)
                                                           : clog (a);
          check_close (measure_get (wanted, r.host, i), z,
                       ops[k] == GPUEIG_LOG ? 1 : 0, type, &worst);
        }
      CHECK_RATIO (worst, 8, "function %d of %s", (int) ops[k],
                   check_type_name[type]);
    }
}

static void
lists_read_and_assign_elements (gpueig_type type)
{
  CLEANUP (drop)
  pair x = make (type, random_int (1, 60), random_int (1, 40), 3);
  int64_t lists[3][100];
  gpueig_index index[3];
  gpueig_array part = 0, result = 0;
  for (int d = 0; d < 3; d++)
    {
      index[d].count = random_int (1, x.dims[d]);
      /* different ones, in an order that is no range */
      const int64_t shift = random_int (0, x.dims[d] - 1);
      for (int64_t k = 0; k < index[d].count; k++)
        lists[d][k]
            = ((k % 2 ? -k / 2 - 1 : k / 2) + shift + x.dims[d]) % x.dims[d];
      index[d].list = lists[d];
      index[d].start = index[d].step = 0;
    }
  index[1] = (gpueig_index){ .count = (x.dims[1] + 1) / 2,
                             .start = x.dims[1] - 1,
                             .step = -2 };
  if (index[1].start + (index[1].count - 1) * index[1].step < 0)
    index[1].count--;
  OK (gpueig_array_index (ctx, x.array, 3, index, 0, NULL, &part));
  gpueig_array copy = 0;
  OK (gpueig_array_convert (ctx, part, type, &copy));
  CLEANUP (drop)
  pair r = take (part, type, index[0].count, index[1].count, index[2].count,
                 "index");
  double worst = 0;
  for (int64_t p = 0; p < r.dims[2]; p++)
    for (int64_t j = 0; j < r.dims[1]; j++)
      for (int64_t i = 0; i < r.dims[0]; i++)
        check_close (at (&r, i, j, p),
                     at (&x, lists[0][i], x.dims[1] - 1 - 2 * j, lists[2][p]),
                     0, type, &worst);
  CHECK (worst == 0, "elements at indices, %s", check_type_name[type]);
  /* X with the selected elements replaced by their negatives, and back.  */
  gpueig_array negative = 0, changed = 0;
  OK (gpueig_array_unary (ctx, GPUEIG_NEGATE, copy, &negative));
  OK (gpueig_array_assign (ctx, x.array, 0, 3, index,
                           (gpueig_operand){ .array = negative }, &changed));
  int equal = 1;
  OK (gpueig_array_equal (ctx, x.array, changed, &equal));
  CHECK (! equal, "assignment changes the copy");
  OK (gpueig_array_assign (ctx, changed, 0, 3, index,
                           (gpueig_operand){ .array = copy }, &result));
  OK (gpueig_array_equal (ctx, x.array, result, &equal));
  CHECK (equal, "and back, %s", check_type_name[type]);
  const int64_t arrays = gpueig_array_memory (ctx).arrays;
  gpueig_array itself = 0;
  OK (gpueig_array_assign (ctx, changed, 1, 3, index,
                           (gpueig_operand){ .array = copy }, &itself));
  OK (gpueig_array_equal (ctx, itself, result, &equal));
  CHECK (equal && itself == changed
             && gpueig_array_memory (ctx).arrays == arrays,
         "an array that nobody else has is changed itself");
  /* One before the first, one after the last, at either end of a range, and in a list.  */
  static const int64_t before = -1;
  const gpueig_index outside[]
      = { { .count = 1, .start = -1, .step = 1 },
          { .count = 2, .start = 0, .step = -1 },
          { .count = 2, .start = -1, .step = 1 },
          { .count = 1, .list = &before },
          { .count = 1, .start = x.dims[0], .step = 1 },
          { .count = 2, .start = x.dims[0], .step = -1 },
          { .count = 2, .start = x.dims[0] - 1, .step = 1 },
          { .count = 1, .list = &x.dims[0] } };
  for (int i = 0; i < 8; i++)
    {
      index[0] = outside[i];
      CHECK (gpueig_array_index (ctx, x.array, 3, index, 0, NULL, &part)
                     == GPUEIG_BAD_INDEX
                 && part == 0,
             "index %d out of bounds: %s", i, gpueig_message (ctx));
    }
  OK (gpueig_array_free (ctx, copy));
  OK (gpueig_array_free (ctx, negative));
  OK (gpueig_array_free (ctx, changed));
  OK (gpueig_array_free (ctx, result));
}

static void
reductions_and_shapes_are_loops (gpueig_type type)
{
  CLEANUP (drop)
  pair x = make (type, random_int (1, 5000), random_int (1, 80), 2);
  const int64_t m = x.dims[0], n = x.dims[1];
  gpueig_array result = 0;
  for (int dim = 0; dim < 3; dim++)
    {
      int64_t d[3] = { m, n, 2 };
      const int64_t length = d[dim];
      double worst = 0;
      d[dim] = 1;
      OK (gpueig_array_reduce (ctx, GPUEIG_SUM, x.array, dim, &result));
      CLEANUP (drop) pair r = take (result, type, d[0], d[1], d[2], "sum");
      OK (gpueig_array_reduce (ctx, GPUEIG_MEAN, x.array, dim, &result));
      CLEANUP (drop) pair means = take (result, type, d[0], d[1], d[2], "mean");
      OK (gpueig_array_variance (ctx, x.array, dim, (double) length + 1, 1,
                                 &result));
      CLEANUP (drop)
      pair spread = take (result, real_type (type), d[0], d[1], d[2], "root");
      for (int64_t p = 0; p < d[2]; p++)
        for (int64_t j = 0; j < d[1]; j++)
          for (int64_t i = 0; i < d[0]; i++)
            {
              double complex sum = 0;
              double size = 0, squares = 0;
#define A(k) at (&x, dim == 0 ? k : i, dim == 1 ? k : j, dim == 2 ? k : p)
              for (int64_t k = 0; k < length; k++)
                {
                  sum += A (k);
                  size += cabs (A (k));
                }
              check_close (at (&r, i, j, p), sum, size, type, &worst);
              sum /= (double) length;
              check_close (at (&means, i, j, p), sum, size / (double) length,
                           type, &worst);
              for (int64_t k = 0; k < length; k++)
                squares += pow (cabs (A (k) - sum), 2);
#undef A
              check_close (at (&spread, i, j, p),
                           sqrt (squares / (double) (length + 1)),
                           size / (double) length, type, &worst);
            }
      CHECK_RATIO (worst, 1 + (double) length / 8,
                   "sum, mean or deviation along %d of %s", dim,
                   check_type_name[type]);
    }
  OK (gpueig_array_transpose (ctx, x.array, 1, &result));
  CLEANUP (drop) pair t = take (result, type, n, m, 2, "transpose");
  double worst = 0;
  for (int64_t p = 0; p < 2; p++)
    for (int64_t j = 0; j < n; j++)
      for (int64_t i = 0; i < m; i++)
        check_close (at (&t, j, i, p), conj (at (&x, i, j, p)), 0, type,
                     &worst);
  CHECK (worst == 0, "conjugate transpose of %s", check_type_name[type]);
  const gpueig_array twice[2] = { x.array, x.array };
  OK (gpueig_array_concatenate (ctx, 1, 2, twice, &result));
  CLEANUP (drop) pair c = take (result, type, m, 2 * n, 2, "concatenation");
  worst = 0;
  for (int64_t p = 0; p < 2; p++)
    for (int64_t j = 0; j < 2 * n; j++)
      for (int64_t i = 0; i < m; i++)
        check_close (at (&c, i, j, p), at (&x, i, j % n, p), 0, type, &worst);
  CHECK (worst == 0, "concatenation of %s", check_type_name[type]);
}

static void
linear_algebra_has_small_residuals (gpueig_type type)
{
  const int64_t n = random_int (2, 90), k = random_int (1, 5);
  CLEANUP (drop) pair a = make (type, n, n, 1), b = make (type, n, k, 1);
  gpueig_array x = 0, r = 0, inverse = 0;
  double rcond = 0, norms[3] = { 0 };
  for (int64_t i = 0; i < n; i++) /* well conditioned */
    measure_set (type, a.host, i + n * i,
                 measure_get (type, a.host, i + n * i) + 3 * sqrt ((double) n));
  send (&a);
  OK (gpueig_array_solve (ctx, a.array, b.array, &x, &rcond));
  OK (gpueig_array_multiply (ctx, 'N', a.array, 'N', x, &r));
  CLEANUP (drop) pair product = take (r, type, n, k, 1, "A X");
  double worst = 0;
  for (int64_t i = 0; i < b.count; i++)
    check_close (measure_get (type, product.host, i),
                 measure_get (type, b.host, i), (double) n, type, &worst);
  CHECK_RATIO (worst, 20, "A (A \\ B) = B for %s, n = %lld",
               check_type_name[type], (long long) n);
  OK (gpueig_array_inverse (ctx, a.array, &inverse, &rcond));
  OK (gpueig_array_norm (ctx, GPUEIG_NORM_1, a.array, &norms[0]));
  OK (gpueig_array_norm (ctx, GPUEIG_NORM_1, inverse, &norms[1]));
  CHECK_RATIO (fabs (rcond * norms[0] * norms[1] - 1), 1e-5, "rcond");
  OK (gpueig_array_multiply (ctx, 'C', inverse, 'C', a.array, &r));
  double sum[2];
  OK (gpueig_array_trace (ctx, r, sum));
  CHECK_RATIO (fabs (sum[0] - (double) n) / ((double) n * measure_eps (type)),
               20 * (double) n, "trace of inv (A)' A' is n");
  OK (gpueig_array_norm (ctx, GPUEIG_NORM_2, a.array, &norms[0]));
  OK (gpueig_array_norm (ctx, GPUEIG_NORM_FRO, a.array, &norms[1]));
  OK (gpueig_array_norm (ctx, GPUEIG_NORM_INF, a.array, &norms[2]));
  CHECK (norms[0] <= norms[1] && norms[1] <= sqrt ((double) n) * norms[0]
             && norms[2] <= sqrt ((double) n) * norms[0] * 1.0001,
         "norms of %s: 2 %g, F %g, Inf %g", check_type_name[type], norms[0],
         norms[1], norms[2]);
  OK (gpueig_array_free (ctx, r));
  OK (gpueig_array_free (ctx, x));
  OK (gpueig_array_free (ctx, inverse));
}

static void
extreme_and_singular_matrices (void)
{
  const int64_t dims[2] = { 2, 2 };
  const double large[4] = { 3e300, 0, 0, 4e300 },
               small[4] = { 3e-310, 0, 0, 4e-310 },
               singular[4] = { 1, 2, 2, 4 };
  gpueig_array a = 0, x = 0;
  double norm = 0, rcond = 1;
  OK (gpueig_array_new (ctx, GPUEIG_DOUBLE, 2, dims, &options, &a));
  OK (gpueig_array_upload (ctx, a, large));
  OK (gpueig_array_norm (ctx, GPUEIG_NORM_FRO, a, &norm));
  CHECK (fabs (norm / 5e300 - 1) < 1e-14, "norm near overflow %g", norm);
  OK (gpueig_array_upload (ctx, a, small));
  OK (gpueig_array_norm (ctx, GPUEIG_NORM_FRO, a, &norm));
  CHECK (fabs (norm / 5e-310 - 1) < 1e-8, "norm near underflow %g", norm);
  OK (gpueig_array_upload (ctx, a, singular));
  OK (gpueig_array_inverse (ctx, a, &x, &rcond));
  double inverse[4];
  OK (gpueig_array_download (ctx, x, inverse));
  CHECK (rcond == 0 && isinf (inverse[0]) && isinf (inverse[3]),
         "inverse of a singular matrix: rcond %g, %g", rcond, inverse[0]);
  OK (gpueig_array_free (ctx, x));
  OK (gpueig_array_solve (ctx, a, a, &x, &rcond));
  OK (gpueig_array_download (ctx, x, inverse));
  CHECK (rcond < 1e-15 && fabs (inverse[0] - 0.2) < 1e-14
             && fabs (inverse[3] - 0.8) < 1e-14,
         "solution of least norm of a singular system");
  OK (gpueig_array_free (ctx, x));
  OK (gpueig_array_free (ctx, a));
}

/* --- registry --- */

static void
one_element_lives_anywhere (gpueig_type type)
{
  CLEANUP (drop) pair x = make (type, random_int (1, 3000), 1, 1);
  const gpueig_operand all = operand (&x);
  const double two[2] = { 2, 0 };
  const int single = ! gpueig_is_double (type);
  const float two_s[2] = { 2, 0 };
  double complex sum = 0;
  double scale = 0, worst = 0;
  gpueig_array r, unread;
  for (int64_t i = 0; i < x.count; i++)
    {
      sum += at (&x, i, 0, 0);
      scale += cabs (at (&x, i, 0, 0));
    }
  OK (gpueig_array_reduce (ctx, GPUEIG_SUM, x.array, 0, &r));
  for (int times = 0; times < 2; times++)
    {
      double raw[2] = { 0, 0 };
      OK (gpueig_array_download (ctx, r, raw));
      check_close (measure_get (type, raw, 0), sum, scale, type, &worst);
    }
  OK (gpueig_array_reduce (ctx, GPUEIG_SUM, x.array, 0, &unread));
  OK (gpueig_array_free (ctx, unread));
  gpueig_array more;
  OK (gpueig_array_binary (ctx, GPUEIG_PLUS, all,
                           (gpueig_operand){ .array = r }, &more));
  OK (gpueig_array_upload (ctx, r,
                           single ? (const void *) two_s : (const void *) two));
  CLEANUP (drop) pair got = take (more, type, x.count, 1, 1, "x + sum (x)");
  for (int64_t i = 0; i < x.count; i++)
    check_close (at (&got, i, 0, 0), at (&x, i, 0, 0) + sum, scale, type,
                 &worst);
  CLEANUP (drop) pair changed = take (r, type, 1, 1, 1, "another number");
  CHECK (at (&changed, 0, 0, 0) == 2, "it is changed");
  CHECK (worst <= 4, "a sum of %lld elements: %g eps", (long long) x.count,
         worst);
}

static void
arrays_are_found_until_freed (void)
{
  enum
  {
    MANY = 10000
  };
  static gpueig_array many[MANY];
  const int64_t dims[2] = { 3, 5 };
  gpueig_array a = 0, b = 0;
  gpueig_array_info info;
  const gpueig_array_usage before = gpueig_array_memory (ctx);
  OK (gpueig_array_new (ctx, GPUEIG_DOUBLE, 2, dims, &options, &a));
  OK (gpueig_array_free (ctx, a));
  CHECK (gpueig_array_free (ctx, a) == GPUEIG_BAD_ARGUMENT, "freed twice");
  OK (gpueig_array_new (ctx, GPUEIG_DOUBLE, 2, dims, &options, &b));
  CHECK (b != a, "numbers are not used again");
  CHECK (gpueig_array_describe (ctx, a, &info) == GPUEIG_BAD_ARGUMENT
             && gpueig_array_unary (ctx, GPUEIG_ABS, a, &a)
                    == GPUEIG_BAD_ARGUMENT
             && a == 0,
         "use after free");
  CHECK (gpueig_array_free (ctx, 0) == GPUEIG_BAD_ARGUMENT
             && gpueig_array_free (ctx, -5) == GPUEIG_BAD_ARGUMENT
             && gpueig_array_free (ctx, INT64_MAX) == GPUEIG_BAD_ARGUMENT,
         "no numbers of arrays");
  int good = 1;
  for (int i = 0; i < MANY; i++)
    good &= gpueig_array_new (ctx, GPUEIG_FLOAT, 2, dims, &options, &many[i])
            == GPUEIG_OK;
  CHECK (good, "%d live arrays", MANY);
  const gpueig_array_usage use = gpueig_array_memory (ctx);
  CHECK (use.arrays == before.arrays + MANY + 1
             && use.host_bytes + use.device_bytes
                    >= (int64_t) MANY * 15 * (int64_t) sizeof (float),
         "they are counted");
  for (int i = 0; i < MANY; i++)
    good &= gpueig_array_free (ctx, many[i]) == GPUEIG_OK;
  OK (gpueig_array_free (ctx, b));
  const gpueig_array_usage after = gpueig_array_memory (ctx);
  CHECK (good && after.arrays == before.arrays
             && after.host_bytes == before.host_bytes
             && after.device_bytes == before.device_bytes,
         "and their memory is given back");
  const int64_t huge[2] = { (int64_t) 1 << 31, (int64_t) 1 << 31 },
                wrong[2] = { -1, 2 };
  CHECK (gpueig_array_new (ctx, GPUEIG_DOUBLE, 2, huge, &options, &a)
             == GPUEIG_OUT_OF_MEMORY,
         "more than there is");
  CHECK (gpueig_array_new (ctx, GPUEIG_DOUBLE, 2, wrong, &options, &a)
             == GPUEIG_OUT_OF_MEMORY,
         "a negative size");
}

static const pair *left, *right;

static gpueig_status
solve_and_compare (int64_t k, gpueig_array made[4])
{
  double rcond, sum[2] = { 0 };
  const gpueig_operand a = { .array = left->array }, zero = { .re = 0 };
  gpueig_status status
      = gpueig_array_solve (ctx, left->array, right->array, &made[0], &rcond);
  (void) k;
  if (status == GPUEIG_OK)
    status = gpueig_array_inverse (ctx, left->array, &made[1], &rcond);
  CHECK ((status == GPUEIG_OK) == (made[1] != 0), "no result after a failure");
  if (status == GPUEIG_OK)
    status = gpueig_array_compare (ctx, GPUEIG_NE, a, zero, &made[2]);
  if (status == GPUEIG_OK)
    status = gpueig_array_trace (ctx, made[2], sum);
  CHECK (status != GPUEIG_OK || (sum[0] == 20 && sum[1] == 0),
         "truth values are numbers: %g", sum[0]);
  return status;
}

static void
failing_allocations_leak_nothing (void)
{
  CLEANUP (drop) pair a = make (GPUEIG_COMPLEX_DOUBLE, 20, 20, 1);
  CLEANUP (drop) pair b = make (GPUEIG_DOUBLE, 20, 3, 1);
  left = &a;
  right = &b;
  check_leaks (solve_and_compare);
}

static void
singular_values_can_be_interrupted (void)
{
  enum
  {
    N = 1100
  };
  CLEANUP (drop) pair a = make (GPUEIG_DOUBLE, N, N, 1);
  CLEANUP (drop) pair b = make (GPUEIG_DOUBLE, N, 1, 1);
  double norm, rcond;
  gpueig_array x = 0;
  for (int64_t i = 0; i < N; i++)
    measure_set (a.type, a.host, i, i == 0);
  for (int64_t j = 1; j < N; j++)
    measure_set (a.type, a.host, j * N, 0);
  send (&a);
  check_interrupt_at (ctx, 1);
  CHECK (gpueig_array_norm (ctx, GPUEIG_NORM_2, a.array, &norm)
             == GPUEIG_INTERRUPTED,
         "the singular values are interrupted");
  measure_set (a.type, a.host, 0, 0);
  check_interrupt_at (ctx, 0);
  send (&a);
  check_interrupt_at (ctx, 1);
  CHECK (gpueig_array_solve (ctx, a.array, b.array, &x, &rcond)
                 == GPUEIG_INTERRUPTED
             && x == 0,
         "the solution of a singular system is interrupted");
  check_interrupt_at (ctx, 0);
  OK (gpueig_array_norm (ctx, GPUEIG_NORM_2, a.array, &norm));
  /* of a random matrix 2 sqrt (n) */
  CHECK (norm > 60 && norm < 70, "the largest singular value: %g", norm);
  OK (gpueig_array_solve (ctx, a.array, b.array, &x, &rcond));
  OK (gpueig_array_free (ctx, x));
}

int
main (void)
{
  begin_test ("array");
  seed.state = 32;
  arrays_are_found_until_freed ();
  extreme_and_singular_matrices ();
  failing_allocations_leak_nothing ();
  if (options.backend == GPUEIG_CUDA)
    singular_values_can_be_interrupted ();
  for (int round = 0; round < 3; round++)
    scaled_sums_have_two_steps_bits ();
  for (int round = 0; round < 3; round++)
    for (gpueig_type t = 0; t < 4; t++)
      {
        for (gpueig_type u = 0; u < 4; u++)
          binary_operations_are_loops (t, u);
        unary_operations_are_loops (t);
        one_element_lives_anywhere (t);
        lists_read_and_assign_elements (t);
        reductions_and_shapes_are_loops (t);
        linear_algebra_has_small_residuals (t);
      }
  end_arrays ();
  return check_end ();
}
