/* LAPACK around MRRR: reduction to tridiagonal form and back, and its own
   tridiagonal eigensolvers as peers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "mrrr/mrrr.h"
#include "mrrr/math.h"
#include "tridiagonal/tridiagonal.h"

#include <math.h>
#include <string.h>

/* A copy *WORK of A with the reflectors, *TAU, and T = (d, e), in CTX's current
   frame.  */
gpueig_status
FN (ge_mrrr_reduce) (gpueig_context *ctx, int64_t order, const void *a,
                     void **work_out, void **tau_out, double *d, double *e)
{
  lapack_int n;
  scalar_t *copy, *tau;
  real_t *dr, *er;
  int64_t square;
  GE_TRY (ge_lapack_int (ctx, order, &n));
  GE_TRY (ge_multiply (ctx, order, order, &square));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, square, &copy));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, order, &tau));
  int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, order, &dr));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, order, &er));
  memcpy (copy, a, (size_t) square * sizeof *copy);
  const double scale = FN (ge_scale_to_one) (square, copy);
  GE_TRY (FN (ge_tridiagonalise) (ctx, n, copy, dr, er, tau));
  for (int64_t i = 0; i < order; i++)
    {
      d[i] = scale * dr[i];
      e[i] = i + 1 < order ? scale * er[i] : 0;
    }
  ge_release (ctx, mark);
  *work_out = copy;
  *tau_out = tau;
  /* The largest entry of A may be near the overflow threshold.  */
  if (ge_find_nonfinite (GPUEIG_DOUBLE, d, order) >= 0
      || ge_find_nonfinite (GPUEIG_DOUBLE, e, order) >= 0)
    return gpueig_fail (ctx, GPUEIG_NONFINITE,
                        "the matrix is too large: its reduction to tridiagonal "
                        "form overflows, scale it down");
  return GPUEIG_OK;
}

/* V = Q Z; Z is real and may be V itself where the type is real.  */
gpueig_status
FN (ge_mrrr_back) (gpueig_context *ctx, int64_t order, int64_t columns,
                   const void *reflectors, const void *tau, const void *z,
                   void *v)
{
  lapack_int n, m;
  scalar_t *out = v;
  GE_TRY (ge_lapack_int (ctx, order, &n));
  GE_TRY (ge_lapack_int (ctx, columns, &m));
  if (v != z)
    for (int64_t i = 0; i < order * columns; i++)
      out[i] = make_ (((const real_t *) z)[i], 0);
  return FN (ge_back_transform) (ctx, n, m, reflectors, tau, out);
}

#if ! GE_COMPLEX

#  define stemr_ LAPACK (sstemr_, dstemr_, , )
void stemr_ (const char *jobz, const char *range, const lapack_int *n,
             real_t *d, real_t *e, const real_t *vl, const real_t *vu,
             const lapack_int *il, const lapack_int *iu, lapack_int *m,
             real_t *w, real_t *z, const lapack_int *ldz, const lapack_int *nzc,
             lapack_int *isuppz, lapack_int *tryrac, real_t *work,
             const lapack_int *lwork, lapack_int *iwork,
             const lapack_int *liwork, lapack_int *info, size_t, size_t);

#  define stevd_ LAPACK (sstevd_, dstevd_, , )
void stevd_ (const char *jobz, const lapack_int *n, real_t *d, real_t *e,
             real_t *z, const lapack_int *ldz, real_t *work,
             const lapack_int *lwork, lapack_int *iwork,
             const lapack_int *liwork, lapack_int *info, size_t);

static gpueig_status
copy_tridiagonal (gpueig_context *ctx, int64_t n, const double *d,
                  const double *e, real_t **dr, real_t **er)
{
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, dr));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, er));
  for (int64_t i = 0; i < n; i++)
    {
      (*dr)[i] = (real_t) d[i];
      (*er)[i] = i + 1 < n ? (real_t) e[i] : 0;
    }
  return GPUEIG_OK;
}

/* --- verification ---

   In units of 2^exponent near the largest element, as double.  */

