/* One-sided Jacobi by matrix products, for large matrices and stacks on the
   GPU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING

   As core/methods/onesided/large_typed.c, except for how the rotations are computed:
   from H = Q'(A + shift)Q instead of F'F, where F = (A + shift) Q has the same
   cosines up to second order.  The first step corrects Q's orthonormality as
   well, so that a typical page takes two steps and 12 products.  Pairs that
   need a large rotation are rotated if neither column is in another such
   pair.  */

#include "base/blas.cuh"
#include "base/products.cuh"
#include "onesided/large.cuh"

#include <float.h>
#include <string.h>

template <typename T>
static gpueig_status
product (gpueig_context *ctx, const onesided_pages<T> *p, cublasOperation_t ta,
         const T *a, const T *b, T *c)
{
  typedef ge_real<T> real;
  const int64_t n = p->n;
  if (! p->single)
    return ge_cuda_products<T> (ctx, ta, n, n, n, p->pages, p->together,
                                (real) 1, a, b, (real) 0, c);
  CUBLAS (ge_gemm (ge_cuda_of (ctx)->blas, ta, CUBLAS_OP_N, n, n, n, (real) 1,
                   a, n, b, n, (real) 0, c, n));
  return GPUEIG_OK;
}

template <typename T>
static void
exchange (T **a, T **b)
{
  T *old = *a;
  *a = *b;
  *b = old;
}

/* Upload FLAGS, which may change at once, since a copy of them is sent.  Two copies are
   enough: read_figures waits for both between an upload and the next but one.  */
template <typename T>
static gpueig_status
send_flags (gpueig_context *ctx, onesided_pages<T> *p)
{
  int *copy = p->sent[p->turn ^= 1];
  memcpy (copy, p->flags, (size_t) p->pages * sizeof *copy);
  return ge_put (ctx, p->active, copy, p->pages);
}

/* Reset the maxima, and upload which pages are active.  */
template <typename T>
static gpueig_status
begin_figures (gpueig_context *ctx, onesided_pages<T> *p)
{
  GE_TRY (ge_clear (ctx, p->found, p->pages));
  return send_flags (ctx, p);
}

template <typename T>
static gpueig_status
read_figures (gpueig_context *ctx, const onesided_pages<T> *p)
{
  GE_TRY (ge_fetch (ctx, p->figures, p->found, p->pages));
  return ge_check_interrupt (ctx);
}

/* Set FLAGS for the pages that steps work on; returns their number.  */
template <typename T>
static int64_t
flag_pages (const onesided_pages<T> *p)
{
  int64_t count = 0;
  for (int64_t k = 0; k < p->pages; k++)
    count += p->flags[k] = p->state[k] <= ONESIDED_UNORTHOGONAL;
  return count;
}

/* Q <- Q (3 I - Q'Q) / 2 in all active pages until Q'Q = I to rounding.  X is
   scratch.  */
template <typename T>
static gpueig_status
orthonormalize (gpueig_context *ctx, onesided_pages<T> *p)
{
  const float eps
      = sizeof (ge_real<T>) == 8 ? (float) DBL_EPSILON : FLT_EPSILON;
  int64_t left = flag_pages (p);
  for (int step = 0; step < 8 && left > 0; step++)
    {
      GE_TRY (begin_figures (ctx, p));
      GE_TRY (product (ctx, p, ge_adjoint<T> (), p->q, p->q, p->g));
      GE_TRY (onesided_newton_schulz (ctx, p));
      GE_TRY (product (ctx, p, CUBLAS_OP_N, p->q, p->g, p->x));
      GE_TRY (onesided_keep_pages (ctx, p, p->x));
      GE_TRY (read_figures (ctx, p));
      exchange (&p->q, &p->x);
      left = 0;
      for (int64_t k = 0; k < p->pages; k++)
        if (p->flags[k])
          {
            float deviation = p->figures[k].deviation;
            float norm = p->figures[k].norm;
            /* For singular values of Q beyond sqrt (3) the iteration
               diverges.  */
            if (! (deviation < 2))
              p->state[k] = ONESIDED_PLAIN;
            /* A step reduces E = Q'Q - I to 3/4 E^2, by which the columns of F
               are scaled.  */
            left += p->flags[k] = deviation < 2 && deviation > 16 * eps
                                  && norm * norm > (float) p->n * eps / 16;
          }
    }
  for (int64_t k = 0; k < p->pages; k++)
    if (p->flags[k])
      p->state[k] = ONESIDED_PLAIN;
  return GPUEIG_OK;
}

