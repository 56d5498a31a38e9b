/* The MPI backend: symmetric problems solved by processes of gpueig-worker.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   solve.c     the solvers of the backend (run/solvers.h), and gpueig_eig_file
   session.c   the files of a session, in memory or in the scratch folder
   files.c     files that the user names, in library and worker
   launch.c    starts the processes, waits, ends them
   query.c     availability and engines, for gpueig_query (run/solvers.h)
   none.c      where the system is not Linux: no MPI

   A session is one run of the workers.  Its files are anonymous shared memory,
   which the workers open as /proc/PID/fd/N of this process and which is freed when
   this process ends, or files in a new folder in GPUEIG_SCRATCH.  */

#ifndef GE_WORKERS_H
#define GE_WORKERS_H 1

#include "base/solver.h"
#include "workers/files.h"
#include "workers/protocol.h"

/* --- session.c --- */

typedef enum
{
  GE_MPI_A,
  GE_MPI_B,
  GE_MPI_V,
  GE_MPI_LAMBDA,
  GE_MPI_RECORD,
  GE_MPI_FILES
} ge_mpi_file;

typedef struct
{
  gpueig_context *ctx;
  int in_memory;
  char scratch[PATH_MAX]; /* folder of the files, "" in memory */
  char folder[PATH_MAX];  /* for the launcher's files, removed at the end */
  int lock;               /* of FOLDER, see session.c */
  ge_output v;            /* the file of V that the user named */
  char token[GE_MPI_TOKEN + 1];
  struct
  {
    int fd; /* -1: not created */
    char name[PATH_MAX];
  } file[GE_MPI_FILES];
} ge_mpi_session;

/* Begin a session; ge_mpi_end must be called for any status.  */
gpueig_status ge_mpi_begin (gpueig_context *ctx, ge_mpi_session *session);
void ge_mpi_end (ge_mpi_session *session);

/* Record for later sessions what a dead one leaves behind; to be called when all names
   are known.  */
gpueig_status ge_mpi_note_leftovers (ge_mpi_session *session);

/* Create a file of BYTES bytes, with storage reserved where possible.  */
gpueig_status ge_mpi_make_file (ge_mpi_session *session, ge_mpi_file which,
                                int64_t bytes);
gpueig_status ge_mpi_write (ge_mpi_session *session, ge_mpi_file which,
                            const void *data, int64_t bytes);
gpueig_status ge_mpi_read (ge_mpi_session *session, ge_mpi_file which,
                           void *data, int64_t bytes);

/* --- launch.c --- */

/* The launcher, GPUEIG_LAUNCH or the default: a command of the shell in which each %d
   stands for the number of processes, and which the program and its arguments follow.  */
const char *ge_mpi_launcher (void);

/* Nonzero if the launcher is a program with arguments, perhaps after assignments, without
   anything that only the shell knows.  */
int ge_mpi_launcher_is_words (void);

/* *FILE = the worker program: GPUEIG_WORKER or that of gpueig_set_worker;
   GPUEIG_NO_WORKER if it cannot be executed.  */
gpueig_status ge_mpi_find_worker (gpueig_context *ctx, const char **file);

/* The default number of workers: the number of cores that this process may use.  */
int ge_mpi_default_workers (void);

/* Run WORKERS processes with ARGUMENTS (terminated by NULL, without the name of the
   program) and wait for their end.  OUTPUT gets the end of their output; *CODE is the
   exit status, or 128 + the number of the signal that ended the launcher.  GPUEIG_OK
   unless they could not be started or the user interrupted.  */
typedef char ge_mpi_output[2048];

gpueig_status ge_mpi_run (ge_mpi_session *session, int workers,
                          char *const *arguments, ge_mpi_output output,
                          int *code);

/* Run COMMAND for at most SECONDS; OUTPUT gets the standard output and error of
   COMMAND.  */
gpueig_status ge_mpi_ask (gpueig_context *ctx, char *const *command,
                          double seconds, ge_mpi_output output, int *code);

#endif
