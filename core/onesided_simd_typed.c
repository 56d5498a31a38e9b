/* One-sided Jacobi on many small matrices, one to a lane of a wide register.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Method "shifted": the columns of A + shift are rotated.  Structure of arrays:
   element k of LANES matrices lies in LANES consecutive reals, so every
   operation serves LANES matrices and the rotations' square roots and quotients
   are vectors too.  Lanes that have converged are left alone, so a page's answer
   does not depend on its neighbours.  */

#include "onesided_cpu.h"

#include <string.h>

/* An integer of the size of a real.  */
#if GE_DOUBLE
#  define GE_MASK int64_t
#else
#  define GE_MASK int32_t
#endif

enum
{
  LANES = 64 / sizeof (real_t),
  PARTS = 1 + GE_COMPLEX
};

typedef real_t lanes __attribute__ ((vector_size (64)));

typedef GE_MASK mask __attribute__ ((vector_size (64)));

/* The rotations x - (conj (z) y + m x), y + (z x - m y) of LANES pairs, results
   exchanged where SWAP is all ones, and the inner products they come from.  */
typedef struct
{
  real_t d_re[LANES], d_im[LANES]; /* x'y */
  real_t z_re[LANES], z_im[LANES], m[LANES];
  GE_MASK swap[LANES];
} group_rotation;

typedef struct
{
  real_t tol[LANES];                 /* FROZEN for what has converged */
  real_t cosine[LANES], sine[LANES]; /* squares, largest of the sweep */
} group_state;

#define FROZEN 2 /* no cosine is larger */

static inline void
inner_products (int64_t n, const lanes *x, const lanes *y, group_rotation *g)
{
  lanes re = { 0 };
#if GE_COMPLEX
  lanes im = { 0 };
  for (int64_t i = 0; i < n; i++)
    {
      re += x[2 * i] * y[2 * i] + x[2 * i + 1] * y[2 * i + 1];
      im += x[2 * i] * y[2 * i + 1] - x[2 * i + 1] * y[2 * i];
    }
  memcpy (g->d_im, &im, sizeof im);
#else
  lanes other = { 0 };
  int64_t i = 0;
  for (; i + 1 < n; i += 2)
    {
      re += x[i] * y[i];
      other += x[i + 1] * y[i + 1];
    }
  if (i < n)
    re += x[i] * y[i];
  re += other;
#endif
  memcpy (g->d_re, &re, sizeof re);
}

/* The rotations of LANES pairs from their inner products and squared lengths A
   and B, which are updated; the longer column goes to x.  ROTATE and SWAP tell
   whether any lane has something to do.  */
static inline void
find_rotations (group_state *s, group_rotation *g, real_t *a, real_t *b,
                GE_MASK *rotate, GE_MASK *swap)
{
  GE_MASK any = 0, exchange = 0;
#pragma omp simd reduction(| : any, exchange)
  for (int w = 0; w < LANES; w++)
    {
#if GE_COMPLEX
      real_t square = g->d_re[w] * g->d_re[w] + g->d_im[w] * g->d_im[w];
      real_t d = sqrt_ (square);
#else
      real_t d = g->d_re[w], square = d * d;
#endif
      real_t cosine = square / (a[w] * b[w]);
      real_t raw = ge_onesided_tangent_scaled (a[w], b[w], d), sine, m;
      int act = cosine > s->tol[w] * s->tol[w];
      real_t t = act ? raw : 0;
      ge_onesided_sine (t, &sine, &m);
      real_t na = a[w] - t * d, nb = b[w] + t * d;
      int less = act && na < nb;
      a[w] = less ? nb : na;
      b[w] = less ? na : nb;
#if GE_COMPLEX
      real_t ratio = act ? sine / d : 0;
      g->z_re[w] = ratio * g->d_re[w];
      g->z_im[w] = ratio * g->d_im[w];
#else
      g->z_re[w] = sine;
#endif
      g->m[w] = m;
      g->swap[w] = less ? -1 : 0;
      any |= act ? -1 : 0;
      exchange |= less ? -1 : 0;
      real_t moved = less ? 1 : sine * sine;
      s->cosine[w] = cosine > s->cosine[w] ? cosine : s->cosine[w];
      s->sine[w] = moved > s->sine[w] ? moved : s->sine[w];
    }
  *rotate = any;
  *swap = exchange;
}

/* A where M, else B.  */
static inline void
choose (const lanes *a, const lanes *b, const mask *m, lanes *to)
{
  *to = (lanes) (((mask) *a & *m) | ((mask) *b & ~*m));
}