/* The new state of a page from the maxima of a step.  ROUGH: first step, Q is
   orthonormal to single precision at best. *APPLY: the correction is to be
   applied.  */
template <typename R>
static onesided_state
next_state (const onesided_figures *f, float tol, int rough, float *last,
            int *apply)
{
  const float rough_limit = sizeof (R) == 8 ? 1e-15f : 4e-6f;
  const float apply_limit = sizeof (R) == 8 ? 1e-15f : 5e-7f;
  const float most = f->easy > f->paired ? f->easy : f->paired;
  *apply = 0;
  if (! (f->deviation <= 1e-3f))
    return f->deviation < 2 ? ONESIDED_ROTATING : ONESIDED_PLAIN;
  rough &= f->deviation > rough_limit;
  if (f->cosine <= tol && ! rough)
    {
      *apply = f->deviation > apply_limit;
      return *apply ? ONESIDED_FINISHING : ONESIDED_DONE;
    }
  if (f->cosine > tol
      && (most == 0 || ! (f->norm <= 1) || ! (most <= 0.5f * *last)))
    return rough ? ONESIDED_UNORTHOGONAL : ONESIDED_LEFT;
  *apply = 1;
  if (most > 0)
    *last = most;
  /* Rotations of norm NORM leave cosines of at most easy * norm: no further
     step is needed to know that these were the last.  */
  if (! rough && f->hard <= tol && f->paired <= tol
      && 4 * f->easy * f->norm <= tol)
    return ONESIDED_FINISHING;
  return ONESIDED_ROTATING;
}

/* Evaluate a step: pages whose columns are orthogonal, or do not converge by
   such steps, become inactive.  */
template <typename T>
static gpueig_status
classify_pages (gpueig_context *ctx, onesided_pages<T> *p,
                const onesided_plan *plan, int step)
{
  float cosine = 0;
  int64_t before = 0, after = 0;
  for (int64_t k = 0; k < p->pages; k++)
    if (p->flags[k])
      {
        const onesided_figures *f = &p->figures[k];
        p->state[k] = next_state<ge_real<T>> (f, (float) plan->tol, step == 1,
                                              &p->last[k], &p->flags[k]);
        cosine = cosine >= f->cosine ? cosine : f->cosine;
        before++;
        after += p->flags[k];
      }
  p->cosine = cosine;
  if (p->single)
    {
      ge_onesided_note (plan, cosine);
      ge_report (ctx, "step  %2d  largest cosine %9.2e", step, (double) cosine);
    }
  else
    ge_report (ctx, "step  %2d  pages %lld  largest cosine %9.2e", step,
               (long long) before, (double) cosine);
  if (after == before)
    return GPUEIG_OK;
  GE_TRY (send_flags (ctx, p));
  return onesided_stop_pages (ctx, p);
}

/* Finish pages whose Q is orthonormal again; returns the number of pages still
   rotating.  */
template <typename T>
static int64_t
finish_pages (const onesided_pages<T> *p)
{
  int64_t rotating = 0;
  for (int64_t k = 0; k < p->pages; k++)
    {
      if (p->state[k] == ONESIDED_FINISHING)
        p->state[k] = ONESIDED_DONE;
      if (p->state[k] == ONESIDED_UNORTHOGONAL)
        p->state[k] = ONESIDED_LEFT;
      rotating += p->state[k] == ONESIDED_ROTATING;
    }
  return rotating;
}

/* Steps that apply all small rotations of a page at once, until no page is
   active; F: the columns (A + shift) Q.  */
