/* What LAPACK promises of its drivers and its own test programs do not vary: padding,
   the triangle that is not named, exact workspaces, failures, larger orders.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "lapack/lapack.h"
#include "program.h"

#include <stdlib.h>
#include <string.h>

#if GE_COMPLEX
#  define RWORK real_t *rwork,
#  define RW rwork,
#  define VALUES scalar_t *w,
#else
#  define RWORK
#  define RW
#  define VALUES real_t *w, real_t *wi,
#endif
#define WI(w) (w) + n

#define syev_ LAPACK (ssyev_, dsyev_, cheev_, zheev_)
void syev_ (const char *, const char *, const int *, scalar_t *, const int *,
            real_t *, scalar_t *, const int *, RWORK int *, size_t, size_t);
#define syevx_ LAPACK (ssyevx_, dsyevx_, cheevx_, zheevx_)
void syevx_ (const char *, const char *, const char *, const int *, scalar_t *,
             const int *, const real_t *, const real_t *, const int *,
             const int *, const real_t *, int *, real_t *, scalar_t *,
             const int *, scalar_t *, const int *, RWORK int *, int *, int *,
             size_t, size_t, size_t);
#define sygv_ LAPACK (ssygv_, dsygv_, chegv_, zhegv_)
void sygv_ (const int *, const char *, const char *, const int *, scalar_t *,
            const int *, scalar_t *, const int *, real_t *, scalar_t *,
            const int *, RWORK int *, size_t, size_t);
#define geev_ LAPACK (sgeev_, dgeev_, cgeev_, zgeev_)
void geev_ (const char *, const char *, const int *, scalar_t *, const int *,
            VALUES scalar_t *, const int *, scalar_t *, const int *, scalar_t *,
            const int *, RWORK int *, size_t, size_t);
#define gebal_ LAPACK (sgebal_, dgebal_, cgebal_, zgebal_)
void gebal_ (const char *, const int *, scalar_t *, const int *, int *, int *,
             real_t *, int *, size_t);

static void *
room (int64_t count, size_t size)
{
  void *p = calloc ((size_t) count + 1, size);
  if (! p)
    abort ();
  return p;
}

static real_t
nan_ (void)
{
  return (real_t) NAN;
}

/* A Hermitian matrix, SHIFT added to its diagonal.  */
static void
hermitian (int64_t n, scalar_t *a, double shift)
{
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i <= j; i++)
      {
        const real_t re = (real_t) uniform (), im = (real_t) uniform ();
        a[i + n * j]
            = make_ (re + (i == j ? (real_t) shift : 0), i == j ? 0 : im);
        a[j + n * i] = conj_ (a[i + n * j]);
      }
}

/* Copy the triangle UPPER of A to B with leading dimension LD; the rest of B is NaN.  */
static void
store (int64_t n, int upper, const scalar_t *a, scalar_t *b, int64_t ld)
{
  for (int64_t i = 0; i < ld * n; i++)
    b[i] = make_ (nan_ (), nan_ ());
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = upper ? 0 : j; i < (upper ? j + 1 : n); i++)
      b[i + ld * j] = a[i + n * j];
}

/* Nonzero if all that store () made NaN is NaN still; ROWS: what is not padding.  */
static int
untouched (int64_t n, int upper, const scalar_t *b, int64_t ld, int rows)
{
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < ld; i++)
      if ((i >= n || (! rows && (upper ? i > j : i < j)))
          && re_ (b[i + ld * j]) == re_ (b[i + ld * j]))
        return 0;
  return 1;
}

/* C = A B, all N-by-N, B with leading dimension LD.  */
static void
times (int n, const scalar_t *a, const scalar_t *b, int ld, scalar_t *c)
{
  const scalar_t one = make_ (1, 0), zero = make_ (0, 0);
  gemm_ ("N", "N", &n, &n, &n, &one, a, &n, b, &ld, &zero, c, &n, 1, 1);
}

/* max |X - Y D| over the columns, in units of n eps max |X's parts|; D real.  */
static double
difference (int64_t n, const scalar_t *x, const scalar_t *y, int64_t ldy,
            const real_t *d, double scale)
{
  double worst = 0;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      {
        const scalar_t yd = y[i + ldy * j] * (d ? d[j] : 1);
        const double r = (double) abs_ (x[i + n * j] - yd);
        worst = r > worst || r != r ? r : worst;
      }
  return worst / ((double) n * GE_EPS * scale);
}

