/* One pair of columns of one-sided Jacobi whose lengths may differ by any factor.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_SVD_SCALED_CUH
#define GE_SVD_SCALED_CUH 1

#include "onesided/columns.cuh"

/* rotate_columns for columns X 2^EX and Y 2^EY, which become of a length of about 1.  */
template <int LANES, typename T>
GE_DEVICE_INLINE void
rotate_scaled (const shape *w, T *x, T *y, int *ex, int *ey, float *cosine,
               float *sine)
{
  typedef ge_real<T> R;
  const int lane = threadIdx.x % LANES;
  if (*ey > *ex)
    {
      T *z = x;
      int *e = ex;
      x = y;
      y = z;
      ex = ey;
      ey = e;
    }
  const int gap = *ey - *ex;
  R a, b, re, im;
  multiply_columns<LANES> (w, x, y, &a, &b, &re, &im);
  const R d = is_complex<T>::value ? sqrt_ (fma_ (re, re, im * im)) : re;
  const R size = fabs_ (d), ra = sqrt_ (a), rb = sqrt_ (b);
  if (! (size > (R) w->tol * ra * rb))
    return;
  const R r = scale_by ((R) 1, gap > -2000 ? gap : -2000);
  R u, c, m;
  ge_onesided_scaled (a, b, d, r, &u, &c, &m);
  const R t = r * u;
  const R pr = is_complex<T>::value ? re / d : 1;
  const R pi = is_complex<T>::value ? im / d : 0;
  const R shorter = fma_ (u, d, b), q = c * fabs_ (u) * (ra / rb);
  /* Squares of new lengths, the shorter one without the digits that cancel.  */
  const int down = exponent_of (fmax_ (shorter, b * (R) 1e-12)) / 2;
  const int up = exponent_of (fma_ (-t * r, d, a)) / 2;
  const R fx = scale_by ((R) 1, -up), fy = scale_by ((R) 1, -down);
  *cosine = fmaxf (*cosine, (float) (size / ra / rb * (size / ra / rb)));
  *sine = fmaxf (*sine, (float) fmin_ (q * q, (R) 1e30));
  for (int i = lane; i < w->rows; i += LANES)
    {
      const int in_v = i >= w->dot;
      const R sx = c * (in_v ? t : t * r), sy = c * (in_v ? t : u);
      const R kx = in_v ? 1 : fx, ky = in_v ? 1 : fy;
      const R xr = real_part (x[i]), xi = imaginary_part (x[i]);
      const R yr = real_part (y[i]), yi = imaginary_part (y[i]);
      const R ur = xr - fma_ (m, xr, sx * fma_ (pr, yr, pi * yi));
      const R ui = xi - fma_ (m, xi, sx * fma_ (pr, yi, -pi * yr));
      const R vr = yr + fma_ (-m, yr, sy * fma_ (pr, xr, -pi * xi));
      const R vi = yi + fma_ (-m, yi, sy * fma_ (pr, xi, pi * xr));
      set_number (&x[i], kx * ur, kx * ui);
      set_number (&y[i], ky * vr, ky * vi);
    }
  if (lane == 0)
    {
      *ex += up;
      *ey += down;
    }
}

#endif
