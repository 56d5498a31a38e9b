/* Singular values and vectors.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "gpueig_svd.h"
#include "engine_copy.h"

#include <stdlib.h>

typedef struct
{
  scalar_t *a, *u, *v;
  real_t *s;
} spaces;

/* Columns J and on of V, in squares, become the rows of V'.  */
static void
transpose_piece (void *data, int64_t piece, int thread)
{
  const copies *c = data;
  const scalar_t *v = c->from;
  const int64_t j0 = piece * BLOCK, j1 = j0 + BLOCK < c->m ? j0 + BLOCK : c->m;
  (void) thread;
  for (int64_t i0 = 0; i0 < c->n; i0 += BLOCK)
    for (int64_t i = i0; i < c->n && i < i0 + BLOCK; i++)
      for (int64_t j = j0; j < j1; j++)
        c->to[j + c->ldto * i] = conj_ (v[i + c->ldfrom * j]);
}

/* The vectors that JOB, one of xGESVD, wants of COLUMNS that there are.  */
static int64_t
wanted (const ge_request *r, char job, int64_t columns)
{
  return job == 'N' ? 0 : job == 'A' ? columns : r->n;
}

static int
solve_svd (gpueig_context *ctx, const gpueig_options *options, ge_request *r,
           int full, const spaces *s)
{
  const int64_t m = r->rows, n = r->columns;
  const gpueig_svd_problem problem = { .type = r->type,
                                       .m = m,
                                       .n = n,
                                       .pages = 1,
                                       .a = s->a,
                                       .full = full,
                                       .s = s->s,
                                       .u = s->u,
                                       .v = s->v };
  copy (ctx, m, n, r->a, r->lda, s->a, m);
  r->status = gpueig_svd (ctx, &problem, options, NULL);
  if (r->status != GPUEIG_OK)
    return 0;
  memcpy (r->w, s->s, (size_t) r->n * sizeof *s->s);
  const int to_a = r->jobu == 'O';
  copy (ctx, m, wanted (r, r->jobu, m), s->u, m, to_a ? r->a : r->vl,
        to_a ? r->lda : r->ldvl);
  copies rows
      = { .n = n, .m = wanted (r, r->jobvt, n), .from = s->v, .ldfrom = n };
  rows.to = r->jobvt == 'O' ? r->a : r->vr;
  rows.ldto = r->jobvt == 'O' ? r->lda : r->ldvr;
  run_copies (ctx, transpose_piece, rows);
  return 1;
}

int
FN (ge_engine_svd) (gpueig_context *ctx, const gpueig_options *options,
                    ge_request *r)
{
  const int64_t m = r->rows, n = r->columns, k = r->n;
  const int full = (r->jobu == 'A' && m > k) || (r->jobvt == 'A' && n > k);
  const size_t size = sizeof (scalar_t);
  if (! ge_is_lapack_int (m) || ! ge_is_lapack_int (n))
    return 0;
  const spaces s = {
    .a = ge_engine_alloc (ctx, m * n, size),
    .u = r->vectors ? ge_engine_alloc (ctx, m * (full ? m : k), size) : NULL,
    .v = r->vectors ? ge_engine_alloc (ctx, n * (full ? n : k), size) : NULL,
    .s = ge_engine_alloc (ctx, k, sizeof (real_t)),
  };
  const int done = s.a && s.s && (! r->vectors || (s.u && s.v))
                   && solve_svd (ctx, options, r, full, &s);
  free (s.a);
  free (s.u);
  free (s.v);
  free (s.s);
  return done;
}
