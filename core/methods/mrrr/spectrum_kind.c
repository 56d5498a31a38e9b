/* The kind of the eigenvectors of a tridiagonal matrix, on which the times of MRRR and of
   divide and conquer depend.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A merge of two halves deflates an eigenvector of a half whose last component is
   below rounding (J. J. M. Cuppen, Numer. Math. 36, 1981).  Eigenvectors that decay
   as exp (-g i) from their largest component are below rounding after 36 / g rows,
   so of the n / 2 eigenvectors of each half about 36 / g are not deflated, a share
   of 72 / (g n).  The rate g for the part of the spectrum near x is that of the
   solutions of (T - x) u = 0: the mean of log |q_i / e_i| for the pivots q_i of
   T - x.  It is 0 if the vectors do not decay, as for (1, 4, 1), and large if they
   are localized, as for random matrices of large order.

   Clusters deflate too, and MRRR resolves them slowly: pairs of Wilkinson's matrix, and of
   a T that was a dense matrix with multiple eigenvalues.  They are found where two of four
   eigenvalues have others within a 2^-20-th of the spectrum.  */

#include "mrrr/mrrr.h"

#include <math.h>

enum
{
  SAMPLES = 4, /* points of the spectrum */
  HALVINGS = 8,
  HALVINGS_CLUSTERS = 20,
  RATIOS = 16 /* whose product does not overflow: exp (16 DECAY) < 1e251 */
};

/* -log of the unit roundoff 2^-53, rounded down.  */
#define DECAY 36.0

/* T is localized if no more than this share of its eigenvectors is not deflated, in any
   part of the spectrum.  */
#define MOST_SHARE 0.5

/* Set COUNT[k] to the number of negative pivots of SCALE T - X[k].  */
static void
count_pivots (int64_t n, const double *d, const double *e, double scale,
              const double *x, int *count)
{
  double q[SAMPLES];
  for (int k = 0; k < SAMPLES; k++)
    {
      q[k] = scale * d[0] - x[k];
      count[k] = q[k] < 0;
    }
  for (int64_t i = 1; i < n; i++)
    {
      const double off = scale * e[i - 1], square = off * off;
      for (int k = 0; k < SAMPLES; k++)
        {
          const double last = q[k] == 0 ? 1e-300 : q[k];
          q[k] = scale * d[i] - x[k] - square / last;
          count[k] += q[k] < 0;
        }
    }
}

/* The shares of eigenvectors that are not deflated, for eigenvalues of SCALE T near the
   X: the largest.  One logarithm for RATIOS ratios |q_i / e_i|, each within exp
   (+-DECAY).  */
static double
largest_share (int64_t n, const double *d, const double *e, double scale,
               const double *x)
{
  const double most = exp (DECAY), least = exp (-DECAY);
  double q[SAMPLES], product[SAMPLES], rate[SAMPLES] = { 0 }, largest = 0;
  for (int k = 0; k < SAMPLES; k++)
    {
      q[k] = scale * d[0] - x[k];
      product[k] = 1;
    }
  for (int64_t i = 0; i + 1 < n; i++)
    {
      const double off = scale * fabs (e[i]);
      for (int k = 0; k < SAMPLES; k++)
        {
          const double last = q[k] == 0 ? 1e-300 : q[k], size = fabs (q[k]);
          const double ratio = off > 0 ? size / off : most;
          product[k] *= ratio > most ? most : ratio < least ? least : ratio;
          q[k] = scale * d[i + 1] - x[k] - off * (off / last);
        }
      if (i % RATIOS == RATIOS - 1 || i + 2 == n)
        for (int k = 0; k < SAMPLES; k++)
          {
            rate[k] += log (product[k]);
            product[k] = 1;
          }
    }
  for (int k = 0; k < SAMPLES; k++)
    largest = fmax (largest, rate[k] > 2 * DECAY ? 2 * DECAY / rate[k] : 1);
  return largest;
}

