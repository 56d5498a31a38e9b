/* MRRR on the CPU: computations for LANES eigenvalues at once, one per SIMD lane.
   Included once per working precision: SFX is pl or dd, WIDE its type.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   All bodies are inlined for SHARED = 1, where the lanes have
   one representation, and 0, where each has its own, stored as [index][lane].  Loops
   over lanes have no branches; values of inactive lanes are not changed.  */

#define F(name) GE_PASTE (name, SFX)
#define W(name) GE_PASTE (ge_##name, SFX)

/* Shift the representations SOURCE by X, into arrays per lane, and compute the largest
   |pivot|.  In place if SOURCE has the same arrays.  */
INLINE void
F (represent_body) (const representation *source, int shared, const double *x,
                    lane_arrays *to, double *growth)
{
  ALIGNED double s_hi[LANES], s_lo[LANES], most[LANES];
  int64_t n = source->n;
  for (int l = 0; l < LANES; l++)
    {
      s_hi[l] = -x[l];
      s_lo[l] = 0;
      most[l] = 0;
    }
  for (int64_t i = 0; i < n; i++)
    {
      double e = source->e[i];
#pragma omp simd
      for (int l = 0; l < LANES; l++)
        {
          WIDE d = W (make) (AT (source->d_hi, i, l), AT (source->d_lo, i, l));
          WIDE w = W (make) (AT (source->w_hi, i, l), AT (source->w_lo, i, l));
          WIDE s = W (make) (s_hi[l], s_lo[l]);
          WIDE plus = W (pivot) (d, s);
          double inverse = ge_inverse (W (high) (plus));
          s = W (next) (w, s, plus, inverse, W (make) (x[l], 0));
          WIDE ratio = W (div) (W (square) (e), plus, inverse);
          s_hi[l] = W (high) (s);
          s_lo[l] = W (low) (s);
          to->d_hi[i * LANES + l] = W (high) (plus);
          to->d_lo[i * LANES + l] = W (low) (plus);
          to->w_hi[i * LANES + l] = W (high) (ratio);
          to->w_lo[i * LANES + l] = W (low) (ratio);
          double size = fabs (W (high) (plus));
          most[l] = size > most[l] ? size : most[l];
        }
    }
  for (int l = 0; l < LANES; l++)
    growth[l] = most[l];
}

/* Eliminate row I of the lanes before the twist R, or with UP of those from it on: T, the sum of
   squares of the vector's entries and COUNT go on.  STORE: FACTOR as below.  */
INLINE void
F (twist_step) (const representation *a, int shared, int64_t i, int up,
                const double *x_hi, const double *x_lo, const double *r,
                double *t_hi, double *t_lo, double *sum, double *count,
                double *restrict factor, int store)
{
  const double *restrict d_hi = a->d_hi, *restrict d_lo = a->d_lo;
  const double *restrict w_hi = a->w_hi, *restrict w_lo = a->w_lo;
  const double e = a->e[i], at = (double) i;
#pragma omp simd
  for (int l = 0; l < LANES; l++)
    {
      WIDE d = W (make) (AT (d_hi, i, l), AT (d_lo, i, l));
      WIDE w = W (make) (AT (w_hi, i, l), AT (w_lo, i, l));
      WIDE x = W (make) (x_hi[l], x_lo[l]);
      WIDE t = W (make) (t_hi[l], t_lo[l]), pivot = W (pivot) (up ? w : d, t);
      double inverse = ge_inverse (W (high) (pivot));
      WIDE next = W (next) (up ? d : w, t, pivot, inverse, x);
      double f = e * inverse, old = sum[l], more = f * f * (1 + old);
      double negative = W (high) (pivot) < 0 ? 1.0 : 0.0, twist = r[l];
      int active = up ? at >= twist : at < twist;
      t_hi[l] = active ? W (high) (next) : W (high) (t);
      t_lo[l] = active ? W (low) (next) : W (low) (t);
      sum[l] = active ? more : old;
      count[l] += active ? negative : 0.0;
      if (store && up)
        {
          double above = factor[(i + 1) * LANES + l];
          factor[(i + 1) * LANES + l] = active ? -f : above;
        }
      else if (store)
        factor[i * LANES + l] = -f;
    }
}

/* Twisted factorisation at R for the shift X: GAMMA, the squared norm of the vector with
   z_r = 1, and the number of eigenvalues below X.  If FACTOR is not NULL also the ratios
   of the vector's entries: factor[i] = z_i / z_{i+1} for i < r, z_i / z_{i-1} for
   i > r.  */
INLINE void
F (evaluate_body) (const representation *a, int shared, const double *x_hi,
                   const double *x_lo, const double *r, double *gamma,
                   double *norm2, double *below, double *restrict factor,
                   int store)
{
  ALIGNED double s_hi[LANES], s_lo[LANES], p_hi[LANES], p_lo[LANES];
  ALIGNED double up[LANES], down[LANES], count[LANES];
  int64_t n = a->n, last = 0, first = n - 1;
  for (int l = 0; l < LANES; l++)
    {
      WIDE x = W (make) (x_hi[l], x_lo[l]);
      WIDE p = W (sub) (
          W (make) (AT (a->d_hi, n - 1, l), AT (a->d_lo, n - 1, l)), x);
      s_hi[l] = -x_hi[l];
      s_lo[l] = -x_lo[l];
      p_hi[l] = W (high) (p);
      p_lo[l] = W (low) (p);
      up[l] = down[l] = count[l] = 0;
      last = (int64_t) r[l] > last ? (int64_t) r[l] : last;
      first = (int64_t) r[l] < first ? (int64_t) r[l] : first;
    }
  for (int64_t i = 0; i < last; i++)
    F (twist_step)
  (a, shared, i, 0, x_hi, x_lo, r, s_hi, s_lo, up, count, factor, store);
  for (int64_t i = n - 2; i >= first; i--)
    F (twist_step)
  (a, shared, i, 1, x_hi, x_lo, r, p_hi, p_lo, down, count, factor, store);
  for (int l = 0; l < LANES; l++)
    {
      WIDE g = W (add) (
          W (add) (W (make) (s_hi[l], s_lo[l]), W (make) (p_hi[l], p_lo[l])),
          W (make) (x_hi[l], x_lo[l]));
      gamma[l] = W (high) (g);
      norm2[l] = 1 + up[l] + down[l];
      below[l] = count[l] + (gamma[l] < 0 ? 1.0 : 0.0);
    }
}

/* The bodies for both values of SHARED.  */
GE_CLONES (WIDE, static, void, F (represent),
           (const representation *source, const double *x, lane_arrays *to,
            double *growth),
           (source, x, to, growth))
{
  BY_SHARED (source, F (represent_body), x, to, growth);
}

GE_CLONES (WIDE, static, void, F (evaluate),
           (const representation *a, const double *x_hi, const double *x_lo,
            const double *r, double *gamma, double *norm2, double *below),
           (a, x_hi, x_lo, r, gamma, norm2, below))
{
  BY_SHARED (a, F (evaluate_body), x_hi, x_lo, r, gamma, norm2, below, NULL, 0);
}

GE_CLONES (WIDE, static, void, F (factor),
           (const representation *a, const double *x_hi, const double *x_lo,
            const double *r, double *gamma, double *norm2, double *below,
            double *factor),
           (a, x_hi, x_lo, r, gamma, norm2, below, factor))
{
  BY_SHARED (a, F (evaluate_body), x_hi, x_lo, r, gamma, norm2, below, factor,
             1);
}

#undef F
#undef W
