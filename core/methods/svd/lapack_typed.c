/* One page by LAPACK: divide and conquer, or for high relative accuracy one-sided Jacobi
   after QR with column pivoting (Z. Drmac, K. Veselic, SIMAX 29 (2008) 1322), verified.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Where values may span more than the range of numbers, see graded_typed.c.  A page of very
   large or small elements is scaled by a power of two.  Verification: with random
   vectors x of elements +1 and -1, |A x - U S V'x| and |V V'x - x| have, on average, the
   Frobenius norm of the error matrix.  */

#include "base/products.h"
#include "svd/svd.h"

#include <string.h>

/* Squares of numbers of this size and products with eps are normal, and so are sums of
   them.  */
#define LEAST (GE_DOUBLE ? (real_t) 0x1p-200 : (real_t) 0x1p-20)

/* The arrays of a page; LEFT and RIGHT only for high accuracy: the vectors of the long
   side, and those of the short one.  */
typedef struct
{
  lapack_int m, n, k, of_u, of_v; /* columns of U, rows of V' */
  lapack_int lwork, lrwork;
  int vectors, high;
  scalar_t *a, *u, *vt, *left, *right, *x, *work;
  real_t *s, *e, *rwork;
  lapack_int *iwork;
  real_t *
      mantissa; /* GRADED: the values are MANTISSA 2^POWER, S those of the scaled page */
  int *power;
  char *space;
} page_work;

typedef enum
{
  BIDIAGONAL,
  GESDD,
  GESVD,
  GEJSV,
  GRADED
} routine;

static lapack_int
by_bidiagonal_form (const page_work *w)
{
  const lapack_int none = 0, one = 1, lwork = w->lwork - 2 * w->k;
  scalar_t *right = w->work + w->k, *space = right + w->k;
  lapack_int info = 0;
  gebrd_ (&w->m, &w->n, w->a, &w->m, w->s, w->e, w->work, right, space, &lwork,
          &info);
  if (info == 0)
    bdsqr_ (w->m < w->n ? "L" : "U", &w->k, &none, &none, &none, w->s, w->e,
            w->a, &one, w->a, &one, w->a, &one, w->e + w->k, &info, 1);
  return info;
}

/* Call the routine; return LAPACK's info.  */
static lapack_int
call_routine (const page_work *w, routine r)
{
  lapack_int info = 0;
  const int full = w->of_u == w->m && w->of_v == w->n;
  const char *job = ! w->vectors ? "N" : full ? "A" : "S";
  const lapack_int ldvt = w->of_v > 0 ? w->of_v : 1;
  if (r == BIDIAGONAL)
    return by_bidiagonal_form (w);
  if (r == GESDD)
    gesdd_ (job, &w->m, &w->n, w->a, &w->m, w->s, w->u, &w->m, w->vt, &ldvt,
            w->work, &w->lwork,
#if GE_COMPLEX
            w->rwork,
#endif
            w->iwork, &info, 1);
  else if (r == GESVD)
    gesvd_ (job, job, &w->m, &w->n, w->a, &w->m, w->s, w->u, &w->m, w->vt,
            &ldvt, w->work, &w->lwork,
#if GE_COMPLEX
            w->rwork,
#endif
            &info, 1, 1);
  else
    {
      const lapack_int l = w->m < w->n ? w->n : w->m;
      const char *of_left = ! w->vectors                               ? "N"
                            : (w->m < w->n ? w->of_v : w->of_u) > w->k ? "F"
                                                                       : "U";
      gejsv_ ("F", of_left, w->vectors ? "V" : "N", "N", "N", "N", &l, &w->k,
              w->a, &l, w->s, w->left, &l, w->right, &w->k, w->work, &w->lwork,
#if GE_COMPLEX
              w->rwork, &w->lrwork,
#endif
              w->iwork, &info, 1, 1, 1, 1, 1, 1);
    }
  return info;
}

