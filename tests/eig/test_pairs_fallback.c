/* Claims about wrong results of LAPACK for definite pairs, whose routines are those of this program;
   all types, values alone, with vectors, and parts:
   wrong_reductions_are_replaced: where xSYGST returns a wrong matrix, or xPOTRF a wrong factor,
     Jacobi solves the page and info names it; of large pages and of
     ill-conditioned ones, too
   right_pairs_are_kept: where B is ill-conditioned, A or B graded, scales are at the ends of the
     range, A is zero or B, and n is small, LAPACK's results pass
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "replaced_lapack.h"
#include "solvers.h"

#include <complex.h>
#include <string.h>

typedef enum
{
  CORRECT,
  IN_FORM,   /* an element of C = L^-1 A L^-H */
  IN_FACTOR, /* an element of L */
  PAIR_FAULTS
} pair_fault;

static const char *const pair_fault_name[PAIR_FAULTS]
    = { "right", "wrong reduction", "wrong factor" };

static pair_fault lapack_fault;

/* A tenth of the largest element is added to the first one.  */
#define SPOIL_ELEMENT(reals, fault)                                            \
  if (lapack_fault == (fault))                                                 \
    {                                                                          \
      double most = 0;                                                         \
      for (int64_t k = 0; k < (reals) * *n * *n; k++)                          \
        most = fmax (most, fabs ((double) a[k]));                              \
      a[0] += (float) (most / 10);                                             \
    }

#define TYPE(x, reals, real, sygst)                                            \
  REPLACED (sygst,                                                             \
            (const int32_t *type, const char *uplo, const int32_t *n, real *a, \
             const int32_t *lda, const real *b, const int32_t *ldb,            \
             int32_t *info, size_t l),                                         \
            (type, uplo, n, a, lda, b, ldb, info, l),                          \
            SPOIL_ELEMENT (reals, IN_FORM))                                    \
  REPLACED (x##potrf_,                                                         \
            (const char *uplo, const int32_t *n, real *a, const int32_t *lda,  \
             int32_t *info, size_t l),                                         \
            (uplo, n, a, lda, info, l), SPOIL_ELEMENT (reals, IN_FACTOR))
#define REAL(x, real) TYPE (x, 1, real, x##sygst_)
#define COMPLEX(x, real) TYPE (x, 2, real, x##hegst_)
REAL (s, float)
REAL (d, double)
COMPLEX (c, float)
COMPLEX (z, double)

/* A random A; B well conditioned, or a kernel matrix.  */
static any_problem
begin (gpueig_type type, int64_t n, int64_t pages, int outputs, int graded)
{
  any_problem p = make_problem (&solvers[SOLVE_EIG], type, n, pages, outputs);
  const double least = gpueig_is_double (type) ? 1e-4 : 1e-2;
  p.b = check_array (type, n * n * pages);
  fill_problem (&p, 5);
  for (int64_t k = 0; k < n * n * pages; k++)
    {
      const int64_t i = k % n, j = k / n % n;
      const double far = (double) (i - j) / 5;
      measure_set (type, p.b, k,
                   graded
                       ? exp (-far * far) + least * (i == j)
                       : (i == j) + 0.3 / (double) (1 + 4 * (i - j) * (i - j)));
    }
  return p;
}

static void
wrong_reductions_are_replaced (gpueig_type type, pair_fault f, int64_t n,
                               int64_t pages, int outputs, int graded,
                               int64_t last)
{
  CLEANUP (free_problem)
  any_problem p = begin (type, n, pages, outputs, graded);
  CLEANUP (free_problem) any_problem right = copy_problem (&p);
  p.first = right.first = last ? 1 : 0;
  p.last = right.last = last;
  check_solve (ctx, &right, &options, "syevd", "right");
  lapack_fault = f;
  const int solved = check_solve (ctx, &p, &options, "syevd", "%s%s",
                                  pair_fault_name[f], graded ? ", graded" : "");
  lapack_fault = CORRECT;
  /* Graded pairs have a pivoted factorization, which is not xPOTRF's.  */
  const int is_kept = f == CORRECT || (f == IN_FACTOR && graded);
  CHECK (strcmp (p.info.fallback, is_kept ? "" : "shifted") == 0,
         "by \"%s\", fallback \"%s\", %s", p.info.method, p.info.fallback,
         p.what);
  if (! solved)
    return;
  for (int64_t page = 0; page < pages; page++)
    {
      const int64_t columns = columns_of (&p);
      double worst = 0, unit = 0;
      for (int64_t k = columns * page; k < columns * (page + 1); k++)
        {
          const double x = creal (measure_get (p.values, right.lambda, k));
          unit = fmax (unit, fabs (x));
          worst = worst_of (
              worst, fabs (x - creal (measure_get (p.values, p.lambda, k))));
        }
      CHECK_RATIO (worst / (unit * (double) n * measure_eps (type)),
                   graded ? 1000 : LIMIT_EIGENVALUES,
                   "eigenvalues, page %d, %s", (int) page + 1, p.what);
      if (! p.v)
        continue;
      CHECK_RATIO (page_errors (&p, page, columns).right, LIMIT_RESIDUAL,
                   "columns, page %d, %s", (int) page + 1, p.what);
      if (! last)
        CHECK_RATIO (measure_pair_products (type, n,
                                            page_of (type, p.b, n * n, page),
                                            v_page (&p, page)),
                     LIMIT_ORTHOGONALITY, "V' B V = I, page %d, %s",
                     (int) page + 1, p.what);
    }
}

