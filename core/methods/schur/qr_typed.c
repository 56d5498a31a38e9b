/* The Schur form of one matrix: reduction to Hessenberg form and multishift iteration.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "schur/qr.h"
#include "lapack/lapack.h"
#include "schur/window.h"

#include <string.h>

enum
{
  ONE_WINDOW = 256 /* matrices up to this order are one window */
};

/* H, U, SHIFTS and WINDOW for one window; MULTISHIFT for larger matrices.  */
typedef struct
{
  const ge_team *team;
  int64_t n;
  int ilo, ihi;
  scalar_t *a, *z;
  scalar_t *h, *u, *shifts;
  real_t *window;
  char *hessenberg, *multishift;
} schur_qr;

static char *
lay_out_qr (char *at, int64_t n, int threads, schur_qr *q)
{
  const int64_t square = n <= ONE_WINDOW ? n * n : 0;
  q->n = n;
  q->hessenberg = ge_take (&at, FN (ge_hessenberg_bytes) (n, threads), 1);
  q->multishift = ge_take (&at, FN (ge_multishift_bytes) (n, threads), 1);
  q->h = ge_take (&at, square, sizeof (scalar_t));
  q->u = ge_take (&at, square, sizeof (scalar_t));
  q->shifts = ge_take (&at, square > 0 ? 2 * n : 0, sizeof (scalar_t));
  q->window = ge_take (&at, square > 0 ? FN (ge_window_reals) ((int) n) : 0,
                       sizeof (real_t));
  return at;
}

int64_t
FN (ge_schur_qr_bytes) (int64_t n, int threads)
{
  schur_qr q;
  return lay_out_qr (GE_NOWHERE, n, threads, &q) - GE_NOWHERE;
}

/* Copy the Hessenberg form in A, without the reflectors below it, to H.  */
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
  ge_window_result result;
  copy_hessenberg (q, q->h);
  FN (ge_deflate_window)
  ((int) q->n, q->h, u, &spike, 0, q->shifts, q->window, &result);
  if (result.failed || result.undeflated > 0)
    return 1;
  if (q->z)
    FN (ge_hessenberg_vectors)
  (q->team, q->n, q->ilo, q->ihi, q->a, 0, u, q->hessenberg);
  memcpy (q->a, q->h, (size_t) (q->n * q->n) * sizeof *u);
  return 0;
}

static int
solve_large (const schur_qr *q)
{
  if (q->z)
    FN (ge_hessenberg_vectors)
  (q->team, q->n, q->ilo, q->ihi, q->a, 1, q->z, q->hessenberg);
  copy_hessenberg (q, q->a);
  return FN (ge_multishift) (q->team, q->n, q->ilo - 1, q->ihi, q->a, q->z,
                             q->multishift);
}

int
FN (ge_schur_qr) (const ge_team *team, int64_t n, int ilo, int ihi, void *a,
                  void *z, void *space)
{
  schur_qr q = { .team = team, .ilo = ilo, .ihi = ihi, .a = a, .z = z };
  lay_out_qr (space, n, team->threads, &q);
  FN (ge_hessenberg) (team, n, ilo, ihi, a, q.hessenberg);
  return (n <= ONE_WINDOW && ilo == 1 && ihi == n ? solve_window
                                                  : solve_large) (&q);
}

/* --- in place of xGEES --- */

int64_t
FN (ge_gees_qr_bytes) (int64_t n, int threads)
{
  char *at = GE_NOWHERE;
  ge_take (&at, n, sizeof (real_t));
  return at - GE_NOWHERE + FN (ge_schur_qr_bytes) (n, threads);
}

int
FN (ge_gees_qr) (const ge_team *team, int64_t order, void *s, void *u,
                 void *space)
{
  const lapack_int n = (lapack_int) order;
  char *at = space;
  real_t *scale = ge_take (&at, order, sizeof (real_t));
  lapack_int ilo, ihi, info;
  gebal_ ("P", &n, s, &n, &ilo, &ihi, scale, &info, 1);
  if (info != 0 || FN (ge_schur_qr) (team, order, ilo, ihi, s, u, at))
    return 1;
  if (u)
    gebak_ ("P", "R", &n, &ilo, &ihi, scale, &n, u, &n, &info, 1, 1);
  return info != 0;
}
