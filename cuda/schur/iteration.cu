/* The small-bulge multishift QR iteration with aggressive early deflation, on the
   device; the host reads a few integers per deflation.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   K. Braman, R. Byers, R. Mathias, The multishift QR algorithm I and II, SIAM J.
   Matrix Anal. Appl. 23, 2002.  Only eigenvalues of the last rows of the deflation window are
   on the critical path: they are the shifts of the sweep that hides the deflation.
   Its windows are small compared with LAPACK's all the same.
   The shifts of a sweep are split into chains of bulges that follow each other.  In
   a hop all chains advance by one window; these windows are disjoint and are processed
   concurrently, and their accumulated U are applied to the rest of H and Z by matrix
   products.  */

#include "base/blas.cuh"
#include "schur/iteration.cuh"
#include "schur/schur.cuh"
#include "schur/products.cuh"
#include "schur/tick.cuh"

/* --- a hop of a sweep --- */

/* Chase one chain of bulges through its window, by one thread block, after those
   products of the hop BEFORE, with the U in LAST, that the window needs; U: the
   accumulated reflectors.  Shared memory: H and V of the window.  The first warp computes the
   reflectors, GE_CHAIN others apply them, see tick.cuh.  */
template <typename T>
GE_KERNEL (GE_WINDOW_THREADS, 1)
chase_bulges (int n, T *h, hop before, const T *last, hop at,
              const ge_complex<T> *shifts, T *u)
{
  extern __shared__ double2 memory[];
  __shared__ reflector<T> reflectors[2][GE_CHAIN]; /* of even and odd ticks */
  enum
  {
    ROWS = GE_WINDOW_ORDER, /* of which a thread copies one */
    APART = GE_WINDOW_THREADS / ROWS
  };
  const int t = threadIdx.x, warp = t / 32, lane = t % 32;
  const chain_window c = at.window[blockIdx.x];
  apply_near<NEAR_WARPS> (n, h, before, c.bulge, last, (T *) memory);
  const int size = c.last - c.first + 1, ld = size | 1;
  const window<T> w = { (T *) memory, (T *) memory + ld * size, size, ld };
  const int i = t % ROWS;
  T *const from = h + c.first + i + c.first * n;
  if (i < size)
    for (int j = t / ROWS; j < size; j += APART)
      {
        w.h[i + j * ld] = from[j * n];
        w.v[i + j * ld] = make_number<T> (i == j, 0);
      }
  __syncthreads ();
  if (warp == 0)
    chase_near (w, at, c, shifts + 2 * ((c.bulge + lane) % at.pairs),
                reflectors);
  else if (warp % 4 > 0 && far_bulge (warp) < GE_CHAIN)
    chase_far (w, at, c, far_bulge (warp), reflectors);
  __syncthreads ();
  u += blockIdx.x * (ROWS * ROWS) + i;
  if (i < size)
    for (int j = t / ROWS; j < size; j += APART)
      {
        from[j * n] = w.h[i + j * ld];
        u[j * ROWS] = w.v[i + j * ld];
      }
}

enum
{
  HOST_ORDER = 96,      /* blocks up to this order are solved on the host */
  LARGEST_WINDOW = 128, /* for deflation */
  MOST_SHIFTS = 2 * GE_CHAIN * GE_MOST_CHAINS, /* of a sweep */
  MOST_TIMES = 4,                              /* that a sweep uses them */
  /* Rows above a deflation window for which the sweep begins first.  */
  ROWS_TO_HIDE = 128
};

/* --- the driver --- */

typedef struct
{
  int n, order; /* of the matrix; rows of a sweep's window, at most */
  int whole;    /* the Schur form is wanted, not the eigenvalues alone */
  int bottom;
  int slots;          /* of the ring of U, an even number */
  int64_t hops;       /* so far */
  cudaStream_t later; /* for the products with Z */
  cudaEvent_t done;   /* some of them */
} iteration;