/* Element (I, J) of the pairs below, D exponents of units and REG the least eigenvalue, about.  */
static double
element_of_b (int kind, int64_t i, int64_t j, const double *d, double reg)
{
  const double far = (double) (i - j);
  const double same = i == j ? 1 : 0;
  return kind == 0   ? 0.1 * exp (-far * far) + same
         : kind == 1 ? exp (-far * far / 25) + reg * same
         : kind == 2 ? 1 / (double) (i + j + 1) + reg * same
         : kind == 3 ? exp2 (d[i] + d[j]) * same
                     : exp2 (d[i] + d[j]) * (0.1 * exp (-far * far) + same);
}

static double _Complex element_of_a (int kind, int64_t i, int64_t j,
                                     double _Complex a, double _Complex b,
                                     const double *d)
{
  return kind == 0   ? a
         : kind == 1 ? i == j
         : kind == 2 ? 0
         : kind == 3 ? b
                     : a * exp2 (d[i] + d[j]);
}

static void
right_pairs_are_kept (int count)
{
  enum
  {
    LARGEST = 40,
    KINDS = 5
  };
  measure_random r = { 17 };
  int solved = 0, kept = 0;
  for (int k = 0; k < count; k++)
    {
      const gpueig_type type = (gpueig_type) (k % 4);
      const int is_double = gpueig_is_double (type);
      const int64_t n
          = 1 + (int64_t) (measure_chance (&r) * (k % 3 ? LARGEST : 3));
      const int of_a = (int) (measure_chance (&r) * KINDS),
                of_b = (int) (measure_chance (&r) * KINDS);
      const double reg
          = pow (10, -measure_chance (&r) * (is_double ? 15 : 6.5));
      const double spread = measure_chance (&r) * (is_double ? 80 : 15);
      double d[LARGEST], scale[2];
      for (int64_t i = 0; i < n; i++)
        d[i] = rint ((measure_chance (&r) - 0.5) * spread);
      for (int m = 0; m < 2; m++)
        scale[m] = k % 5 > 1 ? 1
                             : pow (10, (measure_chance (&r) - 0.5)
                                            * (is_double ? 540 : 50));
      CLEANUP (free_problem)
      any_problem p
          = make_problem (&solvers[SOLVE_EIG], type, n, 1, 1 + k / 4 % 2);
      p.b = check_array (type, n * n);
      fill_symmetric (&p, &r);
      for (int64_t i = 0; i < n * n; i++)
        {
          const double b = element_of_b (of_b, i % n, i / n, d, reg);
          const double _Complex a = element_of_a (
              of_a, i % n, i / n, measure_get (type, p.a, i), b, d);
          measure_set (type, p.a, i, scale[0] * a);
          measure_set (type, p.b, i, scale[1] * b);
        }
      gpueig_options o = options;
      o.method = "syevd";
      const gpueig_status status = solve_problem (ctx, &p, &o, &p.info);
      const int definite = status != GPUEIG_NOT_DEFINITE;
      solved += definite;
      kept += definite && status == GPUEIG_OK && ! p.info.fallback[0];
      CHECK (! definite || (status == GPUEIG_OK && ! p.info.fallback[0]),
             "pair %d, %s, order %d, A %d, B %d: %s, fallback \"%s\"", k,
             check_type_name[type], (int) n, of_a, of_b, gpueig_message (ctx),
             p.info.fallback);
    }
  CHECK (kept == solved && solved > count * 99 / 100, "%d of %d pairs", kept,
         count);
}

int
main (void)
{
  enum
  {
    LARGE = 400 /* the reduction is a job of its own */
  };
  begin_test ("pairs_fallback");
  if (! dlsym (RTLD_NEXT, "dsygst_"))
    {
      check_skip ("LAPACK is not a library of its own");
      return end_test ();
    }
  options.backend = GPUEIG_CPU;
  for (gpueig_type type = 0; type < 4; type++)
    for (int outputs = 1; outputs <= 2; outputs++)
      {
        for (int f = CORRECT; f < PAIR_FAULTS; f++)
          for (int graded = 0; graded < 2; graded++)
            {
              const pair_fault fault = (pair_fault) f;
              wrong_reductions_are_replaced (type, fault, 1, 2, outputs, 0, 0);
              wrong_reductions_are_replaced (type, fault, 30, 5, outputs,
                                             graded, 0);
              wrong_reductions_are_replaced (type, fault, 30, 2, outputs,
                                             graded, 7);
            }
      }
  for (int outputs = 1; outputs <= 2; outputs++)
    for (int graded = 0; graded < 2; graded++)
      for (int f = IN_FORM; f < PAIR_FAULTS; f++)
        wrong_reductions_are_replaced (GPUEIG_DOUBLE, (pair_fault) f, LARGE, 1,
                                       outputs, graded, 0);
  right_pairs_are_kept (3000);
  return end_test ();
}
