/* Sweeps of the Jacobi-like method for general matrices, in SIMD lanes or on one page: the
   pairs one after the other, by rows.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/scalar.h"

#if GE_COMPLEX

#  include "shroff/lanes.h"
#  include "shroff/transformation.h"

#  include <string.h>

/* (X, Y) <- (X, Y) J for COUNT elements, STEP elements apart.  */
INLINE void
transform (const int L, int64_t count, int64_t step, const real_t *restrict j,
           real_t *restrict x, real_t *restrict y)
{
  for (int64_t i = 0; i < count; i++)
#  pragma omp simd
    for (int k = 0; k < L; k++)
      {
        const int64_t re = 2 * step * L * i + k, im = re + L;
        const real_t xr = x[re], xi = x[im], yr = y[re], yi = y[im];
        const real_t *f = j + k;
        x[re] = fma_ (yr, f[4 * L],
                      fma_ (-yi, f[5 * L], fma_ (xr, f[0], -xi * f[L])));
        x[im] = fma_ (yr, f[5 * L],
                      fma_ (yi, f[4 * L], fma_ (xr, f[L], xi * f[0])));
        y[re]
            = fma_ (yr, f[6 * L],
                    fma_ (-yi, f[7 * L], fma_ (xr, f[2 * L], -xi * f[3 * L])));
        y[im] = fma_ (yr, f[7 * L],
                      fma_ (yi, f[6 * L], fma_ (xr, f[3 * L], xi * f[2 * L])));
      }
}

/* c (re, im) and G of the pair (p, q), see transformation.h: PARTS, per lane.  */
INLINE void
gather (const ge_lanes *s, const int L, int64_t p, int64_t q,
        real_t *restrict parts)
{
  const int64_t n = s->n, ld = s->ld;
  memset (parts, 0, (size_t) (3 * L) * sizeof *parts);
  for (int64_t i = 0; i < n; i++)
    {
      const real_t *rp = s->a + 2 * (p + ld * i) * L;
      const real_t *rq = s->a + 2 * (q + ld * i) * L;
      const real_t *cp = s->a + 2 * (i + ld * p) * L;
      const real_t *cq = s->a + 2 * (i + ld * q) * L;
      if (i == p || i == q)
        continue;
#  pragma omp simd
      for (int k = 0; k < L; k++)
        {
          const real_t pr = rp[k], pi = rp[L + k], qr = rq[k], qi = rq[L + k];
          const real_t ur = cp[k], ui = cp[L + k], vr = cq[k], vi = cq[L + k];
          parts[k] += fma_ (pr, qr, pi * qi) - fma_ (ur, vr, ui * vi);
          parts[L + k] += fma_ (pi, qr, -pr * qi) - fma_ (ur, vi, -ui * vr);
          parts[2 * L + k]
              += fma_ (pr, pr, pi * pi) + fma_ (qr, qr, qi * qi)
                 + (fma_ (ur, ur, ui * ui) + fma_ (vr, vr, vi * vi));
        }
    }
}

/* A <- J^-1 A J, V <- V J for the pair (p, q).  */
INLINE void
rotate (ge_lanes *s, const int L, int64_t p, int64_t q)
{
  const int64_t n = s->n, ld = s->ld, column = 2 * ld * L;
  real_t parts[3 * GE_LANES], j[8 * GE_LANES], inverse[8 * GE_LANES];
  real_t *const ap = s->a + p * column, *const aq = s->a + q * column;
  const real_t *pp = ap + 2 * p * L, *pq = aq + 2 * p * L;
  const real_t *qp = ap + 2 * q * L, *qq = aq + 2 * q * L;
  gather (s, L, p, q, parts);
#  pragma omp simd
  for (int k = 0; k < L; k++)
    {
      ge_shroff_pair (pp[k], pp[L + k], pq[k], pq[L + k], qp[k], qp[L + k],
                      qq[k], qq[L + k], parts[k], parts[L + k],
                      parts[2 * L + k], s->active[k], j + k, L);
    }
  /* J^-1 = [J22, -J12; -J21, J11] from the left is [J22, -J21; -J12, J11] from the right
     of the transpose.  */
  for (int k = 0; k < 2 * L; k++)
    {
      inverse[k] = j[6 * L + k];
      inverse[2 * L + k] = -j[4 * L + k];
      inverse[4 * L + k] = -j[2 * L + k];
      inverse[6 * L + k] = j[k];
    }
  transform (L, n, 1, j, ap, aq);
  transform (L, n, 1, j, s->v + p * column, s->v + q * column);
  transform (L, n, ld, inverse, s->a + 2 * p * L, s->a + 2 * q * L);
}

/* --- once per sweep --- */

