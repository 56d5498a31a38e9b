/* gpu_schur: Schur forms of pages by the QR algorithm, and their verification.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/blas.cuh"
#include "base/plugin.h"
#include "base/similarity.cuh"
#include "base/verify.cuh"
#include "schur/numbers.cuh"
#include "schur/schur.cuh"
#include "schur/reorder.cuh"

enum
{
  THREADS = 256
};

/* Clear the elements below the triangle, or below the subdiagonal of a real
   matrix, which have been work space.  One thread per element.  */
template <typename T>
__global__ void
clear_below (int64_t n, T *s)
{
  const int64_t e = blockIdx.x * (int64_t) blockDim.x + threadIdx.x;
  if (e < n * n && e % n > e / n + ! is_complex<T>::value)
    s[e] = zero<T> ();
}

/* The Frobenius norm.  */
template <typename T>
static gpueig_status
norm_of (gpueig_context *ctx, int64_t count, const T *a, double *norm)
{
  typedef ge_real<T> R;
  R value;
  CUBLAS (ge_nrm2 (ge_cuda_of (ctx)->blas,
                   count * (int64_t) (sizeof (T) / sizeof (R)), (const R *) a,
                   &value));
  *norm = value;
  return GPUEIG_OK;
}

/* *GOOD: S has the norm and the moments of A and, if U is not NULL, A U = U S and the columns
   of U are orthonormal, to rounding.  WORK: n-by-n.  */
template <typename T>
static gpueig_status
verify_form (gpueig_context *ctx, gpueig_type type, int64_t n, const T *a,
             const T *s, const T *u, T *work, int *good)
{
  cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  const cublasOperation_t no = CUBLAS_OP_N;
  const double eps
      = sizeof (ge_real<T>) == 8 ? DBL_EPSILON : (double) FLT_EPSILON;
  const double limit = (10 * (double) n + 30) * eps;
  double error = 0, orthogonality = 0;
  ge_moments of_a, of_s;
  GE_TRY (ge_schur_moments<T> (ctx, (int) n, a, &of_a));
  GE_TRY (ge_schur_moments<T> (ctx, (int) n, s, &of_s));
  if (u)
    {
      CUBLAS (ge_gemm (blas, no, no, n, n, n, 1, a, n, u, n, 0, work, n));
      CUBLAS (ge_gemm (blas, no, no, n, n, n, -1, u, n, s, n, 1, work, n));
      GE_TRY (norm_of (ctx, n * n, work, &error));
      GE_TRY (ge_cuda_orthogonality (ctx, n, n, u, &orthogonality));
    }
  *good = ge_moments_agree (type, n, &of_a, &of_s)
          && fabs (of_s.norm - of_a.norm) <= limit * of_a.norm
          && error <= limit * of_a.norm && orthogonality <= limit;
  return GPUEIG_OK;
}

template <typename T>
static gpueig_status
form_page (gpueig_context *ctx, const gpueig_schur_problem *g, int64_t at,
           int64_t limit, unsigned char *state, ge_schur_counts *counts,
           gpueig_info *info)
{
  const int64_t n = g->n, square = n * n;
  const T *const a = (const T *) g->a + at * square;
  T *const s = (T *) g->s + at * square, *const u
                                         = g->u ? (T *) g->u + at * square
                                                : NULL;
  T *work;
  int good = 0;
  const int mark = ge_mark (ctx);
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, square, &work));
  GE_TRY (ge_timer_start (ctx));
  GE_TRY (ge_copy (ctx, s, a, square));
  GE_TRY (ge_hessenberg<T> (ctx, (int) n, s, u, work));
  const gpueig_status status
      = ge_schur_iterate<T> (ctx, (int) n, s, u, 1, limit, counts);
  if (status != GPUEIG_OK && status != GPUEIG_NO_CONVERGENCE)
    return status;
  if (status == GPUEIG_OK)
    {
      GE_LAUNCH (clear_below<T>, ge_blocks (square, THREADS), THREADS, 0, n, s);
      GE_TRY (verify_form<T> (ctx, g->type, n, a, (const T *) s, (const T *) u,
                              work, &good));
    }
  GE_TRY (ge_timer_stop (ctx, &info->time_solve));
  state[at] = ! good;
  return ge_close_frame (ctx, mark);
}

gpueig_status
ge_cuda_schur (gpueig_context *ctx, const void *problem, const ge_plan *,
               const gpueig_options *options, gpueig_info *info)
{
  const ge_schur_problem *p = (const ge_schur_problem *) problem;
  const gpueig_schur_problem *g = &p->schur;
  ge_schur_counts counts = {};
  if (p->job)
    return ge_cuda_reorder (ctx, p, info);
  ge_info_method (info, "qr");
  for (int64_t i = 0; i < g->pages; i++)
    {
      GE_TRY (ge_check_interrupt (ctx));
      if (g->n > GE_MATRIX_ORDER)
        p->state[i] = 1;
      else
        GE_TRY (GE_CUDA_BY_TYPE (
            g->type, form_page,
            (ctx, g, i, options->max_sweeps, p->state, &counts, info)));
      ge_report_pages (ctx, "qr", i + 1, g->pages);
    }
  ge_schur_fill_info (&counts, info);
  return GPUEIG_OK;
}
