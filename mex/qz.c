/* Pairs that are not symmetric definite, by the QZ iteration of Octave's eig: one call
   for two full matrices of class double; otherwise page by page in double precision.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include <stdio.h>
#include <time.h>

static double
now (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Page P of M in double precision: eig of Octave 7.3 returns zeros as left vectors in
   single precision.  */
static mxArray *
page_of (const mex_matrix *m, int64_t p)
{
  const size_t count = (size_t) (m->rows * m->columns);
  const int complex = gpueig_is_complex (m->type);
  const char *from = (const char *) m->data
                     + (size_t) p * count * gpueig_scalar_size (m->type);
  mxArray *page = mxCreateDoubleMatrix ((mwSize) m->rows, (mwSize) m->columns,
                                        complex ? mxCOMPLEX : mxREAL);
  double *part[2] = { mxGetPr (page), complex ? mxGetPi (page) : NULL };
  for (size_t i = 0; i < count; i++)
    for (int k = 0; k <= complex; k++)
      {
        part[k][i] = mex_real_at (m->type, from, (int64_t) (i << complex) + k);
      }
  return page;
}

/* Copy an output of eig to page P of R.  */
static void
put_page (mxArray *page, mex_result *r, int64_t p)
{
  const double *re = mxGetPr (page), *im = mxGetPi (page);
  const size_t count = mxGetNumberOfElements (page);
  char *to
      = (char *) r->data + (size_t) p * count * gpueig_scalar_size (r->type);
  for (size_t i = 0; i < count; i++)
    {
      const int64_t at = 2 * (int64_t) i;
      mex_set_real (r->type, to, at, re[i]);
      mex_set_real (r->type, to, at + 1, im ? im[i] : 0);
    }
}

/* The first COUNT outputs of eig (A, B, "qz", "vector"), in the order of R:
   eigenvalues, right and left vectors.  */
static void
call_eig (mxArray *a, mxArray *b, int count, mxArray *r[3])
{
  mxArray *out[3] = { NULL, NULL, NULL };
  mxArray *in[] = { a, b, mex_text ("qz"), mex_text ("vector") };
  mex_builtin ("eig", count, out, 4, in);
  r[0] = out[count > 1];
  r[1] = out[0];
  r[2] = out[2];
}

/* Nonzero for one full matrix of class double.  */
static int
is_one_double (const mxArray *x)
{
  return mxIsDouble (x) && ! mxIsSparse (x) && mxGetNumberOfDimensions (x) == 2;
}

static void
solve_page (const mex_matrix *a, const mex_matrix *b, int64_t p, int count,
            mex_result *r)
{
  mxArray *x = page_of (a, p), *y = page_of (b, p), *out[3];
  call_eig (x, y, count, out);
  mxDestroyArray (x);
  mxDestroyArray (y);
  for (int i = 0; i < count; i++)
    {
      put_page (out[i], &r[i], p);
      mxDestroyArray (out[i]);
    }
}

/* COUNT numbers from number FROM on of R, which is complex, from X, of TYPE.  */
static void
widen (gpueig_type type, const void *x, int64_t from, int64_t count,
       mex_result *r, int64_t to)
{
  const int parts = 1 + gpueig_is_complex (type);
  for (int64_t i = 0; i < count; i++)
    for (int k = 0; k < 2; k++)
      mex_set_real (r->type, r->data, 2 * (to + i) + k,
                    k < parts ? mex_real_at (type, x, parts * (from + i) + k)
                              : 0);
}

/* The results R of page P from SOLVED, of type TYPE; the left vectors are the right
   ones.  */
static void
take_page (gpueig_type type, int64_t n, const mex_solved *solved, int64_t p,
           int count, mex_result *r)
{
  const int64_t from = solved->at[p];
  widen (mex_real_of (type), solved->lambda, from * n, n, &r[0], p * n);
  for (int i = 1; i < count; i++)
    widen (type, solved->v, from * n * n, n * n, &r[i], p * n * n);
}

/* The info of the call: that of the pages SOLVED before, if there are such, is in
   call->info.  Then no method did all.  */
static void
set_info (mex_call *call, const mex_solved *solved, double seconds)
{
  if (! solved)
    call->info
        = (gpueig_info){ .backend = "cpu", .device = -1, .converged = 1 };
  snprintf (call->info.method, sizeof call->info.method, "%s",
            solved ? "auto" : "qz");
  call->info.time_total += seconds;
  call->info.time_solve += seconds;
}

gpueig_status
mex_solve_by_qz (mex_call *call, const mex_matrix *a, const mex_matrix *b,
                 const mex_solved *solved)
{
  mxArray *x = (mxArray *) call->args[0], *y = (mxArray *) call->args[1];
  const double start = now ();
  const gpueig_type type = mex_complex_of (a->type);
  const int64_t n = a->rows;
  const int count = call->n_out < 3 ? call->n_out : 3;
  GE_TRY (gpueig_check_finite (call->ctx, a->type, a->data, n, a->pages,
                               GPUEIG_HOST, "A"));
  GE_TRY (gpueig_check_finite (call->ctx, b->type, b->data, n, b->pages,
                               GPUEIG_HOST, "B"));
  if (call->options.core.backend == GPUEIG_CUDA)
    return gpueig_fail (call->ctx, GPUEIG_NO_DEVICE,
                        "the CUDA backend solves pairs with A symmetric and B "
                        "symmetric positive definite only; use \"Backend\", "
                        "\"auto\"");
  mex_result r[3] = { mex_eigenvalues (type, n, x),
                      { type, count > 1 ? n : -1, n, x, NULL, NULL, 0 },
                      { type, count > 2 ? n : -1, n, x, NULL, NULL, 0 } };
  const int as_they_are = is_one_double (x) && is_one_double (y) && n > 0;
  GE_TRY (as_they_are ? mex_need_results (call, r, 3)
                      : mex_new_results (call, r, 3));
  if (as_they_are)
    {
      mxArray *out[3];
      call_eig (x, y, count, out);
      for (int i = 0; i < count; i++)
        r[i].array = out[i];
    }
  for (int64_t p = 0; ! as_they_are && n > 0 && p < a->pages; p++)
    if (solved && solved->at[p] >= 0)
      take_page (a->type, n, solved, p, count, r);
    else
      solve_page (a, b, p, count, r);
  set_info (call, solved, now () - start);
  return mex_eigen_outputs (call, &r[0], &r[1], &r[2]);
}
