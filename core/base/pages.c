/* Pages of a stack in parallel on the CPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/solver.h"

#include <stdatomic.h>

enum
{
  PIECE = 20000 /* elements of a piece of a pass */
};

/* Operations of PAGES pages of order N, about.  */
static double
operations (int64_t n, int64_t pages)
{
  return (double) pages * (3000 + 10 * (double) (n * n * n));
}

int
ge_page_threads (int64_t n, int64_t pages)
{
  return ge_pages_side_by_side (n)
             ? ge_threads_for (operations (n, pages), pages)
             : 1;
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
                     threads > 1 ? operations (n, p.stop - p.start) : 0,
                     pages_piece, &p);
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
                 (double) (count * pages), short_piece, &s);
}
