/* Measurement of the solvers on this machine.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   tune.c       which measurements, in which order, within a limit of time
   problems.c   the random problems, and one timed call  */

#ifndef GE_TUNE_H
#define GE_TUNE_H 1

#include "run/times.h"

/* --- tune.c --- */

/* Measure for about SECONDS, the rows that are used most first, and report each.  *TABLE
   gets what was measured, in order, also with GPUEIG_INTERRUPTED after an interrupt and
   with the status of a lost GPU; methods that fail are left out.  The caller frees its
   rows.  */
/* WANTS: nonzero for a row, of which N, PAGES and the times are 0, that is to be
   measured.  */
typedef int ge_tune_wants (const ge_time *row);

gpueig_status ge_measure_times (gpueig_context *ctx, double seconds,
                                ge_tune_wants *wants, ge_measured_times *table);

/* --- problems.c --- */

/* Random pages for measurements, and room for their results.  */
typedef struct
{
  void *a, *b, *v, *lambda;
} ge_tune_room;

/* Fill ROOM for T.  */
gpueig_status ge_tune_fill (gpueig_context *ctx, const ge_tune_room *room,
                            const ge_time *t);

/* Call the function of T->method once, and set T->seconds and T->transfer.  */
gpueig_status ge_tune_call (gpueig_context *ctx, const ge_tune_room *room,
                            ge_time *t);

#endif
