/* Files of input and output that the user names.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "workers/files.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

gpueig_status
ge_no_file (gpueig_context *ctx, const char *name, const char *what,
            const char *why)
{
  return gpueig_fail (ctx, GPUEIG_IO, "%.200s cannot be %s: %s", name, what,
                      why);
}

gpueig_status
ge_check_input (gpueig_context *ctx, const char *name, double bytes)
{
  struct stat s;
  /* Opening a FIFO would wait for a writer.  */
  const int fd = open (name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  const int bad = fd < 0 || fstat (fd, &s) != 0, error = errno;
  if (fd >= 0)
    close (fd);
  if (bad)
    return ge_no_file (ctx, name, "read", strerror (error));
  if (! S_ISREG (s.st_mode))
    return ge_no_file (ctx, name, "read", "it is no regular file");
  if ((double) s.st_size != bytes)
    return gpueig_fail (ctx, GPUEIG_IO,
                        "%.200s has %lld bytes, but a matrix of this order "
                        "and class has %.0f",
                        name, (long long) s.st_size, bytes);
  return GPUEIG_OK;
}

/* --- checks of outputs --- */

/* Store "FOLDER/LAST" or, if FOLDER is NULL, LAST; 0 and errno if it is too long.  */
static int
store_name (char name[PATH_MAX], const char *folder, const char *last)
{
  const int length = folder
                         ? snprintf (name, PATH_MAX, "%s/%s",
                                     strcmp (folder, "/") ? folder : "", last)
                         : snprintf (name, PATH_MAX, "%s", last);
  if (length < PATH_MAX)
    return 1;
  errno = ENAMETOOLONG;
  return 0;
}

/* *TARGET: the absolute name of the file that NAME, which need not exist, stands for;
   0 and errno if there is none.  */
static int
resolve (const char *name, char target[PATH_MAX])
{
  enum
  {
    LINKS = 40 /* that the kernel follows at most */
  };
  char at[PATH_MAX], link[PATH_MAX], copy[PATH_MAX], folder[PATH_MAX];
  ssize_t length = 0;
  if (! store_name (at, NULL, name))
    return 0;
  for (int i = 0; (length = readlink (at, link, sizeof link - 1)) >= 0; i++)
    {
      link[length] = '\0';
      memcpy (copy, at, sizeof copy);
      if (i == LINKS)
        errno = ELOOP;
      if (i == LINKS
          || ! store_name (at, link[0] == '/' ? NULL : dirname (copy), link))
        return 0;
    }
  if (errno != EINVAL && errno != ENOENT)
    return 0;
  memcpy (copy, at, sizeof copy);
  if (! realpath (dirname (copy), folder))
    return 0;
  memcpy (copy, at, sizeof copy);
  return store_name (target, folder, basename (copy));
}

/* Nonzero if both names, which may be NULL or "", refer to the same file.  */
static int
same_file (const char *target, const char *other)
{
  struct stat a, b;
  char name[PATH_MAX];
  if (! other || ! *other)
    return 0;
  if (stat (target, &a) == 0 && stat (other, &b) == 0)
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
  return resolve (other, name) && strcmp (target, name) == 0;
}

/* Why S, an existing file, cannot be replaced; NULL if it can.  */
static const char *
not_replaceable (const char *target, const struct stat *s)
{
  struct stat folder;
  char copy[PATH_MAX];
  const uid_t me = geteuid ();
  if (S_ISDIR (s->st_mode))
    return "it is a folder";
  if (! S_ISREG (s->st_mode))
    return "it is no regular file";
  /* The superuser may write files without permission, but is not meant to.  */
  if (! (s->st_mode & 0222) || access (target, W_OK) != 0)
    return "it is read-only";
  snprintf (copy, sizeof copy, "%s", target);
  if (me != 0 && me != s->st_uid && stat (dirname (copy), &folder) == 0
      && (folder.st_mode & S_ISVTX) && me != folder.st_uid)
    return "it is another user's, in a folder with the sticky bit";
  return NULL;
}

gpueig_status
ge_check_output (gpueig_context *ctx, const char *name,
                 const char *const *others, int count, ge_output *output)
{
  struct stat s;
  *output = (ge_output){ .fd = -1 };
  if (! name || ! *name)
    return GPUEIG_OK;
  const char *why = name[strlen (name) - 1] == '/' ? "it is a folder" : NULL;
  if (! why && ! resolve (name, output->target))
    why = strerror (errno);
  if (! why && stat (output->target, &s) == 0)
    why = not_replaceable (output->target, &s);
  if (why)
    return ge_no_file (ctx, name, "written", why);
  for (int i = 0; i < count; i++)
    if (same_file (output->target, others[i]))
      return gpueig_fail (ctx, GPUEIG_BAD_OPTION,
                          "%.200s cannot be written: it is the same file as "
                          "%.200s",
                          name, others[i]);
  return GPUEIG_OK;
}

