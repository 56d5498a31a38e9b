/* gpueig_funm: pages that are Hermitian by their eigenvectors, exponentials and integer
   powers of the others by products, further functions by the Schur form.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "functions/calc.h"
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

/* Where and how another function solved a part of the problem.  */
static void
take_info (gpueig_info *info, const gpueig_info *part)
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
  take_info (info, &part);
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
      take_info (info, &part);
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
#define OF_S(name) name##_s
#define OF_D(name) name##_d
#define OF_C(name) name##_c
#define OF_Z(name) name##_z
  static const ge_calc_ops ops[] = { GE_CALC_OPS (OF_S), GE_CALC_OPS (OF_D),
                                     GE_CALC_OPS (OF_C), GE_CALC_OPS (OF_Z) };
  const gpueig_funm_problem *p = s->p;
  const int64_t page = s->list[i], square = p->n * p->n;
  const size_t size = size_of (s);
  char *at = s->space + thread * s->bytes;
  ge_calc c = { .ctx = s->ctx,
                .ops = &ops[p->type],
                .type = p->type,
                .n = p->n,
                .shared = shared };
  double rcond = 1;
  int roots;
  for (int k = 0; k < GE_CALC_BUFFERS; k++)
    c.m[k] = ge_take (&at, square, size);
  void *a = ge_take (&at, square, size),
       *x = ge_page (p->x, page, square, size);
  c.lines = ge_take (&at, 2 * p->n, sizeof (double));
  c.pivots = ge_take (&at, p->n, sizeof (int64_t));
  const void *given = ge_page (p->a, page, square, size);
  if (p->kind == GPUEIG_EXPM)
    {
      memcpy (a, given, (size_t) square * size);
      c.is_upper = GE_BY_TYPE (p->type, ge_is_upper, (p->n, a));
      if (c.is_upper > 1)
        {
          memcpy (x, a, (size_t) square * size);
          GE_BY_TYPE (p->type, ge_triangular, (p->kind, 0, p->n, x, a, &roots));
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
  const int64_t bytes
      = (GE_CALC_BUFFERS + 1) * (n * n * (int64_t) size_of (s) + 64) + n * 24
        + 128;
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

/* Without a choice: the data is on a GPU, or the user named it.  */
static gpueig_status
products_on_gpu (gpueig_context *ctx, const gpueig_funm_problem *p,
                 const gpueig_options *options, gpueig_info *info)
{
  const size_t size = gpueig_scalar_size (p->type);
  unsigned char *hermitian;
  const int64_t square = p->n * p->n;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, p->pages, &hermitian));
  if (ctx->on_device)
    {
      ge_page_facts *facts;
      GE_TRY (ge_inspect (ctx, p->type, p->a, p->n, p->pages, &facts));
      for (int64_t i = 0; i < p->pages; i++)
        hermitian[i] = facts[i].symmetric != 0;
    }
  else
    {
      GE_TRY (ge_need_gpu (ctx));
      if (! ctx->plugin->arrays || ! ctx->plugin->memory)
        return gpueig_fail (ctx, GPUEIG_NO_DEVICE,
                            "the plugin has no operations on arrays");
      GE_TRY (ge_select_device (
          ctx, options->n_devices > 0 ? options->devices[0] : options->device));
      for (int64_t i = 0; i < p->pages; i++)
        hermitian[i]
            = ge_is_symmetric (ctx, p->type, ge_page (p->a, i, square, size),
                               p->n, 1)
              != 0;
    }
  snprintf (info->backend, sizeof info->backend, "cuda");
  info->device = info->devices[0] = ctx->selected;
  info->n_devices = 1;
  const double start = ge_now ();
  const gpueig_status status = ge_calc_on_gpu (ctx, p, hermitian);
  info->time_solve = ge_now () - start;
  return ctx->on_device && status == GPUEIG_OUT_OF_MEMORY ? ge_need_host (ctx)
                                                          : status;
}

static gpueig_status
funm (gpueig_context *ctx, const void *problem, const gpueig_options *options,
      gpueig_info *info)
{
  const gpueig_funm_problem *p = problem;
  page_set hermitian = { .ctx = ctx, .p = p }, other = { .ctx = ctx, .p = p };
  unsigned char *complex, *is;
  int64_t *list;
  GE_TRY (check (ctx, p));
  if (p->is_complex)
    *p->is_complex = 0;
  ge_info_method (info, "auto");
  if (p->n == 0 || p->pages == 0)
    return GPUEIG_OK;
  const int power = p->kind == GPUEIG_MPOWER && p->power == floor (p->power)
                    && p->power_im == 0,
            products = power || p->kind == GPUEIG_EXPM;
  if (products
      && (ctx->on_device ? options->backend != GPUEIG_CPU
                         : options->backend == GPUEIG_CUDA))
    return products_on_gpu (ctx, p, options, info);
  if (ctx->on_device)
    return ge_need_host (ctx);
  if (options->backend == GPUEIG_CUDA)
    GE_TRY (ge_need_gpu (ctx));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, p->pages, &list));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, p->pages, &is));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, p->pages, &complex));
  memset (complex, 0, (size_t) p->pages);
  hermitian.list = list;
  hermitian.complex = other.complex = complex;
  for (int64_t i = 0; i < p->pages; i++)
    {
      const void *a = ge_page (p->a, i, p->n * p->n, size_of (&other));
      /* A diagonal matrix as any triangular one: exactly.  */
      is[i] = ! power && ge_is_symmetric (ctx, p->type, a, p->n, 1)
              && ! GE_BY_TYPE (p->type, ge_is_upper, (p->n, a));
      if (is[i])
        list[hermitian.count++] = i;
      if (p->rcond)
        p->rcond[i] = 1;
    }
  other.list = list + hermitian.count;
  for (int64_t i = 0; i < p->pages; i++)
    if (! is[i])
      list[hermitian.count + other.count++] = i;
  if (hermitian.count > 0)
    GE_TRY (by_eigenvectors (&hermitian, options, info));
  if (other.count > 0)
    GE_TRY (products ? by_products (&other)
                     : by_schur_form (&other, options, info));
  fill_imaginary (p, complex);
  return GPUEIG_OK;
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

gpueig_status
gpueig_funm (gpueig_context *ctx, const gpueig_funm_problem *problem,
             const gpueig_options *options, gpueig_info *info)
{
  static const ge_placed placed
      = { sizeof *problem, offsetof (gpueig_funm_problem, place), parts, funm };
  ge_call call;
  ge_begin (&call, ctx, &options, &info);
  return ge_end (&call, ge_solve_placed (ctx, &placed, problem, options, info));
}
