/* Interface between the library and the program gpueig-worker.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The library starts

     WORKER --supervise PID [--local] [--remove PATH]...
       [--remove-orphan PATH]... --
       sh -c 'exec LAUNCHER "$@"' sh WORKER [OPTION]... A V LAMBDA

   The first WORKER is the supervisor (worker/supervise.c).  On SIGINT, or when process
   PID ends (the kernel then sends SIGTERM), it terminates the launcher and its
   descendants.  At its end it removes each PATH of --remove; those of --remove-orphan
   only if process PID has ended.  --local: all processes are on this machine and use
   memory of process PID.  The launcher starts one process of the second WORKER per
   worker.  Its options are those of gpueig-worker --help, and

     --session TOKEN   the record must begin with TOKEN; otherwise this rank does not
                       access the same files; V and LAMBDA exist and have their size.
                       The rank ends when the process that started it ends
     --folder FOLDER   where there is one, MPI's shared memory is files in it
     --in-place        A and B are files of the session: symmetry has been verified
     --record FILE     file for the record

   Lines that a worker prints begin with GE_MPI_LINE; then GE_MPI_PROGRESS begins a
   line of progress, anything else is an error message.

   The record is a ge_mpi_record, of which the library writes the token before the workers
   start, and rank 0 all at the end, in one write.  */

#ifndef GE_MPI_PROTOCOL_H
#define GE_MPI_PROTOCOL_H 1

#include <stdint.h>

#define GE_MPI_LINE "gpueig-worker: "
#define GE_MPI_PROGRESS "progress: "

enum
{
  GE_MPI_TOKEN = 32 /* characters */
};

/* Figures of a record for info: ranks that solved the problem, ratios of the verification,
   seconds.  */
#define GE_MPI_FIGURES(X)                                                      \
  X (workers)                                                                  \
  X (residual)                                                                 \
  X (orthogonality)                                                            \
  X (read_time)                                                                \
  X (check_time)                                                               \
  X (write_time)

typedef struct
{
  char token[GE_MPI_TOKEN];
  int32_t size;   /* of this struct: it is complete */
  int32_t status; /* a gpueig_status, with its message */
  char message[512];
  char engine[2][16]; /* its name, and that of the one which followed or "" */
  double solve;       /* seconds */
#define GE_MPI_FIELD(name) double name;
  GE_MPI_FIGURES (GE_MPI_FIELD)
#undef GE_MPI_FIELD
} ge_mpi_record;

/* The most ranks that a problem of order N keeps busy: engines fail or become slow if
   process columns, of which there are at least as many as rows, have fewer than
   GE_MPI_COLUMNS columns.  */
enum
{
  GE_MPI_COLUMNS = 32
};

static inline int
ge_mpi_most_ranks (int64_t n, int ranks)
{
  const int64_t columns = (n + GE_MPI_COLUMNS - 1) / GE_MPI_COLUMNS;
  return columns < 46340 && columns * columns < ranks
             ? (int) (columns * columns)
             : ranks;
}

/* Bytes of memory that all workers together need for a problem of order N, without the
   files: matrix, vectors, the engine's workspace (about twice as much, measured), and
   the factor of B.  ELEMENT is the size of a scalar.  */
static inline double
ge_mpi_worker_bytes (double n, double element, int pair, int workers)
{
  return (4 + 2 * (pair != 0)) * n * n * element + 64e6 * workers;
}

#endif
