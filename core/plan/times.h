/* Times of the solvers: measurements, the lines that are fitted to them, and what is expected
   from these.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   times.c        the expected time of a call
   times_fit.c    lines from measurements
   times_file.c   a table in a file  */

#ifndef GE_TIMES_H
#define GE_TIMES_H 1

#include "base/solver.h"
#include "base/entry.h"

/* KIND of a time: eigenvalues alone 0; GE_WITH_VECTORS; GE_OF_PAIRS, (A, B); GE_FROM_GUESS, for
   which one step is enough; GE_OF_SPECTRUM times the ge_spectrum of tridiagonal matrices.  */
enum
{
  GE_WITH_VECTORS = 1,
  GE_OF_PAIRS = 2,
  GE_FROM_GUESS = 4,
  GE_OF_SPECTRUM = 8,
  GE_KINDS = GE_OF_SPECTRUM * GE_SPECTRA
};

/* Machine by which times of other machines are scaled.  GPU: operations per second in single
   and double precision, bytes per second of its memory; 0 in all: unknown.  */
typedef struct
{
  int threads;      /* of the CPU */
  int vector_bytes; /* of its SIMD registers */
  double rate[2], bandwidth;
} ge_hardware;

/* The CPU's part of it.  */
void ge_find_cpu (ge_hardware *hardware);

/* --- lines --- */

enum
{
  GE_ORDERS_OF_ONE = 10,   /* 4, 8, 16, ... 2048 */
  GE_ORDERS_OF_STACKS = 7, /* 4, 8, 16, ... 256 */
  GE_OF_ONE = 0,
  GE_OF_STACKS = GE_OF_ONE + GE_ORDERS_OF_ONE,
  GE_OF_LAUNCH = GE_OF_STACKS + GE_ORDERS_OF_STACKS,
  GE_OF_COPIES = GE_OF_LAUNCH + 1,
  GE_COEFFICIENTS = GE_OF_COPIES + 3
};

/* Times of a method on a backend, for a type and a kind, as a function of order and pages.  The
   coefficients, in microseconds: one page of each order; each further page of a stack, 0: as
   long as alone; what a stack takes in addition, times the square root of its pages;
   copies between host and GPU: a call, an element of the pages, and times the square root of
   their number.  */
typedef struct
{
  ge_method method;
  gpueig_backend backend; /* GPUEIG_CPU or GPUEIG_CUDA */
  gpueig_type type;
  int kind;
  double at[GE_COEFFICIENTS];
  double largest; /* order that was measured on this machine */
} ge_time_line;

typedef struct
{
  ge_hardware hardware;
  int count;
  const ge_time_line *line;
} ge_time_table;

/* The tables of the library, by threads, ended by COUNT 0.  */
extern const ge_time_table ge_built_in_times[];

/* Seconds for PAGES pages of order N, without COPIES or those alone.  */
double ge_line_time (const ge_time_line *line, double n, double pages,
                     int copies);

/* A question: the time of a method for a shape, or of the copies to and from a GPU alone.  */
typedef struct
{
  ge_method method;
  gpueig_backend backend;
  const ge_shape *shape;
  int copies;
} ge_time_query;

/* Expected seconds by OWN, the table of this machine, or, if that is empty, by the tables of
   the library, scaled to HARDWARE.  Negative if there are none.  *ESTIMATED is set if they
   do not come from measurements on this machine.  */
double ge_expected_time (const ge_time_table *own, const ge_hardware *hardware,
                         const ge_time_query *query, int *estimated);

/* ge_expected_time does not look at the guess and the spectrum of the shape.  About how many
   times as long the method takes with them, by the first table of the library that has
   such lines, which are of the CPU; 1 if there are none.  */
double ge_variation (const ge_time_query *query);

/* --- measurements --- */

/* PAGES random pages of order N, on the host.  */
typedef struct
{
  ge_method method;
  gpueig_backend backend;
  gpueig_type type;
  int kind;
  int64_t n, pages;
  double seconds;  /* of the call, without transfers */
  double transfer; /* seconds between host and GPU */
} ge_time;

/* Measurements on one machine, in the order of ge_order_times.  */
typedef struct
{
  ge_hardware hardware;
  int count;
  const ge_time *row;
} ge_measured_times;

/* For qsort: by method, backend, type, kind, order, pages.  */
int ge_order_times (const void *x, const void *y);

/* --- times_fit.c --- */

int ge_is_of_line (const ge_time *time, const ge_time_line *line);

/* Fit the coefficients of LINE to COUNT measurements, with least squares of the logarithms.
   Orders that were not measured change as much as the nearest one that was.  */
void ge_fit_line (ge_time_line *line, const ge_time *row, int count);

/* The table of the machine that TIMES were measured on: the lines of the library, fitted to
   them; a line without measurements changes as much as the others of its backend on average,
   and a backend without any has no lines.
   TABLE->line is NULL if TIMES is empty or memory is short; the caller frees it.  */
void ge_fit_table (const ge_measured_times *times, ge_time_table *table);

/* --- times_file.c ---

   Text: a first line "gpueig times 3", comments that begin with #, a line "threads N", and
   lines METHOD,BACKEND,TYPE,KIND,LARGEST and the coefficients.  */

/* The file of this machine: GPUEIG_TIMES, else gpueig/times-GPU-CPU-THREADS.csv in the
   user's configuration folder; 0 if there is none or if GPUEIG_TIMES is "builtin".
   GPU: its name, "" without one.  */
int ge_times_file (const char *gpu, int threads, char *file, size_t size);

/* Read FILE into *TABLE, whose lines the caller frees; GPUEIG_IO with a message if it is
   damaged, of another version or has absurd values.  COUNT is 0 if there is no such
   file.  */
gpueig_status ge_read_times (gpueig_context *ctx, const char *file,
                             ge_time_table *table);

/* Write it: complete under its name, or not at all.  Its folder is created.  */
gpueig_status ge_write_times (gpueig_context *ctx, const char *file,
                              const char *machine, const ge_time_table *table);

#endif
