/* MRRR on the CPU: columns of the result, see lanes.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "base/solver.h"
#include "mrrr/lanes.h"

#include <string.h>

static double
get (const ge_mrrr *m, int64_t i)
{
  return m->is_double ? ((const double *) m->v)[i] : ((const float *) m->v)[i];
}

/* The number of columns of a piece of the two functions below.  */
static int64_t
columns_at_once (const ge_mrrr *m)
{
  return 1 + 20000 / m->n;
}

typedef struct
{
  const ge_mrrr *m;
  int64_t n, ld;
  const int32_t *a, *b, *begin, *size;
  double *dots;
  const double *z;
} column_pass;

static gpueig_status
run_pass (column_pass *p, ge_piece *work)
{
  const int64_t at_once = columns_at_once (p->m);
  return ge_run_pieces (p->m->ctx, (p->n + at_once - 1) / at_once,
                        (double) (p->n * p->m->n), work, p);
}

static void
dots_piece (void *data, int64_t piece, int thread)
{
  const column_pass *p = data;
  const ge_mrrr *m = p->m;
  const int64_t at_once = columns_at_once (m), from = piece * at_once;
  (void) thread;
  for (int64_t k = from; k < from + at_once && k < p->n; k++)
    {
      double sum[8] = { 0 };
      int64_t x = m->n * p->a[k], y = m->n * p->b[k], i = 0;
      if (m->is_double)
        {
          const double *u = (const double *) m->v + x;
          const double *w = (const double *) m->v + y;
          for (; i + 8 <= m->n; i += 8)
            for (int j = 0; j < 8; j++)
              sum[j] += u[i + j] * w[i + j];
        }
      for (; i < m->n; i++)
        sum[0] += get (m, x + i) * get (m, y + i);
      p->dots[k] = ((sum[0] + sum[1]) + (sum[2] + sum[3]))
                   + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
    }
}

gpueig_status
ge_lanes_dots (ge_mrrr *m, int64_t n, const int32_t *a, const int32_t *b,
               double *dots)
{
  column_pass p = { .m = m, .n = n, .a = a, .b = b, .dots = dots };
  return run_pass (&p, dots_piece);
}

static void
store_piece (void *data, int64_t piece, int thread)
{
  const column_pass *p = data;
  const ge_mrrr *m = p->m;
  const size_t real = m->is_double ? sizeof (double) : sizeof (float);
  const int64_t at_once = columns_at_once (m), from = piece * at_once;
  (void) thread;
  for (int64_t k = from; k < from + at_once && k < p->n; k++)
    {
      const int64_t at = m->n * p->a[k];
      const double *z = p->z + k * p->ld;
      memset ((char *) m->v + (size_t) at * real, 0, (size_t) m->n * real);
      for (int64_t i = 0; i < p->size[k]; i++)
        if (m->is_double)
          ((double *) m->v)[at + p->begin[k] + i] = z[i];
        else
          ((float *) m->v)[at + p->begin[k] + i] = (float) z[i];
    }
}

gpueig_status
ge_lanes_store (ge_mrrr *m, int64_t n, const int32_t *column,
                const int32_t *begin, const int32_t *size, const double *z,
                int64_t ld)
{
  column_pass p = {
    .m = m, .n = n, .a = column, .begin = begin, .size = size, .z = z, .ld = ld
  };
  return run_pass (&p, store_piece);
}

gpueig_status
ge_lanes_fetch (ge_mrrr *m, int32_t column, int32_t begin, int32_t size,
                double *z)
{
  for (int64_t i = 0; i < size; i++)
    z[i] = get (m, m->n * column + begin + i);
  return GPUEIG_OK;
}
