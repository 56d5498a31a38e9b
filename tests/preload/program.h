/* A program that calls LAPACK, to be run with gpueig-run by tests/check_lapack.sh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef PROGRAM_H
#define PROGRAM_H 1

#include <stdint.h>

/* The last error reported to xerbla: the position of the argument, 0: none.  */
extern int xerbla_info;

/* A uniform random number in (-1, 1).  */
double uniform (void);

/* Claims about the drivers at order N.  */
#define PROTOTYPES(suffix) void test_drivers_##suffix (int n);
PROTOTYPES (s)
PROTOTYPES (d)
PROTOTYPES (c)
PROTOTYPES (z)

#endif