typedef struct
{
  int64_t n, il, iu;
  double *d, *e, *w; /* T and its eigenvalues il .. iu */
  double norm;       /* |T| in the 1-norm */
  double tiny;       /* the smallest normal number */
  double *y, *r;     /* scratch of n */
} pairs;

/* Is W to within rounding errors the eigenvalue of the number INDEX?  */
static int
has_index (const pairs *p, int64_t index, double w)
{
  const double slack = 5 * (double) p->n * (double) GE_EPS * p->norm + p->tiny;
  return ge_mrrr_count (p->n, p->d, p->e, w - slack) < index
         && ge_mrrr_count (p->n, p->d, p->e, w + slack) >= index;
}

/* For a random combination x of the columns of Z: are the elements of Z'Z x - x
   and (T Z x - Z diag (W) x) / |T| at most LIMIT?  */
static int
vectors_are_right (const pairs *p, const real_t *z, double limit)
{
  const int64_t n = p->n, count = p->iu - p->il + 1;
  double *y = p->y, *r = p->r;
  int good = 1;
  memset (y, 0, (size_t) n * sizeof *y);
  memset (r, 0, (size_t) n * sizeof *r);
  for (int64_t k = 0; k < count; k++)
    {
      const double x = 0.5 + fabs (ge_counter_random ((uint64_t) k));
      for (int64_t i = 0; i < n; i++)
        {
          y[i] += x * (double) z[i + n * k];
          r[i] += x * p->w[k] * (double) z[i + n * k];
        }
    }
  for (int64_t i = 0; i < n; i++)
    {
      double t = p->d[i] * y[i] + (i > 0 ? p->e[i - 1] * y[i - 1] : 0)
                 + (i + 1 < n ? p->e[i] * y[i + 1] : 0);
      good &= fabs (t - r[i]) <= limit * p->norm + p->tiny;
    }
  for (int64_t k = 0; k < count; k++)
    {
      double t = -0.5 - fabs (ge_counter_random ((uint64_t) k));
      for (int64_t i = 0; i < n; i++)
        t += y[i] * (double) z[i + n * k];
      good &= fabs (t) <= limit;
    }
  return good;
}

static void
scale_pairs (pairs *p, const double *d, const double *e, const double *lambda)
{
  double largest = 0;
  int exponent = 0;
  for (int64_t i = 0; i < p->n; i++)
    largest
        = fmax (largest, fmax (fabs (d[i]), i + 1 < p->n ? fabs (e[i]) : 0));
  if (largest > 0)
    frexp (largest, &exponent);
  p->norm = 0;
  p->tiny = ldexp ((double) GE_REAL_MIN, -exponent);
  for (int64_t i = 0; i < p->n; i++)
    {
      p->d[i] = ldexp (d[i], -exponent);
      p->e[i] = i + 1 < p->n ? ldexp (e[i], -exponent) : 0;
      p->norm = fmax (p->norm, fabs (p->d[i]) + fabs (p->e[i])
                                   + (i > 0 ? fabs (p->e[i - 1]) : 0));
    }
  for (int64_t k = 0; k <= p->iu - p->il; k++)
    p->w[k] = ldexp (lambda[k], -exponent);
}

/* What LAPACK returned for the numbers IL .. IU: in order, the right ones (some
   of them are counted), with vectors that belong to them (a sample, whose errors
   may be UNITS of eps).  */
static gpueig_status
verify_pairs (gpueig_context *ctx, int64_t n, const double *d, const double *e,
              int64_t il, int64_t iu, const double *lambda, const real_t *z,
              double units, int *good)
{
  enum
  {
    SAMPLES = 32
  };
  pairs p = { .n = n, .il = il, .iu = iu };
  const int64_t count = iu - il + 1, step = 1 + (count - 1) / SAMPLES;
  const int mark = ge_mark (ctx);
  double *space;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 5 * n, &space));
  p.d = space;
  p.e = space + n;
  p.w = space + 2 * n;
  p.y = space + 3 * n;
  p.r = space + 4 * n;
  scale_pairs (&p, d, e, lambda);
  *good = has_index (&p, iu, p.w[count - 1]);
  for (int64_t k = 1; k < count; k++)
    *good &= p.w[k - 1] <= p.w[k];
  for (int64_t k = 0; k < count && *good; k += step)
    *good = has_index (&p, il + k, p.w[k]);
  if (*good && z)
    *good = vectors_are_right (&p, z, units * (double) GE_EPS);
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* --- solvers --- */

