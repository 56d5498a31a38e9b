/* Transfer of matrices between files and the distributed memory of the ranks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A block column is contiguous in the file.  Of one slab of the matrix each rank reads
   or writes one block column, a distribution over a grid of one process row, and
   ScaLAPACK's p?gemr2d moves the slab to or from that of the whole matrix.  A file is
   thus read once, in large pieces.  */

#include "blacs.h"
#include "worker.h"

#include <stdlib.h>
#include <string.h>

typedef struct
{
  size_t size; /* of an element */
  int width;   /* columns of a slab */
  char *piece; /* of this rank, n-by-block */
  int desc[9]; /* of a slab */
} slabs;

static gpueig_status
begin_slabs (wk_job *job, slabs *s)
{
  const wk_grid *g = &job->grid;
  s->size = gpueig_scalar_size (job->args.type);
  s->width = g->size * g->block;
  s->piece = malloc ((size_t) g->n * (size_t) g->block * s->size);
  int blacs = Csys2blacs_handle (g->comm);
  Cblacs_gridinit (&blacs, "C", 1, g->size);
  const int desc[9] = { 1, blacs, g->n, s->width, g->n, g->block, 0, 0, g->n };
  memcpy (s->desc, desc, sizeof desc);
  const gpueig_status status
      = s->piece ? GPUEIG_OK
                 : gpueig_fail (&job->ctx, GPUEIG_OUT_OF_MEMORY,
                                "out of memory for %d columns", g->block);
  return wk_agree (job, g->comm, status);
}

static void
end (slabs *s)
{
  Cblacs_gridexit (s->desc[1]);
  free (s->piece);
}

/* Move slab K, whose first column is FIRST, to LOCAL or, with BACK, from it.  The
   routines copy elements, so that one serves all types of a size.  */
static void
move_slab (const wk_grid *g, slabs *s, int first, void *local, int back)
{
  typedef void redistribute (int, int, void *, int, int, const int *, void *,
                             int, int, const int *, int);
  redistribute *const move = s->size == sizeof (float)    ? Cpsgemr2d
                             : s->size == sizeof (double) ? Cpdgemr2d
                                                          : Cpzgemr2d;
  const int left = g->n - first, width = left < s->width ? left : s->width;
  if (back)
    move (g->n, width, local, 1, first + 1, g->desc, s->piece, 1, 1, s->desc,
          g->blacs);
  else
    move (g->n, width, s->piece, 1, 1, s->desc, local, 1, first + 1, g->desc,
          g->blacs);
}

/* Reverse the order of COUNT columns of BYTES.  */
static void
reverse (char *x, int count, size_t bytes)
{
  char *y = x + (size_t) count * bytes;
  for (; count > 1; count -= 2, x += bytes)
    {
      y -= bytes;
      for (size_t i = 0; i < bytes; i++)
        {
          const char c = x[i];
          x[i] = y[i];
          y[i] = c;
        }
    }
}

/* Write the selected columns of the piece, whose first column is column FIRST of the
   solver's V, to their positions in the file.  They are neighbours.  */
static gpueig_status
write_piece (wk_job *job, const slabs *s, int fd, const char *name, int first,
             int width, const wk_selection *selection)
{
  const int64_t column = (int64_t) job->grid.n * (int64_t) s->size;
  int count = 0, from = 0, to = 0;
  for (int j = 0; j < width; j++)
    if (wk_output_column (selection, first + j) >= 0)
      {
        from = count++ == 0 ? j : from;
        to = j;
      }
  char *const x = s->piece + from * column;
  if (count == 0)
    return GPUEIG_OK;
  if (selection->reversed)
    reverse (x, count, (size_t) column);
  const int at
      = wk_output_column (selection, first + (selection->reversed ? to : from));
  return ge_move_bytes (&job->ctx, fd, name, x, count * column, at * column, 1);
}

gpueig_status
wk_move_blocks (wk_job *job, int fd, const char *name, void *local,
                const wk_selection *selection)
{
  slabs s;
  const wk_grid *g = &job->grid;
  gpueig_status failed = GPUEIG_OK, status = begin_slabs (job, &s);
  const int64_t column = (int64_t) g->n * (int64_t) s.size;
  for (int64_t first = 0; status == GPUEIG_OK && first < g->n; first += s.width)
    {
      const int64_t j = first / g->block + g->rank, from = j * g->block;
      const int width = wk_block_width (g, j);
      if (selection)
        move_slab (g, &s, (int) first, local, 1);
      if (failed == GPUEIG_OK && width > 0)
        failed = selection ? write_piece (job, &s, fd, name, (int) from, width,
                                          selection)
                           : ge_move_bytes (&job->ctx, fd, name, s.piece,
                                            width * column, from * column, 0);
      if (! selection)
        move_slab (g, &s, (int) first, local, 0);
    }
  end (&s);
  return status == GPUEIG_OK ? wk_agree (job, g->comm, failed) : status;
}
