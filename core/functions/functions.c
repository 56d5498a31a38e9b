/* gpueig_funm: pages that are Hermitian by their eigenvectors, exponentials and integer
   powers of the others by products, further functions by the Schur form.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "functions/calc.h"
#include "run/plan.h"
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
  if (part->fallback[0])
    memcpy (info->fallback, part->fallback, sizeof info->fallback);
  info->device_lost |= part->device_lost;
  info->time_transfer += part->time_transfer;
  info->time_solve += part->time_solve;
}

/* --- general pages in host memory --- */

/* Schur forms T and vectors U (NULL: the identity) of the pages of a set, contiguous.  */
typedef struct
{
  ge_page_set *set;
  const void *t, *u;
  char *space; /* of all threads */
  int64_t bytes;
} host_pages;

static int
finish_form (void *data, int64_t i, int thread)
{
  const host_pages *w = data;
  const ge_page_set *s = w->set;
  const gpueig_funm_problem *p = s->p;
  const int64_t page = s->list[i];
  int is_complex = 0, roots = 0;
  const int state = GE_BY_TYPE (
      p->type, ge_funm_schur,
      (p, ge_funm_page (s, w->t, i), ge_funm_page (s, w->u, i),
       ge_funm_page (s, p->x, page), ge_funm_page (s, p->x_im, page),
       w->space + thread * w->bytes, &is_complex, &roots));
  if (p->state)
    p->state[page] = (unsigned char) state;
  if (p->roots)
    p->roots[page] = roots;
  s->has_im[page] = is_complex != 0;
  return is_complex && ! p->x_im;
}

/* Page I of the set by products, with the scratch memory of THREAD.  */
static gpueig_status
calculate (const host_pages *w, int64_t i, int thread, int shared)
{
  const ge_page_set *s = w->set;
  const gpueig_funm_problem *p = s->p;
  const int64_t page = s->list[i], square = p->n * p->n;
  const size_t size = gpueig_scalar_size (p->type);
  char *at = w->space + thread * w->bytes;
  void *a = ge_take (&at, square, size), *x = ge_funm_page (s, p->x, page);
  const void *given = ge_funm_page (s, p->a, page);
  double rcond = 1;
  ge_calc c;
  ge_calc_begin (&c, p->type, p->n, GE_CALC_BUFFERS, &at);
  c.ctx = s->place.ctx;
  c.shared = shared;
  if (p->kind == GPUEIG_EXPM)
    {
      memcpy (a, given, (size_t) square * size);
      c.is_upper = GE_BY_TYPE (p->type, ge_is_upper, (p->n, a));
      if (c.is_upper == GE_DIAGONAL)
        {
          memcpy (x, a, (size_t) square * size);
          GE_TRY (ge_calc_set_exactly (&c, p->kind, 0, a, 1, x));
        }
      else
        GE_TRY (ge_calc_exponential (&c, a, x));
    }
  else
    GE_TRY (ge_calc_power (&c, given, p->power, x, &rcond));
  ge_funm_note_rcond (p, page, rcond);
  return GPUEIG_OK;
}

static int
calculate_page (void *data, int64_t i, int thread)
{
  return calculate (data, i, thread, 0) != GPUEIG_OK;
}

/* Call WORK for all pages of the set, with SPACE scalars for each thread.  */
static gpueig_status
run_pages (host_pages *w, ge_page_work *work, int64_t space)
{
  gpueig_context *ctx = w->set->place.ctx;
  const int64_t n = w->set->p->n;
  const int threads = ge_page_threads (n, w->set->count);
  int worst = 0;
  w->bytes = (space + 63) / 64 * 64;
  GE_TRY (ge_alloc (ctx, GE_HOST, w->bytes * threads, 1, (void **) &w->space));
  for (int64_t i = 0; work == calculate_page && threads == 1; i++)
    {
      if (i == w->set->count)
        return GPUEIG_OK;
      GE_TRY (ge_check_interrupt (ctx));
      GE_TRY (calculate (w, i, 0, 1));
    }
  GE_TRY (ge_for_pages (ctx, n, w->set->count, threads, work, w, &worst));
  return worst == 0 ? GPUEIG_OK : ge_funm_need_imaginary (ctx);
}

