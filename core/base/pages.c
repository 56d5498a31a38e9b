/* Pages of a stack in parallel on the CPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/solver.h"

#include <stdatomic.h>

enum
{
  /* Below this order one thread per page is faster, from it on LAPACK's own threads
     on one page at a time.  */
  SIDE_BY_SIDE = 300,
  PIECE = 20000,       /* elements of a piece of a pass */
  SHARED_FROM = 100000 /* elements from which on all threads are used */
};

int
ge_page_threads (int64_t n, int64_t pages)
{
  int threads = n < SIDE_BY_SIDE ? ge_threads () : 1;
  /* An estimate; below 0.1 ms waking threads costs more than it saves.  */
  double seconds = (double) pages * (3e-6 + 1e-8 * (double) (n * n * n));
  if (seconds < 1e-4)
    return 1;
  return threads > pages ? (int) pages : threads;
}

typedef struct
{
  ge_page_work *work;
  void *data;
  int64_t start, stop, at_once;
  atomic_int failed;
} page_pass;

static void
pages_piece (void *data, int64_t i, int thread)
{
  page_pass *p = data;
  const int64_t from = p->start + i * p->at_once;
  for (int64_t k = from; k < from + p->at_once && k < p->stop; k++)
    {
      const int result = p->work (p->data, k, thread);
      int failed = p->failed;
      while (result > failed
             && ! atomic_compare_exchange_weak (&p->failed, &failed, result))
        ;
    }
}

gpueig_status
ge_for_pages (gpueig_context *ctx, int64_t n, int64_t pages, int threads,
              ge_page_work *work, void *data, int *worst)
{
  gpueig_status status = GPUEIG_OK;
  page_pass p = { .work = work, .data = data };
  /* The bits of a page of a part of a stack are those of all of it.  */
  const int64_t stack = ge_stack_pages (ctx, pages);
  const int usual = stack > pages ? ge_page_threads (n, stack) : threads;
  const ge_blas_limit limit = usual > 1 ? GE_BLAS_ONE : ge_blas_limit_of (n);
  ge_limit_blas (ctx, limit);
  /* Pages of a piece, which then takes some microseconds.  */
  p.at_once = 1 + 10000 / (1 + n * n * n);
  /* Interrupts are polled between chunks of some hundredths of a second.  */
  const int64_t chunk = 1 + (int64_t) threads * 4000000 / (1 + n * n * n);
  for (; p.start < pages && ! p.failed; p.start = p.stop)
    {
      p.stop = p.start + chunk < pages ? p.start + chunk : pages;
      status = ge_check_interrupt (ctx);
      if (status != GPUEIG_OK)
        break;
      ge_share_pass (ctx, (p.stop - p.start + p.at_once - 1) / p.at_once,
                     threads > 1, pages_piece, &p);
      ge_report_pages (ctx, "LAPACK", p.stop, pages);
    }
  ge_unlimit_blas (ctx, limit);
  *worst = p.failed;
  return status;
}

/* --- passes --- */

typedef struct
{
  ge_piece *work;
  void *data;
  int64_t pages, at_once;
} short_pass;

static void
short_piece (void *data, int64_t i, int thread)
{
  const short_pass *s = data;
  const int64_t from = i * s->at_once;
  for (int64_t p = from; p < from + s->at_once && p < s->pages; p++)
    s->work (s->data, p, thread);
}

void
ge_share_pages (gpueig_context *ctx, int64_t count, int64_t pages,
                ge_piece *work, void *data)
{
  short_pass s = { work, data, pages, 1 + PIECE / (count + 1) };
  ge_share_pass (ctx, (pages + s.at_once - 1) / s.at_once,
                 count * pages > SHARED_FROM, short_piece, &s);
}
