/* Claims about sparse matrices, for all types and their mixtures, on the backend under test
   and, without a GPU, by the plugin place_plugin:
   products_are_loops: S X is that of loops over the elements, with the same bits each time and
     for both widths of indices, also for matrices without rows, columns or elements, and with
     full rows
   results_are_loops: sums, differences, products and transposes of two sparse matrices have the
     elements of loops over full ones, none of them zero, in ascending columns, with the same bits
     each time and for both widths of indices; also of small integers, which cancel, of NaN and
     Inf, and of matrices without rows, columns or elements
   wrong_patterns_are_refused: a pattern is refused where numbers are wanted, and so are wrong
     patterns and sizes
   failing_allocations_leak_nothing: a failing allocation, whichever it is, leaks nothing
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array_tests.h"

typedef struct
{
  gpueig_sparse s;
  int64_t *starts, *indices;
  void *values;
  gpueig_array pattern, numbers;
} sparse;

/* Free the copy in the place of the test, if there is one.  */
static void
drop_copy (sparse *a)
{
  if (a->pattern)
    OK (gpueig_array_free (ctx, a->pattern));
  if (a->numbers)
    OK (gpueig_array_free (ctx, a->numbers));
  a->pattern = a->numbers = 0;
}

static void
drop_sparse (sparse *a)
{
  drop_copy (a);
  free (a->starts);
  free (a->indices);
  free (a->values);
}

/* M-by-N, with room for so many ELEMENTS.  */
static sparse
begin_sparse (gpueig_type type, int64_t m, int64_t n, int64_t elements)
{
  sparse a = { .starts = check_memory (m + 1, sizeof (int64_t)),
               .indices = check_memory (elements, sizeof (int64_t)),
               .values = check_array (type, elements) };
  a.s = (gpueig_sparse){ .type = type,
                         .rows = m,
                         .columns = n,
                         .starts = a.starts,
                         .indices = a.indices,
                         .values = a.values };
  return a;
}

/* Elements of row I of make_sparse's matrix: MOST, but none of each third row and all of each
   50th.  */
static int64_t
row_length (int64_t i, int64_t n, int64_t most)
{
  const int64_t count = i % 3 == 2 ? 0 : i % 50 == 1 ? n : most;
  return count < n ? count : n;
}

static sparse
make_sparse (gpueig_type type, int64_t m, int64_t n, int64_t most)
{
  int64_t elements = 0;
  for (int64_t i = 0; i < m; i++)
    elements += row_length (i, n, most);
  sparse a = begin_sparse (type, m, n, elements);
  for (int64_t i = 0; i < m; i++)
    {
      const int64_t count = row_length (i, n, most);
      a.starts[i + 1] = a.starts[i] + count;
      for (int64_t k = 0; k < count; k++)
        {
          a.indices[a.starts[i] + k] = k * n / count;
          measure_set (type, a.values, a.starts[i] + k,
                       measure_number (&seed, type));
        }
    }
  return a;
}

/* A copy of A, whose indices are WIDE or not, in the place of the test, instead of another
   one.  */
static void
send_sparse (sparse *a, int wide)
{
  CLEANUP (drop) pair place = make (GPUEIG_DOUBLE, 1, 1, 1);
  drop_copy (a);
  gpueig_widen_indices (ctx, wide);
  OK (gpueig_array_new_sparse (ctx, place.array, &a->s, &a->pattern,
                               &a->numbers));
  gpueig_widen_indices (ctx, 0);
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
  const gpueig_type type = common_type (ta, tx);
  double worst = 0;
  CLEANUP (drop) pair x = make (tx, n, k, 1);
  CLEANUP (drop_sparse) sparse a = make_sparse (ta, m, n, most);
  send_sparse (&a, 0);
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
  send_sparse (&a, 1);
  CLEANUP (drop) pair wide = multiply (&a, &x, type);
  const size_t bytes = (size_t) y.count * gpueig_scalar_size (type);
  CHECK (bytes == 0 || memcmp (y.host, again.host, bytes) == 0,
         "the product again is the same bits");
  CHECK (bytes == 0 || memcmp (y.host, wide.host, bytes) == 0,
         "with wide indices it is the same bits");
}

