/* Measured times of the solvers, and what is expected from them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_TIMES_H
#define GE_TIMES_H 1

#include "base/solver.h"

/* One measurement: PAGES random pages of order N, on the host, with VECTORS (nonzero) or
   eigenvalues alone.  A single matrix (PAGES 1) and stacks are different kinds of
   measurements.  */
typedef struct
{
  ge_method method;
  gpueig_backend backend; /* GPUEIG_CPU or GPUEIG_CUDA */
  gpueig_type type;
  int vectors;
  int64_t n, pages;
  double seconds;  /* of the call, without transfers */
  double transfer; /* seconds between host and GPU */
} ge_time;

/* Measurements on one machine, in the order of ge_order_times.  */
typedef struct
{
  int threads; /* of the CPU */
  int count;
  const ge_time *row;
} ge_time_table;

/* For qsort: by method, backend, type, vectors, kind, order.  */
int ge_order_times (const void *x, const void *y);

/* The tables of the library, ended by COUNT 0.  */
extern const ge_time_table ge_built_in_times[];

/* Seconds that METHOD is expected to take for SHAPE on BACKEND, by the measurements of
   TABLE, with transfers unless ON_DEVICE; interpolated in the logarithms of order and
   time.  Negative if the table has none.  *ESTIMATED is set if another type or kind was
   measured.  */
double ge_expected_time (const ge_time_table *table, ge_method method,
                         gpueig_backend backend, const ge_shape *shape,
                         int on_device, int *estimated);

/* --- a table in a file, times_file.c ---

   Text: a first line "gpueig times 1", comments that begin with #, a line "threads N",
   and lines METHOD,BACKEND,TYPE,VECTORS,N,PAGES,SECONDS,TRANSFER.  */

/* The file of this machine: GPUEIG_TIMES, else gpueig/times-GPU-CPU-THREADS.csv in the
   user's configuration folder; 0 if there is none or if GPUEIG_TIMES is "builtin".
   GPU: its name, "" without one.  */
int ge_times_file (const char *gpu, int threads, char *file, size_t size);

/* Read FILE into *TABLE, whose rows the caller frees; GPUEIG_IO with a message if it is
   damaged, of another version or has absurd values.  COUNT is 0 if there is no such
   file.  */
gpueig_status ge_read_times (gpueig_context *ctx, const char *file,
                             ge_time_table *table);

/* Write it: complete under its name, or not at all.  Its folder is created.  */
gpueig_status ge_write_times (gpueig_context *ctx, const char *file,
                              const char *machine, const ge_time_table *table);

#endif
