/* What the library and the program gpueig-worker agree on.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   The library starts

     WORKER --supervise PID [--local] [--remove PATH]...
       [--remove-orphan PATH]... --
       sh -c 'exec LAUNCHER "$@"' sh WORKER [OPTION]... A V LAMBDA

   The first WORKER is the supervisor (worker/supervise.c): it ends the launcher
   and all that the launcher started when it gets SIGINT, or when process PID
   ends, which the kernel signals by SIGTERM; and then removes each PATH, an
   orphan's only in that case.  All processes are --local if they use the memory
   of process PID.  The launcher starts as many of the second as there are
   workers.  Their options are those that a user can give, see gpueig-worker
   --help, and

     --session TOKEN   GE_MPI_RECORD begins with TOKEN, or this rank does not see
                       the files of the process that started it
     --in-place        A, B, V and LAMBDA are files of the session: the matrices
                       are known to be symmetric, the results have their size
     --record FILE     where the record is written
     --part FILE       the name of V while it is written
     --tied            the rank ends when the process that started it ends

   What a worker prints begins with GE_MPI_LINE; with GE_MPI_PROGRESS after
   that it is a line of progress, else it is why it fails.

   The record is a text of lines "KEY VALUE", at most GE_MPI_RECORD_BYTES long:
     TOKEN             before the work, written by the library
   and after it, written by rank 0 in one piece in place of that
     status NAME       as in GPUEIG_STATUS_LIST
     message TEXT
     method NAME       the engine that solved it
     fallback NAME     "-", or the engine that solved it after METHOD failed
     figure NAME VALUE any number of these
     end
   Figures are seconds (read, solve, check, write), ratios of the check
   (residual, orthogonality), and workers, the ranks that took part.  */

#ifndef GE_MPI_PROTOCOL_H
#define GE_MPI_PROTOCOL_H 1

#define GE_MPI_LINE "gpueig-worker: "
#define GE_MPI_PROGRESS "progress: "

enum
{
  GE_MPI_RECORD_BYTES = 4096,
  GE_MPI_TOKEN = 32 /* characters */
};

/* The engines, the names of the option "Method" besides "auto".  */
#define GE_MPI_METHODS "elpa1", "elpa2", "syevd"

/* Bytes that all workers of a problem of order N together take beside the
   files: matrix, vectors and what the engine needs, about twice that again
   (measured), and the factor of B.  ELEMENT is the size of a scalar.  */
static inline double
ge_mpi_worker_bytes (double n, double element, int pair, int workers)
{
  return (4 + 2 * (pair != 0)) * n * n * element + 64e6 * workers;
}

#endif
