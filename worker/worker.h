/* gpueig-worker: one symmetric or Hermitian eigenproblem, distributed over the
   ranks of an MPI job.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The files, in the order in which a job passes through them:
     main.c            the main program: a job, the supervisor, or the help text
     job.c             the steps of a job
     arguments.c       the command line
     supervise.c       the process that starts the launcher and ends all others
     report.c          exchange of failures between ranks, progress, the record
     files.c           checks of the files, reading and writing
     grid.c            the ranks that take part, and their process grid
     blocks.c          transfer of matrices between files and ranks
     solve_typed.c     scaling, reduction to a standard problem, solution
     engine_typed.c    ELPA and ScaLAPACK; engines.c has their names
     verify_typed.c    verification of the results by sampling
   Typed files are compiled four times, see core/base/scalar.h.

   Distribution.  The n-by-n matrix is cut into blocks of grid.block rows and
   columns.  Block (I, J) belongs to process row I mod grid.rows and process
   column J mod grid.columns; a rank stores its blocks as one column-major
   matrix of grid.local_rows by grid.local_columns.

   Failures.  If a rank fails, it continues to the next wk_agree, which sends the status
   to all ranks of the communicator.  From then on all ranks return the same status.  */

#ifndef WK_WORKER_H
#define WK_WORKER_H 1

#include "base/solver.h"
#include "workers/files.h"
#include "workers/protocol.h"

#include <mpi.h>

typedef struct
{
  gpueig_type type;
  int64_t n, first, last;         /* eigenpairs first to last, from 1 */
  const char *a, *b, *v, *lambda; /* V and LAMBDA "", B NULL: none */
  const char *method;             /* "auto" or an engine */
  const char *record, *session;   /* NULL: there is no session */
  const char *folder;             /* of the session */
  int in_place, display;
} wk_arguments;

typedef struct
{
  MPI_Comm comm;   /* the ranks that take part; MPI_COMM_NULL: not this one */
  MPI_Comm column; /* those of one process column, in the order of rows */
  int rank, size, rows, columns, row, column_index;
  int n, block, local_rows, local_columns;
  int blacs;   /* BLACS context */
  int desc[9]; /* ScaLAPACK's descriptor of an n-by-n matrix */
} wk_grid;

typedef struct
{
  gpueig_context ctx; /* for messages */
  wk_arguments args;
  int rank, ranks; /* of MPI_COMM_WORLD */
  wk_grid grid;
  int a, b, v;                 /* descriptors, -1: none */
  ge_output out_v, out_lambda; /* on rank 0 without a session */
  ge_mpi_record record;        /* what rank 0 writes at the end */
} wk_job;

/* --- arguments.c --- */

/* Parse the command line; GPUEIG_BAD_OPTION, with a message in CTX, for errors.  */
gpueig_status wk_parse (gpueig_context *ctx, int argc, char **argv,
                        wk_arguments *args);
void wk_help (void);

/* --- job.c --- */

/* Run JOB, whose arguments are set, on all ranks of MPI_COMM_WORLD.  If STATUS, that of
   the parsed arguments, is an error, it is only reported.  */
gpueig_status wk_run (wk_job *job, gpueig_status status);

/* --- supervise.c --- */

/* Run the supervisor; returns the program's exit status.  */
int wk_supervise (int argc, char **argv);

/* --- report.c --- */

/* Return the status of the lowest rank of COMM that has failed, and set its message, on
   all ranks of COMM.  */
gpueig_status wk_agree (wk_job *job, MPI_Comm comm, gpueig_status status);

/* Print a progress line, on rank 0, if the option for it is set.  */
void wk_progress (wk_job *job, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));

/* On rank 0, write the record, and print the message of a failed job.  */
void wk_report (wk_job *job, gpueig_status status);

/* --- files.c --- */

/* An error if this rank cannot read the session of the process that started it.  */
gpueig_status wk_check_session (wk_job *job);

/* Check that A and B exist and have the right size and, without a session, that V and
   LAMBDA can be written; then open the files on all ranks.  */
gpueig_status wk_open_files (wk_job *job);

/* GPUEIG_OUT_OF_MEMORY unless the memory of this host suffices for its ranks.  */
gpueig_status wk_check_memory (wk_job *job);

/* Rank 0 writes LAMBDA and gives the complete files their names.  */
gpueig_status wk_finish_files (wk_job *job, const void *lambda);

/* Close the files; incomplete ones are removed.  */
void wk_close_files (wk_job *job);

/* --- grid.c --- */

gpueig_status wk_make_grid (wk_job *job);
void wk_free_grid (wk_job *job);

/* The number of rows (COUNT: process rows) or columns that process I of COUNT owns.  */
int wk_local_count (const wk_grid *grid, int i, int count);

/* Index in the whole matrix of local row or column K of process I of COUNT.  */
static inline int
wk_global (const wk_grid *grid, int k, int i, int count)
{
  return (k / grid->block * count + i) * grid->block + k % grid->block;
}

static inline int
wk_global_row (const wk_grid *grid, int k)
{
  return wk_global (grid, k, grid->row, grid->rows);
}

static inline int
wk_global_column (const wk_grid *grid, int k)
{
  return wk_global (grid, k, grid->column_index, grid->columns);
}

static inline size_t
wk_local_elements (const wk_grid *grid)
{
  return (size_t) grid->local_rows * (size_t) grid->local_columns;
}

/* The number of columns of block column J, counted from 0.  */
static inline int
wk_block_width (const wk_grid *grid, int64_t j)
{
  const int64_t left = grid->n - j * grid->block;
  return left < 0 ? 0 : left < grid->block ? (int) left : grid->block;
}

/* --- blocks.c --- */

/* Which columns of the solver's V are columns of the file: solver column g is
   column g - first, or last - g if they are REVERSED, where that is in
   0 .. count - 1.  */
typedef struct
{
  int first, last, count, reversed;
} wk_selection;

static inline int
wk_output_column (const wk_selection *s, int g)
{
  const int at = s->reversed ? s->last - g : g - s->first;
  return at >= 0 && at < s->count ? at : -1;
}

/* Read LOCAL, this rank's blocks, from file FD, or write the columns of SELECTION to it.  */
gpueig_status wk_move_blocks (wk_job *job, int fd, const char *name,
                              void *local, const wk_selection *selection);

/* --- the typed files --- */

/* Read A and B, solve the problem, write V and LAMBDA.  */
gpueig_status wk_solve_s (wk_job *job);
gpueig_status wk_solve_d (wk_job *job);
gpueig_status wk_solve_c (wk_job *job);
gpueig_status wk_solve_z (wk_job *job);

/* The engines and their versions, as text.  */
const char *wk_engines (void);

#endif
