/* The files of a job.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Errors of the files are reported before the computation, which may take hours.  A and
   B are only read.  */

#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
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

static gpueig_status
no_file (wk_job *job, const char *name, const char *what, int error)
{
  return gpueig_fail (&job->ctx, GPUEIG_IO, "%.200s cannot be %s: %s", name,
                      what, strerror (error));
}

/* GPUEIG_OK if the file has the size of a matrix of the job's order and type.  */
static gpueig_status
check_input (wk_job *job, const char *name)
{
  struct stat s;
  const double wanted = (double) job->args.n * (double) job->args.n
                        * (double) gpueig_scalar_size (job->args.type);
  const int fd = open (name, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return no_file (job, name, "read", errno);
  const int bad = fstat (fd, &s) != 0;
  close (fd);
  if (bad || ! S_ISREG (s.st_mode))
    return no_file (job, name, "read", bad ? errno : EINVAL);
  if ((double) s.st_size != wanted)
    return gpueig_fail (&job->ctx, GPUEIG_IO,
                        "%.200s has %lld bytes, but %lld-by-%lld numbers of "
                        "this class have %.0f",
                        name, (long long) s.st_size, (long long) job->args.n,
                        (long long) job->args.n, wanted);
  return GPUEIG_OK;
}

/* GPUEIG_OK if BYTES are free on the file system of NAME.  */
static gpueig_status
check_room (wk_job *job, const char *name, double bytes)
{
  struct statvfs s;
  char copy[PATH_MAX];
  if (snprintf (copy, sizeof copy, "%s", name) >= (int) sizeof copy)
    return no_file (job, name, "written", ENAMETOOLONG);
  const char *folder = dirname (copy);
  if (statvfs (folder, &s) != 0)
    return no_file (job, name, "written", errno);
  const double there = (double) s.f_bavail * (double) s.f_frsize;
  if (there < bytes)
    return gpueig_fail (&job->ctx, GPUEIG_IO,
                        "%.200s needs %.6g MiB, but %.6g MiB are free there",
                        name, bytes / 1048576, there / 1048576);
  return GPUEIG_OK;
}

/* Nonzero if both names refer to the same file.  */
static int
same_file (const char *one, const char *two)
{
  struct stat a, b;
  return one && two && stat (one, &a) == 0 && stat (two, &b) == 0
         && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Create the file NAME and reserve BYTES for it, if the file system supports this.  */
static gpueig_status
make_file (wk_job *job, const char *name, double bytes)
{
  GE_TRY (check_room (job, name, bytes));
  const int fd = open (name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (fd < 0)
    return no_file (job, name, "written", errno);
  int error = 0;
  if (fallocate (fd, 0, 0, (off_t) bytes) != 0)
    error = errno;
  if (error == EOPNOTSUPP)
    error = ftruncate (fd, (off_t) bytes) == 0 ? 0 : errno;
  close (fd);
  if (! error)
    return GPUEIG_OK;
  unlink (name);
  return no_file (job, name, "written", error);
}

/* Rank 0 checks the input files and creates the output file.  */
static gpueig_status
prepare (wk_job *job)
{
  const wk_arguments *args = &job->args;
  const double count = (double) (args->last - args->first + 1),
               bytes = (double) args->n * count
                       * (double) gpueig_scalar_size (args->type);
  GE_TRY (check_input (job, args->a));
  if (args->b)
    GE_TRY (check_input (job, args->b));
  if (args->in_place)
    return GPUEIG_OK;
  const char *const results[] = { args->v, args->lambda };
  for (int i = 0; i < 2; i++)
    if (same_file (results[i], args->a) || same_file (results[i], args->b))
      return gpueig_fail (&job->ctx, GPUEIG_BAD_OPTION,
                          "%.200s is read, it cannot be written too",
                          results[i]);
  if (*args->lambda && ! args->session)
    GE_TRY (check_room (job, args->lambda, 8 * count));
  if (! *args->v)
    return GPUEIG_OK;
  char name[PATH_MAX];
  const int length = args->part ? snprintf (name, sizeof name, "%s", args->part)
                                : snprintf (name, sizeof name, "%s.part-%ld",
                                            args->v, (long) getpid ());
  if (length >= (int) sizeof name)
    return no_file (job, args->v, "written", ENAMETOOLONG);
  GE_TRY (make_file (job, name, bytes));
  memcpy (job->v_name, name, sizeof name);
  return GPUEIG_OK;
}

static gpueig_status
open_one (wk_job *job, const char *name, int flags, int *fd)
{
  *fd = open (name, flags | O_CLOEXEC);
  return *fd >= 0 ? GPUEIG_OK
                  : no_file (job, name, flags == O_RDONLY ? "read" : "written",
                             errno);
}

gpueig_status
wk_open_files (wk_job *job)
{
  const wk_arguments *args = &job->args;
  char v_name[PATH_MAX];
  job->a = job->b = job->v = -1;
  gpueig_status status = job->rank == 0 ? prepare (job) : GPUEIG_OK;
  GE_TRY (wk_agree (job, MPI_COMM_WORLD, status));
  memcpy (v_name, job->v_name, sizeof v_name);
  MPI_Bcast (v_name, (int) sizeof v_name, MPI_CHAR, 0, MPI_COMM_WORLD);
  status = open_one (job, args->a, O_RDONLY, &job->a);
  if (status == GPUEIG_OK && args->b)
    status = open_one (job, args->b, O_RDONLY, &job->b);
  if (status == GPUEIG_OK && *args->v)
    status = open_one (job, v_name[0] ? v_name : args->v, O_WRONLY, &job->v);
  return wk_agree (job, MPI_COMM_WORLD, status);
}

/* --- reading and writing --- */

enum
{
  MOST = 1 << 30 /* bytes of one call: the kernel moves less than 2 GiB */
};

gpueig_status
wk_read (wk_job *job, int fd, const char *name, void *data, int64_t bytes,
         int64_t at)
{
  for (int64_t done = 0; done < bytes;)
    {
      const size_t count = (size_t) (bytes - done < MOST ? bytes - done : MOST);
      const ssize_t got = pread (fd, (char *) data + done, count, at + done);
      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        return no_file (job, name, "read", errno);
      if (got == 0)
        return gpueig_fail (&job->ctx, GPUEIG_IO,
                            "%.200s became too short while it was read", name);
      done += got;
    }
  return GPUEIG_OK;
}

gpueig_status
wk_write (wk_job *job, int fd, const char *name, const void *data,
          int64_t bytes, int64_t at)
{
  for (int64_t done = 0; done < bytes;)
    {
      const size_t count = (size_t) (bytes - done < MOST ? bytes - done : MOST);
      const ssize_t put
          = pwrite (fd, (const char *) data + done, count, at + done);
      if (put < 0 && errno == EINTR)
        continue;
      if (put <= 0)
        return no_file (job, name, "written", put ? errno : ENOSPC);
      done += put;
    }
  return GPUEIG_OK;
}

/* --- completion --- */

static gpueig_status
write_lambda (wk_job *job, const void *lambda)
{
  const wk_arguments *args = &job->args;
  const int64_t bytes = (args->last - args->first + 1)
                        * (int64_t) gpueig_real_size (args->type);
  char name[PATH_MAX];
  if (! *args->lambda)
    return GPUEIG_OK;
  const int in_session = args->session != NULL;
  if (snprintf (name, sizeof name, in_session ? "%s" : "%s.part", args->lambda)
      >= (int) sizeof name)
    return no_file (job, args->lambda, "written", ENAMETOOLONG);
  const int fd = open (
      name, O_WRONLY | O_CLOEXEC | (in_session ? 0 : O_CREAT | O_TRUNC), 0666);
  if (fd < 0)
    return no_file (job, name, "written", errno);
  gpueig_status status = wk_write (job, fd, name, lambda, bytes, 0);
  if (close (fd) != 0 && status == GPUEIG_OK)
    status = no_file (job, name, "written", errno);
  if (status == GPUEIG_OK && ! in_session && rename (name, args->lambda) != 0)
    status = no_file (job, args->lambda, "written", errno);
  return status;
}

gpueig_status
wk_finish_files (wk_job *job, const void *lambda)
{
  gpueig_status status = GPUEIG_OK;
  const wk_grid *g = &job->grid;
  /* Network file systems may report a full disk only here.  */
  if (job->v >= 0 && ! job->args.in_place && fsync (job->v) != 0)
    status = no_file (job, job->args.v, "written", errno);
  GE_TRY (wk_agree (job, g->comm, status));
  if (job->rank == 0)
    {
      status = write_lambda (job, lambda);
      if (status == GPUEIG_OK && job->v_name[0]
          && rename (job->v_name, job->args.v) != 0)
        status = no_file (job, job->args.v, "written", errno);
      if (status == GPUEIG_OK)
        job->v_name[0] = '\0';
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
  if (job->v_name[0])
    unlink (job->v_name);
}
