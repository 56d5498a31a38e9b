/* Products, factorizations and singular values on the CPU, by BLAS and LAPACK.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/products.h"
#include "array/cpu.h"
#include "base/checks.h"

#include <math.h>
#include <string.h>

/* --- products --- */

typedef struct
{
  const ge_product *p;
  int alone; /* one page that is no part of a stack */
  lapack_int m, n, k, lda, ldb;
} product_job;

static int
multiply_page (void *data, int64_t page, int thread)
{
  const product_job *j = data;
  const ge_product *p = j->p;
  const scalar_t one = make_ (1, 0), zero = make_ (0, 0);
  const scalar_t *a = (const scalar_t *) p->a + p->stride_a * page;
  const scalar_t *b = (const scalar_t *) p->b + p->stride_b * page;
  scalar_t *c = (scalar_t *) p->c + p->m * p->n * page;
  (void) thread;
  if (j->n == 1 && p->tb == 'N')
    {
      const lapack_int rows = p->ta == 'N' ? j->m : j->k,
                       columns = p->ta == 'N' ? j->k : j->m, unit = 1;
      gemv_ (&p->ta, &rows, &columns, &one, a, &j->lda, b, &unit, &zero, c,
             &unit, 1);
      return 0;
    }
  if (j->alone)
    gemm_ (&p->ta, &p->tb, &j->m, &j->n, &j->k, &one, a, &j->lda, b, &j->ldb,
           &zero, c, &j->m, 1, 1);
  else
    FN (ge_gemm)
  (&p->ta, &p->tb, j->m, j->n, j->k, 1, a, j->lda, b, j->ldb, 0, c, j->m);
  return 0;
}

gpueig_status
FN (ge_cpu_multiply) (gpueig_context *ctx, const ge_product *p)
{
  product_job j = { .p = p, .alone = ge_stack_pages (ctx, p->pages) == 1 };
  int worst;
  int64_t order = p->m > p->n ? p->m : p->n;
  order = p->k > order ? p->k : order;
  GE_TRY (ge_lapack_int (ctx, p->m, &j.m));
  GE_TRY (ge_lapack_int (ctx, p->n, &j.n));
  GE_TRY (ge_lapack_int (ctx, p->k, &j.k));
  j.lda = p->ta == 'N' ? j.m : j.k;
  j.ldb = p->tb == 'N' ? j.k : j.n;
  if (j.alone)
    {
      multiply_page (&j, 0, 0);
      return GPUEIG_OK;
    }
  return ge_for_pages (ctx, order, p->pages, ge_page_threads (order, p->pages),
                       multiply_page, &j, &worst);
}

/* --- factorizations --- */

/* Scratch memory of the size that a workspace query returned in OPTIMAL.  */
static gpueig_status
get_work (gpueig_context *ctx, scalar_t optimal, scalar_t **work,
          lapack_int *lwork)
{
  /* The size is returned as floating point: round up for single precision.  */
  GE_TRY (
      ge_lapack_int (ctx, (int64_t) (re_ (optimal) * (1 + GE_EPS)) + 1, lwork));
  return GE_ALLOC (ctx, GE_HOST, *lwork, work);
}

static gpueig_status
bad_argument (gpueig_context *ctx, lapack_int info)
{
  if (info >= 0)
    return GPUEIG_OK;
  return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                      "LAPACK refused its argument %d", (int) -info);
}

gpueig_status
FN (ge_cpu_factor) (gpueig_context *ctx, const ge_factors *f, int64_t *at)
{
  lapack_int m, n, info = 0, lwork = -1;
  scalar_t optimal, *work;
  const int mark = ge_mark (ctx);
  *at = 0;
  GE_TRY (ge_lapack_int (ctx, f->m, &m));
  GE_TRY (ge_lapack_int (ctx, f->n, &n));
  if (f->kind == GE_CHOLESKY)
    potrf_ ("U", &n, f->a, &m, &info, 1);
  else if (f->kind == GE_LU)
    getrf_ (&m, &n, f->a, &m, f->pivots, &info);
  else if (f->kind == GE_QR)
    {
      geqrf_ (&m, &n, f->a, &m, f->tau, &optimal, &lwork, &info);
      GE_TRY (get_work (ctx, optimal, &work, &lwork));
      geqrf_ (&m, &n, f->a, &m, f->tau, work, &lwork, &info);
    }
  ge_release (ctx, mark);
  *at = info > 0 ? info : 0;
  return bad_argument (ctx, info);
}

static gpueig_status
apply_q (gpueig_context *ctx, const ge_factors *f, char trans, lapack_int m,
         lapack_int n, lapack_int count, scalar_t *b)
{
  const char *op = trans == 'N' ? "N" : LAPACK ("T", "T", "C", "C");
  lapack_int info = 0, lwork = -1;
  scalar_t optimal, *work;
  unmqr_ ("L", op, &m, &count, &n, f->a, &m, f->tau, b, &m, &optimal, &lwork,
          &info, 1, 1);
  GE_TRY (get_work (ctx, optimal, &work, &lwork));
  unmqr_ ("L", op, &m, &count, &n, f->a, &m, f->tau, b, &m, work, &lwork, &info,
          1, 1);
  return bad_argument (ctx, info);
}