/* Eigenpairs il .. iu by xSTEMR.  */
gpueig_status
FN (ge_stemr) (gpueig_context *ctx, int64_t order, const double *d,
               const double *e, int64_t il, int64_t iu, double *lambda, void *v)
{
  lapack_int n, lo, hi, found, info, tryrac = 1, lwork, liwork;
  lapack_int *support, *iwork;
  real_t *dr, *er, *w, *work, none = 0;
  int mark = ge_mark (ctx);
  GE_TRY (ge_lapack_int (ctx, order, &n));
  GE_TRY (ge_lapack_int (ctx, il, &lo));
  GE_TRY (ge_lapack_int (ctx, iu, &hi));
  GE_TRY (ge_lapack_int (ctx, 18 * order, &lwork));
  liwork = 10 * n;
  GE_TRY (copy_tridiagonal (ctx, order, d, e, &dr, &er));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, order, &w));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, lwork, &work));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 2 * order, &support));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, liwork, &iwork));
  lapack_int columns = hi - lo + 1;
  stemr_ (v ? "V" : "N", il == 1 && iu == order ? "A" : "I", &n, dr, er, &none,
          &none, &lo, &hi, &found, w, v, &n, &columns, support, &tryrac, work,
          &lwork, iwork, &liwork, &info, 1, 1);
  int good = info == 0 && found == columns;
  if (good)
    {
      GE_TRY (ge_sort_pairs (ctx, GE_DOUBLE ? GPUEIG_DOUBLE : GPUEIG_FLOAT,
                             order, columns, w, v));
      for (int64_t i = 0; i < columns; i++)
        lambda[i] = w[i];
      GE_TRY (verify_pairs (ctx, order, d, e, il, iu, lambda, v,
                            3 * (double) order + 10, &good));
    }
  ge_release (ctx, mark);
  return good ? GPUEIG_OK
              : gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                             "LAPACK's stemr failed with info %d, %d of %d "
                             "eigenvalues",
                             (int) info, (int) found, (int) columns);
}

/* All eigenpairs by xSTEVD, of which il .. iu are kept.  */
gpueig_status
FN (ge_stevd) (gpueig_context *ctx, int64_t order, const double *d,
               const double *e, int64_t il, int64_t iu, double *lambda, void *v)
{
  lapack_int n, info, lwork, liwork, *iwork;
  real_t *dr, *er, *work, *z = v;
  int all = il == 1 && iu == order;
  int mark = ge_mark (ctx);
  GE_TRY (ge_lapack_int (ctx, order, &n));
  GE_TRY (ge_lapack_int (ctx, 1 + 4 * order + (v ? order * order : 0), &lwork));
  liwork = 3 + 5 * n;
  GE_TRY (copy_tridiagonal (ctx, order, d, e, &dr, &er));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, lwork, &work));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, liwork, &iwork));
  if (v && ! all)
    GE_TRY (GE_ALLOC (ctx, GE_HOST, order * order, &z));
  stevd_ (v ? "V" : "N", &n, dr, er, z, &n, work, &lwork, iwork, &liwork, &info,
          1);
  if (info != 0)
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                        "LAPACK's stevd failed with info %d", (int) info);
  for (int64_t i = il; i <= iu; i++)
    lambda[i - il] = dr[i - 1];
  if (v && ! all)
    memcpy (v, z + order * (il - 1),
            (size_t) (order * (iu - il + 1)) * sizeof (real_t));
  int good;
  /* The last resort: judged by what the tests allow.  */
  GE_TRY (verify_pairs (ctx, order, d, e, il, iu, lambda, v,
                        5 * (double) order + 120, &good));
  ge_release (ctx, mark);
  return good ? GPUEIG_OK
              : gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                             "LAPACK's stevd returned wrong eigenpairs");
}

#endif
