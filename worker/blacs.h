/* BLACS's C interface and ScaLAPACK's tools, which come without a header.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef WK_BLACS_H
#define WK_BLACS_H 1

#include <mpi.h>

int Csys2blacs_handle (MPI_Comm comm);
void Cblacs_gridinit (int *context, const char *order, int rows, int columns);
void Cblacs_gridexit (int context);

/* Copy the M-by-N part of A from (IA, JA) on to that of B from (IB, JB) on, of another
   distribution; CONTEXT has all processes of both.  */
void Cpsgemr2d (int m, int n, void *a, int ia, int ja, const int *desc_a,
                void *b, int ib, int jb, const int *desc_b, int context);
void Cpdgemr2d (int m, int n, void *a, int ia, int ja, const int *desc_a,
                void *b, int ib, int jb, const int *desc_b, int context);
void Cpzgemr2d (int m, int n, void *a, int ia, int ja, const int *desc_a,
                void *b, int ib, int jb, const int *desc_b, int context);

/* The number of those of N rows or columns, in blocks of NB, that process IPROC of NPROCS
   has.  */
int numroc_ (const int *n, const int *nb, const int *iproc, const int *isrcproc,
             const int *nprocs);

#endif
