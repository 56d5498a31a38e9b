/* Output of a tridiagonal inverse on all threads.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   Entries are computed in chunks of a column that stay in the first-level cache, and
   written to memory by non-temporal stores, since the result is larger than the caches
   and is not read again soon.  */

#include "tdinv/tdinv_typed.h"

#include <string.h>

#ifdef __SSE2__
#  include <emmintrin.h>
#endif

#include "tdinv/entry.h"

/* --- stores --- */

/* Copy COUNT reals to TO, by non-temporal stores if the processor has them.  */
static void
stream (real_t *to, const real_t *from, int64_t count)
{
#ifdef __SSE2__
  enum
  {
    LANES = 16 / sizeof (real_t)
  };
  int64_t i = 0;
  for (; i < count && ((uintptr_t) (to + i) & 15); i++)
    to[i] = from[i];
  for (; i + LANES <= count; i += LANES)
    _mm_stream_si128 ((__m128i *) (to + i),
                      _mm_loadu_si128 ((const __m128i *) (from + i)));
  for (; i < count; i++)
    to[i] = from[i];
#else
  memcpy (to, from, (size_t) count * sizeof *to);
#endif
}

#if GE_COMPLEX
GE_CLONES (VECTOR, static, void, interleave,
           (int64_t count, const real_t *re, const real_t *im, real_t *to),
           (count, re, im, to))
{
  for (int64_t i = 0; i < count; i++)
    {
      to[2 * i] = re[i];
      to[2 * i + 1] = im[i];
    }
}
#endif

/* Store COUNT elements of the output from element AT on.  */
static void
put_elements (const gpueig_tdinv_problem *t, int64_t at, int64_t count,
              const real_t *re, const real_t *im)
{
#if GE_COMPLEX
  if (! t->x_im)
    {
      real_t pairs[2 * TDINV_CHUNK];
      interleave (count, re, im, pairs);
      stream ((real_t *) t->x + 2 * at, pairs, 2 * count);
      return;
    }
  stream ((real_t *) t->x_im + at, im, count);
#else
  (void) im;
#endif
  stream ((real_t *) t->x + at, re, count);
}

/* Order non-temporal stores before later stores.  */
static void
finish_stores (void)
{
#ifdef __SSE2__
  _mm_sfence ();
#endif
}

/* --- columns and bands --- */

static void
write_column (const gpueig_tdinv_problem *t, int64_t k, FN (tdinv_fill) * fill,
              const void *state)
{
  _Alignas(64) real_t re[TDINV_CHUNK], im[TDINV_CHUNK];
  int64_t n = t->n, j = t->columns ? t->columns[k] : k;
  for (int64_t r0 = 0; r0 < n; r0 += TDINV_CHUNK)
    {
      int64_t r1 = r0 + TDINV_CHUNK < n ? r0 + TDINV_CHUNK : n;
      fill (state, k, j, r0, r1, re, im);
      put_elements (t, r0 + n * k, r1 - r0, re, im);
    }
}

static void
write_zeros (const gpueig_tdinv_problem *t, int64_t at, int64_t count)
{
  size_t bytes = (size_t) count * sizeof (real_t);
#if GE_COMPLEX
  if (! t->x_im)
    {
      memset ((real_t *) t->x + 2 * at, 0, 2 * bytes);
      return;
    }
  memset ((real_t *) t->x_im + at, 0, bytes);
#endif
  memset ((real_t *) t->x + at, 0, bytes);
}

static void
write_band (const gpueig_tdinv_problem *t, int64_t j, FN (tdinv_fill) * fill,
            const void *state)
{
  _Alignas(64) real_t re[TDINV_CHUNK], im[TDINV_CHUNK];
  int64_t n = t->n, k = t->band, at = (2 * k + 1) * j + k - j;
  int64_t top = j > k ? j - k : 0, bottom = j + k < n - 1 ? j + k + 1 : n;
  write_zeros (t, at + j - k, top - (j - k));
  for (int64_t r0 = top, r1; r0 < bottom; r0 = r1)
    {
      r1 = (r0 / TDINV_CHUNK + 1) * TDINV_CHUNK;
      r1 = r1 < bottom ? r1 : bottom;
      fill (state, j, j, r0, r1, re, im);
      put_elements (t, at + r0, r1 - r0, re, im);
    }
  write_zeros (t, at + bottom, j + k + 1 - bottom);
}

/* Columns BEGIN .. END - 1 in pieces of about a megabyte, for load balance and polling of
   interrupts.  */
typedef struct
{
  const gpueig_tdinv_problem *t;
  int64_t begin, end, share;
  FN (tdinv_fill) * fill;
  const void *state;
} columns;

static void
write_share (void *data, int64_t i, int thread)
{
  const columns *c = data;
  const int64_t from = c->begin + i * c->share;
  const int64_t to = from + c->share < c->end ? from + c->share : c->end;
  (void) thread;
  for (int64_t j = from; j < to; j++)
    if (c->t->band < 0)
      write_column (c->t, j, c->fill, c->state);
    else
      write_band (c->t, j, c->fill, c->state);
  finish_stores ();
}

gpueig_status
FN (ge_tdinv_write) (gpueig_context *ctx, const gpueig_tdinv_problem *t,
                     int64_t begin, int64_t end, FN (tdinv_fill) * fill,
                     const void *state)
{
  const int64_t column_bytes = ge_tdinv_rows (t) * (int64_t) sizeof (scalar_t);
  columns c = { t, begin, end, 1 + (1 << 20) / column_bytes, fill, state };
  const double bytes = (double) ((end - begin) * column_bytes);
  return ge_run_pieces (ctx, (end - begin + c.share - 1) / c.share, bytes / 20,
                        write_share, &c);
}

