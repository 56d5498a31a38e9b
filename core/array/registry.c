/* The registry of arrays: numbers, memory, places, open results.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The number of an array is its slot plus the slot's generation, which grows whenever
   the slot is freed; numbers stay below 2^53, so that they are exact as doubles.  A slot
   whose generations are used up is not used again.  */

#include "array/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOT_BITS 24
#define SLOTS ((int64_t) 1 << SLOT_BITS)
#define GENERATIONS ((uint32_t) 1 << 29)

enum
{
  OPEN_RESULTS = 16
};

/* A result that may become complex, the operands, and how to compute the result again.
   After the result is freed the operation may still run, and write into MAP.BEYOND.  */
typedef struct
{
  gpueig_array result, operands[2];
  ge_map map;
} open_result;

struct ge_arrays
{
  ge_array *slots;
  int64_t n, room, first_free; /* -1: none is free */
  int64_t live;
  open_result open[OPEN_RESULTS]; /* all on DEVICE */
  int n_open, device;
  ge_block flags; /* for map.beyond */
};

/* --- frames --- */

int
ge_array_begin (gpueig_context *ctx, gpueig_array *result)
{
  if (result)
    *result = 0;
  ctx->message[0] = '\0';
  return ge_mark (ctx);
}

gpueig_status
ge_array_end (gpueig_context *ctx, int mark, gpueig_array *result,
              gpueig_status status)
{
  ge_release (ctx, mark);
  if (status == GPUEIG_OK)
    {
      ctx->message[0] = '\0';
      return status;
    }
  if (result && *result)
    {
      char message[sizeof ctx->message];
      memcpy (message, ctx->message, sizeof message);
      gpueig_array_free (ctx, *result);
      memcpy (ctx->message, message, sizeof message);
    }
  if (result)
    *result = 0;
  return status;
}

/* --- slots --- */

ge_array *
ge_array_find_slot (const gpueig_context *ctx, gpueig_array array)
{
  const ge_arrays *r = ctx->arrays;
  const int64_t at = (array & (SLOTS - 1)) - 1;
  if (! r || array <= 0 || at < 0 || at >= r->n)
    return NULL;
  ge_array *a = &r->slots[at];
  return a->block.used && (int64_t) a->generation == array >> SLOT_BITS ? a
                                                                        : NULL;
}

static gpueig_status
no_such_array (gpueig_context *ctx)
{
  return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT, "the array has been deleted");
}

static gpueig_status
no_room (gpueig_context *ctx)
{
  return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                      "out of host memory for one more array");
}

/* *AT: a slot that is not in use.  */
static gpueig_status
take_slot (gpueig_context *ctx, int64_t *at)
{
  if (! ctx->arrays)
    {
      ctx->arrays = calloc (1, sizeof *ctx->arrays);
      if (! ctx->arrays)
        return no_room (ctx);
      ctx->arrays->first_free = -1;
      ctx->wait_arrays = gpueig_array_wait;
    }
  ge_arrays *r = ctx->arrays;
  *at = r->first_free;
  if (*at >= 0)
    {
      r->first_free = r->slots[*at].next_free;
      return GPUEIG_OK;
    }
  if (r->n == r->room)
    {
      const int64_t room = r->room ? 2 * r->room : 64;
      ge_array *grown = room < SLOTS && ! gpueig_allocation_fails (ctx)
                            ? realloc (r->slots, (size_t) room * sizeof *grown)
                            : NULL;
      if (! grown)
        return no_room (ctx);
      r->slots = grown;
      r->room = room;
    }
  *at = r->n++;
  memset (&r->slots[*at], 0, sizeof r->slots[*at]);
  return GPUEIG_OK;
}

static void
free_slot (ge_arrays *r, int64_t at)
{
  ge_array *a = &r->slots[at];
  a->block.used = 0;
  if (++a->generation == GENERATIONS)
    return;
  a->next_free = r->first_free;
  r->first_free = at;
}

/* --- places --- */

