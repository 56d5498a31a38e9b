/* LAPACK's drivers for one general page, xGEEVX, or pair, xGGEV, and the verification of vectors.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Any thread may call these functions: the caller passes the workspace.  */

#include "base/verify_by_sampling.h"
#include "eig/general.h"
#include "lapack/lapack.h"

#include <math.h>
#include <string.h>

/* Vectors are complex.  */
#define multiply_vectors                                                       \
  LAPACK (ge_sample_multiply_c, ge_sample_multiply_z, ge_sample_multiply_c,    \
          ge_sample_multiply_z)
#define find_lengths                                                           \
  LAPACK (ge_sample_lengths_c, ge_sample_lengths_z, ge_sample_lengths_c,       \
          ge_sample_lengths_z)

/* The parts of the workspace, each a multiple of 64 bytes.  */
typedef struct
{
  scalar_t *a, *b, *beta, *work, *vl, *vr; /* B and BETA: of pairs */
  real_t *scale, *rcond, *more;
  lapack_int *iwork;
  lapack_int lwork;
} geev_work;

/* Eigenvalues, of pairs numerators, as LAPACK returns them.  */
#if GE_COMPLEX
#  define RETURNED values
#else
#  define RETURNED work->more, work->more + n
#endif

/* Call xGGEV of a PAIR, otherwise xGEEVX.  WORK->lwork = -1 is a workspace query: the optimal
   size is returned in work[0].  VALUES: of complex types.  */
static lapack_int
call_driver (lapack_int n, int pair, int balance, int left, int right,
             const geev_work *work, scalar_t *values)
{
  lapack_int ilo, ihi, info = 0;
  real_t norm;
  const char *jobvl = left ? "V" : "N", *jobvr = right ? "V" : "N";
  (void) values;
  if (pair)
    ggev_ (jobvl, jobvr, &n, work->a, &n, work->b, &n, RETURNED, work->beta,
           work->vl, &n, work->vr, &n, work->work, &work->lwork,
#if GE_COMPLEX
           work->more,
#endif
           &info, 1, 1);
  else
    geevx_ (balance ? "B" : "N", jobvl, jobvr, "N", &n, work->a, &n, RETURNED,
            work->vl, &n, work->vr, &n, &ilo, &ihi, work->scale, &norm,
            work->rcond, work->rcond + n, work->work, &work->lwork,
            GE_COMPLEX ? (void *) work->more : (void *) work->iwork, &info, 1,
            1, 1, 1);
  return info;
}

/* Lay out the workspace from AT on; returns its end.  For real types it includes arrays
   for the packed vectors; complex ones are computed directly in the result.  */
static char *
lay_out (char *at, int64_t n, int pair, int left, int right, geev_work *work)
{
  work->a = ge_take (&at, n * n, sizeof (scalar_t));
  work->b = ge_take (&at, pair ? n * n : 0, sizeof (scalar_t));
  work->beta = ge_take (&at, pair ? n : 0, sizeof (scalar_t));
  work->scale = ge_take (&at, n, sizeof (real_t));
  work->rcond = ge_take (&at, 2 * n, sizeof (real_t));
  work->more = ge_take (&at, pair ? 8 * n : 2 * n, sizeof (real_t));
  work->iwork = ge_take (&at, 2 * n, sizeof (lapack_int));
  work->vl = ge_take (&at, ! GE_COMPLEX && left ? n * n : 1, sizeof (scalar_t));
  work->vr
      = ge_take (&at, ! GE_COMPLEX && right ? n * n : 1, sizeof (scalar_t));
  work->work = ge_take (&at, work->lwork, sizeof (scalar_t));
  return at;
}

/* *BYTES of workspace for pages, or pairs, of order N, and *LWORK for LAPACK's driver.  */
gpueig_status
FN (ge_geevx_size) (gpueig_context *ctx, int64_t order, int pair, int left,
                    int right, int64_t *bytes, int64_t *lwork)
{
  lapack_int n = 0;
  scalar_t optimal, dummy;
  real_t rdummy[2];
  lapack_int idummy;
  geev_work work = { &dummy, &dummy, &dummy, &optimal, &dummy, &dummy,
                     rdummy, rdummy, rdummy, &idummy,  -1 };
  GE_TRY (ge_lapack_int (ctx, order, &n));
  (void) call_driver (n, pair, 1, left, right, &work, &dummy);
  /* The size is returned as floating point: round up for single precision.  */
  GE_TRY (ge_lapack_int (ctx, (int64_t) (re_ (optimal) * (1 + GE_EPS)) + 1,
                         &work.lwork));
  *lwork = work.lwork;
  *bytes = lay_out (GE_NOWHERE, order, pair, left, right, &work) - GE_NOWHERE;
  return GPUEIG_OK;
}

/* The quotient of the largest and the smallest scale factor of the balancing.  SPACE:
   n^2 + n scalars.  */
