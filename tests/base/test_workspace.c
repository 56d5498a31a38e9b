/* Claims: the workspace reuses blocks, frees frames in order, counts bytes,
   refuses sizes that overflow, and survives the k-th failing allocation.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "check.h"
#include "base/context.h"

#include <string.h>

int
main (void)
{
  gpueig_options options;
  double *x, *y, *z;
  check_begin ("workspace");
  gpueig_context *ctx = check_context (&options);

  int outer = ge_mark (ctx);
  CHECK (GE_ALLOC (ctx, GE_HOST, 1000, &x) == GPUEIG_OK, "1000 doubles");
  memset (x, 0, 1000 * sizeof *x);
  int inner = ge_mark (ctx);
  CHECK (GE_ALLOC (ctx, GE_HOST, 1000, &y) == GPUEIG_OK && y != x,
         "blocks in use are distinct");
  ge_release (ctx, inner);
  CHECK (GE_ALLOC (ctx, GE_HOST, 900, &z) == GPUEIG_OK && z == y,
         "a released block is used again");
  CHECK (GE_ALLOC (ctx, GE_HOST, 100, &y) == GPUEIG_OK && y != x && y != z,
         "a block more than twice as large is not taken");
  CHECK (((uintptr_t) z & 63) == 0, "blocks are aligned to 64 bytes");
  ge_release (ctx, outer);
  CHECK (ge_mark (ctx) == outer, "the frame is closed");
  CHECK (gpueig_memory (ctx) > 0, "small blocks stay cached");
  gpueig_trim (ctx);
  CHECK (gpueig_memory (ctx) == 0, "trim gives everything back");

  CHECK (GE_ALLOC (ctx, GE_HOST, (int64_t) 80 << 20, &x) == GPUEIG_OK,
         "640 MB");
  ge_release (ctx, outer);
  CHECK (gpueig_memory (ctx) <= (int64_t) 64 << 20,
         "large blocks do not stay cached");

  CHECK (GE_ALLOC (ctx, GE_HOST, INT64_MAX / 2, &x) == GPUEIG_OUT_OF_MEMORY
             && ! x,
         "a size that overflows is refused");
  CHECK (GE_ALLOC (ctx, GE_HOST, -1, &x) == GPUEIG_OUT_OF_MEMORY,
         "a negative size is refused");
  CHECK (GE_ALLOC (ctx, GE_HOST, (int64_t) 1 << 57, &x) == GPUEIG_OUT_OF_MEMORY,
         "more than there is is refused");
  CHECK (strstr (gpueig_message (ctx), "needed")
             && strstr (gpueig_message (ctx), "available"),
         "the message has both numbers: %s", gpueig_message (ctx));
  CHECK (GE_ALLOC (ctx, GE_HOST, 0, &x) == GPUEIG_OK && x,
         "nothing is something");
  ge_release (ctx, outer);
  CHECK (ctx->in_use == 0 && ctx->peak >= 640 << 20,
         "bytes in use and their peak are counted");
  gpueig_destroy (ctx);
  return check_end ();
}
