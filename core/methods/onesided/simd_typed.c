/* One-sided Jacobi on many small matrices, one per SIMD lane.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Method "shifted": the columns of A + shift are rotated.  Structure of arrays:
   element k of LANES matrices is in LANES consecutive reals, so every operation,
   including square roots and quotients of rotations, is a vector operation on LANES
   matrices.  Lanes that have converged are not changed, so the result of a page does
   not depend on the others.  */

#include "onesided/onesided_typed.h"
#include "onesided/lanes.h"

#include <string.h>

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
  g->d_im = im;
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
  g->d_re = re;
}

/* The rotations of LANES pairs from their inner products and squared lengths A
   and B, which are updated; the longer column goes to x.  ROTATE and SWAP are nonzero if
   any lane rotates or exchanges.  The tangent, of numbers of the order of 1, is
   |g| sign (h g) / (|h| + sqrt (h^2 + g^2)), h = b - a, g = 2 d; with common denominators
   there are two square roots and two divisions in all.  */
static inline void
find_rotations (group_state *s, group_rotation *g, lanes *a, lanes *b,
                int *rotate, int *swap)
{
  const lanes zero = { 0 };
#if GE_COMPLEX
  lanes square = g->d_re * g->d_re + g->d_im * g->d_im, d;
  square_roots (&square, &d);
#else
  lanes d = g->d_re, square = d * d;
#endif
  lanes h = *b - *a, e = 2 * d, w = h * h + e * e, root;
  square_roots (&w, &root);
  lanes product = *a * *b, denominator = MODULUS (h) + root;
  lanes q = 1 / (product * denominator);
  lanes cosine = square * denominator * q, t = e * product * q;
  mask act = cosine > s->tol;
  t = WHERE (act, WHERE (h < 0, -t, t), zero);
  w = 1 + t * t;
  square_roots (&w, &root);
  q = 1 / (root * (1 + root));
  lanes sine = t * (q * (1 + root));
  g->m = sine * t * (q * root);
  lanes na = *a - t * d, nb = *b + t * d;
  g->swap = act & (na < nb);
  *a = WHERE (g->swap, nb, na);
  *b = WHERE (g->swap, na, nb);
#if GE_COMPLEX
  lanes ratio = WHERE (act, sine / d, zero);
  g->z_re = ratio * g->d_re;
  g->z_im = ratio * g->d_im;
#else
  g->z_re = sine;
#endif
  lanes moved = WHERE (g->swap, zero + 1, sine * sine);
  s->cosine = LARGER (cosine, s->cosine);
  s->sine = LARGER (moved, s->sine);
  *rotate = any_lane (&act);
  *swap = *rotate && any_lane (&g->swap);
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

/* A sweep over all pairs in row-cyclic order, with column I kept in cache.  */
GE_CLONES (VECTOR, static, void, group_sweep,
           (int64_t n, lanes *f, lanes *norms, group_state *s),
           (n, f, norms, s))
{
  group_rotation g;
  int rotate, swap;
  memset (&s->cosine, 0, sizeof s->cosine);
  memset (&s->sine, 0, sizeof s->sine);
  column_norms (n, f, norms);
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = i + 1; j < n; j++)
      {
        lanes *x = f + i * n * PARTS, *y = f + j * n * PARTS;
        inner_products (n, x, y, &g);
        find_rotations (s, &g, &norms[i], &norms[j], &rotate, &swap);
        if (swap)
          apply_rotations (n, x, y, &g, 1);
        else if (rotate)
          apply_rotations (n, x, y, &g, 0);
      }
}

/* --- input and output --- */

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
      s.tol[w] = tol * tol;
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
      if (plan->history) /* one page */
        {
          ge_onesided_note (plan, worst);
          ge_report (plan->ctx, "sweep %2d  largest cosine %9.2e", sweeps,
                     (double) worst);
        }
    }
  result->sweeps = sweeps > result->sweeps ? sweeps : result->sweeps;
  result->off = fmax (result->off, worst);
  result->converged &= ! left;
  for (int w = 0; w < pages; w++)
    store_page (n, w, f, page, scaling[w], lambda + w * n,
                v ? v + w * n * n : NULL);
}
