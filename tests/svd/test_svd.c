/* Claims about gpueig_svd on the backend under test. High accuracy: test_svd_high.c. Failures:
   gpu_svd.m.
   hard_matrices_pass_lapacks_ratios: every method passes LAPACK's ratios for hard matrices of
     all shapes and types, with vectors, without, in all forms
   pages_are_as_good_as_alone: each page of a stack is as good as alone, equal ones give equal
     bits wherever they are; parts of the values are those of all
   pages_of_other_sizes_change_no_bits: pages of short columns have the same bits alone and next
     to a page that has to be scaled
   large_matrices_have_small_errors: large matrices whose last singular values are small have
     small errors
   quick_stacks_for_sanitizers: small enough for a sanitizer: two types, stacks of all kinds
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "svd_measures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const methods[] = { "auto", "jacobi", "gesdd", "gram" };

/* --- claims --- */

static int
has_method (const char *method)
{
  return strcmp (method, options.backend == GPUEIG_CUDA ? "gesdd" : "gram")
         != 0;
}

enum
{
  ORACLE = 33 /* the largest order of references */
};

/* The singular values of EXACT, the matrix of KIND, are computed once for each type and
   shape.  */
static void
check_values (const char *what, const gpueig_svd_problem *p, const void *s,
              int kind, const wide *exact)
{
  static long double known[KINDS][ORACLE];
  static int is_known[KINDS];
  static gpueig_svd_problem last;
  const int64_t m = p->m, n = p->n;
  if ((m < n ? m : n) > ORACLE)
    return;
  if (last.type != p->type || last.m != m || last.n != n)
    memset (is_known, 0, sizeof is_known);
  last = *p;
  if (! is_known[kind])
    {
      FREED wide *a = check_memory (m * n, sizeof *a);
      memcpy (a, exact, (size_t) (m * n) * sizeof *a);
      wide_singular_values (m, n, a, known[kind]);
    }
  is_known[kind] = 1;
  CHECK_RATIO (values_error (p, s, known[kind]), LIMIT_EIGENVALUES,
               "values, %s", what);
}

/* One matrix, all forms.  */
static void
hard_matrices_pass_lapacks_ratios (const char *method, int kind,
                                   gpueig_type type, int64_t m, int64_t n)
{
  const int64_t k = m < n ? m : n;
  char what[160];
  gpueig_options opt = options;
  gpueig_info info;
  FREED char *only = check_array (type, k);
  FREED wide *exact = check_memory (m * n, sizeof *exact);
  CLEANUP (end_svd) gpueig_svd_problem of = begin_svd (type, m, n, 1, 1);
  gpueig_svd_problem p = of;
  make_matrix (kind, type, m, n, (void *) p.a, exact);
  opt.method = method;
  for (p.full = 0; p.full < 2; p.full++)
    {
      snprintf (what, sizeof what, "%s of %s, %s %dx%d%s", method,
                kind_name[kind], check_type_name[type], (int) m, (int) n,
                p.full ? " full" : "");
      const gpueig_status status = gpueig_svd (ctx, &p, &opt, &info);
      CHECK (status == GPUEIG_OK && ! info.fallback[0], "%s: %s %s", what,
             gpueig_message (ctx), info.fallback);
      if (status != GPUEIG_OK)
        continue;
      check_page (what, &p, 0, exact);
      check_values (what, &p, p.s, kind, exact);
    }
  p.u = p.v = NULL;
  p.s = only;
  CHECK (gpueig_svd (ctx, &p, &opt, &info) == GPUEIG_OK, "values alone, %s",
         what);
  long double t[128];
  for (int64_t i = 0; i < k; i++)
    t[i] = creal (measure_get (real_type (type), of.s, i));
  CHECK_RATIO (values_error (&p, only, t), LIMIT_EIGENVALUES,
               "values alone, %s", what);
}

/* Of page PAGE of a stack: all kinds forwards, backwards, forwards.  */
static int
kind_of_page (int64_t page)
{
  const int at = (int) (page % KINDS);
  return page / KINDS % 2 ? KINDS - 1 - at : at;
}

/* Pages of all kinds: each is as good as alone, equal ones give equal bits wherever they
   are, whatever is beside them; parts of the values are those of all.  */