/* OP (A, B), m-by-n, in host memory.  */
static sparse
combine (gpueig_sparse_op op, const sparse *a, const sparse *b, int wide,
         gpueig_type type, int64_t m, int64_t n)
{
  gpueig_array pattern = 0, numbers = 0;
  gpueig_array_info info = { 0 };
  gpueig_widen_indices (ctx, wide);
  OK (gpueig_array_combine_sparse (ctx, op, a->pattern, a->numbers, b->pattern,
                                   b->numbers, &pattern, &numbers));
  gpueig_widen_indices (ctx, 0);
  OK (gpueig_array_describe (ctx, numbers, &info));
  CHECK (info.shape.type == type, "the result is of type %d, not %d",
         (int) info.shape.type, (int) type);
  sparse r = begin_sparse (type, m, n, info.shape.count);
  r.pattern = pattern;
  r.numbers = numbers;
  OK (gpueig_array_download_pattern (ctx, r.pattern, r.starts, r.indices));
  OK (gpueig_array_download (ctx, r.numbers, r.values));
  CHECK (r.starts[0] == 0 && r.starts[m] == info.shape.count,
         "there are %lld elements, not %lld", (long long) r.starts[m],
         (long long) info.shape.count);
  return r;
}

static void
spread (const sparse *a, double complex *full)
{
  const int64_t m = a->s.rows, n = a->s.columns;
  memset (full, 0, (size_t) (m * n) * sizeof *full);
  for (int64_t i = 0; i < m; i++)
    for (int64_t e = a->starts[i]; e < a->starts[i + 1]; e++)
      full[i * n + a->indices[e]] = measure_get (a->s.type, a->values, e);
}

/* X Y, which is zero for an element that is not there.  */
static double complex
times (double complex x, double complex y)
{
  if (x == 0 || y == 0)
    return 0;
  return cimag (x) == 0 && cimag (y) == 0 ? creal (x) * creal (y) : x * y;
}

/* Element (I, J) of OP (A, B), given by X and Y, and the sum of moduli, *SCALE.  */
static double complex
wanted_element (gpueig_sparse_op op, const sparse *a, const sparse *b,
                const double complex *x, const double complex *y, int64_t i,
                int64_t j, double *scale)
{
  const int64_t n = a->s.columns, at = i * n + j;
  double complex sum = 0;
  *scale = 0;
  switch (op)
    {
    case GPUEIG_SPARSE_PLUS:
    case GPUEIG_SPARSE_MINUS:
      *scale = cabs (x[at]) + cabs (y[at]);
      return op == GPUEIG_SPARSE_PLUS ? x[at] + y[at] : x[at] - y[at];
    case GPUEIG_SPARSE_TIMES:
      return times (x[at], y[at]);
    case GPUEIG_SPARSE_TRANSPOSE:
      return x[j * n + i];
    default:
      for (int64_t k = 0; k < n; k++)
        {
          sum += times (x[i * n + k], y[k * b->s.columns + j]);
          *scale += cabs (times (x[i * n + k], y[k * b->s.columns + j]));
        }
      return sum;
    }
}

/* The largest error of R, in units of eps.  EXACT: the elements are those of the loops, and none is
   there for their zeros.  */
static double
result_error (gpueig_sparse_op op, const sparse *r, const sparse *a,
              const sparse *b, int exact)
{
  const int64_t m = r->s.rows, n = r->s.columns;
  double complex *x
      = check_array (GPUEIG_COMPLEX_DOUBLE, a->s.rows * a->s.columns + 1),
      *y = check_array (GPUEIG_COMPLEX_DOUBLE, b->s.rows * b->s.columns + 1),
      *z = check_array (GPUEIG_COMPLEX_DOUBLE, m * n + 1);
  double worst = 0, scale;
  int is_right = 1;
  spread (a, x);
  spread (b, y);
  spread (r, z);
  for (int64_t i = 0; i < m; i++)
    {
      for (int64_t e = r->starts[i]; e < r->starts[i + 1]; e++)
        is_right = is_right && r->indices[e] >= 0 && r->indices[e] < n
                   && (e == r->starts[i] || r->indices[e] > r->indices[e - 1])
                   && measure_get (r->s.type, r->values, e) != 0;
      for (int64_t j = 0; j < n; j++)
        {
          const double complex wanted
              = wanted_element (op, a, b, x, y, i, j, &scale);
          if (exact || is_nan (wanted))
            is_right = is_right
                       && (z[i * n + j] == wanted
                           || (is_nan (wanted) && is_nan (z[i * n + j])));
          else
            check_close (z[i * n + j], wanted, scale, r->s.type, &worst);
        }
    }
  CHECK (is_right, "operation %d, %lld-by-%lld: elements and places", (int) op,
         (long long) m, (long long) n);
  free (x);
  free (y);
  free (z);
  return worst;
}

