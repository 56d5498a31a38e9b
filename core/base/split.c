/* gpueig_split: interleaved complex numbers to separate arrays of real and imaginary
   parts.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/solver.h"

enum
{
  PIECE = 65536,        /* numbers of a piece */
  SHARED_FROM = 200000, /* numbers from which on all threads are used */
};

typedef struct
{
  const void *from;
  void *re, *im;
  int64_t count;
} parts;

#define SPLIT(name, real)                                                      \
  static void name (void *data, int64_t i, int thread)                         \
  {                                                                            \
    const parts *p = data;                                                     \
    const real *x = p->from;                                                   \
    real *re = p->re, *im = p->im;                                             \
    const int64_t from = i * PIECE;                                            \
    const int64_t to = from + PIECE < p->count ? from + PIECE : p->count;      \
    (void) thread;                                                             \
    for (int64_t k = from; k < to; k++)                                        \
      {                                                                        \
        re[k] = x[2 * k];                                                      \
        if (im)                                                                \
          im[k] = x[2 * k + 1];                                                \
      }                                                                        \
  }
SPLIT (split_float, float)
SPLIT (split_double, double)

void
gpueig_split (gpueig_context *ctx, gpueig_type type, int64_t count,
              const void *from, void *re, void *im)
{
  parts p = { from, re, im, count };
  ge_share_pass (ctx, (count + PIECE - 1) / PIECE, count > SHARED_FROM,
                 gpueig_is_double (type) ? split_double : split_float, &p);
}
