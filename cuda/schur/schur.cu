/* General pages by the QR algorithm: balancing, Hessenberg form, Schur form,
   eigenvectors, and verification.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/blas.cuh"
#include "base/similarity.cuh"
#include "base/verify.cuh"
#include "plan/forms.h"
#include "base/teams.cuh"
#include "schur/numbers.cuh"
#include "schur/schur.cuh"
#include "base/balancing.h"
#include "schur/balance.h"
#include "base/solver.h"

enum
{
  THREADS = 256,
  WARPS = THREADS / 32
};

/* A residual that vectors without balancing hardly exceed, in units of n eps.  */
#define USUAL_RESIDUAL 0.5

/* --- small kernels --- */

/* TO = A, or its conjugate transpose.  */
template <typename T>
__global__ void
complex_copy (int64_t n, const T *a, int adjoint, ge_complex<T> *to)
{
  const int64_t e = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  if (e >= n * n)
    return;
  const T x = a[adjoint ? e / n + e % n * n : e];
  to[e] = make_number<ge_complex<T>> (
      real_part (x), adjoint ? -imaginary_part (x) : imaginary_part (x));
}

template <typename T>
GE_DEVICE_INLINE ge_complex<T>
value_at (const T *s, int i, int n)
{
  if constexpr (is_complex<T>::value)
    return s[i + i * n];
  else
    {
      const int second = i > 0 && s[i + (i - 1) * n] != 0;
      const int k = i - second;
      auto value = make_number<ge_complex<T>> (s[i + i * n], 0);
      if (k + 1 < n && s[k + 1 + k * n] != 0)
        value.y = sqrt (fabs (s[k + 1 + k * n]))
                  * sqrt (fabs (s[k + (k + 1) * n])) * (second ? -1 : 1);
      return value;
    }
}

template <typename T>
__global__ void
schur_values (int n, const T *s, ge_complex<T> *lambda)
{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    lambda[i] = value_at (s, i, n);
}

template <typename T>
gpueig_status
ge_schur_values (gpueig_context *ctx, int n, const T *s, ge_complex<T> *lambda)
{
  GE_LAUNCH (schur_values<T>, ge_blocks (n, THREADS), THREADS, 0, n, s, lambda);
  return GPUEIG_OK;
}

/* The terms of ge_moments in which row and column I meet, five numbers at SUMS + 5 I.  One
   block per row.  */
template <typename T>
GE_KERNEL (THREADS)
sum_moments (int n, const T *a, double *sums)
{
  __shared__ double space[WARPS];
  const int i = blockIdx.x;
  double re = 0, im = 0, norm = 0;
  for (int k = threadIdx.x; k < n; k += THREADS)
    {
      const T x = a[k + i * n], y = a[i + k * n];
      const double p = real_part (x), q = imaginary_part (x);
      const double u = real_part (y), v = imaginary_part (y);
      re += p * u - q * v;
      im += p * v + q * u;
      norm += p * p + q * q;
    }
  re = block_sum (re, space, WARPS);
  im = block_sum (im, space, WARPS);
  norm = block_sum (norm, space, WARPS);
  if (threadIdx.x != 0)
    return;
  sums += 5 * i;
  sums[0] = real_part (a[i + i * n]);
  sums[1] = imaginary_part (a[i + i * n]);
  sums[2] = re;
  sums[3] = im;
  sums[4] = norm;
}

template <typename T>
gpueig_status
ge_schur_moments (gpueig_context *ctx, int n, const T *a, ge_moments *m)
{
  const int mark = ge_mark (ctx);
  double *sums, *host;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 5 * (int64_t) n, &sums));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 5 * (int64_t) n, &host));
  GE_LAUNCH (sum_moments<T>, n, THREADS, 0, n, a, sums);
  GE_TRY (ge_fetch (ctx, host, sums, 5 * (int64_t) n));
  *m = {};
  for (int64_t i = 0; i < n; i++)
    {
      for (int part = 0; part < 2; part++)
        {
          m->trace[part] += host[5 * i + part];
          m->squares[part] += host[5 * i + 2 + part];
        }
      m->norm += host[5 * i + 4];
    }
  m->norm = sqrt (m->norm);
  return ge_close_frame (ctx, mark);
}

/* --- balancing --- */

/* *NEEDED = 1 if a row or column of A has no nonzero element off the diagonal,
   or if the 2-norms of a row and its column differ so much that scaling pays.
   The largest elements are near 1; where squares underflow it is taken as
   needed.  One block per row and column.  */
