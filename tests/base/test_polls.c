/* Claims: whichever poll of the interrupt callback returns nonzero, and be it the only one, a
   call of any solver and method returns GPUEIG_INTERRUPTED, or GPUEIG_OK with complete
   results; a callback that never does leaves them complete; the next call has the same bits.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "solvers.h"

#include <string.h>

static gpueig_context *ctx;
static gpueig_options options;

static struct
{
  int64_t count,
      at; /* polls so far, and the one that returns nonzero; 0: none */
} polls;

static int
interrupted (void *data)
{
  (void) data;
  return ++polls.count == polls.at;
}

/* The bits of NaN.  */
static void
spoil (any_problem *p)
{
  const size_t size = gpueig_scalar_size (p->vectors),
               square = (size_t) (p->n * p->n * p->pages) * size;
  if (p->v)
    memset (p->v, 0xff, square);
  if (p->w)
    memset (p->w, 0xff, square);
  if (p->lambda && p->solver->kind != INVERSE)
    memset (p->lambda, 0xff,
            (size_t) (p->n * p->pages) * gpueig_scalar_size (p->values));
}

/* A call with at most MOST of its polls, of a pair if so.  While a call of a library runs, the
   number of polls depends on its time.  */
static void
test_call (int solver, const char *method, int64_t n, int64_t pages, int pair,
           int64_t most)
{
  const any_solver *s = &solvers[solver];
  CLEANUP (free_problem)
  any_problem p = make_problem (s, GPUEIG_DOUBLE, n, pages, 3),
              q = make_problem (s, GPUEIG_DOUBLE, n, pages, 3);
  int64_t interrupts = 0, bad = 0;
  fill_problem (&p, 7);
  fill_problem (&q, 7);
  if (pair)
    {
      p.b = check_array (p.type, n * n * pages);
      q.b = check_array (p.type, n * n * pages);
      for (int64_t i = 0; i < n * n * pages; i++)
        {
          const double x
              = i % (n * n) % (n + 1) == 0 ? 1 + (double) (i % 3) : 0;
          measure_set (p.type, p.b, i, x);
          measure_set (p.type, q.b, i, x);
        }
    }
  polls.count = polls.at = 0;
  if (! check_solve (ctx, &p, &options, method, "polls%s",
                     pair ? ", pair" : ""))
    return;
  const int64_t total = polls.count, step = 1 + total / most;
  gpueig_options o = options;
  o.method = p.method;
  for (int64_t k = 1; k <= total; k += step)
    {
      spoil (&q);
      polls.count = 0;
      polls.at = k;
      const gpueig_status status = solve_problem (ctx, &q, &o, &q.info);
      interrupts += status == GPUEIG_INTERRUPTED;
      bad += status == GPUEIG_OK
                 ? ! same_values (&p, &q) || ! same_vectors (&p, &q)
                 : status != GPUEIG_INTERRUPTED;
    }
  CHECK (bad == 0, "%d of %d interrupts: neither stopped nor complete, %s",
         (int) bad, (int) total, p.what);
  CHECK (interrupts > 0 || total < 3, "%d polls, %d of them stopped %s",
         (int) total, (int) interrupts, p.what);
  polls.at = 0;
  check_solve (ctx, &q, &options, method, "the next call");
  CHECK (same_values (&p, &q) && same_vectors (&p, &q), "the same bits, %s",
         q.what);
}

int
main (void)
{
  const gpueig_callbacks callbacks = { .interrupted = interrupted };
  check_begin ("polls");
  ctx = check_context (&options);
  gpueig_set_callbacks (ctx, &callbacks);
  for (int i = 0; i < SOLVERS; i++)
    for (ge_method m = GE_AUTO; m < GE_METHODS; m++)
      {
        if (! has_method (solvers[i].id, options.backend, m, 30))
          continue;
        test_call (i, ge_method_name (m), 30, i == SOLVE_TDINV ? 1 : 7, 0, 20);
        if (has_method (solvers[i].id, options.backend, m, 130))
          test_call (i, ge_method_name (m), 130, 1, 0, 20);
      }
  /* Copies to and from a GPU are divided into pieces from 8 MB on.  */
  const int64_t order = options.backend == GPUEIG_CUDA ? 2400 : 400;
  test_call (SOLVE_EIG, "auto", 16, order * order / 256, 0, 300);
  test_call (SOLVE_TDINV, "auto", order, 1, 0, 300);
  test_call (SOLVE_EIG, "auto", 450, 1, 1, 10);
  test_call (SOLVE_EIG, "auto", 830, 1, 0, 10);
  gpueig_destroy (ctx);
  return check_end ();
}
