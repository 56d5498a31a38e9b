/* Copies to and from a GPU during the computation, movers.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Threads of their own (ge_begin_aside) copy lists of arrays in pieces through pinned
   memory.  Lists are worked on in the order in which they were started; a later one may be
   finished earlier.  All functions are for the thread that called the solver.  */

#ifndef GE_MOVERS_H
#define GE_MOVERS_H 1

#include "base/layout.h"

#include <pthread.h>

typedef struct ge_movers ge_movers;

typedef struct
{
  char *host, *device;
  size_t bytes;
  int leaves; /* from DEVICE to HOST */
  int direct; /* HOST is memory of a GPU, too */
} ge_move;

/* Copies that are waited for together.  The caller sets MOVE and COUNT; between ge_start_moves and
   ge_wait_moves the list and its arrays belong to the movers.  */
typedef struct ge_move_list
{
  ge_move move[GE_ARGUMENTS];
  int count;
  double start, end; /* by ge_now, set by the movers */
  /* theirs */
  int64_t pieces, next, done;
  int error;
  struct ge_move_list *after;
} ge_move_list;

/* Open threads and pinned memory, which is in the caller's frame: close them before that
   is released.  GPUEIG_OUT_OF_MEMORY if there can be no thread.  */
gpueig_status ge_open_movers (gpueig_context *ctx, ge_movers **movers);

/* End them after what is in flight; lists that have not been waited for are incomplete.
   MOVERS may be NULL.  */
void ge_close_movers (ge_movers *movers);

void ge_start_moves (ge_movers *movers, ge_move_list *list);

/* Wait for CHANGE, as pthread_cond_wait does, but only until the next poll for an
   interrupt.  */
int ge_wait_shortly (pthread_cond_t *change, pthread_mutex_t *lock);

/* Nonzero if there is nothing to wait for.  */
int ge_have_moved (ge_movers *movers, const ge_move_list *list);

/* Wait for the list, which may be empty or never started; polls for interrupts.  */
gpueig_status ge_wait_moves (ge_movers *movers, ge_move_list *list);

#endif
