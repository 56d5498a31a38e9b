/* Exchange of neighbouring blocks of a real Schur form.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Z. Bai, J. W. Demmel, On swapping diagonal blocks in real Schur form, Linear
   Algebra Appl. 186, 1993; LAPACK's xLAEXC: with A11 X - X A22 = A12 the columns of
   (-X; I) span the invariant subspace of A22's eigenvalues.  */

#include "schur/planes.h"

#if ! GE_COMPLEX

/* Solve M x = b, order COUNT <= 4, by elimination with complete pivoting; pivots below
   LEAST_PIVOT are replaced by it.  b is overwritten by x.  */
static void
solve_small (int count, real_t m[4][4], real_t b[4], real_t least_pivot)
{
  int order[4] = { 0, 1, 2, 3 };
  real_t x[4] = { 0 };
  for (int k = 0; k < count; k++)
    {
      int row = k, column = k;
      for (int i = k; i < count; i++)
        for (int j = k; j < count; j++)
          if (fabs_ (m[i][j]) > fabs_ (m[row][column]))
            {
              row = i;
              column = j;
            }
      for (int j = 0; j < count; j++)
        {
          const real_t t = m[k][j];
          m[k][j] = m[row][j];
          m[row][j] = t;
        }
      const real_t t = b[k];
      b[k] = b[row];
      b[row] = t;
      for (int i = 0; i < count; i++)
        {
          const real_t s = m[i][k];
          m[i][k] = m[i][column];
          m[i][column] = s;
        }
      const int o = order[k];
      order[k] = order[column];
      order[column] = o;
      if (fabs_ (m[k][k]) < least_pivot)
        m[k][k] = least_pivot;
      for (int i = k + 1; i < count; i++)
        {
          const real_t f = m[i][k] / m[k][k];
          for (int j = k + 1; j < count; j++)
            m[i][j] -= f * m[k][j];
          b[i] -= f * b[k];
        }
    }
  for (int k = count - 1; k >= 0; k--)
    {
      x[k] = b[k];
      for (int j = k + 1; j < count; j++)
        x[k] -= m[k][j] * x[j];
      x[k] /= m[k][k];
    }
  for (int k = 0; k < count; k++)
    b[order[k]] = x[k];
}

/* Compute the reflectors P and Q (rows 0 .. 2 and 1 .. 3) that exchange the first N1 with
   the last N2 rows of D.  */
static void
find_exchange (real_t d[4][4], int n1, int n2, real_t size, short_reflector *p,
               short_reflector *q)
{
  const short_reflector none = { { 0, 0 }, { 0, 0 }, { 0, 0 } };
  real_t m[4][4] = { { 0 } }, x[4] = { 0 }, most = 1, beta;
  /* unknown i + n1 j is X (i, j) */
  for (int i = 0; i < n1; i++)
    for (int j = 0; j < n2; j++)
      {
        const int row = i + n1 * j;
        for (int k = 0; k < n1; k++)
          m[row][k + n1 * j] += d[i][k];
        for (int k = 0; k < n2; k++)
          m[row][i + n1 * k] -= d[n1 + k][n1 + j];
        x[row] = d[i][n1 + j];
      }
  solve_small (n1 * n2, m, x, fmax_ (GE_EPS * size, LEAST));
  for (int k = 0; k < n1 * n2; k++)
    most = fmax_ (most, fabs_ (x[k]));
  const real_t s = 1 / most;
  for (int k = 0; k < n1 * n2; k++)
    x[k] *= -s;
  *q = none;
  *p = FN (ge_short_reflector) (x[0], n1 == 2 ? x[1] : s, n1 == 2 ? s : 0,
                                &beta);
  if (n2 == 1)
    return;
  /* the other column, after the first reflector */
  const real_t below = n1 == 2 ? x[n1 + 1] : 0;
  const real_t sum = p->tau[0] * (x[n1] + p->v1[0] * below);
  const real_t y = below - p->v1[0] * sum, z = -p->v2[0] * sum;
  *q = FN (ge_short_reflector) (y, n1 == 2 ? z : s, n1 == 2 ? s : 0, &beta);
}

/* D <- Q' P' D P Q */
static void
apply_exchange (real_t d[4][4], const short_reflector *p,
                const short_reflector *q)
{
  const short_reflector *r[2] = { p, q };
  for (int k = 0; k < 2; k++)
    {
      const real_t v[3] = { 1, r[k]->v1[0], r[k]->v2[0] }, tau = r[k]->tau[0];
      for (int j = 0; j < 4; j++)
        {
          real_t s = 0;
          for (int i = 0; i < 3; i++)
            s += v[i] * d[k + i][j];
          for (int i = 0; i < 3; i++)
            d[k + i][j] -= tau * s * v[i];
        }
      for (int i = 0; i < 4; i++)
        {
          real_t s = 0;
          for (int j = 0; j < 3; j++)
            s += d[i][k + j] * v[j];
          for (int j = 0; j < 3; j++)
            d[i][k + j] -= tau * s * v[j];
        }
    }
}

/* Exchange the block of N1 rows from row K on with that of N2 rows below it.  Returns 0,
   with nothing changed, if the exchange would not be stable.  */
GE_CLONES_OF (WIDE, extern, int, FN (ge_planes_exchange),
              (const planes *w, int k, int n1, int n2), (w, k, n1, n2))
{
  const int rows = n1 + n2;
  const int64_t ld = w->ld, e = k + k * ld;
  const int64_t all = (w->n + ROUND - 1) / ROUND * ROUND;
  real_t d[4][4] = { { 0 } }, size = 0;
  short_reflector p, q;
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < rows; j++)
      {
        d[i][j] = get (w, k + i, k + j);
        size = fmax_ (size, fabs_ (d[i][j]));
      }
  const real_t first = d[0][0], last = d[rows - 1][rows - 1];
  find_exchange (d, n1, n2, size, &p, &q);
  apply_exchange (d, &p, &q);
  for (int i = n2; i < rows; i++)
    for (int j = 0; j < n2; j++)
      if (! (fabs_ (d[i][j]) <= fmax_ (10 * GE_EPS * size, LEAST)))
        return 0;
  left_pair (w->n - k, w->h[0] + e, w->h[0] + e, ld, &p, &q);
  right_pair ((k + 5 + ROUND - 1) / ROUND * ROUND, w->h[0] + k * ld,
              w->h[0] + k * ld, ld, &p, &q);
  right_pair (all, w->v[0] + k * ld, w->v[0] + k * ld, ld, &p, &q);
  for (int i = n2; i < rows; i++)
    for (int j = 0; j < n2; j++)
      put_element (w, k + i, k + j, 0);
  if (n2 == 1)
    put_element (w, k, k, last);
  else
    FN (ge_planes_standardize) (w, k);
  if (n1 == 1)
    put_element (w, k + n2, k + n2, first);
  else
    FN (ge_planes_standardize) (w, k + n2);
  return 1;
}

#endif