template <typename T>
static size_t
window_bytes (int order)
{
  return 2 * (size_t) (order | 1) * order * sizeof (T);
}

/* Shared memory of a chase: the window, after the products before it.  */
template <typename T>
static size_t
chase_bytes (int order)
{
  const size_t window = window_bytes<T> (order),
               tile = product_bytes<T> (order, TILE);
  return window > tile ? window : tile;
}

/* Vectors of a tile where there are many: two blocks with tiles of the larger type fit into
   a multiprocessor.  */
template <typename T>
constexpr int
large_tile (void)
{
  return sizeof (T) == sizeof (double2) ? SMALL_TILE : TILE;
}

/* Apply the U of all windows of AT to the columns and rows of A that are given with
   them, and both to pairs of windows, see launch_products.  */
template <typename T>
static gpueig_status
apply_windows_of (gpueig_context *ctx, const iteration *it, T *a, const hop *at,
                  int apart, const T *u, cudaStream_t stream)
{
  constexpr int large = large_tile<T> ();
  int columns = 0, rows = 0;
  for (int c = 0; c < at->chains; c++)
    {
      const chain_window *const w = &at->window[c];
      columns = GE_AT_LEAST (columns, w->right - w->left + 1);
      rows = GE_AT_LEAST (rows, w->below - w->above + 1);
    }
  return (columns + rows) / TILE * at->chains
                 < ge_cuda_of (ctx)->multiprocessors
             ? launch_products<T, SMALL_TILE> (ctx, it->n, a, at, it->order,
                                               apart, columns, rows, u, stream)
             : launch_products<T, large> (ctx, it->n, a, at, it->order, apart,
                                          columns, rows, u, stream);
}

/* Set the columns and rows of H to which the windows of AT apply their U: all of
   them.  */
static void
set_whole (const iteration *it, hop *at)
{
  for (int c = 0; c < at->chains; c++)
    {
      chain_window *const w = &at->window[c];
      w->left = w->last + 1;
      w->right = it->whole ? it->n - 1 : at->bottom;
      w->above = it->whole ? 0 : at->top;
      w->below = w->first - 1;
    }
}

/* Move what windows of the hop NEXT contain from AT to NEAR.  */
static void
set_near (hop *at, const hop *next, hop *near)
{
  const int count = at->chains, newest = at->window[count - 1].bulge;
  const chain_window *const start = &next->window[next->chains - 1];
  const int ends = at->window[0].bulge != next->window[0].bulge;
  *near = *at;
  for (int c = 0; c < count; c++)
    {
      chain_window *const w = &at->window[c], *const v = &near->window[c];
      v->right = c > 0  ? at->window[c - 1].last
                 : ends ? w->last
                        : next->window[0].last;
      v->above = c + 1 < count            ? at->window[c + 1].first
                 : start->bulge != newest ? start->first
                                          : w->first;
      w->left = v->right + 1;
      w->below = v->above - 1;
    }
}

/* Leave out of the columns and rows of each window those of others: windows are next to
   each other, so that all columns between the first and the last one are theirs, and get
   both products.  */
static void
leave_pairs (hop *at)
{
  const chain_window lowest = at->window[0],
                     highest = at->window[at->chains - 1];
  for (int c = 0; c < at->chains; c++)
    {
      chain_window *const w = &at->window[c];
      w->left = GE_AT_LEAST (w->left, lowest.last + 1);
      w->below = GE_AT_MOST (w->below, highest.first - 1);
    }
}

/* Apply the U of all windows of AT to Z.  */
template <typename T>
static gpueig_status
apply_to_vectors (gpueig_context *ctx, const iteration *it, T *z, hop at,
                  const T *u, cudaStream_t stream)
{
  if (! z)
    return GPUEIG_OK;
  for (int c = 0; c < at.chains; c++)
    {
      chain_window *const w = &at.window[c];
      w->left = w->above = 0;
      w->right = -1;
      w->below = it->n - 1;
    }
  return apply_windows_of (ctx, it, z, &at, 0, u, stream);
}

