/* Reduction of a full matrix to a band, see band_reduction.cuh.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "tridiagonal/band_reduction.cuh"

#include "base/launch.cuh"
#include "base/mirror.cuh"
#include "base/three_products.cuh"
#include "tridiagonal/block_reflectors.cuh"
#include "tridiagonal/panel_update.cuh"
#include "tridiagonal/symmetric_product.cuh"
#include "tridiagonal/tall_panel.cuh"
#include "tridiagonal/tridiagonal.cuh"

#include <string.h>

enum
{
  LOWER_FROM = 2048, /* the least order of which A V takes the lower triangle */
  LOWER_COLUMNS = 2048, /* of a product for the lower triangle of an update */
  AT_ONCE = 256         /* columns of V whose update is applied at once */
};

/* --- small kernels --- */

/* Copy column j of the diagonal blocks to the band and clear it above its panel's
   reflectors, or all of it if it has none.  One block per column.  */
template <typename T>
static __global__ void
finish_kernel (int64_t n, T *a, packet_planes<T> band)
{
  const int64_t j = blockIdx.x, block_end = j - j % GE_BAND + GE_BAND;
  const int64_t rows = j + GE_BAND < n ? block_end : n;
  for (int64_t i = threadIdx.x; i < rows; i += blockDim.x)
    {
      const T value = a[i + n * j];
      if (i >= j && i < block_end)
        send_number (band + (i - j + GE_BAND_ROWS * j),
                     i > j ? value : make_number<T> (real_part (value), 0), 0);
      a[i + n * j] = zero<T> ();
    }
}

/* --- the panel --- */

template <typename T>
static ge_resident_launch<panel<T>>
panel_launch (void)
{
  ge_resident_launch<panel<T>> l = {};
  l.kernel = panel_kernel<T>;
  l.name = "panel_kernel";
  l.threads = PANEL_THREADS;
  l.cluster = 1;
  l.shared = panel_shared_bytes<T> ();
  return l;
}

/* RESIDENT: the most blocks of the kernel.  */
template <typename T>
static gpueig_status
factorise_panel (gpueig_context *ctx, panel<T> p, int64_t resident)
{
  const int64_t rows = 32 * panel_rows<T> ();
  ge_resident_launch<panel<T>> l = panel_launch<T> ();
  l.blocks = (p.m + rows - 1) / rows;
  if (resident < l.blocks)
    return gpueig_fail (ctx, GPUEIG_SOLVER_FAILED,
                        "a panel of %lld rows is too large for this GPU",
                        (long long) p.m);
  p.rows = (int) ((p.m + l.blocks - 1) / l.blocks);
  return ge_cuda_launch_resident (ctx, l, p);
}

template <typename T>
int
ge_cuda_panels_fit (gpueig_context *ctx, int64_t n)
{
  return n <= ge_cuda_of (ctx)->multiprocessors * 32 * panel_rows<T> ();
}

/* --- the driver --- */

template <typename T> struct band_reduction
{
  int64_t n;
  T *a, *tau;
  packet_planes<T> band;
  int64_t columns;    /* of V whose update is due */
  T *left, *right;    /* n-by-2 AT_ONCE: [V W], [W V] of each panel */
  T *gram;            /* b-by-b */
  T *parts;           /* of V' X */
  T *factor;          /* 2b-by-b */
  T *small;           /* b by 2 AT_ONCE */
  panel<T> p;         /* buffers of its messages */
  int64_t resident;   /* blocks of panel_kernel, at most */
  int64_t lower_from; /* LOWER_FROM, or above all orders */
  T *lower_parts;     /* work space of symmetric_times */
  unsigned *failed;
};

/* Apply the pending update to COUNT columns from FIRST on, rows from FIRST
   on.  */
template <typename T>
static gpueig_status
update_columns (gpueig_context *ctx, const band_reduction<T> *q, int64_t first,
                int64_t count)
{
  typedef ge_real<T> R;
  const int64_t n = q->n;
  if (q->columns == 0)
    return GPUEIG_OK;
  CUBLAS (ge_gemm (ge_cuda_of (ctx)->blas, CUBLAS_OP_N, ge_adjoint<T> (),
                   n - first, count, 2 * q->columns, (R) -1, q->left + first, n,
                   q->right + first, n, (R) 1, q->a + first + n * first, n));
  return GPUEIG_OK;
}

