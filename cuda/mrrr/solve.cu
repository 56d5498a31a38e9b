/* gpu_mrrr on the GPU: pages, tridiagonal or dense.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "mrrr/solve.cuh"
#include "tridiagonal/stack.cuh"

#include <string.h>

/* Real to complex, one thread per element.  */
template <typename T, typename R>
static __global__ void
widen_kernel (int64_t count, const R *z, T *v)
{
  int64_t i = (int64_t) blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    {
      v[i].x = z[i];
      v[i].y = 0;
    }
}

template <typename T>
gpueig_status
ge_cuda_take_real_vectors (gpueig_context *ctx, ge_mrrr_page<T> *q)
{
  const int64_t count = q->n * q->count;
  q->v = (T *) q->z;
  if constexpr (is_complex<T>::value)
    if (q->z)
      {
        q->v = q->room;
        if (! q->v)
          GE_TRY (GE_ALLOC (ctx, GE_DEVICE, count, &q->v));
        GE_LAUNCH (widen_kernel, ge_blocks (count, 256), 256, 0, count, q->z,
                   q->v);
      }
  return GPUEIG_OK;
}

template <typename T>
gpueig_status
ge_cuda_solve_tridiagonal (gpueig_context *ctx, ge_mrrr_page<T> *q,
                           gpueig_info *info)
{
  ge_mrrr m;
  memset (&m, 0, sizeof m);
  ge_mrrr_choose (q->p, q->d, q->e, &m.il, &m.iu);
  q->count = m.iu >= m.il ? m.iu - m.il + 1 : 0;
  q->v = NULL;
  q->z = NULL;
  if (q->count == 0)
    return GPUEIG_OK;
  if (! is_complex<T>::value)
    q->z = (ge_real<T> *) q->room;
  if (q->p->v && ! q->z)
    GE_TRY (GE_ALLOC (ctx, GE_DEVICE, q->n * q->count, &q->z));
  m.ctx = ctx;
  m.ops = &ge_mrrr_gpu;
  m.n = q->n;
  m.is_double = sizeof (ge_real<T>) == sizeof (double);
  m.d = q->d;
  m.e = q->e;
  m.vectors = q->z != NULL;
  m.v = q->z;
  m.lambda = q->lambda;
  GE_TRY (ge_mrrr_solve (&m));
  ge_mrrr_fill_info (&m, info);
  return GPUEIG_OK;
}

GE_INSTANTIATE (ge_cuda_solve_tridiagonal)
GE_INSTANTIATE (ge_cuda_take_real_vectors)

template <typename T>
static gpueig_status
mrrr_page (gpueig_context *ctx, const gpueig_symmetric *p, int64_t page,
           gpueig_info *info)
{
  const int64_t n = p->n, columns = ge_part_columns (p);
  T *const v = p->v ? (T *) p->v + page * n * columns : NULL;
  ge_mrrr_page<T> q;
  int mark = ge_mark (ctx), exponent;
  memset (&q, 0, sizeof q);
  q.p = p;
  q.n = n;
  GE_TRY (ge_alloc_each (ctx, GE_HOST, n, &q.d, &q.e, &q.lambda));
  GE_TRY (ge_timer_start (ctx));
  if (p->a)
    GE_TRY (ge_cuda_solve_dense<T> (ctx, &q, (T *) p->a + page * n * n,
                                    &exponent, info));
  else
    {
      q.room = v;
      ge_mrrr_get_tridiagonal (p, page, q.d, q.e);
      GE_TRY (ge_cuda_solve_tridiagonal (ctx, &q, info));
      GE_TRY (ge_cuda_take_real_vectors (ctx, &q));
    }
  if (q.v && q.v != v)
    GE_TRY (ge_copy (ctx, v, (const T *) q.v, n * q.count));
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  ge_mrrr_put_values (p, page, q.count, q.lambda);
  return ge_close_frame (ctx, mark);
}

gpueig_status
ge_cuda_mrrr (gpueig_context *ctx, const void *problem, const ge_plan *plan,
              const gpueig_options *options, gpueig_info *info)
{
  const gpueig_symmetric *p = (const gpueig_symmetric *) problem;
  if (plan->method == GE_METHOD_MRRR_QL || plan->method == GE_METHOD_MRRR_DC)
    return ge_cuda_stack_eig (ctx, p, options, info);
  ge_info_method (info, "mrrr");
  for (int64_t page = 0; page < p->pages; page++)
    {
      GE_TRY (ge_check_interrupt (ctx));
      GE_TRY (GE_CUDA_BY_TYPE (p->type, mrrr_page, (ctx, p, page, info)));
      ge_report_pages (ctx, info->method, page + 1, p->pages);
    }
  return GPUEIG_OK;
}
