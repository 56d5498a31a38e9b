/* One general page by the QR algorithm: our own iteration (schur/window.h) between LAPACK's
   reduction to Hessenberg form and back-substitution, as in xGEEVX.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/scalar.h"
#include "complex_eig/qr.h"
#include "lapack/lapack.h"
#include "schur/window.h"

#include <math.h>
#include <string.h>

#define gehrd_ LAPACK (sgehrd_, dgehrd_, cgehrd_, zgehrd_)
void gehrd_ (const lapack_int *n, const lapack_int *ilo, const lapack_int *ihi,
             scalar_t *a, const lapack_int *lda, scalar_t *tau, scalar_t *work,
             const lapack_int *lwork, lapack_int *info);

#define unmhr_ LAPACK (sormhr_, dormhr_, cunmhr_, zunmhr_)
void unmhr_ (const char *side, const char *trans, const lapack_int *m,
             const lapack_int *n, const lapack_int *ilo, const lapack_int *ihi,
             const scalar_t *a, const lapack_int *lda, const scalar_t *tau,
             scalar_t *c, const lapack_int *ldc, scalar_t *work,
             const lapack_int *lwork, lapack_int *info, size_t, size_t);

#define trevc3_ LAPACK (strevc3_, dtrevc3_, ctrevc3_, ztrevc3_)
void trevc3_ (const char *side, const char *howmny, const lapack_int *select,
              const lapack_int *n, scalar_t *t, const lapack_int *ldt,
              scalar_t *vl, const lapack_int *ldvl, scalar_t *vr,
              const lapack_int *ldvr, const lapack_int *mm, lapack_int *m,
              scalar_t *work, const lapack_int *lwork,
#if GE_COMPLEX
              real_t *rwork, const lapack_int *lrwork,
#endif
              lapack_int *info, size_t, size_t);

#define gebak_ LAPACK (sgebak_, dgebak_, cgebak_, zgebak_)
void gebak_ (const char *job, const char *side, const lapack_int *n,
             const lapack_int *ilo, const lapack_int *ihi, const real_t *scale,
             const lapack_int *m, scalar_t *v, const lapack_int *ldv,
             lapack_int *info, size_t, size_t);

/* LWORK is enough for blocks of 32 columns everywhere.  */
typedef struct
{
  lapack_int n, lwork;
  scalar_t *a, *h, *right, *left, *tau, *shifts, *work;
  real_t *scale, *rwork, *window;
} qr_page;

static char *
lay_out (char *at, int64_t n, qr_page *q)
{
  q->n = (lapack_int) n;
  q->lwork = (lapack_int) (65 * n + 65 * 64);
  q->a = ge_take (&at, n * n, sizeof (scalar_t));
  q->h = ge_take (&at, n * n, sizeof (scalar_t));
  q->right = ge_take (&at, n * n, sizeof (scalar_t));
  q->left = ge_take (&at, n * n, sizeof (scalar_t));
  q->tau = ge_take (&at, n, sizeof (scalar_t));
  q->shifts = ge_take (&at, 2 * n, sizeof (scalar_t));
  q->work = ge_take (&at, q->lwork, sizeof (scalar_t));
  q->scale = ge_take (&at, n, sizeof (real_t));
  q->rwork = ge_take (&at, n, sizeof (real_t));
  q->window = ge_take (&at, FN (ge_window_reals) ((int) n), sizeof (real_t));
  return at;
}

int64_t
FN (ge_qr_bytes) (int64_t n)
{
  qr_page q;
  /* Any aligned address: only the difference is used.  */
  char *start = (char *) (uintptr_t) 64;
  return (int64_t) (lay_out (start, n, &q) - start);
}

/* T and its Schur vectors RIGHT from the Hessenberg form in A; 0 if there is no
   convergence.  */
static int
iterate (const qr_page *q)
{
  const int64_t n = q->n;
  const scalar_t spike = 0;
  ge_window_result result;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      q->h[i + n * j] = i <= j + 1 ? q->a[i + n * j] : 0;
  FN (ge_deflate_window)
  (q->n, q->h, q->right, &spike, 0, q->shifts, q->window, &result);
  return ! result.failed && result.undeflated == 0;
}

/* The eigenvalues of T, interleaved.  */
static void
store_values (const qr_page *q, real_t *lambda)
{
  const int64_t n = q->n;
  for (int64_t j = 0; j < n; j++)
    {
      lambda[2 * j] = re_ (q->h[j * (n + 1)]);
      lambda[2 * j + 1] = im_ (q->h[j * (n + 1)]);
#if ! GE_COMPLEX
      /* A pair: its block has equal diagonal elements.  */
      const real_t below = j + 1 < n ? q->h[j * (n + 1) + 1] : 0;
      if (below == 0)
        continue;
      const real_t im
          = sqrt_ (fabs_ (q->h[j + n * (j + 1)])) * sqrt_ (fabs_ (below));
      lambda[2 * j + 1] = im;
      lambda[2 * j + 2] = lambda[2 * j];
      lambda[2 * j + 3] = -im;
      j++;
#endif
    }
}