/* Apply the pending update to the panel whose first column is FIRST and to its diagonal block,
   and factorise it: V, R, V' V and tau.  */
template <typename T>
static gpueig_status
panel_reflectors (gpueig_context *ctx, band_reduction<T> *q, int64_t first)
{
  const int64_t n = q->n, row = first + GE_BAND;
  panel<T> p = q->p;
  p.m = n - row;
  p.lda = n;
  p.p = q->a + row + n * first;
  p.copies[0] = q->left + row + n * (2 * q->columns);
  p.copies[1] = q->right + row + n * (2 * q->columns + GE_BAND);
  p.r = q->band + (GE_BAND_ROWS * first + GE_BAND);
  p.ld_r = GE_BAND_ROWS - 1;
  p.tau = q->tau + first;
  p.gram = q->gram;
  p.base = (unsigned) first;
  if (p.m >= TALL_ROWS)
    {
      const pending<T> update = { q->left + first, q->right + first, n, n,
                                  (int) (2 * q->columns / TALL) };
      GE_TRY (factorise_tall_panel<T> (ctx, p, update, q->parts, q->small,
                                       q->failed));
      p.done = q->failed + 1;
    }
  else
    GE_TRY (update_columns (ctx, q, first, GE_BAND));
  return factorise_panel<T> (ctx, p, q->resident);
}

/* W of that panel, which together with V is added to the pending update.  X is
   computed in the place of W in R, next to V, so that W = [X V] F is one
   product.  */
template <typename T>
static gpueig_status
panel_update (gpueig_context *ctx, band_reduction<T> *q, int64_t first)
{
  typedef ge_real<T> R;
  ge_cuda *cuda = ge_cuda_of (ctx);
  const cublasOperation_t none = CUBLAS_OP_N;
  const int64_t n = q->n, b = GE_BAND, row = first + b, m = n - row;
  const int64_t due = 2 * q->columns;
  const T *v = q->a + row + n * first;
  T *x = q->right + row + n * due, *w = q->left + row + n * (due + b);
  const T *const a = q->a + row + n * row;
  if constexpr (std::is_same_v<T, double>)
    if (m >= q->lower_from)
      GE_TRY (symmetric_times (ctx, (int) m, a, v, x, n, q->lower_parts));
  if (m < q->lower_from)
    CUBLAS (ge_gemm (cuda->blas, none, none, m, b, m, (R) 1, a, n, v, n, (R) 0,
                     x, n));
  if (due > 0)
    CUBLAS (ge_gemm (cuda->blas, ge_adjoint<T> (), none, b, due, m, (R) 1, v, n,
                     q->right + row, n, (R) 0, q->small, b));
  const pending<T> update
      = { q->left + row, q->small, n, b, (int) (due / TALL) };
  GE_TRY (two_sided_vectors<T> (ctx, m, v, x, w, update, q->gram,
                                q->tau + first, q->parts, q->factor));
  q->columns += b;
  return GPUEIG_OK;
}

/* Apply the pending update to A (first:n, first:n): its lower triangle by matrix
   products, which is then mirrored for the panels that take both triangles.  In complex
   double precision most of it by products of three real ones.  */
template <typename T>
static gpueig_status
update_rest (gpueig_context *ctx, band_reduction<T> *q, int64_t first)
{
  cublasHandle_t blas = ge_cuda_of (ctx)->blas;
  constexpr bool three_products = std::is_same_v<T, cuDoubleComplex>;
  const int64_t n = q->n, m = n - first, k = 2 * q->columns;
  const int64_t most = three_products ? (int64_t) LOWER_COLUMNS : m;
  T *a = q->a + first + n * first;
  for (int64_t j = 0; j < m; j += most)
    {
      const int64_t end = j + most < m ? j + most : m;
      const T *l = q->left + first, *r = q->right + first + j;
      CUBLAS (ge_herkx (blas, CUBLAS_FILL_MODE_LOWER, end - j, k, -1, l + j, n,
                        r, n, 1, a + j * (n + 1), n));
      if (end < m)
        CUBLAS (ge_large_product<T> (blas, CUBLAS_OP_N, ge_adjoint<T> (),
                                     m - end, end - j, k, -1, l + end, n, r, n,
                                     1, a + end + n * j, n));
    }
  if (m - q->columns < q->lower_from)
    GE_TRY (ge_mirror (ctx, m, 1, a, n));
  q->columns = 0;
  return GPUEIG_OK;
}

