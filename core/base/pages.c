/* Pages of a stack side by side on the CPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/solver.h"

#include <omp.h>

enum
{
  /* Below this order pages run side by side, above it LAPACK's own threads do
     more.  */
  SIDE_BY_SIDE = 300
};

int
ge_page_threads (int64_t n, int64_t pages)
{
  int threads = n < SIDE_BY_SIDE ? ge_threads () : 1;
  /* Less than a tenth of a millisecond: waking threads up costs more.  */
  double seconds = (double) pages * (3e-6 + 1e-8 * (double) (n * n * n));
  if (seconds < 1e-4)
    return 1;
  return threads > pages ? (int) pages : threads;
}

gpueig_status
ge_for_pages (gpueig_context *ctx, int64_t n, int64_t pages, int threads,
              ge_page_work *work, void *data, int *worst)
{
  gpueig_status status = GPUEIG_OK;
  int failed = 0;
  int old = threads > 1 || n < GE_ONE_THREAD ? ge_blas_threads (1) : 0;

  /* Between chunks of some hundredths of a second the user may stop it.  */
  int64_t chunk = 1 + (int64_t) threads * 4000000 / (1 + n * n * n);
  for (int64_t start = 0; start < pages && ! failed; start += chunk)
    {
      int64_t stop = start + chunk < pages ? start + chunk : pages;
      status = ge_check_interrupt (ctx);
      if (status != GPUEIG_OK)
        break;
#pragma omp parallel for schedule(dynamic) num_threads(threads)                \
    reduction(max                                                              \
              : failed) if (threads > 1)
      for (int64_t i = start; i < stop; i++)
        {
          int result = work (data, i, omp_get_thread_num ());
          failed = result > failed ? result : failed;
        }
      ge_report_pages (ctx, "LAPACK", stop, pages);
    }
  if (old)
    ge_blas_threads (old);
  *worst = failed;
  return status;
}