/* Apply the U of one window, rows and columns FIRST .. LAST, that is too large
   for apply_windows.  WORK: n-by-size.  */
template <typename T>
static gpueig_status
apply_block (gpueig_context *ctx, const iteration *it, T *h, T *z, int top,
             int first, int last, const T *u, int ld_u, T *work)
{
  ge_cuda *cuda = ge_cuda_of (ctx);
  const cublasOperation_t no = CUBLAS_OP_N;
  const int64_t n = it->n, size = last - first + 1;
  const int64_t start = it->whole ? 0 : top, rows = first - start;
  const int64_t columns = (it->whole ? it->n - 1 : it->bottom) - last;
  const size_t ld = (size_t) n * sizeof (T);
  T *right = h + first + (last + 1) * n, *above = h + start + first * n;
  if (columns > 0)
    {
      CUBLAS (ge_gemm (cuda->blas, ge_adjoint<T> (), no, size, columns, size, 1,
                       u, ld_u, right, n, 0, work, size));
      CU (cudaMemcpy2DAsync (right, ld, work, size * sizeof (T),
                             size * sizeof (T), columns,
                             cudaMemcpyDeviceToDevice, cuda->stream));
    }
  if (rows > 0)
    {
      CUBLAS (ge_gemm (cuda->blas, no, no, rows, size, size, 1, above, n, u,
                       ld_u, 0, work, rows));
      CU (cudaMemcpy2DAsync (above, ld, work, rows * sizeof (T),
                             rows * sizeof (T), size, cudaMemcpyDeviceToDevice,
                             cuda->stream));
    }
  if (z)
    {
      CUBLAS (ge_gemm (cuda->blas, no, no, n, size, size, 1, z + first * n, n,
                       u, ld_u, 0, work, n));
      GE_TRY (ge_copy (ctx, z + first * n, work, size * n));
    }
  return GPUEIG_OK;
}

/* A sweep with SHIFTS shifts, all of them TIMES times, over rows TOP .. BOTTOM; STEP: hops
   done.  */
typedef struct
{
  int top, bottom, shifts, times, step;
} progress;

/* AT = the next hop.  Returns 0 at the end of the sweep, or if a window of the hop would
   end in row BELOW or farther down.  */
static int
next_hop (const iteration *it, const progress *p, int below, hop *at)
{
  const ge_sweep s = { p->top, p->bottom, GE_HOP_TICKS (it->order) };
  const int pairs = p->shifts / 2, bulges = p->times * pairs;
  const int distance = GE_CHAIN_DISTANCE (s.hop);
  at->top = p->top;
  at->bottom = p->bottom;
  at->pairs = pairs;
  at->chains = 0;
  for (int first = 0; first < bulges; first += GE_CHAIN)
    {
      const int count
          = bulges - first < GE_CHAIN ? bulges - first : (int) GE_CHAIN;
      const int64_t ticks = GE_CHAIN_TICKS (s, count);
      const int64_t here = p->step - (int64_t) first / GE_CHAIN * distance;
      if (here < 0 || here * s.hop >= ticks)
        continue;
      chain_window *w = &at->window[at->chains++];
      w->first = (int) GE_WINDOW_FIRST (s, count, here);
      w->last = (int) GE_WINDOW_LAST (s, here);
      w->begin = (int) here * s.hop;
      w->end = (int) GE_AT_MOST ((here + 1) * s.hop, ticks);
      w->bulge = first;
      w->bulges = count;
    }
  return at->chains > 0 && at->window[0].last < below;
}

/* Work space of the iteration.  */
template <typename T> struct iteration_memory
{
  T *u, *work; /* of a deflation window */
  T *ring;     /* U of the last hops */
  ge_complex<T> *shift;
  aed<T> host;
};

