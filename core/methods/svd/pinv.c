/* gpueig_pinv: gpueig_svd, and a product.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "run/run.h"
#include "svd/svd.h"

enum
{
  LARGE = 500 /* products of pages with a longer shorter side use all threads */
};

typedef struct
{
  gpueig_context *ctx; /* NULL: pages side by side */
  const gpueig_pinv_problem *p;
  gpueig_svd_problem svd;
} factors;

static int
multiply_page (void *data, int64_t i, int thread)
{
  const factors *f = data;
  const gpueig_pinv_problem *p = f->p;
  const int64_t k = ge_svd_short (&f->svd);
  const size_t size = gpueig_scalar_size (p->type);
  const ge_svd_page page
      = { .s = ge_page (f->svd.s, i, k, gpueig_real_size (p->type)),
          .u = ge_page (f->svd.u, i, p->m * k, size),
          .v = ge_page (f->svd.v, i, p->n * k, size) };
  (void) thread;
  return (int) GE_BY_TYPE (
      p->type, ge_pinv_page,
      (f->ctx, p, page, ge_page (p->x, i, p->m * p->n, size)));
}

static gpueig_status
multiply_factors (gpueig_context *ctx, factors *f)
{
  const int64_t k = ge_svd_short (&f->svd), pages = f->p->pages;
  const int threads = ge_page_threads (k, pages);
  int status = GPUEIG_OK;
  if (k < LARGE)
    return ge_for_pages (ctx, k, pages, threads, multiply_page, f, &status);
  f->ctx = ctx;
  for (int64_t i = 0; i < pages && status == GPUEIG_OK; i++)
    status = multiply_page (f, i, 0);
  return (gpueig_status) status;
}

static gpueig_status
pinv (gpueig_context *ctx, const void *problem, const gpueig_options *options,
      gpueig_info *info)
{
  const gpueig_pinv_problem *p = problem;
  factors f = {
    .p = p,
    .svd
    = { .type = p->type, .m = p->m, .n = p->n, .pages = p->pages, .a = p->a }
  };
  gpueig_svd_problem *g = &f.svd;
  if (! (p->tol >= 0))
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "the tolerance must not be negative, but is %g",
                        p->tol);
  if (p->m > 0 && p->n > 0 && p->pages > 0)
    {
      const int64_t k = ge_svd_short (g);
      const size_t size = gpueig_scalar_size (p->type);
      int64_t count;
      if (! p->x)
        return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "x is NULL");
      GE_TRY (ge_multiply (ctx, ge_svd_long (g), k, &count));
      GE_TRY (ge_multiply (ctx, count, p->pages, &count));
      GE_TRY (ge_alloc (ctx, GE_HOST, p->m * k * p->pages, size, &g->u));
      GE_TRY (ge_alloc (ctx, GE_HOST, p->n * k * p->pages, size, &g->v));
      GE_TRY (ge_alloc (ctx, GE_HOST, k * p->pages, gpueig_real_size (p->type),
                        &g->s));
    }
  GE_TRY (gpueig_svd (ctx, g, options, info));
  return g->u ? multiply_factors (ctx, &f) : GPUEIG_OK;
}

static int
pinv_arguments (const void *problem, ge_argument argument[GE_ARGUMENTS])
{
  const gpueig_pinv_problem *p = problem;
  const size_t size = gpueig_scalar_size (p->type);
  const int64_t count = ge_argument_count (p->m, p->n, p->pages);
  argument[0] = GE_OUT (p, x, count, size);
  argument[1] = GE_IN (p, a, count, size);
  return 2;
}

static const ge_layout layout
    = GE_LAYOUT (gpueig_pinv_problem, , pinv_arguments);

GE_PUBLIC (gpueig_pinv, gpueig_pinv_problem, &layout, pinv, GE_SVD,
           ge_always_on_host)
