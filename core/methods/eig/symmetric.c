/* gpueig_eig_symmetric, and on the CPU the choice of a solver and LAPACK's.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/verify_by_sampling.h"
#include "eig/symmetric.h"
#include "run/solvers.h"

#include <stdio.h>
#include <string.h>

/* --- public function --- */

/* A part of the spectrum of matrices without B: gpueig_mrrr's.  */
static gpueig_status
eig_part (gpueig_context *ctx, const gpueig_symmetric *s, ge_method method,
          const gpueig_options *options, gpueig_info *info)
{
  if (options->backend != GPUEIG_MPI && method != GE_AUTO
      && ! (ge_method_table[method].traits & GE_TAKES_RANGE))
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "method \"%s\" computes all eigenvalues; a part of "
                        "them needs \"auto\" or \"mrrr\"",
                        options->method);
  return gpueig_mrrr (ctx, s, options, info);
}

/* The first page that INDEFINITE marks becomes a failure.  */
static gpueig_status
report_indefinite (gpueig_context *ctx, int64_t pages, const int *indefinite)
{
  char page[40] = "";
  for (int64_t p = 0; p < pages; p++)
    if (indefinite[p])
      {
        if (pages > 1)
          snprintf (page, sizeof page, " of page %lld", (long long) p + 1);
        return gpueig_fail (ctx, GPUEIG_NOT_DEFINITE,
                            "B%s is not positive definite: its leading minor "
                            "of order %d is not",
                            page, indefinite[p]);
      }
  return GPUEIG_OK;
}

static gpueig_status
eig_pairs (gpueig_context *ctx, const gpueig_symmetric *problem,
           ge_method method, const gpueig_options *options, gpueig_info *info)
{
  gpueig_symmetric scaled = *problem, given = *problem;
  ge_pair_scaling scaling;
  int64_t found = ge_part_columns (problem);
  GE_TRY (ge_check_selection (ctx, problem));
  GE_TRY (ge_scale_pairs (ctx, &scaled, &scaling));
  scaled.found = problem->select == GPUEIG_SELECT_INTERVAL ? &found : NULL;
  if (! problem->indefinite)
    GE_TRY (GE_ALLOC (ctx, GE_HOST, problem->pages, &scaled.indefinite));
  GE_TRY (ge_run (ctx, GE_EIG_SYMMETRIC, method, &scaled, options, info));
  given.indefinite = scaled.indefinite;
  given.found = scaled.found;
  const gpueig_status status
      = ge_extreme_pairs (ctx, &given, &scaling, options, info);
  if (status != GPUEIG_NO_CONVERGENCE)
    GE_TRY (status);
  if (! problem->indefinite)
    GE_TRY (report_indefinite (ctx, problem->pages, scaled.indefinite));
  GE_TRY (ge_unscale_pairs (ctx, &scaled, found, &scaling));
  ge_report_found (problem, found);
  return status;
}

/* Where ge_run checks the method of matrices in host memory before their elements.  */
static gpueig_status
check_method_there (gpueig_context *ctx, const gpueig_symmetric *problem,
                    ge_method method)
{
  ge_shape shape;
  ge_describe_symmetric (problem, &shape);
  return problem->b ? GPUEIG_OK
                    : ge_check_method (ctx, GE_EIG_SYMMETRIC, method,
                                       GPUEIG_CUDA, &shape);
}

static gpueig_status
eig_symmetric (gpueig_context *ctx, const void *given,
               const gpueig_options *options, gpueig_info *info)
{
  const gpueig_symmetric *problem = given;
  ge_method method;
  GE_TRY (ge_check_options (ctx, GE_EIG_SYMMETRIC, options, &method));
  if (problem->select != GPUEIG_SELECT_ALL && ! problem->b)
    return eig_part (ctx, problem, method, options, info);
  if (problem->place == GPUEIG_DEVICE)
    GE_TRY (check_method_there (ctx, problem, method));
  GE_TRY (problem->b || problem->place == GPUEIG_DEVICE
              ? ge_check_symmetric (ctx, problem)
              : ge_check_symmetric_sizes (ctx, problem));
  if (problem->n == 0 || problem->pages == 0)
    return ge_report_found (problem, 0);
  if (problem->b && options->high_accuracy)
    {
      if (problem->select != GPUEIG_SELECT_ALL)
        return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                            "high accuracy is for all eigenvalues of a pair");
      return ge_high_pairs (ctx, problem, method, options, info);
    }
  if (problem->b)
    GE_TRY (eig_pairs (ctx, problem, method, options, info));
  else
    GE_TRY (ge_run (ctx, GE_EIG_SYMMETRIC, method, problem, options, info));
  return problem->select == GPUEIG_SELECT_ALL ? ge_sort_pages (ctx, problem)
                                              : GPUEIG_OK;
}

