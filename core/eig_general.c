/* The front door for general problems, gpueig_eig_general, and LAPACK's
   solver on the CPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "cpu.h"
#include "eig_general.h"

#include <omp.h>

/* Typed parts, eig_general_typed.c.  */
#define GEEV_PROTOTYPES(suffix)                                                \
  gpueig_status ge_geevx_size_##suffix (gpueig_context *, int64_t n, int left, \
                                        int right, int64_t *bytes,             \
                                        int *lwork);                           \
  int ge_geevx_##suffix (int64_t n, const void *a, int balance, void *lambda,  \
                         void *v, void *w, void *space, int lwork);
GEEV_PROTOTYPES (s)
GEEV_PROTOTYPES (d)
GEEV_PROTOTYPES (c)
GEEV_PROTOTYPES (z)

enum
{
  /* A GPU pays from this order on, for a single matrix.  */
  CUDA_PAYS = 1024,
  /* Below this order pages run side by side, above it LAPACK's own threads
     do more.  */
  SIDE_BY_SIDE = 300
};

static const char *const methods[] = { "auto", "geev", NULL };

static gpueig_status
eig_general (gpueig_context *ctx, const gpueig_general *problem,
             const gpueig_options *options, gpueig_info *info)
{
  GE_TRY (ge_check_options (ctx, options, methods));
  GE_TRY (ge_check_general (ctx, problem));
  if (problem->n == 0 || problem->pages == 0)
    {
      ge_info_method (info, "geev");
      return GPUEIG_OK;
    }
  return ge_run (ctx, GE_EIG_GENERAL, problem->n >= CUDA_PAYS, problem, options,
                 info);
}

gpueig_status
gpueig_eig_general (gpueig_context *ctx, const gpueig_general *problem,
                    const gpueig_options *options, gpueig_info *info)
{
  ge_call call;
  ge_begin (&call, ctx, options, info);
  return ge_end (&call, eig_general (ctx, problem, options, info));
}

/* --- LAPACK --- */

/* Start of page P of an array with COUNT elements of SIZE bytes a page.  */
static void *
page (const void *base, int64_t p, int64_t count, size_t size)
{
  return base ? (char *) base + (size_t) (p * count) * size : NULL;
}

static int
geev_page (const gpueig_general *g, int64_t p, void *space, int lwork)
{
  size_t size = gpueig_scalar_size (g->type);
  size_t pair = 2 * gpueig_real_size (g->type);
  int64_t n = g->n;
  return GE_BY_TYPE (g->type, ge_geevx,
                     (n, page (g->a, p, n * n, size), g->balance,
                      page (g->lambda, p, n, pair), page (g->v, p, n * n, pair),
                      page (g->w, p, n * n, pair), space, lwork));
}

gpueig_status
ge_geev_pages (gpueig_context *ctx, const gpueig_general *problem,
               const int64_t *list, int64_t count)
{
  int64_t bytes;
  int lwork, failed = 0;
  int mark = ge_mark (ctx);
  char *space;
  GE_TRY (GE_BY_TYPE (problem->type, ge_geevx_size,
                      (ctx, problem->n, problem->w != NULL, problem->v != NULL,
                       &bytes, &lwork)));
  int threads = problem->n < SIDE_BY_SIDE ? ge_threads () : 1;
  if (threads > count)
    threads = (int) count;
  GE_TRY (ge_alloc (ctx, GE_HOST, threads, (size_t) bytes, (void **) &space));
  int old = threads > 1 || problem->n < 64 ? ge_blas_threads (1) : 0;

  /* Between chunks the user may stop it.  */
  int64_t chunk = 1
                  + (int64_t) threads * 4000000
                        / (1 + problem->n * problem->n * problem->n);
  gpueig_status status = GPUEIG_OK;
  for (int64_t start = 0; start < count && ! status && ! failed; start += chunk)
    {
      int64_t stop = start + chunk < count ? start + chunk : count;
      status = ge_check_interrupt (ctx);
      if (status != GPUEIG_OK)
        break;
#pragma omp parallel for schedule(dynamic) num_threads(threads)                \
    reduction(max                                                              \
              : failed) if (threads > 1)
      for (int64_t i = start; i < stop; i++)
        {
          int info = geev_page (problem, list ? list[i] : i,
                                space + omp_get_thread_num () * bytes, lwork);
          failed = info > failed ? info : failed;
        }
    }
  if (old)
    ge_blas_threads (old);
  ge_release (ctx, mark);
  if (status == GPUEIG_OK && failed)
    return gpueig_fail (ctx, GPUEIG_NO_CONVERGENCE,
                        "LAPACK's QR iteration failed with info %d", failed);
  return status;
}

gpueig_status
ge_cpu_eig_general (gpueig_context *ctx, const void *problem,
                    const gpueig_options *options, gpueig_info *info)
{
  const gpueig_general *g = problem;
  (void) options;
  ge_info_method (info, "geev");
  return ge_geev_pages (ctx, g, NULL, g->pages);
}
