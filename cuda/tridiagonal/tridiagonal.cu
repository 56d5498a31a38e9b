/* Dense matrices to tridiagonal form and back: choice of one or two stages, see
   tridiagonal.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tridiagonal/tridiagonal.cuh"

#include "tridiagonal/band_reduction.cuh"
#include "tridiagonal/block_reflectors.cuh"
#include "tridiagonal/bulge_chasing.cuh"
#include "tridiagonal/chase_order.h"

#include <math.h>

/* The largest order in one stage, whose exchange takes 4 numbers of shared memory a
   row.  */
template <typename T>
static int64_t
one_stage_limit (gpueig_context *ctx)
{
  const int wide = sizeof (T) == sizeof (cuDoubleComplex);
  return ! wide                                           ? 2048
         : ge_cuda_of (ctx)->shared_per_block < 200 << 10 ? 1024
                                                          : 1536;
}

/* The bandwidth; 0 for one stage, -1 if the shared memory of this GPU is too
   small.  */
template <typename T>
static int
choose_bandwidth (gpueig_context *ctx, int64_t n)
{
  if (n <= one_stage_limit<T> (ctx))
    return 0;
  return ge_cuda_panels_fit<T> (ctx, n) ? GE_BAND : -1;
}

template <typename T>
int
ge_cuda_own_reduction_fits (gpueig_context *ctx, int64_t n)
{
  return ge_cuda_of (ctx)->clusters && choose_bandwidth<T> (ctx, n) >= 0;
}

template <typename T>
static gpueig_status
two_stages (gpueig_context *ctx, int64_t n, T *a, int vectors,
            ge_tridiagonal<T> *q, T *tau, ge_real<T> *d, ge_real<T> *e)
{
  packet_planes<T> band = { NULL, ge_band_packets (n) };
  if (vectors)
    {
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * (n - 1) / 2, &q->chase_v));
      GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * ge_chase_most_tasks (n, GE_BAND),
                        &q->chase_tau));
    }
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, packet<T>::PARTS * band.apart, &band.part));
  GE_TRY (ge_cuda_reduce_to_band<T> (ctx, n, a, q->chase_v, band, tau));
  ge_cuda_report (ctx, "band of width %d to tridiagonal form", GE_BAND);
  GE_TRY (
      ge_cuda_chase_bulges<T> (ctx, n, band, d, e, q->chase_v, q->chase_tau));
  return ge_close_frame (ctx, mark);
}

/* Two stages: the reflectors of the chase, and the larger one of the work spaces of the
   reduction and of the way back, whose own reflectors may have blocks of the former, twice
   as large as they must be.  One stage: Q and its product.  */
template <typename T>
double
ge_cuda_tridiagonal_bytes (gpueig_context *ctx, int64_t n, int64_t columns)
{
  const int b = choose_bandwidth<T> (ctx, n);
  const double order = (double) n;
  if (b <= 0)
    return (columns > 0 ? (2 - is_complex<T>::value) * order + 4608 : 4608)
           * order * sizeof (T);
  const double reduction = (double) ge_band_packets (n) * sizeof (packet<T>)
                           + ge_cuda_band_bytes<T> (ctx, n, columns > 0);
  if (columns == 0)
    return reduction;
  const double back = 2 * ge_cuda_reflectors_bytes<T> (n, n - b, b, columns)
                      + ge_cuda_chase_back_bytes<T> (ctx, n, columns);
  return (order / 2 + (double) ge_chase_most_tasks (n, b)) * order * sizeof (T)
         + fmax (reduction, back);
}

template <typename T>
gpueig_status
ge_cuda_tridiagonalize (gpueig_context *ctx, int64_t n, T *a, int vectors,
                        ge_tridiagonal<T> *q, ge_real<T> *d, ge_real<T> *e)
{
  T *tau;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n, &tau));
  q->n = n;
  q->b = choose_bandwidth<T> (ctx, n);
  q->v = a;
  q->tau = tau;
  q->chase_v = q->chase_tau = q->q = NULL;
  if (q->b < 0)
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                        "order %lld is too large for the shared memory of this "
                        "GPU",
                        (long long) n);
  if (q->b == 0)
    return ge_cuda_one_stage<T> (ctx, n, a, vectors, d, e, tau);
  return two_stages<T> (ctx, n, a, vectors, q, tau, d, e);
}

template <typename T>
gpueig_status
ge_cuda_prepare_back (gpueig_context *ctx, int whole, ge_tridiagonal<T> *q)
{
  const int64_t n = q->n;
  const int shift = q->b > 0 ? q->b : 1;
  GE_TRY (ge_cuda_reflector_factors<T> (ctx, n, n - shift, shift, q->v, q->tau,
                                        &q->t));
  if (! whole || q->b > 0)
    return GPUEIG_OK;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * n, &q->q));
  return ge_cuda_apply_reflectors<T> (ctx, n, n - shift, shift, q->v, q->t, n,
                                      1, q->q);
}

template <typename T>
gpueig_status
ge_cuda_transform_back (gpueig_context *ctx, const ge_tridiagonal<T> *q,
                        int64_t columns, T *z)
{
  if (q->b > 0)
    GE_TRY (ge_cuda_chase_back<T> (ctx, q->n, q->chase_v, q->chase_tau, columns,
                                   z));
  if (q->b > 0)
    ge_cuda_report (ctx, "back through the reduction to a band");
  const int shift = q->b > 0 ? q->b : 1;
  return ge_cuda_apply_reflectors<T> (ctx, q->n, q->n - shift, shift, q->v,
                                      q->t, columns, 0, z);
}

GE_INSTANTIATE (ge_cuda_own_reduction_fits)
GE_INSTANTIATE (ge_cuda_tridiagonal_bytes)
GE_INSTANTIATE (ge_cuda_tridiagonalize)
GE_INSTANTIATE (ge_cuda_prepare_back)
GE_INSTANTIATE (ge_cuda_transform_back)