/* Nonzero if A V is computed from the lower triangle, from order LOWER_FROM on.  */
template <typename T>
static bool
takes_lower_triangle (gpueig_context *ctx, int64_t n)
{
  return std::is_same_v<T, double> && n >= LOWER_FROM
         && ge_shared_fits (ctx, sizeof (unit_memory));
}

template <typename T>
static gpueig_status
prepare (gpueig_context *ctx, band_reduction<T> *q, T *work)
{
  const int64_t n = q->n, b = GE_BAND, due = 2 * AT_ONCE;
  const int64_t blocks = ge_cuda_of (ctx)->multiprocessors;
  GE_TRY (ge_cuda_resident_blocks (ctx, panel_launch<T> (), &q->resident));
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, n * due, &q->left, &q->right));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, b * b, &q->gram));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, GRAM_PARTS * b * b, &q->parts));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2 * b * b, &q->factor));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, due * b, &q->small));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, 2, &q->failed));
  GE_TRY (ge_clear (ctx, q->failed, 2));
  q->lower_from = INT64_MAX;
  if (takes_lower_triangle<T> (ctx, n))
    {
      const int64_t numbers = symmetric_parts (ctx, n);
      q->lower_from = LOWER_FROM;
      q->lower_parts = work;
      if (! work || numbers > n * (n - 1) / 2)
        GE_TRY (GE_ALLOC (ctx, GE_DEVICE, numbers, &q->lower_parts));
    }
  const int64_t messages = 2 * (blocks + 1) * b;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, messages, &q->p.messages));
  return ge_clear (ctx, q->p.messages, messages);
}

template <typename T>
double
ge_cuda_band_bytes (gpueig_context *ctx, int64_t n, int has_work)
{
  const double b = GE_BAND, due = 2 * AT_ONCE;
  double numbers
      = 2 * (double) n * due + (GRAM_PARTS + 3) * b * b + (due + 2) * b;
  if (takes_lower_triangle<T> (ctx, n))
    {
      const int64_t parts = symmetric_parts (ctx, n);
      numbers += has_work && parts <= n * (n - 1) / 2 ? 0 : (double) parts;
    }
  return numbers * sizeof (T)
         + 2 * b * (ge_cuda_of (ctx)->multiprocessors + 1) * sizeof (packet<T>);
}

template <typename T>
gpueig_status
ge_cuda_reduce_to_band (gpueig_context *ctx, int64_t n, T *a, T *work,
                        packet_planes<T> band, T *tau)
{
  const int mark = ge_mark (ctx);
  int64_t first = 0;
  band_reduction<T> q;
  memset (&q, 0, sizeof q);
  q.n = n;
  q.a = a;
  q.band = band;
  q.tau = tau;
  GE_TRY (prepare (ctx, &q, work));
  GE_TRY (ge_clear (ctx, band.part, packet<T>::PARTS * ge_band_packets (n)));
  GE_TRY (ge_clear (ctx, tau, n));
  for (; n - first > GE_BAND; first += GE_BAND)
    {
      if (q.columns == AT_ONCE)
        {
          GE_TRY (update_rest (ctx, &q, first));
          if (n >= GE_STOPPABLE)
            GE_TRY (ge_cuda_check_interrupt (ctx));
        }
      GE_TRY (panel_reflectors (ctx, &q, first));
      GE_TRY (panel_update (ctx, &q, first));
    }
  GE_TRY (update_columns (ctx, &q, first, n - first));
  GE_LAUNCH (finish_kernel, (unsigned) n, 256, 0, n, a, band);
  return ge_close_frame (ctx, mark);
}

GE_INSTANTIATE (ge_cuda_band_bytes)
GE_INSTANTIATE (ge_cuda_reduce_to_band)
GE_INSTANTIATE (ge_cuda_panels_fit)
