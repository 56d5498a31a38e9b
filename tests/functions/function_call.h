/* Calls of gpueig_funm, for the C tests.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef FUNCTION_CALL_H
#define FUNCTION_CALL_H 1

#include "backend_test.h"
#include "gpueig.h"

#include <complex.h>
#include <stdlib.h>

static double power_im; /* of the powers under test */

typedef struct
{
  gpueig_type type;
  int64_t n, pages;
  char *a, *x, *x_im;
  unsigned char *state;
  double *rcond; /* NULL: not asked for */
  int is_complex;
  gpueig_info info;
} call;

static inline call
begin_call (gpueig_type type, int64_t n, int64_t pages, int with_rcond)
{
  const int64_t count = n * n * pages + 1;
  return (call){ .type = type,
                 .n = n,
                 .pages = pages,
                 .a = check_array (type, count),
                 .x = check_array (type, count),
                 .x_im = check_array (type, count),
                 .state = check_memory (pages + 1, 1),
                 .rcond = with_rcond ? check_memory (pages + 1, sizeof (double))
                                     : NULL };
}

static inline void
end_call (call *c)
{
  free (c->a);
  free (c->x);
  free (c->x_im);
  free (c->state);
  free (c->rcond);
}

static inline gpueig_status
solve (call *c, gpueig_funm_kind kind, double power)
{
  const int real = ! gpueig_is_complex (c->type);
  const gpueig_funm_problem p = { .kind = kind,
                                  .power = power,
                                  .power_im = power_im,
                                  .type = c->type,
                                  .n = c->n,
                                  .pages = c->pages,
                                  .a = c->a,
                                  .x = c->x,
                                  .x_im = real ? c->x_im : NULL,
                                  .is_complex = &c->is_complex,
                                  .state = c->state,
                                  .rcond = c->rcond };
  return gpueig_funm (ctx, &p, &options, &c->info);
}

/* Element K of the result.  */
static inline double complex
value (const call *c, int64_t k)
{
  const double complex re = measure_get (c->type, c->x, k);
  return c->is_complex
             ? re + creal (measure_get (c->type, c->x_im, k)) * _Complex_I
             : re;
}

#endif
