/* gpueig_funm: pages that are Hermitian by their eigenvectors, exponentials and integer
   powers of the others by products, further functions by the Schur form.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "functions/scaled.h"
#include "functions/calc.h"
#include "plan/plan.h"
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

gpueig_status
ge_funm_need_imaginary (gpueig_context *ctx)
{
  return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                      "the result is complex: X_IM is needed");
}

void
ge_funm_take_info (gpueig_info *info, const gpueig_info *part)
{
  if (part->device >= 0 || info->device < 0)
    {
      memcpy (info->backend, part->backend, sizeof info->backend);
      info->device = part->device;
      info->n_devices = part->n_devices;
      memcpy (info->devices, part->devices, sizeof info->devices);
    }
  ge_info_part (info, part->fallback);
  info->device_lost |= part->device_lost;
  info->time_transfer += part->time_transfer;
  info->time_solve += part->time_solve;
}

void
ge_funm_note (const ge_page_set *s, int64_t page, int state, int roots,
              int has_im)
{
  const gpueig_funm_problem *p = s->p;
  if (p->state)
    p->state[page] = (unsigned char) state;
  if (p->rcond && p->kind == GPUEIG_MPOWER && state & GPUEIG_FUNM_SINGULAR)
    p->rcond[page] = 0;
  if (p->roots)
    p->roots[page] = roots;
  s->has_im[page] = has_im != 0;
}

/* --- pages in host memory --- */

/* Schur forms T and vectors U (NULL: the identity) of the pages of a set, contiguous; or
   neither, for pages that are upper triangular.  */
typedef struct
{
  ge_page_set *set;
  const void *t, *u;
  char *space; /* of all threads */
  int64_t bytes;
} page_pass;

static const void *
form_of (const page_pass *w, int64_t i)
{
  const ge_page_set *s = w->set;
  return w->t ? ge_funm_page (s, w->t, i)
              : ge_funm_page (s, s->p->a, s->list[i]);
}

static int
finish_form (void *data, int64_t i, int thread)
{
  const page_pass *w = data;
  const ge_page_set *s = w->set;
  const gpueig_funm_problem *p = s->p;
  const int64_t page = s->list[i];
  int is_complex = 0, roots = 0;
  const int state
      = GE_BY_TYPE (p->type, ge_funm_schur,
                    (p, ge_funm_page (s, p->a, page), form_of (w, i),
                     ge_funm_page (s, w->u, i), ge_funm_page (s, p->x, page),
                     ge_funm_page (s, p->x_im, page),
                     w->space + thread * w->bytes, &is_complex, &roots));
  ge_funm_note (s, page, state, roots, is_complex);
  return is_complex && ! p->x_im;
}

/* Compute a page by products; A: n-by-n of scratch.  */
static gpueig_status
calculate (const ge_page_set *s, int64_t page, ge_calc *c, void *a)
{
  const gpueig_funm_problem *p = s->p;
  const void *given = ge_funm_page (s, p->a, page);
  void *x = ge_funm_page (s, p->x, page);
  double rcond = 1;
  int state = 0;
  GE_TRY (c->ops->find_upper (c, given));
  if (p->kind == GPUEIG_EXPM)
    {
      GE_TRY (ge_calc_copy (c, given, a));
      GE_TRY (ge_calc_exponential (c, a, x, &state));
    }
  else
    GE_TRY (ge_calc_power (c, given, p->power, x, &rcond));
  if (p->rcond)
    p->rcond[page] = rcond;
  ge_funm_note (s, page, rcond == 0 ? GPUEIG_FUNM_SINGULAR : state, 0, 0);
  return GPUEIG_OK;
}

/* Page I of the set, with the scratch memory of THREAD.  */
static gpueig_status
calculate_in (const page_pass *w, int64_t i, int thread, int shared)
{
  const gpueig_funm_problem *p = w->set->p;
  char *at = w->space + thread * w->bytes;
  ge_calc c;
  void *a = ge_take (&at, p->n * p->n, gpueig_scalar_size (p->type));
  ge_calc_begin (&c, p->type, p->n, GE_CALC_BUFFERS, &at);
  c.ctx = w->set->place.ctx;
  c.shared = shared;
  return calculate (w->set, w->set->list[i], &c, a);
}

static int
calculate_page (void *data, int64_t i, int thread)
{
  return calculate_in (data, i, thread, 0) != GPUEIG_OK;
}

