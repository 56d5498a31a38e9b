/* The program: runs a job, the supervisor, or prints the engines or the help text.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "worker.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Use one BLAS thread per rank, also if the launcher did not pass on the environment
   variable.  */
static void
use_one_thread (void)
{
  void (*set) (int);
  *(void **) &set = dlsym (RTLD_DEFAULT, "openblas_set_num_threads");
  if (set)
    set (1);
}

/* Open MPI's shared memory: files in the session's FOLDER, which is removed with all that
   is in it however the processes end.  Other hosts do not have it.  */
static void
set_shared_memory (const char *folder)
{
  if (! folder || access (folder, W_OK) != 0)
    return;
  /* The parameter's names before and since version 5 of Open MPI.  */
  setenv ("OMPI_MCA_btl_vader_backing_directory", folder, 1);
  setenv ("OMPI_MCA_btl_sm_backing_directory", folder, 1);
}

int
main (int argc, char **argv)
{
  static wk_job job;
  if (argc > 1 && strcmp (argv[1], "--supervise") == 0)
    return wk_supervise (argc, argv);
  if (argc > 1 && strcmp (argv[1], "--engines") == 0)
    return puts (wk_engines ()) < 0;
  if (argc < 2 || strcmp (argv[1], "--help") == 0)
    {
      wk_help ();
      return argc < 2;
    }
  gpueig_status status = wk_parse (&job.ctx, argc, argv, &job.args);
  const pid_t parent = getppid ();
  if (job.args.session
      && (prctl (PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid () != parent))
    return 1;
  use_one_thread ();
  set_shared_memory (job.args.folder);
  MPI_Init (&argc, &argv);
  status = wk_run (&job, status);
  MPI_Finalize ();
  /* A failure that is reported in the record is not an error exit.  */
  return status != GPUEIG_OK && ! job.args.record;
}