/* Brackets of eigenvalues of SCALE T, a 2^-HALVINGS-th of the spectrum wide: number
   (k + 1/2) n / SAMPLES is in [lo[k], hi[k]), and below[k] and above[k] are
   smaller than the ends.  */
typedef struct
{
  double scale;
  double lo[SAMPLES], hi[SAMPLES];
  double x[SAMPLES]; /* the last points */
  int count[SAMPLES];
  int below[SAMPLES], above[SAMPLES];
} samples;

/* Zero if T splits into many blocks, which are orders of their own, or is 0.  */
static int
begin_samples (int64_t n, const double *d, const double *e, samples *s)
{
  double low = d[0] / 4, high = d[0] / 4;
  int64_t split = 0;
  for (int64_t i = 0; i < n; i++)
    {
      const double radius = (i > 0 ? fabs (e[i - 1]) / 4 : 0)
                            + (i + 1 < n ? fabs (e[i]) / 4 : 0);
      low = fmin (low, d[i] / 4 - radius);
      high = fmax (high, d[i] / 4 + radius);
      split += i + 1 < n
               && fabs (e[i]) <= 1e-15 * fabs (d[i]) + 1e-15 * fabs (d[i + 1]);
    }
  if (split > n / 16 || ! (low < high))
    return 0;
  int exponent;
  frexp (fmax (-low, high), &exponent);
  s->scale = ldexp (1, exponent < -1018 ? 1018 : -exponent - 2);
  for (int k = 0; k < SAMPLES; k++)
    {
      s->lo[k] = low * 4 * s->scale;
      s->hi[k] = high * 4 * s->scale;
      s->below[k] = 0;
      s->above[k] = (int) n;
    }
  return 1;
}

static void
halve_samples (int64_t n, const double *d, const double *e, int steps,
               samples *s)
{
  for (int step = 0; step < steps; step++)
    {
      for (int k = 0; k < SAMPLES; k++)
        s->x[k] = (s->lo[k] + s->hi[k]) / 2;
      count_pivots (n, d, e, s->scale, s->x, s->count);
      for (int k = 0; k < SAMPLES; k++)
        {
          const int left
              = 2 * SAMPLES * (int64_t) s->count[k] < (2 * k + 1) * n;
          *(left ? &s->lo[k] : &s->hi[k]) = s->x[k];
          *(left ? &s->below[k] : &s->above[k]) = s->count[k];
        }
    }
}

/* Do the eigenvectors decay, by the samples S after HALVINGS?  */
static int
is_localized (int64_t n, const double *d, const double *e, const samples *s)
{
  /* If bisection did not resolve a part of the spectrum there is no estimate.  */
  for (int k = 0; k < SAMPLES; k++)
    if (fabs (2.0 * SAMPLES * s->count[k] - (2.0 * k + 1) * (double) n)
        > 2 * (double) n)
      return 0;
  return largest_share (n, d, e, s->scale, s->x) <= MOST_SHARE;
}

/* Are two or more of the brackets, after all halvings, of several eigenvalues?  */
static int
is_clustered (int64_t n, const double *d, const double *e, samples *s)
{
  int clusters = SAMPLES;
  for (int step = HALVINGS; clusters >= SAMPLES / 2; step++)
    {
      if (step == HALVINGS_CLUSTERS)
        return 1;
      halve_samples (n, d, e, 1, s);
      clusters = 0;
      for (int k = 0; k < SAMPLES; k++)
        clusters += s->above[k] - s->below[k] > 1;
    }
  return 0;
}

ge_spectrum
ge_mrrr_spectrum (int64_t n, const double *d, const double *e)
{
  samples s;
  if (! begin_samples (n, d, e, &s))
    return GE_SPREAD;
  halve_samples (n, d, e, HALVINGS, &s);
  const int localized = is_localized (n, d, e, &s);
  return is_clustered (n, d, e, &s) ? GE_CLUSTERED
         : localized                ? GE_LOCALIZED
                                    : GE_SPREAD;
}
