/* The workspace: every block of scratch memory, host, pinned and device.
   Linked into core and the plugin.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Blocks in use form a stack in the order of allocation; a frame is a height of that
   stack.  Released blocks stay in the same array as a cache: a request takes the
   smallest cached block that is large enough and not more than twice as large.  If
   an allocation fails, the cache of its space is freed and it is tried again, so
   caching never makes a call fail.  What was released last is first in the cache.  */

#include "base/solver.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The available memory is asked for when so many bytes have been allocated since the
   last time: asking takes a small part of the time of writing them.  */
#define ASK_FROM (16 << 20)

/* Memory that is left for others: page tables, the heap of the C library, LAPACK's own
   arrays.  A part of the request, and bytes.  */
#define LEFT_PART 64
#define LEFT_BYTES (16 << 20)

/* Limit of cached bytes between calls, per space: loops over small calls allocate
   nothing, and most of the machine's memory remains free.  On a GPU with much memory
   it is 1 / DEVICE_SHARE of what is free: memory that has just been allocated is slow
   at first.  To ask for that takes as long as a small operation on an array: it is done
   when blocks that were not cached the last time exceed the limit.  */
static const size_t cache_limit[GE_SPACES]
    = { (size_t) 64 << 20, (size_t) 256 << 20, (size_t) 1 << 30 };
#define DEVICE_SHARE 16

/* USED of a cached block that is within the share; of others it is 0.  */
#define WITHIN_SHARE (-1)

static int fits (gpueig_context *ctx, double bytes, double *available);

/* The check is needed since a kernel that overcommits memory grants any size and ends
   the process when it writes to it.  */
static gpueig_status
host_alloc (gpueig_context *ctx, size_t bytes, void **ptr)
{
  int large = bytes >= 2 * GE_HUGE_PAGE;
  const int ask = bytes >= (size_t) (ASK_FROM - ctx->unasked);
  if (ask && ! fits (ctx, (double) bytes, NULL))
    return GPUEIG_OUT_OF_MEMORY;
  *ptr = ge_aligned_alloc (large ? GE_HUGE_PAGE : 64, bytes);
  if (! *ptr)
    return GPUEIG_OUT_OF_MEMORY;
  ctx->unasked = ask ? 0 : ctx->unasked + (int64_t) bytes;
  if (large)
    ge_prepare_output (*ptr, bytes);
  return GPUEIG_OK;
}

static void
host_release (gpueig_context *ctx, void *ptr)
{
  (void) ctx;
  ge_aligned_free (ptr);
}

/* --- available host memory --- */

static int64_t
positive (int64_t x)
{
  return x > 0 ? x : 0;
}

/* Address space that is left under a limit (ulimit -v), without the buffers of OpenBLAS,
   which tries forever to map them.  */
static int64_t
address_space (void)
{
  const int64_t buffers = ge_map_blas_buffers (), left = ge_address_space ();
  return left == INT64_MAX ? left : positive (left - buffers);
}

/* Available memory less what this call has been granted and not written, results of
   the caller included if it has used gpueig_need_memory for them.  */
static int64_t
host_available (gpueig_context *ctx)
{
  const int64_t space = address_space ();
  const int64_t unwritten = ge_unwritten ();
  if (ctx->unwritten < 0)
    ctx->unwritten = unwritten;
  const int64_t there
      = positive (ge_memory_available () - positive (unwritten - ctx->unwritten)
                  - LEFT_BYTES);
  return there < space ? there : space;
}

static int
fits (gpueig_context *ctx, double bytes, double *available)
{
  const double there = (double) host_available (ctx);
  if (available)
    *available = there;
  return bytes + bytes / LEFT_PART <= there;
}

gpueig_status
gpueig_need_memory (gpueig_context *ctx, double bytes, const char *what)
{
  double there;
  if (bytes <= ASK_FROM || fits (ctx, bytes, &there))
    return GPUEIG_OK;
  ge_trim_space (ctx, GE_HOST, 0);
  if (fits (ctx, bytes, &there))
    return GPUEIG_OK;
  return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                      "out of host memory: %.6g MiB needed for %s, %.6g MiB "
                      "available",
                      bytes / 1048576.0, what, there / 1048576.0);
}

/* All bits set: NaN in both precisions, -1 as an integer.  */
static void
host_fill (gpueig_context *ctx, void *ptr, size_t bytes)
{
  (void) ctx;
  memset (ptr, 0xff, bytes);
}

void
ge_workspace_begin (gpueig_context *ctx)
{
  ctx->memory[GE_HOST]
      = (ge_memory){ host_alloc, host_release, host_available, host_fill };
  ctx->unwritten = -1;
}