static void
pages_are_as_good_as_alone (const char *method, gpueig_type type, int64_t m,
                            int64_t n, int full)
{
  const int64_t k = m < n ? m : n, pages = (full ? 1 : 2) * KINDS + 5;
  char what[160];
  gpueig_options opt = options;
  gpueig_info info;
  CLEANUP (end_svd)
  gpueig_svd_problem p = begin_svd (type, m, n, pages, full);
  FREED wide *exact = check_memory (m * n * KINDS, sizeof *exact);
  opt.method = method;
  for (int64_t i = 0; i < pages; i++)
    make_matrix (kind_of_page (i), type, m, n,
                 page_of (type, (char *) p.a, m * n, i),
                 exact + m * n * kind_of_page (i));
  snprintf (what, sizeof what, "%d pages %dx%d%s by %s, %s", (int) pages,
            (int) m, (int) n, full ? " full" : "", method,
            check_type_name[type]);
  CHECK (gpueig_svd (ctx, &p, &opt, &info) == GPUEIG_OK && ! info.fallback[0],
         "%s: %s %s", what, gpueig_message (ctx), info.fallback);
  for (int64_t i = 0; i < KINDS; i++)
    {
      snprintf (what, sizeof what, "page of %s of stack %dx%d%s by %s, %s",
                kind_name[i], (int) m, (int) n, full ? " full" : "", method,
                check_type_name[type]);
      check_page (what, &p, i, exact + m * n * i);
      check_values (what, &p, page_of (real_type (type), p.s, k, i), (int) i,
                    exact + m * n * i);
    }
  for (int64_t i = KINDS; i < pages; i++)
    CHECK (same_svd_page (&p, kind_of_page (i), &p, i),
           "pages %d and %d have equal bits, %s", kind_of_page (i), (int) i,
           what);
  if (full || k < 3)
    return;
  /* Of fewer pages, which changes nothing.  */
  CLEANUP (end_svd) gpueig_svd_problem part = begin_svd (type, m, n, 7, 0);
  gpueig_svd_problem q = part;
  q.a = p.a;
  q.first = 2;
  q.last = 3;
  opt.method = info.method;
  CHECK (gpueig_svd (ctx, &q, &opt, NULL) == GPUEIG_OK, "part, %s", what);
  int same = 1;
  for (int64_t i = 0; i < q.pages; i++)
    same &= same_svd_page (&p, i, &q, i);
  CHECK (same, "part of the values of fewer pages, %s", what);
}

/* Pages of columns so short beside the others that their squares underflow if these are scaled
   to 1: alone, and beside a page that has to be scaled, they have the same bits.  */
static void
pages_of_other_sizes_change_no_bits (const char *method, gpueig_type type,
                                     int64_t m, int64_t n)
{
  enum
  {
    PAGES = 4
  };
  const int is_double = gpueig_is_double (type);
  const double large = is_double ? 1e70 : 1e5,
               small = is_double ? 1e-95 : 1e-18;
  measure_random r = { (uint64_t) (m + n) };
  gpueig_options opt = options;
  CLEANUP (end_svd)
  gpueig_svd_problem p = begin_svd (type, m, n, PAGES, 0),
                     beside = begin_svd (type, m, n, PAGES, 0);
  opt.method = method;
  for (int64_t i = 0; i < m * n * PAGES; i++)
    {
      const int64_t row = i % m, column = i / m % n, page = i / m / n;
      const double unit = column % 3 > 0 ? large : small;
      const double _Complex x
          = row % 3 == column % 3 ? unit * measure_number (&r, type) : 0;
      measure_set (type, (void *) p.a, i, x);
      measure_set (type, (void *) beside.a, i,
                   page == 1
                       ? (is_double ? 1e200 : 1e20) * measure_number (&r, type)
                       : x);
    }
  for (int k = 0; k < 2; k++)
    CHECK (gpueig_svd (ctx, k ? &beside : &p, &opt, NULL) == GPUEIG_OK,
           "%s %dx%d by %s: %s", check_type_name[type], (int) m, (int) n,
           method, gpueig_message (ctx));
  for (int64_t page = 0; page < PAGES; page++)
    if (page != 1)
      CHECK (same_svd_page (&p, page, &beside, page),
             "page %d has the same bits beside a large one, %s %dx%d by %s",
             (int) page, check_type_name[type], (int) m, (int) n, method);
}

/* A large matrix with singular values 1 .. 0.1 but for the last COUNT, which are SMALL.  */
static void
large_matrices_have_small_errors (gpueig_type type, int64_t m, int64_t n,
                                  int64_t count, double small)
{
  const int64_t k = m < n ? m : n;
  CLEANUP (end_svd) gpueig_svd_problem p = begin_svd (type, m, n, 1, 0);
  FREED wide *exact = check_memory (m * n, sizeof *exact);
  measure_random r = { (uint64_t) (3 * m + n) };
  gpueig_info info;
  char what[96];
  for (int64_t i = 0; i < k; i++)
    exact[i + m * i]
        = i < k - count ? 1 - 0.9 * (double) i / (double) k : small;
  reflect_both (&r, type, 2, m, n, exact);
  for (int64_t i = 0; i < m * n; i++)
    measure_set (type, (void *) p.a, i, (double _Complex) exact[i]);
  snprintf (what, sizeof what, "%s %dx%d, smallest %g", check_type_name[type],
            (int) m, (int) n, small);
  CHECK (gpueig_svd (ctx, &p, &options, &info) == GPUEIG_OK
             && ! info.fallback[0] && has_method (info.method),
         "%s by %s", what, info.method);
  CHECK_RATIO (measure_singular (type, m, n, p.a, p.s, p.u, p.v),
               LIMIT_RESIDUAL, "residual, %s", what);
  CHECK_RATIO (measure_orthogonality (type, m, k, p.u), LIMIT_ORTHOGONALITY,
               "U, %s", what);
  CHECK_RATIO (measure_orthogonality (type, n, k, p.v), LIMIT_ORTHOGONALITY,
               "V, %s", what);
  CHECK (in_order (real_type (type), k, p.s), "descending, %s", what);
}

