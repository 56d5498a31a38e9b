/* General matrices: eigenvalues and vectors, Schur forms.
   SPDX-License-Identifier: GPL-3.0-or-later WITH the exception in COPYING  */

#include "engine_copy.h"

#include <stdlib.h>

#define lange_ LAPACK (slange_, dlange_, clange_, zlange_)
real_t lange_ (const char *norm, const lapack_int *m, const lapack_int *n,
               const scalar_t *a, const lapack_int *lda, real_t *work, size_t);

/* --- results in LAPACK's form --- */

#if ! GE_COMPLEX
/* Nonzero if the complex eigenvalues LAMBDA are conjugate pairs, the one with positive
   imaginary part first.  */
static int
is_paired (int64_t n, const real_t *lambda)
{
  for (int64_t j = 0; j < n; j++)
    if (lambda[2 * j + 1] != 0)
      {
        const real_t *x = lambda + 2 * j;
        if (! (x[1] > 0) || j + 1 == n || x[2] != x[0] || x[3] != -x[1])
          return 0;
        j++;
      }
  return 1;
}

/* Set *c->bad unless the vectors of real eigenvalues are real and those of a pair
   conjugate.  */
static void
paired_piece (void *data, int64_t piece, int thread)
{
  const copies *c = data;
  const int64_t n = c->n;
  int bad = 0;
  (void) thread;
  for (int64_t j = piece * BLOCK; j < n && j < (piece + 1) * BLOCK; j++)
    {
      const real_t *x = (const real_t *) c->from + 2 * n * j, *y = x + 2 * n;
      const real_t part = c->lambda[2 * j + 1];
      for (int64_t i = 0; part == 0 && i < n; i++)
        bad |= x[2 * i + 1] != 0;
      for (int64_t i = 0; part > 0 && i < n; i++)
        bad |= x[2 * i] != y[2 * i] || x[2 * i + 1] != -y[2 * i + 1];
    }
  if (bad)
    *c->bad = 1;
}

static int
are_paired (gpueig_context *ctx, int64_t n, const real_t *lambda,
            const real_t *v)
{
  atomic_int bad = 0;
  run_copies (ctx, paired_piece,
              (copies){ n, n, v, n, .lambda = lambda, .bad = &bad });
  return ! bad;
}

/* A pair of complex columns becomes their real and imaginary part.  */
static void
pack_piece (void *data, int64_t piece, int thread)
{
  const copies *c = data;
  const int64_t n = c->n;
  (void) thread;
  for (int64_t j = piece * BLOCK; j < n && j < (piece + 1) * BLOCK; j++)
    {
      const int second = c->lambda[2 * j + 1] < 0;
      const real_t *x = (const real_t *) c->from + 2 * n * (j - second);
      for (int64_t i = 0; i < n; i++)
        c->to[i + c->ldto * j] = x[2 * i + second];
    }
}

static void
pack (gpueig_context *ctx, int64_t n, const real_t *lambda, const real_t *v,
      real_t *out, int64_t ld)
{
  run_copies (ctx, pack_piece,
              (copies){ n, n, v, n, out, ld, .lambda = lambda });
}

/* Write the eigenvalues and vectors of a real matrix; zero, with nothing written, if
   they are not conjugate pairs.  */
static int
write_results (gpueig_context *ctx, const ge_request *r, const real_t *lambda,
               const real_t *left, const real_t *right)
{
  real_t *wr = r->w, *wi = r->wi;
  if (! is_paired (r->n, lambda)
      || (left && ! are_paired (ctx, r->n, lambda, left))
      || (right && ! are_paired (ctx, r->n, lambda, right)))
    return 0;
  for (int64_t j = 0; j < r->n; j++)
    {
      wr[j] = lambda[2 * j];
      wi[j] = lambda[2 * j + 1];
    }
  if (left)
    pack (ctx, r->n, lambda, left, r->vl, r->ldvl);
  if (right)
    pack (ctx, r->n, lambda, right, r->vr, r->ldvr);
  return 1;
}
#else
static int
write_results (gpueig_context *ctx, const ge_request *r, const real_t *lambda,
               const real_t *left, const real_t *right)
{
  memcpy (r->w, lambda, (size_t) r->n * sizeof (scalar_t));
  if (left)
    copy (ctx, r->n, r->n, (const scalar_t *) left, r->n, r->vl, r->ldvl);
  if (right)
    copy (ctx, r->n, r->n, (const scalar_t *) right, r->n, r->vr, r->ldvr);
  return 1;
}
#endif

/* --- eigenvalues and vectors --- */

/* Compute what xGEEVX returns in addition to eigenvalues and vectors: the balanced matrix,
   in A, its scaling and norm; with vectors the Schur form of the balanced matrix.  Zero if
   LAPACK would scale the matrix first, or if the Schur form failed.  */
static int
balance (gpueig_context *ctx, const gpueig_options *options, ge_request *r,
         scalar_t *a, real_t *scale, real_t *norm, scalar_t *schur)
{
  const lapack_int n = (lapack_int) r->n;
  const real_t largest = lange_ ("M", &n, &n, a, &n, NULL, 1);
  const real_t small = sqrt_ (GE_REAL_MIN) / GE_EPS;
  lapack_int ilo = 1, ihi = n, info = 0;
  if (largest < 2 * small || largest > 1 / (2 * small))
    return 0;
  gebal_ (&r->balance, &n, a, &n, &ilo, &ihi, scale, &info, 1);
  if (info != 0)
    return 0;
  r->ilo = ilo;
  r->ihi = ihi;
  *norm = lange_ ("1", &n, &n, a, &n, NULL, 1);
  if (! schur)
    return 1;
  const gpueig_schur_problem problem
      = { .type = r->type, .n = r->n, .pages = 1, .a = a, .s = schur };
  return gpueig_schur (ctx, &problem, options, NULL) == GPUEIG_OK;
}