/* Let the stream AFTER wait for what BEFORE has got.  */
static gpueig_status
order_streams (gpueig_context *ctx, cudaStream_t before, cudaStream_t after)
{
  ge_cuda *const cuda = ge_cuda_of (ctx);
  CU (cudaEventRecord (cuda->ready, before));
  CU (cudaStreamWaitEvent (after, cuda->ready, 0));
  return GPUEIG_OK;
}

/* Continue a sweep with the shifts SHIFT above row BELOW.  A chase applies what it needs of
   the hop before itself, so that the other products of that hop run during it on the
   other stream.  Nothing waits for the products with Z but the U that replaces theirs and
   the next deflation: they fill the time in which the device would wait for the host.  */
template <typename T>
static gpueig_status
sweep (gpueig_context *ctx, iteration *it, T *h, T *z, progress *p, int below,
       const iteration_memory<T> *m, ge_schur_counts *counts)
{
  ge_cuda *const cuda = ge_cuda_of (ctx);
  const int size = GE_MOST_CHAINS * GE_WINDOW_ORDER * GE_WINDOW_ORDER;
  const T *last = NULL;
  hop near, at, next;
  near.chains = 0;
  GE_TRY (order_streams (ctx, cuda->stream, cuda->side));
  GE_TRY (order_streams (ctx, cuda->stream, it->later));
  for (int more = next_hop (it, p, below, &at); more; at = next)
    {
      T *const u = m->ring + it->hops % it->slots * size;
      if (it->hops++ % (it->slots / 2) == 0)
        {
          CU (cudaStreamWaitEvent (cuda->side, it->done, 0));
          CU (cudaEventRecord (it->done, it->later));
        }
      counts->hops++;
      p->step++;
      more = next_hop (it, p, below, &next);
      GE_LAUNCH_ON (cuda->side, chase_bulges<T>, at.chains, GE_WINDOW_THREADS,
                    chase_bytes<T> (it->order), it->n, h, near, last, at,
                    m->shift, u);
      /* The next chase waits for the products before these, these for the chase.  */
      GE_TRY (order_streams (ctx, cuda->stream, cuda->side));
      GE_TRY (order_streams (ctx, cuda->side, cuda->stream));
      CU (cudaStreamWaitEvent (it->later, cuda->ready, 0));
      set_whole (it, &at);
      near.chains = 0;
      if (more)
        set_near (&at, &next, &near);
      leave_pairs (&at);
      GE_TRY (
          apply_windows_of (ctx, it, h, &at, more ? 2 : 1, u, cuda->stream));
      GE_TRY (apply_to_vectors (ctx, it, z, at, u, it->later));
      last = u;
    }
  return GPUEIG_OK;
}

/* The order of windows that fit into shared memory.  Hops divide the distance of chains, so
   that windows are next to each other.  */
template <typename T>
static int
largest_window (gpueig_context *ctx)
{
  const int chain = GE_BULGE_ROWS * GE_CHAIN;
  int hop = GE_HOP_TICKS (GE_WINDOW_ORDER);
  while (hop > 4
         && ! (ge_shared_fits (ctx, window_bytes<T> (chain + hop))
               && ge_shared_fits (ctx, product_bytes<T> (chain + hop, TILE))))
    hop /= 2;
  return chain + hop;
}

template <typename T>
static gpueig_status
prepare (gpueig_context *ctx, const iteration *it)
{
  GE_ALLOW_SHARED (chase_bulges<T>, chase_bytes<T> (it->order));
  GE_TRY ((allow_products<T, large_tile<T> ()> (ctx, it->order)));
  return allow_products<T, SMALL_TILE> (ctx, it->order);
}