/* Z' Z - I.  */
static double
orthogonality (int n, const scalar_t *z, int ld)
{
  const scalar_t one = make_ (1, 0), zero = make_ (0, 0);
  scalar_t *c = room ((int64_t) n * n, sizeof *c);
  gemm_ ("C", "N", &n, &n, &n, &one, z, &ld, z, &ld, &zero, c, &n, 1, 1);
  for (int64_t i = 0; i < n; i++)
    c[i * (n + 1)] -= make_ (1, 0);
  scalar_t *none = room ((int64_t) n * n, sizeof *none);
  const double r = difference (n, c, none, n, NULL, 1);
  free (c);
  free (none);
  return r;
}

static void
test_syev (int n, int upper)
{
  const char *uplo = upper ? "U" : "L";
  const int ld = n + 3, lwork = (GE_COMPLEX ? 2 : 3) * n - 1, small = n - 1;
  int info = 7;
  scalar_t *a = room ((int64_t) n * n, sizeof *a);
  scalar_t *x = room ((int64_t) ld * n, sizeof *x);
  scalar_t *z = room ((int64_t) ld * n, sizeof *z);
  scalar_t *az = room ((int64_t) n * n, sizeof *az);
  scalar_t *work = room (lwork, sizeof *work), best = make_ (0, 0);
  real_t *w = room (n, sizeof *w), *alone = room (n, sizeof *alone);
  real_t *rwork = room (3 * n, sizeof *rwork);
  const int query = -1;
  (void) rwork;
  hermitian (n, a, 0);
  store (n, upper, a, z, ld);
  syev_ ("V", uplo, &n, z, &ld, w, work, &lwork, RW & info, 1, 1);
  CHECK (info == 0, "syev: info %d", info);
  CHECK (untouched (n, upper, z, ld, 1), "syev: padding is not written");
  times (n, a, z, ld, az);
  CHECK (difference (n, az, z, ld, w, (double) n) < 10, "syev: residual");
  CHECK (orthogonality (n, z, ld) < 10, "syev: orthogonality");
  store (n, upper, a, x, ld);
  syev_ ("N", uplo, &n, x, &ld, alone, &best, &query, RW & info, 1, 1);
  syev_ ("N", uplo, &n, x, &ld, alone, work, &lwork, RW & info, 1, 1);
  CHECK (untouched (n, upper, x, ld, 0), "syev: the other triangle");
  CHECK (re_ (work[0]) == re_ (best), "syev: WORK (1) is %g, not %g",
         (double) re_ (work[0]), (double) re_ (best));
  for (int i = 0; i < n; i++)
    CHECK (fabs ((double) (w[i] - alone[i])) < 10 * n * GE_EPS * n,
           "syev: eigenvalue %d alone", i);
  /* Errors are the next library's.  */
  xerbla_info = 0;
  syev_ ("V", uplo, &n, x, &small, w, work, &lwork, RW & info, 1, 1);
  CHECK (xerbla_info == 5 && info == -5, "syev: LDA too small: %d", info);
  free (a), free (x), free (z), free (az), free (work), free (w), free (alone);
  free (rwork);
}

