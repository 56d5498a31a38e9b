/* Stacks with symmetric and general pages, for gpueig_eig_general and gpueig_complex_eig, and
   with definite and general pairs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The pages of each kind are collected in a stack of their own.  Methods are chosen by the
   number of all pages, so that a page has the same result whatever the kinds of the others.  */

#include "eig/general.h"
#include "run/solvers.h"

#include <string.h>

typedef struct
{
  const gpueig_general *g;
  const int64_t *list;    /* the symmetric pages, ascending, or NULL: all */
  const int *indefinite;  /* see gpueig_symmetric, or NULL */
  const char *lambda, *v; /* their results */
} mixed_pages;

/* The results of the K-th symmetric page, if there are any, to their place.  */
static void
place_page (void *data, int64_t k, int thread)
{
  const mixed_pages *m = data;
  const gpueig_general *g = m->g;
  const size_t size = gpueig_scalar_size (g->type),
               real = gpueig_real_size (g->type);
  const int64_t n = g->n, p = m->list ? m->list[k] : k;
  (void) thread;
  if (m->indefinite && m->indefinite[k])
    return;
  ge_to_complex (gpueig_is_double (g->type) ? GPUEIG_DOUBLE : GPUEIG_FLOAT, n,
                 ge_page (m->lambda, k, n, real),
                 ge_page (g->lambda, p, n, 2 * real));
  void *const out[2] = { g->v, g->w };
  for (int i = 0; i < 2; i++)
    if (out[i])
      ge_to_complex (g->type, n * n, ge_page (m->v, k, n * n, size),
                     ge_page (out[i], p, n * n, 2 * real));
}

/* Page K of DATA, of BYTES, becomes page LIST[K] >= K.  */
static void
spread (void *data, size_t bytes, const int64_t *list, int64_t count)
{
  char *x = data;
  for (int64_t k = count - 1; x && k >= 0 && list[k] > k; k--)
    memcpy (x + (size_t) list[k] * bytes, x + (size_t) k * bytes, bytes);
}

/* *LIST: the *COUNT pages of G that are symmetric or, with KIND 0, are not.  */
static gpueig_status
list_pages (gpueig_context *ctx, const gpueig_general *g, int kind,
            int64_t **list, int64_t *count)
{
  *count = 0;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, g->pages, list));
  for (int64_t p = 0; p < g->pages; p++)
    if ((g->symmetric[p] != 0) == kind)
      (*list)[(*count)++] = p;
  return GPUEIG_OK;
}

/* *SOME: A and B of the COUNT pages in LIST, or of all.  */
static gpueig_status
gather_inputs (gpueig_context *ctx, const gpueig_general *g,
               const int64_t *list, int64_t count, gpueig_general *some)
{
  gpueig_general inputs = *g;
  ge_problem all, gathered;
  inputs.lambda = inputs.v = inputs.w = NULL;
  ge_make_problem (ctx, &ge_layout_general, &inputs,
                   ge_spaces_of (&ge_layout_general, &inputs), &all);
  GE_TRY (ge_gather_pages (ctx, &all, list, count, all.spaces, &gathered));
  memcpy (some, gathered.data.bytes, sizeof *some);
  return GPUEIG_OK;
}

static gpueig_status
solve_general (gpueig_context *ctx, const gpueig_general *g,
               ge_general_call *solve, const gpueig_options *options,
               gpueig_info *info)
{
  gpueig_general some;
  const size_t pair = 2 * gpueig_real_size (g->type);
  const size_t column = (size_t) g->n * pair, square = (size_t) g->n * column;
  const int mark = ge_mark (ctx);
  int64_t *list, count;
  GE_TRY (list_pages (ctx, g, 0, &list, &count));
  GE_TRY (gather_inputs (ctx, g, list, count, &some));
  some.lambda = g->lambda;
  some.v = g->v;
  some.w = g->w;
  some.symmetric = NULL;
  const gpueig_status status = solve (ctx, &some, options, info);
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  spread (g->lambda, column, list, count);
  spread (g->v, square, list, count);
  spread (g->w, square, list, count);
  ge_release (ctx, mark);
  return status;
}

/* Solve the COUNT pages of LIST, which are symmetric; W is V.  Limits of sweeps are those of
   other methods.  INDEFINITE: of pairs, see gpueig_symmetric.  */
