/* Measured times of the solvers, and what is expected from them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef GE_TIMES_H
#define GE_TIMES_H 1

#include "base/solver.h"
#include "base/entry.h"

/* One measurement: PAGES random pages of order N, on the host.  KIND: eigenvalues alone 0;
   GE_WITH_VECTORS; GE_OF_PAIRS, (A, B); GE_FROM_GUESS, for which one step is enough;
   GE_OF_SPECTRUM times the ge_spectrum of tridiagonal matrices.  */
enum
{
  GE_WITH_VECTORS = 1,
  GE_OF_PAIRS = 2,
  GE_FROM_GUESS = 4,
  GE_OF_SPECTRUM = 8,
  GE_KINDS = GE_OF_SPECTRUM * GE_SPECTRA
};

typedef struct
{
  ge_method method;
  gpueig_backend backend; /* GPUEIG_CPU or GPUEIG_CUDA */
  gpueig_type type;
  int kind;
  int64_t n, pages;
  double seconds;  /* of the call, without transfers */
  double transfer; /* seconds between host and GPU */
} ge_time;

/* What the times of other machines are scaled by.  GPU: operations per second in single
   and double precision, bytes per second of its memory; 0 in all: unknown.  */
typedef struct
{
  int threads;      /* of the CPU */
  int vector_bytes; /* of its SIMD registers */
  double rate[2], bandwidth;
} ge_hardware;

/* The CPU's part of it.  */
void ge_find_cpu (ge_hardware *hardware);

/* Measurements on one machine, in the order of ge_order_times.  */
typedef struct
{
  ge_hardware hardware;
  int count;
  const ge_time *row;
} ge_time_table;

/* For qsort: by method, backend, type, kind, order, pages.  */
int ge_order_times (const void *x, const void *y);

/* The tables of the library, by threads, ended by COUNT 0.  */
extern const ge_time_table ge_built_in_times[];

/* What is looked up: a method for a shape, or the copies between host and GPU alone.  */
typedef struct
{
  ge_method method;
  gpueig_backend backend;
  const ge_shape *shape;
  int copies;
} ge_time_query;

/* Expected seconds on a machine by the tables of the library, scaled to its HARDWARE; by
   TABLE, measured on the machine itself, beyond its largest order in proportion to the
   former.  Negative if there are none.  *ESTIMATED is set if another type or kind was
   measured, or a much smaller order.  */
double ge_scaled_time (const ge_hardware *hardware, const ge_time_query *query,
                       int *estimated);
double ge_measured_time (const ge_time_table *table, const ge_time_query *query,
                         const ge_hardware *hardware, int *estimated);

/* These two do not look at the guess and the spectrum of the shape.  About how many times
   as long the method takes with them, by the first table of the library that has such
   rows, which are of the CPU; 1 if there are none.  */
double ge_variation (const ge_time_query *query);

/* --- a table in a file, times_file.c ---

   Text: a first line "gpueig times 2", comments that begin with #, a line "threads N",
   and lines METHOD,BACKEND,TYPE,KIND,N,PAGES,SECONDS,TRANSFER.  */

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