template <typename T>
static gpueig_status
rotate_pages (gpueig_context *ctx, onesided_pages<T> *p,
              const onesided_plan *plan, int *steps)
{
  for (;;)
    {
      const int rough = *steps == 0;
      if (! rough)
        GE_TRY (orthonormalize (ctx, p));
      GE_TRY (product (ctx, p, CUBLAS_OP_N, p->m, p->q, p->f));
      if (! rough && finish_pages (p) == 0)
        return GPUEIG_OK;
      if (*steps >= plan->max_sweeps)
        break;
      flag_pages (p);
      GE_TRY (begin_figures (ctx, p));
      if (rough)
        GE_TRY (product (ctx, p, ge_adjoint<T> (), p->q, p->q, p->g));
      GE_TRY (product (ctx, p, ge_adjoint<T> (), p->q, p->f, p->x));
      GE_TRY (onesided_rotations (ctx, p, (ge_real<T>) plan->tol, rough));
      GE_TRY (read_figures (ctx, p));
      GE_TRY (classify_pages (ctx, p, plan, ++*steps));
      if (flag_pages (p) == 0)
        return GPUEIG_OK;
      GE_TRY (product (ctx, p, CUBLAS_OP_N, p->q, p->x, p->f));
      GE_TRY (onesided_keep_pages (ctx, p, p->f));
      exchange (&p->q, &p->f);
    }
  for (int64_t k = 0; k < p->pages; k++)
    if (p->state[k] == ONESIDED_ROTATING)
      p->state[k] = ONESIDED_LEFT;
  return GPUEIG_OK;
}

/* COUNT pages, the largest cosine being COSINE, are left as they are.  */
static gpueig_status
count_unconverged (gpueig_context *ctx, onesided_counts *counts, int count,
                   float cosine)
{
  onesided_counts total;
  float worst;
  GE_TRY (ge_fetch (ctx, &total, counts, 1));
  memcpy (&worst, &total.worst, sizeof worst);
  worst = worst >= cosine ? worst : cosine;
  memcpy (&total.worst, &worst, sizeof worst);
  total.unconverged += count;
  return ge_send (ctx, counts, &total, 1);
}

/* Ordinary sweeps over the columns S->f, by the faster solver.  */
template <typename T>
static gpueig_status
sweep (gpueig_context *ctx, const onesided_stack<T> *s,
       const onesided_plan *plan)
{
  if (s->together > 1 && onesided_in_registers<T> (ctx, s->n))
    return onesided_registers<T> (ctx, s);
  return onesided_columns<T> (ctx, s, ONESIDED_SHIFTED, plan);
}

/* Ordinary sweeps for the COUNT pages in state LEFT: their columns are gathered
   in G, their vectors in X, and scattered back.  */
template <typename T>
static gpueig_status
sweep_some (gpueig_context *ctx, const onesided_pages<T> *p,
            const onesided_stack<T> *s, const onesided_plan *plan,
            int64_t count)
{
  const int64_t n = p->n, square = n * n;
  onesided_stack<T> some = *s;
  some.pages = count;
  some.f = p->g;
  some.v = s->v ? p->x : NULL;
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, count, &some.scaling));
  GE_TRY (GE_ALLOC (ctx, GE_DEVICE, n * count, &some.lambda));
  for (int back = 0; back < 2; back++)
    {
      int64_t to = 0;
      for (int64_t k = 0; k < p->pages; k++)
        if (p->state[k] == ONESIDED_LEFT)
          {
            if (back)
              {
                GE_TRY (
                    ge_copy (ctx, s->lambda + k * n, some.lambda + to * n, n));
                if (s->v)
                  GE_TRY (ge_copy (ctx, s->v + k * square, some.v + to * square,
                                   square));
              }
            else
              {
                GE_TRY (ge_copy (ctx, some.scaling + to, s->scaling + k, 1));
                GE_TRY (ge_copy (ctx, some.f + to * square, s->f + k * square,
                                 square));
              }
            to++;
          }
      if (! back)
        GE_TRY (sweep<T> (ctx, &some, plan));
    }
  return GPUEIG_OK;
}

/* The vectors of a page in state DONE are the columns of Q, not the normalized
   ones of F: a column of F whose eigenvalue is near -shift is short, and its
   components along other eigenvectors are amplified up to 17 times in F
   compared with Q (ge_onesided_shift); for a matrix of equal elements they add
   up.  Sweeps count with the STEPS before them.  */
