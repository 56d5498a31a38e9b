/* Symmetric problems in MPI processes and in files, a part of gpueig.h, which includes it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GPUEIG_FILE_H
#define GPUEIG_FILE_H 1

#include "gpueig.h"

#ifdef __GNUC__
#  pragma GCC visibility push(default)
#endif
GPUEIG_BEGIN_C

/* --- symmetric and Hermitian problems in MPI processes ---
   With the backend GPUEIG_MPI gpueig_eig_symmetric and gpueig_mrrr (dense A, all
   eigenvalues or an index range) start processes of gpueig-worker through an MPI
   launcher, which solve the problem by ELPA or ScaLAPACK, pages one after the other.
   Methods: "elpa1" and "elpa2", ELPA with reduction to tridiagonal form in one stage
   and in two, "syevd", ScaLAPACK's p?syevd and p?heevd, and "auto".  Reads workers.
   Environment: GPUEIG_LAUNCH, the launcher with %d for the number of processes
   ("mpirun -n %d"); GPUEIG_WORKER, the worker program; GPUEIG_SCRATCH, a folder that
   all hosts of the processes can access, for the files of the matrices; without it
   they are in shared memory of this host.  info->extra: number of workers; residual
   and orthogonality of a sample of the vectors, in units of n eps; times in seconds.

   gpueig_eig_file solves a matrix in a file; files are column-major without a header:
     a_file   n-by-n, not written; must be equal to its conjugate transpose
     v_file   NULL, "", or the file for the eigenvectors first .. last, n-by-(last -
              first + 1): a regular file, which may exist, or a link to one; written
              under a temporary name, renamed when complete
     first, last  range of eigenpairs, counted from 1, ascending
     lambda   last - first + 1, real  */
typedef struct
{
  gpueig_type type;
  int64_t n;
  const char *a_file, *v_file;
  int64_t first, last;
  void *lambda;
} gpueig_file_problem;

/* Check both files as gpueig_eig_file does; LAMBDA may be NULL.  For callers that allocate
   LAMBDA by an order that may be wrong.  */
gpueig_status gpueig_check_files (gpueig_context *ctx,
                                  const gpueig_file_problem *problem);

gpueig_status gpueig_eig_file (gpueig_context *ctx,
                               const gpueig_file_problem *problem,
                               const gpueig_options *options,
                               gpueig_info *info);

GPUEIG_END_C
#ifdef __GNUC__
#  pragma GCC visibility pop
#endif

#endif
