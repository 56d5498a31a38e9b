/* No MPI backend: its sessions are files that Linux shares between processes.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gpueig_file.h"
#include "run/solvers.h"

#include <stdio.h>

#define REASON "the backend \"mpi\" is used on Linux alone"

static gpueig_status
no_workers (gpueig_context *ctx)
{
  return gpueig_fail (ctx, GPUEIG_NO_WORKER, REASON);
}

gpueig_status
ge_mpi_eig_symmetric (gpueig_context *ctx, const void *problem,
                      const ge_plan *plan, const gpueig_options *options,
                      gpueig_info *info)
{
  (void) problem;
  (void) plan;
  (void) options;
  (void) info;
  return no_workers (ctx);
}

gpueig_status
ge_mpi_mrrr (gpueig_context *ctx, const void *problem, const ge_plan *plan,
             const gpueig_options *options, gpueig_info *info)
{
  return ge_mpi_eig_symmetric (ctx, problem, plan, options, info);
}

void
ge_mpi_query (gpueig_context *ctx, gpueig_machine *machine)
{
  (void) ctx;
  snprintf (machine->mpi_reason, sizeof machine->mpi_reason, REASON);
}

gpueig_status
gpueig_check_files (gpueig_context *ctx, const gpueig_file_problem *problem)
{
  ctx->message[0] = '\0';
  return problem && problem->a_file
             ? no_workers (ctx)
             : gpueig_fail (ctx, GPUEIG_BAD_ARGUMENT,
                            "the problem or a_file is NULL");
}

gpueig_status
gpueig_eig_file (gpueig_context *ctx, const gpueig_file_problem *problem,
                 const gpueig_options *options, gpueig_info *info)
{
  (void) options;
  (void) info;
  return gpueig_check_files (ctx, problem);
}