/* A may be the caller's, which LAPACK gets if there is no result.  */
typedef struct
{
  scalar_t *a, *schur;
  real_t *lambda, *left, *right, *scale;
} spaces;

static int
solve_general (gpueig_context *ctx, const gpueig_options *options,
               ge_request *r, const spaces *s)
{
  real_t norm = 0;
  const gpueig_general problem
      = { .type = r->type,
          .n = r->n,
          .pages = 1,
          .a = s->a,
          .balance = r->balance == 'B' || r->balance == 'S',
          .lambda = s->lambda,
          .v = s->right,
          .w = s->left };
  if (s->a != r->a)
    copy (ctx, r->n, r->n, r->a, r->lda, s->a, r->n);
  if (! is_finite (ctx, r->n, s->a))
    return 0;
  r->status = gpueig_eig_general (ctx, &problem, options, NULL);
  if (r->status != GPUEIG_OK)
    return 0;
  if (s->scale && ! balance (ctx, options, r, s->a, s->scale, &norm, s->schur))
    return 0;
  if (! write_results (ctx, r, s->lambda, s->left, s->right))
    return 0;
  if (s->scale)
    {
      memcpy (r->scale, s->scale, (size_t) r->n * sizeof (real_t));
      *(real_t *) r->abnrm = norm;
    }
  if (s->schur)
    copy (ctx, r->n, r->n, s->schur, r->n, r->a, r->lda);
  return 1;
}

int
FN (ge_engine_general) (gpueig_context *ctx, const gpueig_options *options,
                        ge_request *r)
{
  const int64_t n = r->n;
  const size_t pair = 2 * sizeof (real_t);
  if (! ge_is_lapack_int (n))
    return 0;
  const int in_place = r->lda == n && ! r->scale;
  const spaces s = {
    .a = in_place ? r->a : ge_engine_alloc (ctx, n * n, sizeof (scalar_t)),
    .schur = r->scale && r->vectors
                 ? ge_engine_alloc (ctx, n * n, sizeof (scalar_t))
                 : NULL,
    .lambda = ge_engine_alloc (ctx, n, pair),
    .left = r->vl ? ge_engine_alloc (ctx, n * n, pair) : NULL,
    .right = r->vr ? ge_engine_alloc (ctx, n * n, pair) : NULL,
    .scale = r->scale ? ge_engine_alloc (ctx, n, sizeof (real_t)) : NULL,
  };
  const int done = s.a && s.lambda && (s.schur || ! (r->scale && r->vectors))
                   && (s.left || ! r->vl) && (s.right || ! r->vr)
                   && (s.scale || ! r->scale)
                   && solve_general (ctx, options, r, &s);
  if (! in_place)
    free (s.a);
  free (s.schur);
  free (s.lambda);
  free (s.left);
  free (s.right);
  free (s.scale);
  return done;
}

/* --- Schur forms --- */

/* Write the eigenvalues of the Schur form S, in the order of the diagonal.  */
static void
write_eigenvalues (const ge_request *r, const scalar_t *s)
{
  const int64_t n = r->n;
#if GE_COMPLEX
  scalar_t *w = r->w;
  for (int64_t j = 0; j < n; j++)
    w[j] = s[j + n * j];
#else
  real_t *wr = r->w, *wi = r->wi;
  for (int64_t j = 0; j < n; j++)
    {
      wr[j] = s[j + n * j];
      wi[j] = 0;
      if (j + 1 < n && s[j + 1 + n * j] != 0)
        {
          /* A block in standard form: equal diagonal elements, the others of opposite
             signs.  */
          wi[j] = sqrt_ (fabs_ (s[j + 1 + n * j]))
                  * sqrt_ (fabs_ (s[j + n * (j + 1)]));
          wr[j + 1] = s[j + 1 + n * (j + 1)];
          wi[j + 1] = -wi[j];
          j++;
        }
    }
#endif
}

int
FN (ge_engine_schur) (gpueig_context *ctx, const gpueig_options *options,
                      ge_request *r)
{
  const int64_t n = r->n;
  if (! ge_is_lapack_int (n))
    return 0;
  const int direct = r->vr && r->ldvr == n, in_place = r->lda == n;
  scalar_t *a = ge_engine_alloc (ctx, n * n, sizeof *a);
  scalar_t *s = in_place ? r->a : ge_engine_alloc (ctx, n * n, sizeof *s);
  scalar_t *u = direct  ? r->vr
                : r->vr ? ge_engine_alloc (ctx, n * n, sizeof *u)
                        : NULL;
  int done = a && s && (u || ! r->vr);
  if (done)
    {
      const gpueig_schur_problem problem
          = { .type = r->type, .n = n, .pages = 1, .a = a, .s = s, .u = u };
      copy (ctx, n, n, r->a, r->lda, a, n);
      done = is_finite (ctx, n, a);
      if (done)
        r->status = gpueig_schur (ctx, &problem, options, NULL);
      /* LAPACK solves what is left.  */
      if (done && in_place && r->status != GPUEIG_OK)
        copy (ctx, n, n, a, n, r->a, n);
      done = done && r->status == GPUEIG_OK;
    }
  if (done)
    {
      write_eigenvalues (r, s);
      if (! in_place)
        copy (ctx, n, n, s, n, r->a, r->lda);
      if (u && ! direct)
        copy (ctx, n, n, u, n, r->vr, r->ldvr);
    }
  free (a);
  if (! in_place)
    free (s);
  if (! direct)
    free (u);
  return done;
}