template <typename T>
static gpueig_status
conclude (gpueig_context *ctx, const onesided_pages<T> *p, onesided_stack<T> *s,
          const onesided_plan *plan, int steps)
{
  const int64_t square = p->n * p->n;
  onesided_plan rest = *plan;
  onesided_stack<T> done = *s;
  int64_t count = 0;
  for (int64_t k = 0; k < p->pages; k++)
    {
      if (p->state[k] == ONESIDED_PLAIN && p->single)
        {
          GE_TRY (ge_copy (ctx, p->f, p->m, square));
          p->state[k] = ONESIDED_LEFT;
        }
      count += p->state[k] == ONESIDED_LEFT;
    }
  s->f = done.f = p->f;
  done.q = p->q;
  s->max_sweeps = rest.max_sweeps -= steps;
  if (count == p->pages && rest.max_sweeps > 0)
    return sweep<T> (ctx, s, &rest);
  GE_TRY (onesided_store<T> (ctx, &done, s->n));
  if (count > 0 && rest.max_sweeps <= 0)
    return count_unconverged (ctx, s->counts, (int) count, p->cosine);
  return count > 0 ? sweep_some<T> (ctx, p, s, &rest, count) : GPUEIG_OK;
}

template <typename T>
static gpueig_status
allocate (gpueig_context *ctx, onesided_pages<T> *p)
{
  const int64_t n = p->n, pages = p->pages, all = n * n * pages;
  GE_TRY (
      ge_alloc_each (ctx, GE_DEVICE, all, &p->m, &p->q, &p->f, &p->g, &p->x));
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, n * pages, &p->d, &p->partner, &p->s));
  GE_TRY (ge_alloc_each (ctx, GE_DEVICE, pages, &p->active, &p->found));
  return ge_alloc_each (ctx, GE_HOST, pages, &p->figures, &p->state, &p->last,
                        &p->sent[0], &p->sent[1], &p->flags);
}

template <typename T>
gpueig_status
onesided_large (gpueig_context *ctx, const onesided_stack<T> *s,
                const onesided_plan *plan, int64_t first, int64_t pages,
                int single, int *steps)
{
  onesided_pages<T> p;
  const int64_t square = (int64_t) s->n * s->n;
  int mark = ge_mark (ctx), good;
  memset (&p, 0, sizeof p);
  p.n = s->n;
  p.pages = pages;
  p.single = single;
  const int64_t groups = (s->together + s->at_once - 1) / s->at_once;
  p.together = (s->together + groups - 1) / groups;
  p.scaling = s->scaling + first;
  GE_TRY (allocate (ctx, &p));
  onesided_stack<T> part = *s;
  part.pages = pages;
  if (single)
    part.together = 1;
  part.a = s->a + first * square;
  part.f = p.m;
  part.scaling = s->scaling + first;
  part.square = 0;
  part.lambda = s->lambda + first * s->n;
  part.v = s->v ? s->v + first * square : NULL;
  if (single)
    GE_TRY (onesided_scale_large<T> (ctx, &part));
  else
    GE_TRY (onesided_prepare<T> (ctx, &part, ONESIDED_SHIFTED));
  GE_TRY (onesided_start<T> (ctx, &p, &good));
  for (int64_t k = 0; k < pages; k++)
    {
      p.state[k] = good ? ONESIDED_ROTATING : ONESIDED_PLAIN;
      p.last[k] = 1;
    }
  if (good)
    GE_TRY (rotate_pages<T> (ctx, &p, plan, steps));
  GE_TRY (conclude<T> (ctx, &p, &part, plan, *steps));
  part.max_sweeps = plan->max_sweeps;
  /* Pages without usable starting vectors are solved again one by one.  */
  for (int64_t k = 0; ! single && k < pages; k++)
    if (p.state[k] == ONESIDED_PLAIN)
      {
        int mine = 0;
        GE_TRY (onesided_large<T> (ctx, &part, plan, k, 1, 1, &mine));
        *steps = mine > *steps ? mine : *steps;
      }
  /* flags may still be in flight */
  GE_TRY (ge_wait (ctx));
  return ge_close_frame (ctx, mark);
}

GE_INSTANTIATE (onesided_large)