static void
test_syevx (int n, int upper)
{
  const char *uplo = upper ? "U" : "L";
  const int ld = n + 1, lwork = (GE_COMPLEX ? 2 : 8) * n, il = n / 3 + 1,
            iu = n / 2 + 1;
  int info, m = 0, first = 0;
  scalar_t *a = room ((int64_t) n * n, sizeof *a);
  scalar_t *x = room ((int64_t) ld * n, sizeof *x);
  scalar_t *z = room ((int64_t) ld * n, sizeof *z);
  scalar_t *work = room (lwork, sizeof *work);
  real_t *w = room (n, sizeof *w), *part = room (n, sizeof *part), zero = 0;
  real_t *rwork = room (7 * n, sizeof *rwork);
  int *iwork = room (5 * n, sizeof *iwork), *ifail = room (n, sizeof *ifail);
  (void) rwork;
  hermitian (n, a, 0);
  store (n, upper, a, x, ld);
  syevx_ ("N", "A", uplo, &n, x, &ld, &zero, &zero, &il, &iu, &zero, &m, w, z,
          &ld, work, &lwork, RW iwork, ifail, &info, 1, 1, 1);
  CHECK (info == 0 && m == n, "syevx: all %d, info %d", m, info);
  for (int kind = 0; kind < 2; kind++)
    {
      const real_t vl = il > 1 ? (w[il - 1] + w[il - 2]) / 2 : w[0] - 1,
                   vu = iu < n ? (w[iu - 1] + w[iu]) / 2 : w[n - 1] + 1;
      store (n, upper, a, x, ld);
      memset (ifail, 1, (size_t) n * sizeof *ifail);
      syevx_ ("V", kind ? "V" : "I", uplo, &n, x, &ld, &vl, &vu, &il, &iu,
              &zero, &m, part, z, &ld, work, &lwork, RW iwork, ifail, &info, 1,
              1, 1);
      CHECK (info == 0 && m == iu - il + 1, "syevx: %d, info %d", m, info);
      for (int i = 0; i < m; i++)
        {
          first |= ifail[i];
          CHECK (fabs ((double) (part[i] - w[il - 1 + i]))
                     < 10 * n * GE_EPS * n,
                 "syevx: eigenvalue %d", i);
        }
      CHECK (first == 0, "syevx: IFAIL");
    }
  free (a), free (x), free (z), free (work), free (w), free (part);
  free (rwork), free (iwork), free (ifail);
}

/* The product that the vectors Z of a pair must satisfy, X = Y diag (w).  */
static void
test_sygv (int n, int upper, int itype)
{
  const char *uplo = upper ? "U" : "L";
  const int lwork = (GE_COMPLEX ? 2 : 3) * n - 1, ld = n + 2;
  int info = 7, expected = 0;
  const int64_t square = (int64_t) n * n;
  scalar_t *a = room (square, sizeof *a), *b = room (square, sizeof *b);
  scalar_t *z = room ((int64_t) ld * n, sizeof *z);
  scalar_t *f = room ((int64_t) ld * n, sizeof *f);
  scalar_t *g = room ((int64_t) ld * n, sizeof *g);
  scalar_t *x = room (square, sizeof *x), *y = room (square, sizeof *y);
  scalar_t *work = room (lwork, sizeof *work);
  real_t *w = room (n, sizeof *w), *rwork = room (3 * n, sizeof *rwork);
  (void) rwork;
  hermitian (n, a, 0);
  hermitian (n, b, 4.0 * n);
  store (n, upper, a, z, ld);
  store (n, upper, b, f, ld);
  store (n, upper, b, g, ld);
  sygv_ (&itype, "V", uplo, &n, z, &ld, f, &ld, w, work, &lwork, RW & info, 1,
         1);
  CHECK (info == 0, "sygv: info %d", info);
  potrf_ (uplo, &n, g, &ld, &expected, 1);
  double worst = 0;
  for (int64_t i = 0; i < (int64_t) ld * n; i++)
    if (re_ (g[i]) == re_ (g[i]))
      worst = fmax (worst, (double) abs_ (f[i] - g[i]));
  CHECK (worst < 10 * n * GE_EPS * sqrt (5.0 * n), "sygv: factor of B");
  CHECK (untouched (n, upper, f, ld, 0), "sygv: the other triangle of B");
  /* 1: A z = B z w, 2: A B z = z w, 3: B A z = z w.  */
  const double size = 5.0 * n * n;
  if (itype == 1)
    times (n, a, z, ld, x), times (n, b, z, ld, y);
  else
    {
      times (n, itype == 2 ? b : a, z, ld, y);
      times (n, itype == 2 ? a : b, y, n, x);
    }
  CHECK (difference (n, x, itype == 1 ? y : z, itype == 1 ? n : ld, w, size)
             < 10,
         "sygv, type %d: residual", itype);
  /* Not definite: INFO = N + K, A as before.  */
  store (n, upper, a, z, ld);
  store (n, upper, b, f, ld);
  f[(int64_t) (ld + 1) * (n / 2)] = make_ (-1, 0);
  sygv_ (&itype, "V", uplo, &n, z, &ld, f, &ld, w, work, &lwork, RW & info, 1,
         1);
  CHECK (info == n + n / 2 + 1, "sygv: info %d of a bad B", info);
  free (a), free (b), free (z), free (f), free (g), free (x), free (y);
  free (work), free (w), free (rwork);
}