static gpueig_status
lost (gpueig_context *ctx)
{
  return gpueig_fail (ctx, GPUEIG_DEVICE_LOST,
                      "the array was on a GPU that is lost to this process%s%s",
                      ge_device_is_lost (ctx) ? ": " : "", ctx->fault);
}

/* Make PLACE that of DEVICE (-1: host memory) and the device the selected one.  */
static gpueig_status
go_to (ge_place *place, int device)
{
  gpueig_context *ctx = place->ctx;
  place->device = device;
  place->space = device < 0 ? GE_HOST : GE_DEVICE;
  if (device < 0)
    {
      place->ops = &ge_cpu_array_ops;
      return GPUEIG_OK;
    }
  place->ops = ctx->plugin->arrays;
  return ge_select_device (ctx, device);
}

/* Make the elements of A those of MAP, in new memory, of TYPE.  */
static gpueig_status
replace (ge_place *place, ge_array *a, gpueig_type type, ge_map map)
{
  gpueig_context *ctx = place->ctx;
  gpueig_shape shape = a->shape;
  ge_block block;
  int64_t bytes;
  map.type = shape.type = type;
  GE_TRY (ge_multiply (ctx, shape.count,
                       (int64_t) gpueig_scalar_size (shape.type), &bytes));
  GE_TRY (ge_take_block (ctx, place->space, (size_t) bytes, &block));
  map.to = ge_view_of (&shape, block.ptr);
  gpueig_status status = ge_array_map (place, &map);
  if (status == GPUEIG_OK && a->block.space == GE_PINNED)
    status = place->ops->wait (ctx);
  ge_return_block (ctx, status == GPUEIG_OK ? &a->block : &block, 1);
  GE_TRY (status);
  a->block = block;
  a->shape = shape;
  a->bytes = 0;
  return GPUEIG_OK;
}

/* Make A complex, and compute the elements again.  */
static gpueig_status
make_complex (ge_place *place, ge_array *a, ge_map map)
{
  map.beyond = NULL;
  return replace (place, a, ge_make_complex (a->shape.type), map);
}

/* Make numbers in the memory of PLACE of A, which has bytes or page-locked memory.  */
static gpueig_status
make_operand (ge_place *place, ge_array *a)
{
  ge_map map = ge_map_over (GE_MAP_COPY, &a->shape);
  map.x = ge_view_of (&a->shape, a->block.ptr);
  map.x.bytes = a->bytes;
  return replace (place, a, a->shape.type, map);
}

/* Find out which open results are complex.  */
static gpueig_status
close_results (gpueig_context *ctx)
{
  ge_place place = { .ctx = ctx };
  ge_arrays *r = ctx->arrays;
  if (! r || r->n_open == 0)
    return GPUEIG_OK;
  GE_TRY (go_to (&place, r->device));
  GE_TRY (place.ops->wait (ctx));
  for (; r->n_open > 0; r->n_open--)
    {
      const open_result *o = &r->open[r->n_open - 1];
      ge_array *a = ge_array_find_slot (ctx, o->result);
      if (a && *o->map.beyond)
        GE_TRY (make_complex (&place, a, o->map));
    }
  return GPUEIG_OK;
}

/* The open result ARRAY, or one of which it is an operand; NULL if there is none.  */
static open_result *
find_open (const gpueig_context *ctx, gpueig_array array, int as_operand)
{
  ge_arrays *r = ctx->arrays;
  for (int i = 0; i < r->n_open; i++)
    {
      open_result *o = &r->open[i];
      if (as_operand
              ? o->result
                    && (o->operands[0] == array || o->operands[1] == array)
              : o->result == array)
        return o;
    }
  return NULL;
}

/* Nonzero if nobody but this library writes to the operand ARRAY.  */
static int
is_ours (const gpueig_context *ctx, gpueig_array array)
{
  return ! array || ! ge_array_find_slot (ctx, array)->given;
}