/* --- general pages in either memory --- */

void
ge_funm_note_rcond (const gpueig_funm_problem *p, int64_t page, double rcond)
{
  if (p->rcond)
    p->rcond[page] = rcond;
  if (p->state)
    p->state[page] = rcond == 0 ? GPUEIG_FUNM_SINGULAR : 0;
}

static gpueig_status
by_products (ge_page_set *s)
{
  host_pages w = { .set = s };
  return s->place.space == GE_DEVICE
             ? ge_funm_products_on_gpu (s)
             : run_pages (&w, calculate_page,
                          GE_CALC_BYTES (s->p->n, GE_CALC_BUFFERS + 1,
                                         gpueig_scalar_size (s->p->type)));
}

/* The logarithm of a diagonal page, the elements', with which nothing is wrong: of zero it is
   -Inf, and not that of the smallest number.  */
static gpueig_status
set_diagonal_logarithm (ge_page_set *s, int64_t page)
{
  const gpueig_funm_problem *p = s->p;
  gpueig_context *ctx = s->place.ctx;
  const int64_t n = p->n;
  const int mark = ge_mark (ctx);
  void *a = ge_funm_page (s, p->a, page), *x = ge_funm_page (s, p->x, page),
       *there;
  int is = 0, zeros = 0;
  ge_point *z, *f, *raw;
  GE_TRY (ge_array_is_banded (&s->place, p->type, n, a, 0, 0, &is));
  if (! is)
    return GPUEIG_OK;
  if (p->state)
    p->state[page] = 0;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 3 * n, &z));
  GE_TRY (ge_array_scratch (&s->place, p->type, n, &there));
  f = z + n;
  raw = f + n;
  GE_TRY (ge_move_line (&s->place, p->type, n, a, 0, z, 0, raw, there));
  GE_TRY (ge_move_line (&s->place, p->type, n, x, 0, f, 0, raw, there));
  for (int64_t i = 0; i < n; i++)
    if (z[i] == 0)
      {
        f[i] = -INFINITY;
        zeros = 1;
      }
  if (zeros)
    GE_TRY (ge_move_line (&s->place, p->type, n, x, 0, f, 1, raw, there));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* X of the pages from their Schur forms W->t, W->u.  */
static gpueig_status
from_schur_forms (ge_page_set *s, host_pages *w)
{
  const int64_t n = s->p->n;
  if (s->place.space != GE_DEVICE)
    return run_pages (w, finish_form,
                      GE_FUNM_WORK (n)
                          * (int64_t) gpueig_scalar_size (s->p->type));
  for (int64_t i = 0; i < s->count; i++)
    {
      const int mark = ge_mark (s->place.ctx);
      GE_TRY (ge_funm_form_on_gpu (s, s->list[i], ge_funm_page (s, w->t, i),
                                   ge_funm_page (s, w->u, i)));
      ge_release (s->place.ctx, mark);
    }
  return GPUEIG_OK;
}

static gpueig_status
by_schur_form (ge_page_set *s)
{
  const gpueig_funm_problem *p = s->p;
  gpueig_context *ctx = s->place.ctx;
  const int64_t n = p->n, count = s->count * n * n;
  gpueig_schur_problem problem = {
    .type = p->type, .n = n, .pages = s->count, .place = ge_funm_place (s)
  };
  gpueig_info part;
  int upper = 1;
  GE_TRY (ge_funm_gather (s, &problem.a));
  for (int64_t i = 0; i < s->count && upper; i++)
    GE_TRY (ge_array_is_banded (&s->place, p->type, n,
                                ge_funm_page (s, problem.a, i), 0, n, &upper));
  if (! upper)
    {
      GE_TRY (ge_array_scratch (&s->place, p->type, count, &problem.s));
      GE_TRY (ge_array_scratch (&s->place, p->type, count, &problem.u));
      GE_TRY (s->place.ops->wait (ctx));
      GE_TRY (gpueig_schur (ctx, &problem, s->options, &part));
      ge_funm_take_info (s->info, &part);
    }
  host_pages w
      = { .set = s, .t = upper ? problem.a : problem.s, .u = problem.u };
  GE_TRY (from_schur_forms (s, &w));
  for (int64_t i = 0; i < s->count && p->kind == GPUEIG_LOGM; i++)
    GE_TRY (set_diagonal_logarithm (s, s->list[i]));
  return GPUEIG_OK;
}

