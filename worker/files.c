/* The files of a job.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Errors of the files are reported before the computation, which may take hours.  A and
   B are only read.  */

#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* --- the session --- */

gpueig_status
wk_check_session (wk_job *job)
{
  char token[GE_MPI_TOKEN + 1] = "", host[256] = "?";
  const wk_arguments *args = &job->args;
  gpueig_status status = GPUEIG_OK;
  if (args->session && (args->in_place || job->rank == 0))
    {
      const int fd = open (args->record, O_RDONLY | O_CLOEXEC);
      if (fd < 0 || pread (fd, token, GE_MPI_TOKEN, 0) != GE_MPI_TOKEN
          || strcmp (token, args->session) != 0)
        {
          gethostname (host, sizeof host - 1);
          status = gpueig_fail (
              &job->ctx, GPUEIG_WORKER,
              "rank %d on %.100s does not see the memory or folder of the "
              "process that started it; GPUEIG_SCRATCH must name a folder "
              "that all hosts share",
              job->rank, host);
        }
      if (fd >= 0)
        close (fd);
    }
  return wk_agree (job, MPI_COMM_WORLD, status);
}

/* --- memory --- */

gpueig_status
wk_check_memory (wk_job *job)
{
  MPI_Comm node;
  int here;
  const wk_arguments *args = &job->args;
  MPI_Comm_split_type (MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                       &node);
  MPI_Comm_size (node, &here);
  MPI_Comm_free (&node);
  const double all = ge_mpi_worker_bytes (
      (double) args->n, (double) gpueig_scalar_size (args->type),
      args->b != NULL, job->ranks);
  const gpueig_status status = gpueig_need_memory (
      &job->ctx, all / job->ranks * here, "the workers of one host");
  return wk_agree (job, MPI_COMM_WORLD, status);
}

/* --- checks --- */

/* Rank 0 checks the input files and, without a session, creates those of results.  */
static gpueig_status
prepare_files (wk_job *job)
{
  const wk_arguments *args = &job->args;
  gpueig_context *ctx = &job->ctx;
  const double n = (double) args->n,
               count = (double) (args->last - args->first + 1),
               size = (double) gpueig_scalar_size (args->type);
  const char *const others[] = { args->a, args->b, args->v };
  GE_TRY (ge_check_input (ctx, args->a, n * n * size));
  if (args->b)
    GE_TRY (ge_check_input (ctx, args->b, n * n * size));
  if (args->session)
    return GPUEIG_OK;
  GE_TRY (ge_check_output (ctx, args->v, others, 2, &job->out_v));
  GE_TRY (ge_check_output (ctx, args->lambda, others, 3, &job->out_lambda));
  GE_TRY (ge_begin_output (ctx, &job->out_v, n * count * size));
  return ge_begin_output (ctx, &job->out_lambda,
                          count * (double) gpueig_real_size (args->type));
}

static gpueig_status
open_one (wk_job *job, const char *name, int flags, int *fd)
{
  *fd = open (name, flags | O_CLOEXEC);
  return *fd >= 0 ? GPUEIG_OK
                  : ge_no_file (&job->ctx, name,
                                flags == O_RDONLY ? "read" : "written",
                                strerror (errno));
}

gpueig_status
wk_open_files (wk_job *job)
{
  const wk_arguments *args = &job->args;
  char v_name[PATH_MAX];
  job->a = job->b = job->v = -1;
  gpueig_status status = job->rank == 0 ? prepare_files (job) : GPUEIG_OK;
  GE_TRY (wk_agree (job, MPI_COMM_WORLD, status));
  memcpy (v_name, job->out_v.part, sizeof v_name);
  MPI_Bcast (v_name, (int) sizeof v_name, MPI_CHAR, 0, MPI_COMM_WORLD);
  status = open_one (job, args->a, O_RDONLY, &job->a);
  if (status == GPUEIG_OK && args->b)
    status = open_one (job, args->b, O_RDONLY, &job->b);
  if (status == GPUEIG_OK && *args->v)
    status = open_one (job, v_name[0] ? v_name : args->v, O_WRONLY, &job->v);
  return wk_agree (job, MPI_COMM_WORLD, status);
}

/* --- completion --- */

static gpueig_status
write_lambda (wk_job *job, const void *lambda)
{
  const wk_arguments *args = &job->args;
  const int64_t bytes = (args->last - args->first + 1)
                        * (int64_t) gpueig_real_size (args->type);
  if (! args->session)
    return job->out_lambda.fd < 0
               ? GPUEIG_OK
               : ge_move_bytes (&job->ctx, job->out_lambda.fd, args->lambda,
                                (void *) lambda, bytes, 0, 1);
  int fd;
  GE_TRY (open_one (job, args->lambda, O_WRONLY, &fd));
  const gpueig_status status = ge_move_bytes (&job->ctx, fd, args->lambda,
                                              (void *) lambda, bytes, 0, 1);
  close (fd);
  return status;
}

/* Network file systems may report a full disk only here.  */
static gpueig_status
sync_file (wk_job *job, int fd, const char *name)
{
  return fd < 0 || fsync (fd) == 0
             ? GPUEIG_OK
             : ge_no_file (&job->ctx, name, "written", strerror (errno));
}

gpueig_status
wk_finish_files (wk_job *job, const void *lambda)
{
  const wk_grid *g = &job->grid;
  gpueig_status status = GPUEIG_OK;
  if (! job->args.in_place)
    status = sync_file (job, job->v, job->args.v);
  GE_TRY (wk_agree (job, g->comm, status));
  if (job->rank == 0)
    {
      status = write_lambda (job, lambda);
      if (status == GPUEIG_OK)
        status = sync_file (job, job->out_lambda.fd, job->args.lambda);
      if (status == GPUEIG_OK)
        status = ge_finish_output (&job->ctx, &job->out_v);
      if (status == GPUEIG_OK)
        status = ge_finish_output (&job->ctx, &job->out_lambda);
    }
  return wk_agree (job, g->comm, status);
}

void
wk_close_files (wk_job *job)
{
  const int files[] = { job->a, job->b, job->v };
  for (int i = 0; i < 3; i++)
    if (files[i] >= 0)
      close (files[i]);
  ge_drop_output (&job->out_v);
  ge_drop_output (&job->out_lambda);
}
