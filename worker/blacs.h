/* BLACS's C interface, which comes without a header.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef WK_BLACS_H
#define WK_BLACS_H 1

#include <mpi.h>

int Csys2blacs_handle (MPI_Comm comm);
void Cblacs_gridinit (int *context, const char *order, int rows, int columns);
void Cblacs_gridexit (int context);

#endif