/* Eigenvalues and right vectors as complex numbers, sums of residuals of A v - v w.  */
static double
general_residual (int n, const scalar_t *a, const scalar_t *z, int ld,
                  const scalar_t *w, const real_t *wr, const real_t *wi)
{
  double worst = 0;
  scalar_t *x = room ((int64_t) n * n, sizeof *x);
  times (n, a, z, ld, x);
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      {
#if GE_COMPLEX
        (void) wr, (void) wi;
        const double r = (double) abs_ (x[i + n * j] - z[i + ld * j] * w[j]);
#else
        (void) w;
        /* Columns re and im of a pair: A re = re wr - im wi, A im = re wi + im wr.  */
        const int second = wi[j] < 0;
        const real_t *re = z + ld * (j - second), *im = re + ld;
        const real_t value = wi[j] == 0 ? re[i] * wr[j]
                             : second   ? -re[i] * wi[j] + im[i] * wr[j]
                                        : re[i] * wr[j] - im[i] * wi[j];
        const double r = (double) fabs_ (x[i + n * j] - value);
#endif
        worst = r > worst || r != r ? r : worst;
      }
  free (x);
  return worst / ((double) n * GE_EPS * n);
}

static void
test_geev (int n)
{
  const int ld = n + 3, lwork = (GE_COMPLEX ? 2 : 4) * n, one = 1;
  int info = 7, ilo = 0, ihi = 0, ilo2, ihi2;
  scalar_t *a = room ((int64_t) n * n, sizeof *a);
  scalar_t *x = room ((int64_t) ld * n, sizeof *x);
  scalar_t *y = room ((int64_t) ld * n, sizeof *y);
  scalar_t *z = room ((int64_t) ld * n, sizeof *z);
  scalar_t *work = room (lwork, sizeof *work), none;
  scalar_t *w = room (2 * n, sizeof *w);
  real_t *rwork = room (2 * n, sizeof *rwork), *scale = room (n, sizeof *scale);
  real_t *scale2 = room (n, sizeof *scale2), norm = -1, con;
  int *iwork = room (2 * n, sizeof *iwork);
  (void) rwork, (void) iwork;
  for (int64_t i = 0; i < (int64_t) n * n; i++)
    a[i] = make_ ((real_t) uniform (), (real_t) uniform ());
  /* Something to balance.  */
  for (int64_t i = 1; i < n; i++)
    {
      a[n * i] *= 4096;
      a[i] *= make_ ((real_t) (1. / 4096), 0);
    }
  for (int64_t j = 0; j < n; j++)
    memcpy (x + ld * j, a + n * j, (size_t) n * sizeof *a),
        memcpy (y + ld * j, a + n * j, (size_t) n * sizeof *a);
#if GE_COMPLEX
#  define W w
#  define RESIDUAL general_residual (n, a, z, ld, w, NULL, NULL)
#else
#  define W w, WI (w)
#  define RESIDUAL general_residual (n, a, z, ld, NULL, w, w + n)
#endif
  geev_ ("N", "V", &n, x, &ld, W, &none, &one, z, &ld, work, &lwork, RW & info,
         1, 1);
  CHECK (info == 0, "geev: info %d", info);
  CHECK (memcmp (x, a, sizeof *x * (size_t) n) != 0, "geev: A is overwritten");
  CHECK (RESIDUAL < 4096 * 20, "geev: residual %g", RESIDUAL);
  for (int64_t j = 0; j < n; j++)
    memcpy (x + ld * j, a + n * j, (size_t) n * sizeof *a);
#if GE_COMPLEX
  geevx_ ("B", "N", "V", "N", &n, x, &ld, W, &none, &one, z, &ld, &ilo, &ihi,
          scale, &norm, &con, &con, work, &lwork, rwork, &info, 1, 1, 1, 1);
#else
  geevx_ ("B", "N", "V", "N", &n, x, &ld, W, &none, &one, z, &ld, &ilo, &ihi,
          scale, &norm, &con, &con, work, &lwork, iwork, &info, 1, 1, 1, 1);
#endif
  CHECK (info == 0, "geevx: info %d", info);
  CHECK (RESIDUAL < 4096 * 20, "geevx: residual %g", RESIDUAL);
  gebal_ ("B", &n, y, &ld, &ilo2, &ihi2, scale2, &info, 1);
  CHECK (ilo == ilo2 && ihi == ihi2
             && memcmp (scale, scale2, (size_t) n * sizeof *scale) == 0,
         "geevx: balancing");
  double trace = 0, below = 0;
  for (int64_t j = 0; j < n; j++)
    {
      trace += (double) re_ (x[j + ld * j] - a[j + n * j]);
      for (int64_t i = j + 2; i < n; i++)
        below = fmax (below, (double) abs_ (x[i + ld * j]));
    }
  CHECK (fabs (trace) < 10 * n * GE_EPS * n && below == 0,
         "geevx: A is not the Schur form: %g %g", trace, below);
  CHECK (norm > 0, "geevx: ABNRM");
  free (a), free (x), free (y), free (z), free (work), free (w), free (rwork);
  free (scale), free (scale2), free (iwork);
#undef W
#undef RESIDUAL
}