gpueig_status
ge_array_widen (ge_place *place, const ge_map *map, const gpueig_shape *shape,
                gpueig_array x, gpueig_array y, gpueig_array *result)
{
  gpueig_context *ctx = place->ctx;
  ge_arrays *r = ctx->arrays;
  const int waits = place->device < 0 || ! (x || y) || ! is_ours (ctx, x)
                    || ! is_ours (ctx, y) || shape->count == 1;
  int on_host = 0;
  void *data;
  if (r->n_open == OPEN_RESULTS || (r->n_open && r->device != place->device))
    GE_TRY (close_results (ctx));
  if (place->device >= 0 && ! r->flags.used)
    GE_TRY (
        ge_take_block (ctx, GE_PINNED, OPEN_RESULTS * sizeof (int), &r->flags));
  GE_TRY (ge_array_make (place, shape, result, &data));
  open_result *o = &r->open[r->n_open];
  *o = (open_result){ .result = *result, .operands = { x, y }, .map = *map };
  o->map.beyond
      = place->device < 0 ? &on_host : (int *) r->flags.ptr + r->n_open;
  *o->map.beyond = 0;
  o->map.to = ge_view_of (shape, data);
  ge_map once = o->map;
  GE_TRY (ge_array_map (place, &once));
  r->device = place->device;
  r->n_open++;
  return waits ? close_results (ctx) : GPUEIG_OK;
}

gpueig_status
ge_array_change (gpueig_context *ctx, gpueig_array array)
{
  if (find_open (ctx, array, 1))
    GE_TRY (close_results (ctx));
  ge_array_find_slot (ctx, array)->limit = 0;
  return GPUEIG_OK;
}

gpueig_status
ge_array_get_any (ge_place *place, gpueig_array array, ge_array *copy)
{
  gpueig_context *ctx = place->ctx;
  const ge_array *a = ge_array_find_slot (ctx, array);
  if (! a)
    return no_such_array (ctx);
  if (a->lost || (a->device >= 0 && ge_device_is_lost (ctx)))
    return lost (ctx);
  if (find_open (ctx, array, 0))
    GE_TRY (close_results (ctx));
  *copy = *a;
  if (! place->ops)
    GE_TRY (go_to (place, a->device));
  if (a->device == place->device)
    return GPUEIG_OK;
  char where[2][32] = { "host memory", "host memory" };
  const int devices[2] = { place->device, a->device };
  for (int i = 0; i < 2; i++)
    if (devices[i] >= 0)
      snprintf (where[i], sizeof where[i], "GPU %d", devices[i]);
  return gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                      "operands must be in one place, but one is in %s, one in "
                      "%s",
                      where[0], where[1]);
}

gpueig_status
ge_array_get_stored (ge_place *place, gpueig_array array, ge_array *copy)
{
  GE_TRY (ge_array_get_any (place, array, copy));
  return copy->pattern.bytes
             ? gpueig_fail (place->ctx, GPUEIG_BAD_ARGUMENT,
                            "the pattern of a sparse matrix has no numbers; "
                            "pass its values")
             : GPUEIG_OK;
}

gpueig_status
ge_array_get (ge_place *place, gpueig_array array, ge_array *copy)
{
  GE_TRY (ge_array_get_stored (place, array, copy));
  if (! copy->bytes && copy->block.space == place->space)
    return GPUEIG_OK;
  ge_array *a = ge_array_find_slot (place->ctx, array);
  GE_TRY (make_operand (place, a));
  *copy = *a;
  return GPUEIG_OK;
}

/* --- memory --- */

/* Take a slot for A, all of whose fields are set but for the generation; *RESULT: its
   number.  */
static gpueig_status
add (gpueig_context *ctx, const ge_array *a, gpueig_array *result)
{
  int64_t at = 0;
  GE_TRY (take_slot (ctx, &at));
  ge_array *slot = &ctx->arrays->slots[at];
  const uint32_t generation = slot->generation;
  *slot = *a;
  slot->generation = generation;
  ctx->arrays->live++;
  *result = (int64_t) generation << SLOT_BITS | (at + 1);
  return GPUEIG_OK;
}