static gpueig_status
solve_symmetric (gpueig_context *ctx, const gpueig_general *g,
                 const int64_t *list, int64_t count, int *indefinite,
                 const gpueig_options *given, gpueig_info *info)
{
  gpueig_options options = *given;
  options.method = "auto";
  options.tol = 0;
  options.max_sweeps = 0;
  mixed_pages m = { .g = g, .list = list, .indefinite = indefinite };
  const int64_t n = g->n;
  const int mark = ge_mark (ctx);
  gpueig_general some;
  GE_TRY (gather_inputs (ctx, g, list, count, &some));
  gpueig_symmetric s = { .type = g->type,
                         .n = n,
                         .pages = count,
                         .a = some.a,
                         .b = some.b,
                         .indefinite = indefinite,
                         .symmetric = 1 };
  GE_TRY (ge_alloc (ctx, GE_HOST, n * count, gpueig_real_size (g->type),
                    &s.lambda));
  if (g->v || g->w)
    GE_TRY (ge_alloc (ctx, GE_HOST, n * n * count, gpueig_scalar_size (g->type),
                      &s.v));
  GE_TRY (gpueig_eig_symmetric (ctx, &s, &options, info));
  m.lambda = s.lambda;
  m.v = s.v;
  ge_share_pages (ctx, n * n, count, place_page, &m);
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* ONE is the info of the symmetric pages, INFO of the general ones.  */
static void
merge_info (const gpueig_info *one, gpueig_info *info)
{
  if (! info->fallback[0])
    ge_info_part (info, one->fallback);
  if (strcmp (info->backend, "cpu") == 0)
    {
      memcpy (info->backend, one->backend, sizeof info->backend);
      info->device = one->device;
      info->n_devices = one->n_devices;
      memcpy (info->devices, one->devices, sizeof info->devices);
    }
  info->time_transfer += one->time_transfer;
  info->time_solve += one->time_solve;
  info->device_lost |= one->device_lost;
}

static gpueig_status
solve_mixed (gpueig_context *ctx, const gpueig_general *g,
             ge_general_call *solve, int alone, const gpueig_options *options,
             gpueig_info *info)
{
  const gpueig_options cpu = { .backend = GPUEIG_CPU };
  gpueig_info one;
  int64_t *list, count;
  char message[sizeof ctx->message];
  GE_TRY (list_pages (ctx, g, 1, &list, &count));
  if (count == g->pages)
    return solve_symmetric (ctx, g, NULL, count, NULL, options, info);
  /* The general pages first: they are stored in the front before they are spread.  */
  const gpueig_status status = solve_general (ctx, g, solve, options, info);
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  memcpy (message, ctx->message, sizeof message);
  for (int64_t i = 0; i < count && alone; i++)
    {
      GE_TRY (ge_check_interrupt (ctx));
      GE_TRY (solve_symmetric (ctx, g, &list[i], 1, NULL, &cpu, &one));
    }
  if (! alone)
    {
      GE_TRY (solve_symmetric (ctx, g, list, count, NULL, options, &one));
      merge_info (&one, info);
    }
  return status == GPUEIG_OK ? status
                             : gpueig_fail (ctx, status, "%s", message);
}

gpueig_status
ge_eig_mixed (gpueig_context *ctx, const gpueig_general *g,
              ge_general_call *solve, int alone, const gpueig_options *options,
              gpueig_info *info)
{
  const int64_t before = ge_plan_for_stack (ctx, g->pages);
  const gpueig_status status
      = solve_mixed (ctx, g, solve, alone, options, info);
  ctx->stack_pages = before;
  return status;
}

static gpueig_status
solve_pairs (gpueig_context *ctx, const gpueig_general *g,
             const gpueig_options *options, gpueig_info *info)
{
  int64_t count = 0, rest = 0, k = 0, *list = NULL, *others;
  int *indefinite = NULL;
  if (g->symmetric)
    GE_TRY (list_pages (ctx, g, 1, &list, &count));
  if (count > 0)
    {
      GE_TRY (GE_ALLOC (ctx, GE_HOST, count, &indefinite));
      memset (indefinite, 0, (size_t) count * sizeof *indefinite);
      GE_TRY (solve_symmetric (ctx, g, count < g->pages ? list : NULL, count,
                               indefinite, options, info));
    }
  GE_TRY (GE_ALLOC (ctx, GE_HOST, g->pages, &others));
  for (int64_t p = 0; p < g->pages; p++)
    {
      const int marked = count > 0 && g->symmetric[p];
      if (! marked || indefinite[k])
        others[rest++] = p;
      k += marked;
    }
  if (rest == g->pages)
    ge_info_begin (info);
  if (rest == 0)
    return GPUEIG_OK;
  const double start = ge_now ();
  GE_TRY (ge_geev_pages (ctx, g, 0, others, rest, NULL));
  info->time_solve += ge_now () - start;
  ge_info_method (info, rest < g->pages ? "auto" : "qz");
  return GPUEIG_OK;
}

gpueig_status
ge_eig_pairs (gpueig_context *ctx, const gpueig_general *g,
              const gpueig_options *options, gpueig_info *info)
{
  const int64_t before = ge_plan_for_stack (ctx, g->pages);
  const gpueig_status status = solve_pairs (ctx, g, options, info);
  ctx->stack_pages = before;
  return status;
}
