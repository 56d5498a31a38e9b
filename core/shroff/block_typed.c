/* Pages of general matrices by the Jacobi-like method: scaling, balancing,
   sweeps until converged or stalled, refinement, normalization of the result.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/scalar.h"

#if GE_COMPLEX

#  include "shroff/block.h"
#  include "shroff/order.h"
#  include "shroff/refine.h"

#  include <stdlib.h>
#  include <string.h>

/* Larger residuals, in units of n eps |A|_1, are not accepted; the limit of the tests
   is 20.  */
#  define BAD_RATIO ((real_t) 5)

typedef struct
{
  const ge_block_job *job;
  int64_t first; /* page */
  int count;
  ge_shroff s;
  ge_refine r;
  int sweep;              /* number of completed sweeps */
  real_t *balance;        /* n per lane: D of balancing, powers of 2 */
  real_t *room;           /* eigenvectors that are not wanted */
  void *scratch;          /* of ge_normalize */
  int exponent[GE_LANES]; /* A was scaled by 2^-exponent */
  int done[GE_LANES], stalled[GE_LANES];
  real_t history[GPUEIG_MAX_HISTORY][GE_LANES];
  ge_stop stop;
  ge_block_watch *watch;
  void *watch_data;
} block;

int
FN (ge_block_lanes) (void)
{
  return GE_LANES;
}

static char *
lay_out (block *b, int n, int lanes, int left, char *at)
{
  at = FN (ge_shroff_lay_out) (&b->s, n, lanes, at);
  at = FN (ge_refine_lay_out) (&b->r, n, lanes, left, at);
  b->balance = ge_take (&at, n * lanes, sizeof (real_t));
  b->room = ge_take (&at, 2 * n * n, sizeof (real_t));
  b->scratch = ge_take (&at, ge_normalize_bytes (n, sizeof (real_t)), 1);
  return at;
}

/* Left eigenvectors need little memory: it is always included.  */
int64_t
FN (ge_block_bytes) (int64_t n, int lanes)
{
  block b;
  /* Any aligned address: only the difference is used.  */
  char *at = (char *) (uintptr_t) 64;
  ge_take (&at, 1, sizeof b);
  return (int64_t) (lay_out (&b, (int) n, lanes, 1, at)
                    - (char *) (uintptr_t) 64);
}

/* --- input --- */

/* Copy page P, as complex numbers scaled to a largest element near 1, to lane X of
   b->r.a, the matrix for the refinement.  */
static void
load_page (block *b, int x)
{
  const gpueig_general *g = b->job->problem;
  const int64_t n = g->n, L = b->r.lanes, plane = n * n * L;
  const int complex = gpueig_is_complex (g->type);
  const real_t *in = g->a;
  in += (b->first + x) * n * n * (1 + complex);
  real_t largest = 0;
  for (int64_t i = 0; i < n * n * (1 + complex); i++)
    largest = fabs_ (in[i]) > largest ? fabs_ (in[i]) : largest;
  int e = 0;
  if (largest > 0)
    (void) GE_MATH (frexp) (largest, &e);
  b->exponent[x] = e;
  /* By two factors, since 2^-e may overflow.  */
  const real_t f1 = GE_MATH (ldexp) (1, -e / 2);
  const real_t f2 = GE_MATH (ldexp) (1, -(e - e / 2));
  for (int64_t i = 0; i < n * n; i++)
    {
      b->r.a[i * L + x] = complex ? in[2 * i] * f1 * f2 : in[i] * f1 * f2;
      b->r.a[plane + i * L + x] = complex ? in[2 * i + 1] * f1 * f2 : 0;
    }
}

/* Squares of the 2-norms of row and column I of lane X, without the diagonal.  */
static void
row_and_column (const ge_shroff *s, int64_t i, int x, real_t *row, real_t *col)
{
  const int64_t size = 2 * s->m, L = s->lanes, plane = size * size * L;
  real_t r = 0, c = 0;
  for (int64_t j = 0; j < size; j++)
    if (j != i)
      {
        const int64_t in_row = (i + size * j) * L + x;
        const int64_t in_col = (j + size * i) * L + x;
        r += s->a[in_row] * s->a[in_row]
             + s->a[plane + in_row] * s->a[plane + in_row];
        c += s->a[in_col] * s->a[in_col]
             + s->a[plane + in_col] * s->a[plane + in_col];
      }
  *row = r;
  *col = c;
}

/* Osborne's balancing with powers of 2 (Parlett and Reinsch 1969) in the
   2-norm, as LAPACK since 3.5.2: A <- D^-1 A D.  Factors below 2 are not applied.
   Permutations are not needed, since the method does not exploit triangular
   parts.  */