static inline void
apply_rotations (int64_t n, lanes *x, lanes *y, const group_rotation *g,
                 GE_MASK any_swap)
{
  lanes zr, m;
  mask swap;
  memcpy (&zr, g->z_re, sizeof zr);
  memcpy (&m, g->m, sizeof m);
  memcpy (&swap, g->swap, sizeof swap);
#if GE_COMPLEX
  lanes zi;
  memcpy (&zi, g->z_im, sizeof zi);
#endif
  for (int64_t i = 0; i < n * PARTS; i += PARTS)
    {
      lanes u[PARTS], v[PARTS];
#if GE_COMPLEX
      lanes xr = x[i], xi = x[i + 1], yr = y[i], yi = y[i + 1];
      u[0] = xr - (zr * yr + zi * yi + m * xr);
      u[1] = xi - (zr * yi - zi * yr + m * xi);
      v[0] = yr + (zr * xr - zi * xi - m * yr);
      v[1] = yi + (zr * xi + zi * xr - m * yi);
#else
      u[0] = x[i] - (zr * y[i] + m * x[i]);
      v[0] = y[i] + (zr * x[i] - m * y[i]);
#endif
      for (int k = 0; k < PARTS; k++)
        if (any_swap)
          {
            choose (&v[k], &u[k], &swap, &x[i + k]);
            choose (&u[k], &v[k], &swap, &y[i + k]);
          }
        else
          {
            x[i + k] = u[k];
            y[i + k] = v[k];
          }
    }
}

static inline void
column_norms (int64_t n, const lanes *f, lanes *norms)
{
  for (int64_t j = 0; j < n; j++)
    {
      lanes sum = { 0 };
      for (int64_t i = 0; i < n * PARTS; i++)
        sum += f[i + j * n * PARTS] * f[i + j * n * PARTS];
      norms[j] = sum;
    }
}

/* A sweep over all pairs, row by row, column I staying at hand.  */
GE_CLONES static void
group_sweep (int64_t n, lanes *f, lanes *norms, group_state *s)
{
  group_rotation g;
  GE_MASK rotate, swap;
  memset (s->cosine, 0, sizeof s->cosine);
  memset (s->sine, 0, sizeof s->sine);
  column_norms (n, f, norms);
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = i + 1; j < n; j++)
      {
        lanes *x = f + i * n * PARTS, *y = f + j * n * PARTS;
        inner_products (n, x, y, &g);
        find_rotations (s, &g, (real_t *) &norms[i], (real_t *) &norms[j],
                        &rotate, &swap);
        if (rotate)
          apply_rotations (n, x, y, &g, swap);
      }
}

/* --- in and out --- */

static void
load_page (int64_t n, const scalar_t *a, int lane, real_t *f, scalar_t *work,
           onesided_scaling *scaling)
{
  *scaling = onesided_scale (n, a, work);
  for (int64_t i = 0; i < n; i++)
    work[i + n * i] += scaling->shift;
  const real_t *from = (const real_t *) work;
  for (int64_t i = 0; i < n * n * PARTS; i++)
    f[i * LANES + lane] = from[i];
}

static void
store_page (int64_t n, int lane, const real_t *f, scalar_t *work,
            onesided_scaling scaling, real_t *lambda, scalar_t *v)
{
  real_t *to = (real_t *) work;
  for (int64_t i = 0; i < n * n * PARTS; i++)
    to[i] = f[i * LANES + lane] + 0; /* -0 becomes 0 */
  onesided_finish (n, n, work, 0, scaling, lambda, v, (int *) (work + n * n));
}

void
onesided_group (int64_t n, int64_t pages, const scalar_t *a,
                const onesided_plan *plan, real_t *lambda, scalar_t *v,
                real_t *work, onesided_result *result)
{
  onesided_scaling scaling[LANES];
  group_state s;
  real_t *f = work, *norms = f + n * n * PARTS * LANES;
  scalar_t *page = (scalar_t *) (norms + n * LANES);
  real_t tol = (real_t) plan->tol;
  if (pages < LANES)
    memset (f, 0, (size_t) (n * n * PARTS * LANES) * sizeof *f);
  for (int w = 0; w < LANES; w++)
    {
      s.tol[w] = tol;
      if (w < pages)
        load_page (n, a + w * n * n, w, f, page, &scaling[w]);
      else /* any matrix that is orthogonal already */
        for (int64_t i = 0; i < n; i++)
          f[(i + n * i) * PARTS * LANES + w] = 1;
    }

  int sweeps = 0, left = 1;
  real_t worst = 0;
  while (left && sweeps < plan->max_sweeps)
    {
      group_sweep (n, (lanes *) f, (lanes *) norms, &s);
      sweeps++;
      left = 0;
      worst = 0;
      for (int w = 0; w < pages; w++)
        {
          real_t cosine = sqrt_ (s.cosine[w]), sine = sqrt_ (s.sine[w]);
          if (s.tol[w] >= FROZEN)
            continue;
          worst = fmax_ (worst, cosine);
          if (cosine <= tol || ge_onesided_done ((real_t) n, sine, cosine, tol))
            s.tol[w] = FROZEN;
          else
            left = 1;
        }
    }
  result->sweeps = sweeps > result->sweeps ? sweeps : result->sweeps;
  result->off = fmax (result->off, worst);
  result->converged &= ! left;
  for (int w = 0; w < pages; w++)
    store_page (n, w, f, page, scaling[w], lambda + w * n,
                v ? v + w * n * n : NULL);
}