/* A new array of SHAPE whose elements have SIZE bytes, 1 for truth values.  Up to FEW elements are
   in page-locked memory.  */
static gpueig_status
make_sized (ge_place *place, const gpueig_shape *wanted, size_t size,
            int64_t few, gpueig_array *result, void **data)
{
  gpueig_context *ctx = place->ctx;
  ge_array a = { .device = place->device, .bytes = size == 1 };
  int64_t bytes;
  *result = 0;
  GE_TRY (ge_array_shape (ctx, wanted->type, wanted->n_dims, wanted->dims,
                          &a.shape));
  GE_TRY (ge_multiply (ctx, a.shape.count, (int64_t) size, &bytes));
  GE_TRY (ge_take_block (
      ctx,
      place->device >= 0 && a.shape.count <= few ? GE_PINNED : place->space,
      (size_t) bytes, &a.block));
  const gpueig_status status = add (ctx, &a, result);
  if (status != GPUEIG_OK)
    ge_return_block (ctx, &a.block, 1);
  *data = a.block.ptr;
  return status;
}

gpueig_status
ge_array_make_few (ge_place *place, const gpueig_shape *shape, int64_t few,
                   gpueig_array *result, void **data)
{
  return make_sized (place, shape, gpueig_scalar_size (shape->type), few,
                     result, data);
}

gpueig_status
ge_array_make_bytes (ge_place *place, gpueig_shape shape, gpueig_array *result,
                     void **data)
{
  shape.type = GPUEIG_DOUBLE;
  return make_sized (place, &shape, 1, 0, result, data);
}

static gpueig_status
make (gpueig_context *ctx, gpueig_type type, int n_dims, const int64_t *dims,
      ge_place *place, gpueig_array *result)
{
  gpueig_shape shape;
  void *data;
  GE_TRY (ge_array_shape (ctx, type, n_dims, dims, &shape));
  return ge_array_make (place, &shape, result, &data);
}

/* The place that OPTIONS name.  */
static gpueig_status
choose_place (ge_place *place, const gpueig_options *options)
{
  gpueig_context *ctx = place->ctx;
  if (options->backend == GPUEIG_MPI)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                        "arrays are on the CPU or on a GPU");
  if (options->backend == GPUEIG_CPU)
    return go_to (place, -1);
  if (options->n_devices != 0)
    return gpueig_fail (ctx, GPUEIG_BAD_OPTION, "an array is on one GPU");
  gpueig_status status = ge_need_gpu (ctx);
  if (status == GPUEIG_OK && ! ctx->plugin->arrays)
    status
        = gpueig_fail (ctx, GPUEIG_NO_DEVICE, "the CUDA plugin has no arrays");
  if (status == GPUEIG_NO_DEVICE && options->backend == GPUEIG_AUTO)
    return go_to (place, -1);
  GE_TRY (status);
  return go_to (place, options->device);
}

GE_ARRAY_PUBLIC (gpueig_array_new, result,
                 (ctx, type, n_dims, dims, options, result), gpueig_type type,
                 int n_dims, const int64_t *dims, const gpueig_options *options,
                 gpueig_array *result)
{
  const gpueig_options defaults = gpueig_default_options ();
  ge_place place = { .ctx = ctx };
  GE_TRY (choose_place (&place, options ? options : &defaults));
  return make (ctx, type, n_dims, dims, &place, result);
}

gpueig_status
gpueig_array_like (gpueig_context *ctx, gpueig_array like, gpueig_type type,
                   int n_dims, const int64_t *dims, gpueig_array *result)
{
  const int mark = ge_array_begin (ctx, NULL);
  ge_place place = { .ctx = ctx };
  ge_array a = { .device = -1 };
  *result = 0;
  gpueig_status status = ge_array_get (&place, like, &a);
  if (status == GPUEIG_OK)
    status = make (ctx, type, n_dims, dims, &place, result);
  return ge_array_end (ctx, mark, result, status);
}