/* --- generators --- */

/* Row factors for the inner loop: exponents in 32 bits, relative to the largest of the
   chunk.  */
typedef struct
{
  const real_t *re, *im;
  int32_t *e;
  int64_t *top;
} row_factor;

typedef struct
{
  const ge_tdinv_generators *g;
  row_factor u, p;
} row_factors;

static gpueig_status
make_rows (gpueig_context *ctx, int64_t n, const ge_tdinv_factor *f,
           row_factor *r)
{
  int64_t chunks = (n + TDINV_CHUNK - 1) / TDINV_CHUNK;
  r->re = f->re;
  r->im = f->im;
  GE_TRY (GE_ALLOC (ctx, GE_HOST, n, &r->e));
  GE_TRY (GE_ALLOC (ctx, GE_HOST, chunks, &r->top));
  for (int64_t k = 0; k < chunks; k++)
    {
      int64_t r0 = k * TDINV_CHUNK, r1 = r0 + TDINV_CHUNK;
      int64_t top = f->e[r0];
      r1 = r1 < n ? r1 : n;
      for (int64_t i = r0; i < r1; i++)
        top = f->e[i] > top ? f->e[i] : top;
      r->top[k] = top;
      for (int64_t i = r0; i < r1; i++)
        r->e[i] = (int32_t) (f->e[i] - top < -(1 << 20) ? -(1 << 20)
                                                        : f->e[i] - top);
    }
  return GPUEIG_OK;
}

/* Compute COUNT entries: row factors times the column factor (VR, VI) 2^E.  */
GE_CLONES (VECTOR, static, void, multiply,
           (int64_t count, const real_t *restrict ur, const real_t *restrict ui,
            const int32_t *restrict ue, real_t vr, real_t vi, int32_t e,
            real_t *restrict re, real_t *restrict im),
           (count, ur, ui, ue, vr, vi, e, re, im))
{
#if GE_COMPLEX
  for (int64_t i = 0; i < count; i++)
    tdinv_entry_complex (ur[i], ui[i], vr, vi, ue[i] + e, &re[i], &im[i]);
#else
  (void) ui;
  (void) vi;
  (void) im;
  for (int64_t i = 0; i < count; i++)
    re[i] = tdinv_entry (ur[i], vr, ue[i] + e);
#endif
}

static void
zeros (int64_t count, real_t *re, real_t *im)
{
  if (count <= 0)
    return;
  if (re)
    memset (re, 0, (size_t) count * sizeof *re);
  if (GE_COMPLEX)
    memset (im, 0, (size_t) count * sizeof *im);
}

/* Compute rows R0 .. R1 - 1 of column J from the row factors R and the column factor
   C.  */
static void
fill_part (const row_factor *r, const ge_tdinv_factor *c, int64_t j, int64_t r0,
           int64_t r1, real_t *re, real_t *im)
{
  if (r0 >= r1)
    return;
  int64_t e = c->e[j] + r->top[r0 / TDINV_CHUNK];
  if (tdinv_is_zero (e, (real_t) 0))
    {
      zeros (r1 - r0, re, im);
      return;
    }
  multiply (r1 - r0, r->re + r0, GE_COMPLEX ? r->im + r0 : NULL, r->e + r0,
            ((const real_t *) c->re)[j],
            GE_COMPLEX ? ((const real_t *) c->im)[j] : 0,
            (int32_t) (e < 1 << 20 ? e : 1 << 20), re, im);
}

static int64_t
within (int64_t x, int64_t least, int64_t most)
{
  return x < least ? least : x > most ? most : x;
}

static void
fill_column (const void *state, int64_t k, int64_t j, int64_t r0, int64_t r1,
             real_t *re, real_t *im)
{
  (void) k;
  const row_factors *f = state;
  const ge_tdinv_generators *g = f->g;
  int64_t begin = within (g->first[j], r0, r1);
  int64_t middle = within (j + 1, r0, r1);
  int64_t end = within (g->last[j] + 1, r0, r1);
  begin = begin < middle ? begin : middle;
  end = end > middle ? end : middle;
  zeros (begin - r0, re, im);
  fill_part (&f->u, &g->v, j, begin, middle, re + (begin - r0),
             im + (begin - r0));
  fill_part (&f->p, &g->q, j, middle, end, re + (middle - r0),
             im + (middle - r0));
  zeros (r1 - end, re + (end - r0), im + (end - r0));
}

gpueig_status
FN (ge_tdinv_by_generators) (gpueig_context *ctx,
                             const gpueig_tdinv_problem *problem,
                             const ge_tdinv_generators *g)
{
  row_factors f = { .g = g };
  GE_TRY (make_rows (ctx, g->n, &g->u, &f.u));
  GE_TRY (make_rows (ctx, g->n, &g->p, &f.p));
  return FN (ge_tdinv_write) (ctx, problem, 0, ge_tdinv_columns (problem),
                              fill_column, &f);
}

/* --- a singular matrix --- */

static void
fill_infinity (const void *state, int64_t k, int64_t j, int64_t r0, int64_t r1,
               real_t *re, real_t *im)
{
  (void) state;
  (void) k;
  (void) j;
  for (int64_t i = 0; i < r1 - r0; i++)
    re[i] = (real_t) INFINITY;
  if (GE_COMPLEX)
    zeros (r1 - r0, NULL, im);
}

gpueig_status
FN (ge_tdinv_by_infinity) (gpueig_context *ctx,
                           const gpueig_tdinv_problem *problem)
{
  return FN (ge_tdinv_write) (ctx, problem, 0, ge_tdinv_columns (problem),
                              fill_infinity, NULL);
}