static ge_svd_graded_page
graded_page (const page_work *w, const void *a)
{
  return (ge_svd_graded_page){ .m = w->m,
                               .n = w->n,
                               .of_u = w->of_u,
                               .of_v = w->of_v,
                               .vectors = w->vectors,
                               .a = a,
                               .u = w->u,
                               .vt = w->vt,
                               .s = w->mantissa,
                               .e = w->power };
}

/* Divide SPACE; the number of bytes.  */
static int64_t
lay_out_page (page_work *w, char *space)
{
  char *at = space;
  const int64_t m = w->m, n = w->n, k = w->k, l = m > n ? m : n;
  const int64_t columns = m > n ? w->of_u : w->of_v;
  w->a = ge_take (&at, m * n, sizeof *w->a);
  w->u = ge_take (&at, m * w->of_u, sizeof *w->u);
  w->vt = ge_take (&at, w->of_v * n, sizeof *w->vt);
  w->left = ge_take (&at, w->high ? l * columns : 0, sizeof *w->left);
  w->right = ge_take (&at, w->high ? k * k : 0, sizeof *w->right);
  w->x = ge_take (&at, 3 * l, sizeof *w->x);
  w->work = ge_take (&at, w->lwork, sizeof *w->work);
  w->s = ge_take (&at, k, sizeof *w->s);
  w->e = ge_take (&at, w->vectors ? 0 : 5 * k, sizeof *w->e);
  w->rwork = ge_take (&at, w->lrwork, sizeof *w->rwork);
  w->iwork = ge_take (&at, 8 * k + 4 * l + 8, sizeof *w->iwork);
  w->mantissa = ge_take (&at, w->high ? k : 0, sizeof *w->mantissa);
  w->power = ge_take (&at, w->high ? k : 0, sizeof *w->power);
  const ge_svd_graded_page page = graded_page (w, NULL);
  w->space = ge_take (&at, w->high ? FN (ge_svd_graded_bytes) (&page) : 0, 1);
  return at - space;
}

/* The workspace that LAPACK documents for the routines, with blocks of 64 columns.  */
static page_work
sizes_of (const ge_svd_problem *p)
{
  const gpueig_svd_problem *g = &p->svd;
  page_work w = { .m = (lapack_int) g->m,
                  .n = (lapack_int) g->n,
                  .k = (lapack_int) ge_svd_short (g),
                  .vectors = g->u != NULL,
                  .high = p->high };
  if (w.vectors)
    {
      w.of_u = g->full ? w.m : w.k;
      w.of_v = g->full ? w.n : w.k;
    }
  const int64_t k = w.k, l = ge_svd_long (g);
  const int64_t squares = ! w.vectors && ! w.high ? 0 : GE_COMPLEX ? 2 : 4;
  const int64_t lwork = squares * k * k + 66 * l + 72 * k + 71;
  int64_t lrwork = 0;
  if (GE_COMPLEX)
    lrwork = 7 * k + (w.vectors ? 5 * k * k + 2 * l * k : 0)
             + (w.high ? 4 * l + 2 * k * k : 0) + 7;
  w.lwork = lwork < INT32_MAX ? (lapack_int) lwork : INT32_MAX;
  w.lrwork = lrwork < INT32_MAX ? (lapack_int) lrwork : INT32_MAX;
  return w;
}

gpueig_status
FN (ge_svd_lapack_bytes) (gpueig_context *ctx, const ge_svd_problem *p,
                          int64_t *bytes)
{
  lapack_int size;
  GE_TRY (ge_lapack_int (ctx, ge_svd_long (&p->svd), &size));
  page_work w = sizes_of (p);
  *bytes = lay_out_page (&w, NULL);
  return GPUEIG_OK;
}

void
FN (ge_svd_scale) (int64_t m, int64_t n, const void *from, int exponent,
                   int transpose, void *to)
{
  const scalar_t *a = from;
  scalar_t *b = to;
  if (exponent == 0 && ! transpose)
    {
      memcpy (b, a, (size_t) (m * n) * sizeof *b);
      return;
    }
  const int half = -exponent / 2;
  const real_t p = GE_MATH (ldexp) (1, half),
               q = GE_MATH (ldexp) (1, -exponent - half);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < m; i++)
      {
        const scalar_t x = a[i + m * j];
        b[transpose ? j + n * i : i + m * j] = make_ (
            re_ (x) * p * q, transpose ? -im_ (x) * p * q : im_ (x) * p * q);
      }
}