/* Squares of the norms of rows and columns without the diagonal; off2, norm2.  */
INLINE void
measure (ge_lanes *s, const int L)
{
  const int64_t n = s->n, ld = s->ld;
  real_t diagonal[GE_LANES] = { 0 };
  memset (s->row, 0, (size_t) (n * L) * sizeof (real_t));
  memset (s->col, 0, (size_t) (n * L) * sizeof (real_t));
  memset (s->off2, 0, sizeof s->off2);
  for (int64_t j = 0; j < n; j++)
    {
      real_t *col = s->col + j * L;
      for (int64_t i = 0; i < n; i++)
        {
          const real_t *x = s->a + 2 * (i + ld * j) * L;
          real_t *row = s->row + i * L;
          const real_t off = i != j;
#  pragma omp simd
          for (int k = 0; k < L; k++)
            {
              const real_t y = fma_ (x[k], x[k], x[L + k] * x[L + k]);
              row[k] += off * y;
              col[k] += off * y;
              diagonal[k] += (1 - off) * y;
            }
        }
      for (int k = 0; k < L; k++)
        s->off2[k] += col[k];
    }
  for (int k = 0; k < L; k++)
    s->norm2[k] = s->off2[k] + diagonal[k];
}

/* Osborne's balancing (Parlett and Reinsch 1969) with powers of 2 in the 2-norm, as LAPACK
   since 3.5.2, all rows at once by half of the exponent.  Permutations are not needed, since
   the method does not exploit triangular parts.  */
static real_t
power_of_2 (real_t row, real_t col)
{
  return row > GE_REAL_MIN && col > GE_REAL_MIN ? GE_MATH (ldexp) (
             1, (GE_MATH (ilogb) (row) - GE_MATH (ilogb) (col)) / 8)
                                                : 1;
}

/* A <- T^-1 A T, V <- V T with t_j^4 = (row j)^2 / (column j)^2 (Shroff) or, with POWERS,
   for balancing.  Unlike in Shroff's paper, MU, a small fraction of the mean of the norms,
   is added to both norms: elements of a row that a unitary transformation has just
   annihilated are rounding errors, and division by them would make V ill-conditioned.
   Return nonzero if T is not I.  */
INLINE int
scale (ge_lanes *s, const int L, int powers)
{
  const int64_t n = s->n, ld = s->ld;
  real_t *t = s->row, *inverse = s->col;
  int scaled = 0;
  for (int64_t j = 0; j < n; j++)
#  pragma omp simd reduction(| : scaled)
    for (int k = 0; k < L; k++)
      {
        const real_t row = s->row[j * L + k], col = s->col[j * L + k];
        const real_t mu = s->off2[k] / (real_t) n * (real_t) 0.01;
        const int on = mu > GE_REAL_MIN && s->active[k] > 0;
        const real_t f = ! on     ? 1
                         : powers ? power_of_2 (row, col)
                                  : sqrt_ (sqrt_ ((row + mu) / (col + mu)));
        t[j * L + k] = f;
        inverse[j * L + k] = 1 / f;
        scaled |= f != 1;
      }
  for (int64_t j = 0; j < n && scaled; j++)
    for (int64_t i = 0; i < n; i++)
#  pragma omp simd
      for (int k = 0; k < L; k++)
        {
          const int64_t re = 2 * (i + ld * j) * L + k, im = re + L;
          /* the diagonal is not changed */
          const real_t f = i == j ? 1 : t[j * L + k] * inverse[i * L + k];
          s->a[re] *= f;
          s->a[im] *= f;
          s->v[re] *= t[j * L + k];
          s->v[im] *= t[j * L + k];
        }
  return scaled;
}

/* --- versions for L = GE_LANES and L = 1 --- */

INLINE void
start (ge_lanes *s, const int L, int balance)
{
  const int64_t n = s->n, ld = s->ld, size = 2 * n * ld * L;
  memcpy (s->a, s->a0, (size_t) size * sizeof *s->a);
  memset (s->v, 0, (size_t) size * sizeof *s->v);
  for (int64_t j = 0; j < n; j++)
    for (int k = 0; k < L; k++)
      s->v[2 * (ld + 1) * j * L + k] = 1;
  measure (s, L);
  for (int pass = 0; balance && pass < 10 && scale (s, L, 1); pass++)
    measure (s, L);
  if (! balance)
    return;
  /* The first sweep does not scale what has been balanced, however many passes the other
     lanes needed.  */
  memset (s->row, 0, (size_t) (n * L) * sizeof (real_t));
  memset (s->col, 0, (size_t) (n * L) * sizeof (real_t));
}

INLINE void
sweep (ge_lanes *s, const int L)
{
  scale (s, L, 0);
  for (int64_t p = 0; p < s->n && ! ge_lanes_stop (s); p++)
    for (int64_t q = p + 1; q < s->n; q++)
      rotate (s, L, p, q);
  measure (s, L);
}

GE_CLONES (FUSED, extern, void, FN (ge_sweep_start),
           (ge_lanes * s, int balance), (s, balance))
{
  if (s->lanes == 1)
    start (s, 1, balance);
  else
    start (s, GE_LANES, balance);
}

GE_CLONES (FUSED, extern, void, FN (ge_sweep), (ge_lanes * s), (s))
{
  if (s->lanes == 1)
    sweep (s, 1);
  else
    sweep (s, GE_LANES);
}

#else
typedef int ge_sweep_is_complex_only;
#endif
