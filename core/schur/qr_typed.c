/* The Schur form of one matrix: LAPACK's reduction to Hessenberg form and our iteration.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "schur/qr.h"
#include "lapack/lapack.h"
#include "schur/multishift.h"
#include "schur/window.h"

#include <string.h>

#define gehrd_ LAPACK (sgehrd_, dgehrd_, cgehrd_, zgehrd_)
void gehrd_ (const lapack_int *n, const lapack_int *ilo, const lapack_int *ihi,
             scalar_t *a, const lapack_int *lda, scalar_t *tau, scalar_t *work,
             const lapack_int *lwork, lapack_int *info);

#define unghr_ LAPACK (sorghr_, dorghr_, cunghr_, zunghr_)
void unghr_ (const lapack_int *n, const lapack_int *ilo, const lapack_int *ihi,
             scalar_t *a, const lapack_int *lda, const scalar_t *tau,
             scalar_t *work, const lapack_int *lwork, lapack_int *info);

#define unmhr_ LAPACK (sormhr_, dormhr_, cunmhr_, zunmhr_)
void unmhr_ (const char *side, const char *trans, const lapack_int *m,
             const lapack_int *n, const lapack_int *ilo, const lapack_int *ihi,
             const scalar_t *a, const lapack_int *lda, const scalar_t *tau,
             scalar_t *c, const lapack_int *ldc, scalar_t *work,
             const lapack_int *lwork, lapack_int *info, size_t, size_t);

enum
{
  ONE_WINDOW = 256 /* matrices up to this order are one window */
};

/* LWORK is enough for blocks of 32 columns.  H, U, SHIFTS and WINDOW for one window;
   MULTISHIFT for larger matrices.  */
typedef struct
{
  lapack_int n, lwork, ilo, ihi;
  scalar_t *a, *z;
  scalar_t *tau, *work, *h, *u, *shifts;
  real_t *window;
  char *multishift;
} schur_qr;

static char *
lay_out (char *at, int64_t n, schur_qr *q)
{
  const int64_t square = n <= ONE_WINDOW ? n * n : 0;
  q->n = (lapack_int) n;
  q->lwork = (lapack_int) (65 * n + 65 * 64);
  q->tau = ge_take (&at, n, sizeof (scalar_t));
  q->work = ge_take (&at, q->lwork, sizeof (scalar_t));
  q->multishift = ge_take (&at, FN (ge_multishift_bytes) (n), 1);
  q->h = ge_take (&at, square, sizeof (scalar_t));
  q->u = ge_take (&at, square, sizeof (scalar_t));
  q->shifts = ge_take (&at, square > 0 ? 2 * n : 0, sizeof (scalar_t));
  q->window = ge_take (&at, square > 0 ? FN (ge_window_reals) ((int) n) : 0,
                       sizeof (real_t));
  return at;
}

int64_t
FN (ge_schur_qr_bytes) (int64_t n)
{
  schur_qr q;
  /* Any aligned address: only the difference is used.  */
  char *start = (char *) (uintptr_t) 64;
  return (int64_t) (lay_out (start, n, &q) - start);
}

/* The Hessenberg form in A, without the reflectors below it, to H.  */
static void
copy_hessenberg (const schur_qr *q, scalar_t *h)
{
  const int64_t n = q->n;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < n; i++)
      h[i + n * j] = i <= j + 1 ? q->a[i + n * j] : 0;
}

static int
solve_window (const schur_qr *q)
{
  const scalar_t spike = 0;
  scalar_t *u = q->z ? q->z : q->u;
  const size_t bytes = (size_t) q->n * (size_t) q->n * sizeof *u;
  lapack_int info = 0;
  ge_window_result result;
  copy_hessenberg (q, q->h);
  FN (ge_deflate_window)
  (q->n, q->h, u, &spike, 0, q->shifts, q->window, &result);
  if (result.failed || result.undeflated > 0)
    return 1;
  if (q->z)
    unmhr_ ("L", "N", &q->n, &q->n, &q->ilo, &q->ihi, q->a, &q->n, q->tau, u,
            &q->n, q->work, &q->lwork, &info, 1, 1);
  memcpy (q->a, q->h, bytes);
  return info != 0;
}

static int
solve_large (const schur_qr *q)
{
  const size_t bytes = (size_t) q->n * (size_t) q->n * sizeof *q->a;
  lapack_int info = 0;
  if (q->z)
    {
      memcpy (q->z, q->a, bytes);
      unghr_ (&q->n, &q->ilo, &q->ihi, q->z, &q->n, q->tau, q->work, &q->lwork,
              &info);
    }
  copy_hessenberg (q, q->a);
  return info != 0
         || FN (ge_multishift) (q->n, q->ilo - 1, q->ihi, q->a, q->z,
                                q->multishift);
}

int
FN (ge_schur_qr) (int64_t n, int ilo, int ihi, void *a, void *z, void *space)
{
  schur_qr q = { .ilo = ilo, .ihi = ihi, .a = a, .z = z };
  lapack_int info;
  lay_out (space, n, &q);
  gehrd_ (&q.n, &q.ilo, &q.ihi, q.a, &q.n, q.tau, q.work, &q.lwork, &info);
  return info != 0
         || (n <= ONE_WINDOW && ilo == 1 && ihi == q.n ? solve_window
                                                       : solve_large) (&q);
}

/* --- in place of xGEES --- */

int64_t
FN (ge_gees_qr_bytes) (int64_t n)
{
  char *at = (char *) (uintptr_t) 64;
  ge_take (&at, n, sizeof (real_t));
  return (int64_t) (at - (char *) (uintptr_t) 64) + FN (ge_schur_qr_bytes) (n);
}

int
FN (ge_gees_qr) (int64_t order, void *s, void *u, void *space)
{
  const lapack_int n = (lapack_int) order;
  char *at = space;
  real_t *scale = ge_take (&at, order, sizeof (real_t));
  lapack_int ilo, ihi, info;
  gebal_ ("P", &n, s, &n, &ilo, &ihi, scale, &info, 1);
  if (info != 0 || FN (ge_schur_qr) (order, ilo, ihi, s, u, at))
    return 1;
  if (u)
    gebak_ ("P", "R", &n, &ilo, &ihi, scale, &n, u, &n, &info, 1, 1);
  return info != 0;
}