/* Call WORK for all pages of the set, with SPACE bytes for each thread.  */
static gpueig_status
run_pages (page_pass *w, ge_page_work *work, int64_t space)
{
  gpueig_context *ctx = w->set->place.ctx;
  const int64_t n = w->set->p->n;
  const int threads = ge_page_threads (n, w->set->count);
  /* A page of a part of a stack has the bits that it has in the whole stack.  */
  const int in_parallel
      = ge_page_threads (n, ge_stack_pages (ctx, w->set->count)) > 1;
  int worst = 0;
  w->bytes = (space + 63) / 64 * 64;
  GE_TRY (ge_alloc (ctx, GE_HOST, w->bytes * threads, 1, (void **) &w->space));
  for (int64_t i = 0; work == calculate_page && ! in_parallel; i++)
    {
      if (i == w->set->count)
        return GPUEIG_OK;
      GE_TRY (ge_check_interrupt (ctx));
      GE_TRY (calculate_in (w, i, 0, 1));
    }
  GE_TRY (ge_for_pages (ctx, n, w->set->count, threads, work, w, &worst));
  return worst == 0 ? GPUEIG_OK : ge_funm_need_imaginary (ctx);
}

/* --- pages in either memory --- */

/* Nonzero for integer powers, which are products also for Hermitian pages.  */
static int
is_power (const gpueig_funm_problem *p)
{
  return p->kind == GPUEIG_MPOWER && p->power == floor (p->power)
         && p->power_im == 0;
}

static int
is_by_products (const ge_page_set *s, int kind)
{
  const gpueig_funm_problem *p = s->p;
  return is_power (p)
         || (p->kind == GPUEIG_EXPM && kind != GE_SCALED_PAGE
             && (kind != GE_HERMITIAN_PAGE
                 || ge_expm_by_products (p->n, s->place.space == GE_DEVICE)));
}

/* Compute all pages of KIND by products.  */
static gpueig_status
by_products (ge_page_set *s, int kind)
{
  const gpueig_funm_problem *p = s->p;
  page_pass w = { .set = s };
  ge_calc c;
  void *a;
  if (s->place.space != GE_DEVICE)
    return run_pages (&w, calculate_page,
                      GE_CALC_BYTES (p->n, GE_CALC_BUFFERS + 1,
                                     gpueig_scalar_size (p->type)));
  if (is_power (p) && p->power > 0)
    return ge_powers_on_gpu (s);
  if (p->kind == GPUEIG_EXPM && kind != GE_UPPER_PAGE)
    return ge_exponentials_on_gpu (s, kind != GE_GENERAL_PAGE);
  GE_TRY (
      ge_calc_begin_on_gpu (&c, &s->place, p->type, p->n, 1, GE_CALC_BUFFERS));
  GE_TRY (ge_array_scratch (&s->place, p->type, p->n * p->n, &a));
  for (int64_t i = 0; i < s->count; i++)
    GE_TRY (calculate (s, s->list[i], &c, a));
  return GPUEIG_OK;
}

/* Compute X of the pages from Schur forms.  */
static gpueig_status
from_forms (page_pass *w)
{
  ge_page_set *s = w->set;
  if (s->place.space != GE_DEVICE)
    return run_pages (w, finish_form,
                      GE_FUNM_WORK (s->p->n)
                          * (int64_t) gpueig_scalar_size (s->p->type));
  for (int64_t i = 0; i < s->count; i++)
    {
      const int mark = ge_mark (s->place.ctx);
      GE_TRY (ge_funm_form_on_gpu (s, s->list[i], form_of (w, i),
                                   ge_funm_page (s, w->u, i)));
      ge_release (s->place.ctx, mark);
    }
  return GPUEIG_OK;
}

/* Pages that are Schur forms.  */
static gpueig_status
by_themselves (ge_page_set *s)
{
  page_pass w = { .set = s };
  return from_forms (&w);
}

static gpueig_status
by_schur_form (ge_page_set *s)
{
  const gpueig_funm_problem *p = s->p;
  gpueig_context *ctx = s->place.ctx;
  const int64_t count = s->count * p->n * p->n;
  gpueig_schur_problem problem = {
    .type = p->type, .n = p->n, .pages = s->count, .place = ge_funm_place (s)
  };
  gpueig_info part;
  GE_TRY (ge_funm_gather (s, &problem.a));
  GE_TRY (ge_array_scratch (&s->place, p->type, count, &problem.s));
  GE_TRY (ge_array_scratch (&s->place, p->type, count, &problem.u));
  GE_TRY (s->place.ops->wait (ctx));
  GE_TRY (gpueig_schur (ctx, &problem, s->options, &part));
  ge_funm_take_info (s->info, &part);
  page_pass w = { .set = s, .t = problem.s, .u = problem.u };
  return from_forms (&w);
}

/* --- the public function --- */