/* Free the memory of A.  Cached memory is for the selected device; that of another one
   is given back.  */
static void
free_memory (gpueig_context *ctx, ge_array *a)
{
  const int keep = a->device < 0 || a->device == ctx->selected;
  if (a->lost)
    return;
  /* the host gets the block next, while the operation may still run */
  if (a->block.space == GE_PINNED && ! a->settled && keep
      && ! ge_device_is_lost (ctx))
    ctx->plugin->arrays->wait (ctx);
  ge_return_block (ctx, &a->block, keep);
}

/* The open results of which ARRAY is an operand cannot be computed any more.  */
static void
lose_results (gpueig_context *ctx, gpueig_array array)
{
  open_result *o;
  while ((o = find_open (ctx, array, 1)))
    {
      ge_array *a = ge_array_find_slot (ctx, o->result);
      free_memory (ctx, a);
      a->lost = 1;
      o->result = 0;
    }
}

gpueig_status
gpueig_array_free (gpueig_context *ctx, gpueig_array array)
{
  const int mark = ge_array_begin (ctx, NULL);
  ge_array *a = ge_array_find_slot (ctx, array);
  open_result *o;
  if (! a)
    return no_such_array (ctx);
  if (find_open (ctx, array, 1) && close_results (ctx) != GPUEIG_OK)
    lose_results (ctx, array);
  if ((o = find_open (ctx, array, 0)))
    o->result = 0;
  free_memory (ctx, a);
  ctx->arrays->live--;
  free_slot (ctx->arrays, a - ctx->arrays->slots);
  ge_release (ctx, mark);
  return GPUEIG_OK;
}

/* Give the memory of A back to the system.  */
static void
drop (gpueig_context *ctx, ge_array *a)
{
  if (a->block.used && ! a->lost)
    ge_return_block (ctx, &a->block, 0);
}

void
ge_lose_arrays (gpueig_context *ctx)
{
  ge_arrays *r = ctx->arrays;
  for (int64_t i = 0; r && i < r->n; i++)
    if (r->slots[i].device >= 0)
      {
        drop (ctx, &r->slots[i]);
        r->slots[i].lost = r->slots[i].block.used;
      }
  if (r && r->flags.used)
    ge_return_block (ctx, &r->flags, 0);
  if (r)
    r->flags.used = r->n_open = 0;
}

void
ge_end_arrays (gpueig_context *ctx)
{
  ge_arrays *r = ctx->arrays;
  for (int64_t i = 0; r && i < r->n; i++)
    drop (ctx, &r->slots[i]);
  if (r)
    free (r->slots);
  free (r);
  ctx->arrays = NULL;
}

gpueig_array_usage
gpueig_array_memory (const gpueig_context *ctx)
{
  return (gpueig_array_usage){ .arrays = ctx->arrays ? ctx->arrays->live : 0,
                               .host_bytes = ctx->held[GE_HOST],
                               .device_bytes = ctx->held[GE_DEVICE] };
}

/* --- access --- */

gpueig_status
gpueig_array_peek (gpueig_context *ctx, gpueig_array array,
                   gpueig_array_info *info)
{
  const ge_array *a = ge_array_find_slot (ctx, array);
  if (! a)
    return no_such_array (ctx);
  *info = (gpueig_array_info){ .shape = a->shape,
                               .on_gpu = a->device >= 0,
                               .device = a->device,
                               .open = find_open (ctx, array, 0) != NULL };
  return GPUEIG_OK;
}

gpueig_status
gpueig_array_describe (gpueig_context *ctx, gpueig_array array,
                       gpueig_array_info *info)
{
  GE_TRY (gpueig_array_peek (ctx, array, info));
  if (! info->open)
    return GPUEIG_OK;
  const int mark = ge_array_begin (ctx, NULL);
  GE_TRY (ge_array_end (ctx, mark, NULL, close_results (ctx)));
  return gpueig_array_peek (ctx, array, info);
}
