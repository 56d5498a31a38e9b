/* Availability and engines of the MPI backend.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "workers/workers.h"
#include "run/solvers.h"

#include <stdio.h>
#include <string.h>

/* Nonzero if the shell finds the launcher's program, or only the shell knows it.  */
static int
launcher_exists (gpueig_context *ctx)
{
  ge_mpi_output output;
  int code;
  static char program[] = "for word in $1; do case $word in *=*) ;; "
                          "*) command -v -- \"$word\"; exit ;; esac; done";
  char *const command[]
      = { "sh", "-c", program, "sh", (char *) ge_mpi_launcher (), NULL };
  return ! ge_mpi_launcher_is_words ()
         || (ge_mpi_ask (ctx, command, 5, output, &code) == GPUEIG_OK
             && code == 0);
}

/* Set ctx->mpi.engines by running WORKER, or ctx->mpi.reason.  */
static void
query_worker (gpueig_context *ctx, const char *worker)
{
  ge_mpi_output output;
  int code;
  char *reason = ctx->mpi.reason;
  const size_t size = sizeof ctx->mpi.reason;
  ctx->mpi.engines[0] = reason[0] = '\0';
  char *const command[] = { (char *) worker, "--engines", NULL };
  const gpueig_status status = ge_mpi_ask (ctx, command, 10, output, &code);
  output[strcspn (output, "\n")] = '\0';
  if (status != GPUEIG_OK || code != 0)
    snprintf (reason, size, "%.100s cannot run: %.120s", worker,
              status == GPUEIG_OK ? output : ctx->message);
  else if (! launcher_exists (ctx))
    snprintf (reason, size,
              "the launcher \"%.100s\" was not found (Debian: openmpi-bin)",
              ge_mpi_launcher ());
  else
    snprintf (ctx->mpi.engines, sizeof ctx->mpi.engines, "%.*s",
              (int) sizeof ctx->mpi.engines - 1, output);
}

void
ge_mpi_query (gpueig_context *ctx, gpueig_machine *machine)
{
  char before[sizeof ctx->message];
  memcpy (before, ctx->message, sizeof before);
  const char *worker;
  char key[sizeof ctx->mpi.key];
  if (ge_mpi_find_worker (ctx, &worker) != GPUEIG_OK)
    {
      snprintf (machine->mpi_reason, sizeof machine->mpi_reason, "%.*s",
                (int) sizeof machine->mpi_reason - 1, ctx->message);
      memcpy (ctx->message, before, sizeof before);
      return;
    }
  const int length
      = snprintf (key, sizeof key, "%s\n%s", worker, ge_mpi_launcher ());
  /* The worker is run only when worker or launcher have changed.  */
  if (length >= (int) sizeof key || strcmp (key, ctx->mpi.key) != 0)
    query_worker (ctx, worker);
  memcpy (ctx->mpi.key, key, sizeof key);
  memcpy (machine->mpi_engines, ctx->mpi.engines, sizeof ctx->mpi.engines);
  memcpy (machine->mpi_reason, ctx->mpi.reason, sizeof ctx->mpi.reason);
  machine->mpi = ! ctx->mpi.reason[0];
  memcpy (ctx->message, before, sizeof before);
}
