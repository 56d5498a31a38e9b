/* The files of a session, in memory or in the scratch folder.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "workers/workers.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const char *const file_name[GE_MPI_FILES]
    = { "A", "B", "V", "lambda", "record" };

/* Create a new folder in PARENT; FOLDER gets its name.  */
static gpueig_status
make_folder (gpueig_context *ctx, const char *parent, char folder[PATH_MAX])
{
  if (snprintf (folder, PATH_MAX, "%s/gpueig-XXXXXX", parent) < PATH_MAX
      && mkdtemp (folder))
    return GPUEIG_OK;
  const int error = errno;
  folder[0] = '\0';
  return gpueig_fail (ctx, GPUEIG_IO, "no folder can be made in %.200s: %s",
                      parent, strerror (error));
}

/* --- sessions that died ---

   This process and its supervisor hold a shared lock on the session's folder.  If both
   have been killed, the next session of the same user on this host gets an exclusive
   one, and removes the folder and what the file LEFTOVERS in it lists.  Only folders
   in which this file begins with MARK are sessions; other programs' folders may have
   such names too.  */

static const char prefix[] = "gpueig-";
static const char MARK[] = "a session of gpueig's backend mpi";
#define LEFTOVERS "leftovers"

int
ge_mpi_lock (const char *folder)
{
  const int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (fd >= 0)
    flock (fd, LOCK_SH);
  return fd;
}

/* Append COUNT texts, each with its zero byte, to the list of leftovers.  */
static gpueig_status
note_leftovers (ge_mpi_session *s, int count, const char *const *text)
{
  char name[PATH_MAX + sizeof LEFTOVERS + 1];
  snprintf (name, sizeof name, "%s/" LEFTOVERS, s->folder);
  FILE *f = fopen (name, "ae");
  int bad = ! f;
  for (int i = 0; i < count && ! bad; i++)
    bad = fputs (text[i], f) < 0 || fputc (0, f) < 0;
  if ((f && fclose (f) != 0) || bad)
    return gpueig_fail (s->ctx, GPUEIG_IO, "%.200s cannot be written: %s", name,
                        strerror (errno));
  return GPUEIG_OK;
}

gpueig_status
ge_mpi_note_leftovers (ge_mpi_session *s)
{
  return note_leftovers (s, 2, (const char *const[]){ s->scratch, s->v.part });
}

static void
remove_session (const char *folder)
{
  char name[PATH_MAX + sizeof LEFTOVERS + 1], *path = NULL;
  size_t size = 0;
  snprintf (name, sizeof name, "%s/" LEFTOVERS, folder);
  FILE *f = fopen (name, "re");
  const int ours
      = f && getdelim (&path, &size, 0, f) > 0 && strcmp (path, MARK) == 0;
  while (ours && getdelim (&path, &size, 0, f) > 0)
    if (path[0] == '/')
      ge_remove_all (path);
  free (path);
  if (f)
    fclose (f);
  if (ours)
    ge_remove_all (folder);
}

/* Remove the dead sessions of this user whose folders are in PARENT.  A folder without
   a lock that is younger than a minute may just have been created.  */
