/* NaN and Inf for which LAPACK's routines may never end.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Those are Schur forms of large matrices, where a deflation is waited for; MRRR with NaN,
   to which Inf is scaled; and singular vectors with Inf, which xGESVD and xGESDD scale to
   NaN, for which only xGESDD looks.  */

#include "preload.h"

#include <math.h>
#include <string.h>

enum
{
  HAS_NAN = 1,
  HAS_INF = 2
};

/* Find out which of COUNT reals of X are not finite.  */
static int
kinds_of (int is_double, const void *x, int64_t count)
{
  int found = 0;
  for (int64_t i = 0; i < count; i++)
    {
      const double value
          = is_double ? ((const double *) x)[i] : ((const float *) x)[i];
      found |= isnan (value) ? HAS_NAN : isinf (value) ? HAS_INF : 0;
    }
  return found;
}

/* Find out which elements of the matrix of R, ROWS-by-COLUMNS, are not finite.  */
static int
kinds_in_matrix (const ge_request *r, int64_t rows, int64_t columns)
{
  const size_t size = gpueig_scalar_size (r->type);
  int found = 0;
  for (int64_t j = 0; j < columns; j++)
    found |= kinds_of (gpueig_is_double (r->type),
                       (const char *) r->a + (size_t) (j * r->lda) * size,
                       rows * (1 + gpueig_is_complex (r->type)));
  return found;
}

/* Find out which elements of the triangle of R are not finite.  The imaginary parts of the
   diagonal are not read, as in LAPACK.  */
static int
kinds_in_triangle (const ge_request *r)
{
  const size_t size = gpueig_scalar_size (r->type);
  const int is_double = gpueig_is_double (r->type);
  int found = 0;
  for (int64_t j = 0; j < r->n; j++)
    {
      const char *const column
          = (const char *) r->a + (size_t) (j * r->lda) * size;
      found |= kinds_of (is_double, column + (size_t) j * size, 1);
      found |= kinds_of (
          is_double, column + (r->upper ? 0 : (size_t) (j + 1) * size),
          (r->upper ? j : r->n - 1 - j) * (1 + gpueig_is_complex (r->type)));
    }
  return found;
}

/* Find out which elements of the tridiagonal matrix of R are not finite.  */
static int
kinds_in_tridiagonal (const ge_request *r)
{
  const int is_double = gpueig_is_double (r->type);
  return kinds_of (is_double, r->d, r->n)
         | kinds_of (is_double, r->e, r->n - 1);
}

/* Nonzero if xSYEVR and xSTEVR call xSTEMR for R: for all eigenvalues with vectors.  */
static int
calls_mrrr (const ge_request *r)
{
  return r->vectors && r->il == 1 && r->iu == r->n;
}

/* X, ROWS-by-COLUMNS with the leading dimension LD, becomes NaN, whose bits are all 1.  */
static void
set_nan (void *x, size_t size, int64_t rows, int64_t columns, int64_t ld)
{
  for (int64_t j = 0; x && j < columns; j++)
    memset ((char *) x + (size_t) (j * ld) * size, 0xFF, (size_t) rows * size);
}

/* Write the results of xGEES for a matrix that is not finite.  */
static void
clear_schur (const ge_request *r)
{
  const size_t size = gpueig_scalar_size (r->type);
  const int64_t n = r->n;
  set_nan (r->a, size, n, n, r->lda);
  set_nan (r->w, size, n, 1, n);
  set_nan (r->wi, size, n, 1, n);
  set_nan (r->vr, size, n, n, r->ldvr);
}

/* Write the results of xGESVD for a matrix that is not finite.  */
static void
clear_svd (const ge_request *r)
{
  const size_t size = gpueig_scalar_size (r->type);
  const int64_t m = r->rows, n = r->columns, k = r->n;
  set_nan (r->w, gpueig_real_size (r->type), k, 1, k);
  set_nan (r->jobu == 'O' || r->jobvt == 'O' ? r->a : NULL, size, m, n, r->lda);
  set_nan (r->jobu == 'A' || r->jobu == 'S' ? r->vl : NULL, size, m,
           r->jobu == 'A' ? m : k, r->ldvl);
  set_nan (r->jobvt == 'A' || r->jobvt == 'S' ? r->vr : NULL, size,
           r->jobvt == 'A' ? n : k, n, r->ldvr);
}

static int
may_never_end (const ge_request *r)
{
  switch (r->driver)
    {
    case GE_GEES:
    case GE_GEESX:
      return kinds_in_matrix (r, r->n, r->n);
    case GE_GESVD:
    case GE_GESDD:
      return r->vectors && kinds_in_matrix (r, r->rows, r->columns) & HAS_INF;
    case GE_SYEVR:
      return calls_mrrr (r) && kinds_in_triangle (r);
    case GE_STEVR:
      return calls_mrrr (r) && kinds_in_tridiagonal (r);
    case GE_STEMR:
      return kinds_in_tridiagonal (r);
    default:
      return 0;
    }
}

int
ge_refuse_nonfinite (ge_request *r, int names, const void *address)
{
  if (! may_never_end (r) || ge_caller_is_excluded (address, names))
    return 0;
  r->found = 0;
  if (r->driver == GE_GEES || r->driver == GE_GEESX)
    clear_schur (r);
  else if (r->driver == GE_GESVD || r->driver == GE_GESDD)
    clear_svd (r);
  return 1;
}
