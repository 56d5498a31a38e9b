/* The commands of functions of matrices.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"
#include "gpueig_functions.h"

#include <math.h>

void
mex_warn_of_rcond (gpueig_type type, double rcond)
{
  const double eps = gpueig_is_double (type) ? 0x1p-52 : 0x1p-23;
  if (rcond == 0)
    mex_warn ("Octave:singular-matrix", "matrix singular to machine precision");
  else if (rcond <= eps / 2)
    mex_warn ("Octave:nearly-singular-matrix",
              "matrix singular to machine precision, rcond = %g", rcond);
}

/* Octave's warnings, once for all pages.  */
static void
warn (const gpueig_funm_problem *p)
{
  int state = 0;
  double rcond = 1;
  for (int64_t i = 0; i < p->pages; i++)
    {
      state |= p->state[i];
      /* Not by fmin, which gcc 12 for 64-bit Arm cannot vectorise next to the union of
         states.  */
      rcond = p->rcond[i] < rcond ? p->rcond[i] : rcond;
    }
  const int singular = (state & GPUEIG_FUNM_SINGULAR) != 0;
  mex_warn_of_rcond (p->type, rcond);
  if (singular && p->kind == GPUEIG_SQRTM)
    mex_warn ("Octave:sqrtm:SingularMatrix",
              "matrix is singular, may not have a square root");
  if (singular && p->kind == GPUEIG_LOGM)
    mex_warn ("Octave:sqrtm:SingularMatrix",
              "matrix is singular, has no logarithm");
  if (state & GPUEIG_FUNM_NO_DIGIT)
    mex_warn ("gpueig:ill-conditioned",
              "A is so large that its exponential has no correct digit");
  if ((state & GPUEIG_FUNM_NEGATIVE) && p->kind == GPUEIG_LOGM)
    mex_warn ("Octave:logm:non-principal",
              "principal matrix logarithm is not defined for matrices with "
              "negative eigenvalues; computing non-principal logarithm");
}

/* R = the complex array of its real and the imaginary parts IM.  */
static gpueig_status
join (mex_call *call, mex_result *r, const mex_result *im, int64_t count)
{
  mex_result both = { .type = mex_complex_of (r->type),
                      .rows = r->rows,
                      .columns = r->columns,
                      .like = r->like };
  if (r->made)
    return mex_join_arrays (call, r, im);
  GE_TRY (mex_new_results (call, &both, 1));
  for (int64_t i = 0; i < count; i++)
    {
      mex_set_real (r->type, both.data, 2 * i,
                    ge_real_at (r->type, r->data, i));
      mex_set_real (r->type, both.data, 2 * i + 1,
                    ge_real_at (r->type, im->data, i));
    }
  mxDestroyArray (r->array);
  mxDestroyArray (im->array);
  *r = both;
  return GPUEIG_OK;
}

/* Nonzero if all results of P are of its type.  */
static int
keeps_type (const gpueig_funm_problem *p)
{
  return gpueig_is_complex (p->type) || p->kind == GPUEIG_EXPM
         || (p->kind == GPUEIG_MPOWER && p->power == floor (p->power)
             && p->power_im == 0);
}

/* Output 1 in R.  */
static gpueig_status
put_numbers (mex_call *call, const gpueig_funm_problem *p, mex_result *r)
{
  for (int64_t i = 0; i < p->pages; i++)
    mex_set_real (r->type, r->data, i,
                  p->kind == GPUEIG_LOGM ? p->roots[i] : p->residual[i]);
  return mex_put (call, 1, r);
}

/* POWER: the real and the imaginary part of argument I.  */
static gpueig_status
get_power (mex_call *call, int i, double power[2])
{
  mxArray *p = (mxArray *) call->args[i];
  if (mex_handle (p))
    return mex_refuse (call);
  if (mxIsLogical (p))
    p = mex_builtin_1 ("double", 1, &p);
  int good = mxIsNumeric (p) && mxGetNumberOfElements (p) == 1;
  const char *const parts[] = { "real", "imag" };
  for (int k = 0; k < 2 && good; k++)
    {
      const mxArray *part = mxIsComplex (p) ? mex_builtin_1 (parts[k], 1, &p)
                            : k             ? NULL
                                            : p;
      power[k] = 0;
      good
          = (! part || mex_get_number (part, &power[k])) && isfinite (power[k]);
    }
  return good ? GPUEIG_OK
              : gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                             "P must be a finite number");
}

