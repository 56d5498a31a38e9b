/* The program: runs a job, the supervisor, or prints the engines or the help text.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "worker.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
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
  if (job.args.tied
      && (prctl (PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid () != parent))
    return 1;
  use_one_thread ();
  MPI_Init (&argc, &argv);
  status = wk_run (&job, status);
  MPI_Finalize ();
  /* A failure that is reported in the record is not an error exit.  */
  return status != GPUEIG_OK && ! job.args.record;
}