static int
on_host (const void *given, const gpueig_options *options)
{
  const gpueig_symmetric *problem = given;
  return problem->b && options->high_accuracy;
}

GE_PUBLIC (gpueig_eig_symmetric, gpueig_symmetric, &ge_layout_symmetric,
           eig_symmetric, GE_EIG_SYMMETRIC, on_host)

/* --- CPU backend: LAPACK --- */

gpueig_symmetric
ge_from_page (const gpueig_symmetric *s, int64_t p, int64_t pages)
{
  const size_t size = gpueig_scalar_size (s->type);
  const int64_t n = s->n, columns = ge_part_columns (s);
  gpueig_symmetric one = *s;
  one.pages = pages;
  one.a = ge_page (s->a, p, n * n, size);
  one.b = ge_page (s->b, p, n * n, size);
  one.guess = ge_page (s->guess, p, n * n, size);
  one.lambda = ge_page (s->lambda, p, columns, gpueig_real_size (s->type));
  one.v = ge_page (s->v, p, n * columns, size);
  return one;
}

typedef struct
{
  const gpueig_symmetric *problem;
  char *space;
  double *sample; /* scratch of the verification */
  int64_t bytes;  /* of workspace per thread */
  int sizes[3];
  unsigned char *left; /* pages that are not solved */
} syevd_work;

static int
syevd_page (void *data, int64_t p, int thread)
{
  syevd_work *w = data;
  const gpueig_symmetric s = ge_from_page (w->problem, p, 1);
  ge_sample sample;
  w->left[p] = 0
               != GE_BY_TYPE (s.type, ge_syevd,
                              (s.n, s.a, s.lambda, s.v,
                               w->space + thread * w->bytes, w->sizes));
  if (w->left[p])
    return 0;
  ge_sample_page (NULL, &s, w->sample + thread * GE_SAMPLE_VECTORS * s.n,
                  &sample);
  w->left[p] = ! ge_sample_passes (s.type, s.n, &sample);
  return 0;
}

/* "syevd" in stages, which can be interrupted: reduction, tridiagonal problem and
   back-transformation of core/methods/mrrr; what followed its method is INFO's fallback.  */
static gpueig_status
in_stages (gpueig_context *ctx, const gpueig_symmetric *s,
           const gpueig_options *options, gpueig_info *info)
{
  gpueig_info last;
  ge_info_begin (&last);
  GE_TRY (
      ge_run_part (ctx, GE_MRRR, GE_METHOD_MRRR_STEVD, 1, s, options, &last));
  ge_info_part (info, last.fallback);
  return GPUEIG_OK;
}

/* LAPACK's divide and conquer of small pages.  */
static gpueig_status
by_syevd (gpueig_context *ctx, const gpueig_symmetric *s)
{
  const int threads = ge_page_threads (s->n, s->pages);
  syevd_work work = { .problem = s };
  int failed;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &work.left));
  GE_TRY (GE_BY_TYPE (s->type, ge_syevd_size,
                      (ctx, s->n, s->v != NULL, &work.bytes, work.sizes)));
  GE_TRY (ge_alloc (ctx, GE_HOST, threads, (size_t) work.bytes,
                    (void **) &work.space));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, threads * GE_SAMPLE_VECTORS * s->n,
                    &work.sample));
  GE_TRY (
      ge_for_pages (ctx, s->n, s->pages, threads, syevd_page, &work, &failed));
  for (int64_t p = 0; p < s->pages; p++)
    if (work.left[p])
      s->indefinite[p] = GE_PAGE_FAILED;
  return GPUEIG_OK;
}

