/* Block reflectors of the bulge chasing in single precision, by products of numbers of
   half precision on tensor cores; included by chase_tiles.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Numbers are pairs of halves (base/halves.cuh), whose range is enough, since all numbers are
   bounded by the columns of Z, whose norm is near HALVES_SCALE, up to the growth of T's
   coefficients, and smaller numbers lose nothing against the norm of the column.  -(V T)' is made
   larger by half a unit against truncated sums (chase_records.cu).

   A real part of Z times a block is one product, and so is an imaginary one, in other rows
   of the same tile: for complex V the products with its real and with its imaginary parts
   are combined by add_products.  */

#ifndef GE_TRIDIAGONAL_CHASE_HALVES_CUH
#define GE_TRIDIAGONAL_CHASE_HALVES_CUH 1

#include "base/halves.cuh"
#include "tridiagonal/chase_records.cuh"

enum
{
  HALVES_BLOCK = sizeof (chase_block<1>) /* bytes of h and l */
};

/* The addresses from which a lane reads a record for load_halves: rows of one block, and of
   two.  */
typedef struct
{
  unsigned one, two;
} halves_places;

template <int PARTS>
GE_DEVICE_INLINE halves_places
places_of_halves (const chase_record<float, PARTS> *record, int lane)
{
  const unsigned first = (unsigned) __cvta_generic_to_shared (record),
                 second = (unsigned) (lane / 8 % 2 * PARTS * HALVES_BLOCK),
                 row = (unsigned) (lane % 8 + lane / 16 * 8) * 16;
  return { first + (unsigned) lane % 16 * 16, first + row + second };
}

/* Products of X with the parts of blocks, the smallest terms first.  */
template <bool TRANSPOSED, int PARTS, int TILES>
GE_DEVICE_INLINE void
multiply_blocks (float (&sum)[PARTS][4], const halves<TILES> &x, unsigned at)
{
#pragma unroll
  for (int i = 0; i < PARTS; i++)
    {
      unsigned h[TILES], l[TILES];
      load_halves<TRANSPOSED> (h, l, at + (unsigned) (i * HALVES_BLOCK));
#pragma unroll
      for (int q = 0; q < 4; q++)
        sum[i][q] = 0;
      multiply_halves (sum[i], x.low, h);
      multiply_halves (sum[i], x.high, l);
      multiply_halves (sum[i], x.high, h);
    }
}

/* Apply the block reflector RECORD to the windows' tiles from Z on, see
   chase_tiles.cuh.  */
template <int PARTS>
GE_DEVICE_INLINE void
apply_piece (float (*z)[1][4], const chase_record<float, PARTS> *record, int,
             int lane)
{
  constexpr int LAST = GE_BAND / 8; /* block of V' of eight reflectors */
  constexpr unsigned BLOCK = PARTS * HALVES_BLOCK, EIGHT = (LAST + 1) * BLOCK;
  static_assert (LAST % 2 == 0, "pairs of tiles");
  const auto p = places_of_halves (record, lane);
#pragma unroll
  for (int m = CHASE_SWEEPS / 8 - 2; m >= 0; m -= 2)
    {
      const unsigned v = (unsigned) m * EIGHT, next = v + EIGHT,
                     vt = CHASE_SWEEPS / 8 * EIGHT
                          + (unsigned) m * (LAST + 2) * BLOCK;
      halves<2> x[LAST / 2 + 1], y;
      float sum[PARTS][4], w[2][4] = { { 0 } };
#pragma unroll
      for (int k = 0; k <= LAST + 1; k++)
        split_tile (x[k / 2], k % 2, z[m + k][0]);
        /* the tiles 0 to LAST, and 1 to LAST + 1 */
#pragma unroll
      for (int k = 0; k < LAST; k += 2)
        {
          multiply_blocks<false> (sum, x[k / 2], p.two + v + k * BLOCK);
          add_products<true> (w[0], sum);
          multiply_blocks<false> (sum, x[k / 2 + 1],
                                  p.two + next + (k + 1) * BLOCK);
          add_products<true> (w[1], sum);
        }
      multiply_blocks<false> (sum, tile_of (x[LAST / 2], 0),
                              p.one + v + LAST * BLOCK);
      add_products<true> (w[0], sum);
      multiply_blocks<false> (sum, tile_of (x[0], 1), p.one + next);
      add_products<true> (w[1], sum);
      split_tile (y, 0, w[0]);
      split_tile (y, 1, w[1]);
#pragma unroll
      for (int k = 0; k <= LAST + 1; k++)
        {
          if (k <= LAST)
            multiply_blocks<true> (sum, y, p.two + vt + 2 * k * BLOCK);
          else
            multiply_blocks<true> (sum, tile_of (y, 1),
                                   p.one + vt + (2 * k + 1) * BLOCK);
          add_products<false> (z[m + k][0], sum);
        }
    }
}

#endif
