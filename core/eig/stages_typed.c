/* One large symmetric page on the CPU in stages: reduction, divide and conquer,
   back-transformation.  Interrupts are polled between pieces of the first and the
   last one; stages that are a single call of LAPACK run detachably.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/products.h"
#include "eig/symmetric.h"
#include "tridiagonal/tridiagonal.h"

#include <stdlib.h>
#include <string.h>

/* All data of a stage, owned by it after it was detached; where none can be, Z is the
   caller's.  */
typedef struct
{
  lapack_int n, info, lwork, lrwork, liwork;
  scalar_t *a, *z, *work; /* z NULL: values alone */
  real_t *d, *e, *rwork;
  lapack_int *iwork;
} stages;

/* --- stages that are single calls of LAPACK --- */

static void
divide_and_conquer (void *job)
{
  stages *s = job;
  if (! s->z)
    sterf_ (&s->n, s->d, s->e, &s->info);
  else
#if GE_COMPLEX
    stedc_ ("I", &s->n, s->d, s->e, s->z, &s->n, s->work, &s->lwork, s->rwork,
            &s->lrwork, s->iwork, &s->liwork, &s->info, 1);
#else
    stedc_ ("I", &s->n, s->d, s->e, s->z, &s->n, s->work, &s->lwork, s->iwork,
            &s->liwork, &s->info, 1);
#endif
}

/* --- memory --- */

/* Sizes of the work arrays of divide and conquer.  */
static gpueig_status
ask_sizes (gpueig_context *ctx, stages *s)
{
  const lapack_int query = -1;
  scalar_t optimal = 0, z = 0;
  real_t roptimal = 0, d = 0;
#if GE_COMPLEX
  stedc_ ("I", &s->n, &d, &d, &z, &s->n, &optimal, &query, &roptimal, &query,
          &s->liwork, &query, &s->info, 1);
#else
  stedc_ ("I", &s->n, &d, &d, &z, &s->n, &optimal, &query, &s->liwork, &query,
          &s->info, 1);
#endif
  /* Sizes are returned as floating point: round up for single precision.  */
  GE_TRY (ge_lapack_int (ctx, (int64_t) (re_ (optimal) * (1 + GE_EPS)) + 1,
                         &s->lwork));
  return ge_lapack_int (ctx, (int64_t) (roptimal * (1 + GE_EPS)) + 1,
                        &s->lrwork);
}

/* Lay out the arrays from AT on, with the sizes found by ask_sizes, but Z if it is given;
   returns the end.  */
static char *
lay_out (stages *s, int vectors, scalar_t *z, char *at)
{
  const int64_t n = s->n, square = n * n;
  s->a = ge_take (&at, square, sizeof *s->a);
  s->d = ge_take (&at, n, sizeof *s->d);
  s->e = ge_take (&at, n, sizeof *s->e);
  s->z = NULL;
  if (vectors)
    {
      s->z = z ? z : ge_take (&at, square, sizeof *s->z);
      s->work = ge_take (&at, s->lwork, sizeof *s->work);
      s->rwork = ge_take (&at, s->lrwork, sizeof *s->rwork);
      s->iwork = ge_take (&at, s->liwork, sizeof *s->iwork);
    }
  return at;
}

static gpueig_status
new_stages (gpueig_context *ctx, lapack_int n, int vectors, scalar_t *z,
            stages **out)
{
  stages s = { .n = n };
  const size_t head = (sizeof s + 63) & ~(size_t) 63;
  GE_TRY (ask_sizes (ctx, &s));
  /* Any aligned address: only the difference is used.  */
  char *start = (char *) (uintptr_t) 64;
  const size_t bytes
      = head + (size_t) (lay_out (&s, vectors, z, start) - start);
  GE_TRY (ge_alloc_job (ctx, bytes, (void **) out));
  lay_out (&s, vectors, z, (char *) *out + head);
  **out = s;
  return GPUEIG_OK;
}

/* --- all stages --- */

/* Run STAGE; *S becomes NULL if it was detached.  */
static gpueig_status
run_stage (gpueig_context *ctx, void (*stage) (void *), stages **s)
{
  const gpueig_status status = ge_run_detachable (ctx, stage, free, *s);
  if (status == GPUEIG_INTERRUPTED)
    *s = NULL;
  return status;
}

static gpueig_status
run_stages (gpueig_context *ctx, stages **stage, real_t *lambda, scalar_t *v)
{
  stages *s = *stage;
  const lapack_int n = s->n;
  scalar_t *tau;
  const real_t scale = FN (ge_scale_to_one) (ctx, (int64_t) n * n, s->a);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &tau));
  ge_report (ctx, "reduction to tridiagonal form, order %d", (int) n);
  GE_TRY (FN (ge_tridiagonalise) (ctx, n, s->a, s->d, s->e, tau));
  GE_TRY (ge_check_interrupt (ctx));
  ge_report (ctx, "divide and conquer");
  GE_TRY (run_stage (ctx, divide_and_conquer, stage));
  if (s->info != 0)
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                        "LAPACK's tridiagonal eigensolver failed with info %d",
                        (int) s->info);
  for (lapack_int i = 0; i < n; i++)
    lambda[i] = s->d[i] * scale;
  if (! v)
    return GPUEIG_OK;
  ge_report (ctx, "back-transformation");
  if (v != s->z)
    memcpy (v, s->z, (size_t) n * (size_t) n * sizeof *v);
  return FN (ge_back_transform) (ctx, n, n, s->a, tau, v);
}

gpueig_status
FN (ge_syevd_stages) (gpueig_context *ctx, int64_t order, const void *a,
                      void *lambda, void *v)
{
  lapack_int n;
  stages *s;
  const size_t bytes = (size_t) (order * order) * sizeof (scalar_t);
  int mark = ge_mark (ctx);
  /* LAPACK's work array for vectors has 2 n^2 elements and a 32-bit size.  */
  GE_TRY (ge_lapack_int (ctx, 2 * order * order + 6 * order + 1, &n));
  GE_TRY (ge_lapack_int (ctx, order, &n));
  GE_TRY (
      new_stages (ctx, n, v != NULL, ge_can_interrupt (ctx) ? NULL : v, &s));
  memcpy (s->a, a, bytes);
  const ge_blas_limit limit = ge_blas_limit_of (n);
  ge_limit_blas (ctx, limit);
  const gpueig_status status = run_stages (ctx, &s, lambda, v);
  ge_unlimit_blas (ctx, limit);
  free (s);
  ge_release (ctx, mark);
  return status;
}
