/* Claims about parts of core/base that no solver's test sees:
   workspace_reuses_and_counts_blocks: the workspace reuses blocks, frees frames in order,
     counts bytes, and refuses sizes that overflow
   a_share_of_memory_stays_cached: a share of a GPU's free memory stays cached; small blocks
     that come and go do not ask for it
   schedules_have_each_pair_once: in a schedule of rotations each pair occurs exactly once in a
     sweep, and pairs of a round are disjoint
   pages_are_sorted_one_by_one: eigenvalues of each page are sorted on their own
   equal_real_parts_come_by_imaginary: general eigenvalues with real parts equal but for
     rounding errors come by |imaginary part|, positive ones first, those of a real matrix in
     pairs
   sampling_accepts_right_rejects_wrong: sampled verification accepts correct eigenpairs and
     rejects wrong ones
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "backend_test.h"
#include "base/round_robin.h"
#include "base/solver.h"
#include "base/verify_by_sampling.h"
#include "shroff/order.h"

#include <complex.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- the workspace --- */

static int questions; /* for the free memory of the GPU */

static gpueig_status
take (gpueig_context *c, size_t bytes, void **ptr)
{
  (void) c;
  *ptr = malloc (bytes);
  return *ptr ? GPUEIG_OK : GPUEIG_OUT_OF_MEMORY;
}

static void
give (gpueig_context *c, void *ptr)
{
  (void) c;
  free (ptr);
}

static int64_t
there (gpueig_context *c)
{
  (void) c;
  questions++;
  return (int64_t) 40 << 30;
}

/* A share of the free memory stays cached, 2.5 GB here; small blocks that come and go do not
   ask for it.  */
static void
a_share_of_memory_stays_cached (void)
{
  enum
  {
    BLOCKS = 6,
    SMALL = 100
  };
  const ge_memory none = ctx->memory[GE_DEVICE];
  const int64_t large = (int64_t) 600 << 20;
  ge_block block[BLOCKS], small;
  ctx->memory[GE_DEVICE] = (ge_memory){ take, give, there, NULL };
  for (int i = 0; i < BLOCKS; i++)
    CHECK (ge_take_block (ctx, GE_DEVICE, (size_t) large, &block[i])
               == GPUEIG_OK,
           "600 MB");
  for (int i = 0; i < BLOCKS; i++)
    {
      ge_return_block (ctx, &block[i], 1);
      ge_release (ctx, 0);
      for (int k = 0; k < SMALL; k++)
        {
          CHECK (ge_take_block (ctx, GE_DEVICE, 64, &small) == GPUEIG_OK,
                 "small");
          ge_return_block (ctx, &small, 1);
          ge_release (ctx, 0);
        }
      const int64_t kept = i + 1 < BLOCKS ? i + 1 : 4;
      CHECK (gpueig_memory (ctx) / large == kept,
             "%lld bytes cached of %d blocks, wanted %lld of them",
             (long long) gpueig_memory (ctx), i + 1, (long long) kept);
    }
  CHECK (questions == BLOCKS / 2, "asked %d times", questions);
  CHECK (ge_take_block (ctx, GE_DEVICE, (size_t) large, &small) == GPUEIG_OK
             && small.ptr == block[BLOCKS - 1].ptr,
         "what was used last is kept");
  ge_return_block (ctx, &small, 0);
  gpueig_trim (ctx);
  ctx->memory[GE_DEVICE] = none;
}

static void
workspace_reuses_and_counts_blocks (void)
{
  double *x, *y, *z;

  int outer = ge_mark (ctx);
  CHECK (GE_ALLOC (ctx, GE_HOST, 1000, &x) == GPUEIG_OK, "1000 doubles");
  memset (x, 0, 1000 * sizeof *x);
  int inner = ge_mark (ctx);
  CHECK (GE_ALLOC (ctx, GE_HOST, 1000, &y) == GPUEIG_OK && y != x,
         "blocks in use are distinct");
  ge_release (ctx, inner);
  CHECK (GE_ALLOC (ctx, GE_HOST, 900, &z) == GPUEIG_OK && z == y,
         "a released block is used again");
  CHECK (GE_ALLOC (ctx, GE_HOST, 100, &y) == GPUEIG_OK && y != x && y != z,
         "a block more than twice as large is not taken");
  CHECK (((uintptr_t) z & 63) == 0, "blocks are aligned to 64 bytes");
  ge_release (ctx, outer);
  CHECK (ge_mark (ctx) == outer, "the frame is closed");
  CHECK (gpueig_memory (ctx) > 0, "small blocks stay cached");
  gpueig_trim (ctx);
  CHECK (gpueig_memory (ctx) == 0, "trim gives everything back");

  CHECK (GE_ALLOC (ctx, GE_HOST, (int64_t) 80 << 20, &x) == GPUEIG_OK,
         "640 MB");
  ge_release (ctx, outer);
  CHECK (gpueig_memory (ctx) <= (int64_t) 64 << 20,
         "large blocks do not stay cached");

  CHECK (GE_ALLOC (ctx, GE_HOST, INT64_MAX / 2, &x) == GPUEIG_OUT_OF_MEMORY
             && ! x,
         "a size that overflows is refused");
  CHECK (GE_ALLOC (ctx, GE_HOST, -1, &x) == GPUEIG_OUT_OF_MEMORY,
         "a negative size is refused");
  CHECK (GE_ALLOC (ctx, GE_HOST, (int64_t) 1 << 57, &x) == GPUEIG_OUT_OF_MEMORY,
         "more than there is is refused");
  CHECK (strstr (gpueig_message (ctx), "needed")
             && strstr (gpueig_message (ctx), "available"),
         "the message has both numbers: %s", gpueig_message (ctx));
  CHECK (GE_ALLOC (ctx, GE_HOST, 0, &x) == GPUEIG_OK && x,
         "nothing is something");
  ge_release (ctx, outer);
  CHECK (ctx->in_use == 0 && ctx->peak >= 640 << 20,
         "bytes in use and their peak are counted");
}