static int
is_same (const sparse *x, const sparse *y)
{
  const int64_t m = x->s.rows, n = x->starts[m];
  return memcmp (x->starts, y->starts, (size_t) (m + 1) * sizeof *x->starts)
             == 0
         && memcmp (x->indices, y->indices, (size_t) n * sizeof *x->indices)
                == 0
         && memcmp (x->values, y->values,
                    (size_t) n * gpueig_scalar_size (x->s.type))
                == 0;
}

/* OP (A, B), which have copies there.  */
static void
result_is_loops (gpueig_sparse_op op, const sparse *a, const sparse *b,
                 int exact)
{
  const int transposes = op == GPUEIG_SPARSE_TRANSPOSE;
  const gpueig_type type
      = transposes ? a->s.type : common_type (a->s.type, b->s.type);
  const int64_t m = transposes ? a->s.columns : a->s.rows,
                n = transposes                     ? a->s.rows
                    : op == GPUEIG_SPARSE_MULTIPLY ? b->s.columns
                                                   : a->s.columns;
  CLEANUP (drop_sparse) sparse r = combine (op, a, b, 0, type, m, n);
  CLEANUP (drop_sparse) sparse wide = combine (op, a, b, 1, type, m, n);
  CHECK_RATIO (result_error (op, &r, a, b, exact),
               4 + (double) a->s.columns / 8,
               "operation %d of %s and %s, %lld-by-%lld", (int) op,
               check_type_name[a->s.type], check_type_name[b->s.type],
               (long long) m, (long long) n);
  CHECK (is_same (&r, &wide), "with wide indices it is the same bits");
}

/* All operations of A, m-by-k, and B, k-by-n or m-by-k.  */
static void
results_are_loops (gpueig_type ta, gpueig_type tb, int64_t m, int64_t k,
                   int64_t n, int64_t most)
{
  CLEANUP (drop_sparse) sparse a = make_sparse (ta, m, k, most);
  CLEANUP (drop_sparse) sparse b = make_sparse (tb, m, k, most / 2 + 1);
  CLEANUP (drop_sparse) sparse c = make_sparse (tb, k, n, most);
  send_sparse (&a, 0);
  send_sparse (&b, 1);
  send_sparse (&c, 1);
  for (gpueig_sparse_op op = 0; op < GPUEIG_SPARSE_OPS; op++)
    result_is_loops (op, &a, op == GPUEIG_SPARSE_MULTIPLY ? &c : &b, 0);
  /* zeros alone */
  result_is_loops (GPUEIG_SPARSE_MINUS, &a, &a, 1);
}

/* A 3-by-3 matrix of -1, 0 and 1, or with SPECIAL of -1, 0 and NaN or Inf: CODE has a digit for each
   element.  */
static sparse
small_matrix (gpueig_type type, int64_t code, double special)
{
  sparse a = begin_sparse (type, 3, 3, 9);
  for (int i = 0, e = 0; i < 9; i++, code /= 3)
    {
      if (code % 3)
        {
          a.indices[e] = i % 3;
          measure_set (type, a.values, e++, code % 3 == 1 ? -1 : special);
        }
      a.starts[i / 3 + 1] = e;
    }
  send_sparse (&a, 0);
  return a;
}

/* CODE, of a small_matrix, has an element SPECIAL.  */
static int
has_special (int64_t code)
{
  while (code > 0 && code % 3 != 2)
    code /= 3;
  return code > 0;
}

/* Products of elements that are not finite with zeros are left to others.  */
static void
times_is_refused (const sparse *a, const sparse *b, int has)
{
  gpueig_array made[2] = { 0 };
  const gpueig_status status = gpueig_array_combine_sparse (
      ctx, GPUEIG_SPARSE_TIMES, a->pattern, a->numbers, b->pattern, b->numbers,
      &made[0], &made[1]);
  CHECK (status == (has ? GPUEIG_NONFINITE : GPUEIG_OK),
         "elements that are %sfinite: %s", has ? "not " : "",
         gpueig_message (ctx));
  gpueig_array_free (ctx, made[0]);
  gpueig_array_free (ctx, made[1]);
}