gpueig_status
ge_multiply (gpueig_context *ctx, int64_t a, int64_t b, int64_t *product)
{
  *product = 0;
  if (a >= 0 && b >= 0 && ! __builtin_mul_overflow (a, b, product))
    return GPUEIG_OK;
  return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                      "a size of %lld times %lld does not fit in 64 bits",
                      (long long) a, (long long) b);
}

/* The number of blocks in use, which precede the cached ones in the array.  */
static int
used_blocks (const gpueig_context *ctx)
{
  int n = 0;
  while (n < ctx->n_blocks && ctx->blocks[n].used > 0)
    n++;
  return n;
}

int
ge_mark (const gpueig_context *ctx)
{
  return used_blocks (ctx);
}

/* Nonzero for memory of a lost GPU, which must not be freed or used.  */
static int
is_lost (const gpueig_context *ctx, int space)
{
  return space != GE_HOST && ge_device_is_lost (ctx);
}

static int
find_cached (const gpueig_context *ctx, ge_space space, size_t bytes)
{
  int best = -1;
  if (is_lost (ctx, space))
    return best;
  for (int i = used_blocks (ctx); i < ctx->n_blocks; i++)
    {
      const ge_block *b = &ctx->blocks[i];
      if (b->space != space || b->bytes < bytes || b->bytes / 2 > bytes)
        continue;
      if (best < 0 || b->bytes < ctx->blocks[best].bytes)
        best = i;
    }
  return best;
}

static gpueig_status
out_of_memory (gpueig_context *ctx, ge_space space, size_t bytes)
{
  static const char *const where[GE_SPACES]
      = { "host memory", "pinned host memory", "GPU memory" };
  int64_t there
      = ctx->memory[space].available ? ctx->memory[space].available (ctx) : 0;
  char held[64] = "";
  if (ctx->held[space] > 0)
    snprintf (held, sizeof held, ", %.6g MiB held by live arrays",
              (double) ctx->held[space] / 1048576.0);
  return gpueig_fail (
      ctx, GPUEIG_OUT_OF_MEMORY,
      "out of %s: %.6g MiB needed for one array, %.6g MiB available%s",
      where[space], (double) bytes / 1048576.0, (double) there / 1048576.0,
      held);
}

gpueig_status
ge_alloc_block (gpueig_context *ctx, ge_space space, size_t bytes, void **ptr)
{
  *ptr = NULL;
  if (is_lost (ctx, space))
    return ge_device_lost (ctx, "%s", ctx->fault);
  gpueig_status status = ctx->memory[space].alloc (ctx, bytes, ptr);
  if (status == GPUEIG_OUT_OF_MEMORY)
    {
      ge_trim_space (ctx, space, 0);
      status = ctx->memory[space].alloc (ctx, bytes, ptr);
    }
  return status == GPUEIG_OUT_OF_MEMORY ? out_of_memory (ctx, space, bytes)
                                        : status;
}

/* Move block I to place J, and those between them by one.  */
static void
move_block (gpueig_context *ctx, int i, int j)
{
  ge_block *all = ctx->blocks;
  const ge_block moved = all[i];
  if (i < j)
    memmove (all + i, all + i + 1, (size_t) (j - i) * sizeof moved);
  else
    memmove (all + j + 1, all + j, (size_t) (i - j) * sizeof moved);
  all[j] = moved;
}

int
gpueig_allocation_fails (gpueig_context *ctx)
{
  ctx->alloc_count++;
  return ctx->alloc_fail && ctx->alloc_count == ctx->alloc_fail;
}

/* Room in the table for one more block.  */
static int
grow_table (gpueig_context *ctx)
{
  if (ctx->n_blocks < ctx->max_blocks)
    return 1;
  const int max = ctx->max_blocks ? 2 * ctx->max_blocks : 32;
  ge_block *grown = realloc (ctx->blocks, (size_t) max * sizeof *grown);
  if (! grown)
    return 0;
  ctx->blocks = grown;
  ctx->max_blocks = max;
  return 1;
}

gpueig_status
ge_alloc (gpueig_context *ctx, ge_space space, int64_t count, size_t size,
          void **ptr)
{
  int64_t total;
  *ptr = NULL;
  GE_TRY (ge_multiply (ctx, count, (int64_t) size, &total));
  size_t bytes = total < 64 ? 64 : (size_t) total;

  if (gpueig_allocation_fails (ctx))
    return out_of_memory (ctx, space, bytes);
  if (! grow_table (ctx))
    return out_of_memory (ctx, GE_HOST,
                          2 * (size_t) ctx->max_blocks * sizeof (ge_block));

  int used = used_blocks (ctx);
  int found = find_cached (ctx, space, bytes);
  if (found < 0)
    {
      void *p;
      GE_TRY (ge_alloc_block (ctx, space, bytes, &p));
      found = ctx->n_blocks++;
      ctx->blocks[found] = (ge_block){ p, bytes, space, 0 };
    }
  ctx->blocks[found].used = 1;
  move_block (ctx, found, used);
  ctx->in_use += (int64_t) ctx->blocks[used].bytes;
  if (ctx->in_use > ctx->peak)
    ctx->peak = ctx->in_use;
  *ptr = ctx->blocks[used].ptr;
#ifdef GPUEIG_DEBUG
  if (ctx->memory[space].fill)
    ctx->memory[space].fill (ctx, *ptr, bytes);
#endif
  return GPUEIG_OK;
}