static gpueig_status
check_funm (gpueig_context *ctx, const gpueig_funm_problem *p)
{
  const gpueig_general general = { .type = p->type,
                                   .n = p->n,
                                   .pages = p->pages,
                                   .a = p->a,
                                   .lambda = p->x,
                                   .place = p->place };
  if ((int) p->kind < 0 || p->kind > GPUEIG_MPOWER)
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "unknown function %d",
                        (int) p->kind);
  if (p->kind == GPUEIG_MPOWER
      && ! (isfinite (p->power) && isfinite (p->power_im)))
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "the power must be finite, but is %g + %gi", p->power,
                        p->power_im);
  return ge_check_general (ctx, &general);
}

unsigned char
ge_funm_kind_of (const gpueig_funm_problem *p, int upper, int hermitian,
                 const double *rows, const double *columns,
                 const double *diagonal)
{
  double norm = 0;
  if (! hermitian)
    return ! upper && ge_funm_wants_scaling (p, rows, columns, diagonal)
               ? GE_SCALED_PAGE
           : upper ? GE_UPPER_PAGE
                   : GE_GENERAL_PAGE;
  for (int64_t i = 0; i < p->n; i++)
    norm = fmax (norm, columns[i]);
  return p->kind == GPUEIG_EXPM && norm < 1 ? GE_SMALL_PAGE : GE_HERMITIAN_PAGE;
}

/* SCALING: real Schur forms that are not triangular may have to be scaled, too.  */
static gpueig_status
find_kinds (ge_page_set *s, int scaling, unsigned char *kinds)
{
  const gpueig_funm_problem *p = s->p;
  gpueig_context *ctx = s->place.ctx;
  double *sums;
  memset (kinds, GE_GENERAL_PAGE, (size_t) p->pages);
  if (is_power (p))
    return GPUEIG_OK;
  if (s->place.space == GE_DEVICE)
    return ge_find_kinds_on_gpu (&s->place, p, kinds);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 3 * p->n, &sums));
  for (int64_t i = 0; i < p->pages; i++)
    {
      const void *a = ge_funm_page (s, p->a, i);
      const int upper = scaling || p->kind == GPUEIG_EXPM
                            ? GE_BY_TYPE (p->type, ge_is_upper, (p->n, a))
                            : GE_BY_TYPE (p->type, ge_is_schur_form, (p->n, a));
      if (! upper)
        GE_BY_TYPE (p->type, ge_funm_sums,
                    (p->n, a, sums, sums + p->n, sums + 2 * p->n));
      kinds[i] = ge_funm_kind_of (
          p, upper, ! upper && ge_is_symmetric (ctx, p->type, a, p->n, 1), sums,
          sums + p->n, sums + 2 * p->n);
    }
  return GPUEIG_OK;
}

/* Imaginary parts of pages without, where others have some; residuals.  */
static gpueig_status
finish_functions (ge_page_set *s)
{
  const gpueig_funm_problem *p = s->p;
  const gpueig_shape shape = ge_matrix_shape (p->type, p->n, p->n);
  const int any = memchr (s->has_im, 1, (size_t) p->pages) != NULL;
  for (int64_t i = 0; i < p->pages; i++)
    {
      if (any && ! s->has_im[i])
        GE_TRY (
            ge_array_clear (&s->place, &shape, ge_funm_page (s, p->x_im, i)));
      if (p->residual && p->kind == GPUEIG_SQRTM)
        GE_TRY (ge_funm_residual (
            s, i, s->has_im[i] ? ge_funm_page (s, p->x_im, i) : NULL,
            &p->residual[i]));
    }
  if (p->is_complex)
    *p->is_complex = any;
  return s->place.ops->wait (s->place.ctx);
}

static gpueig_status
solve_functions (ge_page_set *s, const unsigned char *kinds)
{
  const gpueig_funm_problem *p = s->p;
  gpueig_context *ctx = s->place.ctx;
  int64_t *list;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, p->pages, &list));
  s->list = list;
  for (int kind = GE_GENERAL_PAGE; kind <= GE_SCALED_PAGE; kind++)
    {
      s->count = 0;
      for (int64_t i = 0; i < p->pages; i++)
        if (kinds[i] == kind)
          list[s->count++] = i;
      if (s->count == 0)
        continue;
      const int mark = ge_mark (ctx);
      const int64_t before = ge_plan_for_stack (ctx, p->pages);
      const gpueig_status status
          = kind == GE_SCALED_PAGE      ? ge_funm_by_scaling (s)
            : is_by_products (s, kind)  ? by_products (s, kind)
            : kind == GE_HERMITIAN_PAGE ? ge_funm_by_eigenvectors (s)
            : kind == GE_UPPER_PAGE     ? by_themselves (s)
                                        : by_schur_form (s);
      ctx->stack_pages = before;
      GE_TRY (status);
      ge_release (ctx, mark);
    }
  return finish_functions (s);
}