/* Apply the U of a deflation window to the rest of H and Z.  */
template <typename T>
static gpueig_status
apply_deflation (gpueig_context *ctx, const iteration *it, T *h, T *z,
                 const window_place *p, const iteration_memory<T> *m)
{
  GE_TRY (order_streams (ctx, it->later, ge_cuda_of (ctx)->stream));
  if (p->size > it->order)
    return apply_block (ctx, it, h, z, p->top, p->first, it->bottom, m->u,
                        GE_STRIDE_OF (p->size), m->work);
  hop at = { p->top, it->bottom, 0, 1, {} };
  at.window[0].first = p->first;
  at.window[0].last = it->bottom;
  set_whole (it, &at);
  GE_TRY (
      apply_windows_of (ctx, it, h, &at, 0, m->u, ge_cuda_of (ctx)->stream));
  return apply_to_vectors (ctx, it, z, at, m->u, ge_cuda_of (ctx)->stream);
}

/* How many times a sweep over ROWS rows uses COUNT shifts.  Few are found, as the window of a
   deflation is small, and deflations are what the device waits for: bulges with the same
   shifts follow each other in a long sweep where the products of their hops take no longer
   than the chase, and a few of them up to orders where more deflations cost less.  */
template <typename T>
static int
times_of (int n, int rows, int count)
{
  const int reals = n * (1 + is_complex<T>::value), cheap = 700000 / reals;
  const int least = GE_AT_MOST (128, (1 << 20) / reals);
  const int most = GE_AT_MOST (GE_AT_LEAST (cheap, least), MOST_SHIFTS);
  const int times
      = GE_AT_MOST (most / GE_AT_LEAST (count, 1), 1 + rows / ROWS_TO_HIDE);
  return GE_AT_LEAST (times, 1);
}

/* A deflation on a thread of its own.  */
template <typename T> struct deflation
{
  const aed<T> *window;
  int exceptional;
  deflation_result *result;
  int done;
};

template <typename T>
static void
deflate_aside (void *data, int64_t, int)
{
  deflation<T> *const d = (deflation<T> *) data;
  ge_aed_deflate (d->window, d->exceptional, 0, d->result);
  d->done = 1;
}

/* One deflation and one sweep.  In a long active block the sweep begins with the
   eigenvalues of the window as shifts, and another thread deflates the window until the
   bulges come near it: the calling one queues the sweep.  */
template <typename T>
static gpueig_status
deflate_and_sweep (gpueig_context *ctx, iteration *it, T *h, T *z, int wanted,
                   int exceptional, iteration_memory<T> *m, deflation_result *r,
                   ge_schur_counts *counts)
{
  aed<T> *const e = &m->host;
  GE_TRY (ge_aed_fetch (ctx, e, it->n, h, it->bottom, wanted));
  const window_place place = *e->place;
  progress p = { place.top, it->bottom, 0, 0, 0 };
  deflation<T> aside = { e, exceptional, r, 0 };
  if (place.first - place.top >= ROWS_TO_HIDE)
    {
      GE_TRY (ge_aed_shifts (ctx, e, exceptional, m->shift, &p.shifts,
                             &counts->host_time));
      p.times = times_of<T> (it->n, p.bottom - p.top + 1, p.shifts);
      if (p.shifts > 0 && ge_threads () > 1)
        ge_begin_aside (ctx, GE_DEFLATION, 1, deflate_aside<T>, &aside);
      const gpueig_status status
          = sweep (ctx, it, h, z, &p, place.first, m, counts);
      ge_end_aside (ctx, GE_DEFLATION);
      GE_TRY (status);
    }
  const int begun = p.shifts > 0;
  if (! aside.done)
    ge_aed_deflate (e, exceptional, ! begun, r);
  counts->windows++;
  counts->ticks += r->steps;
  counts->host_time += r->host_time;
  if (r->failed)
    return GPUEIG_NO_CONVERGENCE;
  GE_TRY (ge_aed_store (ctx, e, r, it->n, h, m->u, m->shift));
  if (r->changed)
    GE_TRY (apply_deflation (ctx, it, h, z, &place, m));
  it->bottom -= r->deflated;
  p.bottom = it->bottom;
  if (! begun)
    {
      p.shifts = r->shifts;
      p.times = times_of<T> (it->n, p.bottom - p.top + 1, p.shifts);
    }
  ge_report (ctx, "active rows %d..%d, %d deflated of %d, %d shifts", p.top + 1,
             p.bottom + 1, r->deflated, place.size, p.shifts);
  /* A window with many deflations is deflated again before a sweep (LAPACK's
     nibble).  */
  if (! begun
      && (2 * r->deflated > place.size || p.bottom - p.top + 1 <= e->whole
          || p.shifts < 2))
    return GPUEIG_OK;
  counts->sweeps++;
  return sweep (ctx, it, h, z, &p, p.bottom + 1, m, counts);
}

