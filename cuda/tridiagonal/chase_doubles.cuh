/* Eight reflectors of the bulge chasing in double precision applied to tiles; included by
   chase_tiles.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_TRIDIAGONAL_CHASE_DOUBLES_CUH
#define GE_TRIDIAGONAL_CHASE_DOUBLES_CUH 1

#include "base/tensor.cuh"
#include "tridiagonal/chase_records.cuh"

/* 32-bit addresses in shared memory, so that constant offsets are part of the
   load instruction; the loads are volatile so that the compiler does not move
   them to where more registers would be needed than there are.  */
typedef unsigned shared_place;
GE_DEVICE_INLINE shared_place
place_of (const double *p)
{
  return (unsigned) __cvta_generic_to_shared (p);
}
GE_DEVICE_INLINE shared_place
move_place (shared_place p, int numbers)
{
  return p + (unsigned) (numbers * (int) sizeof (double));
}
GE_DEVICE_INLINE double2
shared_pair (shared_place p)
{
  double2 x;
  asm volatile("ld.shared.v2.f64 {%0, %1}, [%2];"
               : "=d"(x.x), "=d"(x.y)
               : "r"(p));
  return x;
}
GE_DEVICE_INLINE double
shared_one (shared_place p)
{
  double x;
  asm volatile("ld.shared.f64 %0, [%1];" : "=d"(x) : "r"(p));
  return x;
}

/* C += X Y with an accumulator X: its fragment is that of a left operand if the
   rows of the right operand are permuted to 0, 2, 4, 6, 1, 3, 5, 7 (sigma).  With complex
   numbers there are enough independent products for thin ones.  */
template <int PARTS>
GE_DEVICE_INLINE void
multiply_accumulator (double c[4], const double x[4], double2 y)
{
  if (PARTS == 2)
    multiply_thin_tiles (c, x[0], x[2], x[1], x[3], y.x, y.y);
  else
    multiply_tiles (c, x[0], x[2], x[1], x[3], y.x, y.y);
}

/* -X without an instruction of the units that the products occupy.  */
GE_DEVICE_INLINE double
opposite (double x)
{
  return __hiloint2double (__double2hiint (x) ^ (int) 0x80000000u,
                           __double2loint (x));
}

/* C += (i X) Y for complex X with real parts in rows 0 to 7 and imaginary ones in
   rows 8 to 15: (-im, re).  */
GE_DEVICE_INLINE void
multiply_turned (double c[4], const double x[4], double2 y)
{
  multiply_thin_tiles (c, opposite (x[2]), x[0], opposite (x[3]), x[1], y.x,
                       y.y);
}

/* The addresses from which a lane reads eight reflectors: its row sigma of V', for tiles of
   even and of odd number and for the last one (see chase_place), and its row c of
   -(V T)'.  */
typedef struct
{
  shared_place even, odd, last, vt;
} piece_places;

template <int PARTS>
GE_DEVICE_INLINE piece_places
places_of_piece (const chase_eight<PARTS> *piece, int lane)
{
  const int r = lane / 4, c = lane % 4, sigma = r / 2 + 4 * (r & 1);
  const shared_place v = place_of (piece->v[0]);
  piece_places p;
  p.even = move_place (v, chase_place (sigma, 2 * c));
  p.odd = move_place (v, chase_place (sigma, 8 + 2 * c) - 8);
  p.last = move_place (v, chase_place (sigma, GE_BAND + 2 * c) - GE_BAND);
  p.vt = move_place (place_of (piece->vt[0]), chase_place (c, r));
  return p;
}

/* Part I of block K of V' as the right operand of W, and of -(V T)' as that of the
   update.  */
GE_DEVICE_INLINE double2
load_v (const piece_places &p, int k, int i)
{
  const shared_place v = 8 * k == GE_BAND ? p.last
                         : k % 2 == 0     ? p.even
                                          : p.odd;
  return shared_pair (move_place (v, 8 * k + i * 8 * CHASE_LD));
}
GE_DEVICE_INLINE double2
load_vt (const piece_places &p, int k, int i)
{
  /* rows c and c + 4 */
  const shared_place y = move_place (p.vt, i * 8 * CHASE_LD);
  return make_double2 (shared_one (move_place (y, 8 * k)),
                       shared_one (move_place (y, chase_place (4, 8 * k))));
}

/* Apply the eight reflectors of PIECE to the tiles from Z + M on.  Because V's columns are
   taken in the order sigma, those of W are in natural order.  */
template <int PARTS, int WIDE>
GE_DEVICE_INLINE void
apply_piece (double (*z)[WIDE][4], const chase_eight<PARTS> *piece, int m,
             int lane)
{
  constexpr int NEAR = GE_BAND / 8 + 1,
                EARLY = 4 / PARTS; /* operands loaded ahead */
  const piece_places p = places_of_piece (piece, lane);
  double w[WIDE][4] = {}, other[WIDE][4] = {};
  double2 x[2 * NEAR][PARTS];
#pragma unroll
  for (int k = -EARLY; k < 2 * NEAR; k++)
    {
#pragma unroll
      for (int i = 0; i < PARTS; i++)
        if (k + EARLY < NEAR)
          x[k + EARLY][i] = load_v (p, k + EARLY, i);
        else if (k + EARLY < 2 * NEAR)
          x[k + EARLY][i] = load_vt (p, k + EARLY - NEAR, i);
      if (k < 0)
        continue;
#pragma unroll
      for (int t = 0; t < WIDE; t++)
        if (k < NEAR)
          {
            multiply_accumulator<PARTS> (w[t], z[m + k][t], x[k][0]);
            if (PARTS == 2)
              multiply_accumulator<PARTS> (other[t], z[m + k][t],
                                           x[k][PARTS - 1]);
          }
        else
          {
            multiply_accumulator<PARTS> (z[m + k - NEAR][t], w[t], x[k][0]);
            if (PARTS == 2)
              multiply_turned (z[m + k - NEAR][t], w[t], x[k][PARTS - 1]);
          }
      if (PARTS == 2 && k == NEAR - 1)
#pragma unroll
        for (int t = 0; t < WIDE; t++)
#pragma unroll
          for (int q = 0; q < 4; q++)
            w[t][q] += q < 2 ? other[t][q ^ 2] : -other[t][q ^ 2];
    }
}

#endif