template <typename T>
GE_KERNEL (THREADS)
detect_imbalance (int n, const T *a, int *needed)
{
  typedef ge_real<T> R;
  __shared__ R space[WARPS];
  const int i = blockIdx.x;
  R row = 0, column = 0, rest = 0, other = 0;
  for (int k = threadIdx.x; k < n; k += THREADS)
    {
      const R x = abs2 (a[k + i * n]), y = abs2 (a[i + k * n]);
      column += x;
      row += y;
      rest += k == i ? 0 : x;
      other += k == i ? 0 : y;
    }
  row = block_sum (row, space, WARPS);
  column = block_sum (column, space, WARPS);
  rest = block_sum (rest, space, WARPS);
  other = block_sum (other, space, WARPS);
  if (threadIdx.x != 0)
    return;
  if (balancing_scales (column, row, rest, other))
    *needed = 1;
}

/* State of a page.  */
template <typename T> struct page
{
  typedef ge_real<T> R;
  int n;
  gpueig_type type;
  const T *a;                     /* the matrix */
  T *h, *z, *x, *work;            /* its Schur form, vectors, space */
  ge_complex<T> *lambda, *values; /* on the device and on the host */
  int *order;                     /* of balancing, or NULL */
  R *scale;
  int doubtful; /* base/balancing.h */
};

/* H <- A, balanced if WANTED and if it pays.  */
template <typename T>
static gpueig_status
prepare_page (gpueig_context *ctx, page<T> *p, int wanted, gpueig_info *info)
{
  typedef ge_real<T> R;
  const int n = p->n;
  int *needed, *order, *space, found = 0;
  R *scale;
  T *host, *b;
  GE_TRY (ge_copy (ctx, p->h, p->a, (int64_t) n * n));
  p->order = NULL;
  p->scale = NULL;
  if (! wanted)
    return GPUEIG_OK;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 1, &needed));
  GE_TRY (ge_clear (ctx, needed, 1));
  GE_LAUNCH (detect_imbalance<T>, n, THREADS, 0, n, p->a, needed);
  GE_TRY (ge_fetch (ctx, &found, needed, 1));
  if (! found)
    return GPUEIG_OK;
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, n, &p->order, &p->scale));
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &order));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, 3 * (int64_t) n, &space));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &scale));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, (int64_t) n * n, &b));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, (int64_t) n * n, &host));
  GE_TRY (ge_download (ctx, host, p->a, (int64_t) n * n, info));
  GE_BY_TYPE (p->type, ge_balance, (n, host, b, order, scale, space));
  R least = scale[0], most = scale[0];
  for (int i = 1; i < n; i++)
    {
      least = scale[i] < least ? scale[i] : least;
      most = scale[i] > most ? scale[i] : most;
    }
  p->doubtful = (double) most > GE_DOUBTFUL_SPREAD * (double) least;
  GE_TRY (ge_upload (ctx, p->h, b, (int64_t) n * n, info));
  GE_TRY (ge_put (ctx, p->order, order, n));
  GE_TRY (ge_send (ctx, p->scale, scale, n));
  return ge_close_frame (ctx, mark);
}

/* --- the vectors' form --- */

/* An unnormalized vector: a column, or the real and imaginary part of a pair.
   SCALE: of balancing, or NULL.  */
template <typename T> struct raw_vector
{
  typedef ge_real<T> R;
  typedef ge_complex<T> C;
  const T *re, *im;
  const R *scale;
  int pair, left;
  R f, g; /* factors applied before and after SCALE */

  __device__ __forceinline__ C
  operator() (int i) const
  {
    const C x = make_number<C> (
        real_part (re[i]), pair ? real_part (im[i]) : imaginary_part (re[i]));
    const R d = ! scale ? 1 : left ? 1 / scale[i] : scale[i];
    return times (g, times (d, times (f, x)));
  }

  /* The largest modulus of its elements; called by all threads of the
     block.  */
  __device__ __forceinline__ R
  largest (int n, R *space) const
  {
    R size = 0;
    for (int i = threadIdx.x; i < n; i += THREADS)
      size = larger_of<R> () (abs1 ((*this) (i)), size);
    return block_max (size, space, WARPS);
  }
};

/* V: the columns of X in the coordinates of A, of 2-norm 1, the element of
   largest modulus real in complex ones.  ORDER and SCALE of balancing or NULL.
   One block per column, or per pair of a real matrix.  */
