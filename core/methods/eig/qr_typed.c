/* One general page by the QR algorithm: LAPACK's balancing, the Schur form of schur/qr.h,
   back-substitution (real matrices: LAPACK's).
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "eig/general.h"
#include "base/scalar.h"
#include "lapack/lapack.h"
#include "schur/qr.h"

#include <math.h>
#include <string.h>

#if ! GE_COMPLEX
#  define trevc3_ LAPACK (strevc3_, dtrevc3_, , )
void trevc3_ (const char *side, const char *howmny, const lapack_int *select,
              const lapack_int *n, scalar_t *t, const lapack_int *ldt,
              scalar_t *vl, const lapack_int *ldvl, scalar_t *vr,
              const lapack_int *ldvr, const lapack_int *mm, lapack_int *m,
              scalar_t *work, const lapack_int *lwork, lapack_int *info, size_t,
              size_t);
#endif

/* RIGHT: Schur vectors, then right vectors; LEFT: left ones; of complex types they are in
   the result where that is wanted.  WORK: for blocks of 32 columns.  */
typedef struct
{
  const ge_team *team;
  lapack_int n;
  int64_t lwork;
  scalar_t *a, *right, *left, *work;
  real_t *scale;
  char *schur;
} qr_page;

static char *
lay_out (char *at, int64_t n, int left, int right, int threads, qr_page *q)
{
  const int64_t square = left || right ? n * n : 0;
  q->n = (lapack_int) n;
#if GE_COMPLEX
  q->lwork = FN (ge_form_vectors_space) (n, threads);
#else
  q->lwork = 65 * n;
#endif
  q->a = ge_take (&at, n * n, sizeof (scalar_t));
  q->right = ge_take (&at, GE_COMPLEX && right ? 0 : square, sizeof (scalar_t));
  q->left = ge_take (&at, GE_COMPLEX || ! left ? 0 : square, sizeof (scalar_t));
  q->work = ge_take (&at, square > 0 ? q->lwork : 0, sizeof (scalar_t));
  q->scale = ge_take (&at, n, sizeof (real_t));
  q->schur = ge_take (&at, FN (ge_schur_qr_bytes) (n, threads), 1);
  return at;
}

int64_t
FN (ge_qr_bytes) (int64_t n, int left, int right, int threads)
{
  qr_page q;
  const int64_t bytes
      = lay_out (GE_NOWHERE, n, left, right, threads, &q) - GE_NOWHERE;
  /* Without right vectors, which are in the result, there may be more.  */
  const int64_t fewer
      = lay_out (GE_NOWHERE, n, left, 0, threads, &q) - GE_NOWHERE;
  return bytes > fewer ? bytes : fewer;
}

/* The eigenvalues of T, interleaved.  */
static void
store_values (const qr_page *q, real_t *lambda)
{
  const int64_t n = q->n;
  for (int64_t j = 0; j < n; j++)
    {
      lambda[2 * j] = re_ (q->a[j * (n + 1)]);
      lambda[2 * j + 1] = im_ (q->a[j * (n + 1)]);
#if ! GE_COMPLEX
      /* A pair: its block has equal diagonal elements.  */
      const real_t below = j + 1 < n ? q->a[j * (n + 1) + 1] : 0;
      if (below == 0)
        continue;
      const real_t im
          = sqrt_ (fabs_ (q->a[j + n * (j + 1)])) * sqrt_ (fabs_ (below));
      lambda[2 * j + 1] = im;
      lambda[2 * j + 2] = lambda[2 * j];
      lambda[2 * j + 3] = -im;
      j++;
#endif
    }
}

/* --- vectors --- */

/* The vector with the parts RE and IM (NULL: real), STEP apart, to OUT, interleaved, which
   may be its place: 2-norm 1, the largest element real.  */
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

/* The vectors of the balanced matrix that are wanted, from T, whose eigenvalues are LAMBDA,
   and the Schur vectors in RIGHT.  */
static int
back_substitute (const qr_page *q, int right, int left, const void *lambda)
{
  if (left)
    memcpy (q->left, q->right, (size_t) q->n * (size_t) q->n * sizeof *q->left);
#if GE_COMPLEX
  if (left)
    FN (ge_form_vectors) (q->team, q->n, 1, q->a, lambda, q->left, q->work);
  if (right)
    FN (ge_form_vectors) (q->team, q->n, 0, q->a, lambda, q->right, q->work);
  return 1;
#else
  const lapack_int n = q->n, lwork = (lapack_int) q->lwork;
  lapack_int m, info;
  (void) lambda;
  trevc3_ (! left  ? "R"
           : right ? "B"
                   : "L",
           "B", NULL, &n, q->a, &n, q->left, &n, q->right, &n, &n, &m, q->work,
           &lwork, &info, 1, 1);
  return info == 0;
#endif
}

/* Those of A, to V and W (or NULL); nonzero if all are numbers.  */
static int
finish_vectors (const qr_page *q, const char *job, lapack_int ilo,
                lapack_int ihi, const real_t *lambda, void *v, void *w)
{
  const lapack_int n = q->n;
  const int64_t reals = (int64_t) 2 * n * n;
  lapack_int info = 0;
  if (v)
    {
      gebak_ (job, "R", &n, &ilo, &ihi, q->scale, &n, q->right, &n, &info, 1,
              1);
      store_vectors (q, lambda, q->right, v);
    }
  if (info == 0 && w)
    {
      gebak_ (job, "L", &n, &ilo, &ihi, q->scale, &n, q->left, &n, &info, 1, 1);
      store_vectors (q, lambda, q->left, w);
    }
  return info == 0 && ! FN (ge_has_nan) (reals, v)
         && ! FN (ge_has_nan) (reals, w);
}

/* The Schur form of MATRIX, balanced, and in RIGHT with VECTORS the Schur vectors.  */
static int
form_of (qr_page *q, const void *matrix, const char *job, int vectors,
         lapack_int *ilo, lapack_int *ihi)
{
  const int64_t n = q->n;
  lapack_int info;
  if (matrix != q->a)
    memcpy (q->a, matrix, (size_t) (n * n) * sizeof *q->a);
  gebal_ (job, &q->n, q->a, &q->n, ilo, ihi, q->scale, &info, 1);
  return info == 0
         && ! FN (ge_schur_qr) (q->team, n, *ilo, *ihi, q->a,
                                vectors ? q->right : NULL, q->schur);
}

int
FN (ge_qr_page) (const ge_team *team, int64_t n, const void *matrix,
                 int balance, void *lambda, void *v, void *w, void *space)
{
  const char *job = balance ? "B" : "N";
  const int vectors = v || w;
  qr_page q = { .team = team };
  lapack_int ilo, ihi;
  lay_out (space, n, w != NULL, v != NULL, team->threads, &q);
#if GE_COMPLEX
  q.right = v ? v : q.right;
  q.left = w;
#endif
  if (! form_of (&q, matrix, job, vectors, &ilo, &ihi))
    return 1;
  store_values (&q, lambda);
  if (! vectors)
    return 0;
  return ! (back_substitute (&q, v != NULL, w != NULL, lambda)
            && finish_vectors (&q, job, ilo, ihi, lambda, v, w));
}