/* As solve, for a GRADED page.  */
static lapack_int
by_exponents (const page_work *w, const scalar_t *a, int exponent)
{
  const ge_svd_graded_page page = graded_page (w, a);
  const lapack_int info = FN (ge_svd_graded) (&page, w->space);
  for (int64_t i = 0; i < w->k && info == 0; i++)
    w->s[i] = GE_MATH (ldexp) (w->mantissa[i], w->power[i] - exponent);
  return info;
}

static lapack_int
solve_by_lapack (const page_work *w, routine r, const scalar_t *a, int exponent)
{
  const int wide = w->m < w->n;
  if (r == GRADED)
    return by_exponents (w, a, exponent);
  FN (ge_svd_scale) (w->m, w->n, a, exponent, r == GEJSV && wide, w->a);
  lapack_int info = call_routine (w, r);
  if (info != 0 || r != GEJSV)
    return info;
    /* S is scaled by the quotient of two numbers.  */
#if GE_COMPLEX
  const real_t scale = w->rwork[0] / w->rwork[1];
#else
  const real_t scale = w->work[0] / w->work[1];
#endif
  for (int64_t i = 0; i < w->k; i++)
    w->s[i] *= scale;
  if (w->vectors && wide)
    {
      memcpy (w->u, w->right, (size_t) w->k * (size_t) w->k * sizeof *w->u);
      FN (ge_adjoint) (w->n, w->of_v, w->left, w->n, w->vt);
    }
  else if (w->vectors)
    {
      memcpy (w->u, w->left, (size_t) w->m * (size_t) w->of_u * sizeof *w->u);
      FN (ge_adjoint) (w->k, w->k, w->right, w->k, w->vt);
    }
  return 0;
}

/* --- verification --- */

real_t
FN (ge_svd_length) (int64_t n, const void *of)
{
  const real_t *x = of;
  real_t sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < n * (1 + GE_COMPLEX); i++)
    sum += x[i] * x[i];
  return sqrt_ (sum);
}

/* Y = BETA Y + ALPHA op (X) x, X ROWS-by-COLUMNS.  */
static void
multiply_vector (const char *op, lapack_int rows, lapack_int columns,
                 real_t alpha, const scalar_t *matrix, const scalar_t *x,
                 real_t beta, scalar_t *y)
{
  const scalar_t a = make_ (alpha, 0), b = make_ (beta, 0);
  const lapack_int one = 1, ld = rows > 0 ? rows : 1;
  gemv_ (op, &rows, &columns, &a, matrix, &ld, x, &one, &b, y, &one, 1);
}

void
FN (ge_svd_signs) (int64_t n, void *to)
{
  scalar_t *x = to;
  uint64_t h = 0x9E3779B97F4A7C15u;
  for (int64_t i = 0; i < n; i++)
    {
      h ^= h << 13;
      h ^= h >> 7;
      h ^= h << 17;
      x[i] = make_ (h >> 63 ? -1 : 1, 0);
    }
}

real_t
FN (ge_svd_deviation) (int64_t rows, int64_t columns, const void *of,
                       void *space)
{
  const scalar_t *q = of;
  const int wide = columns > rows;
  const int64_t n = wide ? rows : columns, l = wide ? columns : rows;
  scalar_t *x = space, *y = x + l, *z = y + l;
  FN (ge_svd_signs) (n, x);
  memcpy (z, x, (size_t) n * sizeof *z);
  multiply_vector (wide ? "C" : "N", (lapack_int) rows, (lapack_int) columns, 1,
                   q, x, 0, y);
  multiply_vector (wide ? "N" : "C", (lapack_int) rows, (lapack_int) columns, 1,
                   q, y, -1, z);
  return FN (ge_svd_length) (n, z);
}

/* Nonzero if S is in order and the errors are below ten times max (m, n) eps; A: the
   scaled page, of Frobenius norm NORM.  */
