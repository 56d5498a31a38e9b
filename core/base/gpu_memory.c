/* Data in memory of a GPU: what core inspects and copies.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/gpu_memory.h"

#include <string.h>

gpueig_status
ge_go_to_memory (gpueig_context *ctx, const void *pointer)
{
  int device = 0;
  if (ge_device_is_lost (ctx))
    return gpueig_fail (ctx, GPUEIG_DEVICE_LOST,
                        "the data was on a GPU that is lost to this process: "
                        "%s",
                        ctx->fault);
  GE_TRY (ge_need_gpu (ctx));
  if (! ctx->plugin->memory)
    return gpueig_fail (ctx, GPUEIG_NO_DEVICE,
                        "the plugin takes no problems in memory of a GPU");
  GE_TRY (ctx->plugin->memory->locate (ctx, pointer, &device));
  GE_TRY (ge_select_device (ctx, device));
  return ctx->plugin->memory->wait (ctx);
}

gpueig_status
ge_inspect (gpueig_context *ctx, gpueig_type type, const void *a, int64_t n,
            int64_t pages, ge_page_facts **facts)
{
  GE_TRY (ge_go_to_memory (ctx, a));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, pages, facts));
  const int mark = ge_mark (ctx);
  GE_TRY (ctx->plugin->memory->inspect (ctx, type, a, n, pages, *facts));
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

gpueig_status
ge_copy (gpueig_context *ctx, gpueig_place place, void *to, const void *from,
         size_t bytes)
{
  if (place == GPUEIG_DEVICE)
    return ctx->plugin->memory->copy (ctx, to, from, bytes);
  memcpy (to, from, bytes);
  return GPUEIG_OK;
}

gpueig_status
ge_to_host (gpueig_context *ctx, gpueig_place place, void *x, size_t bytes,
            void **host)
{
  *host = x;
  if (! x || place == GPUEIG_HOST)
    return GPUEIG_OK;
  GE_TRY (ge_alloc (ctx, GE_HOST, 1, bytes, host));
  return ge_copy (ctx, place, *host, x, bytes);
}

gpueig_status
ge_from_host (gpueig_context *ctx, gpueig_place place, void *x, size_t bytes,
              const void *host)
{
  return host == x ? GPUEIG_OK : ge_copy (ctx, place, x, host, bytes);
}