gpueig_status
mex_funm (mex_call *call)
{
  const gpueig_funm_kind kind = (gpueig_funm_kind) call->command->kind;
  const int first = call->command->least;
  mex_matrix m;
  double power[2] = { 0, 0 };
  int is_complex = 0;
  const mxArray *a = call->args[0];
  /* logm's limit of the number of roots has no effect.  */
  const int limited = kind == GPUEIG_LOGM && mex_is_array (call, 1);
  GE_TRY (mex_parse_options (call, mex_funm_options, first + limited));
  GE_TRY (mex_check_square (call, a, "A"));
  if (first == 2)
    GE_TRY (get_power (call, 1, power));
  gpueig_type type = mex_type_of (a);
  /* single wins over double, as in Octave's A ^ P */
  if (first == 2 && mxIsSingle (call->args[1]))
    type = gpueig_is_complex (type) ? GPUEIG_COMPLEX_FLOAT : GPUEIG_FLOAT;
  GE_TRY (mex_get_matrix (call, a, type, &m));
  const size_t pages = (size_t) m.pages;
  /* Beside X: how many roots were taken, or the residual, of each page.  */
  const int numbered = kind == GPUEIG_SQRTM || kind == GPUEIG_LOGM;
  if (call->array && numbered && call->n_out > 1)
    return mex_refuse (call);
  gpueig_funm_problem p = { .kind = kind,
                            .power = power[0],
                            .power_im = power[1],
                            .type = m.type,
                            .n = m.rows,
                            .pages = m.pages,
                            .a = m.data,
                            .is_complex = &is_complex,
                            .state = mex_scratch (call, pages, 1),
                            .rcond = mex_scratch (call, pages, sizeof *p.rcond),
                            .roots = mex_scratch (call, pages, sizeof *p.roots),
                            .place = call->place };
  mex_result r[3]
      = { { m.type, m.rows, m.rows, a, NULL, NULL, 0 },
          { kind == GPUEIG_SQRTM ? mex_real_of (m.type) : GPUEIG_DOUBLE,
            numbered && call->n_out > 1 ? 1 : -1, 1, a, NULL, NULL, 0 },
          { m.type, keeps_type (&p) ? -1 : m.rows, m.rows, a, NULL, NULL, 0 } };
  GE_TRY (mex_new_results (call, r, 3));
  p.x = r[0].data;
  p.x_im = r[2].data;
  if (r[1].data)
    p.residual = mex_scratch (call, pages, sizeof *p.residual);
  if (! p.state || ! p.rcond || ! p.roots || (r[1].data && ! p.residual))
    return GPUEIG_OUT_OF_MEMORY;
  GE_TRY (gpueig_funm (call->ctx, &p, &call->options.core, &call->info));
  if (is_complex)
    GE_TRY (join (call, &r[0], &r[2], m.rows * m.rows * m.pages));
  GE_TRY (mex_put (call, 0, &r[0]));
  if (p.residual)
    GE_TRY (put_numbers (call, &p, &r[1]));
  mex_put_info (call, 1 + numbered);
  if (m.rows > 0)
    warn (&p);
  return GPUEIG_OK;
}

gpueig_status
mex_polar (mex_call *call)
{
  mex_matrix m;
  const mxArray *a = call->args[0];
  GE_TRY (mex_parse_options (call, mex_funm_options, 1));
  GE_TRY (mex_check_class (call, a, "A"));
  GE_TRY (mex_get_matrix (call, a, mex_type_of (a), &m));
  if (m.rows < m.columns)
    return gpueig_fail (call->ctx, GPUEIG_BAD_OPTION,
                        "A must have at least as many rows as columns, but is "
                        "%lld-by-%lld",
                        (long long) m.rows, (long long) m.columns);
  mex_result r[2] = { { m.type, m.rows, m.columns, a, NULL, NULL, 0 },
                      { m.type, call->n_out > 1 ? m.columns : -1, m.columns, a,
                        NULL, NULL, 0 } };
  GE_TRY (mex_new_results (call, r, 2));
  const gpueig_polar_problem p = { .type = m.type,
                                   .m = m.rows,
                                   .n = m.columns,
                                   .pages = m.pages,
                                   .a = m.data,
                                   .u = r[0].data,
                                   .h = call->n_out > 1 ? r[1].data : NULL,
                                   .place = call->place };
  GE_TRY (gpueig_polar (call->ctx, &p, &call->options.core, &call->info));
  GE_TRY (mex_put (call, 0, &r[0]));
  GE_TRY (mex_put (call, 1, &r[1]));
  mex_put_info (call, 2);
  return GPUEIG_OK;
}