static void
test_gees (int n)
{
  const int ld = n + 1, lwork = 3 * n;
  int info = 7, sdim = 7;
  scalar_t *a = room ((int64_t) n * n, sizeof *a);
  scalar_t *t = room ((int64_t) ld * n, sizeof *t);
  scalar_t *z = room ((int64_t) ld * n, sizeof *z);
  scalar_t *az = room ((int64_t) n * n, sizeof *az);
  scalar_t *zt = room ((int64_t) n * n, sizeof *zt);
  scalar_t *work = room (lwork, sizeof *work), *w = room (2 * n, sizeof *w);
  real_t *rwork = room (n, sizeof *rwork);
  int *bwork = room (n, sizeof *bwork);
  (void) rwork;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      t[i + ld * j] = a[i + n * j]
          = make_ ((real_t) uniform (), (real_t) uniform ());
#if GE_COMPLEX
  gees_ ("V", "N", NULL, &n, t, &ld, &sdim, w, z, &ld, work, &lwork, rwork,
         bwork, &info, 1, 1);
#else
  gees_ ("V", "N", NULL, &n, t, &ld, &sdim, w, WI (w), z, &ld, work, &lwork,
         bwork, &info, 1, 1);
#endif
  CHECK (info == 0 && sdim == 0, "gees: info %d, sdim %d", info, sdim);
  for (int64_t j = 0; j < n; j++)
    CHECK (re_ (w[j]) == re_ (t[j + ld * j]), "gees: eigenvalue %d", (int) j);
  times (n, a, z, ld, az);
  /* Z T: Z without its padding first.  */
  scalar_t *dense = room ((int64_t) n * n, sizeof *dense);
  for (int64_t j = 0; j < n; j++)
    memcpy (dense + n * j, z + ld * j, (size_t) n * sizeof *z);
  times (n, dense, t, ld, zt);
  CHECK (difference (n, az, zt, n, NULL, (double) n) < 10, "gees: residual");
  CHECK (orthogonality (n, z, ld) < 10, "gees: orthogonality");
  free (a), free (t), free (z), free (az), free (zt), free (work), free (w);
  free (rwork), free (bwork), free (dense);
}

#if ! GE_COMPLEX
#  define stev_ LAPACK (sstev_, dstev_, , )
void stev_ (const char *, const int *, real_t *, real_t *, real_t *,
            const int *, real_t *, int *, size_t);
#  define stevd_ LAPACK (sstevd_, dstevd_, , )
void stevd_ (const char *, const int *, real_t *, real_t *, real_t *,
             const int *, real_t *, const int *, int *, const int *, int *,
             size_t);
#  define stevr_ LAPACK (sstevr_, dstevr_, , )
void stevr_ (const char *, const char *, const int *, real_t *, real_t *,
             const real_t *, const real_t *, const int *, const int *,
             const real_t *, int *, real_t *, real_t *, const int *, int *,
             real_t *, const int *, int *, const int *, int *, size_t, size_t);
