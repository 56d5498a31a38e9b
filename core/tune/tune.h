/* Measurement of the solvers on this machine.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   tune.c       which measurements, in which order, within a limit of time
   problems.c   the random problems, and one timed call
   plans.c      what the measurement changes  */

#ifndef GE_TUNE_H
#define GE_TUNE_H 1

#include "plan/times.h"

/* --- tune.c --- */

/* Nonzero for a row, of which N, PAGES and the times are 0, that is to be measured.  */
typedef int ge_tune_wants (const ge_time *row);

/* Measure for about SECONDS the rows that WANTS accepts, those that are used most first, and
   report each.  *TABLE gets what was measured, in order, also with GPUEIG_INTERRUPTED after
   an interrupt and with the status of a lost GPU; methods that fail are left out.  The caller
   frees the rows of TABLE.  */
gpueig_status ge_measure_times (gpueig_context *ctx, double seconds,
                                ge_tune_wants *wants, ge_measured_times *table);

/* --- plans.c --- */

enum
{
  GE_TUNE_TASKS = 21 /* usual calls whose plans are compared */
};

/* The plans of the usual calls now.  */
gpueig_status ge_tune_plans (gpueig_context *ctx,
                             gpueig_forecast plans[GE_TUNE_TASKS]);

/* Report a line for every usual call whose plan is not that of BEFORE, and their number.  */
gpueig_status ge_report_changes (gpueig_context *ctx,
                                 const gpueig_forecast before[GE_TUNE_TASKS]);

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