/* Rows of the deflation window of an active block of ROWS rows.  */
template <typename T>
static int
window_of (int rows)
{
  static const int below[2][3] = { { 400, 1400, 2400 }, { 400, 1400, 3200 } };
  static const int sizes[] = { 48, 64, 96, LARGEST_WINDOW };
  int k = 0;
  while (k < 3 && rows >= below[is_complex<T>::value][k])
    k++;
  return sizes[k];
}

/* Deflations and sweeps until the bottom is reached.  */
template <typename T>
static gpueig_status
iterate_page (gpueig_context *ctx, iteration *it, T *h, T *z,
              iteration_memory<T> *m, int64_t limit, ge_schur_counts *counts)
{
  int stuck = 0;
  for (int64_t windows = 0; it->bottom >= 0; windows++)
    {
      const int size = window_of<T> (it->bottom + 1);
      deflation_result r;
      if (windows >= limit)
        return GPUEIG_NO_CONVERGENCE;
      GE_TRY (deflate_and_sweep (ctx, it, h, z, size,
                                 stuck > 0 && stuck % 6 == 0, m, &r, counts));
      stuck = r.deflated > 0 ? 0 : stuck + 1;
    }
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_schur_iterate (gpueig_context *ctx, int n, T *h, T *z, int whole,
                  int64_t limit, ge_schur_counts *counts)
{
  const iteration_memory<T> none = {};
  iteration_memory<T> m = none;
  iteration it = {
    n, largest_window<T> (ctx), whole, n - 1, n < 1000 ? 4 : 32, 0, 0, 0
  };
  const int most = GE_AT_MOST (n, (int) LARGEST_WINDOW);
  const int64_t square = (int64_t) GE_WINDOW_ORDER * GE_WINDOW_ORDER;
  const int mark = ge_mark (ctx);
  if (n == 0)
    return GPUEIG_OK;
  GE_TRY (prepare<T> (ctx, &it));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, GE_AT_LEAST (square, most * most), &m.u));
  GE_TRY (
      GE_ALLOC (ctx, GE_DEVICE, it.slots * GE_MOST_CHAINS * square, &m.ring));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, (int64_t) n * most, &m.work));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, LARGEST_WINDOW, &m.shift));
  GE_TRY (
      ge_aed_prepare<T> (ctx, &m.host, GE_AT_MOST (n, (int) HOST_ORDER), most));
  GE_TRY (ge_open_lanes (ctx, 1));
  it.later = ge_cuda_of (ctx)->copy[0];
  CU (cudaEventCreateWithFlags (&it.done, cudaEventDisableTiming));
  const double start = ge_now ();
  const gpueig_status status = iterate_page<T> (
      ctx, &it, h, z, &m, limit > 0 ? limit : 200 + 2 * n, counts);
  cudaEventDestroy (it.done);
  GE_TRY (order_streams (ctx, it.later, ge_cuda_of (ctx)->stream));
  counts->iteration_time += ge_now () - start;
  ge_release (ctx, mark);
  return status;
}

GE_INSTANTIATE (ge_schur_iterate)