/* --- the public function --- */

static gpueig_status
check (gpueig_context *ctx, const gpueig_funm_problem *p)
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
  if (p->power_im != 0 && ! gpueig_is_complex (p->type))
    return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                        "a complex power of a real array");
  return ge_check_general (ctx, &general);
}

gpueig_status
ge_funm_choose (gpueig_context *ctx, const gpueig_options *options,
                ge_solver_id solver, const ge_shape *shape, int *on_gpu)
{
  ge_shape there = *shape;
  ge_plan plan = { .backend = options->backend }, cpu;
  there.on_device = ctx->on_device;
  *on_gpu = 0;
  if (options->backend == GPUEIG_CUDA)
    GE_TRY (ge_need_gpu (ctx));
  /* What follows Schur forms is computed page by page on a GPU.  */
  if (solver == GE_SCHUR)
    there.pages = 1;
  for (int again = 1; again && options->backend == GPUEIG_AUTO;)
    {
      ge_plan_call (ctx, options, solver, GE_AUTO, GPUEIG_AUTO, &there, &plan);
      /* The GPU's properties count once the plugin is there.  */
      again
          = plan.backend == GPUEIG_CUDA && ! ctx->plugin && ! ctx->plugin_tried;
      if (again)
        ge_load_plugin (ctx);
    }
  if (plan.backend == GPUEIG_CUDA && options->backend == GPUEIG_AUTO
      && there.pages < shape->pages)
    {
      ge_plan_call (ctx, options, solver, GE_AUTO, GPUEIG_CPU, shape, &cpu);
      if (cpu.seconds < plan.seconds * (double) shape->pages)
        return GPUEIG_OK;
    }
  *on_gpu = plan.backend == GPUEIG_CUDA && ctx->plugin && ctx->plugin->arrays
            && ctx->plugin->memory;
  return GPUEIG_OK;
}

/* Nonzero for integer powers, of Hermitian pages too by products.  */
static int
is_power (const gpueig_funm_problem *p)
{
  return p->kind == GPUEIG_MPOWER && p->power == floor (p->power)
         && p->power_im == 0;
}

/* Find the pages to be solved by eigenvectors.  A diagonal matrix is computed as any
   triangular one: exactly.  */
static gpueig_status
find_hermitian (gpueig_context *ctx, const gpueig_funm_problem *p,
                unsigned char *hermitian)
{
  memset (hermitian, 0, (size_t) p->pages);
  if (is_power (p))
    return GPUEIG_OK;
  if (ctx->on_device)
    return ge_find_hermitian_on_gpu (ctx, p, hermitian);
  for (int64_t i = 0; i < p->pages; i++)
    {
      const void *a
          = ge_page (p->a, i, p->n * p->n, gpueig_scalar_size (p->type));
      hermitian[i] = ge_is_symmetric (ctx, p->type, a, p->n, 1)
                     && ! GE_BY_TYPE (p->type, ge_is_upper, (p->n, a));
    }
  return GPUEIG_OK;
}

/* Imaginary parts of pages without, where others have some; residuals.  */
static gpueig_status
finish (ge_page_set *s)
{
  const gpueig_funm_problem *p = s->p;
  const gpueig_shape shape
      = { .type = p->type, .n_dims = 2, .dims = { p->n, p->n } };
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

/* HERMITIAN: the pages that are solved by their eigenvectors.  */
static gpueig_status
solve (ge_page_set *s, const unsigned char *hermitian)
{
  const gpueig_funm_problem *p = s->p;
  gpueig_context *ctx = s->place.ctx;
  int64_t *list;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, p->pages, &list));
  s->list = list;
  for (int which = 1; which >= 0; which--)
    {
      s->count = 0;
      for (int64_t i = 0; i < p->pages; i++)
        if (hermitian[i] == which)
          list[s->count++] = i;
      const int mark = ge_mark (ctx);
      if (s->count > 0)
        GE_TRY ((which ? ge_funm_by_eigenvectors
                 : is_power (p) || p->kind == GPUEIG_EXPM ? by_products
                                                          : by_schur_form) (s));
      ge_release (ctx, mark);
    }
  return finish (s);
}