static int
is_good (const page_work *w, const scalar_t *a, real_t norm)
{
  const int64_t m = w->m, n = w->n, k = w->k, l = m > n ? m : n;
  const real_t unit = 10 * (real_t) l * GE_EPS;
  scalar_t *x = w->x, *y = x + l, *z = y + l;
  real_t sum = 0, squares = 0;
  for (int64_t i = 0; i < k; i++)
    {
      if (! (w->s[i] >= 0) || (i > 0 && ! (w->s[i] <= w->s[i - 1])))
        return 0;
      sum += w->s[i];
      squares += w->s[i] * w->s[i];
    }
  if (! (fabs_ (norm * norm - squares) <= 2 * unit * w->s[0] * sum))
    return 0;
  if (! w->vectors)
    return 1;
  FN (ge_svd_signs) (n, x);
  multiply_vector ("N", w->m, w->n, 1, a, x, 0, z);
  multiply_vector ("N", w->of_v, w->n, 1, w->vt, x, 0, y);
  for (int64_t i = 0; i < k; i++)
    y[i] *= w->s[i];
  multiply_vector ("N", w->m, w->k, -1, w->u, y, 1, z);
  return FN (ge_svd_length) (m, z) <= unit * w->s[0] * sqrt_ ((real_t) n)
         && FN (ge_svd_deviation) (m, w->of_u, w->u, x)
                <= unit * sqrt_ ((real_t) w->of_u)
         && FN (ge_svd_deviation) (w->of_v, n, w->vt, x)
                <= unit * sqrt_ ((real_t) w->of_v);
}

/* --- a page --- */

ge_svd_outcome
FN (ge_svd_lapack) (const ge_svd_problem *p, ge_svd_page page, void *space)
{
  static const routine usual[] = { GESDD, GESVD }, high[] = { GEJSV, GESDD },
                       graded[] = { GRADED, GESDD },
                       values_alone[] = { BIDIAGONAL, GESDD };
  const gpueig_svd_problem *g = &p->svd;
  const int64_t m = g->m, n = g->n;
  const int64_t first = g->first ? g->first - 1 : 0, values = ge_svd_values (g);
  page_work w = sizes_of (p);
  int exponent = 0, attempt = 0;
  lay_out_page (&w, space);
  const ge_svd_graded_page whole = graded_page (&w, page.a);
  const routine *list
      = p->high ? FN (ge_svd_is_graded) (&whole, w.space) ? graded : high
        : ge_svd_by_bidiagonal_form (p) ? values_alone
                                        : usual;
  real_t norm = FN (ge_svd_length) (m * n, page.a);
  if (! (norm > LEAST && norm < 1 / LEAST))
    (void) GE_MATH (frexp) (FN (ge_largest_part) (NULL, m * n, page.a),
                            &exponent);
  for (; attempt < 2; attempt++)
    {
      if (solve_by_lapack (&w, list[attempt], page.a, exponent) != 0)
        continue;
      if (exponent != 0)
        {
          FN (ge_svd_scale) (m, n, page.a, exponent, 0, w.a);
          norm = FN (ge_svd_length) (m * n, w.a);
        }
      if (is_good (&w, exponent != 0 ? w.a : page.a, norm))
        break;
    }
  if (attempt == 2)
    return GE_SVD_FAILED;
  real_t *s = page.s;
  scalar_t *u = page.u, *v = page.v;
  for (int64_t i = 0; i < values; i++)
    s[i] = list[attempt] == GRADED
               ? GE_MATH (ldexp) (w.mantissa[first + i], w.power[first + i])
               : GE_MATH (ldexp) (w.s[first + i], exponent);
  if (w.vectors)
    {
      memcpy (u, w.u + m * first,
              (size_t) (m * ge_svd_columns (g, m)) * sizeof *u);
      FN (ge_adjoint)
      (ge_svd_columns (g, n), n, w.vt + first, w.of_v, v);
    }
  return attempt ? GE_SVD_FELL_BACK : GE_SVD_DONE;
}
