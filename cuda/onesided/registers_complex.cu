/* Pages of complex matrices in registers: which tiles serve which orders.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A tile of L lanes and R rows a lane serves orders up to L R.  As few
   lanes as the registers allow are fastest, because the rotation's angle is found by
   every lane of a group.  */

#include "onesided/registers.cuh"

static gpueig_status
choose_tile (gpueig_context *ctx, int n,
             const onesided_stack<cuDoubleComplex> *s)
{
  typedef cuDoubleComplex T;
  WARPS (1, 4, 1);
  WARPS (1, 8, 1);
  WARPS (1, 10, 1);
  WARPS (2, 8, 1);
  WARPS (4, 5, 1);
  BLOCKS (4, 8, 1, 6);
  BLOCKS (4, 12, 1, 3);
  BLOCKS (8, 8, 1, 2);
  BLOCKS (8, 12, 1, 1);
  BLOCKS (8, 16, 2, 1);
  return NO_TILE;
}

static gpueig_status
choose_tile (gpueig_context *ctx, int n, const onesided_stack<cuComplex> *s)
{
  typedef cuComplex T;
  WARPS (1, 4, 1);
  WARPS (1, 8, 1);
  WARPS (1, 16, 1);
  WARPS (2, 16, 1);
  BLOCKS (4, 16, 1, 3);
  BLOCKS (8, 12, 1, 1);
  BLOCKS (8, 16, 1, 1);
  return NO_TILE;
}

REGISTERS (cuDoubleComplex)
REGISTERS (cuComplex)
