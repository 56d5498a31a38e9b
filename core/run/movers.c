/* Copies to and from a GPU during the computation.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   A thread has two lanes (streams of the GPU) with a piece of pinned memory each: while
   the GPU copies one piece, the thread copies the other between pinned and pageable
   memory, where fresh memory takes its page faults.  */

#include "run/movers.h"

#include <pthread.h>
#include <string.h>
#include <time.h>

enum
{
  PIECE = 2 << 20,    /* bytes */
  MOST = GE_LANES / 2 /* threads */
};

int
ge_wait_shortly (pthread_cond_t *change, pthread_mutex_t *lock)
{
  enum
  {
    POLL = 20000000 /* nanoseconds */
  };
  struct timespec until;
  clock_gettime (CLOCK_REALTIME, &until);
  until.tv_nsec += POLL;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  return pthread_cond_timedwait (change, lock, &until);
}

struct ge_movers
{
  gpueig_context *ctx;
  const ge_device_memory *memory;
  char *pinned;         /* a piece for each lane */
  pthread_mutex_t lock; /* of all that follows, and of the lists */
  pthread_cond_t begun, ended;
  ge_move_list *first, *last; /* lists with pieces that nobody has taken */
  int quit;
};

/* A piece in flight; LIST is NULL if there is none.  */
typedef struct
{
  ge_move_list *list;
  char *host, *device;
  size_t bytes;
  int leaves, direct, error;
} piece;

/* Bytes of a piece of MOVE; between GPUs it is one.  */
static size_t
piece_of (const ge_move *move)
{
  return move->direct ? move->bytes : PIECE;
}

static int64_t
pieces_of (const ge_move *move)
{
  return (int64_t) ((move->bytes + piece_of (move) - 1) / piece_of (move));
}

/* The next piece of LIST; LOCK is held.  */
static void
next_piece (ge_move_list *list, piece *p)
{
  int64_t k = list->next++;
  const ge_move *move = list->move;
  while (k >= pieces_of (move))
    k -= pieces_of (move++);
  const size_t most = piece_of (move), at = (size_t) k * most,
               left = move->bytes - at;
  *p = (piece){ .list = list,
                .host = move->host + at,
                .device = move->device + at,
                .bytes = left < most ? left : most,
                .leaves = move->leaves,
                .direct = move->direct,
                .error = list->error };
}

/* Take a piece, waiting for one if WAITS; *P has none if there is none, or at the end,
   which is returned.  */
static int
take (ge_movers *m, int waits, piece *p)
{
  p->list = NULL;
  pthread_mutex_lock (&m->lock);
  while (waits && ! m->first && ! m->quit)
    pthread_cond_wait (&m->begun, &m->lock);
  const int quit = m->quit;
  if (m->first && ! quit)
    {
      next_piece (m->first, p);
      if (m->first->next == m->first->pieces)
        m->first = m->first->after;
    }
  pthread_mutex_unlock (&m->lock);
  return quit;
}

static void
start (const ge_movers *m, int lane, piece *p)
{
  char *const pinned = m->pinned + (size_t) lane * PIECE, *const other
                                                          = p->direct ? p->host
                                                                      : pinned;
  if (p->error)
    return;
  if (! p->leaves && ! p->direct)
    memcpy (pinned, p->host, p->bytes);
  p->error = m->memory->start (m->ctx, lane, p->leaves ? other : p->device,
                               p->leaves ? p->device : other, p->bytes);
}

static void
finish_piece (ge_movers *m, int lane, piece *p)
{
  ge_move_list *list = p->list;
  if (! list)
    return;
  const int error = m->memory->finish (m->ctx, lane);
  p->error = p->error ? p->error : error;
  if (p->leaves && ! p->direct && ! p->error)
    memcpy (p->host, m->pinned + (size_t) lane * PIECE, p->bytes);
  pthread_mutex_lock (&m->lock);
  if (p->error)
    list->error = p->error;
  if (++list->done == list->pieces)
    {
      list->end = ge_now ();
      pthread_cond_signal (&m->ended);
    }
  pthread_mutex_unlock (&m->lock);
  p->list = NULL;
}