static void
balance_page (block *b, int x)
{
  ge_shroff *s = &b->s;
  const int64_t n = s->n, size = 2 * s->m, L = s->lanes;
  const int64_t plane = size * size * L, offset = size - n;
  for (int pass = 0, changed = 1; pass < 20 && changed; pass++)
    {
      changed = 0;
      for (int64_t i = 0; i < n; i++)
        {
          real_t r, c, have = b->balance[i * L + x];
          row_and_column (s, offset + i, x, &r, &c);
          if (! (r > GE_REAL_MIN && c > GE_REAL_MIN))
            continue;
          int e = (GE_MATH (ilogb) (r) - GE_MATH (ilogb) (c)) / 4;
          const int now = GE_MATH (ilogb) (have);
          const int most = GE_DOUBLE ? 300 : 40;
          if (e == 0 || abs (now + e) > most)
            continue;
          const real_t f = GE_MATH (ldexp) (1, e), g = GE_MATH (ldexp) (1, -e);
          b->balance[i * L + x] = have * f;
          for (int64_t j = 0; j < size; j++)
            {
              const int64_t in_row = (offset + i + size * j) * L + x;
              const int64_t in_col = (j + size * (offset + i)) * L + x;
              s->a[in_row] *= g;
              s->a[plane + in_row] *= g;
              s->a[in_col] *= f;
              s->a[plane + in_col] *= f;
            }
          changed = 1;
        }
    }
}

/* Copy lane X of b->r.a to the positions of the sweeps' layout, see sweep.h.  */
static void
place_page (block *b, int x)
{
  ge_shroff *s = &b->s;
  const int64_t n = s->n, size = 2 * s->m, L = s->lanes, offset = size - n;
  for (int part = 0; part < 2; part++)
    for (int64_t j = 0; j < n; j++)
      for (int64_t i = 0; i < n; i++)
        s->a[part * size * size * L + (offset + i + size * (offset + j)) * L
             + x]
            = b->r.a[part * n * n * L + (i + n * j) * L + x];
}

static void
load (block *b)
{
  ge_shroff *s = &b->s;
  const int64_t n = s->n, L = s->lanes;
  memset (s->a, 0, (size_t) (8 * (int64_t) s->m * s->m * L) * sizeof *s->a);
  memset (b->r.a, 0, (size_t) (2 * n * n * L) * sizeof *b->r.a);
  for (int64_t i = 0; i < n * L; i++)
    b->balance[i] = 1;
  for (int x = 0; x < L; x++)
    {
      s->active[x] = 0;
      b->done[x] = x >= b->count;
      b->stalled[x] = 0;
      if (b->done[x])
        continue;
      load_page (b, x);
      place_page (b, x);
      s->active[x] = 1;
      if (b->job->problem->balance)
        balance_page (b, x);
    }
  FN (ge_shroff_start) (s);
}

/* --- sweeps --- */

/* Nonzero if lane X has stalled after SWEEP + 1 sweeps.  */
static int
has_stalled (const block *b, int x, int sweep)
{
  const real_t then = sweep < 5 ? 0 : b->history[sweep - 5][x];
  return ! b->job->limited
         && (sweep + 1 >= b->job->max_sweeps
             || ge_shroff_stalls (b->s.n, sweep + 1, (double) then,
                                  (double) b->history[sweep][x]));
}

static int
all_done (const block *b)
{
  int all = 1;
  for (int x = 0; x < b->count; x++)
    all &= b->done[x];
  return all;
}

/* Test all lanes for convergence; returns the largest |off (A)|_F / |A|_F.  */
static real_t
check_convergence (block *b)
{
  real_t worst = 0;
  for (int x = 0; x < b->count; x++)
    {
      const real_t norm2 = b->s.norm2[x], off2 = b->s.off2[x];
      const real_t off = norm2 == 0 ? 0 : sqrt_ (off2 / norm2);
      worst = larger_ (off, worst);
      b->done[x] |= off <= (real_t) b->job->tol;
      b->s.active[x] = ! b->done[x];
    }
  return worst;
}

/* Sweep until the lanes have converged or stalled or have as many sweeps as permitted.
   Nonzero if the callback stopped it.  */
static int
sweep_until_done (block *b, ge_block_report *report)
{
  const int last = GPUEIG_MAX_HISTORY - 1;
  check_convergence (b);
  for (; b->sweep < b->job->max_sweeps && ! all_done (b); b->sweep++)
    {
      FN (ge_shroff_sweep) (&b->s);
      const real_t off = check_convergence (b);
      const int slot = b->sweep < last ? b->sweep : last, now = b->sweep + 1;
      report->sweeps = now > report->sweeps ? now : report->sweeps;
      report->off[slot] = off > report->off[slot] ? off : report->off[slot];
      for (int x = 0; x < b->count; x++)
        {
          b->history[slot][x]
              = b->s.norm2[x] == 0 ? 0 : sqrt_ (b->s.off2[x] / b->s.norm2[x]);
          if (! b->done[x] && slot < last && has_stalled (b, x, b->sweep))
            {
              b->stalled[x] = b->done[x] = 1;
              b->s.active[x] = 0;
            }
        }
      if (b->stop.stopped || (b->watch && b->watch (b->watch_data, now, off)))
        return 1;
    }
  return 0;
}