/* --- vectors --- */

/* The vector with the parts RE and IM (NULL: real), STEP apart, to OUT, interleaved:
   2-norm 1, the largest element real.  */
static void
store_vector (int64_t n, const real_t *re, const real_t *im, int64_t step,
              real_t *out)
{
  double most = 0, sum = 0, largest = -1;
  int64_t at = 0;
  for (int64_t i = 0; i < n; i++)
    {
      most = ge_larger (most, (double) fabs_ (re[i * step]));
      most = ge_larger (most, im ? (double) fabs_ (im[i * step]) : 0);
    }
  const double unit = most > 0 ? 1 / most : 1;
  for (int64_t i = 0; i < n; i++)
    {
      const double x = unit * (double) re[i * step];
      const double y = im ? unit * (double) im[i * step] : 0;
      const double size = x * x + y * y;
      sum += size;
      at = size > largest ? i : at;
      largest = size > largest ? size : largest;
    }
  double c = 1 / sqrt (sum), s = 0;
  if (im)
    {
      const double f = c / sqrt (largest);
      s = -f * (unit * (double) im[at * step]);
      c = f * (unit * (double) re[at * step]);
    }
  for (int64_t i = 0; i < n; i++)
    {
      const double x = unit * (double) re[i * step];
      const double y = im ? unit * (double) im[i * step] : 0;
      out[2 * i] = (real_t) (x * c - y * s);
      out[2 * i + 1] = (real_t) (x * s + y * c);
    }
  out[2 * at + 1] = 0;
}

static void
store_vectors (const qr_page *q, const real_t *lambda, const scalar_t *x,
               real_t *out)
{
  const int64_t n = q->n;
  for (int64_t j = 0; j < n; j++)
    {
      const real_t *column = (const real_t *) (x + n * j);
      real_t *to = out + 2 * n * j;
#if GE_COMPLEX
      (void) lambda;
      store_vector (n, column, column + 1, 2, to);
#else
      if (lambda[2 * j + 1] == 0)
        {
          store_vector (n, column, NULL, 1, to);
          continue;
        }
      store_vector (n, column, column + n, 1, to);
      for (int64_t i = 0; i < n; i++)
        {
          to[2 * (n + i)] = to[2 * i];
          to[2 * (n + i) + 1] = -to[2 * i + 1];
        }
      j++;
#endif
    }
}

/* The vectors of A that are wanted, from T and the Schur vectors in RIGHT.  */
static int
back_substitute (const qr_page *q, const char *job, int right, int left)
{
  const lapack_int n = q->n, one = 1;
  lapack_int m, info;
  if (left)
    memcpy (q->left, q->right, (size_t) n * (size_t) n * sizeof *q->left);
  trevc3_ (! left  ? "R"
           : right ? "B"
                   : "L",
           "B", NULL, &n, q->h, &n, q->left, &n, q->right, &n, &n, &m, q->work,
           &q->lwork,
#if GE_COMPLEX
           q->rwork, &n,
#endif
           &info, 1, 1);
  if (info == 0 && right)
    gebak_ (job, "R", &n, &one, &n, q->scale, &n, q->right, &n, &info, 1, 1);
  if (info == 0 && left)
    gebak_ (job, "L", &n, &one, &n, q->scale, &n, q->left, &n, &info, 1, 1);
  return info == 0;
}

int
FN (ge_qr_page) (int64_t order, const void *matrix, int balance, void *lambda,
                 void *v, void *w, void *space)
{
  const char *job = balance ? "B" : "N";
  qr_page q;
  lapack_int ilo, ihi, info;
  lay_out (space, order, &q);
  memcpy (q.a, matrix, (size_t) (order * order) * sizeof *q.a);
  gebal_ (job, &q.n, q.a, &q.n, &ilo, &ihi, q.scale, &info, 1);
  /* Matrices with isolated eigenvalues are left to xGEEVX.  */
  if (info != 0 || ilo != 1 || ihi != q.n)
    return -1;
  gehrd_ (&q.n, &ilo, &ihi, q.a, &q.n, q.tau, q.work, &q.lwork, &info);
  if (info != 0 || ! iterate (&q))
    return -1;
  store_values (&q, lambda);
  if (! v && ! w)
    return 0;
  unmhr_ ("L", "N", &q.n, &q.n, &ilo, &ihi, q.a, &q.n, q.tau, q.right, &q.n,
          q.work, &q.lwork, &info, 1, 1);
  if (info != 0 || ! back_substitute (&q, job, v != NULL, w != NULL))
    return -1;
  if (v)
    store_vectors (&q, lambda, q.right, v);
  if (w)
    store_vectors (&q, lambda, q.left, w);
  return 0;
}
