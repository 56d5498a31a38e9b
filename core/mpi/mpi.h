/* The MPI backend: symmetric problems solved by processes of gpueig-worker.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   solve.c     the solvers of the backend's table, and gpueig_eig_file
   session.c   the files of a session, in memory or in the scratch folder
   launch.c    starts the processes, waits, ends them
   query.c     what there is, for gpueig_query

   A session is one run of the workers.  Its files are anonymous shared memory,
   which the workers open as /proc/PID/fd/N of this process and which ends with
   it, or lie in a folder of their own in GPUEIG_SCRATCH.  */

#ifndef GE_MPI_H
#define GE_MPI_H 1

#include "core.h"
#include "mpi/protocol.h"

#include <linux/limits.h>

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
  char folder[PATH_MAX];  /* of the launcher's own files, removed at the end */
  char part[PATH_MAX];    /* a file to be removed at the end, or "" */
  char token[GE_MPI_TOKEN + 1];
  struct
  {
    int fd; /* -1: there is none */
    char name[PATH_MAX];
  } file[GE_MPI_FILES];
} ge_mpi_session;

/* Whatever the status, ge_mpi_end must be called.  */
gpueig_status ge_mpi_begin (gpueig_context *ctx, ge_mpi_session *session);
void ge_mpi_end (ge_mpi_session *session);

/* Make a file of BYTES; all of them can be written later.  */
gpueig_status ge_mpi_make_file (ge_mpi_session *session, ge_mpi_file which,
                                int64_t bytes);
gpueig_status ge_mpi_write (ge_mpi_session *session, ge_mpi_file which,
                            const void *data, int64_t bytes);
gpueig_status ge_mpi_read (ge_mpi_session *session, ge_mpi_file which,
                           void *data, int64_t bytes);

/* --- launch.c --- */

/* The launcher, %d its number of processes: GPUEIG_LAUNCH or the default.  */
const char *ge_mpi_launcher (void);

/* The worker: GPUEIG_WORKER or the one of gpueig_set_worker; GPUEIG_NO_WORKER if
   it cannot be executed.  */
gpueig_status ge_mpi_find_worker (gpueig_context *ctx, const char **file);

/* One process for each core of this machine that this process may use.  */
int ge_mpi_default_workers (void);

/* Run WORKERS processes with ARGUMENTS (ended by NULL, without the name of the
   program) and wait for their end.  What they print is left in OUTPUT, the last
   of it; *CODE is the exit status, 128 and the signal if that ended it.
   GPUEIG_OK unless they could not be started or the user interrupted.  */
typedef char ge_mpi_output[2048];

gpueig_status ge_mpi_run (ge_mpi_session *session, int workers,
                          char *const *arguments, ge_mpi_output output,
                          int *code);

/* Run COMMAND with the descriptors 1 and 2 read into OUTPUT, at most SECONDS.  */
gpueig_status ge_mpi_ask (gpueig_context *ctx, char *const *command,
                          double seconds, ge_mpi_output output, int *code);

/* --- solve.c --- */

extern const ge_backend ge_mpi_backend;
extern const char *const ge_mpi_methods[]; /* ended by NULL */

/* --- query.c --- */

void ge_mpi_query (gpueig_context *ctx, gpueig_machine *machine);

#endif
