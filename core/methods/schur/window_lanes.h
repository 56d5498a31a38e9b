/* Application of two reflectors of three rows at once to columns or rows of a window,
   with several columns or rows in a SIMD register.  Included once per scalar type.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Real and imaginary parts are in separate planes; real types have one.  */

#include "base/scalar.h"

#define INLINE static inline __attribute__ ((always_inline))

#ifdef __clang__
/* Clang unrolls short loops and then warns that it could not vectorize them.  */
#  pragma clang diagnostic ignored "-Wpass-failed"
#endif

enum
{
  PARTS = 1 + GE_COMPLEX,
  ROUND = 8 /* rows of a product are a multiple of this */
};

/* I - tau v v', v = (1, v1, v2); real and imaginary parts.  */
typedef struct
{
  real_t tau[2], v1[2], v2[2];
} short_reflector;

/* S += SIGN a Y on parts, a = A[0] + SIDE i A[1]; SIGN and SIDE are 1 or -1.  */
#define ADD(sign, side, s, a, y)                                               \
  do                                                                           \
    {                                                                          \
      s##_re = fma_ ((sign) * (a)[0], y##_re, s##_re);                         \
      if (GE_COMPLEX)                                                          \
        {                                                                      \
          s##_re = fma_ (-(sign) * (side) * (a)[1], y##_im, s##_re);           \
          s##_im = fma_ ((sign) * (a)[0], y##_im, s##_im);                     \
          s##_im = fma_ ((sign) * (side) * (a)[1], y##_re, s##_im);            \
        }                                                                      \
    }                                                                          \
  while (0)
/* S = a Y */
#define PRODUCT(side, s, a, x)                                                 \
  do                                                                           \
    {                                                                          \
      s##_re = (a)[0] * x##_re;                                                \
      if (GE_COMPLEX)                                                          \
        {                                                                      \
          s##_re = fma_ (-(side) * (a)[1], x##_im, s##_re);                    \
          s##_im = fma_ ((side) * (a)[1], x##_re, (a)[0] * x##_im);            \
        }                                                                      \
    }                                                                          \
  while (0)

/* Replace (x, y, z) by (x, y, z) (I - tau v v') if SIDE is 1, and by (I - conj (tau) v v')
   (x; y; z) if SIDE is -1.  */
#define REFLECT(side, q, x, y, z)                                              \
  do                                                                           \
    {                                                                          \
      real_t s_re = x##_re, s_im = x##_im, t_re, t_im = 0;                     \
      ADD (1, side, s, (q).v1, y);                                             \
      ADD (1, side, s, (q).v2, z);                                             \
      PRODUCT (side, t, (q).tau, s);                                           \
      x##_re -= t_re;                                                          \
      x##_im -= t_im;                                                          \
      ADD (-1, -(side), y, (q).v1, t);                                         \
      ADD (-1, -(side), z, (q).v2, t);                                         \
      (void) s_im;                                                             \
    }                                                                          \
  while (0)

/* Apply P to columns 0 .. 2, then Q to columns 1 .. 3, from the right, in rows
   0 .. COUNT - 1; COUNT is a multiple of ROUND.  */
INLINE void
right_pair (int64_t count, real_t *re, real_t *im, int64_t ld,
            const short_reflector *p, const short_reflector *q)
{
  const short_reflector a = *p, b = *q;
  real_t *restrict r0 = re, *restrict r1 = re + ld, *restrict r2 = re + 2 * ld,
                   *restrict r3 = re + 3 * ld;
  real_t *restrict i0 = im, *restrict i1 = im + ld, *restrict i2 = im + 2 * ld,
                   *restrict i3 = im + 3 * ld;
  for (int64_t i = 0; i < count; i += ROUND)
#pragma omp simd
    for (int64_t k = i; k < i + ROUND; k++)
      {
        real_t x_re = r0[k], y_re = r1[k], z_re = r2[k], w_re = r3[k];
        real_t x_im = GE_COMPLEX ? i0[k] : 0, y_im = GE_COMPLEX ? i1[k] : 0;
        real_t z_im = GE_COMPLEX ? i2[k] : 0, w_im = GE_COMPLEX ? i3[k] : 0;
        REFLECT (1, a, x, y, z);
        REFLECT (1, b, y, z, w);
        r0[k] = x_re;
        r1[k] = y_re;
        r2[k] = z_re;
        r3[k] = w_re;
        if (GE_COMPLEX)
          {
            i0[k] = x_im;
            i1[k] = y_im;
            i2[k] = z_im;
            i3[k] = w_im;
          }
      }
}

