/* One page that is run detachably.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "run/solvers.h"

#include <stdlib.h>
#include <string.h>

static void
set_pointer (char *job, size_t offset, const void *pointer)
{
  memcpy (job + offset, &pointer, sizeof pointer);
}

gpueig_status
ge_run_page (gpueig_context *ctx, const ge_page_kind *kind, void *job,
             int64_t bytes)
{
  ge_part part[GE_PARTS];
  const int parts = kind->parts (job, part), copies = ge_can_interrupt (ctx);
  size_t length[GE_PARTS] = { 0 };
  int64_t total = bytes + 64 * (GE_PARTS + 1) + (int64_t) kind->size;
  char *copy, *at;
  for (int i = 0; i < parts; i++)
    if (ge_part_pointer (job, &part[i]))
      total += (int64_t) (length[i] = (size_t) part[i].count * part[i].size);
  GE_TRY (ge_alloc_job (ctx, (size_t) (copies ? total : bytes), (void **) &at));
  copy = copies ? memcpy (at, job, kind->size) : job;
  if (copies)
    ge_take (&at, 1, kind->size);
  for (int i = 0; copies && i < parts; i++)
    if (length[i])
      {
        char *const to = ge_take (&at, (int64_t) length[i], 1);
        if (part[i].kind == GE_PART_INPUT)
          memcpy (to, ge_part_pointer (job, &part[i]), length[i]);
        set_pointer (copy, part[i].offset, to);
      }
  set_pointer (copy, kind->space, at);
  if (! copies)
    {
      kind->work (job);
      free (at);
      return GPUEIG_OK;
    }
  GE_TRY (ge_run_detachable (ctx, kind->work, free, copy));
  for (int i = 0; i < parts; i++)
    {
      void *const to = ge_part_pointer (job, &part[i]);
      if (part[i].kind == GE_PART_OUTPUT && length[i])
        memcpy (to, ge_part_pointer (copy, &part[i]), length[i]);
      set_pointer (copy, part[i].offset, to);
    }
  memcpy (job, copy, kind->size);
  free (copy);
  return GPUEIG_OK;
}