double
FN (ge_balance_spread) (int64_t order, const void *a, void *space)
{
  const lapack_int n = (lapack_int) order;
  lapack_int ilo, ihi, info;
  scalar_t *copy = space;
  real_t *scale = (real_t *) (copy + order * order), least = GE_REAL_MAX,
         most = 0;
  memcpy (copy, a, (size_t) (order * order) * sizeof *copy);
  gebal_ ("B", &n, copy, &n, &ilo, &ihi, scale, &info, 1);
  /* Outside of ilo .. ihi there are indices of exchanged rows.  */
  for (lapack_int i = ilo - 1; i < ihi; i++)
    {
      least = fmin_ (least, scale[i]);
      most = fmax_ (most, scale[i]);
    }
  return (double) most / (double) least;
}

#if ! GE_COMPLEX
/* Convert LAPACK's real storage of complex vectors, column pairs (re, im) for conjugate
   pairs of eigenvalues, to interleaved complex columns.  */
static void
unpack_pairs (int64_t n, const real_t *wi, const real_t *packed, real_t *out)
{
  for (int64_t j = 0; j < n; j++)
    {
      int pair = wi[j] != 0 && j + 1 < n;
      const real_t *re = packed + n * j, *im = re + n;
      for (int64_t i = 0; i < n; i++)
        {
          real_t y = pair ? im[i] : 0;
          out[2 * (i + n * j)] = re[i];
          out[2 * (i + n * j) + 1] = y;
          if (pair)
            {
              out[2 * (i + n * (j + 1))] = re[i];
              out[2 * (i + n * (j + 1)) + 1] = -y;
            }
        }
      j += pair;
    }
}
#endif

/* Nonzero if one of COUNT reals of X is NaN; X may be NULL.  */
int
FN (ge_has_nan) (int64_t count, const void *x)
{
  const real_t *const reals = x;
  int found = 0;
  for (int64_t i = 0; reals && i < count; i++)
    found |= reals[i] != reals[i];
  return found;
}

static void
exchange_indices (int64_t n, const scalar_t *from, scalar_t *to)
{
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      to[j + n * i] = from[i + n * j];
}

/* The pair (A, B) for which xGGEV has failed, transposed: its left and right vectors, where
   right and left ones of (A, B) are wanted, are their complex conjugates.  */
static lapack_int
call_transposed (lapack_int n, const scalar_t *a, const scalar_t *b, int left,
                 int right, const geev_work *work, scalar_t *values)
{
  geev_work turned = *work;
  turned.vl = work->vr;
  turned.vr = work->vl;
  exchange_indices (n, a, turned.a);
  exchange_indices (n, b, turned.b);
  return call_driver (n, 1, 0, right, left, &turned, values);
}

/* V, N complex numbers or NULL, becomes its conjugate.  */
static void
conjugate_vectors (int64_t n, real_t *v)
{
  for (int64_t i = 0; v && i < n; i++)
    v[2 * i + 1] = -v[2 * i + 1];
}

/* LAMBDA, V and W are interleaved complex for every type; V and W may be NULL.
   SPACE has ge_geevx_size bytes and may begin with the matrix, not with that of a pair;
   B: NULL, or that of a pair.  Returns LAPACK's info, or ORDER + 1 if a vector of one matrix has a NaN.  */
int
FN (ge_geevx) (int64_t order, const void *matrix, const void *b, int balance,
               void *lambda, void *v, void *w, void *space, int lwork)
{
  geev_work work = { .lwork = lwork };
  const lapack_int n = (lapack_int) order;
  lay_out (space, order, b != NULL, w != NULL, v != NULL, &work);
  if (matrix != work.a)
    memcpy (work.a, matrix, (size_t) (order * order) * sizeof (scalar_t));
#if GE_COMPLEX
  if (w)
    work.vl = w;
  if (v)
    work.vr = v;
#endif
  if (b)
    memcpy (work.b, b, (size_t) (order * order) * sizeof (scalar_t));
  int info = call_driver (n, b != NULL, balance, w != NULL, v != NULL, &work,
                          lambda);
  const int transposed = b && info > 0;
  if (transposed)
    info = call_transposed (n, matrix, b, w != NULL, v != NULL, &work, lambda);
#if GE_COMPLEX
  scalar_t *out = lambda;
  for (int64_t j = 0; b && j < order; j++)
    out[j] /= work.beta[j];
#else
  real_t *out = lambda;
  for (int64_t j = 0; j < order; j++)
    {
      const real_t im = work.more[order + j];
      out[2 * j] = b ? work.more[j] / work.beta[j] : work.more[j];
      out[2 * j + 1] = b && im != 0 ? im / work.beta[j] : im;
    }
  if (v)
    unpack_pairs (order, work.more + order, work.vr, v);
  if (w)
    unpack_pairs (order, work.more + order, work.vl, w);
#endif
  if (transposed)
    {
      conjugate_vectors (order * order, v);
      conjugate_vectors (order * order, w);
    }
  const int64_t reals = 2 * order * order;
  if (info == 0 && ! b
      && (FN (ge_has_nan) (reals, v) || FN (ge_has_nan) (reals, w)))
    info = (int) order + 1;
  return info;
}

/* --- residual of vectors --- */

/* The largest |A v - lambda v|_1, or with LEFT |A' w - conj (lambda) w|_1, of COUNT
   sums of all vectors V with random signs, in which a large residual of one vector is
   not cancelled, or of each vector if COUNT is N; in units of n eps |A|_1.  */
