/* gpueig-worker: one symmetric or Hermitian eigenproblem, distributed over the
   ranks of an MPI job.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The files, in the order in which a job passes through them:
     main.c            what the program is called for
     job.c             a job from begin to end
     arguments.c       the command line
     supervise.c       the process that starts the launcher and ends everything
     report.c          failures that all ranks agree on, progress, the record
     files.c           checks of the files, their reading and writing
     grid.c            which ranks take part, and as which grid
     blocks.c          matrices between files and the ranks
     solve_typed.c     the problem: scaled, reduced to a standard one, solved
     engine_typed.c    ELPA and ScaLAPACK; engines.c says which there are
     verify_typed.c    what the engine computed is verified on a sample
   Typed files are compiled four times, see core/scalar.h.

   Distribution.  The n-by-n matrix is cut into blocks of grid.block rows and
   columns.  Block (I, J) belongs to process row I mod grid.rows and process
   column J mod grid.columns; a rank stores its blocks as one column-major
   matrix of grid.local_rows by grid.local_columns.

   Failures.  A rank that fails alone goes on to the next wk_agree, where all
   ranks of the communicator learn of it.  What a function returns after that is
   the same on all of them.  */

#ifndef WK_WORKER_H
#define WK_WORKER_H 1

#include "core.h"
#include "mpi/protocol.h"

#include <linux/limits.h>
#include <mpi.h>

typedef struct
{
  gpueig_type type;
  int64_t n, first, last;         /* eigenpairs first to last, from 1 */
  const char *a, *b, *v, *lambda; /* V and LAMBDA "", B NULL: none */
  const char *method;             /* "auto" or an engine */
  const char *record, *session;   /* NULL: there is no session */
  const char *part;               /* the name of V while it is written */
  int in_place, display, tied;
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

/* In seconds, but for the last ones, see protocol.h.  */
typedef struct
{
  double read, solve, check, write, residual, orthogonality;
} wk_figures;

typedef struct
{
  gpueig_context ctx; /* for messages */
  wk_arguments args;
  int rank, ranks; /* of MPI_COMM_WORLD */
  wk_grid grid;
  int a, b, v;           /* descriptors, -1: none */
  char v_name[PATH_MAX]; /* file that this job made for V, or "" */
  char method[16], fallback[16];
  wk_figures figures;
} wk_job;

/* --- arguments.c --- */

/* GPUEIG_BAD_OPTION with the message in CTX.  */
gpueig_status wk_parse (gpueig_context *ctx, int argc, char **argv,
                        wk_arguments *args);
void wk_help (void);

/* --- job.c --- */

/* JOB, whose arguments are set, on all ranks of MPI_COMM_WORLD; or the report of
   what is wrong with them, STATUS.  */
gpueig_status wk_run (wk_job *job, gpueig_status status);

/* --- supervise.c --- */

/* The program's exit status.  */
int wk_supervise (int argc, char **argv);

/* --- report.c --- */

/* The status of the lowest rank of COMM that has failed, with its message, on
   all of them.  */
gpueig_status wk_agree (wk_job *job, MPI_Comm comm, gpueig_status status);

/* A line for the user, from rank 0, if it is wanted.  */
void wk_progress (wk_job *job, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));

/* What became of the job, from rank 0: the record, and a line if it failed.  */
void wk_report (wk_job *job, gpueig_status status);

/* --- files.c --- */

/* Is this rank where the process is that made the session?  */
gpueig_status wk_check_session (wk_job *job);

/* A and B are there and of their size, V and LAMBDA can be written and V has
   room; then they are open on all ranks.  */
gpueig_status wk_open_files (wk_job *job);

/* Is the memory of this host enough for its ranks?  */
gpueig_status wk_check_memory (wk_job *job);

gpueig_status wk_read (wk_job *job, int fd, const char *name, void *data,
                       int64_t bytes, int64_t at);
gpueig_status wk_write (wk_job *job, int fd, const char *name, const void *data,
                        int64_t bytes, int64_t at);

/* LAMBDA, by rank 0, and V gets its name.  */
gpueig_status wk_finish_files (wk_job *job, const void *lambda);

/* Close them; a V that is not complete is removed.  */
void wk_close_files (wk_job *job);

/* --- grid.c --- */

gpueig_status wk_make_grid (wk_job *job);
void wk_free_grid (wk_job *job);

/* Rows (of COUNT process rows) or columns that process I owns.  */
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

/* Columns of a block column J, from 0.  */
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

/* LOCAL, this rank's blocks, from the file FD; and to it, the selected ones.  */
gpueig_status wk_read_blocks (wk_job *job, int fd, const char *name,
                              void *local);
gpueig_status wk_write_blocks (wk_job *job, int fd, const char *name,
                               const void *local, const wk_selection *s);

/* --- the typed files --- */

/* The whole problem: reads A and B, writes V and LAMBDA.  */
gpueig_status wk_solve_s (wk_job *job);
gpueig_status wk_solve_d (wk_job *job);
gpueig_status wk_solve_c (wk_job *job);
gpueig_status wk_solve_z (wk_job *job);

/* The engines and their versions, for a line.  */
const char *wk_engines (void);

#endif