/* The work of thread I, until the end.  */
static void
serve (void *data, int64_t i, int thread)
{
  ge_movers *m = data;
  piece p[2] = { { .list = NULL }, { .list = NULL } };
  const int failed = m->memory->enter (m->ctx);
  int quit = 0;
  (void) thread;
  for (int k = 0; ! quit || p[0].list || p[1].list; k = ! k)
    {
      const int lane = 2 * (int) i + k;
      finish_piece (m, lane, &p[k]);
      quit = take (m, ! p[! k].list, &p[k]);
      if (! p[k].list)
        continue;
      p[k].error = p[k].error ? p[k].error : failed;
      start (m, lane, &p[k]);
    }
}

gpueig_status
ge_open_movers (gpueig_context *ctx, ge_movers **movers)
{
  /* One processor is for the calling thread, which the GPU waits for.  */
  const int others = ge_threads () > 1 ? ge_threads () - 1 : 1;
  const int most = others < MOST ? others : MOST;
  ge_movers *m;
  *movers = NULL;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 1, &m));
  *m = (ge_movers){ .ctx = ctx, .memory = ctx->plugin->memory };
  GE_TRY (GE_ALLOC (ctx, GE_PINNED, 2 * (int64_t) most * PIECE, &m->pinned));
  GE_TRY (m->memory->open_lanes (ctx, 2 * most));
  pthread_mutex_init (&m->lock, NULL);
  pthread_cond_init (&m->begun, NULL);
  pthread_cond_init (&m->ended, NULL);
  *movers = m;
  if (ge_begin_aside (ctx, GE_COPIES, most, serve, m) > 0)
    return GPUEIG_OK;
  ge_close_movers (m);
  *movers = NULL;
  return gpueig_fail (ctx, GPUEIG_OUT_OF_MEMORY,
                      "a thread for copies cannot be started");
}

void
ge_close_movers (ge_movers *m)
{
  if (! m)
    return;
  pthread_mutex_lock (&m->lock);
  m->quit = 1;
  pthread_cond_broadcast (&m->begun);
  pthread_mutex_unlock (&m->lock);
  ge_end_aside (m->ctx, GE_COPIES);
  pthread_cond_destroy (&m->begun);
  pthread_cond_destroy (&m->ended);
  pthread_mutex_destroy (&m->lock);
}

void
ge_start_moves (ge_movers *m, ge_move_list *list)
{
  list->pieces = list->next = list->done = 0;
  list->error = 0;
  list->after = NULL;
  for (int i = 0; i < list->count; i++)
    list->pieces += pieces_of (&list->move[i]);
  list->start = list->end = ge_now ();
  if (list->pieces == 0)
    return;
  pthread_mutex_lock (&m->lock);
  if (m->first)
    m->last->after = list;
  else
    m->first = list;
  m->last = list;
  pthread_cond_broadcast (&m->begun);
  pthread_mutex_unlock (&m->lock);
}

int
ge_have_moved (ge_movers *m, const ge_move_list *list)
{
  pthread_mutex_lock (&m->lock);
  const int moved = list->done == list->pieces && ! list->error;
  pthread_mutex_unlock (&m->lock);
  return moved;
}

gpueig_status
ge_wait_moves (ge_movers *m, ge_move_list *list)
{
  gpueig_status status = GPUEIG_OK;
  if (list->pieces == 0)
    return GPUEIG_OK;
  pthread_mutex_lock (&m->lock);
  while (list->done < list->pieces && status == GPUEIG_OK)
    {
      if (ge_wait_shortly (&m->ended, &m->lock) == 0)
        continue;
      pthread_mutex_unlock (&m->lock);
      status = ge_check_interrupt (m->ctx);
      pthread_mutex_lock (&m->lock);
    }
  const int error = list->error;
  pthread_mutex_unlock (&m->lock);
  GE_TRY (status);
  return m->memory->failure (m->ctx, error);
}
