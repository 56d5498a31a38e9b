/* BLACS's C interface and ScaLAPACK's tools, which come without a header.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef WK_BLACS_H
#define WK_BLACS_H 1

#include <mpi.h>

int Csys2blacs_handle (MPI_Comm comm);
void Cblacs_gridinit (int *context, const char *order, int rows, int columns);
void Cblacs_gridexit (int context);

/* Of N rows or columns in blocks of NB, those of process IPROC of NPROCS.  */
int numroc_ (const int *n, const int *nb, const int *iproc, const int *isrcproc,
             const int *nprocs);

#endif
