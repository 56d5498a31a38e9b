/* Exchange of failures between the ranks, progress lines, and the record.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

gpueig_status
wk_agree (wk_job *job, MPI_Comm comm, gpueig_status status)
{
  struct
  {
    int failed, rank;
  } mine = { status != GPUEIG_OK, 0 }, worst;
  int code = (int) status;
  MPI_Comm_rank (comm, &mine.rank);
  /* If several ranks have failed, MPI_MAXLOC returns the lowest.  */
  MPI_Allreduce (&mine, &worst, 1, MPI_2INT, MPI_MAXLOC, comm);
  if (! worst.failed)
    return GPUEIG_OK;
  MPI_Bcast (&code, 1, MPI_INT, worst.rank, comm);
  MPI_Bcast (job->ctx.message, (int) sizeof job->ctx.message, MPI_CHAR,
             worst.rank, comm);
  return (gpueig_status) code;
}

void
wk_progress (wk_job *job, const char *format, ...)
{
  va_list args;
  if (! job->args.display || job->rank != 0)
    return;
  fputs (GE_MPI_LINE GE_MPI_PROGRESS, stdout);
  va_start (args, format);
  vprintf (format, args);
  va_end (args);
  putchar ('\n');
  fflush (stdout);
}

static void
write_record (wk_job *job, gpueig_status status)
{
  ge_mpi_record *r = &job->record;
  r->size = sizeof *r;
  r->status = (int32_t) status;
  r->workers = job->grid.size;
  _Static_assert(sizeof r->message == sizeof job->ctx.message, "as messages");
  memcpy (r->message, job->ctx.message, sizeof r->message);
  const int fd = open (job->args.record, O_WRONLY | O_CLOEXEC);
  if (fd < 0 || pwrite (fd, r, sizeof *r, 0) != (ssize_t) sizeof *r)
    fprintf (stderr, GE_MPI_LINE "the record cannot be written: %s\n",
             strerror (errno));
  if (fd >= 0)
    close (fd);
}

void
wk_report (wk_job *job, gpueig_status status)
{
  if (job->rank != 0)
    return;
  if (status != GPUEIG_OK)
    fprintf (stderr, GE_MPI_LINE "%s\n", job->ctx.message);
  if (job->args.record)
    write_record (job, status);
}
