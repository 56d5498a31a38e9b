/* Assignments that are not done yet, see ge_array.  In a loop of G(i,j) = x the array of
   the variable is freed right after each assignment, so that no array is copied.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "array/array.h"

#include <stdlib.h>
#include <string.h>

static void
free_edit (gpueig_context *ctx, ge_edit *e, int keep)
{
  if (! e)
    return;
  for (int d = 0; d < e->n; d++)
    free ((void *) e->index[d].list);
  if (e->has_block)
    ge_return_block (ctx, &e->block, keep);
  free (e);
}

static size_t
bytes_of (const gpueig_shape *shape)
{
  return (size_t) shape->count * gpueig_scalar_size (shape->type);
}

/* *COPY: EDIT with lists and a block of its own.  */
static gpueig_status
copy_edit (ge_place *place, const ge_edit *edit, ge_edit **copy)
{
  gpueig_context *ctx = place->ctx;
  ge_edit *e = gpueig_allocation_fails (ctx) ? NULL : calloc (1, sizeof *e);
  gpueig_status status = e ? GPUEIG_OK : GPUEIG_OUT_OF_MEMORY;
  if (e)
    {
      *e = *edit;
      e->has_block = 0;
    }
  for (int d = 0; e && d < e->n; d++)
    {
      const size_t bytes = (size_t) e->index[d].count * sizeof (int64_t);
      if (! edit->index[d].list)
        continue;
      int64_t *list = malloc (bytes + 1);
      e->index[d].list = list;
      if (list)
        memcpy (list, edit->index[d].list, bytes);
      else
        status = GPUEIG_OUT_OF_MEMORY;
    }
  if (status != GPUEIG_OK)
    gpueig_fail (ctx, status, "out of host memory for an assignment");
  if (status == GPUEIG_OK && edit->has_block)
    {
      status
          = ge_take_block (ctx, place->space, bytes_of (&e->shape), &e->block);
      e->has_block = status == GPUEIG_OK;
      if (status == GPUEIG_OK)
        status = ge_array_copy (place, e->shape.count, e->shape.type,
                                e->block.ptr, e->shape.type, edit->block.ptr);
    }
  if (status != GPUEIG_OK)
    free_edit (ctx, e, 1);
  *copy = e;
  return status;
}

gpueig_status
ge_array_delay (ge_place *place, gpueig_array array, const ge_edit *edit,
                gpueig_array *result)
{
  gpueig_context *ctx = place->ctx;
  const ge_array *a = ge_array_find_slot (ctx, array);
  int64_t copied = edit->has_block ? edit->shape.count : 0;
  for (int d = 0; d < edit->n; d++)
    copied += edit->index[d].list ? edit->index[d].count : 0;
  *result = 0;
  if (! a || a->edited || copied > a->shape.count / 4)
    return GPUEIG_OK;
  ge_array b = *a;
  b.adjoint = 0;
  b.owner = array;
  b.edited = 0;
  GE_TRY (copy_edit (place, edit, &b.edit));
  const gpueig_status status = ge_array_add (ctx, &b, result);
  if (status != GPUEIG_OK)
    {
      free_edit (ctx, b.edit, 1);
      return status;
    }
  ge_array_find_slot (ctx, array)->edited = *result;
  return GPUEIG_OK;
}

gpueig_status
ge_array_settle (ge_place *place, gpueig_array array)
{
  gpueig_context *ctx = place->ctx;
  ge_array *b = ge_array_find_slot (ctx, array);
  ge_block block;
  gpueig_status status = GPUEIG_OK;
  if (! b || ! b->edit)
    return GPUEIG_OK;
  block = b->block;
  if (b->owner)
    {
      GE_TRY (ge_take_block (ctx, place->space, bytes_of (&b->shape), &block));
      status = ge_array_copy (place, b->shape.count, b->shape.type, block.ptr,
                              b->shape.type, b->block.ptr);
    }
  if (status == GPUEIG_OK)
    status = ge_array_edit (place, &b->shape, block.ptr, b->edit);
  if (status != GPUEIG_OK)
    {
      if (b->owner)
        ge_return_block (ctx, &block, 1);
      return status;
    }
  if (b->owner)
    ge_array_find_slot (ctx, b->owner)->edited = 0;
  free_edit (ctx, b->edit, 1);
  b->edit = NULL;
  b->owner = 0;
  b->block = block;
  return GPUEIG_OK;
}

int
ge_array_leave (gpueig_context *ctx, ge_array *a, int keep)
{
  const int shared = a->edited != 0 || a->owner != 0;
  if (a->edited)
    ge_array_find_slot (ctx, a->edited)->owner = 0;
  if (a->owner)
    ge_array_find_slot (ctx, a->owner)->edited = 0;
  free_edit (ctx, a->edit, keep);
  a->edit = NULL;
  a->edited = a->owner = 0;
  return ! shared;
}