template <typename T>
GE_KERNEL (THREADS)
form_vectors (int n, const T *x, const ge_complex<T> *lambda, const int *order,
              const ge_real<T> *scale, int left, ge_complex<T> *v)
{
  typedef ge_real<T> R;
  typedef ge_complex<T> C;
  __shared__ R space[WARPS];
  __shared__ ranked<R> places[WARPS];
  const int j = blockIdx.x, real = ! is_complex<T>::value;
  if (real && lambda[j].y < 0)
    return;
  const int pair = real && lambda[j].y > 0;
  raw_vector<T> y = { x + j * n, x + (j + 1) * n, NULL, pair, left, 1, 1 };
  /* Normalised first without, then with SCALE, so that no product
     overflows.  */
  R size = y.largest (n, space);
  y.f = size > 0 ? 1 / size : 0;
  if (scale)
    {
      y.scale = scale;
      size = y.largest (n, space);
      y.g = size > 0 ? 1 / size : 0;
    }
  R sum = 0;
  ranked<R> best = { -1, 0 };
  for (int i = threadIdx.x; i < n; i += THREADS)
    {
      const ranked<R> here = { abs2 (y (i)), i };
      sum += here.value;
      best = first_largest () (best, here);
    }
  sum = block_sum (sum, space, WARPS);
  best = block_reduce<first_largest> (best, places, WARPS);
  const R norm = 1 / sqrt (sum);
  C phase = make_number<C> (norm, 0);
  if (! real || pair)
    phase = times (norm / sqrt (best.value), conjugate (y (best.at)));
  for (int i = threadIdx.x; i < n; i += THREADS)
    {
      C z = times (y (i), phase);
      if (i == best.at)
        z.y = 0;
      const int row = order ? order[i] : i;
      v[row + (int64_t) j * n] = z;
      if (pair)
        v[row + (int64_t) (j + 1) * n] = conjugate (z);
    }
}

/* The residual of the vectors V, right ones of A or left ones.  */
template <typename T>
static gpueig_status
verify_page (gpueig_context *ctx, const page<T> *p, const ge_complex<T> *v,
             int left, double *error)
{
  typedef ge_complex<T> C;
  const int64_t n = p->n;
  const int mark = ge_mark (ctx);
  double ignored;
  C *copy, *values = p->values;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * n, &copy));
  GE_LAUNCH (complex_copy<T>, ge_blocks (n * n, THREADS), THREADS, 0, n, p->a,
             left, copy);
  if (left)
    {
      GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &values));
      for (int64_t i = 0; i < n; i++)
        {
          values[i].x = p->values[i].x;
          values[i].y = -p->values[i].y;
        }
    }
  GE_TRY (ge_cuda_eigenpairs<C> (ctx, n, n, copy, v, values, &ignored, error));
  return ge_close_frame (ctx, mark);
}

/* Compute right or left vectors, to OUT unless that is NULL; *WORST becomes at least their
   residual.  */
template <typename T>
static gpueig_status
find_vectors (gpueig_context *ctx, const page<T> *p, int left,
              ge_complex<T> *out, double *worst, gpueig_info *info)
{
  const int n = p->n;
  const int mark = ge_mark (ctx);
  double error;
  ge_complex<T> *v = out;
  if (! out)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, (int64_t) n * n, &v));
  GE_TRY (ge_timer_start (ctx));
  GE_TRY (ge_schur_vectors<T> (ctx, n, p->h, p->lambda, p->values, left, p->z,
                               p->x, p->work));
  GE_LAUNCH (form_vectors<T>, n, THREADS, 0, n, p->x, p->lambda, p->order,
             p->scale, left, v);
  GE_TRY (verify_page<T> (ctx, p, v, left, &error));
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  *worst = error > *worst ? error : *worst;
  return ge_close_frame (ctx, mark);
}

/* --- pages --- */

template <typename C>
static int
finite_values (int64_t n, const C *x)
{
  int good = 1;
  for (int64_t i = 0; i < n; i++)
    good &= isfinite (x[i].x) && isfinite (x[i].y);
  return good;
}

/* *ERROR: 0 if the eigenvalues, without vectors, have the moments of A, else INFINITY.  */
template <typename T>
static gpueig_status
verify_values (gpueig_context *ctx, const page<T> *p, double *error)
{
  ge_moments m;
  GE_TRY (ge_schur_moments<T> (ctx, p->n, p->a, &m));
  *error = ge_values_agree (p->type, p->n, &m, p->values) ? 0 : INFINITY;
  return GPUEIG_OK;
}

/* Solve page AT of G, balanced if BALANCE.  *ERROR: the residual of its vectors, relative to
   A; INFINITY if the iteration does not converge, or an eigenvalue is not finite or wrong.  */