static gpueig_status
on_gpu (ge_page_set *s, const unsigned char *hermitian)
{
  gpueig_info *info = s->info;
  const double start = ge_now ();
  const gpueig_status status = solve (s, hermitian);
  snprintf (info->backend, sizeof info->backend, "cuda");
  info->device = info->devices[0] = s->place.device;
  info->n_devices = 1;
  info->time_solve = ge_now () - start;
  return status == GPUEIG_OUT_OF_MEMORY && s->options->backend == GPUEIG_AUTO
             ? ge_need_host (s->place.ctx)
             : status;
}

static int
parts (const void *problem, ge_part part[GE_PARTS])
{
  const gpueig_funm_problem *p = problem;
  const size_t size = gpueig_scalar_size (p->type);
  const int64_t count = ge_part_count (p->n, p->n, p->pages);
  part[0] = (ge_part){ offsetof (gpueig_funm_problem, x), count, size,
                       GE_PART_OUTPUT, 0 };
  part[1] = (ge_part){ offsetof (gpueig_funm_problem, x_im), count, size,
                       GE_PART_OUTPUT, 0 };
  part[2] = (ge_part){ offsetof (gpueig_funm_problem, a), count, size,
                       GE_PART_INPUT, 0 };
  return 3;
}

static gpueig_status funm (gpueig_context *ctx, const void *problem,
                           const gpueig_options *options, gpueig_info *info);

static const ge_placed placed
    = { sizeof (gpueig_funm_problem), offsetof (gpueig_funm_problem, place),
        parts, funm };

static gpueig_status
funm (gpueig_context *ctx, const void *problem, const gpueig_options *options,
      gpueig_info *info)
{
  const gpueig_funm_problem *p = problem;
  ge_page_set s = {
    .p = p, .options = options, .info = info, .place = ge_place_of_call (ctx)
  };
  unsigned char *is;
  int choice, done = 0;
  GE_TRY (check (ctx, p));
  if (p->is_complex)
    *p->is_complex = 0;
  ge_info_method (info, "auto");
  if (p->n == 0 || p->pages == 0)
    return GPUEIG_OK;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, p->pages, &is));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, p->pages, &s.has_im));
  memset (s.has_im, 0, (size_t) p->pages);
  for (int64_t i = 0; i < p->pages; i++)
    {
      if (p->rcond)
        p->rcond[i] = 1;
      if (p->roots)
        p->roots[i] = 0;
    }
  GE_TRY (find_hermitian (ctx, p, is));
  const ge_shape shape = {
    .type = p->type, .n = p->n, .pages = p->pages, .outputs = 1, .columns = p->n
  };
  /* Powers of all pages at once take no longer there than their copies.  */
  const int needs_form = memchr (is, 0, (size_t) p->pages)
                         && ! (ctx->on_device && is_power (p) && p->power > 0);
  GE_TRY (ge_funm_choose (
      ctx, options, needs_form ? GE_SCHUR : GE_EIG_SYMMETRIC, &shape, &choice));
  if (ctx->on_device)
    return choice ? on_gpu (&s, is) : ge_need_host (ctx);
  if (choice)
    GE_TRY (ge_solve_on_gpu (ctx, &placed, p, options, info, &done));
  return done ? GPUEIG_OK : solve (&s, is);
}

gpueig_status
gpueig_funm (gpueig_context *ctx, const gpueig_funm_problem *problem,
             const gpueig_options *options, gpueig_info *info)
{
  return ge_call_placed (ctx, &placed, problem, options, info);
}
