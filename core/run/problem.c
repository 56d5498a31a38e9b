/* Problems: pages of them, in memory of any kind.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "run/problem.h"
#include "base/gpu_memory.h"
#include "base/solver.h"

/* Small arrays of this size and more that leave a GPU are pinned, so that it copies them
   itself.  */
#define PINNED_BYTES ((size_t) 256 << 10)

/* --- making one --- */

static void
add_array (ge_problem *p, const ge_argument *x, size_t bytes, ge_space space)
{
  if (x->count < 0)
    p->is_wrong = 1;
  if (x->count > 0 && ge_pointer_at (p->data.bytes, x->offset))
    p->array[p->arrays++]
        = (ge_problem_array){ x->offset, bytes, x->kind, x->small, space };
}

void
ge_make_problem (const gpueig_context *ctx, const ge_layout *layout,
                 const void *data, ge_space small, ge_problem *p)
{
  const ge_spaces spaces = { ge_spaces_of (layout, data).matrices, small };
  ge_argument argument[GE_ARGUMENTS];
  p->layout = layout;
  p->spaces = spaces;
  p->pages = 1;
  p->arrays = p->is_wrong = 0;
  memcpy (p->data.bytes, data, layout->size);
  if (layout->pages)
    memcpy (&p->pages, p->data.bytes + layout->pages, sizeof p->pages);
  p->first_page = ctx->first_page;
  p->stack_pages = ge_stack_pages (ctx, p->pages);
  const int n
      = layout->arguments ? layout->arguments (p->data.bytes, argument) : 0;
  for (int i = 0; i < n; i++)
    {
      const ge_argument *x = &argument[i];
      add_array (p, x,
                 p->pages > 0 ? (size_t) (x->count / p->pages) * x->size : 0,
                 x->small ? spaces.small : spaces.matrices);
    }
  if (layout->flags)
    add_array (p,
               &(ge_argument){ layout->flags, p->pages, layout->flag_size,
                               GE_FLAGS, 1 },
               layout->flag_size, GE_HOST);
}

/* --- parts of it --- */

static void
set_pages (ge_problem *p, int64_t pages)
{
  p->pages = pages;
  if (p->layout->pages)
    memcpy (p->data.bytes + p->layout->pages, &pages, sizeof pages);
}

void
ge_view_page (const ge_problem *p, int64_t page, void *one)
{
  const int64_t pages = 1;
  memcpy (one, p->data.bytes, p->layout->size);
  if (p->layout->pages)
    memcpy ((char *) one + p->layout->pages, &pages, sizeof pages);
  for (int i = 0; i < p->arrays; i++)
    ge_set_pointer (one, p->array[i].offset,
                    ge_array_at (p, i) + (size_t) page * p->array[i].bytes);
}

void
ge_view_pages (const ge_problem *p, int64_t first, int64_t count,
               ge_problem *view)
{
  *view = *p;
  ge_view_page (p, first, view->data.bytes);
  view->first_page += first;
  set_pages (view, count);
}

void
ge_set_spaces (ge_problem *p, ge_spaces spaces)
{
  const gpueig_place place
      = spaces.matrices == GE_DEVICE ? GPUEIG_DEVICE : GPUEIG_HOST;
  p->spaces = spaces;
  if (p->layout->place)
    memcpy (p->data.bytes + p->layout->place, &place, sizeof place);
}

/* --- copies --- */

/* An array of gathered pages in host memory, and that of all pages.  */
typedef struct
{
  char *all, *some;
  size_t bytes;
  const int64_t *list;
  int to_all;
} host_pages;

static void
copy_host_page (void *data, int64_t i, int thread)
{
  const host_pages *h = data;
  char *const all = h->all + (size_t) h->list[i] * h->bytes;
  char *const some = h->some + (size_t) i * h->bytes;
  (void) thread;
  memcpy (h->to_all ? all : some, h->to_all ? some : all, h->bytes);
}

/* LIST of COUNT pages, or NULL if they follow each other.  */
static const int64_t *
scattered (const int64_t *list, int64_t count)
{
  return list && list[count - 1] != list[0] + count - 1 ? list : NULL;
}

/* Copy array I between P and the gathered problem SOME, of the pages in LIST, or NULL; those that
   follow each other are one copy.  */