static void
small_results_are_loops (void)
{
  static const double specials[] = { 1, 1, 1, 1, NAN, INFINITY };
  const int64_t codes = 19683; /* 3^9 */
  for (int64_t i = 0; i * 61 < codes; i++)
    {
      const double special = specials[i % COUNT (specials)];
      const gpueig_type type
          = special == 1 ? (gpueig_type) (i / 6 % 4) : GPUEIG_DOUBLE;
      CLEANUP (drop_sparse) sparse a = small_matrix (type, i * 61, special);
      CLEANUP (drop_sparse)
      sparse b = small_matrix (type, i * 7919 % codes, special);
      for (gpueig_sparse_op op = 0; op < GPUEIG_SPARSE_OPS; op++)
        if (op != GPUEIG_SPARSE_TIMES || isfinite (special))
          result_is_loops (op, &a, &b, 1);
        else
          times_is_refused (
              &a, &b, has_special (i * 61) || has_special (i * 7919 % codes));
    }
}

#define REFUSED(status, call)                                                  \
  CHECK ((call) == (status) && made[0] == 0 && made[1] == 0, "%s: %s", #call,  \
         gpueig_message (ctx))

static void
wrong_patterns_are_refused (void)
{
  CLEANUP (drop)
  pair place = make (GPUEIG_DOUBLE, 1, 1, 1), x = make (GPUEIG_DOUBLE, 7, 2, 1);
  CLEANUP (drop) pair pages = make (GPUEIG_DOUBLE, 5, 2, 2);
  CLEANUP (drop_sparse) sparse a = make_sparse (GPUEIG_DOUBLE, 4, 5, 2);
  gpueig_array made[2] = { 0 };
  double host[64];
  send_sparse (&a, 0);
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
  const gpueig_array p = a.pattern, v = a.numbers;
  REFUSED (GPUEIG_NONCONFORMANT,
           gpueig_array_combine_sparse (ctx, GPUEIG_SPARSE_MULTIPLY, p, v, p, v,
                                        &made[0], &made[1]));
  REFUSED (GPUEIG_BAD_ARGUMENT,
           gpueig_array_combine_sparse (ctx, GPUEIG_SPARSE_PLUS, p, v, v, v,
                                        &made[0], &made[1]));
  REFUSED (GPUEIG_BAD_ARGUMENT,
           gpueig_array_combine_sparse (ctx, GPUEIG_SPARSE_PLUS, p, v, p,
                                        x.array, &made[0], &made[1]));
  REFUSED (GPUEIG_BAD_ARGUMENT,
           gpueig_array_combine_sparse (ctx, GPUEIG_SPARSE_OPS, p, v, p, v,
                                        &made[0], &made[1]));
  REFUSED (GPUEIG_BAD_ARGUMENT,
           gpueig_array_download_pattern (ctx, v, NULL, NULL));
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

static gpueig_status
combine_twice (int64_t k, gpueig_array made[4])
{
  gpueig_status status = gpueig_array_combine_sparse (
      ctx, GPUEIG_SPARSE_TRANSPOSE, matrix->pattern, matrix->numbers, 0, 0,
      &made[0], &made[1]);
  (void) k;
  return status == GPUEIG_OK ? gpueig_array_combine_sparse (
             ctx, GPUEIG_SPARSE_MULTIPLY, matrix->pattern, matrix->numbers,
             made[0], made[1], &made[2], &made[3])
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
  send_sparse (&a, 0);
  check_leaks (combine_twice);
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
  for (gpueig_type t = 0; t < 4; t++)
    for (gpueig_type u = 0; u < 4; u++)
      for (size_t i = 0; i < COUNT (shapes); i++)
        results_are_loops (t, u, shapes[i][0] / 3, shapes[i][1] / 3,
                           shapes[i][2] * 11, shapes[i][3]);
  /* runs of many terms, one row of which CUB's tiles have a part */
  results_are_loops (GPUEIG_DOUBLE, GPUEIG_DOUBLE, 2, 9000, 2, 9000);
  results_are_loops (GPUEIG_COMPLEX_DOUBLE, GPUEIG_DOUBLE, 300, 200, 150, 60);
  small_results_are_loops ();
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
