/* For test_place: another order of a Schur form; a matrix in other units.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#ifndef PLACE_ORDER_H
#define PLACE_ORDER_H 1

#include "check.h"

#include <string.h>

/* B <- D B D, n-by-n, D = diag (1e-16, 1, 1 ...).  */
static void
change_unit (gpueig_type type, int64_t n, char *b)
{
  for (int64_t k = 0; k < n * n; k++)
    measure_set (type, b, k,
                 measure_get (type, b, k)
                     * pow (1e-16, (k < n) + (k % n == 0)));
}

/* Another order of a form, which a GPU gets divided by a power of 2, is that of the CPU.  */
static void
test_order (gpueig_context *ctx, const gpueig_options *gpu, gpueig_type type)
{
  enum
  {
    N = 9,
    SQUARE = N * N
  };
  const int big = gpueig_is_double (type) ? 700 : 70;
  gpueig_options cpu = *gpu;
  measure_random rng = { 7 };
  int64_t rank[N];
  cpu.backend = GPUEIG_CPU;
  for (int64_t i = 0; i < N; i++)
    rank[i] = i % 3;
  for (int sign = -1; sign < 2; sign++)
    {
      FREED char *s = check_array (type, SQUARE);
      FREED char *u = check_array (type, SQUARE);
      FREED char *out = check_array (type, 4 * SQUARE);
      char *const sorted[]
          = { out, page_of (type, out, SQUARE, 1),
              page_of (type, out, SQUARE, 2), page_of (type, out, SQUARE, 3) };
      gpueig_ordschur_problem p
          = { .type = type, .n = N, .pages = 1, .s = s, .u = u, .rank = rank };
      gpueig_status status = GPUEIG_OK;
      for (int64_t k = 0; k < SQUARE; k++)
        {
          const double x = k % N <= k / N ? measure_normal (&rng) : 0;
          measure_set (type, s, k, ldexp (x, sign * big));
          measure_set (type, u, k, k % N == k / N);
        }
      for (int second = 0; second < 2; second++)
        {
          p.s_sorted = sorted[2 * second];
          p.u_sorted = sorted[2 * second + 1];
          if (status == GPUEIG_OK)
            status = gpueig_ordschur (ctx, &p, second ? gpu : &cpu, NULL);
        }
      CHECK (status == GPUEIG_OK
                 && same_bits (type, sorted[0], 0, sorted[2], 0, 2 * SQUARE),
             "order of a form times 2^%d, %s: %s", sign * big,
             check_type_name[type], gpueig_message (ctx));
    }
}

#endif
