/* The ranks that take part, and the process grid that they form.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "blacs.h"
#include "worker.h"

enum
{
  LARGEST_BLOCK = 64,
  BLOCKS = 2, /* of each process row and column, at least */
  SMALLEST_BLOCK = GE_MPI_COLUMNS / BLOCKS
};

/* The number of process rows of SIZE ranks: the largest divisor up to the square
   root, so that there are at least as many columns.  */
static int
process_rows (int size)
{
  int rows = 1;
  for (int i = 1; i * i <= size; i++)
    if (size % i == 0)
      rows = i;
  return rows;
}

/* The number of ranks that take part: few for small problems, because the engines fail
   or become slow if a rank owns no elements.  */
static int
useful_ranks (int64_t n, int ranks)
{
  ranks = ge_mpi_most_ranks (n, ranks);
  while (ranks > 1
         && ranks / process_rows (ranks)
                > (n + GE_MPI_COLUMNS - 1) / GE_MPI_COLUMNS)
    ranks--;
  return ranks;
}

static int
block_size (int64_t n, int columns)
{
  int block = LARGEST_BLOCK;
  while (block > SMALLEST_BLOCK && n < (int64_t) BLOCKS * block * columns)
    block /= 2;
  return block;
}

int
wk_local_count (const wk_grid *g, int i, int count)
{
  static const int first = 0;
  return numroc_ (&g->n, &g->block, &i, &first, &count);
}

gpueig_status
wk_make_grid (wk_job *job)
{
  wk_grid *g = &job->grid;
  const int64_t n = job->args.n;
  g->size = useful_ranks (n, job->ranks);
  g->rows = process_rows (g->size);
  g->columns = g->size / g->rows;
  g->n = (int) n;
  g->block = block_size (n, g->columns);
  g->column = MPI_COMM_NULL;
  const int in = job->rank < g->size;
  MPI_Comm_split (MPI_COMM_WORLD, in ? 0 : MPI_UNDEFINED, job->rank, &g->comm);
  if (! in)
    return GPUEIG_OK;
  /* Ranks are numbered column by column, BLACS's order "C".  */
  g->rank = job->rank;
  g->row = g->rank % g->rows;
  g->column_index = g->rank / g->rows;
  MPI_Comm_split (g->comm, g->column_index, g->row, &g->column);
  g->local_rows = wk_local_count (g, g->row, g->rows);
  g->local_columns = wk_local_count (g, g->column_index, g->columns);
  g->blacs = Csys2blacs_handle (g->comm);
  Cblacs_gridinit (&g->blacs, "C", g->rows, g->columns);
  const int desc[9] = { 1,    g->blacs, g->n,
                        g->n, g->block, g->block,
                        0,    0,        g->local_rows > 1 ? g->local_rows : 1 };
  for (int i = 0; i < 9; i++)
    g->desc[i] = desc[i];
  gpueig_status status = GPUEIG_OK;
  if (wk_local_elements (g) > INT32_MAX)
    status = gpueig_fail (&job->ctx, GPUEIG_BAD_OPTION,
                          "%d workers are too few for order %lld: the engines "
                          "take at most 2^31 - 1 elements in each",
                          g->size, (long long) n);
  return wk_agree (job, g->comm, status);
}

void
wk_free_grid (wk_job *job)
{
  wk_grid *g = &job->grid;
  if (g->comm == MPI_COMM_NULL)
    return;
  Cblacs_gridexit (g->blacs);
  MPI_Comm_free (&g->column);
  MPI_Comm_free (&g->comm);
}
