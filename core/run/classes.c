/* Stacks with pages of several classes, each solved as a stack of its own, and such a class:
   graded pages of single precision in double precision.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "run/devices.h"
#include "run/solvers.h"

#include <math.h>
#include <string.h>

gpueig_status
ge_solve_class (gpueig_context *ctx, const ge_classes *c, int which,
                gpueig_info *info)
{
  const int mark = ge_mark (ctx);
  gpueig_status status = GPUEIG_OK;
  ge_left_pages pages;
  int64_t *list, count = 0;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, c->pages, &list));
  for (int64_t p = 0; p < c->pages; p++)
    if (c->class_of[p] == which)
      list[count++] = p;
  if (count > 0)
    {
      ge_make_problem (ctx, c->layout, c->problem, GE_HOST, &pages.all);
      GE_TRY (ge_take_pages (ctx, list, count, ge_on_host, info, &pages));
      status = c->solve (ctx, c, which, pages.some.data.bytes, list, info);
      status = ge_put_pages (ctx, &pages, status);
    }
  ge_release (ctx, mark);
  return status;
}

/* ONE is of a class that was solved after those of INFO.  */
static void
add_info (const ge_solver_entry *entry, const gpueig_info *one,
          gpueig_info *info)
{
  const double solve = info->time_solve + one->time_solve,
               transfer = info->time_transfer + one->time_transfer;
  ge_merge_info (entry, 0, info, one, 0);
  info->time_solve = solve;
  info->time_transfer = transfer;
  info->device_lost |= one->device_lost;
  if (strcmp (info->backend, "cpu") != 0)
    return;
  memcpy (info->backend, one->backend, sizeof info->backend);
  info->device = one->device;
  info->n_devices = one->n_devices;
  memcpy (info->devices, one->devices, sizeof info->devices);
}

gpueig_status
ge_solve_classes (gpueig_context *ctx, const ge_classes *c, ge_solver_id id,
                  gpueig_info *info)
{
  char message[sizeof ctx->message];
  gpueig_status result = GPUEIG_OK;
  int solved = 0;
  for (int which = 0; which < 2; which++)
    {
      gpueig_info one;
      if (! memchr (c->class_of, which, (size_t) c->pages))
        continue;
      ge_info_begin (&one);
      const gpueig_status status = ge_solve_class (ctx, c, which, &one);
      if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
        return status;
      if (status != GPUEIG_OK)
        memcpy (message, ctx->message, sizeof message);
      result = status == GPUEIG_OK ? result : status;
      if (solved++ == 0)
        *info = one;
      else
        add_info (ctx->solvers[id], &one, info);
    }
  return result == GPUEIG_OK ? result
                             : gpueig_fail (ctx, result, "%s", message);
}

/* --- high relative accuracy --- */

/* Single precision holds the squares of numbers at most this factor apart.  */
#define SINGLE_RANGE 1e60

/* Nonzero if the diagonal elements of page P are positive and farther apart.  */
static int
needs_double (const gpueig_symmetric *s, int64_t p)
{
  const size_t size = gpueig_scalar_size (s->type);
  const char *a = ge_page (s->a, p, s->n * s->n, size);
  double least = INFINITY, most = 0;
  for (int64_t i = 0; i < s->n; i++, a += (size_t) (s->n + 1) * size)
    {
      const double x = ge_real_at (s->type, a, 0);
      least = x < least ? x : least;
      most = x > most ? x : most;
    }
  return least > 0 && most > SINGLE_RANGE * least;
}

typedef struct
{
  ge_solver_id solver;
  ge_method method;
  const gpueig_options *options;
} high_call;

/* Class 1 in double precision.  */
static gpueig_status
solve_high (gpueig_context *ctx, const ge_classes *c, int wide,
            const void *some, const int64_t *list, gpueig_info *info)
{
  const high_call *h = c->data;
  gpueig_symmetric in_double;
  (void) list;
  if (! wide)
    return ge_run (ctx, h->solver, h->method, some, h->options, info);
  GE_TRY (ge_widen_problem (ctx, some, &in_double));
  const gpueig_status status
      = ge_run (ctx, h->solver, h->method, &in_double, h->options, info);
  if (status == GPUEIG_OK || status == GPUEIG_NO_CONVERGENCE)
    ge_narrow_results (&in_double, some);
  return status;
}

gpueig_status
ge_run_high (gpueig_context *ctx, ge_solver_id solver, ge_method method,
             const gpueig_symmetric *s, const gpueig_options *options,
             gpueig_info *info)
{
  const high_call h = { solver, method, options };
  ge_classes c = { .layout = &ge_layout_symmetric,
                   .problem = s,
                   .pages = s->pages,
                   .solve = solve_high,
                   .data = &h };
  if (! options->high_accuracy || gpueig_is_double (s->type))
    return ge_run (ctx, solver, method, s, options, info);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, s->pages, &c.class_of));
  for (int64_t p = 0; p < s->pages; p++)
    c.class_of[p] = (unsigned char) needs_double (s, p);
  return ge_solve_classes (ctx, &c, solver, info);
}