/* Four reals, and four of them transposed.  */
typedef real_t quad __attribute__ ((vector_size (4 * sizeof (real_t))));

/* As quad, without alignment.  */
typedef real_t loose_quad __attribute__ ((
    vector_size (4 * sizeof (real_t)), aligned (sizeof (real_t)), may_alias));

/* Index vectors of shuffles that are one instruction each (shuffles of doubles work
   within the 128-bit halves of a register).  */
#if GE_DOUBLE
#  define ODD_EVEN 0, 4, 2, 6
#  define EVEN_ODD 1, 5, 3, 7
#else
#  define ODD_EVEN 0, 4, 1, 5
#  define EVEN_ODD 2, 6, 3, 7
#endif

INLINE void
transpose (quad x[4])
{
  const quad a = __builtin_shufflevector (x[0], x[1], ODD_EVEN);
  const quad b = __builtin_shufflevector (x[0], x[1], EVEN_ODD);
  const quad c = __builtin_shufflevector (x[2], x[3], ODD_EVEN);
  const quad d = __builtin_shufflevector (x[2], x[3], EVEN_ODD);
  x[0] = __builtin_shufflevector (a, c, 0, 1, 4, 5);
#if GE_DOUBLE
  x[1] = __builtin_shufflevector (b, d, 0, 1, 4, 5);
  x[2] = __builtin_shufflevector (a, c, 2, 3, 6, 7);
#else
  x[1] = __builtin_shufflevector (a, c, 2, 3, 6, 7);
  x[2] = __builtin_shufflevector (b, d, 0, 1, 4, 5);
#endif
  x[3] = __builtin_shufflevector (b, d, 2, 3, 6, 7);
}

/* Apply P to rows 0 .. 2, then Q to rows 1 .. 3, from the left, in columns
   0 .. COUNT - 1, COUNT rounded up to a multiple of 4.  */
INLINE void
left_pair (int64_t count, real_t *re, real_t *im, int64_t ld,
           const short_reflector *p, const short_reflector *q)
{
  const short_reflector a = *p, b = *q;
  for (int64_t j = 0; j < count; j += 4)
    {
      quad r[4], i[4];
      for (int c = 0; c < 4; c++)
        {
          r[c] = *(const loose_quad *) (re + (j + c) * ld);
          if (GE_COMPLEX)
            i[c] = *(const loose_quad *) (im + (j + c) * ld);
        }
      transpose (r);
      if (GE_COMPLEX)
        transpose (i);
#pragma omp simd
      for (int c = 0; c < 4; c++)
        {
          real_t x_re = r[0][c], y_re = r[1][c], z_re = r[2][c], w_re = r[3][c];
          real_t x_im = GE_COMPLEX ? i[0][c] : 0;
          real_t y_im = GE_COMPLEX ? i[1][c] : 0;
          real_t z_im = GE_COMPLEX ? i[2][c] : 0;
          real_t w_im = GE_COMPLEX ? i[3][c] : 0;
          REFLECT (-1, a, x, y, z);
          REFLECT (-1, b, y, z, w);
          r[0][c] = x_re;
          r[1][c] = y_re;
          r[2][c] = z_re;
          r[3][c] = w_re;
          if (GE_COMPLEX)
            {
              i[0][c] = x_im;
              i[1][c] = y_im;
              i[2][c] = z_im;
              i[3][c] = w_im;
            }
        }
      transpose (r);
      if (GE_COMPLEX)
        transpose (i);
      for (int c = 0; c < 4; c++)
        {
          *(loose_quad *) (re + (j + c) * ld) = r[c];
          if (GE_COMPLEX)
            *(loose_quad *) (im + (j + c) * ld) = i[c];
        }
    }
}
