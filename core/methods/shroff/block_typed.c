/* Pages of general matrices by the Jacobi-like method: scaling, balancing, sweeps until
   converged or stalled, refinement.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/scalar.h"

#if GE_COMPLEX

#  include "shroff/lanes.h"

#  include <string.h>

/* Larger residuals, in units of n eps |A|_1, are not accepted; the limit of the tests
   is 20.  */
#  define BAD_RATIO ((real_t) 5)

enum
{
  HISTORY = 8 /* sweeps, a power of 2 */
};

typedef struct
{
  const ge_block_job *job;
  int64_t first; /* page */
  int count;
  ge_lanes s;
  int exponent[GE_LANES]; /* A was scaled by 2^-exponent */
  int converged[GE_LANES];
  double history[HISTORY][GE_LANES]; /* |off (A)|_F / |A|_F after sweeps */
} block;

static char *
lay_out_block (ge_lanes *s, int64_t n, int lanes, int left, char *at)
{
  const size_t number = 2 * sizeof (real_t);
  real_t **const matrix[]
      = { &s->a0, &s->a, &s->v, &s->y, &s->z, &s->next, &s->w };
  memset (s, 0, sizeof *s);
  s->n = (int) n;
  s->lanes = lanes;
  s->ld = n > 8 ? n | 1 : n;
  for (int i = 0; i < 6 + left; i++)
    *matrix[i] = ge_take (&at, n * s->ld * lanes, number);
  s->lambda = ge_take (&at, n * lanes, number);
  s->old = ge_take (&at, n * lanes, number);
  s->row = ge_take (&at, n * lanes, sizeof (real_t));
  s->col = ge_take (&at, n * lanes, sizeof (real_t));
  return at;
}

/* Left eigenvectors need little memory: it is always included.  */
int64_t
FN (ge_block_bytes) (int64_t n, int lanes)
{
  ge_lanes s;
  return lay_out_block (&s, n, lanes, 1, GE_NOWHERE) - GE_NOWHERE;
}

/* Load the pages as complex numbers, scaled to a largest element near 1.  */
static void
load_pages (block *b)
{
  ge_lanes *s = &b->s;
  const gpueig_general *g = b->job->problem;
  const int64_t n = g->n, L = s->lanes;
  const int parts = 1 + gpueig_is_complex (g->type);
  memset (s->a0, 0, (size_t) (2 * n * s->ld * L) * sizeof *s->a0);
  for (int x = 0; x < b->count; x++)
    {
      const real_t *in = g->a;
      in += (b->first + x) * n * n * parts;
      real_t largest = 0;
      int e = 0;
      for (int64_t i = 0; i < parts * n * n; i++)
        largest = fabs_ (in[i]) > largest ? fabs_ (in[i]) : largest;
      (void) GE_MATH (frexp) (largest, &e);
      const real_t f = GE_MATH (ldexp) (1, -e);
      for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++)
          for (int k = 0; k < parts; k++)
            s->a0[(2 * (i + s->ld * j) + k) * L + x] = *in++ * f;
      b->exponent[x] = e;
      s->active[x] = 1;
    }
  FN (ge_sweep_start) (s, g->balance);
}

/* Decide which lanes continue after SWEEPS sweeps; return their number.  *WORST: the largest
   |off (A)|_F / |A|_F of the lanes that took part in the last sweep.  */
static int
count_active (block *b, int sweeps, double *worst)
{
  ge_lanes *s = &b->s;
  const ge_block_job *job = b->job;
  int active = 0;
  *worst = 0;
  for (int x = 0; x < b->count; x++)
    if (s->active[x] > 0)
      {
        const double off
            = s->norm2[x] == 0 ? 0 : sqrt ((double) (s->off2[x] / s->norm2[x]));
        const double then = b->history[(sweeps + HISTORY - 5) % HISTORY][x];
        b->history[sweeps % HISTORY][x] = off;
        b->converged[x] = off <= job->tol;
        s->active[x]
            = ! b->converged[x] && sweeps < job->max_sweeps
              && (job->limited || ! ge_shroff_stalls (s->n, sweeps, then, off));
        active += s->active[x] > 0;
        *worst = off > *worst ? off : *worst;
      }
  return active;
}

/* Sweep until the lanes have converged or stalled or have as many sweeps as permitted.  */
static void
iterate_block (block *b, ge_block_report *report)
{
  for (int sweeps = 0;; sweeps++)
    {
      double off;
      const int active = count_active (b, sweeps, &off);
      if (sweeps > 0)
        {
          const int last = GPUEIG_MAX_HISTORY - 1;
          double *most = &report->off[sweeps - 1 < last ? sweeps - 1 : last];
          *most = off > *most ? off : *most;
          report->sweeps = sweeps > report->sweeps ? sweeps : report->sweeps;
          if (b->s.ctx)
            ge_report (b->s.ctx, "sweep %2d  off %.2e", sweeps, off);
        }
      if (active == 0 || ge_lanes_stop (&b->s))
        return;
      FN (ge_sweep) (&b->s);
    }
}

/* Store N numbers of each column of lane X, LD apart, times F, to TO.  */
static void
store_columns (const ge_lanes *s, int64_t columns, int x, const real_t *from,
               real_t f, real_t *to)
{
  for (int64_t j = 0; j < columns; j++)
    for (int64_t i = 0; i < 2 * s->n; i++)
      *to++ = from[(2 * s->ld * j + i) * s->lanes + x] * f;
}

/* Store the result of lane X; return the state of the page.  */
static unsigned char
finish_page (const block *b, int x)
{
  const gpueig_general *g = b->job->problem;
  const ge_lanes *s = &b->s;
  const int64_t n = g->n, page = b->first + x;
  const size_t number = 2 * sizeof (real_t);
  const int good
      = s->ratio[0][x] < BAD_RATIO && (! s->w || s->ratio[1][x] < BAD_RATIO);
  store_columns (s, 1, x, s->lambda, GE_MATH (ldexp) (1, b->exponent[x]),
                 ge_page (g->lambda, page, n, number));
  if (g->v)
    store_columns (s, n, x, s->v, 1, ge_page (g->v, page, n * n, number));
  if (g->w)
    store_columns (s, n, x, s->w, 1, ge_page (g->w, page, n * n, number));
  return ! b->converged[x] && b->job->limited ? GE_PAGE_LIMITED
         : b->converged[x] && good            ? GE_PAGE_UNNORMALIZED
                                              : GE_PAGE_STALLED;
}

gpueig_status
FN (ge_block_run) (gpueig_context *ctx, const ge_block_job *job, int64_t first,
                   int count, void *space, unsigned char *state,
                   ge_block_report *report)
{
  block b = { .job = job, .first = first, .count = count };
  lay_out_block (&b.s, job->problem->n, job->lanes, job->problem->w != NULL,
                 space);
  b.s.ctx = ctx;
  load_pages (&b);
  iterate_block (&b, report);
  FN (ge_refine) (&b.s);
  for (int x = 0; x < count && b.s.status == GPUEIG_OK; x++)
    state[first + x] = finish_page (&b, x);
  return b.s.status;
}

#else
typedef int ge_block_is_complex_only;
#endif