static void
remove_dead (const char *parent)
{
  enum
  {
    YOUNG = 60 /* seconds */
  };
  struct stat s;
  char name[PATH_MAX];
  DIR *all = opendir (parent);
  for (struct dirent *e; all && (e = readdir (all));)
    {
      if (strncmp (e->d_name, prefix, sizeof prefix - 1) != 0
          || strlen (e->d_name) != sizeof prefix - 1 + 6
          || snprintf (name, sizeof name, "%s/%s", parent, e->d_name)
                 >= (int) sizeof name)
        continue;
      const int fd
          = open (name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
      if (fd < 0)
        continue;
      if (fstat (fd, &s) == 0 && s.st_uid == geteuid ()
          && (s.st_mode & 0777) == 0700 && s.st_mtime + YOUNG < time (NULL)
          && flock (fd, LOCK_EX | LOCK_NB) == 0)
        remove_session (name);
      close (fd);
    }
  if (all)
    closedir (all);
}

/* --- begin and end --- */

/* The parent of the launcher's temporary folder.  Its name must be short: paths of
   sockets in it have at most about 100 characters, of which the launcher adds about
   60.  */
static const char *
temporary_folder (void)
{
  enum
  {
    LONGEST = 24
  };
  const char *given = getenv ("TMPDIR");
  return given && given[0] == '/' && strlen (given) <= LONGEST ? given : "/tmp";
}

gpueig_status
ge_mpi_begin (gpueig_context *ctx, ge_mpi_session *s)
{
  unsigned char random[GE_MPI_TOKEN / 2];
  const char *scratch = getenv ("GPUEIG_SCRATCH");
  *s = (ge_mpi_session){ .ctx = ctx, .lock = -1, .v.fd = -1 };
  for (int i = 0; i < GE_MPI_FILES; i++)
    s->file[i].fd = -1;
  s->in_memory = ! scratch || ! *scratch;
  if (getrandom (random, sizeof random, 0) != (ssize_t) sizeof random)
    return gpueig_fail (ctx, GPUEIG_WORKER, "no random numbers: %s",
                        strerror (errno));
  for (int i = 0; i < GE_MPI_TOKEN / 2; i++)
    sprintf (s->token + 2 * i, "%02x", random[i]);
  remove_dead (temporary_folder ());
  GE_TRY (make_folder (ctx, temporary_folder (), s->folder));
  s->lock = ge_mpi_lock (s->folder);
  GE_TRY (note_leftovers (s, 1, (const char *const[]){ MARK }));
  if (! s->in_memory)
    {
      char full[PATH_MAX];
      if (! realpath (scratch, full))
        return gpueig_fail (ctx, GPUEIG_IO,
                            "GPUEIG_SCRATCH, %.200s, cannot be used: %s",
                            scratch, strerror (errno));
      GE_TRY (make_folder (ctx, full, s->scratch));
    }
  GE_TRY (ge_mpi_make_file (s, GE_MPI_RECORD, sizeof (ge_mpi_record)));
  return ge_mpi_write (s, GE_MPI_RECORD, s->token, GE_MPI_TOKEN);
}

void
ge_mpi_end (ge_mpi_session *s)
{
  for (int i = 0; i < GE_MPI_FILES; i++)
    if (s->file[i].fd >= 0)
      {
        close (s->file[i].fd);
        if (! s->in_memory)
          unlink (s->file[i].name);
      }
  if (s->scratch[0])
    rmdir (s->scratch);
  ge_drop_output (&s->v);
  if (s->folder[0])
    ge_remove_all (s->folder);
  if (s->lock >= 0)
    close (s->lock);
}

gpueig_status
ge_mpi_make_file (ge_mpi_session *s, ge_mpi_file which, int64_t bytes)
{
  char *name = s->file[which].name;
  int fd;
  if (s->in_memory)
    fd = memfd_create ("gpueig", MFD_CLOEXEC);
  else if (snprintf (name, PATH_MAX, "%s/%s", s->scratch, file_name[which])
           < PATH_MAX)
    fd = open (name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  else
    {
      errno = ENAMETOOLONG;
      fd = -1;
    }
  if (fd < 0)
    return gpueig_fail (s->ctx, GPUEIG_IO, "a file for %s cannot be made: %s",
                        file_name[which], strerror (errno));
  s->file[which].fd = fd;
  if (s->in_memory)
    snprintf (name, PATH_MAX, "/proc/%ld/fd/%d", (long) getpid (), fd);
  /* Reserve blocks on disk where the file system supports it.  Files in shared memory
     are compared with the available memory before, and not reserved.  */
  int error = 0;
  if (! s->in_memory && fallocate (fd, 0, 0, bytes > 0 ? bytes : 1) != 0)
    error = errno;
  if ((error == 0 || error == EOPNOTSUPP) && ftruncate (fd, bytes) != 0)
    error = errno;
  else if (error == EOPNOTSUPP)
    error = 0;
  if (error)
    return gpueig_fail (s->ctx, GPUEIG_IO, "no %.6g MiB for %s in %.200s: %s",
                        (double) bytes / 1048576.0, file_name[which],
                        s->in_memory ? "shared memory" : s->scratch,
                        strerror (error));
  return GPUEIG_OK;
}

gpueig_status
ge_mpi_write (ge_mpi_session *s, ge_mpi_file which, const void *data,
              int64_t bytes)
{
  return ge_move_bytes (s->ctx, s->file[which].fd, file_name[which],
                        (char *) data, bytes, 0, 1);
}

gpueig_status
ge_mpi_read (ge_mpi_session *s, ge_mpi_file which, void *data, int64_t bytes)
{
  return ge_move_bytes (s->ctx, s->file[which].fd, file_name[which], data,
                        bytes, 0, 0);
}
