/* Pages of real matrices in registers: which tiles serve which orders.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A tile of L lanes and R rows a lane serves orders up to L R.  As few
   lanes as the registers allow are fastest, because the rotation's angle is found by
   every lane of a group.  */

#include "onesided/registers.cuh"

static gpueig_status
choose_tile (gpueig_context *ctx, int n, const onesided_stack<double> *s)
{
  typedef double T;
  WARPS (1, 4, 1);
  WARPS (1, 8, 5);
  WARPS (1, 10, 1);
  WARPS (1, 16, 1);
  WARPS (1, 20, 1);
  WARPS (2, 12, 5);
  WARPS (2, 16, 4);
  BLOCKS (4, 10, 1, 7);
  BLOCKS (4, 12, 1, 6);
  BLOCKS (2, 32, 1, 4);
  BLOCKS (4, 20, 1, 3);
  BLOCKS (4, 24, 1, 2);
  BLOCKS (8, 14, 1, 1);
  BLOCKS (8, 16, 1, 1);
  BLOCKS (8, 20, 4, 2);
  BLOCKS (8, 32, 8, 2);
  return NO_TILE;
}

static gpueig_status
choose_tile (gpueig_context *ctx, int n, const onesided_stack<float> *s)
{
  typedef float T;
  WARPS (1, 4, 1);
  WARPS (1, 8, 1);
  WARPS (1, 16, 1);
  WARPS (1, 32, 1);
  BLOCKS (4, 16, 1, 1);
  BLOCKS (4, 24, 1, 1);
  BLOCKS (8, 12, 1, 2);
  BLOCKS (8, 14, 1, 2);
  BLOCKS (8, 16, 1, 2);
  BLOCKS (8, 20, 1, 1);
  BLOCKS (8, 24, 1, 1);
  BLOCKS (8, 32, 2, 1);
  return NO_TILE;
}

REGISTERS (double)
REGISTERS (float)