static gpueig_status
copy_array (gpueig_context *ctx, const ge_problem *p, const ge_problem *some,
            int i, const int64_t *list, int to_all)
{
  const size_t bytes = p->array[i].bytes;
  const int64_t first = some->first_page - p->first_page;
  host_pages h
      = { ge_array_at (p, i), ge_array_at (some, i), bytes, list, to_all };
  const int is_host
      = p->array[i].space != GE_DEVICE && some->array[i].space != GE_DEVICE;
  if (is_host && list)
    {
      ge_share_pages (ctx, (int64_t) (bytes / sizeof (double)), some->pages,
                      copy_host_page, &h);
      return GPUEIG_OK;
    }
  int64_t next;
  for (int64_t k = 0; k < some->pages; k = next)
    {
      next = list ? k + 1 : some->pages;
      while (list && next < some->pages && list[next] == list[k] + next - k)
        next++;
      char *const all = h.all + (size_t) (list ? list[k] : first + k) * bytes,
                  *const own = h.some + (size_t) k * bytes;
      void *const to = to_all ? all : own;
      const void *const from = to_all ? own : all;
      const size_t size = (size_t) (next - k) * bytes;
      if (is_host)
        memcpy (to, from, size);
      else
        GE_TRY (ctx->plugin->memory->copy (ctx, to, from, size));
    }
  return GPUEIG_OK;
}

/* Memory of its own for array I of TO.  */
static gpueig_status
allocate_array (gpueig_context *ctx, int i, ge_space space, ge_problem *to)
{
  const ge_problem_array *x = &to->array[i];
  const int is_pinned = space == GE_HOST && x->small && x->space == GE_DEVICE
                        && (size_t) to->pages * x->bytes >= PINNED_BYTES;
  void *own;
  GE_TRY (
      ge_alloc (ctx, is_pinned ? GE_PINNED : space, to->pages, x->bytes, &own));
  ge_set_array (to, i, own, space);
  return GPUEIG_OK;
}

gpueig_status
ge_gather_pages (gpueig_context *ctx, const ge_problem *p, const int64_t *list,
                 int64_t count, ge_spaces spaces, ge_problem *to)
{
  ge_view_pages (p, list ? list[0] : 0, count, to);
  ge_set_spaces (to, spaces);
  list = scattered (list, count);
  for (int i = 0; i < p->arrays; i++)
    {
      const ge_problem_array *x = &p->array[i];
      const ge_space space = x->kind == GE_FLAGS ? GE_HOST
                             : x->small          ? spaces.small
                                                 : spaces.matrices;
      if (! list && x->space == space)
        continue;
      GE_TRY (allocate_array (ctx, i, space, to));
      if (x->kind != GE_OUTPUT)
        GE_TRY (copy_array (ctx, p, to, i, list, 0));
    }
  return GPUEIG_OK;
}

gpueig_status
ge_scatter_pages (gpueig_context *ctx, const ge_problem *from,
                  const ge_problem *p, const int64_t *list)
{
  const int64_t first = from->first_page - p->first_page;
  list = scattered (list, from->pages);
  for (int i = 0; i < p->arrays; i++)
    if (p->array[i].kind != GE_INPUT
        && ge_array_at (from, i)
               != ge_array_at (p, i) + (size_t) first * p->array[i].bytes)
      GE_TRY (copy_array (ctx, p, from, i, list, 1));
  return GPUEIG_OK;
}

/* --- what a call solves --- */

ge_position
ge_enter (gpueig_context *ctx, const ge_problem *p)
{
  const ge_position before = { ctx->stack_pages, ctx->first_page };
  if (p->pages < p->stack_pages)
    ctx->stack_pages = p->stack_pages;
  ctx->first_page = p->first_page;
  return before;
}

void
ge_leave (gpueig_context *ctx, ge_position before)
{
  ctx->stack_pages = before.stack_pages;
  ctx->first_page = before.first_page;
}

/* --- pages that a method left --- */

gpueig_status
ge_take_pages (gpueig_context *ctx, const int64_t *list, int64_t count,
               ge_spaces spaces, gpueig_info *info, ge_left_pages *l)
{
  const double start = ge_now ();
  l->list = list;
  l->info = info;
  GE_TRY (ge_gather_pages (ctx, &l->all, list, count, spaces, &l->some));
  l->transfer = ge_now () - start;
  l->before = ge_enter (ctx, &l->some);
  return GPUEIG_OK;
}

gpueig_status
ge_put_pages (gpueig_context *ctx, const ge_left_pages *l, gpueig_status status)
{
  const double start = ge_now ();
  const int on_gpu = l->all.spaces.matrices == GE_DEVICE
                     || l->some.spaces.matrices == GE_DEVICE;
  char message[sizeof ctx->message];
  ge_leave (ctx, l->before);
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  memcpy (message, ctx->message, sizeof message);
  /* With GPUEIG_AUTO a GPU may have been lost to a call that the CPU repeated.  */
  GE_TRY (on_gpu && ge_device_is_lost (ctx)
              ? ge_go_to_memory (ctx, NULL)
              : ge_scatter_pages (ctx, &l->some, &l->all, l->list));
  memcpy (ctx->message, message, sizeof message);
  if (on_gpu)
    l->info->time_transfer += l->transfer + (ge_now () - start);
  return status;
}
