/* Matrices in SIMD lanes, for typed files: element k of LANES matrices is in LANES
   consecutive reals.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_ONESIDED_LANES_H
#define GE_ONESIDED_LANES_H 1

#include "base/scalar.h"

/* An integer of the size of a real.  */
#if GE_DOUBLE
#  define GE_MASK int64_t
#else
#  define GE_MASK int32_t
#endif

enum
{
  LANES = 32 / sizeof (real_t),
  PARTS = 1 + GE_COMPLEX
};

/* Vectors of 32 bytes: compilers make scalar code of comparisons of longer vectors than the
   processor has.  */
typedef real_t lanes __attribute__ ((vector_size (32)));

typedef GE_MASK mask __attribute__ ((vector_size (32)));

/* The rotations x - (conj (z) y + m x), y + (z x - m y) of LANES pairs, results
   exchanged where SWAP is all ones, and the inner products.  */
typedef struct
{
  lanes d_re, d_im; /* x'y */
  lanes z_re, z_im, m;
  mask swap;
} group_rotation;

typedef struct
{
  lanes tol;          /* squares; FROZEN in lanes that have converged */
  lanes cosine, sine; /* squares, largest of the sweep */
} group_state;

#define FROZEN 2 /* larger than any cosine: no rotations */

/* A where M, else B; the larger; the modulus.  */
#define WHERE(m, a, b) ((lanes) (((mask) (a) & (m)) | ((mask) (b) & ~(m))))
#define LARGER(a, b) WHERE ((a) > (b), a, b)
#define MODULUS(a) WHERE ((a) < 0, -(a), a)

/* SUM += A B, rounded once.  */
GE_ALWAYS_INLINE void
add_product (const lanes *a, const lanes *b, lanes *sum)
{
  const real_t *x = (const real_t *) a, *y = (const real_t *) b;
  real_t *to = (real_t *) sum;
#pragma omp simd
  for (int w = 0; w < LANES; w++)
    to[w] = fma_ (x[w], y[w], to[w]);
}

static inline void
square_roots (const lanes *x, lanes *root)
{
  const real_t *from = (const real_t *) x;
  real_t *to = (real_t *) root;
#pragma omp simd
  for (int w = 0; w < LANES; w++)
    to[w] = sqrt_ (from[w]);
}

static inline int
any_lane (const mask *m)
{
  mask x = *m;
  GE_MASK any = 0;
  for (int w = 0; w < LANES; w++)
    any |= x[w];
  return any != 0;
}

static inline void
apply_rotations (int64_t n, lanes *x, lanes *y, const group_rotation *g,
                 int any_swap)
{
  const lanes zr = g->z_re, m = g->m;
  const mask swap = g->swap;
#if GE_COMPLEX
  const lanes zi = g->z_im;
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
        {
          x[i + k] = any_swap ? WHERE (swap, v[k], u[k]) : u[k];
          y[i + k] = any_swap ? WHERE (swap, u[k], v[k]) : v[k];
        }
    }
}

#endif
