/* The steps of a job.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "worker.h"

static gpueig_status
work (wk_job *job)
{
  GE_TRY (wk_check_session (job));
  /* Sizes of files first: a wrong order would need any memory.  */
  GE_TRY (wk_open_files (job));
  GE_TRY (wk_check_memory (job));
  GE_TRY (wk_make_grid (job));
  if (job->grid.comm == MPI_COMM_NULL)
    return GPUEIG_OK;
  return GE_BY_TYPE (job->args.type, wk_solve, (job));
}

gpueig_status
wk_run (wk_job *job, gpueig_status status)
{
  MPI_Comm_rank (MPI_COMM_WORLD, &job->rank);
  MPI_Comm_size (MPI_COMM_WORLD, &job->ranks);
  job->grid.comm = MPI_COMM_NULL;
  job->a = job->b = job->v = job->out_v.fd = job->out_lambda.fd = -1;
  if (status == GPUEIG_OK)
    status = work (job);
  wk_close_files (job);
  wk_report (job, status);
  wk_free_grid (job);
  return status;
}
