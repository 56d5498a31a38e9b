/* The front door for symmetric problems: gpueig_eig_symmetric.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "cpu.h"

#include <string.h>

/* Typed parts, eig_typed.c: one page each.  */
#define EIG_PROTOTYPES(suffix)                                                 \
  gpueig_status ge_syevd_##suffix (gpueig_context *, int64_t n, const void *a, \
                                   const void *b, void *lambda, void *v);
EIG_PROTOTYPES (s)
EIG_PROTOTYPES (d)
EIG_PROTOTYPES (c)
EIG_PROTOTYPES (z)

/* A GPU pays from these orders on, for a single matrix.  */
enum
{
  CUDA_PAYS_SYMMETRIC = 512
};

/* syevj: cuSOLVER's Jacobi, page by page; the batched ones take the stack at
   once.  These three need the CUDA backend.  */
static const char *const symmetric_methods[]
    = { "auto", "syevd", "syevj", "syevj-batched", "syev-batched", NULL };

/* --- fronts --- */

static int
is_cusolver_method (const char *method)
{
  return strcmp (method, "auto") != 0 && strcmp (method, "syevd") != 0;
}

static gpueig_status
eig_symmetric (gpueig_context *ctx, const gpueig_symmetric *problem,
               const gpueig_options *options, gpueig_info *info)
{
  GE_TRY (ge_check_options (ctx, options, symmetric_methods));
  GE_TRY (ge_check_symmetric (ctx, problem));
  if (problem->n == 0 || problem->pages == 0)
    return GPUEIG_OK;
  return ge_run (ctx, GE_EIG_SYMMETRIC,
                 problem->n >= CUDA_PAYS_SYMMETRIC
                     || is_cusolver_method (options->method),
                 problem, options, info);
}

gpueig_status
gpueig_eig_symmetric (gpueig_context *ctx, const gpueig_symmetric *problem,
                      const gpueig_options *options, gpueig_info *info)
{
  ge_call call;
  ge_begin (&call, ctx, options, info);
  return ge_end (&call, eig_symmetric (ctx, problem, options, info));
}

/* --- CPU backend: LAPACK, page by page --- */

/* Start of page P of an array with COUNT elements of SIZE bytes a page.  */
static void *
page (const void *base, int64_t p, int64_t count, size_t size)
{
  return base ? (char *) base + (size_t) (p * count) * size : NULL;
}

gpueig_status
ge_cpu_eig_symmetric (gpueig_context *ctx, const void *problem,
                      const gpueig_options *options, gpueig_info *info)
{
  const gpueig_symmetric *s = problem;
  size_t size = gpueig_scalar_size (s->type), real = gpueig_real_size (s->type);
  int64_t n = s->n;
  if (is_cusolver_method (options->method))
    return gpueig_fail (ctx, GPUEIG_NO_DEVICE,
                        "method \"%s\" is cuSOLVER's and needs a GPU",
                        options->method);
  ge_info_method (info, "syevd");
  for (int64_t p = 0; p < s->pages; p++)
    {
      GE_TRY (ge_check_interrupt (ctx));
      GE_TRY (GE_BY_TYPE (
          s->type, ge_syevd,
          (ctx, n, page (s->a, p, n * n, size), page (s->b, p, n * n, size),
           page (s->lambda, p, n, real), page (s->v, p, n * n, size))));
    }
  return GPUEIG_OK;
}