double
FN (ge_geev_residual) (int64_t n, const void *a, const void *lambda,
                       const void *v, int left, int64_t count, double *space)
{
  const real_t *values = lambda;
  const double unit = FN (ge_page_norm) (n, a) * (double) n * (double) GE_EPS;
  double *part[GE_GEEV_SPACE], worst = 0;
  uint32_t state = 12345;
  for (int i = 0; i < GE_GEEV_SPACE; i++)
    part[i] = space + n * i;
  double *const *z = part, *const *y = part + 2, *const *x = part + 4,
                *const *t = part + 6, *const *w = part + 8;
  for (int64_t k = 0; k < count; k++)
    {
      double norm = 0;
      for (int64_t j = 0; j < n; j++)
        {
          state = state * 1664525u + 1013904223u;
          z[0][j] = count == n && j != k ? 0 : state >> 31 ? 1 : -1;
          z[1][j] = 0;
          t[0][j] = z[0][j] * (double) values[2 * j];
          t[1][j] = (left ? -z[0][j] : z[0][j]) * (double) values[2 * j + 1];
        }
      multiply_vectors (NULL, n, n, v, 0, z, y);
      multiply_vectors (NULL, n, n, v, 0, t, w);
      if (left)
        FN (ge_sample_adjoint) (NULL, n, n, a, 0, y, x);
      else
        FN (ge_sample_multiply) (NULL, n, n, a, 0, y, x);
      for (int64_t i = 0; i < n; i++)
        norm += hypot (x[0][i] - w[0][i], x[1][i] - w[1][i]);
      worst = ge_larger (norm, worst);
    }
  return worst == 0 ? 0 : worst / unit;
}

/* Nonzero if the vectors V, of norm 1, have residuals as LAPACK's, which are larger where
   the scale factors of the balancing are far apart.  */
static int
are_vectors (int64_t n, const void *a, int balance, const void *lambda,
             const void *v, int left, double *space)
{
  const double most = 100, eps = (double) GE_EPS;
  find_lengths (n, n, v, space);
  for (int64_t j = 0; j < n; j++)
    if (! (fabs (space[j] - 1) <= most * (double) n * eps))
      return 0;
  const double residual
      = FN (ge_geev_residual) (n, a, lambda, v, left, 1, space);
  return residual <= most
         || (balance
             && residual <= most * FN (ge_balance_spread) (n, a, space));
}

/* Nonzero if V and W, the results of ge_geevx, each may be NULL, are right and left
   eigenvectors.  SPACE: as for ge_geevx, at least GE_GEEV_SPACE n doubles.  */
int
FN (ge_are_geev_vectors) (int64_t n, const void *a, int balance,
                          const void *lambda, const void *v, const void *w,
                          void *space)
{
  return (! v || are_vectors (n, a, balance, lambda, v, 0, space))
         && (! w || are_vectors (n, a, balance, lambda, w, 1, space));
}

/* --- order --- */

/* How far the K-th number of LAMBDA is from X; of a real matrix, all are reflected to
   the upper half plane.  */
static double
distance (const real_t *x, const real_t *lambda, int64_t k)
{
  const double re = (double) lambda[2 * k] - (double) x[0];
#if GE_COMPLEX
  const double im = (double) lambda[2 * k + 1] - (double) x[1];
#else
  const double im = fabs ((double) lambda[2 * k + 1]) - fabs ((double) x[1]);
#endif
  return fabs (re) + fabs (im);
}

/* Reorder the eigenvalues LAMBDA and the vectors V and W (or NULL) such that each one is
   where WANTED, other approximations of all eigenvalues, has the one nearest to it;
   the pairs of a real matrix stay together.  SPACE: 4 N doubles.  */
void
FN (ge_order_like) (int64_t n, const void *wanted, void *lambda, void *v,
                    void *w, void *space)
{
  const size_t pair = 2 * sizeof (real_t);
  const real_t *from = wanted, *values = lambda;
  int64_t *order = space, *copy = order + n;
  void *spare = copy + n;
  /* Until they are placed, numbers J have COPY (J) = 1.  */
  for (int64_t j = 0; j < n; j++)
    copy[j] = 1;
  for (int64_t at = 0; at < n;)
    {
      int64_t best = -1;
      double least = 0;
      for (int64_t j = 0; j < n; j++)
        {
          const double d = distance (from + 2 * at, values, j);
          if (copy[j] && (best < 0 || d < least))
            {
              best = j;
              least = d;
            }
        }
      const int two = ! GE_COMPLEX && values[2 * best + 1] != 0;
      for (int64_t j = best; j <= best + two; j++)
        {
          copy[j] = 0;
          order[at++] = j;
        }
    }
  void *const part[] = { v, w, lambda };
  for (int i = 0; i < 3; i++)
    if (part[i])
      {
        memcpy (copy, order, (size_t) n * sizeof *copy);
        ge_permute_columns (n, i < 2 ? (size_t) n * pair : pair, part[i], copy,
                            spare);
      }
}