/* --- schedules --- */

enum
{
  MAX = 130
};

static void
schedules_have_each_pair_once (int m)
{
  static int met[MAX][MAX];
  int good = 1, i, j;
  memset (met, 0, sizeof met);
  for (int round = 0; round < m - 1; round++)
    {
      int plays[MAX] = { 0 };
      for (int k = 0; k < m / 2; k++)
        {
          ge_round_pair (m, round, k, &i, &j);
          good &= i >= 0 && i < j && j < m && ! met[i][j]++ && ! plays[i]++
                  && ! plays[j]++;
        }
    }
  CHECK (good, "round robin, %d players", m);
}

/* --- the order of eigenvalues --- */

/* Three pages, of which the second is out of order.  */
static void
pages_are_sorted_one_by_one (void)
{
  double lambda[6] = { 1, 2, 5, 4, 0, 0 };
  double v[12] = { 1, 0, 0, 1, 0.6, 0.8, -0.8, 0.6, 1, 0, 0, 1 };
  const gpueig_symmetric s
      = symmetric_problem (GPUEIG_DOUBLE, 2, 3, NULL, lambda, v);
  CHECK (ge_sort_pages (ctx, &s) == GPUEIG_OK && lambda[2] == 4
             && lambda[3] == 5 && v[4] == -0.8 && v[7] == 0.8 && v[0] == 1
             && v[8] == 1,
         "pages are sorted one by one");
}

/* Eigenvalues RE (in units of half the tolerance, from 1) and IM, and the order that they
   must have.  */
static void
equal_real_parts_come_by_imaginary (void)
{
  enum
  {
    MOST = 6
  };
  static const struct
  {
    int n, real, re[MOST];
    double im[MOST];
    int order[MOST];
  } cases[] = {
    { 3, 0, { 0, 0, 1 }, { 2, -2, 0 }, { 2, 0, 1 } },
    { 2, 0, { 0, 1 }, { -1, 1 }, { 1, 0 } },
    { 2, 0, { 0, 3 }, { -1, 1 }, { 0, 1 } },
    { 2, 0, { 0, 2 }, { -1, 1 }, { 1, 0 } },
    { 2, 0, { 0 }, { 1 - 1e-15, -1 }, { 0, 1 } },
    { 2, 0, { 0 }, { -1 + 1e-15, 1 }, { 1, 0 } },
    { 2, 0, { 0 }, { -1 + 1e-13, 1 }, { 0, 1 } },
    { 2, 0, { 1, 0 }, { 1, 1 }, { 1, 0 } },
    { 3, 0, { 0, 1, 3 }, { -1, -1, 1 }, { 2, 0, 1 } },
    { 4, 0, { 0, 0, 0, 9 }, { 3, -2, 2, 0 }, { 2, 1, 0, 3 } },
    { 3, 0, { 0 }, { -1, 1, 1 - 1e-15 }, { 1, 2, 0 } },
    { 2, 1, { 0 }, { -1, 1 }, { 1, 0 } },
    { 4, 1, { 0 }, { 2, -2, 1, -1 }, { 2, 3, 0, 1 } },
    { 4, 1, { 0, 1, 0, 1 }, { 1, 1, -1, -1 }, { 0, 2, 1, 3 } },
    { 4, 1, { 0 }, { 1, -1, 1 - 1e-15, -1 + 1e-15 }, { 2, 3, 0, 1 } },
    { 6,
      1,
      { 0, 0, 1, 1, 2, 2 },
      { 1, -1, 1, -1, 1, -1 },
      { 0, 1, 2, 3, 4, 5 } },
    { 6,
      1,
      { 0, 0, 0, 0, 0, 0 },
      { 1, 1, -1, -1, 0, 0 },
      { 4, 5, 0, 2, 1, 3 } },
    { 4, 1, { 0 }, { 0 }, { 0, 1, 2, 3 } },
    { 6, 1, { 0 }, { 2, 4, -4, -2, 1, -1 }, { 4, 5, 0, 3, 1, 2 } },
    { 4, 1, { 0, 9, 9, 20 }, { 0, -1, 1, 0 }, { 0, 2, 1, 3 } },
  };
  for (size_t k = 0; k < COUNT (cases); k++)
    {
      const int64_t n = cases[k].n;
      double _Complex lambda[MOST], given[MOST], v[MOST * MOST], column[MOST];
      int64_t order[2 * MOST];
      double most = 0;
      for (int64_t j = 0; j < n; j++)
        most = fmax (most, 1 + fabs (cases[k].im[j]));
      const double tol = 8 * sqrt ((double) n) * DBL_EPSILON * most;
      for (int64_t j = 0; j < n; j++)
        {
          lambda[j] = given[j]
              = 1 + 0.48 * cases[k].re[j] * tol + I * cases[k].im[j];
          for (int64_t i = 0; i < n; i++)
            v[i + n * j] = (double) j;
        }
      ge_order_page_z (n, cases[k].real, (double *) lambda, (double *) v, NULL,
                       order, column);
      int right = 1;
      for (int64_t j = 0; j < n; j++)
        right &= lambda[j] == given[cases[k].order[j]]
                 && v[n * j] == (double) cases[k].order[j]
                 && v[n * j + n - 1] == v[n * j];
      CHECK (right, "groups of eigenvalues, case %d", (int) k + 1);
    }
}

