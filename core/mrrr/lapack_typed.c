/* Reduction to tridiagonal form and back-transformation for MRRR, and LAPACK's
   tridiagonal eigensolvers xSTEMR, xSTEVD and xSTEQR.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "mrrr/lapack_typed.h"
#include "mrrr/mrrr.h"
#include "mrrr/math.h"
#include "tridiagonal/tridiagonal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reduce a copy *WORK of A, in CTX's current frame: *WORK gets the reflectors, *TAU their
   factors, and (d, e) is T.  */
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
  const double scale = FN (ge_scale_to_one) (ctx, square, copy);
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
  if (ge_find_nonfinite (ctx, GPUEIG_DOUBLE, d, order) >= 0
      || ge_find_nonfinite (ctx, GPUEIG_DOUBLE, e, order) >= 0)
    return gpueig_fail (ctx, GPUEIG_NONFINITE,
                        "the matrix is too large: its reduction to tridiagonal "
                        "form overflows, scale it down");
  return GPUEIG_OK;
}

/* V = Q Z; Z is real and may be V itself where the type is real.  */
gpueig_status
FN (ge_mrrr_back) (gpueig_context *ctx, int64_t order, int64_t columns,
                   void *reflectors, const void *tau, const void *z, void *v)
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

#  define steqr_ LAPACK (ssteqr_, dsteqr_, , )
void steqr_ (const char *compz, const lapack_int *n, real_t *d, real_t *e,
             real_t *z, const lapack_int *ldz, real_t *work, lapack_int *info,
             size_t);

/* --- verification ---

   In units of 2^exponent near the largest element, as double.  */

typedef struct
{
  int64_t n, il, iu;
  int exponent;
  double *d, *e, *w; /* T and its eigenvalues il .. iu */
  double norm;       /* |T| in the 1-norm */
  double tiny;       /* the smallest normal number */
  double *y, *r;     /* scratch of n */
} pairs;

/* Nonzero if W is eigenvalue number INDEX up to rounding errors, by Sturm counts.  */
static int
has_index (const pairs *p, int64_t index, double w)
{
  const double slack = 5 * (double) p->n * (double) GE_EPS * p->norm + p->tiny;
  return ge_mrrr_count (p->n, p->d, p->e, w - slack) < index
         && ge_mrrr_count (p->n, p->d, p->e, w + slack) >= index;
}

/* Eigenvalue number INDEX, by bisection where W differs by more than a few eps |T| from
   it, as those of xSTEMR with an index range do; W must satisfy has_index.  */
static double
polish (const pairs *p, int64_t index, double w)
{
  const double unit = (double) GE_EPS * p->norm, near = 2 * unit + p->tiny;
  if (ge_mrrr_count (p->n, p->d, p->e, w - near) < index
      && ge_mrrr_count (p->n, p->d, p->e, w + near) >= index)
    return w;
  double slack = 5 * (double) p->n * unit + p->tiny;
  double low = w - slack, high = w + slack;
  while (high - low > unit + p->tiny)
    {
      const double middle = low + (high - low) / 2;
      if (ge_mrrr_count (p->n, p->d, p->e, middle) < index)
        low = middle;
      else
        high = middle;
    }
  return low + (high - low) / 2;
}

/* Nonzero if for a random x the elements of Z'Z x - x and of
   (T Z x - Z diag (W) x) / |T| are at most LIMIT.  */
static int
vectors_pass (const pairs *p, const real_t *z, double limit)
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
  p->exponent = exponent;
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

/* Verify LAPACK's eigenpairs IL .. IU: eigenvalues ascending, a sample of them by Sturm
   counts, vectors by a random combination, with errors up to UNITS eps.  With POLISHED
   eigenvalues are corrected, see polish.  */
