/* Calls of LAPACK's drivers with random data, by their addresses.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef CALLS_H
#define CALLS_H 1

#include <stddef.h>
#include <stdint.h>

/* LAPACK's integers; CALL_WIDE, the prefix of the names: those with 64-bit integers.  */
#ifdef CALL_WIDE
typedef int64_t call_int;
#else
#  define CALL_WIDE ""
typedef int call_int;
#endif

/* Everything a driver may need, for one order.  */
typedef struct
{
  char type;      /* 's', 'd', 'c' or 'z' */
  call_int n, ld; /* order; leading dimension of x, y and z, N at first */
  char *uplo;     /* "L" at first */
  int vectors;
  size_t real, scalar; /* bytes */
  char *a, *b;         /* inputs */
  char *x, *y;         /* their copies, overwritten */
  char *z, *left, *w, *wi, *work, *rwork;
  call_int *iwork, *isuppz, lwork, lrwork, liwork, found, info;
  void *driver; /* its address */
} call_data;

/* A driver: names and arguments of the real and the complex types, NULL: there is none.  The
   matrix is a, of a tridiagonal one d and e are a and b.  LEAST: the least LWORK of the real and of the
   complex types, so many N and so many more; 0: none is told here.  */
typedef struct
{
  const char *real, *complex, *arguments[2];
  int symmetric, pair; /* a full matrix */
  int least[2][2];
} driver_row;

enum
{
  DRIVERS = 12
};
extern const driver_row driver_table[DRIVERS];

/* Random data of order N for driver D, with room for leading dimensions to N + 3; to be freed
   by free_data.  */
call_data new_data (const driver_row *d, char type, int n, int vectors);
void free_data (call_data *s);

/* The name of D for TYPE; zero if there is none.  */
int driver_name (const driver_row *d, char type, char *name, size_t size);

/* Call s->driver; returns INFO.  call_driver first copies the inputs, what is not read as NaN.  */
int run_driver (const driver_row *d, call_data *s);
int call_driver (const driver_row *d, call_data *s);

#endif
