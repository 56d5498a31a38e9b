/* gpueig_funm: pages that are Hermitian by their eigenvectors, exponentials and integer
   powers of the others by products, further functions by the Schur form.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "functions/calc.h"
#include "run/plan.h"
#include "run/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Pages LIST[0 .. COUNT - 1] of the problem, ascending, and what is known of them, contiguous:
   eigenvalues and vectors, or Schur forms and vectors.  */
typedef struct
{
  gpueig_context *ctx;
  const gpueig_funm_problem *p;
  const int64_t *list;
  int64_t count;
  const void *values, *vectors, *form;
  unsigned char *complex; /* pages of the problem with an imaginary part */
  char *space;            /* of all threads */
  int64_t bytes;
} page_set;

static size_t
size_of (const page_set *s)
{
  return gpueig_scalar_size (s->p->type);
}

static int
do_page (void *data, int64_t i, int thread)
{
  page_set *s = data;
  const gpueig_funm_problem *p = s->p;
  const int64_t page = s->list[i], square = p->n * p->n;
  const size_t size = size_of (s);
  int is_complex = 0, roots = 0, state;
  void *work = s->space + thread * s->bytes,
       *x = ge_page (p->x, page, square, size),
       *x_im = ge_page (p->x_im, page, square, size);
  if (s->values)
    state = GE_BY_TYPE (
        p->type, ge_funm_hermitian,
        (p, ge_page (s->values, i, p->n, gpueig_real_size (p->type)),
         ge_page (s->vectors, i, square, size), x, x_im, work, &is_complex));
  else
    state = GE_BY_TYPE (p->type, ge_funm_schur,
                        (p, ge_page (s->form, i, square, size),
                         ge_page (s->vectors, i, square, size), x, x_im, work,
                         &is_complex, &roots));
  if (p->state)
    p->state[page] = (unsigned char) state;
  if (p->roots)
    p->roots[page] = roots;
  if (p->residual && p->kind == GPUEIG_SQRTM)
    p->residual[page] = GE_BY_TYPE (p->type, ge_funm_residual,
                                    (p->n, ge_page (p->a, page, square, size),
                                     x, is_complex ? x_im : NULL, work));
  s->complex[page] = is_complex != 0;
  return is_complex && ! x_im;
}

/* Call WORK for all pages of the set, with SPACE bytes for each thread.  */
static gpueig_status
run_pages (page_set *s, ge_page_work *work, int64_t space)
{
  const int threads = ge_page_threads (s->p->n, s->count);
  int worst = 0;
  s->bytes = (space + 63) / 64 * 64;
  GE_TRY (
      ge_alloc (s->ctx, GE_HOST, s->bytes * threads, 1, (void **) &s->space));
  GE_TRY (ge_for_pages (s->ctx, s->p->n, s->count, threads, work, s, &worst));
  return worst == 0 ? GPUEIG_OK
                    : gpueig_fail (s->ctx, GPUEIG_BAD_ARGUMENT,
                                   "the result is complex: X_IM is needed");
}

