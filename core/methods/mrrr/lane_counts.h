/* MRRR on the CPU, computations in SIMD lanes that are in double for both precisions:
   counts, twists, and the product of a vector's factors.  Included by mrrr/lanes.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

INLINE void
count_body (const representation *a, int shared, const double *x, double *count)
{
  ALIGNED double s[LANES], c[LANES];
  int64_t n = a->n;
  for (int l = 0; l < LANES; l++)
    {
      s[l] = -x[l];
      c[l] = 0;
    }
  for (int64_t i = 0; i < n; i++)
#pragma omp simd
    for (int l = 0; l < LANES; l++)
      {
        double plus = ge_count_step (AT (a->d_hi, i, l), AT (a->w_hi, i, l),
                                     x[l], &s[l]);
        c[l] += plus < 0 ? 1.0 : 0.0;
      }
  for (int l = 0; l < LANES; l++)
    count[l] = c[l];
}

GE_CLONES (WIDE, static, void, count_lanes,
           (const representation *a, const double *x, double *count),
           (a, x, count))
{
  BY_SHARED (a, count_body, x, count);
}

/* R = index of the largest diagonal element of the inverse of the representation shifted
   by X.  PLUS: scratch, n * LANES.  */
INLINE void
twist_body (const representation *a, int shared, const double *x, double *r,
            double *plus)
{
  ALIGNED double s[LANES], rho[LANES], level[LANES], best[LANES];
  int64_t n = a->n;
  for (int l = 0; l < LANES; l++)
    {
      s[l] = -x[l];
      rho[l] = 1;
      level[l] = 0;
      best[l] = (double) (n - 1);
    }
  for (int64_t i = 0; i + 1 < n; i++)
#pragma omp simd
    for (int l = 0; l < LANES; l++)
      plus[i * LANES + l]
          = ge_count_step (AT (a->d_hi, i, l), AT (a->w_hi, i, l), x[l], &s[l]);
#pragma omp simd
  for (int l = 0; l < LANES; l++)
    s[l] = AT (a->d_hi, n - 1, l) - x[l];
  for (int64_t i = n - 2; i >= 0; i--)
#pragma omp simd
    for (int l = 0; l < LANES; l++)
      {
        double minus = ge_count_step_up (AT (a->d_hi, i, l), AT (a->w_hi, i, l),
                                         x[l], &s[l]);
        ge_twist_step (plus[i * LANES + l], minus, (double) i, &rho[l],
                       &level[l], &best[l]);
      }
  for (int l = 0; l < LANES; l++)
    r[l] = best[l];
}

GE_CLONES (WIDE, static, void, twist_lanes,
           (const representation *a, const double *x, double *r, double *plus),
           (a, x, r, plus))
{
  BY_SHARED (a, twist_body, x, r, plus);
}

/* Rows FROM, FROM + STEP ... before TO of multiply_factors.  */
INLINE void
multiply_side (int64_t from, int64_t to, int64_t step, const double *r,
               double *z, double *sum)
{
  ALIGNED double at[LANES];
  for (int l = 0; l < LANES; l++)
    at[l] = 1;
  for (int64_t i = from; i != to; i += step)
#pragma omp simd
    for (int l = 0; l < LANES; l++)
      {
        double old = z[i * LANES + l], next = old * at[l];
        int active = step < 0 ? (double) i < r[l] : (double) i > r[l];
        next = fabs (next) < 0x1p-1000 ? 0 : next;
        next = active ? next : old;
        at[l] = active ? next : at[l];
        sum[l] += active ? next * next : 0;
        z[i * LANES + l] = next;
      }
}

/* Compute the entries of vectors as cumulative products of factors, outward from the
   twist, and their squared norm.  Entries below 2^-1000 are set to zero, to avoid
   subnormal numbers.  */
GE_CLONES (WIDE, static, void, multiply_factors,
           (int64_t n, const double *r, double *z, double *norm2),
           (n, r, z, norm2))
{
  ALIGNED double sum[LANES];
  int64_t last = 0, first = n - 1;
  for (int l = 0; l < LANES; l++)
    {
      sum[l] = 1;
      z[(int64_t) r[l] * LANES + l] = 1;
      last = (int64_t) r[l] > last ? (int64_t) r[l] : last;
      first = (int64_t) r[l] < first ? (int64_t) r[l] : first;
    }
  multiply_side (last - 1, -1, -1, r, z, sum);
  multiply_side (first + 1, n, 1, r, z, sum);
  for (int l = 0; l < LANES; l++)
    norm2[l] = sum[l];
}