/* --- sampled verification --- */

static void
sampling_accepts_right_rejects_wrong (gpueig_type type, int64_t n, int exponent)
{
  measure_random r = { 5 };
  FREED void *a = check_array (type, n * n), *v = check_array (type, n * n);
  FREED void *lambda = check_array (type, n);
  const gpueig_type real = real_type (type);
  gpueig_symmetric s = symmetric_problem (type, n, 1, a, lambda, v);
  const char *name = check_type_name[type];
  measure_random_symmetric (&r, type, n, a);
  measure_scale (type, n * n, a, ldexp (1, exponent));
  CHECK (gpueig_eig_symmetric (ctx, &s, &options, NULL) == GPUEIG_OK
             && ge_check_pairs (ctx, &s, "LAPACK") == GPUEIG_OK,
         "%s, n = %lld, 2^%d: right pairs pass: %s", name, (long long) n,
         exponent, gpueig_message (ctx));
  s.v = NULL;
  CHECK (ge_check_pairs (ctx, &s, "LAPACK") == GPUEIG_OK,
         "%s, n = %lld, 2^%d: right values pass: %s", name, (long long) n,
         exponent, gpueig_message (ctx));
  /* An error in one eigenvalue, then in one element of a vector.  */
  const double wrong = gpueig_is_double (type) ? 1e-9 : 1e-2;
  const double _Complex x = measure_get (real, lambda, n / 2);
  measure_set (real, lambda, n / 2, x + wrong * ldexp ((double) n, exponent));
  CHECK (ge_check_pairs (ctx, &s, "X") == GPUEIG_SOLVER_FAILED,
         "%s: a wrong value alone", name);
  s.v = v;
  CHECK (ge_check_pairs (ctx, &s, "X") == GPUEIG_SOLVER_FAILED,
         "%s: a wrong value", name);
  measure_set (real, lambda, n / 2, NAN);
  CHECK (ge_check_pairs (ctx, &s, "X") == GPUEIG_SOLVER_FAILED, "%s: NaN",
         name);
  measure_set (real, lambda, n / 2, x);
  const double _Complex y = measure_get (type, v, n * n / 2);
  measure_set (type, v, n * n / 2, y + wrong);
  CHECK (ge_check_pairs (ctx, &s, "X") == GPUEIG_SOLVER_FAILED,
         "%s: a wrong vector", name);
  measure_set (type, v, n * n / 2, y);
  CHECK (ge_check_pairs (ctx, &s, "X") == GPUEIG_OK, "%s: all is right again",
         name);
}

int
main (void)
{
  begin_test ("base");
  options.backend = GPUEIG_CPU;
  workspace_reuses_and_counts_blocks ();
  a_share_of_memory_stays_cached ();
  for (int m = 2; m <= MAX; m += 2)
    schedules_have_each_pair_once (m);
  for (gpueig_type type = 0; type < 4; type++)
    {
      sampling_accepts_right_rejects_wrong (type, 150, 0);
      sampling_accepts_right_rejects_wrong (type, 40, -100);
      sampling_accepts_right_rejects_wrong (type, 40, 100);
    }
  sampling_accepts_right_rejects_wrong (GPUEIG_DOUBLE, 40, 1000);
  sampling_accepts_right_rejects_wrong (GPUEIG_DOUBLE, 40, -1000);
  pages_are_sorted_one_by_one ();
  equal_real_parts_come_by_imaginary ();
  return end_test ();
}