/* --- output --- */

/* Copy eigenvalues and vectors to the layout of the refinement, vectors multiplied by D
   of the balancing.  */
static void
unload (block *b)
{
  const ge_shroff *s = &b->s;
  const int64_t n = s->n, size = 2 * s->m, L = s->lanes, offset = size - n;
  for (int part = 0; part < 2; part++)
    for (int64_t j = 0; j < n; j++)
      for (int x = 0; x < L; x++)
        {
          const int64_t d = (offset + j) * (size + 1);
          b->r.lambda[(part * n + j) * L + x]
              = s->a[part * size * size * L + d * L + x];
          for (int64_t i = 0; i < n; i++)
            b->r.v[part * n * n * L + (i + n * j) * L + x]
                = s->v[part * n * size * L + (i + n * (offset + j)) * L + x]
                  * b->balance[i * L + x];
        }
}

/* Set *STATE for lane X; nonzero if its result is to be stored.  */
static int
accept_page (const block *b, int x, unsigned char *state)
{
  const ge_block_job *job = b->job;
  const int converged = b->done[x] && ! b->stalled[x];
  const int good = b->r.ratio[x] < BAD_RATIO
                   && (! job->problem->w || b->r.left_ratio[x] < BAD_RATIO);
  *state = ! converged && job->limited ? GE_PAGE_LIMITED
           : converged && good         ? GE_PAGE_DONE
                                       : GE_PAGE_STALLED;
  return *state != GE_PAGE_STALLED;
}

/* TO: COUNT numbers of lane X, of two planes, interleaved and times F.  */
static void
gather (int64_t count, int64_t L, int x, const real_t *from, real_t f,
        real_t *to)
{
  for (int64_t i = 0; i < 2 * count; i++)
    to[i] = from[((i % 2) * count + i / 2) * L + x] * f;
}

/* Store the result, and normalize it; 0 if that makes the residual too large.  */
static int
store_page (block *b, int x)
{
  const gpueig_general *g = b->job->problem;
  const int64_t n = g->n, page = b->first + x, L = b->r.lanes;
  real_t *lambda = (real_t *) g->lambda + 2 * page * n;
  real_t *v = g->v ? (real_t *) g->v + 2 * page * n * n : b->room;
  real_t *w = g->w ? (real_t *) g->w + 2 * page * n * n : NULL;
  const real_t scale = GE_MATH (ldexp) (1, b->exponent[x]);
  gather (n, L, x, b->r.lambda, scale, lambda);
  gather (n * n, L, x, b->r.v, 1, v);
  if (w)
    gather (n * n, L, x, b->r.y, 1, w);
  const double added = FN (ge_normalize) (n, ! gpueig_is_complex (g->type),
                                          b->scratch, lambda, v, w);
  return added
         <= (double) (BAD_RATIO * (real_t) n * GE_EPS * b->r.norm[x] * scale);
}

static int
ask_watch (void *data)
{
  block *b = data;
  return b->watch (b->watch_data, 0, 0);
}

void
FN (ge_block_run) (const ge_block_job *job, int64_t first, int count,
                   void *space, unsigned char *state, ge_block_report *report,
                   ge_block_watch *watch, void *data)
{
  char *at = space;
  block *b = ge_take (&at, 1, sizeof *b);
  memset (b, 0, sizeof *b);
  b->job = job;
  b->first = first;
  b->count = count;
  lay_out (b, (int) job->problem->n, job->lanes, job->problem->w != NULL, at);
  if (watch)
    {
      b->watch = watch;
      b->watch_data = data;
      b->stop = (ge_stop){ .ask = ask_watch, .data = b };
      b->s.stop = b->r.stop = &b->stop;
    }
  load (b);
  if (sweep_until_done (b, report))
    return;
  unload (b);
  FN (ge_refine_run) (&b->r);
  if (b->stop.stopped)
    return;
  for (int x = 0; x < count; x++)
    if (accept_page (b, x, &state[first + x]) && ! store_page (b, x)
        && state[first + x] != GE_PAGE_LIMITED)
      state[first + x] = GE_PAGE_STALLED;
}

#else
typedef int ge_block_is_complex_only;
#endif
