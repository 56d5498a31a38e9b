/* Reduction to tridiagonal form and back-transformation for MRRR, and LAPACK's
   tridiagonal eigensolvers xSTEMR, xSTEVD and xSTEQR.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "mrrr/lapack_typed.h"
#include "mrrr/mrrr.h"
#include "mrrr/math.h"
#include "run/solvers.h"
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
  frexp (ge_mrrr_largest_element (p->n, d, e), &p->exponent);
  p->tiny = ldexp ((double) GE_REAL_MIN, -p->exponent);
  p->norm = ge_mrrr_scale (p->n, d, e, p->exponent, p->d, p->e);
  for (int64_t k = 0; k <= p->iu - p->il; k++)
    p->w[k] = ldexp (lambda[k], -p->exponent);
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

/* A call of a LAPACK method: T, and the results W and Z, COLUMNS vectors or NULL.  */
typedef struct
{
  ge_method method;
  lapack_int n, lo, hi, found, info, lwork, liwork;
  int64_t columns;
  const double *d, *e;
  real_t *w, *z;
  char *space;
} solver_job;

static int
arguments_of_job (const void *job, ge_argument argument[GE_ARGUMENTS])
{
  const solver_job *j = job;
  const int64_t n = j->n;
  argument[0] = GE_IN (j, d, n, sizeof (double));
  argument[1] = GE_IN (j, e, n - 1, sizeof (double));
  argument[2] = GE_OUT (j, w, n, sizeof (real_t));
  argument[3] = GE_OUT (j, z, n * j->columns, sizeof (real_t));
  return 4;
}

static void
run_job (void *job)
{
  solver_job *j = job;
  const int64_t n = j->n;
  const lapack_int columns = (lapack_int) j->columns;
  const char *const vectors = j->z ? "V" : "N";
  const real_t none = 0;
  lapack_int tryrac = 1;
  real_t unused = 0;
  char *at = j->space;
  real_t *const z = j->z ? j->z : &unused;
  real_t *const d = ge_take (&at, n, sizeof *d);
  real_t *const e = ge_take (&at, n, sizeof *e);
  real_t *const work = ge_take (&at, j->lwork, sizeof *work);
  lapack_int *const support = ge_take (&at, 2 * n, sizeof *support);
  lapack_int *const iwork = ge_take (&at, j->liwork, sizeof *iwork);
  for (int64_t i = 0; i < n; i++)
    {
      d[i] = (real_t) j->d[i];
      e[i] = i + 1 < n ? (real_t) j->e[i] : 0;
    }
  j->found = columns;
  if (j->method == GE_METHOD_MRRR_STEMR)
    stemr_ (vectors, columns == j->n ? "A" : "I", &j->n, d, e, &none, &none,
            &j->lo, &j->hi, &j->found, j->w, z, &j->n, &columns, support,
            &tryrac, work, &j->lwork, iwork, &j->liwork, &j->info, 1, 1);
  else if (j->method == GE_METHOD_MRRR_STEVD)
    stevd_ (vectors, &j->n, d, e, z, &j->n, work, &j->lwork, iwork, &j->liwork,
            &j->info, 1);
  else
    steqr_ (j->z ? "I" : "N", &j->n, d, e, z, &j->n, work, &j->info, 1);
  if (j->method != GE_METHOD_MRRR_STEMR)
    memcpy (j->w, d, (size_t) n * sizeof *d);
}

static gpueig_status
run_solver (gpueig_context *ctx, solver_job *j)
{
  static const ge_page_kind kind
      = { sizeof *j, offsetof (solver_job, space), arguments_of_job, run_job };
  const int64_t n = j->n;
  const int64_t bytes = (2 * n + j->lwork) * (int64_t) sizeof (real_t)
                        + (2 * n + j->liwork) * (int64_t) sizeof (lapack_int)
                        + 5 * 64;
  if (ge_is_detached (n, GE_DETACHED_TRIDIAGONAL))
    return ge_run_page (ctx, &kind, j, bytes);
  GE_TRY (ge_alloc_job (ctx, (size_t) bytes, (void **) &j->space));
  run_job (j);
  ge_aligned_free (j->space);
  return GPUEIG_OK;
}

/* Compute eigenpairs IL .. IU by xSTEMR, or all of them by another method and keep IL ..
   IU.  */
gpueig_status
FN (ge_lapack_pairs) (gpueig_context *ctx, ge_method method, int64_t n,
                      const double *d, const double *e, int64_t il, int64_t iu,
                      double *lambda, void *v)
{
  const int parts = method == GE_METHOD_MRRR_STEMR;
  const int64_t count = iu - il + 1, first = parts ? 0 : il - 1;
  const int square = v && method == GE_METHOD_MRRR_STEVD;
  /* No other solver follows QL, so the limit is that of the tests.  */
  const double units = method == GE_METHOD_MRRR_QL ? 5 * (double) n + 120
                                                   : 3 * (double) n + 10;
  const int mark = ge_mark (ctx);
  solver_job j
      = { .method = method, .columns = parts ? count : n, .d = d, .e = e };
  int good;
  GE_TRY (ge_lapack_int (ctx, n, &j.n));
  GE_TRY (ge_lapack_int (ctx, il, &j.lo));
  GE_TRY (ge_lapack_int (ctx, iu, &j.hi));
  GE_TRY (ge_lapack_int (ctx, parts ? 18 * n : 1 + 4 * n + (square ? n * n : 0),
                         &j.lwork));
  GE_TRY (ge_lapack_int (ctx, parts ? 10 * n : 3 + 5 * n, &j.liwork));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &j.w));
  j.z = v;
  if (v && j.columns != count)
    GE_TRY (GE_ALLOC (ctx, GE_HOST, n * j.columns, &j.z));
  GE_TRY (run_solver (ctx, &j));
  if (j.info != 0 || j.found != j.columns)
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                        "LAPACK's %s failed with info %d, %d of %lld "
                        "eigenvalues",
                        ge_method_name (method), j.info, j.found,
                        (long long) j.columns);
  if (parts)
    GE_TRY (ge_sort_pairs (ctx, GE_DOUBLE ? GPUEIG_DOUBLE : GPUEIG_FLOAT, n,
                           count, j.w, v));
  for (int64_t k = 0; k < count; k++)
    lambda[k] = j.w[first + k];
  if (v && j.z != v)
    memcpy (v, j.z + n * first, (size_t) (n * count) * sizeof *j.z);
  ge_release (ctx, mark);
  GE_TRY (verify_pairs (ctx, n, d, e, il, iu, lambda, v, units, parts, &good));
  return good ? GPUEIG_OK
              : gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                             "LAPACK's %s returned wrong eigenpairs",
                             ge_method_name (method));
}

#endif
