/* Transfer of matrices between files and the distributed memory of the ranks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A block column is contiguous in the file; it is called a piece.  The block columns of
   a process column are processed in groups, one block column per rank: each rank reads
   its piece and sends every other rank of the process column the rows that this rank
   owns.  A file is thus read once, in large pieces.  Writing is the reverse.  The local
   blocks of one block column are contiguous as well, so only the pieces have to be
   rearranged.  */

#include "worker.h"

#include <stdlib.h>
#include <string.h>

/* The exchange of one group of block columns.  */
typedef struct
{
  const wk_job *job;
  size_t size; /* of an element */
  MPI_Datatype element;
  char *piece, *packed;       /* n-by-block each: by columns, by process rows */
  int *counts[2], *starts[2]; /* elements: of the pieces, of the local blocks */
} exchange;

static gpueig_status
begin (wk_job *job, exchange *x)
{
  const wk_grid *g = &job->grid;
  *x = (exchange){ .job = job, .size = gpueig_scalar_size (job->args.type) };
  const size_t bytes = (size_t) g->n * (size_t) g->block * x->size;
  MPI_Type_contiguous ((int) x->size, MPI_BYTE, &x->element);
  MPI_Type_commit (&x->element);
  x->piece = malloc (bytes);
  x->packed = malloc (bytes);
  int *numbers = malloc (4 * (size_t) g->rows * sizeof *numbers);
  gpueig_status status = GPUEIG_OK;
  if (! x->piece || ! x->packed || ! numbers)
    status = gpueig_fail (&job->ctx, GPUEIG_OUT_OF_MEMORY,
                          "out of memory for %d columns", g->block);
  x->counts[0] = numbers;
  for (int i = 0; numbers && i < 2; i++)
    {
      x->counts[i] = numbers + 2 * i * g->rows;
      x->starts[i] = x->counts[i] + g->rows;
    }
  return wk_agree (job, g->comm, status);
}

static void
end (exchange *x)
{
  free (x->piece);
  free (x->packed);
  free (x->counts[0]);
  MPI_Type_free (&x->element);
}

/* The block column of the whole matrix that the rank in process row ROW of this process
   column reads or writes as its piece of GROUP.  */
static int64_t
block_of (const wk_grid *g, int64_t group, int row)
{
  return (group * g->rows + row) * g->columns + g->column_index;
}

static int64_t
groups (const wk_grid *g)
{
  const int64_t blocks = ((int64_t) g->n + g->block - 1) / g->block,
                own = (blocks + g->columns - 1 - g->column_index) / g->columns;
  return (own + g->rows - 1) / g->rows;
}

/* The numbers of elements that this rank exchanges with each process row: COUNTS[0] of
   its piece, COUNTS[1] of its local blocks.  */
static void
count_elements (exchange *x, int64_t group)
{
  const wk_grid *g = &x->job->grid;
  const int width = wk_block_width (g, block_of (g, group, g->row));
  int start[2] = { 0, 0 };
  for (int r = 0; r < g->rows; r++)
    {
      x->counts[0][r] = width * wk_local_count (g, r, g->rows);
      x->counts[1][r]
          = g->local_rows * wk_block_width (g, block_of (g, group, r));
      for (int i = 0; i < 2; i++)
        {
          x->starts[i][r] = start[i];
          start[i] += x->counts[i][r];
        }
    }
}

/* Copy WIDTH columns from PIECE, where the rows are in the order of the matrix, to
   PACKED, where they are grouped by process row, or back.  */
static void
rearrange (exchange *x, int width, int packing)
{
  const wk_grid *g = &x->job->grid;
  for (int r = 0; r < g->rows; r++)
    {
      const int rows = wk_local_count (g, r, g->rows);
      char *packed = x->packed + (size_t) x->starts[0][r] * x->size;
      for (int j = 0; j < width; j++)
        for (int i = 0; i < rows; i += g->block)
          {
            const int left = rows - i < g->block ? rows - i : g->block;
            char *in_piece = x->piece
                             + ((size_t) j * (size_t) g->n
                                + (size_t) wk_global (g, i, r, g->rows))
                                   * x->size;
            char *in_packed
                = packed + ((size_t) j * (size_t) rows + (size_t) i) * x->size;
            memcpy (packing ? in_packed : in_piece,
                    packing ? in_piece : in_packed, (size_t) left * x->size);
          }
    }
}

/* The local blocks of GROUP in LOCAL.  */
static char *
local_part (const exchange *x, const void *local, int64_t group)
{
  const wk_grid *g = &x->job->grid;
  return (char *) local
         + (size_t) group * (size_t) g->rows * (size_t) g->block
               * (size_t) g->local_rows * x->size;
}

gpueig_status
wk_read_blocks (wk_job *job, int fd, const char *name, void *local)
{
  exchange x;
  const wk_grid *g = &job->grid;
  gpueig_status failed = GPUEIG_OK, status = begin (job, &x);
  const int64_t column = (int64_t) g->n * (int64_t) x.size;
  for (int64_t k = 0; status == GPUEIG_OK && k < groups (g); k++)
    {
      const int64_t j = block_of (g, k, g->row);
      const int width = wk_block_width (g, j);
      if (failed == GPUEIG_OK && width > 0)
        failed = wk_read (job, fd, name, x.piece, width * column,
                          j * g->block * column);
      count_elements (&x, k);
      rearrange (&x, width, 1);
      MPI_Alltoallv (x.packed, x.counts[0], x.starts[0], x.element,
                     local_part (&x, local, k), x.counts[1], x.starts[1],
                     x.element, g->column);
    }
  end (&x);
  return status == GPUEIG_OK ? wk_agree (job, g->comm, failed) : status;
}

/* Write the selected columns of the piece, whose first column is column FIRST of the
   solver's V, to their positions in the file; adjacent columns in one call.  */
static gpueig_status
write_piece (wk_job *job, exchange *x, int fd, const char *name, int first,
             int width, const wk_selection *s)
{
  const int64_t column = (int64_t) job->grid.n * (int64_t) x->size;
  char *from = NULL;
  int to = 0, count = 0;
  for (int j = 0; j < width; j++)
    {
      /* In the order of the file.  */
      const int k = s->reversed ? width - 1 - j : j;
      const int at = wk_output_column (s, first + k);
      if (at < 0)
        continue;
      char *target = x->packed + (size_t) count * (size_t) column;
      if (! from)
        {
          from = x->packed;
          to = at;
        }
      memcpy (target, x->piece + (size_t) k * (size_t) column, (size_t) column);
      count++;
    }
  if (! count)
    return GPUEIG_OK;
  return wk_write (job, fd, name, from, count * column, to * column);
}

gpueig_status
wk_write_blocks (wk_job *job, int fd, const char *name, const void *local,
                 const wk_selection *s)
{
  exchange x;
  const wk_grid *g = &job->grid;
  gpueig_status failed = GPUEIG_OK, status = begin (job, &x);
  for (int64_t k = 0; status == GPUEIG_OK && k < groups (g); k++)
    {
      const int64_t j = block_of (g, k, g->row);
      const int width = wk_block_width (g, j);
      count_elements (&x, k);
      MPI_Alltoallv (local_part (&x, local, k), x.counts[1], x.starts[1],
                     x.element, x.packed, x.counts[0], x.starts[0], x.element,
                     g->column);
      rearrange (&x, width, 0);
      if (failed == GPUEIG_OK && width > 0)
        failed
            = write_piece (job, &x, fd, name, (int) (j * g->block), width, s);
    }
  end (&x);
  return status == GPUEIG_OK ? wk_agree (job, g->comm, failed) : status;
}