gpueig_status
ge_cpu_eig_symmetric (gpueig_context *ctx, const void *problem,
                      const ge_plan *plan, const gpueig_options *options,
                      gpueig_info *info)
{
  const gpueig_symmetric *s = problem;
  if (s->b)
    return ge_cpu_pairs (ctx, s, plan, options, info);
  const int part = s->select != GPUEIG_SELECT_ALL;
  ge_clear_failed (s);
  if (plan->method == GE_METHOD_EIG_ONESIDED && ! part)
    return ge_run_part (ctx, GE_ONESIDED_EIG, GE_METHOD_ONESIDED_SHIFTED, 0, s,
                        options, info);
  if (part || plan->method == GE_METHOD_EIG_MRRR)
    {
      const int named = plan->named && plan->method == GE_METHOD_EIG_MRRR;
      GE_TRY (ge_run_part (ctx, GE_MRRR, GE_METHOD_MRRR_MRRR, named, s, options,
                           info));
      /* The reduction is not that of the method "syevd".  */
      if (ge_ran (info, GE_METHOD_MRRR_STEVD))
        ge_info_method (info, "auto");
      return GPUEIG_OK;
    }
  ge_info_method (info, "syevd");
  if (ge_syevd_in_stages (s->n))
    GE_TRY (in_stages (ctx, s, options, info));
  else
    GE_TRY (by_syevd (ctx, s));
  ge_info_planned (info, plan, s->pages);
  return GPUEIG_OK;
}

static double
arrays (const ge_shape *shape, ge_method method, gpueig_backend backend)
{
  const int vectors = shape->outputs > 0;
  const double pair = shape->pair ? 2 : 0;
  if (backend == GPUEIG_CUDA && method == GE_METHOD_EIG_ONESIDED)
    return 3 + pair / 2;
  if (backend == GPUEIG_CUDA && vectors
      && (method == GE_METHOD_EIG_QL || method == GE_METHOD_EIG_DC))
    return ge_cuda_stack_arrays (shape->n) + pair / 2;
  if (backend == GPUEIG_CUDA && method == GE_METHOD_EIG_MRRR)
    return 2 + pair / 2
           + (! vectors                             ? 0
              : ge_reduces_in_two_stages (shape->n) ? 1.5
                                                    : 1);
  if (backend == GPUEIG_CUDA)
    return 1 + vectors + pair / 2;
  return method == GE_METHOD_EIG_MRRR    ? 1.25 + pair
         : method == GE_METHOD_EIG_SYEVD ? 1 + pair
                                         : pair;
}

static unsigned
takes (const ge_shape *shape, ge_method method)
{
  if (method == GE_METHOD_EIG_ONESIDED && ! shape->part)
    return GE_VALUES | (shape->pair ? GE_OVERWRITES : 0);
  return method == GE_METHOD_EIG_DC || method == GE_METHOD_EIG_QL
             ? GE_OVERWRITES | GE_VALUES
             : GE_OVERWRITES | GE_IN_PLACE;
}

/* By the plugin's library for several GPUs.  */
static gpueig_status
share_one (gpueig_context *ctx, const void *problem, const ge_plan *plan,
           const int *devices, int n, gpueig_info *info, int *taken)
{
  const gpueig_symmetric *s = problem;
  *taken = 0;
  if (! ctx->plugin->eig_on_devices || s->b
      || (plan->named && plan->method != GE_METHOD_EIG_SYEVD))
    return GPUEIG_OK;
  if (! s->symmetric && ! ge_is_symmetric (ctx, s->type, s->a, s->n, 1))
    return gpueig_fail (ctx, GPUEIG_NOT_SYMMETRIC,
                        "a matrix is not finite and symmetric");
  GE_TRY (ctx->plugin->eig_on_devices (ctx, s, devices, n, info, taken));
  return *taken ? ge_check_pairs (ctx, s, info->method) : GPUEIG_OK;
}

const ge_solver_entry ge_eig_symmetric_entry
    = { .id = GE_EIG_SYMMETRIC,
        .cpu = ge_cpu_eig_symmetric,
        .mpi = ge_mpi_eig_symmetric,
        .layout = &ge_layout_symmetric,
        .describe = ge_describe_symmetric,
        .arrays = arrays,
        .takes = takes,
        .left = ge_left_of_symmetric,
        /* MRRR resolves clusters that other methods do not.  */
        .next = { { GE_METHOD_EIG_MRRR,
                    GE_LEFT_UNCONVERGED | GE_LEFT_FAILED | GE_LEFT_PAGES },
                  /* Needs neither LAPACK nor BLAS.  */
                  { GE_METHOD_EIG_ONESIDED, GE_LEFT_FAILED | GE_LEFT_PAGES } },
        .equal_methods = 1,
        .next_of_pairs
        = { { GE_METHOD_EIG_SYEVD, GE_LEFT_ILL_CONDITIONED | GE_LEFT_PAGES },
            /* The way of pairs of any units.  */
            { GE_METHOD_EIG_ONESIDED, GE_LEFT_PAGES } },
        .unchecked = ge_unchecked_symmetric,
        .check_data = ge_check_symmetric_data,
        .share_one = share_one };
