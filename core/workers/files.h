/* Files of input and output that the user names.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Their errors are reported before the computation, which may take hours.  An output
   is written under a temporary name in its folder and gets its own name when it is
   complete; symbolic links are followed, and a file that is replaced leaves its mode.
   For core/workers and the worker.  */

#ifndef GE_FILES_H
#define GE_FILES_H 1

#include "base/solver.h"

#include <linux/limits.h>

typedef struct
{
  int fd;                /* of the temporary file; -1: none */
  char target[PATH_MAX]; /* absolute name, "": no output */
  char part[PATH_MAX];   /* temporary name, "": none */
} ge_output;

/* GPUEIG_IO: NAME cannot be WHAT, for the reason WHY.  */
gpueig_status ge_no_file (gpueig_context *ctx, const char *name,
                          const char *what, const char *why);

/* Read or write BYTES of DATA at AT of file FD, in pieces between which interrupts are
   polled.  */
gpueig_status ge_move_bytes (gpueig_context *ctx, int fd, const char *name,
                             char *data, int64_t bytes, int64_t at,
                             int writing);

/* GPUEIG_OK if NAME is a regular file of BYTES bytes that can be read.  */
gpueig_status ge_check_input (gpueig_context *ctx, const char *name,
                              double bytes);

/* Make OUTPUT, of file NAME (NULL or "": none), if a regular file can be written there
   that is none of the COUNT files OTHERS (NULL or "": none).  Creates nothing.  */
gpueig_status ge_check_output (gpueig_context *ctx, const char *name,
                               const char *const *others, int count,
                               ge_output *output);

/* Create the temporary file, with BYTES bytes reserved where that is possible.  */
gpueig_status ge_begin_output (gpueig_context *ctx, ge_output *output,
                               double bytes);

/* Rename the temporary file, which is complete.  */
gpueig_status ge_finish_output (gpueig_context *ctx, ge_output *output);

/* Close OUTPUT; an unfinished temporary file is removed.  */
void ge_drop_output (ge_output *output);

/* Open FOLDER of a session and hold a shared lock on it; the descriptor, or -1.  */
int ge_mpi_lock (const char *folder);

/* Remove the file or folder PATH with all that is in it.  */
void ge_remove_all (const char *path);

#endif
