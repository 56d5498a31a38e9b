/* The three diagonals of a full, sparse or lazily stored matrix, for gpu_mrrr and
   gpu_tdinv.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gateway.h"

#include <math.h>
#include <string.h>

enum
{
  /* Lazily stored diagonal matrices of larger order are not made full.  */
  SMALL = 64
};

void
mex_parts_at (gpueig_type type, const void *x, int64_t i, double part[2])
{
  const int complex = gpueig_is_complex (type);
  part[1] = 0;
  for (int k = 0; k <= complex; k++)
    part[k] = ge_real_at (type, x, (i << complex) + k);
}

static gpueig_status
new_diagonals (mex_call *call, mex_tridiagonal *t)
{
  const size_t n = (size_t) t->n, size = gpueig_scalar_size (t->type);
  char *all = mex_scratch (call, n, 3 * size);
  if (! all)
    return GPUEIG_OUT_OF_MEMORY;
  memset (all, 0, 3 * n * size);
  t->c = all;
  t->a = all + n * size;
  t->b = all + 2 * n * size;
  return GPUEIG_OK;
}

/* Store element (I, J), |i - j| <= 1, in its diagonal.  */
static void
put (mex_tridiagonal *t, int64_t i, int64_t j, const double part[2])
{
  void *to = i > j ? t->c : i < j ? t->b : t->a;
  const int64_t at = i > j ? j : i;
  const int complex = gpueig_is_complex (t->type);
  for (int k = 0; k <= complex; k++)
    mex_set_real (t->type, to, (at << complex) + k, part[k]);
}

static gpueig_status
from_sparse (mex_call *call, const mxArray *array, mex_tridiagonal *t)
{
  const double *re = mxGetPr (array), *im = mxGetPi (array);
  const mwIndex *jc = mxGetJc (array), *ir = mxGetIr (array);
  GE_TRY (new_diagonals (call, t));
  for (int64_t j = 0; j < t->n; j++)
    for (mwIndex k = jc[j]; k < jc[j + 1]; k++)
      {
        const int64_t i = (int64_t) ir[k];
        const double part[2] = { re[k], im ? im[k] : 0 };
        if (i >= j - 1 && i <= j + 1)
          put (t, i, j, part);
        else if (part[0] != 0 || part[1] != 0)
          {
            t->at = i + t->n * j + 1;
            t->finite = isfinite (part[0]) && isfinite (part[1]);
            return GPUEIG_OK;
          }
      }
  return GPUEIG_OK;
}

static int
is_lazy_diagonal (const mxArray *array)
{
  char text[40];
  mxArray *in = (mxArray *) array;
  mxArray *type = mex_builtin_1 ("typeinfo", 1, &in);
  const int found = mxGetString (type, text, sizeof text) == 0
                    && strstr (text, "diagonal matrix");
  mxDestroyArray (type);
  return found;
}

static gpueig_status
from_diagonal (mex_call *call, const mxArray *array, mex_tridiagonal *t)
{
  mxArray *in = (mxArray *) array;
  mxArray *diagonal = mex_builtin_1 ("diag", 1, &in);
  mex_matrix m;
  GE_TRY (new_diagonals (call, t));
  GE_TRY (mex_get_matrix (call, diagonal, t->type, &m));
  memcpy (t->a, m.data, (size_t) t->n * gpueig_scalar_size (t->type));
  return GPUEIG_OK;
}

static gpueig_status
from_full (mex_call *call, const mxArray *array, mex_tridiagonal *t)
{
  mex_matrix m;
  double part[2];
  GE_TRY (mex_get_matrix (call, array, t->type, &m));
  t->at = gpueig_outside_tridiagonal (call->ctx, t->type, t->n, m.data) + 1;
  if (t->at)
    {
      mex_parts_at (t->type, m.data, t->at - 1, part);
      t->finite = isfinite (part[0]) && isfinite (part[1]);
      return GPUEIG_OK;
    }
  GE_TRY (new_diagonals (call, t));
  for (int64_t j = 0; j < t->n; j++)
    for (int64_t i = j > 0 ? j - 1 : 0; i < t->n && i <= j + 1; i++)
      {
        mex_parts_at (t->type, m.data, i + t->n * j, part);
        put (t, i, j, part);
      }
  return GPUEIG_OK;
}

gpueig_status
mex_get_tridiagonal (mex_call *call, const mxArray *array, const char *what,
                     mex_tridiagonal *t)
{
  if (call->array)
    return mex_refuse (call);
  GE_TRY (mex_check_class (call, array, what));
  *t = (mex_tridiagonal){ .type = mex_type_of (array),
                          .n = (int64_t) mxGetM (array) };
  const int lazy
      = t->n > SMALL && ! mxIsSparse (array) && is_lazy_diagonal (array);
  GE_TRY (lazy ? mex_check_square_lazy (call, array, what)
               : mex_check_square (call, array, what));
  t->stack = mxGetNumberOfDimensions (array) > 2;
  if (t->stack)
    return GPUEIG_OK;
  if (mxIsSparse (array))
    return from_sparse (call, array, t);
  return lazy ? from_diagonal (call, array, t) : from_full (call, array, t);
}