/* --- writing --- */

/* GPUEIG_OK if BYTES are free on the file system of TARGET.  */
static gpueig_status
check_room (gpueig_context *ctx, const char *target, double bytes)
{
  struct statvfs s;
  char copy[PATH_MAX];
  snprintf (copy, sizeof copy, "%s", target);
  if (statvfs (dirname (copy), &s) != 0)
    return ge_no_file (ctx, target, "written", strerror (errno));
  const double there = (double) s.f_bavail * (double) s.f_frsize;
  if (there < bytes)
    return gpueig_fail (ctx, GPUEIG_IO,
                        "%.200s needs %.6g MiB, but %.6g MiB are free there",
                        target, bytes / 1048576, there / 1048576);
  return GPUEIG_OK;
}

/* Create a file with a random name, with the permissions of a new file or, if there is
   one already, with its permissions and if possible its owner.  (mkstemp would give
   those of a private file.)  */
static int
create_part (ge_output *o)
{
  struct stat s;
  do
    {
      uint32_t random;
      if (getrandom (&random, sizeof random, 0) != (ssize_t) sizeof random)
        return 0;
      if (snprintf (o->part, sizeof o->part, "%s.part-%08x", o->target, random)
          >= (int) sizeof o->part)
        errno = ENAMETOOLONG;
      else
        o->fd = open (o->part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
  while (o->fd < 0 && errno == EEXIST);
  if (o->fd < 0)
    return 0;
  if (stat (o->target, &s) != 0)
    return 1;
  if (fchown (o->fd, s.st_uid, s.st_gid) != 0)
    errno = 0; /* only the superuser can */
  return fchmod (o->fd, s.st_mode & 0777) == 0;
}

gpueig_status
ge_begin_output (gpueig_context *ctx, ge_output *o, double bytes)
{
  int error = 0;
  if (! o->target[0])
    return GPUEIG_OK;
  GE_TRY (check_room (ctx, o->target, bytes));
  if (! create_part (o))
    error = errno;
  if (! error && bytes > 0 && fallocate (o->fd, 0, 0, (off_t) bytes) != 0)
    error = errno;
  if (error == EOPNOTSUPP)
    error = ftruncate (o->fd, (off_t) bytes) == 0 ? 0 : errno;
  if (! error)
    return GPUEIG_OK;
  if (o->fd < 0)
    o->part[0] = '\0';
  ge_drop_output (o);
  return ge_no_file (ctx, o->target, "written", strerror (error));
}

gpueig_status
ge_finish_output (gpueig_context *ctx, ge_output *o)
{
  if (! o->part[0])
    return GPUEIG_OK;
  if (rename (o->part, o->target) != 0)
    return ge_no_file (ctx, o->target, "written", strerror (errno));
  o->part[0] = '\0';
  return GPUEIG_OK;
}

void
ge_drop_output (ge_output *o)
{
  if (o->part[0])
    unlink (o->part);
  if (o->fd >= 0)
    close (o->fd);
  o->part[0] = '\0';
  o->fd = -1;
}

gpueig_status
ge_move_bytes (gpueig_context *ctx, int fd, const char *name, char *data,
               int64_t bytes, int64_t at, int writing)
{
  enum
  {
    PIECE = 1 << 26 /* bytes between two checks for an interrupt */
  };
  for (int64_t done = 0; done < bytes;)
    {
      const size_t count
          = (size_t) (bytes - done < PIECE ? bytes - done : PIECE);
      const ssize_t moved = writing ? pwrite (fd, data + done, count, at + done)
                                    : pread (fd, data + done, count, at + done);
      if (moved < 0 && errno == EINTR)
        continue;
      if (moved <= 0)
        return ge_no_file (ctx, name, writing ? "written" : "read",
                           moved < 0 ? strerror (errno)
                           : writing ? strerror (ENOSPC)
                                     : "it became too short");
      done += moved;
      GE_TRY (ge_check_interrupt (ctx));
    }
  return GPUEIG_OK;
}

/* --- removal --- */

static int
remove_entry (const char *path, const struct stat *s, int kind,
              struct FTW *where)
{
  (void) s;
  (void) kind;
  (void) where;
  remove (path);
  return 0;
}

void
ge_remove_all (const char *path)
{
  nftw (path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}