#  define pteqr_ LAPACK (spteqr_, dpteqr_, , )
void pteqr_ (const char *, const int *, real_t *, real_t *, real_t *,
             const int *, real_t *, int *, size_t);

/* The largest relative error of the ascending W in units of n eps; EXACT descends.  */
static double
relative_error (int n, const real_t *w, const real_t *exact)
{
  double worst = 0;
  for (int i = 0; i < n; i++)
    {
      const double right = (double) exact[n - 1 - i];
      const double r = fabs ((double) w[i] - right) / right;
      worst = r > worst || r != r ? r : worst;
    }
  return worst / (n * GE_EPS);
}

/* Graded definite tridiagonal matrices: eigenvalues of high relative accuracy, as LAPACK
   computes them; xPTEQR's are the exact ones.  Off-diagonal elements of OFF times the
   geometric mean of their neighbours; for 2 of OFF and OFF / 20 in turn, which is not
   diagonally dominant.  */
static void
test_graded (int n, double off, int in_turn, int falling)
{
  const int lwork = n * n + 20 * n + 1, liwork = 10 * n + 3, zero = 0;
  const real_t none = 0;
  int info = 7, m = 0, *iwork = room (liwork, sizeof *iwork),
      *support = room (2 * n, sizeof *support);
  real_t *d = room (n, sizeof *d), *e = room (n, sizeof *e);
  real_t *x = room (n, sizeof *x), *y = room (n, sizeof *y);
  real_t *exact = room (n, sizeof *exact), *w = room (n, sizeof *w);
  real_t *z = room ((int64_t) n * n, sizeof *z);
  real_t *work = room (lwork, sizeof *work);
  const size_t bytes = (size_t) n * sizeof *d;
  for (int i = 0; i < n; i++)
    {
      const double size = GE_DOUBLE ? 30 : 8;
      d[i] = (real_t) pow (10, (falling ? -size : size) * i / n);
      if (i > 0)
        e[i - 1] = (real_t) (off * (in_turn && i % 2 ? 0.05 : 1))
                   * sqrt_ (d[i - 1]) * sqrt_ (d[i]);
    }
  memcpy (exact, d, bytes), memcpy (y, e, bytes);
  pteqr_ ("N", &n, exact, y, z, &n, work, &info, 1);
  CHECK (info == 0, "pteqr: info %d", info);
  memcpy (x, d, bytes), memcpy (y, e, bytes);
  stev_ ("V", &n, x, y, z, &n, work, &info, 1);
  double r = relative_error (n, x, exact);
  CHECK (info == 0 && r < 20, "stev, graded: %g n eps relative", r);
  memcpy (x, d, bytes), memcpy (y, e, bytes);
  stevd_ ("N", &n, x, y, z, &n, work, &lwork, iwork, &liwork, &info, 1);
  r = relative_error (n, x, exact);
  CHECK (info == 0 && r < 20, "stevd, graded: %g n eps relative", r);
  memcpy (x, d, bytes), memcpy (y, e, bytes);
  stevr_ ("V", "A", &n, x, y, &none, &none, &zero, &zero, &none, &m, w, z, &n,
          support, work, &lwork, iwork, &liwork, &info, 1, 1);
  r = relative_error (n, w, exact);
  CHECK (info == 0 && r < 20, "stevr, graded: %g n eps relative", r);
  free (d), free (e), free (x), free (y), free (exact), free (w), free (z);
  free (work), free (iwork), free (support);
}
#endif

void
FN (test_drivers) (int n)
{
#if ! GE_COMPLEX
  for (int kind = 0; kind < 4; kind++)
    {
      test_graded (n, 0.1, 0, kind % 2);
      test_graded (n, kind / 2 ? 0.45 : 0.9, ! (kind / 2), kind % 2);
    }
#endif
  for (int upper = 0; upper < 2; upper++)
    {
      test_syev (n, upper);
      test_syevx (n, upper);
      for (int itype = 1; itype <= 3; itype++)
        test_sygv (n, upper, itype);
    }
  test_geev (n);
  test_gees (n);
}