/* Small enough for a sanitizer: two types, stacks of all kinds.  */
static void
quick_stacks_for_sanitizers (int64_t largest)
{
  static const int64_t shape[][2] = { { 2, 2 }, { 3, 3 },   { 5, 3 }, { 3, 5 },
                                      { 8, 8 }, { 16, 16 }, { 60, 3 } };
  for (gpueig_type t = GPUEIG_DOUBLE; t <= GPUEIG_COMPLEX_FLOAT; t++)
    for (size_t i = 0; i < COUNT (shape); i++)
      for (size_t k = 0; k < COUNT (methods); k++)
        if (has_method (methods[k]) && shape[i][0] <= largest)
          pages_are_as_good_as_alone (methods[k], t, shape[i][0], shape[i][1],
                                      0);
}

static void
every_shape_and_method (gpueig_type type)
{
  static const int64_t shape[][2] = {
    { 1, 1 },  { 1, 5 },  { 5, 1 },   { 2, 2 },   { 3, 3 },   { 4, 4 },
    { 8, 8 },  { 8, 5 },  { 5, 8 },   { 16, 16 }, { 36, 32 }, { 20, 33 },
    { 60, 3 }, { 3, 60 }, { 64, 64 }, { 90, 70 }, { 70, 90 }, { 130, 66 }
  };
  for (size_t i = 0; i < COUNT (shape); i++)
    for (size_t k = 0; k < COUNT (methods); k++)
      {
        if (! has_method (methods[k]))
          continue;
        const int64_t m = shape[i][0], n = shape[i][1];
        for (int kind = 0; kind < KINDS; kind++)
          if ((m * n <= 1200 && options.backend != GPUEIG_CUDA)
              || kind % 4 == (int) type)
            hard_matrices_pass_lapacks_ratios (methods[k], kind, type, m, n);
        for (int full = 0; full < 2 && m * n <= 1200; full++)
          pages_are_as_good_as_alone (methods[k], type, m, n, full);
      }
  for (int m = 130; m <= 134 && options.backend == GPUEIG_CUDA; m += 4)
    pages_are_as_good_as_alone ("gram", type, m, 66, 0);
  for (size_t k = 0; k < COUNT (methods); k++)
    if (has_method (methods[k]))
      pages_of_other_sizes_change_no_bits (methods[k], type, 60, 30);
}

static const struct
{
  gpueig_type type;
  int64_t m, n, count;
  double small;
} large[] = { { GPUEIG_DOUBLE, 520, 510, 5, 0.1 },
              { GPUEIG_DOUBLE, 505, 530, 5, 1e-5 },
              { GPUEIG_COMPLEX_DOUBLE, 500, 500, 5, 1e-4 },
              { GPUEIG_FLOAT, 700, 500, 5, 1e-4 },
              { GPUEIG_DOUBLE, 510, 510, 5, 1e-9 },
              { GPUEIG_DOUBLE, 510, 510, 90, 1e-9 },
              { GPUEIG_DOUBLE, 510, 510, 5, 0 },
              { GPUEIG_FLOAT, 510, 510, 5, 0 },
              { GPUEIG_COMPLEX_FLOAT, 510, 510, 5, 1e-9 } };

/* test_svd [LARGEST-ORDER quick]  */
int
main (int argc, char **argv)
{
  begin_test ("svd");
  if (argc > 2)
    {
      quick_stacks_for_sanitizers (atoi (argv[1]));
      return end_test ();
    }
  for (gpueig_type type = 0; type < 4; type++)
    every_shape_and_method (type);
  for (size_t i = 0; i < COUNT (large); i++)
    large_matrices_have_small_errors (large[i].type, large[i].m, large[i].n,
                                      large[i].count, large[i].small);
  /* On the CPU tall and wide ones are taken from smaller orders on.  */
  for (gpueig_type t = 0; options.backend != GPUEIG_CUDA && t < 4; t++)
    {
      large_matrices_have_small_errors (t, 300, 60, 5, 0.1);
      large_matrices_have_small_errors (t, 40, 90, 5, 0.1);
    }
  return end_test ();
}
