/* Stacks of general pages by the QR algorithm, one team of threads per page.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "schur/schur.cuh"
#include "schur/stack.cuh"

#include <string.h>

/* Limit for the memory outside of shared memory that the pages of a launch use.  */
#define OUTSIDE_BYTES ((int64_t) 1 << 28)

enum
{
  SWEEPS_A_ROW = 30, /* limit as in LAPACK: 30 max (n, 10) per page */
  /* Largest orders for teams of one and of two warps.  */
  WARP_UP_TO = 32,
  TWO_WARPS_UP_TO = 64
};

/* How many of Z and H are outside of shared memory: 0, 1 (Z) or 2.  */
template <typename T>
static int
count_outside (gpueig_context *ctx, int n, int vectors)
{
  if (! ge_shared_fits (ctx, page_bytes<T> (n, 1)))
    return 2;
  return vectors
         && (! ge_shared_fits (ctx, page_bytes<T> (n, 2))
             || (n > WARP_UP_TO && sizeof (T) >= GE_OUTSIDE_SIZE));
}

/* Threads of a team.  */
static int
choose_team (int n)
{
  return n <= WARP_UP_TO ? 32 : n <= TWO_WARPS_UP_TO ? 64 : 128;
}

/* The launches for all pages.  Each takes well below a second; between them the user
   can interrupt.  */
template <typename T>
static gpueig_status
launch_all (gpueig_context *ctx, page_stack<T> p)
{
  typedef ge_complex<T> C;
  const int64_t n = p.n, square = n * n, count = p.count;
  const int vectors = p.v || p.w || p.list;
  const int outside = count_outside<T> (ctx, p.n, vectors);
  const int team = choose_team (p.n);
  int64_t chunk = 2000000000 / (n * n * n + 100);
  if (outside)
    {
      p.stride = outside * (int64_t) page_square (p.n);
      const int64_t most = OUTSIDE_BYTES / (p.stride * (int64_t) sizeof (T));
      chunk = chunk < most ? chunk : most;
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE,
                        p.stride * (count < chunk ? count : chunk),
                        &p.outside));
    }
  if (p.spare_v || p.spare_w)
    {
      const int64_t most = 1 + OUTSIDE_BYTES / (square * (int64_t) sizeof (C));
      chunk = chunk < most ? chunk : most;
      const int64_t room = square * (count < chunk ? count : chunk);
      if (p.spare_v)
        GE_TRY (GE_ALLOC (ctx, GE_DEVICE, room, &p.v));
      if (p.spare_w)
        GE_TRY (GE_ALLOC (ctx, GE_DEVICE, room, &p.w));
    }
  for (int64_t start = 0; start < count; start += chunk)
    {
      page_stack<T> part = p;
      part.count = (int) (count - start < chunk ? count - start : chunk);
      if (p.list)
        part.list = p.list + start;
      else
        {
          part.a = p.a + start * square;
          part.lambda = p.lambda + start * n;
          part.v = p.v ? (C *) p.v + start * square : NULL;
          part.w = p.w ? (C *) p.w + start * square : NULL;
          part.state = p.state + start;
        }
      GE_TRY (ge_launch_pages<T> (ctx, part, team, outside));
      if (start + chunk >= count)
        break;
      GE_TRY (ge_cuda_check_interrupt (ctx));
      ge_report_pages (ctx, "qr", start + chunk, count);
    }
  return GPUEIG_OK;
}

/* Solve the doubtful pages again, with both kinds of vectors.  */
template <typename T>
static gpueig_status
solve_doubtful (gpueig_context *ctx, page_stack<T> p, unsigned char *state,
                gpueig_info *info)
{
  const int64_t pages = p.count;
  int *host, *list;
  int64_t count = 0;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, p.count, &host));
  for (int i = 0; i < p.count; i++)
    if (state[i] == GE_STACK_DOUBTFUL)
      host[count++] = i;
  if (count == 0)
    return GPUEIG_OK;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, count, &list));
  GE_TRY (ge_send (ctx, list, (const int *) host, count));
  p.list = list;
  p.count = (int) count;
  p.spare_v = ! p.v;
  p.spare_w = ! p.w;
  GE_TRY (ge_timer_start (ctx));
  GE_TRY (launch_all<T> (ctx, p));
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  return ge_fetch (ctx, state, p.state, pages);
}

template <typename T>
static gpueig_status
solve_stack (gpueig_context *ctx, const gpueig_general *g, int ordered,
             int64_t limit, gpueig_info *info)
{
  const int64_t n = g->n, pages = g->pages;
  const int64_t usual = SWEEPS_A_ROW * (n > 10 ? n : 10);
  page_stack<T> p = {};
  int sweeps;
  GE_TRY (ge_one_launch (ctx, pages, pages));
  p.n = (int) n;
  p.count = (int) pages;
  p.balance = g->balance;
  p.ordered = ordered;
  p.limit = (int) (limit > 0 && limit < usual ? limit : usual);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, pages, &p.state));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &p.sweeps));
  p.a = (const T *) g->a;
  p.lambda = (ge_complex<T> *) g->lambda;
  p.v = (ge_complex<T> *) g->v;
  p.w = (ge_complex<T> *) g->w;
  GE_TRY (ge_clear (ctx, p.sweeps, 1));
  GE_TRY (ge_timer_start (ctx));
  GE_TRY (launch_all<T> (ctx, p));
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  GE_TRY (ge_fetch (ctx, g->state, p.state, pages));
  GE_TRY (solve_doubtful<T> (ctx, p, g->state, info));
  GE_TRY (ge_fetch (ctx, &sweeps, p.sweeps, 1));
  ge_info_extra (info, "qr_sweeps", sweeps);
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_schur_stack (gpueig_context *ctx, const gpueig_general *g, int ordered,
                     int64_t limit, gpueig_info *info)
{
  return GE_CUDA_BY_TYPE (g->type, solve_stack, (ctx, g, ordered, limit, info));
}
