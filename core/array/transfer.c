/* Copies between arrays and the host; the address of an array.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array/array.h"

#include <string.h>

static size_t
bytes_of (const ge_array *a)
{
  return (size_t) a->shape.count * gpueig_scalar_size (a->shape.type);
}

/* Copy BYTES of the stored elements of ARRAY, A, to the host.  */
static gpueig_status
fetch_elements (ge_place *place, gpueig_array array, const ge_array *a,
                void *host, size_t bytes)
{
  if (a->block.space != GE_PINNED)
    return place->ops->download (place->ctx, host, a->block.ptr, bytes);
  GE_TRY (place->ops->wait (place->ctx));
  ge_array_find_slot (place->ctx, array)->settled = 1;
  memcpy (host, a->block.ptr, bytes);
  return GPUEIG_OK;
}

GE_ARRAY_PUBLIC (gpueig_array_upload, NULL, (ctx, array, host),
                 gpueig_array array, const void *host)
{
  ge_place place = { .ctx = ctx };
  ge_array a = { .device = -1 };
  GE_TRY (ge_array_get (&place, array, &a));
  if (a.shape.count == 0)
    return GPUEIG_OK;
  GE_TRY (ge_array_change (ctx, array));
  return place.ops->upload (ctx, a.block.ptr, host, bytes_of (&a));
}

GE_ARRAY_PUBLIC (gpueig_array_download, NULL, (ctx, array, host),
                 gpueig_array array, void *host)
{
  ge_place place = { .ctx = ctx };
  ge_array a = { .device = -1 };
  GE_TRY (ge_array_get_stored (&place, array, &a));
  if (a.bytes)
    GE_TRY (ge_array_get (&place, array, &a));
  return a.shape.count == 0
             ? GPUEIG_OK
             : fetch_elements (&place, array, &a, host, bytes_of (&a));
}

/* Download bytes: 1 where an element is not zero.  The host computes a few bytes itself, in
   less time than a kernel takes.  */
GE_ARRAY_PUBLIC (gpueig_array_download_bytes, NULL, (ctx, array, host),
                 gpueig_array array, unsigned char *host)
{
  enum
  {
    FEW = 1024
  };
  ge_place place = { .ctx = ctx };
  ge_array a = { .device = -1 };
  GE_TRY (ge_array_get_stored (&place, array, &a));
  const int64_t count = a.shape.count;
  const size_t size = gpueig_scalar_size (a.shape.type);
  void *bytes = a.block.ptr;
  if (count == 0)
    return GPUEIG_OK;
  if (! a.bytes && count <= FEW)
    {
      GE_TRY (ge_alloc (ctx, GE_HOST, count, size, &bytes));
      GE_TRY (fetch_elements (&place, array, &a, bytes, (size_t) count * size));
      for (int64_t i = 0; i < count; i++)
        {
          double value[2];
          ge_array_number (a.shape.type, bytes, i, value);
          host[i] = value[0] != 0 || value[1] != 0;
        }
      return GPUEIG_OK;
    }
  if (! a.bytes)
    {
      GE_TRY (ge_alloc (ctx, place.space, count, 1, &bytes));
      GE_TRY (ge_array_map_line (&place, GE_MAP_NE, a.shape.type, count,
                                 ge_view_line (a.shape.type, a.block.ptr),
                                 (ge_view){ .type = a.shape.type },
                                 ge_view_line (a.shape.type, bytes)));
    }
  return place.ops->download (ctx, host, bytes, (size_t) count);
}

GE_ARRAY_PUBLIC (gpueig_array_upload_bytes, NULL, (ctx, array, host),
                 gpueig_array array, const unsigned char *host)
{
  ge_place place = { .ctx = ctx };
  ge_array a = { .device = -1 };
  void *bytes = (void *) host;
  GE_TRY (ge_array_get (&place, array, &a));
  const int64_t count = a.shape.count;
  if (count == 0)
    return GPUEIG_OK;
  if (a.device >= 0)
    {
      GE_TRY (ge_alloc (ctx, place.space, count, 1, &bytes));
      GE_TRY (place.ops->upload (ctx, bytes, host, (size_t) count));
    }
  GE_TRY (ge_array_change (ctx, array));
  ge_view from = ge_view_line (a.shape.type, bytes);
  from.bytes = 1;
  return ge_array_map_line (&place, GE_MAP_COPY, a.shape.type, count, from,
                            GE_NO_VIEW,
                            ge_view_line (a.shape.type, a.block.ptr));
}

gpueig_status
gpueig_array_data (gpueig_context *ctx, gpueig_array array, void **data)
{
  const int mark = ge_array_begin (ctx, NULL);
  ge_place place = { .ctx = ctx };
  ge_array a = { .device = -1 };
  *data = NULL;
  gpueig_status status = ge_array_get (&place, array, &a);
  if (status == GPUEIG_OK)
    status = ge_array_change (ctx, array);
  if (status == GPUEIG_OK)
    {
      *data = a.block.ptr;
      ge_array_find_slot (ctx, array)->given = 1;
    }
  return ge_array_end (ctx, mark, NULL, status);
}

/* Operations were queued on the selected device: a change of the device waits.  */
gpueig_status
gpueig_array_wait (gpueig_context *ctx)
{
  const int mark = ge_array_begin (ctx, NULL);
  gpueig_status status = GPUEIG_OK;
  if (ctx->arrays && ctx->plugin && ctx->plugin->arrays && ctx->selected >= 0
      && ! ge_device_is_lost (ctx))
    status = ctx->plugin->arrays->wait (ctx);
  return ge_array_end (ctx, mark, NULL, status);
}