static gpueig_status
on_gpu (ge_page_set *s, const unsigned char *kinds)
{
  gpueig_info *info = s->info;
  const double start = ge_now ();
  GE_TRY (solve_functions (s, kinds));
  snprintf (info->backend, sizeof info->backend, "cuda");
  info->device = info->devices[0] = s->place.device;
  info->n_devices = 1;
  info->time_solve = ge_now () - start;
  return GPUEIG_OK;
}

static int
funm_arguments (const void *problem, ge_argument argument[GE_ARGUMENTS])
{
  const gpueig_funm_problem *p = problem;
  const size_t size = gpueig_scalar_size (p->type);
  const int64_t count = ge_argument_count (p->n, p->n, p->pages);
  argument[0] = GE_OUT (p, x, count, size);
  argument[1] = GE_OUT (p, x_im, count, size);
  argument[2] = GE_IN (p, a, count, size);
  return 3;
}

static gpueig_status funm (gpueig_context *ctx, const void *problem,
                           const gpueig_options *options, gpueig_info *info);

static const ge_layout layout
    = GE_LAYOUT (gpueig_funm_problem, , funm_arguments);

/* How ge_call_placed solves the problem, and a problem of balanced pages.  */
static const ge_placed placed = { &layout, funm, GE_SOLVERS, NULL },
                       placed_balanced
                       = { &layout, ge_funm_balanced, GE_SOLVERS, NULL };

/* Solve P, which is not empty and was checked; SCALING: pages that need it are scaled
   first.  */
static gpueig_status
solve_checked (gpueig_context *ctx, const gpueig_funm_problem *p, int scaling,
               const gpueig_options *options, gpueig_info *info)
{
  ge_page_set s = { .p = p,
                    .options = options,
                    .info = info,
                    .place = ge_place_at (ctx, p->place) };
  unsigned char *kinds;
  int choice, done = 0;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, p->pages, &kinds));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, p->pages, &s.has_im));
  memset (s.has_im, 0, (size_t) p->pages);
  for (int64_t i = 0; i < p->pages; i++)
    {
      if (p->rcond)
        p->rcond[i] = 1;
      if (p->roots)
        p->roots[i] = 0;
    }
  GE_TRY (find_kinds (&s, scaling, kinds));
  for (int64_t i = 0; ! scaling && i < p->pages; i++)
    if (kinds[i] == GE_SCALED_PAGE)
      kinds[i] = GE_GENERAL_PAGE;
  const ge_shape shape = { .type = p->type,
                           .n = p->n,
                           .pages = p->pages,
                           .outputs = 1,
                           .on_device = p->place == GPUEIG_DEVICE };
  /* One page by products takes about as long as the Jacobi method with its products, on a
     GPU and on the CPU; all pages together take no longer on a GPU than copying them.  */
  const int general = memchr (kinds, GE_GENERAL_PAGE, (size_t) p->pages)
                      || memchr (kinds, GE_UPPER_PAGE, (size_t) p->pages)
                      || memchr (kinds, GE_SCALED_PAGE, (size_t) p->pages),
            products = is_power (p) || p->kind == GPUEIG_EXPM,
            at_once = shape.on_device && products
                      && (p->kind == GPUEIG_EXPM || p->power > 0);
  GE_TRY (ge_plan_place (ctx, options,
                         ! general || at_once        ? GE_EIG_SYMMETRIC
                         : products && p->pages == 1 ? GE_JACOBI_EIG
                                                     : GE_SCHUR,
                         &shape, &choice));
  if (choice != shape.on_device)
    GE_TRY (ge_solve_elsewhere (ctx, scaling ? &placed : &placed_balanced, p,
                                options, info, &done));
  return done              ? GPUEIG_OK
         : shape.on_device ? on_gpu (&s, kinds)
                           : solve_functions (&s, kinds);
}

gpueig_status
ge_funm_balanced (gpueig_context *ctx, const void *problem,
                  const gpueig_options *options, gpueig_info *info)
{
  return solve_checked (ctx, problem, 0, options, info);
}

static gpueig_status
funm (gpueig_context *ctx, const void *problem, const gpueig_options *options,
      gpueig_info *info)
{
  const gpueig_funm_problem *p = problem;
  GE_TRY (check_funm (ctx, p));
  if (p->is_complex)
    *p->is_complex = 0;
  ge_info_method (info, "auto");
  return p->n == 0 || p->pages == 0 ? GPUEIG_OK
                                    : solve_checked (ctx, p, 1, options, info);
}

gpueig_status
gpueig_funm (gpueig_context *ctx, const gpueig_funm_problem *problem,
             const gpueig_options *options, gpueig_info *info)
{
  return ge_call_placed (ctx, &placed, problem, options, info);
}