/* Blocks that the table keeps for later: searching it takes time in proportion.  */
#define MOST_CACHED 128

gpueig_status
ge_take_block (gpueig_context *ctx, ge_space space, size_t bytes,
               ge_block *block)
{
  bytes = bytes < 64 ? 64 : bytes;
  if (gpueig_allocation_fails (ctx))
    return out_of_memory (ctx, space, bytes);
  const int found = find_cached (ctx, space, bytes);
  if (found >= 0)
    {
      *block = ctx->blocks[found];
      move_block (ctx, found, --ctx->n_blocks);
    }
  else
    {
      void *p;
      GE_TRY (ge_alloc_block (ctx, space, bytes, &p));
      *block = (ge_block){ p, bytes, space, 0 };
    }
  block->used = 1;
  ctx->held[space] += (int64_t) block->bytes;
#ifdef GPUEIG_DEBUG
  if (ctx->memory[space].fill)
    ctx->memory[space].fill (ctx, block->ptr, bytes);
#endif
  return GPUEIG_OK;
}

void
ge_return_block (gpueig_context *ctx, const ge_block *block, int keep)
{
  ctx->held[block->space] -= (int64_t) block->bytes;
  if (is_lost (ctx, block->space))
    return;
  if (! keep || ctx->n_blocks - used_blocks (ctx) >= MOST_CACHED
      || ! grow_table (ctx))
    {
      ctx->memory[block->space].release (ctx, block->ptr);
      return;
    }
  const int last = ctx->n_blocks++;
  ctx->blocks[last] = *block;
  ctx->blocks[last].used = 0;
  move_block (ctx, last, used_blocks (ctx));
}

static size_t
limit_of_cache (gpueig_context *ctx, ge_space space)
{
  const size_t limit = cache_limit[space];
  const int used = used_blocks (ctx);
  size_t cached = 0, since = 0;
  if (is_lost (ctx, space))
    return 0;
  if (space != GE_DEVICE)
    return limit;
  for (int i = used; i < ctx->n_blocks; i++)
    if (ctx->blocks[i].space == space)
      {
        cached += ctx->blocks[i].bytes;
        since += ctx->blocks[i].used ? 0 : ctx->blocks[i].bytes;
      }
  if (since <= limit)
    return cached;
  const int64_t share = ctx->memory[space].available (ctx) / DEVICE_SHARE;
  if (share <= (int64_t) limit)
    return limit;
  for (int i = used; i < ctx->n_blocks; i++)
    ctx->blocks[i].used = ctx->blocks[i].space == space ? WITHIN_SHARE : 0;
  return (size_t) share;
}

void
ge_release (gpueig_context *ctx, int mark)
{
  for (int i = used_blocks (ctx) - 1; i >= mark; i--)
    {
      ctx->blocks[i].used = 0;
      ctx->in_use -= (int64_t) ctx->blocks[i].bytes;
    }
  if (mark == 0)
    for (int s = 0; s < GE_SPACES; s++)
      ge_trim_space (ctx, (ge_space) s, limit_of_cache (ctx, (ge_space) s));
}

void
ge_trim_space (gpueig_context *ctx, ge_space space, size_t keep)
{
  size_t kept = 0;
  int n = used_blocks (ctx);
  for (int i = n; i < ctx->n_blocks; i++)
    {
      const ge_block b = ctx->blocks[i];
      const int stays = b.space != space || kept + b.bytes <= keep;
      if (stays)
        ctx->blocks[n++] = b;
      else if (! is_lost (ctx, space))
        ctx->memory[space].release (ctx, b.ptr);
      kept += stays && b.space == space ? b.bytes : 0;
    }
  ctx->n_blocks = n;
}

void
ge_workspace_end (gpueig_context *ctx)
{
  ge_release (ctx, 0);
  for (int s = 0; s < GE_SPACES; s++)
    ge_trim_space (ctx, (ge_space) s, 0);
  free (ctx->blocks);
  ctx->blocks = NULL;
  ctx->n_blocks = ctx->max_blocks = 0;
}

int64_t
gpueig_memory (const gpueig_context *ctx)
{
  int64_t bytes = 0;
  for (int i = 0; i < ctx->n_blocks; i++)
    bytes += (int64_t) ctx->blocks[i].bytes;
  for (int i = 0; i < ctx->n_children; i++)
    if (ctx->child[i])
      bytes += gpueig_memory (ctx->child[i]);
  return bytes;
}