static gpueig_status
verify_pairs (gpueig_context *ctx, int64_t n, const double *d, const double *e,
              int64_t il, int64_t iu, double *lambda, const real_t *z,
              double units, int polished, int *good)
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
    *good = vectors_pass (&p, z, units * (double) GE_EPS);
  for (int64_t k = 0; k < count && *good && polished; k++)
    {
      const double w = polish (&p, il + k, p.w[k]);
      if (w != p.w[k])
        lambda[k] = ldexp (w, p.exponent);
      if (k > 0 && lambda[k] < lambda[k - 1])
        lambda[k] = lambda[k - 1];
    }
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* --- solvers --- */

/* A detachable job for one of them: T, workspace and results.  */
typedef struct
{
  lapack_int n, lo, hi, found, columns, tryrac, info, lwork, liwork;
  int vectors;
  real_t *d, *e, *w, *z, *work;
  lapack_int *support, *iwork;
} solver_job;

static void
run_stemr (void *job)
{
  solver_job *j = job;
  const real_t none = 0;
  stemr_ (j->vectors ? "V" : "N", j->columns == j->n ? "A" : "I", &j->n, j->d,
          j->e, &none, &none, &j->lo, &j->hi, &j->found, j->w, j->z, &j->n,
          &j->columns, j->support, &j->tryrac, j->work, &j->lwork, j->iwork,
          &j->liwork, &j->info, 1, 1);
}

static void
run_stevd (void *job)
{
  solver_job *j = job;
  stevd_ (j->vectors ? "V" : "N", &j->n, j->d, j->e, j->z, &j->n, j->work,
          &j->lwork, j->iwork, &j->liwork, &j->info, 1);
}

static void
run_steqr (void *job)
{
  solver_job *j = job;
  steqr_ (j->vectors ? "I" : "N", &j->n, j->d, j->e, j->z, &j->n, j->work,
          &j->info, 1);
}

/* Without room for Z where that is GIVEN.  */
static char *
lay_out (solver_job *j, int64_t columns, void *given, char *at)
{
  const int64_t n = j->n;
  j->d = ge_take (&at, n, sizeof *j->d);
  j->e = ge_take (&at, n, sizeof *j->e);
  j->w = ge_take (&at, n, sizeof *j->w);
  j->z = given ? given
               : ge_take (&at, j->vectors ? n * columns : 1, sizeof *j->z);
  j->work = ge_take (&at, j->lwork, sizeof *j->work);
  j->support = ge_take (&at, 2 * n, sizeof *j->support);
  j->iwork = ge_take (&at, j->liwork, sizeof *j->iwork);
  return at;
}

/* Allocate a job with workspaces of LWORK and LIWORK and, unless V is NULL, room for COLUMNS
   vectors: V itself if that has IL .. IU alone, and the job cannot be detached.  */
static gpueig_status
new_job (gpueig_context *ctx, int64_t order, const double *d, const double *e,
         int64_t il, int64_t iu, void *v, int64_t columns, int64_t lwork,
         int64_t liwork, solver_job **job)
{
  solver_job j = { .tryrac = 1, .vectors = v != NULL };
  if (columns != iu - il + 1 || ge_can_interrupt (ctx))
    v = NULL;
  const size_t head = (sizeof j + 63) & ~(size_t) 63;
  GE_TRY (ge_lapack_int (ctx, order, &j.n));
  GE_TRY (ge_lapack_int (ctx, il, &j.lo));
  GE_TRY (ge_lapack_int (ctx, iu, &j.hi));
  GE_TRY (ge_lapack_int (ctx, lwork, &j.lwork));
  GE_TRY (ge_lapack_int (ctx, liwork, &j.liwork));
  j.columns = j.hi - j.lo + 1;
  /* Any aligned address: only the difference is used.  */
  char *start = (char *) (uintptr_t) 64;
  GE_TRY (ge_alloc_job (
      ctx, head + (size_t) (lay_out (&j, columns, v, start) - start),
      (void **) job));
  lay_out (&j, columns, v, (char *) *job + head);
  for (int64_t i = 0; i < order; i++)
    {
      j.d[i] = (real_t) d[i];
      j.e[i] = i + 1 < order ? (real_t) e[i] : 0;
    }
  **job = j;
  return GPUEIG_OK;
}