gpueig_status
FN (ge_cpu_solve) (gpueig_context *ctx, const ge_factors *f, char trans,
                   int64_t columns, void *b)
{
  lapack_int m, n, count, info = 0;
  const scalar_t one = make_ (1, 0);
  const int mark = ge_mark (ctx);
  gpueig_status status = GPUEIG_OK;
  GE_TRY (ge_lapack_int (ctx, f->m, &m));
  GE_TRY (ge_lapack_int (ctx, f->n, &n));
  GE_TRY (ge_lapack_int (ctx, columns, &count));
  switch (f->kind)
    {
    case GE_CHOLESKY:
      potrs_ ("U", &n, &count, f->a, &m, b, &m, &info, 1);
      break;
    case GE_LU:
      getrs_ (&trans, &n, &count, f->a, &m, f->pivots, b, &m, &info, 1);
      break;
    case GE_UPPER:
    case GE_LOWER:
      trsm_ ("L", f->kind == GE_UPPER ? "U" : "L", &trans, "N", &n, &count,
             &one, f->a, &m, b, &m, 1, 1, 1, 1);
      break;
    case GE_QR:
      status = apply_q (ctx, f, trans, m, n, count, b);
      break;
    }
  ge_release (ctx, mark);
  return status == GPUEIG_OK ? bad_argument (ctx, info) : status;
}

/* --- singular values --- */

/* Nonzero if the K values S descend, and their squares have the sum of those of the COUNT
   elements of A.  */
static int
are_values (gpueig_context *ctx, int64_t count, const scalar_t *a, int64_t k,
            const real_t *s)
{
  const int exponent = FN (ge_largest_exponent) (ctx, count, a);
  /* Two factors, neither of which under- or overflows.  */
  const double first = ldexp (1, -exponent / 2),
               second = ldexp (1, -exponent + exponent / 2);
  const double limit = (20 * (double) (count / k) + 60) * (double) GE_EPS;
  double of_a = 0, of_s = 0;
  int descending = 1;
  for (int64_t i = 0; i < count; i++)
    {
      const double re = (double) re_ (a[i]) * first * second;
      const double im = (double) im_ (a[i]) * first * second;
      of_a += re * re + im * im;
    }
  for (int64_t i = 0; i < k; i++)
    {
      const double x = (double) s[i] * first * second;
      of_s += x * x;
      descending &= i == 0 || s[i] <= s[i - 1];
    }
  const double norm = sqrt (of_a);
  /* Values may be multiples of the smallest number, or beyond the largest one.  */
  const double least
      = ldexp ((double) k, (GE_DOUBLE ? -1073 : -148) - exponent);
  if (isinf (s[0]))
    return norm > ldexp ((double) GE_REAL_MAX, -exponent);
  return descending && fabs (of_a - of_s) <= limit * of_a + least * norm;
}

typedef struct
{
  lapack_int m, n, lwork;
  scalar_t *a, *u, *vt, *work;
  real_t *s, *rwork;
  lapack_int *iwork;
  const char *job;
} svd_call;

/* By divide and conquer, or by QR iteration; LAPACK's info.  */
static lapack_int
call_svd (const svd_call *c, int by_qr)
{
  lapack_int info = 0;
#if GE_COMPLEX
#  define REAL_WORK c->rwork,
#else
#  define REAL_WORK
#endif
  if (by_qr)
    gesvd_ (c->job, c->job, &c->m, &c->n, c->a, &c->m, c->s, c->u, &c->m, c->vt,
            &c->n, c->work, &c->lwork, REAL_WORK & info, 1, 1);
  else
    gesdd_ (c->job, &c->m, &c->n, c->a, &c->m, c->s, c->u, &c->m, c->vt, &c->n,
            c->work, &c->lwork, REAL_WORK c->iwork, &info, 1);
  return info;
}

gpueig_status
FN (ge_cpu_svd) (gpueig_context *ctx, int64_t rows, int64_t columns, void *a,
                 void *s, void *u, void *vt)
{
  const int64_t count = rows * columns;
  scalar_t dummy = make_ (0, 0), optimal = dummy, *copy;
  svd_call c = { .a = a,
                 .s = s,
                 .u = u ? u : &dummy,
                 .vt = vt ? vt : &dummy,
                 .job = u ? "S" : "N" };
  int good = 0;
  GE_TRY (ge_lapack_int (ctx, rows, &c.m));
  GE_TRY (ge_lapack_int (ctx, columns, &c.n));
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, count, &copy));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 8 * columns, &c.iwork));
  if (GE_COMPLEX)
    GE_TRY (GE_ALLOC (ctx, GE_HOST,
                      5 * columns * columns + 7 * columns + 2 * count,
                      &c.rwork));
  memcpy (copy, a, (size_t) count * sizeof *copy);
  for (int by_qr = 0; by_qr < 2 && ! good; by_qr++)
    {
      const int frame = ge_mark (ctx);
      if (by_qr)
        memcpy (a, copy, (size_t) count * sizeof *copy);
      c.work = &optimal;
      c.lwork = -1;
      GE_TRY (bad_argument (ctx, call_svd (&c, by_qr)));
      GE_TRY (get_work (ctx, optimal, &c.work, &c.lwork));
      const lapack_int info = call_svd (&c, by_qr);
      GE_TRY (bad_argument (ctx, info));
      good = info == 0 && are_values (ctx, count, copy, columns, s);
      ge_release (ctx, frame);
    }
  ge_release (ctx, mark);
  return good ? GPUEIG_OK
              : gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                             "LAPACK's singular values are wrong, or do not "
                             "converge");
}