/* *A: the pages of the set, contiguous.  */
static gpueig_status
gather (const page_set *s, const void **a)
{
  const gpueig_funm_problem *p = s->p;
  const int64_t square = p->n * p->n;
  void *copy;
  *a = p->a;
  if (s->count == p->pages)
    return GPUEIG_OK;
  GE_TRY (ge_alloc (s->ctx, GE_HOST, s->count * square, size_of (s), &copy));
  for (int64_t i = 0; i < s->count; i++)
    memcpy (ge_page (copy, i, square, size_of (s)),
            ge_page (p->a, s->list[i], square, size_of (s)),
            (size_t) square * size_of (s));
  *a = copy;
  return GPUEIG_OK;
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

static gpueig_status
by_eigenvectors (page_set *s, const gpueig_options *options, gpueig_info *info)
{
  const gpueig_funm_problem *p = s->p;
  void *values, *vectors;
  gpueig_symmetric problem
      = { .type = p->type, .n = p->n, .pages = s->count, .symmetric = 1 };
  gpueig_info part;
  GE_TRY (gather (s, &problem.a));
  GE_TRY (ge_alloc (s->ctx, GE_HOST, s->count * p->n,
                    gpueig_real_size (p->type), &values));
  GE_TRY (ge_alloc (s->ctx, GE_HOST, s->count * p->n * p->n, size_of (s),
                    &vectors));
  problem.lambda = values;
  problem.v = vectors;
  GE_TRY (gpueig_eig_symmetric (s->ctx, &problem, options, &part));
  ge_funm_take_info (info, &part);
  s->values = values;
  s->vectors = vectors;
  return run_pages (s, do_page, GE_FUNM_WORK (p->n) * (int64_t) size_of (s));
}

static gpueig_status
by_schur_form (page_set *s, const gpueig_options *options, gpueig_info *info)
{
  const gpueig_funm_problem *p = s->p;
  const int64_t square = p->n * p->n;
  gpueig_schur_problem problem
      = { .type = p->type, .n = p->n, .pages = s->count };
  int upper = 1;
  GE_TRY (gather (s, &problem.a));
  for (int64_t i = 0; i < s->count && upper; i++)
    upper = GE_BY_TYPE (p->type, ge_is_upper,
                        (p->n, ge_page (problem.a, i, square, size_of (s))));
  s->form = problem.a;
  if (! upper)
    {
      gpueig_info part;
      GE_TRY (ge_alloc (s->ctx, GE_HOST, s->count * square, size_of (s),
                        &problem.s));
      GE_TRY (ge_alloc (s->ctx, GE_HOST, s->count * square, size_of (s),
                        &problem.u));
      GE_TRY (gpueig_schur (s->ctx, &problem, options, &part));
      ge_funm_take_info (info, &part);
      s->form = problem.s;
      s->vectors = problem.u;
    }
  return run_pages (s, do_page, GE_FUNM_WORK (p->n) * (int64_t) size_of (s));
}

/* --- products --- */

/* Page I of the set, with the scratch memory of THREAD.  */
static gpueig_status
calculate (const page_set *s, int64_t i, int thread, int shared)
{
  const gpueig_funm_problem *p = s->p;
  const int64_t page = s->list[i], square = p->n * p->n;
  const size_t size = size_of (s);
  char *at = s->space + thread * s->bytes;
  void *a = ge_take (&at, square, size),
       *x = ge_page (p->x, page, square, size);
  const void *given = ge_page (p->a, page, square, size);
  double rcond = 1;
  ge_calc c;
  ge_calc_begin (&c, p->type, p->n, GE_CALC_BUFFERS, &at);
  c.ctx = s->ctx;
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
  if (p->rcond)
    p->rcond[page] = rcond;
  if (p->state)
    p->state[page] = rcond == 0 ? GPUEIG_FUNM_SINGULAR : 0;
  if (p->roots)
    p->roots[page] = 0;
  return GPUEIG_OK;
}

static int
calculate_page (void *data, int64_t i, int thread)
{
  return calculate (data, i, thread, 0) != GPUEIG_OK;
}

static gpueig_status
by_products (page_set *s)
{
  const int64_t n = s->p->n;
  const int64_t bytes = GE_CALC_BYTES (n, GE_CALC_BUFFERS + 1, size_of (s));
  if (ge_page_threads (n, s->count) > 1)
    return run_pages (s, calculate_page, bytes);
  GE_TRY (ge_alloc (s->ctx, GE_HOST, bytes, 1, (void **) &s->space));
  for (int64_t i = 0; i < s->count; i++)
    {
      GE_TRY (ge_check_interrupt (s->ctx));
      GE_TRY (calculate (s, i, 0, 1));
    }
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

/* Imaginary parts of pages that have none, where others have some.  */
static void
fill_imaginary (const gpueig_funm_problem *p, const unsigned char *complex)
{
  const size_t bytes = (size_t) (p->n * p->n) * gpueig_scalar_size (p->type);
  const int any = memchr (complex, 1, (size_t) p->pages) != NULL;
  for (int64_t i = 0; any && i < p->pages; i++)
    if (! complex[i])
      memset ((char *) p->x_im + (size_t) i * bytes, 0, bytes);
  if (p->is_complex)
    *p->is_complex = any;
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

static gpueig_status
on_gpu (gpueig_context *ctx, const gpueig_funm_problem *p,
        const gpueig_options *options, gpueig_info *info,
        const unsigned char *hermitian, unsigned char *complex)
{
  const double start = ge_now ();
  const gpueig_status status
      = ge_funm_on_gpu (ctx, p, options, info, hermitian,
                        is_power (p) || p->kind == GPUEIG_EXPM, complex);
  snprintf (info->backend, sizeof info->backend, "cuda");
  info->device = info->devices[0] = ctx->selected;
  info->n_devices = 1;
  info->time_solve = ge_now () - start;
  if (p->is_complex)
    *p->is_complex = memchr (complex, 1, (size_t) p->pages) != NULL;
  return status == GPUEIG_OUT_OF_MEMORY && options->backend == GPUEIG_AUTO
             ? ge_need_host (ctx)
             : status;
}

static gpueig_status
on_cpu (gpueig_context *ctx, const gpueig_funm_problem *p,
        const gpueig_options *options, gpueig_info *info,
        const unsigned char *is, int64_t *list, unsigned char *complex)
{
  page_set hermitian = { .ctx = ctx, .p = p, .list = list, .complex = complex },
           other = hermitian;
  for (int64_t i = 0; i < p->pages; i++)
    if (is[i])
      list[hermitian.count++] = i;
  other.list = list + hermitian.count;
  for (int64_t i = 0; i < p->pages; i++)
    if (! is[i])
      list[hermitian.count + other.count++] = i;
  if (hermitian.count > 0)
    GE_TRY (by_eigenvectors (&hermitian, options, info));
  if (other.count > 0)
    GE_TRY (is_power (p) || p->kind == GPUEIG_EXPM
                ? by_products (&other)
                : by_schur_form (&other, options, info));
  fill_imaginary (p, complex);
  return GPUEIG_OK;
}

/* Nonzero if a GPU computes page by page what takes as long as Schur forms; powers of all
   pages at once pay there where eigenvectors of symmetric ones do.  */
static int
needs_form (const gpueig_funm_problem *p, const unsigned char *hermitian)
{
  return ! (is_power (p) && p->power > 0)
         && memchr (hermitian, 0, (size_t) p->pages);
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
  unsigned char *complex, *is;
  int64_t *list;
  int choice, done = 0;
  GE_TRY (check (ctx, p));
  if (p->is_complex)
    *p->is_complex = 0;
  ge_info_method (info, "auto");
  if (p->n == 0 || p->pages == 0)
    return GPUEIG_OK;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, p->pages, &list));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, p->pages, &is));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, p->pages, &complex));
  memset (complex, 0, (size_t) p->pages);
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
  GE_TRY (ge_funm_choose (ctx, options,
                          needs_form (p, is) ? GE_SCHUR : GE_EIG_SYMMETRIC,
                          &shape, &choice));
  if (ctx->on_device)
    return choice ? on_gpu (ctx, p, options, info, is, complex)
                  : ge_need_host (ctx);
  if (choice)
    GE_TRY (ge_solve_on_gpu (ctx, &placed, p, options, info, &done));
  return done ? GPUEIG_OK : on_cpu (ctx, p, options, info, is, list, complex);
}

gpueig_status
gpueig_funm (gpueig_context *ctx, const gpueig_funm_problem *problem,
             const gpueig_options *options, gpueig_info *info)
{
  return ge_call_placed (ctx, &placed, problem, options, info);
}