/* Eigenpairs il .. iu by xSTEMR.  */
static gpueig_status
some_pairs (gpueig_context *ctx, int64_t n, const double *d, const double *e,
            int64_t il, int64_t iu, double *lambda, void *v)
{
  solver_job *j;
  GE_TRY (new_job (ctx, n, d, e, il, iu, v, iu - il + 1, 18 * n, 10 * n, &j));
  GE_TRY (ge_run_detachable (ctx, run_stemr, free, j));
  const int info = j->info, found = j->found, columns = j->columns;
  gpueig_status status = GPUEIG_OK;
  int good = info == 0 && found == columns;
  if (good)
    status = ge_sort_pairs (ctx, GE_DOUBLE ? GPUEIG_DOUBLE : GPUEIG_FLOAT, n,
                            columns, j->w, v ? j->z : NULL);
  for (int64_t i = 0; i < columns && good; i++)
    lambda[i] = j->w[i];
  if (good && v && v != j->z)
    memcpy (v, j->z, (size_t) (n * columns) * sizeof (real_t));
  free (j);
  GE_TRY (status);
  return good ? GPUEIG_OK
              : gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                             "LAPACK's stemr failed with info %d, %d of %d "
                             "eigenvalues",
                             info, found, columns);
}

/* Up to this order xSTEVD and xSTEQR take less than 0.1 s or so, so that they need not be
   interrupted; a thread of its own would take 0.2 ms.  */
enum
{
  SHORT = 500
};

/* All eigenpairs by METHOD, xSTEVD or xSTEQR, of which il .. iu are kept.  */
static gpueig_status
all_pairs (gpueig_context *ctx, ge_method method, int64_t n, const double *d,
           const double *e, int64_t il, int64_t iu, double *lambda, void *v)
{
  const int divide = method == GE_METHOD_MRRR_STEVD;
  solver_job *j;
  GE_TRY (new_job (ctx, n, d, e, il, iu, v, n,
                   1 + 4 * n + (v && divide ? n * n : 0), 3 + 5 * n, &j));
  if (n <= SHORT)
    (divide ? run_stevd : run_steqr) (j);
  else
    GE_TRY (ge_run_detachable (ctx, divide ? run_stevd : run_steqr, free, j));
  const int info = j->info;
  for (int64_t i = il; i <= iu; i++)
    lambda[i - il] = j->d[i - 1];
  if (v && v != j->z)
    memcpy (v, j->z + n * (il - 1),
            (size_t) (n * (iu - il + 1)) * sizeof (real_t));
  free (j);
  if (info == 0)
    return GPUEIG_OK;
  return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                      "LAPACK's %s failed with info %d",
                      divide ? "stevd" : "steqr", info);
}

gpueig_status
FN (ge_lapack_pairs) (gpueig_context *ctx, ge_method method, int64_t n,
                      const double *d, const double *e, int64_t il, int64_t iu,
                      double *lambda, void *v)
{
  const int parts = method == GE_METHOD_MRRR_STEMR;
  /* There is no other solver after QL, so its limit is that of the tests.  */
  const double units = method == GE_METHOD_MRRR_QL ? 5 * (double) n + 120
                                                   : 3 * (double) n + 10;
  int good;
  if (parts)
    GE_TRY (some_pairs (ctx, n, d, e, il, iu, lambda, v));
  else
    GE_TRY (all_pairs (ctx, method, n, d, e, il, iu, lambda, v));
  GE_TRY (verify_pairs (ctx, n, d, e, il, iu, lambda, v, units, parts, &good));
  return good ? GPUEIG_OK
              : gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                             "LAPACK's %s returned wrong eigenpairs",
                             ge_method_name (method));
}

#endif