template <typename T>
static gpueig_status
try_page (gpueig_context *ctx, const gpueig_general *g, int64_t at, int balance,
          int64_t limit, page<T> *p, ge_schur_counts *counts, double *error,
          gpueig_info *info)
{
  typedef ge_complex<T> C;
  const int64_t n = g->n, square = n * n;
  C *v = g->v ? (C *) g->v + at * square : NULL;
  C *w = g->w ? (C *) g->w + at * square : NULL;
  GE_TRY (prepare_page (ctx, p, balance, info));
  if ((v || w || p->doubtful) && ! p->z)
    GE_TRY (ge_alloc_each (ctx, GE_DEVICE, square, &p->z, &p->x));
  GE_TRY (ge_timer_start (ctx));
  const double start = ge_now ();
  GE_TRY (ge_hessenberg<T> (ctx, p->n, p->h, p->z, p->work));
  GE_TRY (ge_wait (ctx));
  counts->hessenberg_time += ge_now () - start;
  const gpueig_status status = ge_schur_iterate<T> (
      ctx, p->n, p->h, p->z, p->z != NULL, limit, counts);
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  GE_TRY (ge_schur_values<T> (ctx, p->n, p->h, p->lambda));
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  GE_TRY (ge_fetch (ctx, p->values, (const C *) p->lambda, n));
  *error = status == GPUEIG_OK && finite_values (n, p->values) ? 0 : INFINITY;
  if (*error == 0 && ! p->z)
    return verify_values (ctx, p, error);
  if (*error == 0 && (v || p->doubtful))
    GE_TRY (find_vectors<T> (ctx, p, 0, v, error, info));
  if (*error < INFINITY && (w || p->doubtful))
    GE_TRY (find_vectors<T> (ctx, p, 1, w, error, info));
  return GPUEIG_OK;
}

/* G->state[page] becomes nonzero where LAPACK must solve the page again.  Where balancing
   was doubtful and the residual is larger than usual, the better result of balancing and
   of none is kept.  */
template <typename T>
static gpueig_status
solve_page (gpueig_context *ctx, const gpueig_general *g, int64_t at,
            int64_t limit, ge_schur_counts *counts, gpueig_info *info)
{
  const int64_t n = g->n, square = n * n;
  const double unit
      = (double) n
        * (gpueig_is_double (g->type) ? DBL_EPSILON : (double) FLT_EPSILON);
  page<T> p = {};
  double error;
  const int mark = ge_mark (ctx);
  p.n = (int) n;
  p.type = g->type;
  p.a = (const T *) g->a + at * square;
  p.lambda = (ge_complex<T> *) g->lambda + at * n;
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, square, &p.h, &p.work));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &p.values));
  GE_TRY (
      try_page<T> (ctx, g, at, g->balance, limit, &p, counts, &error, info));
  if (p.doubtful && error > USUAL_RESIDUAL * unit)
    {
      const double balanced = error;
      GE_TRY (try_page<T> (ctx, g, at, 0, limit, &p, counts, &error, info));
      if (error > balanced)
        GE_TRY (try_page<T> (ctx, g, at, 1, limit, &p, counts, &error, info));
    }
  g->state[at] = ! (error <= 10 * unit + 30 * unit / (double) n);
  return ge_close_frame (ctx, mark);
}

void
ge_schur_fill_info (const ge_schur_counts *counts, gpueig_info *info)
{
  ge_info_extra (info, "windows", (double) counts->windows);
  ge_info_extra (info, "qr_sweeps", (double) counts->sweeps);
  ge_info_extra (info, "ticks", (double) counts->ticks);
  ge_info_extra (info, "host_time", counts->host_time);
  ge_info_extra (info, "hessenberg_time", counts->hessenberg_time);
  ge_info_extra (info, "iteration_time", counts->iteration_time);
}

static gpueig_status
one_by_one (gpueig_context *ctx, const gpueig_general *g, int64_t limit,
            gpueig_info *info)
{
  ge_schur_counts counts = {};
  for (int64_t p = 0; p < g->pages; p++)
    {
      GE_TRY (ge_check_interrupt (ctx));
      if (g->n > GE_MATRIX_ORDER)
        g->state[p] = 1;
      else
        GE_TRY (GE_CUDA_BY_TYPE (g->type, solve_page,
                                 (ctx, g, p, limit, &counts, info)));
      ge_report_pages (ctx, "qr", p + 1, g->pages);
    }
  ge_schur_fill_info (&counts, info);
  return GPUEIG_OK;
}

gpueig_status
ge_cuda_schur_qr (gpueig_context *ctx, const gpueig_general *g, int ordered,
                  const ge_plan *plan, const gpueig_options *options,
                  gpueig_info *info)
{
  const int64_t limit = plan->named ? options->max_sweeps : 0,
                pages = ge_stack_pages (ctx, g->pages);
  ge_info_method (info, "qr");
  return ge_general_by_teams (g->n, pages) && (ordered || pages > 1)
             ? ge_cuda_schur_stack (ctx, g, ordered, limit, info)
             : one_by_one (ctx, g, limit, info);
}

gpueig_status
ge_cuda_eig_general (gpueig_context *ctx, const void *problem,
                     const ge_plan *plan, const gpueig_options *options,
                     gpueig_info *info)
{
  return ge_cuda_schur_qr (ctx, (const gpueig_general *) problem, 0, plan,
                           options, info);
}

GE_INSTANTIATE (ge_schur_moments)
GE_INSTANTIATE (ge_schur_values)
