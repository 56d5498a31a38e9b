/* Measurement of the solvers on this machine.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   tune.c       which measurements, in which order, within a limit of time
   problems.c   the random problems, and one timed call  */

#ifndef GE_TUNE_H
#define GE_TUNE_H 1

#include "run/times.h"

/* --- tune.c --- */

/* Measure for about SECONDS, the rows that are used most first; TAKE (DATA, time) gets
   each measurement, the row's first with FIRST nonzero.  Returns GPUEIG_INTERRUPTED after
   an interrupt, and the status of a lost GPU; methods that fail are left out.  */
typedef void ge_take_time (void *data, const ge_time *time);

gpueig_status ge_measure_times (gpueig_context *ctx, double seconds,
                                ge_take_time *take, void *data);

/* --- problems.c --- */

/* Random pages for measurements, and room for their results.  */
typedef struct
{
  int64_t elements; /* of the largest problem, all pages */
  void *a, *v, *lambda;
} ge_tune_room;

/* Fill ROOM for METHOD with PAGES pages of order N and TYPE.  */
void ge_tune_fill (const ge_tune_room *room, ge_method method, gpueig_type type,
                   int64_t n, int64_t pages);

/* Call the function of T->method once, and set T->seconds and T->transfer.  */
gpueig_status ge_tune_call (gpueig_context *ctx, const ge_tune_room *room,
                            ge_time *t);

#endif
